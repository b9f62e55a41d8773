//! `robocensus check`: verifies that a folder of tables is complete and undamaged.

use crate::exit::Exit;
use crate::failures;
use crate::interrupt::{self, Interrupt};
use crate::progress::{self, Watcher};
use crate::streams::Streams;
use crate::terminal::{Safe, counted};
use analyze::{Session, SessionOptions, checks};
use folder::{Failure, mounts};
use indicatif::HumanCount;
use ingest::check::{self, Archives, CheckOptions, Digests, Findings, SecondReading};
use ingest::progress::Progress;
use std::io;
use std::path::PathBuf;

/// The options of `check`.
#[derive(Debug)]
pub(crate) struct CheckCommand {
    /// The folder of tables.
    pub(crate) tables: PathBuf,
    pub(crate) options: CheckOptions,
    /// The list of agents that derived tables were made with, instead of the built-in list.
    pub(crate) agents: Option<PathBuf>,
    /// Whether only failures are printed.
    pub(crate) is_quiet: bool,
}

/// Checks the files, then the tables for contradictions, and prints the findings.
pub(crate) fn run(check: &CheckCommand, streams: &mut Streams<'_>) -> io::Result<Exit> {
    let interrupt = Interrupt::listen()?;
    let watcher = if check.is_quiet { Watcher::Nobody } else { streams.watcher };
    let progress = Progress::default();
    let found = progress::with_ingest_progress(watcher, &progress, "files", || {
        check::check(&check.tables, check.options, &progress, interrupt.flag())
    });
    let findings = match found {
        Ok(findings) => findings,
        Err(failure) => return failures::fail(failure, streams),
    };
    let tables = mounts::shown(&check.tables);
    let tables = Safe(tables.as_os_str().as_encoded_bytes());
    if findings.is_stopped {
        failures::print(&findings.damages, streams)?;
        let Findings { parts, parts_left, .. } = findings;
        let checked = match parts_left {
            0 => "the derived tables were not all checked".to_owned(),
            left => format!("checked {parts} of {} parts", parts + left),
        };
        streams.complain(format_args!("stopped: {tables}: {checked}; run the same command again"))?;
        return Ok(Exit::Failed);
    }
    if !check.is_quiet {
        writeln!(streams.out, "{tables}: {}", summary(&findings, check.options.digests))?;
        if check.options.archives == Archives::Reread {
            writeln!(streams.out, "second reader: {}", Safe(second_reading(&findings.second).as_bytes()))?;
        }
    }
    failures::print(&findings.damages, streams)?;
    let contradicts = if check.options.digests == Digests::Compare && findings.damages.is_empty() && findings.parts > 0
    {
        contradictions(check, &interrupt, streams)?
    } else {
        Exit::Good
    };
    Ok(contradicts.max(if findings.damages.is_empty() { Exit::Good } else { Exit::Flawed }))
}

/// Runs the queries of queries/checks, which return a row for each contradiction between tables. The files must be
/// undamaged.
fn contradictions(check: &CheckCommand, interrupt: &Interrupt, streams: &mut Streams<'_>) -> io::Result<Exit> {
    let jobs = check.options.jobs;
    let runtime = match analyze::runtime(jobs) {
        Ok(runtime) => runtime,
        Err(failure) => return failures::fail(failure, streams),
    };
    let found = runtime.block_on(interrupt.unless(async {
        let options = SessionOptions { jobs, agents: check.agents.clone(), ..SessionOptions::default() };
        checks::run(&Session::open(&check.tables, &options).await?).await
    }));
    runtime.shutdown_background();
    match found {
        None => {
            let cause = format_args!("{}, before all queries had run", interrupt::cause());
            failures::fail(Failure::new("stopped", &check.tables, cause), streams)
        }
        Some(Err(failure)) => failures::fail(failure, streams),
        Some(Ok(found)) => {
            if !check.is_quiet {
                let agree = if found.contradictions.is_empty() { ", none found a contradiction" } else { "" };
                writeln!(streams.out, "queries: {}{agree}", counted(found.run, "check"))?;
            }
            failures::print(&found.contradictions, streams)?;
            Ok(if found.contradictions.is_empty() { Exit::Good } else { Exit::Flawed })
        }
    }
}

/// The summary of the second reading.
fn second_reading(reading: &SecondReading) -> String {
    let SecondReading { archives, agreed, unreadable } = reading;
    let agree = if *agreed == 1 { "agrees" } else { "agree" };
    let records = format!("{} {agree} in {}", counted(*agreed, "record"), counted(*archives, "archive"));
    if unreadable.is_empty() {
        return format!("{records}, none unreadable");
    }
    let count: u64 = unreadable.values().map(|places| places.count).sum();
    let causes: Vec<String> = (unreadable.iter())
        .map(|(cause, first)| {
            let places = HumanCount(first.count);
            format!("{places} {cause} (first: {} at offset {})", first.path.display(), first.offset)
        })
        .collect();
    format!("{records}, {} unreadable: {}", HumanCount(count), causes.join(", "))
}

/// The result, and how many parts, files, bytes and captures were checked.
fn summary(findings: &Findings, digests: Digests) -> String {
    let Findings { damages, parts, files, bytes, captures, .. } = findings;
    let state = match (damages.len() as u64, digests) {
        (0, Digests::Compare) => "complete and undamaged".to_owned(),
        // Bytes that were not read may still be damaged.
        (0, Digests::PassOver) => "complete and undamaged, digests not compared".to_owned(),
        (damages, _) => format!("damaged in {}", counted(damages, "place")),
    };
    format!(
        "{state}: {}, {}, {}, {}",
        counted(*parts, "part"),
        counted(*files, "file"),
        counted(*bytes, "byte"),
        counted(*captures, "capture")
    )
}
