//! Reads objects on a loopback server as files.

use crate::options::options;
use crate::server::{Fault, Server};
use std::io::{Cursor, Read as _, Seek as _, SeekFrom};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};
use stores::{FetchError, FetchErrorKind, Location, ObjectUrl, StoreOptions, Stores};

/// A server with an object of this length, and the bytes of the object.
fn server(length: usize) -> (Server, Vec<u8>) {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    let bytes = BYTES.get_or_init(|| (0..LARGE).map(|at| (at * at / 7 + at / 256) as u8).collect());
    let bytes = bytes[..length].to_vec();
    let server = Server::start();
    server.put("a", bytes.clone());
    (server, bytes)
}

fn stores_of(server: &Server, options: StoreOptions) -> (Stores, ObjectUrl) {
    let url = ObjectUrl::parse(&server.url("a")).unwrap();
    let stores = Stores::new(options);
    stores.allow(&Location::Object(url.clone()));
    (stores, url)
}

/// The bytes of the object or the error, and the number of requests.
fn read(server: &Server, options: StoreOptions) -> (Result<Vec<u8>, String>, usize) {
    let (stores, url) = stores_of(server, options);
    let stop = AtomicBool::new(false);
    let mut bytes = Vec::new();
    let read = stores.start(&url).open(&stop).and_then(|mut object| object.read_to_end(&mut bytes));
    assert_eq!(stores.requests(), server.seen().len() as u64, "the count of requests is wrong");
    (read.map(|_| bytes).map_err(|error| error.to_string()), server.seen().len())
}

const LARGE: usize = 20 << 20;

#[test]
fn an_object_takes_one_request() {
    for length in [0, 1, 100_000, LARGE] {
        let (server, bytes) = server(length);
        assert!(read(&server, options()) == (Ok(bytes), 1), "{length}");
    }
}

#[test]
fn temporary_failures_are_retried() {
    let block = Fault::Status(403, &[("Server", "CloudFront")]);
    let stall = |at| (vec![Fault::Stall(at)], 2);
    let cases = [
        stall(0),
        stall(50_000),
        (vec![Fault::Drip], 2),
        (vec![block], 2),
        (vec![Fault::Status(429, &[("Retry-After", "0")])], 2),
        (vec![Fault::Status(500, &[]), Fault::Status(503, &[])], 3),
        (vec![Fault::Reset], 2),
        (vec![Fault::Short(0)], 2),
        (vec![Fault::Short(50_000)], 2),
        (vec![Fault::Page], 2),
        (vec![Fault::Short(50_000), Fault::WrongRange], 3),
        (vec![Fault::Short(50_000), Fault::WholeObject], 3),
    ];
    thread::scope(|scope| {
        for length in [100_000, LARGE] {
            for (faults, requests) in cases.clone() {
                // Until a stall is noticed, the other cases run.
                if let [Fault::Stall(_) | Fault::Drip] = faults[..] {
                    scope.spawn(move || is_retried(length, &faults, requests));
                } else {
                    is_retried(length, &faults, requests);
                }
            }
        }
    });
}

fn is_retried(length: usize, faults: &[Fault], requests: usize) {
    let (server, bytes) = server(length);
    server.fail("a", faults);
    let mut options = options();
    if let [Fault::Stall(_) | Fault::Drip] = faults {
        options.waits.stall = Duration::from_secs(2);
    }
    let (found, made) = read(&server, options);
    assert!(found.as_ref() == Ok(&bytes), "{faults:?}: {:?}", found.map(|bytes| bytes.len()));
    assert_eq!(made, requests, "{faults:?}");
    let retries = &server.seen()[1..];
    if faults.iter().any(|fault| matches!(fault, Fault::Short(50_000) | Fault::Stall(50_000))) {
        assert_eq!(retries[0].header("range"), Some("bytes=50000-"), "{faults:?}");
        assert!(retries[0].header("if-match").is_some(), "{faults:?}");
    }
}

#[test]
fn lasting_failures_are_reported_with_their_cause() {
    let check = |fault: Fault, expected: &str, requests: usize| {
        let (server, _) = server(100_000);
        server.fail("a", &vec![fault; 9]);
        let (stores, url) = stores_of(&server, options());
        let stop = AtomicBool::new(false);
        let error = stores.start(&url).open(&stop).unwrap_err();
        assert_eq!((error.to_string().as_str(), server.seen().len()), (expected, requests));
    };
    check(Fault::Status(404, &[]), "there is no such object (404 Told)", 1);
    check(Fault::Status(403, &[("Server", "AmazonS3")]), "access is denied (403 Told)", 1);
    check(Fault::Status(503, &[]), "the server has too many requests (503 Told), after 4 tries in a row", 4);
    check(Fault::Page, "a page was sent in its place, as errors are, after 4 tries in a row", 4);
    check(Fault::WithoutLength, "the server does not say how long it is; use a copy on disk", 1);
    let long = "the server has too many requests (503 Told), and asks to wait for 86400 s";
    check(Fault::Status(503, &[("Retry-After", "86400")]), long, 1);
}

#[test]
fn a_host_that_has_never_answered_gets_fewer_tries() {
    let (server, _) = server(1);
    server.fail_always(Fault::Reset);
    let (found, requests) = read(&server, options());
    assert!(found.as_ref().is_err_and(|error| error.ends_with(", after 3 tries in a row")), "{found:?}");
    assert_eq!(requests, 3);
}

#[test]
fn a_host_that_refuses_three_objects_in_a_row_is_given_up() {
    let (server, _) = server(1);
    server.fail_always(Fault::Status(403, &[("Server", "CloudFront")]));
    let (stores, url) = stores_of(&server, options());
    let stop = AtomicBool::new(false);
    let kinds: Vec<_> =
        (0..5).map(|_| FetchError::kind_of(&stores.start(&url).open(&stop).unwrap_err()).unwrap()).collect();
    let (unread, given_up) = (FetchErrorKind::Unread, FetchErrorKind::GivenUp);
    assert_eq!(kinds, [unread, unread, unread, given_up, given_up]);
    assert_eq!(server.seen().len(), 12);
}

/// The message names the cause of the last failure, such as a misspelt name or a closed port.
#[test]
fn a_host_that_is_given_up_has_a_cause() {
    let last_of = |fault: Fault| {
        let (server, _) = server(1);
        server.fail_always(fault);
        let (stores, url) = stores_of(&server, options());
        let stop = AtomicBool::new(false);
        (0..4).map(|_| stores.start(&url).open(&stop).unwrap_err().to_string()).last().unwrap()
    };
    let found = last_of(Fault::Reset);
    let start = "its host gets no more requests: 3 objects in a row failed: no response came: ";
    assert!(found.starts_with(start) && !found.contains("later"), "{found}");
    let expected = "its host gets no more requests: 3 objects in a row failed: the server has too many requests \
                    (503 Told); try again later";
    assert_eq!(last_of(Fault::Status(503, &[])), expected);
}

/// Expired credentials and a wrong clock concern all objects.
#[test]
fn a_host_that_refuses_the_credentials_is_given_up() {
    let (server, _) = server(1);
    let stop = AtomicBool::new(false);
    for (status, code, hint) in [
        (400, "ExpiredToken", ""),
        (403, "InvalidAccessKeyId", ""),
        (403, "RequestTimeTooSkewed", "; set the clock of this machine"),
    ] {
        server.fail("a", &[Fault::Refused(status, code)]);
        let (stores, url) = stores_of(&server, options());
        let requests = server.seen().len();
        let [first, second] = [0, 1].map(|_| stores.start(&url).open(&stop).unwrap_err());
        let cause = format!("access is denied ({status} {code}){hint}");
        assert_eq!(first.to_string(), cause);
        assert_eq!(second.to_string(), format!("its host gets no more requests: {cause}"));
        let kinds = [first, second].map(|error| FetchError::kind_of(&error));
        assert_eq!(kinds, [Some(FetchErrorKind::GivenUp); 2]);
        assert_eq!(server.seen().len(), requests + 1);
    }
}

#[test]
fn retry_after_is_respected() {
    let (server, _) = server(100);
    server.fail("a", &[Fault::Status(429, &[("Retry-After", "1")])]);
    assert!(read(&server, options()).0.is_ok());
    let seen = server.seen();
    assert!(seen[1].at - seen[0].at >= Duration::from_secs(1));
}

#[test]
fn requests_keep_their_rate() {
    let (server, _) = server(100);
    let (stores, url) = stores_of(&server, StoreOptions { requests_per_second: Some(100.0), ..options() });
    let stop = AtomicBool::new(false);
    let start = Instant::now();
    let pending: Vec<_> = (0..21).map(|_| stores.start(&url)).collect();
    for object in pending {
        object.open(&stop).unwrap();
    }
    assert_eq!(server.seen().len(), 21);
    // Between 21 requests are 20 intervals of 10 ms.
    assert!(start.elapsed() >= Duration::from_millis(200), "{:?}", start.elapsed());
}

#[test]
fn a_change_while_reading_is_an_error() {
    for length in [100_000, LARGE] {
        let (server, _) = server(length);
        server.fail("a", &[Fault::Replaced(50_000, vec![1; length])]);
        let (stores, url) = stores_of(&server, options());
        let stop = AtomicBool::new(false);
        let read = stores.start(&url).open(&stop).and_then(|mut object| object.read_to_end(&mut Vec::new()));
        assert_eq!(FetchError::kind_of(&read.unwrap_err()), Some(FetchErrorKind::Changed), "{length}");
    }
}

#[test]
fn seeks_in_an_object_work_as_in_a_file() {
    for length in [100_000, LARGE] {
        let (server, bytes) = server(length);
        let (stores, url) = stores_of(&server, options());
        let stop = AtomicBool::new(false);
        let mut object = stores.start(&url).open(&stop).unwrap();
        let mut file = Cursor::new(bytes);
        for to in [SeekFrom::Start(10), SeekFrom::End(-500), SeekFrom::Start(0), SeekFrom::Current(70_000)] {
            assert_eq!(object.seek(to).unwrap(), file.seek(to).unwrap());
            // More than is fetched after a seek.
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            object.by_ref().take(1 << 20).read_to_end(&mut ours).unwrap();
            file.by_ref().take(1 << 20).read_to_end(&mut theirs).unwrap();
            assert!(ours == theirs, "{length}, {to:?}");
        }
    }
}

#[test]
fn a_tiny_budget_does_not_block_the_object_being_read() {
    let (server, bytes) = server(LARGE);
    let (stores, url) = stores_of(&server, StoreOptions { ahead_bytes: 1, ..options() });
    let stop = AtomicBool::new(false);
    // The other objects must not take the budget or the connections that the first one needs.
    let pending: Vec<_> = (0..6).map(|_| stores.start(&url)).collect();
    for object in pending {
        let mut found = Vec::new();
        object.open(&stop).unwrap().read_to_end(&mut found).unwrap();
        assert!(found == bytes);
    }
}

#[test]
fn waiting_ends_when_the_run_is_stopped() {
    let (server, _) = server(100);
    server.fail_always(Fault::Stall(10));
    let (stores, url) = stores_of(&server, options());
    let stop = AtomicBool::new(false);
    let pending = stores.start(&url);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while server.seen().is_empty() {
                std::thread::yield_now();
            }
            stop.store(true, std::sync::atomic::Ordering::SeqCst);
        });
        let error = pending.open(&stop).unwrap_err();
        assert_eq!(FetchError::kind_of(&error), Some(FetchErrorKind::Stopped));
    });
}

#[test]
fn hosts_that_the_user_did_not_name_get_no_request() {
    let (server, _) = server(1);
    let url = ObjectUrl::parse(&server.url("a")).unwrap();
    let error = Stores::new(options()).start(&url).open(&AtomicBool::new(false)).unwrap_err();
    assert!(error.to_string().starts_with("no URL of this command is at http://127.0.0.1:"), "{error}");
    assert!(server.seen().is_empty());
}
