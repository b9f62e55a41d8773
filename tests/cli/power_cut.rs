//! A power cut must not break a folder. The order of system calls shows that: the bytes of a file are synced before the
//! file gets its name, and the folder is synced before anything relies on the name.
//!
//! Programs with planted faults show that the check finds them.

#![expect(clippy::expect_used, clippy::panic, reason = "called by tests, which fail by them")]

use crate::archives;
use crate::run::TestFolder;
use crate::sample::{self, OUT};
use crate::strace;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A system call that changes or syncs a file.
#[derive(Debug, PartialEq, Eq)]
enum Call {
    /// The bytes of a file changed.
    Changed(String),
    /// A file or folder was synced.
    Synced(String),
    /// A file or folder was renamed.
    Renamed { from: String, to: String },
}

/// The calls in a log of `strace -f -y`, in the order in which they returned. A call whose line other threads
/// interrupted is put together.
fn calls(log: &str, folder: &Path) -> Vec<Call> {
    let mut unfinished = BTreeMap::new();
    let mut calls = Vec::new();
    for line in log.lines() {
        let (thread, call) = line.split_once(' ').unwrap_or_else(|| panic!("a line has no thread: {line}"));
        let call = call.trim_start();
        if let Some(start) = call.strip_suffix(" <unfinished ...>") {
            unfinished.insert(thread.to_owned(), start.to_owned());
            continue;
        }
        let whole = match call.strip_prefix("<... ").and_then(|rest| rest.split_once(" resumed>")) {
            Some((_, end)) => unfinished.remove(thread).unwrap_or_default() + end,
            None => call.to_owned(),
        };
        let Some((text, result)) = whole.rsplit_once(" = ") else { continue };
        if result.starts_with("-1") {
            continue;
        }
        let Some((name, arguments)) = text.split_once('(') else { continue };
        let strings: Vec<String> = arguments.split('"').skip(1).step_by(2).map(|path| absolute(path, folder)).collect();
        // strace writes an open file as 3</path>. A copy goes from the first file to the second.
        let mut open = arguments.split('<').skip(1).filter_map(|rest| rest.split_once('>'));
        let open = open.nth(usize::from(name == "copy_file_range")).map(|(path, _)| path.to_owned());
        match (name, open, strings.as_slice()) {
            ("write" | "writev" | "pwrite64" | "ftruncate" | "copy_file_range", Some(path), _) => {
                calls.push(Call::Changed(path));
            }
            ("fsync" | "fdatasync", Some(path), _) => calls.push(Call::Synced(path)),
            ("rename" | "renameat" | "renameat2", _, [from, to, ..]) => {
                calls.push(Call::Renamed { from: from.clone(), to: to.clone() });
                if arguments.contains("RENAME_EXCHANGE") {
                    calls.push(Call::Renamed { from: to.clone(), to: from.clone() });
                }
            }
            _ => {}
        }
    }
    calls
}

fn absolute(path: &str, folder: &Path) -> String {
    folder.join(path).to_string_lossy().into_owned()
}

/// The files that a power cut could break. Either they have their name but not all of their bytes, or their name could
/// be lost although later calls rely on it.
fn faults(calls: &[Call]) -> Vec<String> {
    let mut unsynced = BTreeMap::<&str, bool>::new();
    let mut faults = Vec::new();
    for (at, call) in calls.iter().enumerate() {
        match call {
            Call::Changed(path) => _ = unsynced.insert(path, true),
            Call::Synced(path) => _ = unsynced.insert(path, false),
            Call::Renamed { from, to } => {
                let below = format!("{from}/");
                let is_moved = |path: &&str| *path == from || path.starts_with(&below);
                if let Some((path, _)) = unsynced.iter().find(|(path, is_unsynced)| is_moved(path) && **is_unsynced) {
                    faults.push(format!("{path} is named {to} before it is synced"));
                }
                let above = Path::new(to).parent().expect("a file is in a folder").to_string_lossy().into_owned();
                let rest = calls.get(at + 1..).unwrap_or_default();
                let synced = rest.iter().position(|call| *call == Call::Synced(above.clone()));
                // Renames in the same folder may share a sync.
                let relies = rest.iter().position(|call| match call {
                    Call::Renamed { to: next, .. } => !Path::new(next).starts_with(&above),
                    _ => false,
                });
                match (synced, relies) {
                    (None, _) => faults.push(format!("{to} is never synced in its folder")),
                    (Some(synced), Some(relies)) if relies < synced => {
                        faults.push(format!("{to} is not synced in its folder before the next is named"));
                    }
                    _ => {}
                }
            }
        }
    }
    faults
}

const TRACED: &str = "write,writev,pwrite64,ftruncate,copy_file_range,fsync,fdatasync,?rename,?renameat,?renameat2";

/// The faults of a command in a folder, and how many files it named.
fn faults_of(folder: &TestFolder, program: &str, arguments: &[&str]) -> (Vec<String>, usize) {
    let run = folder.run_by(strace::traced(TRACED, program, arguments));
    assert!(run.status.code().is_some_and(|code| code < 2), "{run}");
    let log = fs::read_to_string(folder.path().join("strace.log")).expect("strace writes a log");
    let calls = calls(&log, &folder.path().canonicalize().expect("it exists"));
    let named = calls.iter().filter(|call| matches!(call, Call::Renamed { .. })).count();
    (faults(&calls), named)
}

#[test]
fn files_are_synced_before_they_are_named() {
    if !strace::works() {
        return;
    }
    let folder = TestFolder::new("power_cut");
    archives::write(&folder, "SYNTH-2024-10", 17, 1);
    let binary = env!("CARGO_BIN_EXE_robocensus");
    let none: Vec<String> = Vec::new();
    let ingest = ["ingest", "crawl-data", "--out", OUT, "--jobs", "2", "--quiet", "--models", "none"];
    let (faults, named) = faults_of(&folder, binary, &ingest);
    assert_eq!(faults, none);
    // The plan, and for each of two parts ten files and a ledger entry.
    assert!(named >= 23, "{named}");
    let (faults, named) = faults_of(&folder, binary, &["models", "-q", OUT]);
    assert_eq!(faults, none);
    assert!(named >= 2 * tables::derived().len(), "{named}");
    let sql = ["sql", "SELECT crawl, count(*) FROM captures GROUP BY 1", "--tables", OUT, "--out", "answer.csv"];
    assert_eq!(faults_of(&folder, binary, &[&sql[..], &["--format", "csv"]].concat()), (none.clone(), 1));
    for _ in 0..2 {
        let report = ["report", "-q", OUT, "--out", "report", "--only", "size"];
        let (faults, named) = faults_of(&folder, binary, &report);
        assert_eq!(faults, none);
        assert!(named >= 1);
    }
}

#[test]
fn programs_that_sync_too_late_are_found() {
    if !strace::works() {
        return;
    }
    let check = |script: &str, expected: &str| {
        let folder = TestFolder::new("power_cut_wrong");
        let (faults, named) = faults_of(&folder, "bash", &["-c", script]);
        assert!(named > 0 && faults.join("\n").contains(expected), "{script}: {named}, {faults:?}");
        assert_eq!(faults.is_empty(), expected.is_empty(), "{script}: {faults:?}");
    };
    check("dd if=/dev/zero of=draft count=9 conv=fsync && mv draft file && sync .", "");
    check("dd if=/dev/zero of=draft count=9 && mv draft file && sync .", "is named");
    check("dd if=/dev/zero of=draft count=9 && mv draft file && sync file .", "is named");
    check("dd if=/dev/zero of=draft count=9 conv=fsync && mv draft file", "is never synced in its folder");
    let both = "mkdir a b; dd if=/dev/zero of=draft count=9 conv=fsync && cp draft other && sync other";
    check(&format!("{both} && mv draft a/one && mv other b/two && sync a b"), "before the next is named");
    check(&format!("{both} && mv draft a/one && sync a && mv other b/two && sync b"), "");
}

/// `check` writes, syncs and renames no file in the folder.
#[test]
fn check_changes_nothing() {
    if !strace::works() {
        return;
    }
    let folder = sample::ingested("check_writes");
    let changing = format!("{TRACED},?mkdir,?mkdirat,?unlink,unlinkat,?rmdir,?link,?linkat,?symlink,?symlinkat");
    let arguments = ["check", "-q", OUT];
    folder.run_by(strace::traced(&changing, env!("CARGO_BIN_EXE_robocensus"), &arguments)).exits_with(0);
    let log = fs::read_to_string(folder.path().join("strace.log")).expect("strace writes a log");
    let root = folder.path().canonicalize().expect("it exists");
    let below: Vec<&str> = log.lines().filter(|line| line.contains(&*root.join(OUT).to_string_lossy())).collect();
    assert!(below.is_empty(), "{below:?}");
}
