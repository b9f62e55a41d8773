//! An ingest that several processes share: `plan`, `ingest --shard` and `commit`. Whatever interrupts them, the tables
//! have the same bytes as those of one run.

use crate::archives;
use crate::run::{Run, TestFolder};
use crate::whole::{FinishedTables, Tables};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

pub(crate) const SHARDS: u64 = 4;

/// Archives of two crawls, and the tables of one run over them.
pub(crate) struct Crawls {
    pub(crate) folder: TestFolder,
    pub(crate) whole: FinishedTables,
    pub(crate) took: Duration,
}

impl Crawls {
    pub(crate) fn new(test: &str, files: u32, captures: u32) -> Self {
        let folder = TestFolder::new(test);
        archives::write(&folder, "SYNTH-2024-10", files, captures);
        archives::write(&folder, "SYNTH-2024-18", files, captures);
        let start = Instant::now();
        folder.run(&["ingest", "crawl-data", "--out", "alone", "--jobs", "1", "--quiet"]).exits_with(0).complains("");
        let took = start.elapsed();
        let whole = Tables::at(folder.path().join("alone")).finished();
        Crawls { folder, whole, took }
    }

    pub(crate) fn plan(&self, out: &str, shards: u64) -> Run {
        self.folder.run(&["plan", "crawl-data", "--shards", &shards.to_string(), "--out", out, "--quiet"])
    }

    /// The command that makes a shard.
    pub(crate) fn shard(&self, index: u64, out: &str) -> Command {
        self.folder.command(&["ingest", "--quiet", &format!("--shard={index}/{SHARDS}"), "--out", out])
    }

    #[track_caller]
    pub(crate) fn make_shard(&self, index: u64, out: &str) {
        self.folder.run_by(self.shard(index, out)).exits_with(0).complains("");
    }

    pub(crate) fn tables(&self, out: &str) -> Tables {
        Tables::at(self.path(out))
    }

    pub(crate) fn path(&self, out: &str) -> PathBuf {
        self.folder.path().join(out)
    }

    #[track_caller]
    pub(crate) fn assert_complete(&self, out: &str) {
        self.tables(out).finished().assert_same(&self.whole);
        self.folder.run(&["check", out, "--quick", "--quiet"]).exits_with(0).complains("");
    }
}

#[test]
fn shards_make_the_tables_of_one_run() {
    let crawls = Crawls::new("shards", 20, 3);
    let run = crawls.folder.run(&["plan", "crawl-data", "--shards", "3", "--out", "out"]);
    run.exits_with(0)
        .complains("")
        .prints_among_others("out: 40 archives, ")
        .prints_among_others(" in 4 parts for 3 shards\nplan ");
    // Planning the same again changes nothing.
    assert_eq!(crawls.folder.run(&["plan", "crawl-data", "--shards", "3", "--out", "out"]).stdout, run.stdout);
    for index in [2, 0, 1] {
        let shard = format!("{index}/3");
        let run = crawls.folder.run(&["ingest", "--shard", &shard, "--out", "out"]);
        run.exits_with(0).prints("").complains_among_others(&format!("out: shard {index} of 3, from --shard\n"));
        let again = crawls.folder.run(&["ingest", "--shard", &shard, "--out", "out"]);
        again.exits_with(0).complains_among_others("out: nothing to do: all inputs were read before\n");
    }
    let folder = &crawls.folder;
    folder.run(&["commit", "out", "--missing"]).exits_with(0).prints("").complains("");
    folder.run(&["commit", "out"]).exits_with(0).complains("").prints_among_others("archives  40, of which 0 damaged");
    crawls.assert_complete("out");
    let again = folder.run(&["commit", "out"]);
    again.exits_with(0).complains("out: nothing to do: all parts were published before\n");
    crawls.assert_complete("out");
}

/// New archives become new parts, and the shards make only these.
#[test]
fn shards_add_to_tables() {
    let folder = TestFolder::new("shards_add");
    archives::write(&folder, "SYNTH-2024-10", 20, 2);
    for out in ["alone", "out"] {
        folder.run(&["ingest", "crawl-data", "--out", out, "--quiet"]).exits_with(0);
    }
    archives::write(&folder, "SYNTH-2024-18", 20, 2);
    folder.run(&["ingest", "crawl-data", "--out", "alone", "--quiet"]).exits_with(0);
    let before = Tables::at(folder.path().join("out")).done_files();
    folder.run(&["plan", "crawl-data", "--shards", "2", "--out", "out", "--quiet"]).exits_with(0);
    for shard in ["0/2", "1/2"] {
        folder.run(&["ingest", "--shard", shard, "--out", "out", "--quiet"]).exits_with(0).complains("");
    }
    folder.run(&["commit", "out", "--quiet"]).exits_with(0).complains("");
    let tables = Tables::at(folder.path().join("out"));
    tables.finished().assert_same(&Tables::at(folder.path().join("alone")).finished());
    let now = tables.done_files();
    assert!(before.iter().all(|(name, stamp)| now.get(name) == Some(stamp)), "a part was made again");
}

#[test]
fn missing_shards_are_reported_and_nothing_is_published() {
    let crawls = Crawls::new("shards_missing", 20, 2);
    let folder = &crawls.folder;
    let none = "no shards are planned: out: robocensus plan INPUT --shards N --out DIR plans them; robocensus ingest INPUT --out DIR needs none\n";
    fs::create_dir(crawls.path("out")).expect("a folder can be made");
    folder.run(&["ingest", "--shard", "0/4", "--out", "out"]).exits_with(2).complains(none);
    folder.run(&["commit", "out"]).exits_with(2).complains(none);
    assert_eq!(fs::read_dir(crawls.path("out")).expect("a folder can be listed").count(), 0);
    folder.run(&["commit", "out", "--missing"]).exits_with(2).complains(none);
    folder.run(&["ingest", "--out", "out"]).exits_with(2).complains(none);
    crawls.plan("out", 4).exits_with(0).prints("").complains("");
    folder.run(&["commit", "out", "--missing"]).exits_with(3).prints("0-3\n").complains("");
    crawls.make_shard(1, "out");
    folder.run(&["commit", "out", "--missing"]).exits_with(3).prints("0,2-3\n").complains("");
    folder.run(&["commit", "out"]).exits_with(3).prints("").complains("shards are not done: out: numbers 0,2-3\n");
    assert!(!crawls.path("out/captures").exists(), "a part is published before all are done");
    let check = |arguments: &[&str], expected: &str| {
        folder.run(arguments).exits_with(2).complains(expected);
    };
    check(
        &["plan", "crawl-data", "--shards", "8", "--out", "out"],
        "folder is already planned: out: with --shards 4, not 8; robocensus commit publishes them\n",
    );
    check(
        &["plan", "crawl-data/SYNTH-2024-10", "crawl-data", "--shards", "4", "--out", "out", "--keep-text"],
        "tables were started differently: out: without the text of bodies, but this run is with the text of bodies; use another folder\n",
    );
    check(
        &["ingest", "crawl-data", "--out", "out"],
        "folder is planned for shards: out: shards make its parts; robocensus commit publishes them\n",
    );
    check(
        &["ingest", "--shard", "0/8", "--out", "out"],
        "number of shards is wrong: --shard: it says 8, but the plan has 4\n",
    );
    check(&["ingest", "--out", "out"], "no shard is named: ingest: give --shard I/4, or archives\n");
    folder.run(&["check", "out"]).exits_with(1).complains(
        "shards are not published: out/_robocensus/shards: robocensus commit publishes them; commit --missing names those that are not done\n",
    );
    let waits = "table is missing: out/captures: it has no file; robocensus commit publishes what shards have made\n";
    folder
        .run(&["sql", "SELECT count(*) FROM captures", "--tables", "out"])
        .exits_with(2)
        .complains_among_others(waits);
    for (command, what) in [
        (&["models", "out"][..], "there is nothing to derive tables from"),
        (&["catalog", "out", "--for", "duckdb"], "there is nothing to catalog"),
    ] {
        check(
            command,
            &format!("{what}: out: the ledger has no part; robocensus commit publishes what shards have made\n"),
        );
    }
    let last = "crawl-data/SYNTH-2024-18/new.warc.gz";
    fs::write(crawls.path(last), archives::archive(1)).expect("a file can be written");
    check(
        &["plan", "crawl-data", "--shards", "4", "--out", "out"],
        "folder is already planned: out: with other inputs or options; robocensus commit publishes its shards\n",
    );
    fs::remove_file(crawls.path(last)).expect("a file can be removed");
    for index in [0, 2, 3] {
        crawls.make_shard(index, "out");
    }
    folder.run(&["commit", "out", "--quiet"]).exits_with(0).prints("").complains("");
    crawls.assert_complete("out");
}

#[test]
fn schedulers_name_shards() {
    let crawls = Crawls::new("shards_scheduled", 20, 2);
    crawls.plan("out", SHARDS).exits_with(0);
    let by = |variables: &[(&str, &str)]| {
        let run = crawls.folder.run_with(variables, &["ingest", "--start-delay", "1", "--out", "out"]);
        run.exits_with(0).stderr.lines().next().unwrap_or_default().to_owned()
    };
    let slurm = |id| {
        let array = [("SLURM_ARRAY_TASK_MIN", "1"), ("SLURM_ARRAY_TASK_MAX", "4"), ("SLURM_ARRAY_TASK_COUNT", "4")];
        by(&[&[("SLURM_ARRAY_TASK_ID", id)], &array[..]].concat())
    };
    assert_eq!(slurm("1"), "out: shard 0 of 4, from SLURM_ARRAY_TASK_ID=1");
    let batch = by(&[("AWS_BATCH_JOB_ARRAY_INDEX", "1"), ("AWS_BATCH_JOB_ARRAY_SIZE", "4")]);
    assert_eq!(batch, "out: shard 1 of 4, from AWS_BATCH_JOB_ARRAY_INDEX=1");
    let kubernetes = by(&[("JOB_COMPLETION_INDEX", "2")]);
    assert_eq!(kubernetes, "out: shard 2 of 4, from JOB_COMPLETION_INDEX=2");
    assert_eq!(slurm("4"), "out: shard 3 of 4, from SLURM_ARRAY_TASK_ID=4");
    crawls.folder.run(&["commit", "out", "--quiet"]).exits_with(0).complains("");
    crawls.assert_complete("out");
}

/// A missing input does not make the task of a scheduler fail forever. Once the input exists, the same shard reads it.
#[test]
fn a_missing_input_is_reported_by_commit_and_read_once_it_exists() {
    let crawls = Crawls::new("shards_flawed", 3, 2);
    let folder = &crawls.folder;
    let name = archives::path("SYNTH-2024-18", 1);
    let paths = ["SYNTH-2024-10", "SYNTH-2024-18"].map(|crawl| (0..3).map(move |number| archives::path(crawl, number)));
    let list: Vec<String> = paths.into_iter().flatten().collect();
    fs::write(crawls.path("all.paths"), list.join("\n")).expect("a list can be written");
    fs::rename(crawls.path(&name), crawls.path("kept")).expect("a file can be renamed");
    let missing = format!("input was not read: {name}: it cannot be opened: no such file or directory (os error 2)\n");
    let make = |out: &str| {
        folder.run(&["plan", "all.paths", "--shards", "1", "--out", out, "--quiet"]).exits_with(0);
        folder.run(&["ingest", "--shard", "0/1", "--out", out, "--quiet"]).exits_with(0).complains(&missing);
    };
    make("out");
    folder.run(&["commit", "out", "--quiet"]).exits_with(1).complains(&missing);
    make("later");
    fs::rename(crawls.path("kept"), crawls.path(&name)).expect("a file can be renamed");
    folder.run(&["ingest", "--shard", "0/1", "--out", "later", "--quiet"]).exits_with(0).complains("");
    folder.run(&["commit", "later", "--quiet"]).exits_with(0).complains("");
    folder.run(&["check", "later", "--quiet"]).exits_with(0).complains("");
}

/// Otherwise, each of its shards would be done without a row.
#[test]
fn a_shard_in_the_wrong_folder_fails() {
    let crawls = Crawls::new("shards_elsewhere", 3, 2);
    crawls.plan("out", 2).exits_with(0);
    let mut elsewhere = crawls.folder.command(&["ingest", "--shard", "0/2", "--out", "../out", "--quiet"]);
    elsewhere.current_dir(crawls.path("alone"));
    let expected = format!(
        "shard has no archive: {}: none of its archives exists, but all did when they were planned; start it in the \
         folder in which robocensus plan ran, on a machine that reaches them\n",
        archives::path("SYNTH-2024-10", 0)
    );
    crawls.folder.run_by(elsewhere).exits_with(2).complains(&expected);
    for shard in ["0/2", "1/2"] {
        crawls.folder.run(&["ingest", "--shard", shard, "--out", "out", "--quiet"]).exits_with(0).complains("");
    }
    crawls.folder.run(&["commit", "out", "--quiet"]).exits_with(0).complains("");
    crawls.assert_complete("out");
}

#[test]
fn a_shard_whose_archives_have_all_changed_fails() {
    let crawls = Crawls::new("shards_all_changed", 3, 2);
    let plan = ["plan", "crawl-data", "--shards", "1", "--out", "out", "--quiet", "--refresh"];
    let shard = ["ingest", "--shard", "0/1", "--out", "out", "--quiet"];
    crawls.folder.run(&plan).exits_with(0);
    for crawl in ["SYNTH-2024-10", "SYNTH-2024-18"] {
        for number in 0..3 {
            let file = fs::File::options().append(true).open(crawls.path(&archives::path(crawl, number)));
            file.and_then(|file| file.set_modified(SystemTime::UNIX_EPOCH)).expect("a file can be changed");
        }
    }
    let expected = format!(
        "shard has read no archive: {}: it has changed since it was listed; none of its other archives was read, \
         either; start it again when they can be read; to read changed archives, remove out/_robocensus/shards, run \
         robocensus plan again with --refresh, and start all shards\n",
        archives::path("SYNTH-2024-10", 0)
    );
    crawls.folder.run(&shard).exits_with(2).complains(&expected);
    crawls.folder.run(&["commit", "out", "--missing"]).exits_with(3).prints("0\n").complains("");
    fs::remove_dir_all(crawls.path("out/_robocensus/shards")).expect("a folder can be removed");
    crawls.folder.run(&plan).exits_with(0);
    crawls.folder.run(&shard).exits_with(0).complains("");
    crawls.folder.run(&["commit", "out", "--quiet"]).exits_with(0).complains("");
    crawls.folder.run(&["check", "out", "--quick", "--quiet"]).exits_with(0).complains("");
}

/// Neither parts of an earlier run nor files that are no archives keep a shard from being done: to start it again would
/// not help.
#[test]
fn files_that_are_no_archives_do_not_stop_a_shard() {
    let crawls = Crawls::new("shards_no_archives", 3, 2);
    for name in ["b1.warc", "b2.warc", "c1.warc", "c2.warc"] {
        fs::write(crawls.path(name), b"BZh91AY&SY and more").expect("a file can be written");
    }
    let ingest = ["ingest", "b1.warc", "b2.warc", "--crawl", "B-2026", "--out", "out", "--quiet", "--models", "none"];
    crawls.folder.run(&ingest).exits_with(1);
    let plan = ["plan", "c1.warc", "c2.warc", "--crawl", "C-2026", "--shards", "1", "--out", "out", "--quiet"];
    crawls.folder.run(&plan).exits_with(0);
    let shard = ["ingest", "--shard", "0/1", "--out", "out", "--quiet"];
    let complaint = crawls.folder.run(&shard).exits_with(0).stderr.clone();
    assert!(complaint.contains("c1.warc: bzip2 files are not supported"), "{complaint}");
    crawls.folder.run(&["commit", "out", "--quiet", "--models", "none"]).exits_with(1);
}

/// A part that is made again when a missing input exists loses no rows of another one that is gone by then.
#[test]
fn a_staged_part_is_kept_if_another_input_of_it_is_gone() {
    let crawls = Crawls::new("shards_gone", 3, 2);
    let folder = &crawls.folder;
    let names = [0, 1, 2].map(|number| archives::path("SYNTH-2024-18", number));
    fs::write(crawls.path("all.paths"), names.join("\n")).expect("a list can be written");
    let rename = |from: &str, to: &str| {
        fs::rename(crawls.path(from), crawls.path(to)).expect("a file can be renamed");
    };
    let shard = |expected: &str| {
        folder.run(&["ingest", "--shard", "0/1", "--out", "out", "--quiet"]).exits_with(0).complains(expected);
    };
    let missing = "no such file or directory (os error 2)";
    let unread = format!("input was not read: {}: it cannot be opened: {missing}\n", names[1]);
    let lost = |cause: &str, keeper: &str| {
        format!("input cannot be read any more: {}: {cause}; the {keeper} its rows\n", names[0])
    };
    let gone = lost(missing, "tables keep");
    rename(&names[1], "one");
    folder.run(&["plan", "all.paths", "--shards", "1", "--out", "out", "--quiet"]).exits_with(0);
    shard(&unread);
    rename("one", &names[1]);
    rename(&names[0], "zero");
    let zero = crawls.path(&names[0]);
    fs::write(&zero, "changed").expect("a file can be written");
    shard(&format!("{}{unread}", lost("it has changed since it was listed", "shard keeps")));
    fs::remove_file(&zero).expect("a file can be removed");
    fs::create_dir(&zero).expect("a folder can be made");
    shard(&format!("{}{unread}", lost("it is a folder, not a file", "shard keeps")));
    fs::remove_dir(&zero).expect("a folder can be removed");
    shard(&format!("{}{unread}", lost(missing, "shard keeps")));
    folder.run(&["commit", "out", "--missing"]).exits_with(0).prints("");
    folder.run(&["commit", "out", "--quiet"]).exits_with(1).complains(&unread);
    // The same for a part that is published.
    let plan = ["plan", "all.paths", "--shards", "1", "--out", "out", "--quiet"];
    folder.run(&plan).exits_with(0);
    shard(&gone);
    let again = format!("input was not read again: {}: another input of its part cannot be read any more\n", names[1]);
    for _ in 0..2 {
        folder.run(&["commit", "out", "--quiet"]).exits_with(1).complains(&again);
    }
    folder.run(&plan).exits_with(0);
    shard(&gone);
    rename("zero", &names[0]);
    // The shard has left a marker without this part.
    shard("");
    folder.run(&["commit", "out", "--quiet"]).exits_with(0).complains("");
    folder.run(&["check", "out", "--quick", "--quiet"]).exits_with(0).complains("");
    folder.run(&["ingest", "all.paths", "--out", "undisturbed", "--quiet"]).exits_with(0);
    crawls.tables("out").finished().assert_same(&crawls.tables("undisturbed").finished());
}

/// A part whose archive arrives or changes after it was made is made again by its shard. Until then, commit waits.
#[test]
fn commit_waits_for_parts_that_are_made_again() {
    let crawls = Crawls::new("shards_again", 3, 2);
    let folder = &crawls.folder;
    let commit_waits = |shard: &str| {
        folder.run(&["commit", "out", "--missing"]).exits_with(3).prints(&format!("{shard}\n")).complains("");
        folder.run(&["commit", "out"]).exits_with(3).complains(&format!("shard is not done: out: number {shard}\n"));
    };
    let make = |shard: &str| {
        folder.run(&["ingest", "--shard", shard, "--out", "out", "--quiet"]).exits_with(0).complains("");
    };
    let commit = || {
        folder.run(&["commit", "out", "--quiet"]).exits_with(0).complains("");
    };
    crawls.plan("out", 2).exits_with(0);
    make("0/2");
    make("1/2");
    commit();
    let other = crawls.path(&archives::path("SYNTH-2024-18", 0));
    let before = fs::read(&other).expect("an archive can be read");
    let open = || fs::File::options().append(true).open(&other).expect("an archive can be opened");
    let time_of =
        |archive: &fs::File| archive.metadata().and_then(|found| found.modified()).expect("a file has a time");
    let time_before = time_of(&open());
    fs::write(&other, [&before[..], &before].concat()).expect("an archive can be written");
    let plan = |options: &[&str]| {
        let arguments = ["plan", "crawl-data", "--shards", "2", "--out", "out", "--quiet"];
        folder.run(&[&arguments, options].concat())
    };
    plan(&["--refresh"]).exits_with(0).complains("");
    commit_waits("1");
    let archive = open();
    let modified = time_of(&archive);
    archive.set_modified(modified + Duration::from_secs(1)).expect("the time can be set");
    plan(&[]).exits_with(2).complains_among_others(
        "; after robocensus commit has published the shards, plan --refresh reads it as it is now\n",
    );
    archive.set_modified(modified).expect("the time can be set");
    make("0/2");
    commit_waits("1");
    make("1/2");
    commit();
    fs::write(&other, before).expect("an archive can be written");
    open().set_modified(time_before).expect("the time can be set");
    plan(&["--refresh"]).exits_with(0).complains("");
    make("1/2");
    commit();
    crawls.assert_complete("out");
    // A file of a part is lost.
    fs::remove_file(crawls.path("out/rules/crawl=SYNTH-2024-10/part-00000.parquet")).expect("a file can be removed");
    plan(&[]).exits_with(0).complains("");
    commit_waits("0");
    make("0/2");
    commit();
    crawls.assert_complete("out");
}

/// Several processes at the same time, one per crawl, make the same derived tables as one process.
#[test]
fn derived_tables_can_be_made_by_one_task_per_crawl() {
    let crawls = Crawls::new("shards_models", 3, 5);
    let folder = &crawls.folder;
    let made = || {
        let file = |table: &str, crawl: &str| {
            fs::read(crawls.path(&format!("alone/{table}/crawl={crawl}/part-00000.parquet")))
        };
        let each = tables::derived()
            .into_iter()
            .flat_map(|table| ["SYNTH-2024-10", "SYNTH-2024-18"].map(|crawl| file(table.name, crawl)));
        each.collect::<Result<Vec<_>, _>>().expect("all derived tables are there")
    };
    folder.run(&["models", "alone"]).exits_with(0);
    let whole = made();
    let tasks: Vec<_> = ["SYNTH-2024-10", "SYNTH-2024-18"]
        .map(|crawl| {
            folder.command(&["models", "alone", "--crawl", crawl, "--again"]).spawn().expect("the binary starts")
        })
        .into();
    for task in tasks {
        let output = task.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(made() == whole, "not as one process makes them");
    folder.run(&["check", "alone", "--quiet"]).exits_with(0).complains("");
    folder.run(&["models", "alone", "--crawl", "SYNTH-2024-11"]).exits_with(2).complains(
        "crawl is unknown: SYNTH-2024-11: the folder has SYNTH-2024-10, SYNTH-2024-18; did you mean SYNTH-2024-18?\n",
    );
}

/// While a task makes the derived tables of a crawl, no other process may write or check them.
#[test]
fn a_task_locks_its_crawl() {
    let crawls = Crawls::new("shards_models_locked", 1, 2);
    let task = folder::Folder::at(&crawls.path("alone")).of_crawl(Some("SYNTH-2024-10"));
    let lock = folder::Lock::take(&task).expect("nobody else is there");
    let folder = &crawls.folder;
    folder.run(&["models", "alone", "--crawl", "SYNTH-2024-18", "--quiet"]).exits_with(0).complains("");
    let me = format!("folder is in use: alone: process {} writes to it\n", std::process::id());
    folder.run(&["models", "alone", "--crawl", "SYNTH-2024-10"]).exits_with(2).complains(&me);
    folder.run(&["check", "alone"]).exits_with(2).complains(&me);
    let other = "folder is in use: alone: another process reads it, or makes the derived tables of one crawl\n";
    folder.run(&["models", "alone"]).exits_with(2).complains(other);
    folder.run(&["ingest", "crawl-data", "--out", "alone"]).exits_with(2).complains(other);
    drop(lock);
    folder.run(&["models", "alone", "--crawl", "SYNTH-2024-10", "--quiet"]).exits_with(0).complains("");
    folder.run(&["check", "alone", "--quiet"]).exits_with(0).complains("");
}
