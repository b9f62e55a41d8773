//! Runs with a wrong clock. Tables, answers and checks do not depend on it.

use crate::run::{Run, TestFolder};
use crate::sample::{self, OUT};
use std::process::Command;

/// The start of Unix time, and a day after 32-bit seconds overflow.
const CLOCKS: [&str; 2] = ["1970-01-01 00:00:10", "2100-03-01 12:00:00"];

/// Runs the binary with this clock. Times of files and the monotonic clock are not changed.
fn run_at(folder: &TestFolder, clock: &str, arguments: &[&str]) -> Run {
    let mut command = Command::new("faketime");
    command.env("NO_FAKE_STAT", "1").env("FAKETIME_DONT_FAKE_MONOTONIC", "1").env("TZ", "UTC");
    command.args(["-f", &format!("@{clock}"), env!("CARGO_BIN_EXE_robocensus")]).args(arguments);
    folder.run_by(command)
}

#[test]
fn the_clock_changes_nothing() {
    if !committed::works(Command::new("faketime").arg("--version"), None) {
        return;
    }
    const QUERY: [&str; 6] = ["query", "access_overview", "--tables", OUT, "--format", "csv"];
    let expected = sample::modelled("clock");
    let tables = sample::files(&expected.path().join(OUT));
    let answer = expected.run(&QUERY);
    let mut reports = Vec::new();
    for (clock, name) in CLOCKS.iter().zip(["1970", "2100"]) {
        let folder = sample::folder(&format!("clock_{name}"));
        run_at(&folder, clock, &["ingest", "crawl-data", "--out", OUT, "--quiet", "--models", "latest"]).exits_with(1);
        assert!(sample::files(&folder.path().join(OUT)) == tables, "other tables in {clock}");
        run_at(&folder, clock, &["check", "--quick", "-q", OUT]).exits_with(0).complains("");
        run_at(&folder, clock, &QUERY).exits_with(0).prints(&answer.stdout);
        for _ in 0..2 {
            run_at(&folder, clock, &["report", "-q", OUT, "--out", "report", "--only", "read"]).exits_with(0);
            reports.push(sample::files(&folder.path().join("report")));
        }
        // With the right clock again, nothing is left to do.
        let again = folder.run(&["models", OUT]);
        again.exits_with(0);
        assert!(again.stdout.lines().skip(1).all(|line| line.ends_with("was up to date")), "{again}");
    }
    assert!(!reports[0].is_empty() && reports.iter().all(|report| *report == reports[0]), "the reports differ");
}
