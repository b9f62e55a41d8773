//! Meddles with the system calls of the binary, by strace: kills it before one, or has one fail.

#![expect(
    clippy::expect_used,
    clippy::print_stderr,
    reason = "called by tests, which fail or say that they are skipped"
)]

use crate::run::{Folder, Run, besides};
use std::path::Path;
use std::process::Command;

/// System calls that do one thing, of which each architecture has some.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Calls(&'static str);

pub(crate) const RENAME: Calls = Calls("?rename,?renameat,?renameat2");
pub(crate) const SYNC: Calls = Calls("fsync,fdatasync");
pub(crate) const MAKE_FOLDER: Calls = Calls("?mkdir,?mkdirat");
pub(crate) const REMOVE: Calls = Calls("?rmdir,?unlink,unlinkat");
pub(crate) const TRUNCATE: Calls = Calls("ftruncate");
pub(crate) const WRITE: Calls = Calls("write");

/// Threads are followed; what was called is written down. (Not with `--seccomp-bpf`: strace 6.1 then injects into the
/// first call or none.)
const FOLLOW: [&str; 3] = ["-f", "-qq", "-o"];

/// Whether it works here. Where the environment says that it does, it must.
pub(crate) fn works() -> bool {
    let tried = Command::new("strace").args(FOLLOW).args(["/dev/null", "true"]).output();
    let works = tried.as_ref().is_ok_and(|tried| tried.status.success());
    if !works {
        let is_demanded = std::env::var_os("ROBOCENSUS_STRACE").is_some();
        assert!(!is_demanded, "ROBOCENSUS_STRACE is set, and strace does not work: {tried:?}");
        eprintln!("skipped: strace does not work here: {tried:?}");
    }
    works
}

/// Runs the binary, and has something happen to the call of this number, as each thread counts them.
pub(crate) fn run(folder: &Folder, calls: Calls, number: u32, what: &str, arguments: &[&str]) -> Run {
    folder.run_by(command(folder, None, calls, number, what, arguments))
}

/// The same of the calls that are about one file.
pub(crate) fn run_at(folder: &Folder, file: &Path, calls: Calls, number: u32, what: &str, arguments: &[&str]) -> Run {
    folder.run_by(command(folder, Some(file), calls, number, what, arguments))
}

fn command(
    folder: &Folder,
    file: Option<&Path>,
    Calls(calls): Calls,
    number: u32,
    what: &str,
    arguments: &[&str],
) -> Command {
    let mut command = Command::new("strace");
    command.args(FOLLOW).arg("strace.log");
    command.args(["-e", &format!("trace={calls}"), "-e", &format!("inject={calls}:{what}:when={number}")]);
    if let Some(file) = file {
        // It compares whole paths, and asks the file system for none that is not there yet.
        command.arg("-P").arg(folder.path().canonicalize().expect("the folder is there").join(file));
    }
    command.arg(env!("CARGO_BIN_EXE_robocensus")).args(arguments).args(besides(arguments));
    command
}
