//! Archives that are read by URL give the same tables as their copies on disk, byte for byte.

mod failures;
#[path = "../../stores/tests/loopback/options.rs"]
mod options;
#[path = "../../stores/tests/loopback/server.rs"]
mod server;

use folder::Failure;
use ingest::check::{self, Archives, CheckOptions, Digests};
use ingest::inputs::{Input, InputNaming, expand, list_of_crawl};
use ingest::plan::PlanOptions;
use ingest::progress::Progress;
use ingest::run::{self, RunOptions, RunReport, Workers, shards};
use options::options;
use server::{Server, files};
use std::collections::BTreeMap;
use std::fs;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use stores::{StoreOptions, Stores};
use tempfile::TempDir;

const CRAWLS: [&str; 2] = ["SAMPLE-2024-10", "SAMPLE-2025-10"];
const LISTS: [&str; 3] = [
    "crawl-data/SAMPLE-2024-10/robotstxt.paths.gz",
    "crawl-data/SAMPLE-2024-10/warc.paths.gz",
    "crawl-data/SAMPLE-2025-10/robotstxt.paths.gz",
];
/// The first archive of the sample. It is undamaged.
const FIRST: &str = "crawl-data/SAMPLE-2024-10/segments/1/robotstxt/SAMPLE-2024-10-00000.warc.gz";
const SECOND: &str = "crawl-data/SAMPLE-2024-10/segments/1/robotstxt/SAMPLE-2024-10-00001.warc.gz";

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets/sample")
}

fn served() -> Server {
    Server::of_folder(&sample())
}

/// A run into its own folder.
struct Run {
    folder: TempDir,
    out: PathBuf,
    stores: Stores,
    progress: Progress,
    stop: AtomicBool,
}

impl Run {
    fn new(options: StoreOptions) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (out, stores) = (folder.path().join("tables"), Stores::new(options));
        Run { out, folder, stores, progress: Progress::default(), stop: AtomicBool::new(false) }
    }

    fn inputs(&self, arguments: &[PathBuf]) -> Result<Vec<Input>, Vec<Failure>> {
        let naming = InputNaming { stores: self.stores.clone(), ..InputNaming::default() };
        Ok(expand(arguments, &naming, &mut &b""[..])?.inputs)
    }

    fn ingest(&self, arguments: &[PathBuf]) -> Result<RunReport, Vec<Failure>> {
        self.run(self.inputs(arguments)?)
    }

    fn run(&self, inputs: Vec<Input>) -> Result<RunReport, Vec<Failure>> {
        let jobs = NonZeroUsize::new(2).unwrap();
        let options = RunOptions { jobs, plan: PlanOptions::default(), stores: self.stores.clone() };
        run::run(inputs, &self.out, &options, &self.progress, &self.stop)
    }

    /// Another command into the same folder.
    fn again(self) -> Self {
        Run { stores: Stores::new(options()), progress: Progress::default(), stop: AtomicBool::new(false), ..self }
    }

    /// The bytes of all files of tables, except some tables.
    fn tables_but(&self, left_out: &[&str]) -> BTreeMap<String, Vec<u8>> {
        let mut files = files(&self.out);
        let is_left_out = |folder: &str| folder == "_robocensus" || left_out.contains(&folder);
        files.retain(|path, _| !path.split('/').any(is_left_out));
        files
    }

    fn records(&self) -> String {
        let records = self.out.join("_robocensus");
        let ledger = fs::read_dir(records.join("ledger")).unwrap().map(|entry| entry.unwrap().path());
        let files = ledger.chain([records.join("plan.ndjson")]);
        files.map(|path| fs::read_to_string(path).unwrap()).collect()
    }
}

/// The tables of the sample on disk.
fn local() -> Run {
    let run = Run::new(options());
    run.ingest(&LISTS.map(|list| sample().join(list))).unwrap();
    run
}

fn urls(server: &Server) -> Vec<PathBuf> {
    LISTS.iter().map(|list| PathBuf::from(server.url(list))).collect()
}

#[track_caller]
fn assert_same(ours: &Run, theirs: &Run, left_out: &[&str]) {
    let (ours, theirs) = (ours.tables_but(left_out), theirs.tables_but(left_out));
    assert!(theirs.len() > 10 && ours.keys().eq(theirs.keys()), "{:?}", ours.keys());
    for (path, bytes) in &theirs {
        assert!(ours[path] == *bytes, "{path} differs");
    }
}

fn texts(failures: &[Failure]) -> Vec<String> {
    failures.iter().map(ToString::to_string).collect()
}

/// The names of all archives.
fn archives() -> Vec<String> {
    let inputs = crate::tables_of::inputs(&sample().join("crawl-data"));
    inputs.into_iter().map(|input| input.warc_filename).collect()
}

/// Three lists, twelve archives, and two of the archives again, since they are damaged.
const REQUESTS: usize = 17;

#[test]
fn objects_give_the_tables_of_their_copies_on_disk() {
    let (server, local) = (served(), local());
    let run = Run::new(options());
    let report = run.ingest(&urls(&server)).unwrap();
    assert_same(&run, &local, &[]);
    assert_eq!((report.sums.inputs, report.sums.failed_inputs), (12, 0));
    assert_eq!((server.seen().len(), run.stores.requests()), (REQUESTS, REQUESTS as u64));
    let records = run.records();
    assert!(records.contains(&server.url(FIRST)), "{records}");
    let bytes = fs::read(sample().join(FIRST)).unwrap();
    assert!(records.contains(&format!("\"object\":{{\"bytes\":{},\"etag\":", bytes.len())), "{records}");

    // A run with nothing to do requests only the lists.
    let again = run.ingest(&urls(&server)).unwrap();
    assert_eq!((again.read.inputs, server.seen().len()), (0, REQUESTS + LISTS.len()));
    assert_same(&run, &local, &[]);
}

#[test]
fn a_crawl_is_found_by_its_name() {
    let server = served();
    let run = Run::new(options());
    let lists = CRAWLS.map(|crawl| list_of_crawl(&server.url(""), crawl));
    let report = run.ingest(&lists).unwrap();
    assert_eq!(report.sums.inputs, 11);
    let list_of = |from, expected| assert_eq!(list_of_crawl(from, "CC-MAIN-2024-22"), Path::new(expected));
    list_of("https", "https://data.commoncrawl.org/crawl-data/CC-MAIN-2024-22/robotstxt.paths.gz");
    list_of("s3", "s3://commoncrawl/crawl-data/CC-MAIN-2024-22/robotstxt.paths.gz");
    list_of("/data", "/data/crawl-data/CC-MAIN-2024-22/robotstxt.paths.gz");
}

#[test]
fn objects_are_fetched_while_others_are_read() {
    let (server, local) = (served(), local());
    server.delay(Duration::from_millis(50));
    let run = Run::new(options());
    run.ingest(&urls(&server)).unwrap();
    assert_same(&run, &local, &[]);
    assert_eq!(server.seen().len(), REQUESTS);
    // As many as the limit on connections.
    assert_eq!(server.most_open(), 4);
}

#[test]
fn shards_make_the_same_tables_of_the_hosts_in_their_plan() {
    let (server, local) = (served(), local());
    let run = Run::new(options());
    let inputs = run.inputs(&urls(&server)).unwrap();
    shards::plan(inputs, &run.out, NonZeroU32::new(2).unwrap(), PlanOptions::default()).unwrap();
    for shard in 0..2 {
        // As on another machine, which has only the plan.
        let (stores, progress) = (Stores::new(options()), Progress::default());
        let workers = Workers { jobs: NonZeroUsize::MIN, stores: &stores };
        let report = shards::work(&run.out, shard, workers, &progress, &run.stop).unwrap();
        assert_eq!(report.parts_left, 0);
    }
    shards::commit(&run.out, &Progress::default(), &run.stop).unwrap();
    assert_same(&run, &local, &[]);
    assert_eq!(server.seen().len(), REQUESTS);
}

#[test]
fn a_host_that_only_the_plan_names_gets_no_request() {
    let server = served();
    let run = Run::new(options());
    // The plan of someone else, with nothing done yet.
    let inputs = run.inputs(&urls(&server)).unwrap();
    run.stop.store(true, Ordering::SeqCst);
    run.run(inputs).unwrap();
    let requests = server.seen().len();

    let report = run.again().ingest(&[sample().join(LISTS[2])]).unwrap();
    let reported = texts(&report.flawed);
    let foreign =
        reported.iter().filter(|reported| reported.contains("no URL of this command is at http://127.0.0.1:")).count();
    assert_eq!((foreign, server.seen().len()), (7, requests), "{reported:#?}");
}

#[test]
fn a_check_reads_no_url_and_says_so() {
    let server = served();
    let run = Run::new(options());
    run.ingest(&urls(&server)).unwrap();
    let requests = server.seen().len();
    let check = |archives| {
        let options = CheckOptions { jobs: NonZeroUsize::MIN, digests: Digests::Compare, archives };
        let found = check::check(&run.out, options, &Progress::default(), &AtomicBool::new(false)).unwrap();
        let damages = texts(&found.damages);
        damages.into_iter().filter(|damage| !damage.contains("views.duckdb.sql")).collect::<Vec<_>>()
    };
    assert_eq!(check(Archives::PassOver), [""; 0]);
    let reported = check(Archives::Reread);
    assert_eq!(reported.len(), 12, "{reported:#?}");
    let expected = "archives at URLs are not read again; ingest copies on disk to compare";
    assert!(
        reported
            .iter()
            .all(|reported| reported.starts_with("input is not compared: http://") && reported.ends_with(expected))
    );
    assert_eq!(server.seen().len(), requests);
}
