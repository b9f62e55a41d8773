//! Ctrl-C, SIGTERM, and two runs on one folder.

use crate::archives;
use crate::hold::{Hold, READS_PIPES, empty_archive, empty_archive_message, signal, stderr_of, wait_for_end};
use crate::run::{TestFolder, in_terminal};
use crate::whole::{FinishedTables, Tables};
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::Child;
use std::time::{Duration, Instant};

/// A run must stop within this time.
const SECONDS: Duration = Duration::from_secs(10);

const INGEST: [&str; 7] = ["ingest", "crawl-data", "--out", "tables", "--jobs", "1", "--quiet"];

/// Three parts and the tables of an undisturbed run. The last part is one archive that can be held.
struct Held {
    folder: TestFolder,
    archive: PathBuf,
    whole: FinishedTables,
}

/// The message about the archive that can be held.
fn held_archive_message() -> String {
    empty_archive_message(&archives::path("SYNTH-2024-18", 0))
}

impl Held {
    fn new(test: &str) -> Self {
        let folder = TestFolder::new(test);
        archives::write(&folder, "SYNTH-2024-10", 17, 1);
        archives::write(&folder, "SYNTH-2024-18", 1, 0);
        // The largest part is done first, so this part is the last.
        let archive = folder.path().join(archives::path("SYNTH-2024-18", 0));
        empty_archive(&archive);
        folder
            .run(&["ingest", "crawl-data", "--out", "undisturbed", "--quiet"])
            .exits_with(1)
            .complains(&held_archive_message());
        let whole = Tables::at(folder.path().join("undisturbed")).finished();
        Held { folder, archive, whole }
    }

    fn tables(&self) -> Tables {
        Tables::at(self.folder.path().join("tables"))
    }

    fn start(&self) -> Child {
        in_terminal(self.folder.command(&INGEST).envs([READS_PIPES])).spawn().expect("the binary starts")
    }

    /// Runs the same command again, and checks that the tables are complete.
    #[track_caller]
    fn resume(&self) {
        self.tables().assert_finished_by(
            || _ = self.folder.run(&INGEST).exits_with(1).complains(&held_archive_message()),
            &self.whole,
        );
    }
}

#[test]
fn the_first_signal_ends_a_run_cleanly() {
    for (name, by) in [("INT", "Ctrl-C"), ("TERM", "SIGTERM"), ("HUP", "SIGHUP")] {
        let held = Held::new(&format!("the_first_signal_{name}"));
        let mut pipe = Hold::full_at(&held.archive);
        let mut run = held.start();
        pipe.wait_for(&mut run);
        // The archive has no end, so only the signal ends the run.
        let feeder = pipe.feed(archives::archive(20));
        signal(&run, name);
        let start = Instant::now();
        let status = wait_for_end(&mut run);
        assert!(start.elapsed() < SECONDS, "it took {:?}", start.elapsed());
        let stderr = stderr_of(&mut run);
        assert_eq!(status.code(), Some(2), "SIG{name}: {stderr}");
        assert!(stderr.starts_with(&format!("stopped: tables: by {by}; 1 ")), "{stderr}");
        assert!(stderr.ends_with("; run the same command again to continue\n"), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        feeder.join().expect("nobody reads any more");
        drop(pipe);
        assert_eq!(held.tables().assert_stopped(&held.whole), 2, "finished parts must stay");
        held.resume();
    }
}

#[test]
fn a_run_that_is_stopped_in_its_first_part_has_more_to_do() {
    let folder = TestFolder::new("stopped_in_its_first_part");
    archives::write(&folder, "SYNTH-2024-10", 1, 1);
    let archive = folder.path().join(archives::path("SYNTH-2024-10", 0));
    empty_archive(&archive);
    let ingest = ["ingest", "crawl-data", "--out", "tables"];
    let plan = ["plan", "crawl-data", "--out", "shards", "--shards", "1"];
    folder.run(&plan).exits_with(0);
    let shard = ["ingest", "--shard", "0/1", "--out", "shards"];
    for (args, out) in [(&ingest[..], "tables"), (&shard[..], "shards")] {
        let mut pipe = Hold::full_at(&archive);
        let mut run = in_terminal(folder.command(args).envs([READS_PIPES])).spawn().expect("the binary starts");
        pipe.wait_for(&mut run);
        // The archive has no end, so only the signal ends the run.
        let feeder = pipe.feed(archives::archive(20));
        signal(&run, "INT");
        let status = wait_for_end(&mut run);
        let stderr = stderr_of(&mut run);
        assert_eq!(status.code(), Some(2), "{stderr}");
        let end = format!(
            "{out}: no part was finished\nstopped: {out}: by Ctrl-C; 1 part is left; run the same command again to"
        );
        assert!(stderr.contains(&end), "{stderr}");
        feeder.join().expect("nobody reads any more");
        drop(pipe);
    }
    // There is nothing to make derived tables of.
    let query = folder.run(&["query", "blocked_by_agent"]);
    query.exits_with(2).prints("").complains_among_others("it has no file; robocensus ingest writes it\n");
}

#[test]
fn the_second_signal_ends_a_run_immediately() {
    for (name, code) in [("INT", 130), ("TERM", 143)] {
        let held = Held::new(&format!("the_second_signal_{name}"));
        let pipe = Hold::at(&held.archive);
        let mut run = held.start();
        // The run waits for bytes that never come, so the first signal cannot end it cleanly.
        pipe.wait_for_reader(&mut run);
        let status = loop {
            signal(&run, name);
            std::thread::sleep(Duration::from_millis(100));
            if let Some(status) = run.try_wait().expect("a process can be waited for") {
                break status;
            }
        };
        assert_eq!((status.code(), stderr_of(&mut run).as_str()), (Some(code), ""));
        drop(pipe);
        held.tables().assert_sound(&held.whole);
        held.resume();
    }
}

#[test]
fn a_second_run_on_a_folder_fails() {
    let held = Held::new("a_second_run");
    let pipe = Hold::at(&held.archive);
    let mut run = held.start();
    pipe.wait_for(&mut run);
    let expected = format!("folder is in use: tables: process {} writes to it\n", run.id());
    held.folder.run(&INGEST).exits_with(2).prints("").complains(&expected);
    // With other inputs, too.
    let other = archives::path("SYNTH-2024-10", 0);
    held.folder.run(&["ingest", &other, "--out", "tables"]).exits_with(2).prints("").complains(&expected);
    held.folder.run(&["check", "tables"]).exits_with(2).prints("").complains(&expected);
    assert_eq!(run.try_wait().expect("a process can be waited for"), None, "the first run must continue");
    run.kill().expect("a child can be killed");
    assert_eq!(wait_for_end(&mut run).signal(), Some(9));
    drop(pipe);
    held.tables().assert_sound(&held.whole);
    held.resume();
}
