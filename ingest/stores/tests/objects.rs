//! Reads objects on a loopback server as files.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

#[path = "loopback/server.rs"]
mod server;

use server::{Fault, GOOGLE_ACCOUNT, Server};
use std::io::{Cursor, Read as _, Seek as _, SeekFrom};
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};
use stores::{FetchError, FetchErrorKind, Location, ObjectUrl, Replaces, StoreOptions, Stores, Waits};

/// No limit on requests, and short waits. Only the stall timeout is long, for slow machines.
fn options() -> StoreOptions {
    let waits =
        Waits { first: Duration::from_millis(1), longest: Duration::from_millis(4), stall: Duration::from_secs(60) };
    StoreOptions {
        requests_per_second: Some(1e6),
        tries: NonZeroU32::new(4).unwrap(),
        waits,
        ..StoreOptions::default()
    }
}

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
                if let [Fault::Stall(_)] = faults[..] {
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
    if let [Fault::Stall(_)] = faults {
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
        // A first success, so that all tries are made: a host that has never answered gets fewer.
        server.put("b", b"b".to_vec());
        server.fail("a", &vec![fault; 9]);
        let (stores, url) = stores_of(&server, options());
        let stop = AtomicBool::new(false);
        let other = ObjectUrl::parse(&server.url("b")).unwrap();
        stores.start(&other).open(&stop).unwrap();
        let error = stores.start(&url).open(&stop).unwrap_err();
        assert_eq!((error.to_string().as_str(), server.seen().len() - 1), (expected, requests));
    };
    check(Fault::Status(404, &[]), "there is no such object (404 Told)", 1);
    check(Fault::Status(403, &[("Server", "AmazonS3")]), "access is denied (403 Told)", 1);
    check(Fault::Status(503, &[]), "the server has too many requests (503 Told), after 4 tries in a row", 4);
    check(Fault::Page, "a page was sent in its place, as errors are, after 4 tries in a row", 4);
    let long = "the server has too many requests (503 Told), and asks to wait for 86400 s";
    check(Fault::Status(503, &[("Retry-After", "86400")]), long, 1);
}

#[test]
fn a_host_that_has_never_answered_gets_fewer_tries() {
    let (server, _) = server(1);
    server.fail_always(Fault::Status(500, &[]));
    let (found, requests) = read(&server, options());
    assert_eq!((found, requests), (Err("the server failed (500 Told), after 3 tries in a row".to_owned()), 3));
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
    assert_eq!(server.seen().len(), 9);
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

/// Sets a variable that the crate with the clients of stores reads.
fn set_variable(name: &str, value: &str) {
    // SAFETY: only `objects_are_put_whole_or_not_at_all` sets and reads such variables.
    #[expect(unsafe_code, reason = "the crate that signs requests reads the environment")]
    unsafe {
        std::env::set_var(name, value);
    }
}

/// A bucket on the loopback server, set up through the environment, which only one test may do.
#[test]
fn objects_are_put_whole_or_not_at_all() {
    let folder = std::env::temp_dir().join(format!("robocensus-put-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("file");
    let server = Server::start();
    set_variable("GOOGLE_BASE_URL", server.url("").trim_end_matches('/'));
    set_variable("GOOGLE_SERVICE_ACCOUNT_KEY", GOOGLE_ACCOUNT);
    objects_change_only_as_asked(&server, &|name| ObjectUrl::parse(&format!("gs://bucket/{name}")).unwrap(), &file);

    let server = Server::start();
    set_variable("AWS_ENDPOINT_URL", server.url("").trim_end_matches('/'));
    set_variable("AWS_SKIP_SIGNATURE", "true");
    let url = |name: &str| ObjectUrl::parse(&format!("s3://bucket/{name}")).unwrap();
    objects_change_only_as_asked(&server, &url, &file);

    let stores = Stores::new(options());
    stores.allow(&Location::Object(url("a")));
    // A first success, so that all tries are made.
    stores.list(&url("")).unwrap();
    server.fail("bucket", &vec![Fault::Status(503, &[]); 4]);
    let busy = stores.list(&url("")).unwrap_err().to_string();
    assert_eq!(busy, "it cannot be listed: the server has too many requests (503 Told), after 4 tries in a row");
    server.fail("bucket", &[Fault::Status(403, &[])]);
    let denied = stores.list(&url("")).unwrap_err().to_string();
    let hint = "it cannot be listed: access is denied (403 Told); keys are taken from AWS_ACCESS_KEY_ID and ";
    assert!(denied.starts_with(hint), "{denied}");

    changes_keep_their_rate(&server, &url, &file);
    server.fail("bucket", &[Fault::Status(503, &[]), Fault::Reset, Fault::Short(20)]);
    assert_eq!(stores.list(&url("")).unwrap().len(), 2);

    std::fs::write(&file, b"small").unwrap();
    stalls_are_noticed(&server, &url("a"), &file);
    first_tries_are_few(&url("a"), &file);
    names_that_are_no_paths_are_reported(&server, &url("odd"));
    std::fs::remove_dir_all(folder).unwrap();
}

/// Objects are put, listed, read, copied and deleted.
fn objects_change_only_as_asked(server: &Server, url: &dyn Fn(&str) -> ObjectUrl, file: &Path) {
    let stores = Stores::new(options());
    stores.allow(&Location::Object(url("a")));
    let put = |name: &str, bytes: &[u8], replaces: &Replaces| {
        std::fs::write(file, bytes).unwrap();
        stores.put(&url(name), file, replaces).map_err(|error| error.to_string())
    };
    let objects = || server.objects("bucket");

    let first = put("a", b"one", &Replaces::Nothing).unwrap().unwrap();
    assert_eq!(put("a", b"two", &Replaces::Nothing), Err("another process has written it meanwhile".to_owned()));
    // An object with the same bytes is not an error.
    assert_eq!(put("a", b"one", &Replaces::Nothing), Ok(Some(first.clone())));
    let second = put("a", b"two", &Replaces::Version(first.clone())).unwrap().unwrap();
    assert!(put("a", b"three", &Replaces::Version(first)).is_err());
    assert_eq!(objects()["a"], b"two");
    // Another process puts an object just before.
    server.put_before("PUT", "bucket/a", b"theirs".to_vec());
    assert!(put("a", b"three", &Replaces::Version(second.clone())).is_err());
    assert_eq!(objects()["a"], b"theirs");
    server.put("bucket/a", b"two".to_vec());
    // A put succeeds, but its response is lost. In Google's storage, another request comes before it.
    let is_google = url("a").as_str().starts_with("gs:");
    server.fail("bucket/a", &[if is_google { Fault::No } else { Fault::Reset }, Fault::Short(0)]);
    assert!(put("a", b"three", &Replaces::Version(second)).is_ok());
    server.fail("bucket/b", &[Fault::Short(0), Fault::Status(503, &[])]);
    assert!(put("b", b"once", &Replaces::Nothing).is_ok());
    assert_eq!(objects()["b"], b"once");
    // Nor does it fail if the object that is there cannot be read at once.
    server.fail("bucket/b", &[Fault::Short(0), Fault::No, Fault::Status(503, &[]), Fault::Reset]);
    server.put("bucket/b", b"before".to_vec());
    stores.delete(&[url("b")]).unwrap();
    assert!(put("b", b"once", &Replaces::Nothing).is_ok());

    let large: Vec<u8> = (0..LARGE * 2).map(|at| (at / 251) as u8).collect();
    put("large", &large, &Replaces::Anything).unwrap();
    assert!(objects()["large"] == large);
    let seen = server.seen();
    let pieces = seen.iter().filter(|seen| seen.method == "PUT" && seen.path.contains("partNumber=")).count();
    assert_eq!(pieces, 3);

    let listed = stores.list(&url("")).unwrap();
    let names: Vec<_> = listed.iter().map(|object| (object.path.to_str().unwrap(), object.bytes)).collect();
    assert_eq!(names, [("a", 5), ("b", 4), ("large", large.len() as u64)]);
    let stop = AtomicBool::new(false);
    let spans = stores.spans(&listed[2], &[5..9, 9..9, 20_000_000..20_000_003], &stop).unwrap();
    assert_eq!(spans, [large[5..9].to_vec(), Vec::new(), large[20_000_000..20_000_003].to_vec()]);

    // Copies are made by the store.
    server.fail("bucket/d/b", &[Fault::Status(503, &[]), Fault::Short(0), Fault::Reset]);
    stores.copy(&[(url("b"), url("d/b")), (url("a"), url("d/a"))]).unwrap();
    assert!(objects()["d/b"] == b"once" && objects()["d/a"] == b"three");
    let missing = stores.copy(&[(url("none"), url("d/none"))]).unwrap_err().to_string();
    assert_eq!(missing, "there is no such object (404 NoSuchKey)");

    stores.delete(&[url("b"), url("d/a"), url("large")]).unwrap();
    stores.delete(&[url("b")]).unwrap();
    assert_eq!(objects().keys().collect::<Vec<_>>(), ["a", "d/b"]);
    assert_eq!(stores.requests(), server.seen().len() as u64, "copies, deletions and pieces are requests, too");
}

/// The pieces of a large object, copies and deletions wait for their turn.
fn changes_keep_their_rate(server: &Server, url: &dyn Fn(&str) -> ObjectUrl, file: &Path) {
    let stores = Stores::new(StoreOptions { requests_per_second: Some(50.0), ..options() });
    stores.allow(&Location::Object(url("a")));
    let before = server.seen().len() as u64;
    let start = Instant::now();
    std::fs::write(file, vec![1; LARGE * 2]).unwrap();
    stores.put(&url("large"), file, &Replaces::Anything).unwrap();
    stores.copy(&["e", "f", "g"].map(|name| (url("large"), url(name)))).unwrap();
    stores.delete(&["e", "f", "g", "large"].map(url)).unwrap();
    let sent = server.seen().len() as u64 - before;
    assert_eq!((sent, stores.requests()), (5 + 3 + 1, sent));
    assert!(start.elapsed() >= Duration::from_millis(20 * (sent - 1)), "{:?}", start.elapsed());
}

/// A list and a put end if the server sends nothing more.
fn stalls_are_noticed(server: &Server, url: &ObjectUrl, file: &Path) {
    let mut options = options();
    options.waits.stall = Duration::from_millis(500);
    let stores = Stores::new(options);
    stores.allow(&Location::Object(url.clone()));
    let below = ObjectUrl::parse("s3://bucket/").unwrap();
    server.fail("bucket", &[Fault::Stall(20)]);
    assert_eq!(stores.list(&below).unwrap().len(), 2);
    server.fail("bucket/a", &[Fault::Stall(0)]);
    stores.put(url, file, &Replaces::Anything).unwrap();
}

/// A store that has never answered is given up after three tries, for lists and puts, too.
fn first_tries_are_few(url: &ObjectUrl, file: &Path) {
    let failing = Server::start();
    failing.fail_always(Fault::Status(500, &[]));
    let set = |server: &str| set_variable("AWS_ENDPOINT_URL", server.trim_end_matches('/'));
    let before = std::env::var("AWS_ENDPOINT_URL").unwrap();
    set(&failing.url(""));
    for number in 1..=2 {
        let stores = Stores::new(options());
        stores.allow(&Location::Object(url.clone()));
        let error = match number {
            1 => stores.list(url).unwrap_err().to_string(),
            _ => stores.put(url, file, &Replaces::Nothing).unwrap_err().to_string(),
        };
        assert!(error.ends_with("the server failed (500 Told), after 3 tries in a row"), "{error}");
        assert_eq!((failing.seen().len(), stores.requests()), (3 * number, 3));
    }
    set(&before);
}

/// Another try would find the same name.
fn names_that_are_no_paths_are_reported(server: &Server, below: &ObjectUrl) {
    server.put("bucket/odd/a//b", b"x".to_vec());
    let stores = Stores::new(options());
    stores.allow(&Location::Object(below.clone()));
    let before = server.seen().len();
    let error = stores.list(below).unwrap_err().to_string();
    assert!(error.starts_with("it cannot be listed: Path \"odd/a//b\" contained empty path segment"), "{error}");
    assert_eq!(server.seen().len() - before, 1);
}
