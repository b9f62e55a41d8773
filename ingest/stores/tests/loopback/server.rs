//! A web server on loopback with objects, ranges and ETags, which fails on demand.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "called by tests, which fail by them")]
#![allow(dead_code, unreachable_pub, reason = "no test uses all of it")]

mod bucket;
mod request;
mod response;

use parking_lot::Mutex;
use request::{parse_range, peek, read_head};
use response::{send, tag, version_headers, write, write_head};
use std::collections::{BTreeMap, VecDeque};
use std::io::Read as _;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

pub(crate) use request::Seen;

/// An account by which clients of Google's storage send no token.
pub(crate) const GOOGLE_ACCOUNT: &str =
    r#"{"private_key": "", "private_key_id": "", "client_email": "", "disable_oauth": true}"#;

/// A fault that the server injects into a request.
#[derive(Debug, Clone)]
pub(crate) enum Fault {
    /// A response with this status and these headers.
    Status(u16, &'static [(&'static str, &'static str)]),
    /// A response with this status and this code of a store.
    Refused(u16, &'static str),
    /// The object with this key is not deleted, because of this code.
    Undeleted(&'static str, &'static str),
    /// The response does not say how long it is.
    WithoutLength,
    /// The connection is reset before a response.
    Reset,
    /// The connection is closed after this many bytes of the body.
    Short(usize),
    /// The connection stays open after this many bytes of the body, but sends nothing more.
    Stall(usize),
    /// The body comes byte by byte, with pauses.
    Drip,
    /// The response has another range than requested.
    WrongRange,
    /// The response has the whole object instead of a range.
    WholeObject,
    /// The connection is closed after this many bytes of the body, and another object replaces this one.
    Replaced(usize, Vec<u8>),
    /// A bit of this byte is flipped.
    Flipped(usize),
    /// An HTML page with status 200.
    Page,
    /// Nothing goes wrong with this request, but with a later one.
    No,
}

#[derive(Debug, Default)]
struct Shared {
    objects: Mutex<BTreeMap<String, Vec<u8>>>,
    /// The pieces of multipart uploads in progress, by path and number.
    pieces: Mutex<BTreeMap<(String, usize), Vec<u8>>>,
    /// For each path, what goes wrong with the next requests.
    faults: Mutex<BTreeMap<String, VecDeque<Fault>>>,
    /// The fault of all other requests.
    always: Mutex<Option<Fault>>,
    /// How many more objects may be put; `None` without a limit.
    puts_left: Mutex<Option<usize>>,
    /// Objects that another client puts just before a request, by its method and path.
    put_before: Mutex<BTreeMap<(String, String), Vec<u8>>>,
    seen: Mutex<Vec<Seen>>,
    delay: Mutex<Duration>,
    open: AtomicUsize,
    most_open: AtomicUsize,
    is_stopped: AtomicBool,
}

/// A server. It stops when it is dropped.
#[derive(Debug)]
pub(crate) struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl Server {
    /// Starts a server without objects.
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared::default());
        let accepting = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming() {
                if accepting.is_stopped.load(Ordering::SeqCst) {
                    break;
                }
                let (stream, shared) = (stream.unwrap(), Arc::clone(&accepting));
                thread::spawn(move || while shared.answer(&stream).is_some() {});
            }
        });
        Server { address, shared }
    }

    /// Serves all files below a folder, under their paths relative to it.
    pub(crate) fn of_folder(folder: &Path) -> Self {
        let server = Server::start();
        server.put_folder("", folder);
        server
    }

    /// Adds all files below a folder, with `before` in front of their paths.
    pub(crate) fn put_folder(&self, before: &str, folder: &Path) {
        files(folder).into_iter().for_each(|(path, bytes)| self.put(&format!("{before}{path}"), bytes));
    }

    /// All objects below a name, by their paths relative to it.
    pub(crate) fn objects(&self, below: &str) -> BTreeMap<String, Vec<u8>> {
        let objects = self.shared.objects.lock();
        let found = objects.iter().filter_map(|(path, bytes)| {
            let path = path.strip_prefix('/')?.strip_prefix(below)?.strip_prefix('/')?;
            Some((path.to_owned(), bytes.clone()))
        });
        found.collect()
    }

    pub(crate) fn put(&self, name: &str, bytes: Vec<u8>) {
        self.shared.objects.lock().insert(format!("/{name}"), bytes);
    }

    pub(crate) fn remove(&self, name: &str) {
        self.shared.objects.lock().remove(&format!("/{name}"));
    }

    /// Puts an object just before the next request of a method for it.
    pub(crate) fn put_before(&self, method: &str, name: &str, bytes: Vec<u8>) {
        self.shared.put_before.lock().insert((method.to_owned(), format!("/{name}")), bytes);
    }

    /// The next requests for an object fail in these ways.
    pub(crate) fn fail(&self, name: &str, faults: &[Fault]) {
        self.shared.faults.lock().insert(format!("/{name}"), faults.iter().cloned().collect());
    }

    /// All requests fail in this way.
    pub(crate) fn fail_always(&self, fault: Fault) {
        *self.shared.always.lock() = Some(fault);
    }

    /// Refuses to put more than this many further objects.
    pub(crate) fn refuse_puts_after(&self, puts: usize) {
        *self.shared.puts_left.lock() = Some(puts);
    }

    /// Delays each response by this much.
    pub(crate) fn delay(&self, delay: Duration) {
        *self.shared.delay.lock() = delay;
    }

    pub(crate) fn url(&self, name: &str) -> String {
        format!("http://{}/{name}", self.address)
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.shared.seen.lock().clone()
    }

    /// The highest number of requests that were answered at the same time.
    pub(crate) fn most_open(&self) -> usize {
        self.shared.most_open.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.is_stopped.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
    }
}

impl Shared {
    /// Answers a request. Returns `None` if the connection must be closed.
    fn answer(&self, stream: &TcpStream) -> Option<()> {
        let seen = peek(stream)?;
        let fault = self.faults.lock().get_mut(&seen.object()).and_then(VecDeque::pop_front);
        let fault = fault.or_else(|| self.always.lock().clone()).filter(|fault| !matches!(fault, Fault::No));
        self.seen.lock().push(seen.clone());
        if let Some(Fault::Reset) = fault {
            // The system resets a connection that is closed with unread bytes.
            return None;
        }
        read_head(stream)?;
        let mut sent = vec![0; seen.header("content-length").map_or(0, |length| length.parse().unwrap())];
        let mut body = stream;
        body.read_exact(&mut sent).ok()?;
        if let Some(bytes) = self.put_before.lock().remove(&(seen.method.clone(), seen.object())) {
            self.objects.lock().insert(seen.object(), bytes);
        }
        let open = self.open.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_open.fetch_max(open, Ordering::SeqCst);
        // Copied first: in one statement, the lock would be held during the sleep and delay other responses.
        let delay = *self.delay.lock();
        thread::sleep(delay);
        let answered = match (&seen.method[..], &fault) {
            ("PUT" | "POST" | "DELETE", None | Some(Fault::Short(_))) => {
                // `Short` loses the response, but the change is made.
                let answered = self.change(stream, &seen, sent);
                if fault.is_none() { answered } else { None }
            }
            // Waits until the client gives up.
            ("PUT" | "POST", Some(Fault::Stall(_))) => body.read(&mut [0]).ok().and(None),
            _ => self.answer_with(stream, &seen, fault),
        };
        self.open.fetch_sub(1, Ordering::SeqCst);
        answered
    }

    fn answer_with(&self, stream: &TcpStream, seen: &Seen, fault: Option<Fault>) -> Option<()> {
        let refused = match fault {
            Some(Fault::Status(status, headers)) => Some((status, headers, "Told")),
            Some(Fault::Refused(status, code)) => Some((status, &[][..], code)),
            _ => None,
        };
        if let Some((status, headers, code)) = refused {
            let headers = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect::<String>();
            // S3 repeats the key and the text that was signed (docs.aws.amazon.com, "Error responses").
            let signed = seen.header("authorization").unwrap_or_default();
            let error = format!("<Error><Code>{code}</Code><StringToSign>{signed}</StringToSign></Error>");
            return write(stream, status, &headers, error.as_bytes());
        }
        if let Some(Fault::Undeleted(key, code)) = fault {
            let error = format!("<Error><Key>{key}</Key><Code>{code}</Code><Message>told by a store</Message></Error>");
            return write(stream, 200, "", format!("<DeleteResult>{error}</DeleteResult>").as_bytes());
        }
        if let Some(Fault::Page) = fault {
            return write(stream, 200, "Content-Type: text/html\r\n", b"<!DOCTYPE html><title>Sorry</title>");
        }
        if seen.parameter("list-type").is_some() {
            return send(
                stream,
                "200",
                "Content-Type: application/xml\r\n",
                self.list(seen).as_bytes(),
                fault.as_ref(),
            );
        }
        let Some(bytes) = self.objects.lock().get(&seen.object()).cloned() else {
            return write(stream, 404, "", b"<Error><Code>NoSuchKey</Code></Error>");
        };
        let tag = tag(&bytes);
        if seen.header("if-match").is_some_and(|asked| asked != tag) {
            return write(stream, 412, "", b"");
        }
        let asked = seen.header("range").map(|range| parse_range(range, bytes.len()));
        let (mut range, status) = match asked.filter(|_| !matches!(fault, Some(Fault::WholeObject))) {
            Some(range) => (range, 206),
            None => (0..bytes.len(), 200),
        };
        if let Some(Fault::WrongRange) = fault {
            range = range.start.saturating_sub(1)..range.end;
        }
        let mut headers = format!("{}Last-Modified: Mon, 23 Nov 2026 22:00:00 GMT\r\n", version_headers(&bytes));
        if status == 206 {
            headers += &format!("Content-Range: bytes {}-{}/{}\r\n", range.start, range.end - 1, bytes.len());
        }
        if seen.method == "HEAD" {
            return write_head(stream, status, &headers, bytes.len());
        }
        let mut body = bytes[range].to_vec();
        if let Some(Fault::Flipped(at)) = fault {
            body[at] ^= 0x10;
        }
        let sent = send(stream, &status.to_string(), &headers, &body, fault.as_ref());
        if let Some(Fault::Replaced(_, other)) = fault {
            self.objects.lock().insert(seen.object(), other);
        }
        sent
    }
}

/// The bytes of all files below a folder, by their paths relative to it.
pub(crate) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(below) = folders.pop() {
        for entry in std::fs::read_dir(below).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.is_file() {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                files.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    files
}
