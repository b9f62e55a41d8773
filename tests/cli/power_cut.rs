//! A power cut must not break a folder. The order of system calls shows that: the bytes of a file are synced before the
//! file gets its name, and the folder is synced before anything relies on the name. The same holds for new folders and for
//! removed files.
//!
//! Programs with planted faults show that the check finds them.

use crate::archives;
use crate::run::TestFolder;
use crate::sample::{self, OUT};
use crate::strace;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A system call that changes or syncs a file.
#[derive(Debug, PartialEq, Eq)]
enum Call {
    /// The bytes of a file changed.
    Changed(String),
    /// A file or folder was synced.
    Synced(String),
    /// A file or folder was renamed.
    Renamed { from: String, to: String },
    /// A folder was made.
    Made(String),
    /// A file or folder was removed.
    Removed(String),
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
        // strace writes an open file as 3</path>. A copy goes from the first file to the second.
        let mut open = arguments.split('<').skip(1).filter_map(|rest| rest.split_once('>'));
        let open = open.nth(usize::from(name == "copy_file_range")).map(|(path, _)| path.to_owned());
        let start = open.as_deref().map_or(folder, Path::new);
        let absolute = |path: &str| start.join(path).components().collect::<PathBuf>().to_string_lossy().into_owned();
        let strings: Vec<String> = arguments.split('"').skip(1).step_by(2).map(absolute).collect();
        match (name, open, strings.as_slice()) {
            ("write" | "writev" | "pwrite64" | "ftruncate" | "copy_file_range", Some(path), _) => {
                calls.push(Call::Changed(path));
            }
            ("fsync" | "fdatasync", Some(path), _) => calls.push(Call::Synced(path)),
            ("mkdir" | "mkdirat", _, [path]) => calls.push(Call::Made(path.clone())),
            ("rmdir" | "unlink" | "unlinkat", _, [path]) => calls.push(Call::Removed(path.clone())),
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

/// The folder of a file. A pipe has none.
fn above(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// A draft may be lost or come back: its name starts with a dot, or it lies in `work`, in `drafts` or in the folder for
/// temporary files.
fn is_draft(path: &str, root: &Path) -> bool {
    let below = Path::new(path).strip_prefix(root).map(|path| path.to_string_lossy());
    below.is_err()
        || below
            .is_ok_and(|path| path.split('/').any(|name| name.starts_with('.') || ["work", "drafts"].contains(&name)))
}

/// The files that a power cut could break. Either they have their name but not all of their bytes, or a change in their
/// folder could be lost although later calls rely on it.
fn faults(calls: &[Call], root: &Path) -> Vec<String> {
    let mut unsynced = BTreeMap::<&str, bool>::new();
    // Whether a file or folder that was written or made is synced in its folder.
    let mut listed = BTreeMap::<&str, bool>::new();
    let mut faults = Vec::new();
    for (at, call) in calls.iter().enumerate() {
        let rest = calls.get(at + 1..).unwrap_or_default();
        // Renames below `group` may share a sync.
        let mut expect_sync = |path: &str, group: &str, after: usize, what: &str| {
            let synced = rest.iter().position(|call| matches!(call, Call::Synced(folder) if folder == above(path)));
            let is_elsewhere = |call: &Call| matches!(call, Call::Renamed { to, .. } if !is_below(to, group));
            let relies = rest.iter().skip(after).position(is_elsewhere).map(|relies| relies + after);
            match (synced, relies) {
                (None, _) => faults.push(format!("{path} is {what}, and never synced in its folder")),
                (Some(synced), Some(relies)) if relies < synced => {
                    faults.push(format!("{path} is {what}, and not synced in its folder before the next is named"));
                }
                _ => {}
            }
        };
        match call {
            Call::Changed(path) => {
                unsynced.insert(path, true);
                listed.entry(path).or_insert(false);
            }
            Call::Synced(path) => {
                unsynced.insert(path, false);
                listed
                    .iter_mut()
                    .filter(|(below, _)| above(below) == path)
                    .for_each(|(_, is_listed)| *is_listed = true);
            }
            Call::Made(path) => {
                listed.insert(path, false);
                let relies = |call: &Call| matches!(call, Call::Renamed { to, .. } if is_below(to, path));
                if let (false, Some(first)) = (is_draft(path, root), rest.iter().position(relies)) {
                    expect_sync(path, path, first + 1, "made");
                }
            }
            Call::Removed(path) => {
                unsynced.remove(path.as_str());
                listed.remove(path.as_str());
                // If a committed shard comes back, it is committed again, to the same files.
                if !is_draft(path, root) && !path.contains("/_robocensus/shards/") {
                    expect_sync(path, above(path), 0, "removed");
                }
            }
            Call::Renamed { from, to } => {
                expect_sync(to, above(to), 0, "named");
                let is_moved = |path: &str| path == from || is_below(path, from);
                if let Some((path, _)) = unsynced.iter().find(|(path, is_unsynced)| is_moved(path) && **is_unsynced) {
                    faults.push(format!("{path} is named {to} before it is synced"));
                }
                if let Some((path, _)) = listed.iter().find(|(path, is_listed)| is_below(path, from) && !**is_listed) {
                    faults.push(format!("{path} is named below {to} before it is synced in its folder"));
                }
                unsynced.retain(|path, _| !is_moved(path));
                listed.retain(|path, _| !is_moved(path));
            }
        }
    }
    faults
}

const TRACED: &str = "write,writev,pwrite64,ftruncate,copy_file_range,fsync,fdatasync,?rename,?renameat,?renameat2,\
                      ?mkdir,?mkdirat,?rmdir,?unlink,unlinkat";

/// The faults of a command in a folder, and how many files it named.
fn faults_of(folder: &TestFolder, program: &str, arguments: &[&str]) -> (Vec<String>, usize) {
    let run = folder.run_by(strace::traced(TRACED, program, arguments));
    assert!(run.status.code().is_some_and(|code| code < 2), "{run}");
    let log = fs::read_to_string(folder.path().join("strace.log")).expect("strace writes a log");
    let root = folder.path().canonicalize().expect("it exists");
    let calls = calls(&log, &root);
    let named = calls.iter().filter(|call| matches!(call, Call::Renamed { .. })).count();
    (faults(&calls, &root), named)
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
    archives::write(&folder, "SYNTH-2024-10", 17, 2);
    let (faults, named) = faults_of(&folder, binary, &[&ingest[..], &["--refresh"]].concat());
    assert_eq!(faults, none, "earlier parts are replaced");
    assert!(named >= 23, "{named}");
    for shard in [
        &["plan", "crawl-data", "--shards", "2", "--out", "shards"][..],
        &["ingest", "--shard", "0/2", "--out", "shards", "--quiet"],
        &["ingest", "--shard", "1/2", "--out", "shards", "--quiet"],
        &["commit", "shards", "--models", "none"],
    ] {
        let (faults, named) = faults_of(&folder, binary, shard);
        assert_eq!(faults, none, "{shard:?}");
        assert!(named >= 1, "{shard:?}");
    }
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
    check("dd if=/dev/zero of=draft count=9 conv=fsync && mv draft file", "never synced in its folder");
    let both = "mkdir a b; sync .; dd if=/dev/zero of=draft count=9 conv=fsync && cp draft other && sync other";
    check(&format!("{both} && mv draft a/one && mv other b/two && sync a b"), "before the next is named");
    check(&format!("{both} && mv draft a/one && sync a && mv other b/two && sync b"), "");
    let one = "dd if=/dev/zero of=draft count=9 conv=fsync && mkdir a";
    check(&format!("{one} && sync . && mv draft a/one && sync a"), "");
    check(&format!("{one} && mv draft a/one && sync a"), "a is made, and never synced");
    check(
        &format!("{one} && mv draft a/one && sync a && cp a/one b && sync b && mv b c && sync ."),
        "a is made, and not",
    );
    let moved = "mkdir draft && cp /proc/self/comm draft/file && sync draft/file";
    check(&format!("{moved} && sync draft && mv draft a && sync ."), "");
    check(&format!("{moved} && mv draft a && sync ."), "is named below");
    let removed = "mkdir a && sync . && cp /proc/self/comm draft && sync draft && mv draft a/one && sync a";
    check(&format!("{removed} && rm a/one && sync a"), "");
    check(&format!("{removed} && rm a/one"), "one is removed, and never synced");
}

/// `check` writes, syncs and renames no file in the folder.
#[test]
fn check_changes_nothing() {
    if !strace::works() {
        return;
    }
    let folder = sample::ingested("check_writes");
    let changing = format!("{TRACED},?link,?linkat,?symlink,?symlinkat");
    let arguments = ["check", "-q", OUT];
    folder.run_by(strace::traced(&changing, env!("CARGO_BIN_EXE_robocensus"), &arguments)).exits_with(0);
    let log = fs::read_to_string(folder.path().join("strace.log")).expect("strace writes a log");
    let root = folder.path().canonicalize().expect("it exists");
    let below: Vec<&str> = log.lines().filter(|line| line.contains(&*root.join(OUT).to_string_lossy())).collect();
    assert!(below.is_empty(), "{below:?}");
}
