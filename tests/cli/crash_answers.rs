//! Kills commands that write answers. An earlier answer must stay until the new one is complete, and the same command
//! must then succeed.

use crate::run::TestFolder;
use crate::sample::{self, OUT};
use crate::strace::{self, MAKE_FOLDER, REMOVE, RENAME, SYNC, WRITE};
use committed::full::{is_full, step};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// A command that answers, and the path that it writes to.
struct Answering {
    folder: TestFolder,
    path: &'static str,
    arguments: Vec<&'static str>,
}

type Files = BTreeMap<PathBuf, Vec<u8>>;

impl Answering {
    fn new(test: &str, path: &'static str, arguments: &[&'static str]) -> Self {
        let folder = sample::modelled(test);
        Answering { folder, path, arguments: arguments.to_vec() }
    }

    /// The answer: a file, or the files of a folder.
    fn files(&self) -> Files {
        let path = self.folder.path().join(self.path);
        if path.is_dir() {
            sample::files(&path)
        } else {
            fs::read(&path).map(|bytes| (path, bytes)).into_iter().collect()
        }
    }

    /// Removes the answer, or puts an earlier one in its place.
    fn begin(&self, earlier: &Files) {
        let path = self.folder.path().join(self.path);
        let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
        for (name, bytes) in earlier {
            // For a single file, `name` is the whole path, and `join` returns it.
            let file = path.join(name);
            fs::create_dir_all(file.parent().expect("a file is in a folder")).expect("a folder can be made");
            fs::write(file, bytes).expect("a file can be written");
        }
    }

    /// Checks that the answer is either the earlier one or the complete new one.
    #[track_caller]
    fn assert_sound(&self, earlier: &Files, whole: &Files) {
        let found = self.files();
        assert!(found == *earlier || found == *whole, "{} is neither: {:?}", self.path, found.keys());
    }

    /// Kills the command before each call.
    fn check(&self) {
        self.folder.run(&self.arguments).exits_with(0);
        let whole = self.files();
        let edit = |bytes: &[u8]| [bytes, b"\n<!-- earlier -->\n"].concat();
        let earlier: Files = whole.iter().map(|(name, bytes)| (name.clone(), edit(bytes))).collect();
        let mut kills = 0;
        // Without an earlier answer there is less to lose.
        let before = if is_full() { vec![Files::new(), earlier] } else { vec![earlier] };
        for earlier in before {
            for calls in [RENAME, SYNC, MAKE_FOLDER, REMOVE, WRITE] {
                for number in (1..).step_by(step(60)) {
                    self.begin(&earlier);
                    let run = strace::run(&self.folder, calls, number, "signal=KILL", &self.arguments);
                    self.assert_sound(&earlier, &whole);
                    if run.status.success() {
                        break;
                    }
                    kills += 1;
                }
            }
            self.folder.run(&self.arguments).exits_with(0);
            assert!(self.files() == whole, "the answer differs from that of an undisturbed run");
        }
        assert!(kills >= 4, "killed {kills} times");
    }
}

#[test]
fn a_killed_query_leaves_a_whole_answer() {
    if strace::works() {
        const QUERY: [&str; 7] = ["query", "access_overview", "--tables", OUT, "--out", "answer.csv", "--format=csv"];
        Answering::new("query_killed", "answer.csv", &QUERY).check();
    }
}

#[test]
fn a_killed_report_leaves_a_whole_report() {
    if strace::works() {
        const REPORT: [&str; 7] = ["report", "-q", OUT, "--out", "report", "--only", "read"];
        Answering::new("report_killed", "report", &REPORT).check();
    }
}
