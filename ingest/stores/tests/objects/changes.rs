//! Changes objects in buckets on a loopback server.

use crate::options::options;
use crate::server::{Fault, GOOGLE_ACCOUNT, Server};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use stores::{Location, ObjectUrl, Replaces, StoreOptions, Stores};

/// More than two pieces.
const LARGE: usize = 40 << 20;

/// Sets a variable that the crate with the clients of stores reads.
fn set_variable(name: &str, value: &str) {
    // SAFETY: only `objects_are_put_whole_or_not_at_all` sets and reads such variables.
    #[expect(unsafe_code, reason = "the crate that signs requests reads the environment")]
    unsafe {
        std::env::set_var(name, value);
    }
}

/// Buckets on loopback servers, set up through the environment, which only one test may do.
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
    server.fail("bucket", &vec![Fault::Status(503, &[]); 4]);
    let busy = stores.list(&url("")).unwrap_err().to_string();
    assert_eq!(busy, "it cannot be listed: the server has too many requests (503 Told), after 4 tries in a row");
    server.fail("bucket", &[Fault::Status(403, &[])]);
    let denied = stores.list(&url("")).unwrap_err().to_string();
    let hint = "it cannot be listed: access is denied (403 Told); keys are taken from AWS_ACCESS_KEY_ID and ";
    assert!(denied.starts_with(hint), "{denied}");

    errors_within_responses_are_noticed(&server, &url);
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
    // A conflict with another request says nothing about the object.
    server.fail("bucket/c", &[Fault::Refused(409, "ConditionalRequestConflict")]);
    assert!(put("c", b"once", &Replaces::Nothing).is_ok());
    stores.delete(&[url("c")]).unwrap();
    server.fail("bucket/c", &vec![Fault::Refused(501, "NotImplemented"); 2]);
    let before = server.seen().len();
    let unsupported = "the server does not support the request (501 NotImplemented); it lacks conditional writes, \
                       without which a bucket cannot have tables";
    assert_eq!(put("c", b"once", &Replaces::Nothing), Err(unsupported.to_owned()));
    assert_eq!(server.seen().len() - before, 1);

    let large: Vec<u8> = (0..LARGE).map(|at| (at / 251) as u8).collect();
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
    std::fs::write(file, vec![1; LARGE]).unwrap();
    stores.put(&url("large"), file, &Replaces::Anything).unwrap();
    stores.copy(&["e", "f", "g"].map(|name| (url("large"), url(name)))).unwrap();
    stores.delete(&["e", "f", "g", "large"].map(url)).unwrap();
    let sent = server.seen().len() as u64 - before;
    assert_eq!((sent, stores.requests()), (5 + 3 + 1, sent));
    assert!(start.elapsed() >= Duration::from_millis(20 * (sent - 1)), "{:?}", start.elapsed());
}

/// A store reports an error after status 200. Its text is not shown.
fn errors_within_responses_are_noticed(server: &Server, url: &dyn Fn(&str) -> ObjectUrl) {
    let stores = Stores::new(options());
    stores.allow(&Location::Object(url("a")));
    stores.list(&url("")).unwrap();
    let copy = |faults: &[Fault]| {
        server.fail("bucket/copied", faults);
        let before = server.seen().len();
        let copied = stores.copy(&[(url("a"), url("copied"))]).map_err(|error| error.to_string());
        (copied, server.seen().len() - before)
    };
    assert_eq!(copy(&[Fault::Refused(200, "InternalError")]), (Ok(()), 2));
    assert_eq!(copy(&[Fault::Refused(200, "SlowDown")]), (Ok(()), 2));
    let (denied, requests) = copy(&[Fault::Refused(200, "AccessDenied")]);
    assert!(denied.unwrap_err().starts_with("access is denied (403 AccessDenied); keys are taken from "));
    assert_eq!(requests, 1);
    let delete = |faults: &[Fault]| {
        server.fail("bucket", faults);
        let before = server.seen().len();
        let deleted = stores.delete(&[url("copied")]).map_err(|error| error.to_string());
        (deleted, server.seen().len() - before)
    };
    let (denied, requests) = delete(&[Fault::Undeleted("copied", "AccessDenied")]);
    assert!(denied.unwrap_err().starts_with("access is denied (403 AccessDenied); keys are taken from "));
    assert_eq!(requests, 1);
    let failed = "the server failed (500 InternalError), after 4 tries in a row".to_owned();
    assert_eq!(delete(&vec![Fault::Undeleted("copied", "InternalError"); 4]), (Err(failed), 4));
    assert_eq!(delete(&[Fault::Undeleted("copied", "SlowDown")]), (Ok(()), 2));
}

/// A list and a put end if the server sends nothing more, or hardly anything.
fn stalls_are_noticed(server: &Server, url: &ObjectUrl, file: &Path) {
    let mut options = options();
    options.waits.stall = Duration::from_millis(500);
    let stores = Stores::new(options);
    stores.allow(&Location::Object(url.clone()));
    let below = ObjectUrl::parse("s3://bucket/").unwrap();
    for fault in [Fault::Stall(20), Fault::Drip] {
        server.fail("bucket", &[fault]);
        assert_eq!(stores.list(&below).unwrap().len(), 2);
    }
    server.fail("bucket/a", &[Fault::Stall(0)]);
    stores.put(url, file, &Replaces::Anything).unwrap();
}

/// A store that has never answered is given up after three tries, for lists and puts, too.
fn first_tries_are_few(url: &ObjectUrl, file: &Path) {
    let failing = Server::start();
    failing.fail_always(Fault::Reset);
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
        assert!(error.ends_with(", after 3 tries in a row"), "{error}");
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
