//! Ctrl-C ends a command in the middle of a long step that cannot check for signals.

use crate::hold::{signal, stderr_of, wait_for_end, wait_until};
use crate::run::{TestFolder, in_terminal};
use crate::sample::{self, OUT};
use committed::full::is_full;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A run must stop within this time: 2 seconds on an idle machine, more while other tests run.
const SECONDS: Duration = Duration::from_secs(10);

/// Statements that take far longer: in one batch, in planning, in a sort that spills, and in a join.
const SLOW: [(&str, &str); 4] = [
    ("batch", "SELECT levenshtein(repeat(CAST(octets AS text), 100000), repeat('ab', 100000)) AS n FROM rules"),
    ("planning", "SELECT levenshtein(repeat('ba', 100000), repeat('ab', 100000)) AS n"),
    ("sort", "SELECT value, repeat(CAST(value AS text), 20) AS t FROM generate_series(1, 1000000000) ORDER BY 2 DESC"),
    (
        "join",
        "SELECT count(*) FROM rules a, rules b, rules c, rules d, rules e \
         WHERE a.octets + b.octets > c.octets * d.octets * e.octets",
    ),
];

/// Sends a signal to a run after a while, and returns its exit code and standard error.
fn interrupt(mut run: Child, name: &str, sent: &str, after: Duration) -> (Option<i32>, String) {
    std::thread::sleep(after);
    assert_eq!(run.try_wait().expect("a process can be waited for"), None, "{name} ended too early");
    let start = Instant::now();
    signal(&run, sent);
    let status = wait_for_end(&mut run);
    assert!(start.elapsed() < SECONDS, "{name} took {:?}", start.elapsed());
    (status.code(), stderr_of(&mut run))
}

fn names(folder: &Path) -> Vec<String> {
    let listed = fs::read_dir(folder).expect("a folder can be listed");
    let mut names: Vec<String> =
        listed.map(|found| found.expect("a folder can be listed").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn slow_statements_end_at_ctrl_c() {
    for (name, statement) in SLOW {
        // With one job, the only thread of the runtime is busy and cannot check the time.
        for jobs in if is_full() { &["1", "2"][..] } else { &["1"] } {
            let folder = sample::ingested(&format!("interrupted_{name}"));
            fs::create_dir(folder.path().join("spill")).expect("a folder can be made");
            let sql = ["sql", statement, "--tables", OUT, "--out", "answer.csv", "--format", "csv", "--jobs", jobs];
            let spill = ["--spill", "spill", "--memory", "64MiB"];
            let run = in_terminal(&folder.command(&[&sql[..], &spill].concat())).spawn().expect("the binary starts");
            let before = names(folder.path());
            // Those of a service that stops, and of a terminal that is closed.
            let (sent, killed) = match name {
                "planning" => ("TERM", 143),
                "sort" => ("HUP", 129),
                _ => ("INT", 130),
            };
            let (code, stderr) = interrupt(run, name, sent, Duration::from_secs(1));
            assert!(stderr.starts_with("stopped: "), "{name}: {stderr}");
            assert!(code == Some(2) || code == Some(killed), "{name}: {code:?}, {stderr}");
            assert_eq!(stderr.lines().count(), 1, "{name}: {stderr}");
            // Neither a draft of the answer nor a temporary file is left.
            assert_eq!(names(&folder.path().join("spill")), Vec::<String>::new(), "{name}");
            let is_there = |file: &str| folder.path().join(file).exists();
            assert!(!is_there("answer.csv"), "{name}");
            let left: Vec<String> = names(folder.path()).into_iter().filter(|name| name.contains("draft")).collect();
            assert_eq!(left, Vec::<String>::new(), "{name}: {before:?}");
        }
    }
}

/// Commands that read no tables end at one signal, too. An earlier file stays.
#[test]
fn commands_that_wait_for_input_end_at_ctrl_c() {
    let commands: [(&[&str], &str, i32); 3] = [
        (&["lint", "-", "--out", "answer.txt"], "INT", 130),
        (&["judge", "--ndjson", "--out", "answer.txt"], "TERM", 143),
        (&["agents", "-", "--out", "answer.txt"], "HUP", 129),
    ];
    for (command, sent, killed) in commands {
        let name = command.first().copied().unwrap_or_default();
        let folder = TestFolder::new(&format!("interrupted_{name}")).with("answer.txt", "earlier\n");
        let mut run = in_terminal(&folder.command(command)).stdin(Stdio::piped()).spawn().expect("the binary starts");
        let input = run.stdin.take();
        let is_started = || names(folder.path()).iter().any(|name| name.starts_with(".answer.txt.draft"));
        wait_until("the draft is there", is_started);
        let (code, stderr) = interrupt(run, name, sent, Duration::ZERO);
        drop(input);
        assert!(stderr.starts_with("stopped: "), "{name}: {stderr}");
        assert!(code == Some(2) || code == Some(killed), "{name}: {code:?}, {stderr}");
        assert_eq!(names(folder.path()), ["answer.txt"], "{name}");
        assert_eq!(folder.read("answer.txt"), "earlier\n", "{name}");
    }
}

/// A run that `nohup` started continues when its terminal is closed.
#[test]
fn a_hangup_does_not_end_what_nohup_started() {
    let folder = sample::ingested("interrupted_nohup");
    let slow = "SELECT count(levenshtein(repeat('ba', 5000), repeat('ab', 5000))) AS n FROM rules";
    let binary = folder.command(&["sql", slow, "--tables", OUT, "--format", "csv"]);
    let mut nohup = std::process::Command::new("nohup");
    nohup.arg(binary.get_program()).args(binary.get_args()).current_dir(folder.path());
    nohup.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::piped());
    nohup.stderr(std::process::Stdio::piped());
    let mut run = nohup.spawn().expect("nohup starts");
    let program = Path::new(binary.get_program()).canonicalize().expect("the binary exists");
    let running = format!("/proc/{}/exe", run.id());
    wait_until("nohup starts the binary", || std::fs::read_link(&running).is_ok_and(|found| found == program));
    // It handles signals before it starts the threads of statements.
    let threads = || std::fs::read_dir(format!("/proc/{}/task", run.id())).map_or(0, Iterator::count);
    wait_until("the statement starts", || threads() >= 3);
    assert_eq!(run.try_wait().expect("a process can be waited for"), None, "it ended too early");
    signal(&run, "HUP");
    assert_eq!(wait_for_end(&mut run).code(), Some(0));
}

/// One signal is enough even if the run waits for an archive that sends no more bytes.
#[test]
fn a_run_that_waits_ends_at_one_signal() {
    use crate::archives;
    use crate::hold::{Hold, READS_PIPES, empty_archive};
    let folder = TestFolder::new("interrupted_ingest");
    archives::write(&folder, "SYNTH-2024-10", 2, 1);
    let archive = folder.path().join(archives::path("SYNTH-2024-10", 1));
    empty_archive(&archive);
    let ingest = ["ingest", "crawl-data", "--out", "tables", "--jobs", "1", "--quiet"];
    let pipe = Hold::at(&archive);
    let mut run = folder.command(&ingest).envs([READS_PIPES]).spawn().expect("the binary starts");
    // A run that has only opened the pipe would end cleanly.
    pipe.wait_for_reader(&mut run);
    let (code, stderr) = interrupt(run, "ingest", "INT", Duration::ZERO);
    assert_eq!((code, stderr.as_str()), (Some(130), "stopped: robocensus: by Ctrl-C, in the middle of its work\n"));
    drop(pipe);
    // The held archive is empty, so the exit code may be 1.
    let run = folder.run(&ingest);
    assert!(run.status.code().is_some_and(|code| code < 2), "{run}");
}
