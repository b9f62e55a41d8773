//! What is written into a folder of tables is read again, and what is foreign, misnamed or changed is reported.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

use folder::blocks::Blocks;
use folder::ledger::{self, LedgerEntry, ReadInput, Sums, WrittenFile};
use folder::models::{self, Made};
use folder::{Failure, Folder, Lock, crawl, durable, failure, regular, seal, views_file};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// An empty folder of tables.
fn fresh(test: &str) -> Folder {
    let root = std::env::temp_dir().join(format!("robocensus-folder-{test}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&root);
    let folder = Folder::at(&root);
    durable::make_folder(&folder.ledger()).unwrap();
    durable::make_folder(&folder.work()).unwrap();
    folder
}

fn file(table: &str) -> WrittenFile {
    WrittenFile {
        table: table.to_owned(),
        rows: 1,
        bytes: 3,
        sha256: "0".repeat(64),
        blocks: Blocks::from_bytes(b"abc"),
    }
}

fn entry(part: u32, crawl: &str) -> LedgerEntry {
    LedgerEntry {
        part,
        crawl: crawl.to_owned(),
        inputs: vec![ReadInput { stamp: None, object: None, error: None, damage: None }],
        files: tables::tables().into_iter().map(|table| file(table.name)).collect(),
        sums: Sums { inputs: 1, ..Sums::default() },
        made_by: "test".to_owned(),
        seconds: 0.5,
    }
}

fn made(crawl: &str) -> Made {
    Made {
        crawl: crawl.to_owned(),
        file: file("sites"),
        of: BTreeMap::new(),
        parameters: BTreeMap::new(),
        made_by: "test".to_owned(),
        seconds: 0.5,
    }
}

fn what<T>(result: Result<T, Failure>) -> &'static str {
    result.err().map_or("nothing", |failure| failure.what)
}

#[test]
fn entries_of_the_ledger() {
    let folder = fresh("ledger");
    assert!(ledger::read(&folder).unwrap().is_empty());
    for entry in [entry(0, "C-1"), entry(1, "C-2")] {
        assert!(entry.is_complete());
        ledger::write(&folder, &entry).unwrap();
    }
    // Only files with this extension are entries.
    fs::write(folder.ledger().join("notes.txt"), "").unwrap();
    let read = ledger::read(&folder).unwrap();
    assert_eq!(read, BTreeMap::from([(0, entry(0, "C-1")), (1, entry(1, "C-2"))]));
    assert_eq!(ledger::crawls(&read), BTreeSet::from(["C-1", "C-2"]));
    let of_one = ledger::read(&folder.clone().of_crawl(Some("C-2"))).unwrap();
    assert_eq!(of_one.keys().collect::<Vec<_>>(), [&1]);

    let mut incomplete = entry(2, "C-1");
    incomplete.files.pop();
    assert!(!incomplete.is_complete());
    let foreign = LedgerEntry { files: vec![file("foreign")], ..entry(2, "C-1") };
    ledger::write(&folder, &foreign).unwrap();
    assert_eq!(what(ledger::read(&folder)), "ledger cannot be read");
    // Sums of such counts would not fit their type.
    let vast_rows = WrittenFile { rows: u64::MAX, ..file("captures") };
    let vast_bytes = Sums { bytes: 1 << 49, ..Sums::default() };
    for vast in
        [LedgerEntry { files: vec![vast_rows], ..entry(2, "C-1") }, LedgerEntry { sums: vast_bytes, ..entry(2, "C-1") }]
    {
        ledger::write(&folder, &vast).unwrap();
        let failure = ledger::read(&folder).unwrap_err().to_string();
        assert!(failure.ends_with("it has a count that no part can have"), "{failure}");
    }
    let (here, there) = (folder.entry(2), folder.entry(3));
    ledger::write_to(&folder.draft(&here), &there, &entry(2, "C-1")).unwrap();
    fs::remove_file(&here).unwrap();
    assert_eq!(what(ledger::read(&folder)), "ledger entry is misnamed");
    assert_eq!(what(ledger::read_from(&here, "remedy")), "ledger cannot be read");
    fs::remove_dir_all(folder.root()).unwrap();
}

#[test]
fn sums_are_added() {
    let skipped = |count| BTreeMap::from([("request".to_owned(), count)]);
    let sums = |by: u64| Sums {
        inputs: by,
        damaged_inputs: 2 * by,
        failed_inputs: 3 * by,
        bytes: 4 * by,
        good_bytes: 5 * by,
        damaged_bytes: 6 * by,
        records: 7 * by,
        captures: 8 * by,
        skipped: skipped(9 * by),
        body_bytes: 10 * by,
    };
    let mut all = Sums::default();
    all.add(&sums(1));
    assert_eq!(all, sums(1));
    all.add(&sums(3));
    assert_eq!(all, sums(4));
}

#[test]
fn entries_of_derived_tables() {
    let folder = fresh("models");
    assert_eq!(models::read(&folder, "sites", "C-1").unwrap(), None);
    assert!(models::each(&folder, "sites").unwrap().is_empty());
    models::write(&folder, &made("C-1")).unwrap();
    models::write(&folder, &made("C-2")).unwrap();
    assert_eq!(models::read(&folder, "sites", "C-2").unwrap(), Some(made("C-2")));
    let each = models::each(&folder, "sites").unwrap();
    let paths: Vec<&PathBuf> = each.iter().map(|(path, _)| path).collect();
    assert_eq!(paths, [&models::entry(&folder, "sites", "C-1"), &models::entry(&folder, "sites", "C-2")]);
    // The name of a crawl becomes a part of paths.
    models::write(&folder, &made("C-1")).unwrap();
    let outside = seal::line(&made("../C")).unwrap();
    fs::write(models::entry(&folder, "sites", "C-1"), outside).unwrap();
    assert_eq!(what(models::read(&folder, "sites", "C-1")), "entry of a derived table cannot be read");
    fs::remove_dir_all(folder.root()).unwrap();
}

#[test]
fn views_are_as_they_were_written() {
    let folder = fresh("views");
    let fault = || views_file::check(&folder).map(|failure| failure.what);
    assert_eq!((fault(), views_file::digest(&folder).unwrap()), (None, None));
    fs::write(views_file::path(&folder), "SELECT 1;\n").unwrap();
    assert_eq!(fault(), Some("file is foreign"));
    views_file::write(&folder, "SELECT 2;\n").unwrap();
    assert_eq!(
        (fault(), fs::read_to_string(folder.root().join("views.duckdb.sql")).unwrap()),
        (None, "SELECT 2;\n".to_owned())
    );
    assert!(views_file::digest(&folder).unwrap().is_some_and(|digest| digest.len() == 64));
    fs::write(views_file::path(&folder), "SELECT 3;\n").unwrap();
    assert_eq!(fault(), Some("file has changed"));
    fs::remove_file(views_file::path(&folder)).unwrap();
    assert_eq!(fault(), Some("file is missing"));
    fs::create_dir(views_file::path(&folder)).unwrap();
    assert_eq!(fault(), Some("file cannot be read"));
    fs::remove_file(views_file::entry(&folder)).unwrap();
    views_file::write(&folder, "SELECT 4;\n").unwrap_err();
    fs::remove_dir(views_file::path(&folder)).unwrap();
    assert_eq!(fault(), Some("file is missing"), "the digest is written first");
    fs::remove_file(views_file::entry(&folder)).unwrap();
    fs::create_dir(views_file::entry(&folder)).unwrap();
    assert_eq!(fault(), Some("entry of the views cannot be read"));
    fs::remove_dir_all(folder.root()).unwrap();
}

#[test]
fn sealed_files() {
    let folder = fresh("seals");
    let path = folder.root().join("record");
    const UNREAD: seal::Unread<'_> = seal::Unread { what: "record cannot be read", remedy: "write it again" };
    let read = || seal::read::<u32>(UNREAD, &path);
    assert_eq!(seal::read_text(UNREAD, &path).unwrap(), None);
    assert_eq!(read().unwrap(), None);
    let text = "{\"a\":1}\n";
    fs::write(&path, seal::seal(text)).unwrap();
    assert_eq!(seal::read_text(UNREAD, &path).unwrap().as_deref(), Some(text));
    assert_eq!(what(read()), "record cannot be read");
    fs::write(&path, text).unwrap();
    assert_eq!(what(seal::read_text(UNREAD, &path)), "record cannot be read");
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert_eq!(what(seal::read_text(UNREAD, &path)), "record cannot be read");
    fs::remove_dir_all(folder.root()).unwrap();
}

#[test]
fn one_process_writes_or_several_read() {
    let folder = fresh("lock");
    let task = |crawl| folder.clone().of_crawl(Some(crawl));
    assert!(Lock::share(&folder).unwrap().is_none(), "there is no lock file");
    let cause = |result: Result<_, Failure>| result.err().map(|failure| failure.cause).unwrap_or_default();

    let writer = Lock::take(&folder).unwrap();
    let by_this = format!("process {} writes to it", std::process::id());
    assert_eq!(cause(Lock::take(&folder).map(|_| ())), by_this);
    assert_eq!(cause(Lock::share(&folder).map(|_| ())), by_this);
    assert_eq!(cause(Lock::take(&task("C-1")).map(|_| ())), by_this);
    drop(writer);

    let (reader, another) = (Lock::share(&folder).unwrap(), Lock::share(&folder).unwrap());
    assert!(reader.is_some() && another.is_some());
    let in_use = "another process reads it, or makes the derived tables of one crawl";
    assert_eq!(cause(Lock::take(&folder).map(|_| ())), in_use);
    drop((reader, another));

    // Tasks of several crawls write at the same time, and nobody reads meanwhile.
    let (first, second) = (Lock::take(&task("C-1")).unwrap(), Lock::take(&task("C-2")).unwrap());
    assert_eq!(cause(Lock::take(&task("C-1")).map(|_| ())), by_this);
    assert_eq!(cause(Lock::take(&folder).map(|_| ())), in_use);
    assert_eq!(cause(Lock::share(&folder).map(|_| ())), by_this);
    drop((first, second));
    Lock::take(&folder).unwrap();
    fs::remove_dir_all(folder.root()).unwrap();
}

#[test]
fn paths_are_as_documented() {
    let folder = Folder::at(Path::new("t"));
    let task = folder.clone().of_crawl(Some("C-1"));
    let paths = [
        (folder.file("captures", "C-1", 7), "captures/crawl=C-1/part-00007.parquet"),
        (folder.plan(), "_robocensus/plan.ndjson"),
        (folder.lock(), "_robocensus/lock"),
        (folder.entry(7), "_robocensus/ledger/part-00007.json"),
        (models::entry(&folder, "sites", "C-1"), "_robocensus/models/sites/C-1.json"),
        (views_file::path(&folder), "views.duckdb.sql"),
        (views_file::entry(&folder), "_robocensus/views.json"),
        (folder.work_of(7), "_robocensus/work/part-00007"),
        (folder.draft(Path::new("a/b")), "_robocensus/work/b"),
        (task.work(), "_robocensus/work/crawl=C-1"),
        (folder.shard_plan(), "_robocensus/shards/plan.json"),
        (folder.staged(7), "_robocensus/shards/parts/part-00007"),
        (folder.shard_marker(7), "_robocensus/shards/done/shard-00007.json"),
        (folder.shard_drafts(), "_robocensus/shards/drafts"),
    ];
    for (path, expected) in paths {
        assert_eq!(path, Path::new("t").join(expected));
    }
    assert!(folder.has("C-1") && folder.has("C-2") && task.has("C-1") && !task.has("C-2"));
    let locks = ["lock=C-1", "lock=..", "lock", "other=C-1"].map(|name| folder.work().join(name));
    assert_eq!(locks.map(|path| folder.is_task_lock(&path)), [true, false, false, false]);
    assert!(!folder.is_task_lock(Path::new("lock=C-1")));
    assert_eq!(folder.table_folders().count(), tables::all().len());
}

#[test]
fn other_files_are_refused_and_left() {
    let folder = fresh("others");
    folder::begin_work(&folder).unwrap();
    fs::write(folder.work().join("left"), "").unwrap();
    folder::begin_work(&folder).unwrap();
    assert_eq!(fs::read_dir(folder.work()).unwrap().count(), 0);
    let (done, other): (Result<(), _>, _) = (Ok(()), Failure::new("other", folder.root(), ""));
    folder::end_work(&folder, done.clone()).unwrap();
    folder::end_work(&folder, done.clone()).unwrap();
    assert!(!folder.work().exists());
    fs::write(folder.work(), "").unwrap();
    assert_eq!(what(folder::end_work(&folder, done)), "folder cannot be removed");
    assert_eq!(what(folder::end_work::<(), _>(&folder, Err(other))), "other");

    folder::refuse_other_files(&folder).unwrap();
    fs::write(folder.root().join("notes.txt"), "").unwrap();
    assert_eq!(what(folder::refuse_other_files(&folder)), "folder holds other files");
    fs::write(folder.plan(), "").unwrap();
    folder::refuse_other_files(&folder).unwrap();
    folder::refuse_other_files(&Folder::at(&folder.root().with_extension("missing"))).unwrap();
    fs::remove_dir_all(folder.root()).unwrap();
}

#[test]
fn names_of_crawls() {
    for name in ["CC-MAIN-2024-22", "a", "A_b.c-1"] {
        assert_eq!((crawl::is_name_of_folder(name), crawl::check(name)), (true, Ok(())), "{name}");
    }
    for name in ["", "2024", "-a", "../a", "a/b", "a b", "ä", "True", "null", "NaN", "infinity"] {
        assert!(!crawl::is_name_of_folder(name) && crawl::check(name).is_err(), "{name}");
    }
}

#[test]
fn messages_of_failures() {
    let failure = Failure::new("file cannot be read", Path::new("a"), "No such file");
    assert_eq!(failure.to_string(), "file cannot be read: a: no such file");
    assert_eq!(failure.clone().with_offset(7).to_string(), "file cannot be read: a at offset 7: no such file");
    assert_eq!(Vec::from(failure.clone()), [failure]);
    for (cause, shown) in
        [("URL is empty", "URL is empty"), ("A b", "A b"), ("a", "a"), ("", ""), ("éa", "éa"), ("Not a", "not a")]
    {
        assert_eq!(failure::lower(cause.to_owned()), shown);
    }
}

#[cfg(unix)]
#[test]
fn only_files_and_folders_are_followed() {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    let folder = fresh("links");
    let root = folder.root();
    let at = |name: &str| root.join(name);
    let error = |path: PathBuf| regular::read_below(&path).unwrap_err().to_string();
    fs::write(at("file"), "text").unwrap();
    fs::create_dir(at("below")).unwrap();
    symlink(at("file"), at("link")).unwrap();
    let _socket = UnixListener::bind(at("socket")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, at("pipe"), rustix::fs::Mode::from_raw_mode(0o600)).unwrap();
    assert_eq!(regular::read_below(&at("file")).unwrap(), b"text");
    assert_eq!(error(at("link")), "it is a link, not a file");
    assert_eq!(error(at("below")), "it is a folder, not a file");
    assert_eq!(error(at("socket")), "it is a socket, not a file");
    assert_eq!(error(at("pipe")), "it is a named pipe, not a file");
    assert_eq!(error(PathBuf::from("/dev/null")), "it is a device, not a file");
    // What a user names may be a link, but not a pipe.
    assert!(regular::open(&at("link")).is_ok() && regular::open(&at("pipe")).is_err());
    let kind = |name: &str| fs::symlink_metadata(at(name)).unwrap().file_type();
    assert_eq!(["file", "pipe", "below"].map(|name| regular::is_file(kind(name))), [true, false, false]);

    assert!(regular::list_below(&at("missing")).unwrap().files.is_empty());
    assert!(regular::list_below(&at("file/below")).unwrap().files.is_empty());
    assert_eq!(regular::list_below(&at("file")).unwrap_err().cause, "it is a file, but should be a folder");
    assert!(regular::list_below(root).is_err(), "it has a link");
    assert!(regular::others(&folder).is_empty());
    symlink(at("file"), folder.records().join("link")).unwrap();
    assert_eq!(regular::others(&folder).len(), 1);
    fs::remove_file(folder.records().join("link")).unwrap();
    let listed = regular::list_below(&folder.records()).unwrap();
    assert_eq!((listed.files, listed.folders), (Vec::new(), vec![folder.ledger(), folder.work()]));

    assert!(regular::list_below(&at(&"x".repeat(300))).is_err());

    symlink(at("file"), folder.lock()).unwrap();
    assert!(Lock::share(&folder).is_err() && Lock::take(&folder).is_err());
    fs::remove_file(folder.lock()).unwrap();
    // A lock with a second name could be any file of the user.
    fs::hard_link(at("file"), folder.lock()).unwrap();
    assert!(Lock::take(&folder).is_err());
    fs::remove_file(folder.lock()).unwrap();

    for below in [at("new/file"), at("link"), root.to_path_buf()] {
        assert_eq!(what(regular::refuse_below(&below, root)), "file cannot be written", "{}", below.display());
    }
    regular::refuse_below(&std::env::temp_dir().join("elsewhere"), root).unwrap();
    fs::remove_dir_all(root).unwrap();
}
