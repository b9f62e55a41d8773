//! Requests that fail: errors in transit change no table, and objects that cannot be fetched cost no other rows.

use super::server::Fault;
use super::{FIRST, LISTS, REQUESTS, Run, SECOND, archives, assert_same, local, options, sample, served, texts, urls};
use folder::ledger::Sums;
use ingest::inputs::{InputNaming, expand};
use ingest::plan::PlanOptions;
use ingest::progress::Progress;
use ingest::run::{Workers, shards};
use std::fs;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

#[test]
fn errors_in_transit_change_no_table() {
    let local = local();
    let half = fs::metadata(sample().join(FIRST)).unwrap().len() as usize / 2;
    let faults: [&[Fault]; 12] = [
        &[Fault::Status(403, &[("Server", "CloudFront"), ("X-Cache", "Error from cloudfront")])],
        &[Fault::Status(429, &[("Retry-After", "0")])],
        &[Fault::Status(500, &[])],
        &[Fault::Status(503, &[])],
        &[Fault::Reset],
        &[Fault::Short(half)],
        &[Fault::Short(0)],
        &[Fault::Stall(half)],
        &[Fault::Short(half), Fault::WrongRange],
        &[Fault::Short(half), Fault::WholeObject],
        &[Fault::Flipped(half)],
        &[Fault::Page],
    ];
    let local = &local;
    thread::scope(|scope| {
        for faults in faults {
            scope.spawn(move || change_nothing(faults, local));
        }
    });
}

fn change_nothing(faults: &[Fault], local: &Run) {
    let server = served();
    // Lists get the same faults, except those that would give another list.
    for name in [FIRST, SECOND] {
        server.fail(name, faults);
    }
    let mut options = options();
    if let [Fault::Stall(_)] = faults {
        options.waits.stall = Duration::from_secs(2);
    }
    let run = Run::new(options);
    let report = run.ingest(&urls(&server)).unwrap();
    assert_eq!(report.sums.failed_inputs, 0, "{faults:?}: {:?}", texts(&report.flawed));
    assert_same(&run, local, &[]);
    let Progress { bytes, inputs, inputs_in_all, captures, .. } = &run.progress;
    let counted = [bytes, inputs, inputs_in_all, captures].map(|sum| sum.load(Ordering::Relaxed));
    let Sums { bytes, inputs, captures, .. } = report.sums;
    assert_eq!(counted, [bytes, inputs, inputs, captures], "{faults:?}");
    let requests = server.seen().len();
    assert!(requests > REQUESTS && requests <= 2 * REQUESTS, "{faults:?}: {requests} requests");
}

#[test]
fn every_request_fails_once() {
    let (server, local) = (served(), local());
    let names = LISTS.map(str::to_owned).into_iter().chain(archives());
    names.for_each(|name| server.fail(&name, &[Fault::Status(503, &[])]));
    let run = Run::new(options());
    run.ingest(&urls(&server)).unwrap();
    assert_same(&run, &local, &[]);
    assert!(server.seen().len() <= 2 * REQUESTS, "{}", server.seen().len());
}

#[test]
fn an_object_that_cannot_be_fetched_is_reported_and_affects_no_other() {
    // On disk, the first archive is missing.
    let local = Run::new(options());
    let lists = local.folder.path().join("lists");
    for name in archives().iter().filter(|name| *name != FIRST).map(String::as_str).chain(LISTS) {
        let path = lists.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::copy(sample().join(name), path).unwrap();
    }
    local.ingest(&LISTS.map(|list| lists.join(list))).unwrap();

    let half = fs::metadata(sample().join(FIRST)).unwrap().len() as usize / 2;
    let always = |fault: Fault| vec![fault; 9];
    let cases = [
        (always(Fault::Status(404, &[])), "there is no such object (404 Told)"),
        (always(Fault::Status(403, &[("Server", "AmazonS3")])), "access is denied (403 Told)"),
        (always(Fault::Page), "a page was sent in its place, as errors are, after 4 tries in a row"),
        (vec![Fault::Replaced(half, b"another".to_vec())], "it has changed while it was read"),
        (
            vec![Fault::Flipped(half), Fault::Status(403, &[])],
            "it is damaged and could not be fetched again: access is denied (403 Told)",
        ),
    ];
    for (faults, cause) in cases {
        let server = served();
        server.fail(FIRST, &faults);
        let run = Run::new(options());
        let report = run.ingest(&urls(&server)).unwrap();
        let reported = texts(&report.flawed);
        assert!(reported.contains(&format!("input was not read: {}: {cause}", server.url(FIRST))), "{reported:#?}");
        assert_eq!(report.sums.failed_inputs, 1);
        // Only the table inputs differs: it has the cause.
        assert_same(&run, &local, &["inputs"]);
        // The next run tries it again.
        server.fail(FIRST, &[]);
        server.put(FIRST, fs::read(sample().join(FIRST)).unwrap());
        assert_eq!(run.ingest(&urls(&server)).unwrap().sums.failed_inputs, 0);
        assert_same(&run, &super::local(), &[]);
    }
}

#[test]
fn a_host_that_blocks_for_good_ends_the_run() {
    let server = served();
    let run = Run::new(options());
    run.inputs(&urls(&server)).unwrap();
    // The lists are served, and then no archive.
    let archives: Vec<PathBuf> = archives().iter().map(|name| PathBuf::from(server.url(name))).collect();
    server.fail_always(Fault::Status(403, &[("Server", "CloudFront")]));
    let reported = texts(&run.ingest(&archives).unwrap_err()).join("\n");
    assert!(reported.starts_with("store cannot be read: http://127.0.0.1:"), "{reported}");
    let cause = "its host gets no more requests: 3 objects in a row failed: CloudFront blocks requests from here for some \
                 minutes (403 Told), as it does after too many; try again later";
    assert!(reported.ends_with(cause), "{reported}");
    let requests = server.seen().len();
    assert!(requests <= 3 + 7 * 4, "{requests}");
}

#[test]
fn a_run_ends_when_it_is_stopped_while_a_server_stalls() {
    let server = served();
    let run = Run::new(options());
    archives().iter().for_each(|name| server.fail(name, &[Fault::Stall(10)]));
    thread::scope(|scope| {
        scope.spawn(|| {
            while server.seen().len() <= LISTS.len() {
                thread::yield_now();
            }
            run.stop.store(true, Ordering::SeqCst);
        });
        let report = run.ingest(&urls(&server)).unwrap();
        assert!(report.parts_left > 0);
    });
}

/// Such a shard would be done without a row. It is no fault of the host, so the run goes on to the last archive.
#[test]
fn a_shard_that_is_refused_every_archive_is_not_done() {
    let (server, local) = (served(), local());
    let run = Run::new(options());
    let inputs = run.inputs(&urls(&server)).unwrap();
    shards::plan(inputs, &run.out, NonZeroU32::MIN, PlanOptions::default()).unwrap();
    let work = || {
        let workers = Workers { jobs: NonZeroUsize::MIN, stores: &run.stores };
        shards::work(&run.out, 0, workers, &Progress::default(), &run.stop)
    };
    server.fail_always(Fault::Status(403, &[("Server", "AmazonS3")]));
    let reported = texts(&work().unwrap_err()).join("\n");
    let expected =
        format!("shard has read no archive: {}: access is denied (403 Told); none of its", server.url(FIRST));
    assert!(reported.starts_with(&expected), "{reported}");
    assert_eq!(shards::missing(&run.out).unwrap(), [0]);
    server.fail_always(Fault::No);
    work().unwrap();
    shards::commit(&run.out, &Progress::default(), &run.stop).unwrap();
    assert_same(&run, &local, &[]);
}

/// Otherwise, all archives would be recorded as unread.
#[test]
fn credentials_that_expire_end_the_run() {
    let expired = Fault::Refused(400, "ExpiredToken");
    let local = local();
    // The second is damaged in transit, and the credentials expire before it is fetched again.
    for faults in [vec![expired.clone()], vec![Fault::Flipped(500), expired]] {
        let server = served();
        server.fail(SECOND, &faults);
        let run = Run::new(options());
        let reported = texts(&run.ingest(&urls(&server)).unwrap_err()).join("\n");
        assert!(reported.starts_with("store cannot be read: http://127.0.0.1:"), "{reported}");
        assert!(reported.ends_with("access is denied (400 ExpiredToken)"), "{reported}");
        // The same command continues.
        let again = run.again();
        assert_eq!(again.ingest(&urls(&server)).unwrap().sums.failed_inputs, 0);
        assert_same(&again, &local, &[]);
    }
}

/// A part is made again when an object of it could not be fetched. Without another of its objects, it would lose rows.
#[test]
fn rows_of_objects_that_are_gone_are_kept() {
    let (server, local) = (served(), local());
    let run = Run::new(options());
    let missing = [Fault::Status(404, &[])];
    server.fail(FIRST, &missing);
    let captures = run.ingest(&urls(&server)).unwrap().sums.captures;
    let before = run.tables_but(&[]);
    server.fail(FIRST, &[]);
    server.fail(SECOND, &missing);
    let report = run.ingest(&urls(&server)).unwrap();
    let kept = format!("input cannot be read any more: {}: there is no such object (404 Told)", server.url(SECOND));
    let reported = texts(&report.flawed);
    assert!(reported.contains(&format!("{kept}; the tables keep its rows")), "{reported:#?}");
    assert_eq!((report.parts_left, report.parts_kept, report.sums.captures), (0, 1, captures));
    assert!(run.tables_but(&[]) == before, "a part that loses rows was published");

    // Another command, which does not name the host, tries nothing again.
    let requests = server.seen().len();
    let mine = run.again();
    let archive = mine.folder.path().join("a.warc");
    fs::write(&archive, b"").unwrap();
    let naming = InputNaming { crawl: Some("OTHER-1".to_owned()), ..InputNaming::default() };
    let inputs = expand(&[archive], &naming, &mut &b""[..]).unwrap().inputs;
    let report = mine.run(inputs).unwrap();
    assert_eq!((report.parts_kept, report.sums.captures, server.seen().len()), (0, captures, requests));
    let after = mine.tables_but(&[]);
    assert!(before.iter().all(|(path, bytes)| after[path] == *bytes));

    server.fail(SECOND, &[]);
    mine.inputs(&urls(&server)).unwrap();
    assert_eq!(mine.ingest(&urls(&server)).unwrap().sums.failed_inputs, 0);
    let after = mine.tables_but(&[]);
    assert!(local.tables_but(&[]).iter().all(|(path, bytes)| after[path] == *bytes));
}
