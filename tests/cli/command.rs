//! What holds for every command: help, version, arguments that are none, a pipe that closes.

use crate::run::Folder;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::Stdio;

#[test]
fn without_a_command_there_is_help_and_exit_2() {
    let folder = Folder::new("without_a_command");
    folder.run(&[]).exits_with(2).prints("").complains_among_others("Usage: robocensus");
    folder.run(&["lint"]).exits_with(2).prints("").complains_among_others("Examples:");
    folder.run(&["judge"]).exits_with(2).prints("").complains_among_others("Examples:");
}

#[test]
fn help_has_an_example_of_each_command() {
    let folder = Folder::new("help");
    folder.run(&["--help"]).exits_with(0).prints_among_others("Commands:").complains("");
    folder.run(&["lint", "--help"]).exits_with(0).prints_among_others("  robocensus lint robots.txt\n");
    folder
        .run(&["judge", "--help"])
        .exits_with(0)
        .prints_among_others("  robocensus judge --robots robots.txt --agent");
    folder.run(&["judge", "-h"]).exits_with(0).prints_among_others("0  every URL was judged, whatever the verdicts");
}

#[test]
fn version() {
    let expected = concat!("robocensus ", env!("CARGO_PKG_VERSION"), "\n");
    Folder::new("version").run(&["--version"]).exits_with(0).prints(expected).complains("");
}

#[test]
fn arguments_that_are_none() {
    let folder = Folder::new("arguments_that_are_none");
    let check = |arguments: &[&str], expected: &str| {
        folder.run(arguments).exits_with(2).prints("").complains_among_others(expected);
    };
    check(&["lnt"], "unrecognized subcommand 'lnt'");
    check(&["lint", "--format", "xml", "a"], "invalid value 'xml'");
    check(&["lint", "--explain", "ua-empty", "a"], "cannot be used with");
    check(&["judge", "--robots", "a"], "required arguments were not provided");
    check(&["judge", "--ndjson", "/a"], "cannot be used with");
    check(&["judge", "--ndjson", "--dialect", "rfc9308"], "invalid value 'rfc9308'");
}

#[test]
fn a_closed_pipe_ends_the_run_quietly() {
    let body = "Disallow: /a b\n".repeat(50_000);
    let folder = Folder::new("a_closed_pipe").with("robots.txt", body);
    for format in ["text", "json"] {
        let mut child = folder.command(&["lint", "--format", format, "robots.txt"]).spawn().expect("the binary starts");
        let mut first = String::new();
        let mut stdout = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
        stdout.read_line(&mut first).expect("a line is printed");
        drop(stdout);
        let mut stderr = String::new();
        child.stderr.take().expect("standard error is a pipe").read_to_string(&mut stderr).expect("it can be read");
        let status = child.wait().expect("the binary ends");
        assert!(status.success() && stderr.is_empty(), "{format}: {status}, after {first:?}: {stderr}");
    }
}

#[test]
fn a_closed_pipe_ends_an_endless_input_too() {
    let folder = Folder::new("a_closed_pipe_endless");
    let mut child = folder.command(&["judge", "--ndjson"]).spawn().expect("the binary starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let question = b"{\"robots_base64\":\"\",\"agent\":\"a\",\"url\":\"/\"}\n".repeat(1_000);
    // Until the binary has gone and the pipe says so.
    while stdin.write_all(&question).is_ok() {}
    let output = child.wait_with_output().expect("the binary ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stderr.is_empty(), "{}: {stderr}", output.status);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_no_closed_pipe() {
    let folder = Folder::new("a_full_disk").with("robots.txt", "User-agent: *\n");
    let full = File::options().write(true).open("/dev/full").expect("/dev/full can be opened");
    let output = folder.command(&["lint", "robots.txt"]).stdout(Stdio::from(full)).output().expect("the binary runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.starts_with("cannot write: standard output: no space left"), "{stderr}");
}
