//! Kills runs at any instant and starts them again. The tables must have the same bytes as those of an undisturbed run,
//! finished parts must not be made again, and no file may be left over.

use crate::archives;
use crate::random::Random;
use crate::run::{Run, TestFolder};
use crate::sample;
use crate::strace::{self, MAKE_FOLDER, REMOVE, RENAME, SYNC, SystemCalls, TRUNCATE, WRITE};
use crate::whole::{FinishedTables, Tables};
use committed::full::{is_full, step};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How often a run is killed at random instants: in the full run, and in other runs.
const ROUNDS: [u64; 2] = [20, 2];

/// The seed of the random instants.
const SEED: u64 = 9309;

fn ingest<'a>(out: &'a str, jobs: &'a str) -> [&'a str; 7] {
    ["ingest", "crawl-data", "--out", out, "--jobs", jobs, "--quiet"]
}

/// The tables of an undisturbed run, and how long it takes.
fn undisturbed(folder: &TestFolder, jobs: &str) -> (FinishedTables, Duration) {
    let start = Instant::now();
    folder.run(&ingest("undisturbed", jobs)).exits_with(0).complains("");
    (Tables::at(folder.path().join("undisturbed")).finished(), start.elapsed())
}

#[test]
fn a_run_killed_at_random_instants_can_be_resumed() {
    let folder = TestFolder::new("killed_at_random_instants");
    archives::write(&folder, "SYNTH-2024-10", 32, 30);
    archives::write(&folder, "SYNTH-2024-18", 32, 30);
    let (whole, took) = undisturbed(&folder, "2");
    let names_in_all = Tables::at(folder.path().join("undisturbed")).names();
    let mut random = Random::new(SEED);
    let mut done_at_kill = [0; 5];
    let rounds = if is_full() { ROUNDS[0] } else { ROUNDS[1] };
    for round in 0..rounds {
        let out = format!("round-{round}");
        let tables = Tables::at(folder.path().join(&out));
        let mut done = tables.done_files();
        let arguments = ingest(&out, ["1", "2"][round as usize % 2]);
        for _ in 0..=random.next() % 3 {
            let mut child = folder.command(&arguments).spawn().expect("the binary starts");
            let share = (random.next() % 1_000) as f64 / 1_000.0;
            // Half of the rounds are killed after a time, the others at a number of files, so that the speed of the
            // machine does not matter.
            if round < rounds / 2 {
                std::thread::sleep(took.mul_f64(share));
            } else {
                let names = (share * names_in_all as f64) as usize;
                while tables.names() < names && child.try_wait().expect("a process can be waited for").is_none() {}
            }
            child.kill().expect("a child can be killed");
            child.wait().expect("it ends");
            tables.assert_sound(&whole);
            let now = tables.done_files();
            assert!(done.iter().all(|(name, stamp)| now.get(name) == Some(stamp)), "a finished part was made again");
            done_at_kill[now.len() / done_file_count()] += 1;
            done = now;
        }
        tables.assert_finished_by(|| _ = folder.run(&arguments).exits_with(0).complains(""), &whole);
        let now = tables.done_files();
        folder.run(&arguments).exits_with(0).complains("");
        assert!(tables.done_files() == now, "running a finished ingest again changed files");
        fs::remove_dir_all(folder.path().join(&out)).expect("a round can be removed");
    }
    println!("number of kills with 0 to 4 parts done: {done_at_kill:?}");
}

/// The number of files of a part: one per table, and its entry in the ledger.
fn done_file_count() -> usize {
    tables::tables().len() + 1
}

#[test]
fn the_number_of_jobs_does_not_change_the_folder() {
    let folder = TestFolder::new("whatever_the_jobs");
    archives::write(&folder, "SYNTH-2024-10", 32, 3);
    archives::write(&folder, "SYNTH-2024-18", 32, 3);
    let (whole, _) = undisturbed(&folder, "1");
    for jobs in ["2", "3", "7"] {
        folder.run(&ingest(jobs, jobs)).exits_with(0);
        Tables::at(folder.path().join(jobs)).finished().assert_same(&whole);
    }
}

/// Two parts with a few captures, the tables of an undisturbed run, and a folder with the plan only.
struct Small {
    folder: TestFolder,
    whole: FinishedTables,
}

impl Small {
    fn new(test: &str) -> Self {
        let folder = TestFolder::new(test);
        archives::write(&folder, "SYNTH-2024-10", 17, 1);
        let (whole, _) = undisturbed(&folder, "1");
        Small { folder, whole }
    }

    fn tables(&self, out: &str) -> Tables {
        Tables::at(self.path(out))
    }

    fn path(&self, out: &str) -> PathBuf {
        self.folder.path().join(out)
    }

    /// Makes a folder with the plan only, or an empty one.
    fn begin(&self, out: &str, begin: Begin) {
        if self.path(out).exists() {
            fs::remove_dir_all(self.path(out)).expect("a folder can be removed");
        }
        if begin == Begin::AtThePlan {
            self.tables("undisturbed").copy_plan_to(&self.path(out));
        }
    }

    /// Runs the same command again, and checks that the tables are complete.
    #[track_caller]
    fn resume(&self, out: &str) {
        let tables = self.tables(out);
        tables.assert_sound(&self.whole);
        tables.assert_finished_by(|| _ = self.folder.run(&ingest(out, "1")).exits_with(0).complains(""), &self.whole);
    }
}

/// The state that a run finds. strace numbers the calls of each thread separately. If a run finds its plan, the main
/// thread makes none of these calls until the end, so the numbers are those of the worker. Otherwise they are those of
/// the main thread.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begin {
    AtNothing,
    AtThePlan,
}

/// Kills `models` before each call that changes the folder. A derived table must exist completely or not at all, and
/// the same command must make the others.
#[test]
fn models_killed_before_any_call_can_be_resumed() {
    if !strace::works() {
        return;
    }
    let folder = TestFolder::new("models_killed");
    archives::write(&folder, "SYNTH-2024-10", 3, 1);
    let models = |out| ["models", out, "--jobs", "1", "--quiet"];
    let made = |out: &str| {
        let derived = tables::derived().into_iter().map(|table| {
            let file = format!("{out}/{}/crawl=SYNTH-2024-10/part-00000.parquet", table.name);
            fs::read(folder.path().join(file)).ok()
        });
        derived.collect::<Vec<_>>()
    };
    folder.run(&ingest("ingested", "1")).exits_with(0);
    let tables = folder.path().join("ingested");
    sample::copy(&tables, &folder.path().join("undisturbed"));
    folder.run(&models("undisturbed")).exits_with(0);
    let whole = made("undisturbed");
    assert!(whole.iter().all(Option::is_some));
    let mut kills = 0;
    for calls in [RENAME, MAKE_FOLDER, SYNC, REMOVE, TRUNCATE, WRITE] {
        for number in (1..).step_by(step(25)) {
            sample::copy(&tables, &folder.path().join("out"));
            let run = strace::run(&folder, calls, number, "signal=KILL", &models("out"));
            let is_whole = |(now, whole): (&Option<_>, &Option<_>)| now == whole || now.is_none();
            assert!(made("out").iter().zip(&whole).all(is_whole), "a table is visible but incomplete");
            folder.run(&models("out")).exits_with(0).complains("");
            assert!(made("out") == whole, "the tables differ from those of the undisturbed run");
            fs::remove_dir_all(folder.path().join("out")).expect("a folder can be removed");
            if run.status.success() {
                break;
            }
            kills += 1;
        }
    }
    assert!(kills > whole.len() / step(25), "killed {kills} times");
}

/// A stopped run keeps the finished tables, and the next run makes the others.
#[test]
fn models_stops_at_a_signal_and_resumes() {
    if !strace::works() {
        return;
    }
    let folder = TestFolder::new("models_stopped");
    archives::write(&folder, "SYNTH-2024-10", 3, 1);
    folder.run(&ingest("out", "1")).exits_with(0);
    // The first rename gives the first table its name.
    let run = strace::run(&folder, RENAME, 1, "signal=INT", &["models", "out", "--jobs", "1", "--quiet"]);
    run.exits_with(2)
        .complains("stopped: out: by Ctrl-C; some derived tables are not up to date; run the same command again\n");
    assert!(!folder.path().join("out/_robocensus/work").exists(), "a draft is left over");
    let resumed = folder.run(&["models", "out", "--jobs", "1"]);
    resumed.exits_with(0);
    let kept: Vec<&str> = resumed.stdout.lines().filter(|line| line.ends_with("was up to date")).collect();
    assert!(matches!(kept[..], [line] if line.starts_with("tracked_agents ")), "{resumed}");
}

#[test]
fn a_run_killed_before_any_call_can_be_resumed() {
    if !strace::works() {
        return;
    }
    let small = Small::new("killed_before_each_call");
    let mut kills = 0;
    for calls in [RENAME, SYNC, MAKE_FOLDER, REMOVE, TRUNCATE, WRITE] {
        for begin in [Begin::AtNothing, Begin::AtThePlan] {
            let before = kills;
            let mut reached = 0;
            for number in (1..).step_by(step(13)) {
                small.begin("out", begin);
                let run = strace::run(&small.folder, calls, number, "signal=KILL", &ingest("out", "1"));
                // The run makes fewer calls than this number.
                if run.status.success() {
                    break;
                }
                assert_eq!(run.status.code(), None, "the run was not killed\n{run}");
                (kills, reached) = (kills + 1, number);
                let is_begun = small.tables("out").has_started_parts();
                small.resume("out");
                if begin == Begin::AtNothing && is_begun {
                    break;
                }
            }
            println!("{} times before {calls:?}", kills - before);
            // One thread must make these calls for all parts, or no number would reach the second part.
            let for_each_part = matches!(calls, RENAME | SYNC) && begin == Begin::AtThePlan;
            assert!(!for_each_part || reached as usize > done_file_count(), "no call for the second part was reached");
        }
    }
    println!("killed {kills} times");
}

#[test]
fn a_run_killed_while_it_remakes_a_part_can_be_resumed() {
    if !strace::works() {
        return;
    }
    let small = Small::new("killed_while_done_again");
    let archive = small.path(&archives::path("SYNTH-2024-10", 0));
    let aside = small.path("aside");
    fs::rename(&archive, &aside).expect("an archive can be moved");
    let refresh = [&ingest("out", "1")[..], &["--refresh"]].concat();
    // From the second table to the ledger: before the first table, no file has changed yet.
    for number in (2..=10).step_by(step(4)) {
        small.begin("out", Begin::AtNothing);
        fs::rename(&aside, &archive).expect("an archive can be moved");
        small.folder.run(&ingest("out", "1")).exits_with(0);
        fs::rename(&archive, &aside).expect("an archive can be moved");
        // The input changes, and the run that reads it again is killed.
        fs::write(&archive, archives::archive(9)).expect("an archive can be written");
        let run = strace::run(&small.folder, RENAME, number, "signal=KILL", &refresh);
        assert_eq!(run.status.code(), None, "the run was not killed\n{run}");
        // When the input is restored, the next run restores the tables.
        fs::rename(&aside, &archive).expect("an archive can be moved");
        small.folder.run(&refresh).exits_with(0);
        small.tables("out").finished().assert_same(&small.whole);
        fs::rename(&archive, &aside).expect("an archive can be moved");
    }
}

#[test]
fn a_failing_call_is_reported_and_the_next_run_succeeds() {
    if !strace::works() {
        return;
    }
    const ENOSPC: (&str, &str) = ("error=ENOSPC", "no space left on device (os error 28)");
    const EIO: (&str, &str) = ("error=EIO", "input/output error (os error 5)");
    let small = Small::new("a_call_that_fails");
    let mut failures = 0;
    let mut check = |calls: SystemCalls, number: u32, (error, cause): (&str, &str), begin| {
        small.begin("out", begin);
        let run = strace::run(&small.folder, calls, number, error, &ingest("out", "1"));
        if run.status.success() {
            return false;
        }
        assert_failure(&run, cause);
        small.resume("out");
        failures += 1;
        true
    };
    // Failing all calls would take as long as all kills, so only some are tried.
    for (calls, error, apart) in [(RENAME, ENOSPC, 3), (SYNC, EIO, 5), (SYNC, ENOSPC, 7), (MAKE_FOLDER, ENOSPC, 3)] {
        for begin in [Begin::AtNothing, Begin::AtThePlan] {
            let first = if begin == Begin::AtNothing { 1..4 } else { 1..1 };
            for number in first.chain((4..).step_by(apart * step(12))) {
                if !check(calls, number, error, begin) || (begin == Begin::AtNothing && number > 4) {
                    break;
                }
            }
        }
    }
    // Messages are also writes, so only writes to this file fail.
    let work = |table: tables::Table| format!("_robocensus/work/part-00001/{}.parquet", table.name);
    let records = ["lock", "work/plan.ndjson", "work/part-00000.json"].map(|name| format!("_robocensus/{name}"));
    for file in tables::tables().into_iter().map(work).chain(records).step_by(step(7)) {
        small.begin("out", Begin::AtNothing);
        let path = PathBuf::from("out").join(&file);
        let run = strace::run_at(&small.folder, &path, WRITE, 1, ENOSPC.0, &ingest("out", "1"));
        assert_failure(&run, ENOSPC.1);
        small.resume("out");
        failures += 1;
    }
    println!("{failures} calls failed");
}

/// Checks that there is one message, `what: where: cause`, and exit code 2.
#[track_caller]
fn assert_failure(run: &Run, cause: &str) {
    run.exits_with(2).prints("");
    let parts: Vec<&str> = run.stderr.splitn(3, ": ").collect();
    let is_one_line = run.stderr.lines().count() == 1;
    let has_form = matches!(parts[..], [what, path, why]
        if what.chars().all(|letter| letter.is_ascii_lowercase() || letter == ' ')
            && path.starts_with("out")
            && why.contains(cause));
    assert!(is_one_line && has_form, "the message does not have the form `what: where: cause`\n{run}");
}
