//! Changes system calls of the binary with strace: kills it before a call, or makes a call fail.

use crate::run::{Run, TestFolder, extra_arguments};
use std::path::Path;
use std::process::Command;

/// System calls with the same effect. No architecture has all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SystemCalls(&'static str);

pub(crate) const RENAME: SystemCalls = SystemCalls("?rename,?renameat,?renameat2");
pub(crate) const SYNC: SystemCalls = SystemCalls("fsync,fdatasync");
pub(crate) const MAKE_FOLDER: SystemCalls = SystemCalls("?mkdir,?mkdirat");
pub(crate) const REMOVE: SystemCalls = SystemCalls("?rmdir,?unlink,unlinkat");
pub(crate) const TRUNCATE: SystemCalls = SystemCalls("ftruncate");
pub(crate) const WRITE: SystemCalls = SystemCalls("write");

/// Follows threads and writes a log. (Not with `--seccomp-bpf`: strace 6.1 then injects into the first call or none.)
const FOLLOW: [&str; 3] = ["-f", "-qq", "-o"];

/// Whether strace works. Fails if it does not and `ROBOCENSUS_STRACE` is set.
pub(crate) fn works() -> bool {
    let mut tried = Command::new("strace");
    committed::works(tried.args(FOLLOW).args(["/dev/null", "true"]), Some("ROBOCENSUS_STRACE"))
}

/// Runs the binary and injects `what` into the call of this number. The calls of each thread are numbered separately.
pub(crate) fn run(folder: &TestFolder, calls: SystemCalls, number: u32, what: &str, arguments: &[&str]) -> Run {
    folder.run_by(command(folder, None, calls, number, what, arguments))
}

/// The same, for calls on one file.
pub(crate) fn run_at(
    folder: &TestFolder,
    file: &Path,
    calls: SystemCalls,
    number: u32,
    what: &str,
    arguments: &[&str],
) -> Run {
    folder.run_by(command(folder, Some(file), calls, number, what, arguments))
}

/// Traces calls of a program, and writes the paths of open files to the log.
pub(crate) fn traced(calls: &str, program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("strace");
    command.args(FOLLOW).args(["strace.log", "-y", "-s", "1", "-e", &format!("trace={calls}")]);
    command.arg(program).args(arguments);
    command
}

fn command(
    folder: &TestFolder,
    file: Option<&Path>,
    SystemCalls(calls): SystemCalls,
    number: u32,
    what: &str,
    arguments: &[&str],
) -> Command {
    let mut command = Command::new("strace");
    command.args(FOLLOW).arg("strace.log");
    command.args(["-e", &format!("trace={calls}"), "-e", &format!("inject={calls}:{what}:when={number}")]);
    if let Some(file) = file {
        // strace compares whole paths and resolves no path of a file that does not exist yet, so the folder is resolved
        // here.
        command.arg("-P").arg(folder.path().canonicalize().expect("the folder exists").join(file));
    }
    command.arg(env!("CARGO_BIN_EXE_robocensus")).args(arguments).args(extra_arguments(arguments));
    command
}
