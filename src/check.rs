//! `robocensus check`: verifies that a folder of tables is complete and undamaged.

use crate::exit::Exit;
use crate::failures::{self, CommandResult};
use crate::interrupt::{self, Interrupt};
use crate::progress;
use crate::streams::Streams;
use crate::terminal::{Safe, counted, shown_path};
use analyze::{Session, SessionOptions, checks};
use folder::Failure;
use indicatif::HumanCount;
use ingest::check::{self, Archives, CheckOptions, Digests, Findings, SecondReading};
use ingest::progress::Progress;
use std::path::PathBuf;

/// The options of `check`.
#[derive(Debug)]
pub(crate) struct CheckCommand {
    /// The folder of tables.
    pub(crate) tables: PathBuf,
    pub(crate) options: CheckOptions,
    /// The file that is written instead of standard output.
    pub(crate) out: Option<PathBuf>,
    /// The list of agents that derived tables were made with, instead of the built-in list.
    pub(crate) agents: Option<PathBuf>,
}

/// Checks the files, then the tables for contradictions, and prints the findings.
pub(crate) fn run(check: &CheckCommand, streams: &mut Streams<'_>) -> CommandResult {
    if check.options.archives == Archives::Reread
        && let Some(out) = &check.out
    {
        check::refuse_archive(out, &check.tables)?;
    }
    let interrupt = Interrupt::listen()?;
    let progress = Progress::default();
    let findings = progress::with_ingest_progress(streams.watcher, &progress, "files", || {
        check::check(&check.tables, check.options, &progress, interrupt.flag())
    })?;
    if findings.is_stopped {
        failures::print(&findings.damages, streams)?;
        let Findings { parts, parts_left, .. } = findings;
        let checked = match parts_left {
            0 => "the derived tables were not all checked".to_owned(),
            left => format!("checked {parts} of {} parts", parts + left),
        };
        let left = format_args!("{checked}; run the same command again");
        return Err(failures::stopped_with(left, &check.tables).into());
    }
    if !findings.unread.is_empty() {
        failures::print(&findings.damages, streams)?;
        failures::print(&findings.unread, streams)?;
        let cause =
            "files could not be read, so they may be damaged or not; once this is solved, run the command again";
        return Err(Failure::new("check was not done", &check.tables, cause).into());
    }
    let asks = check.options.digests == Digests::Compare && findings.damages.is_empty() && findings.parts > 0;
    let asked = asks.then(|| contradictions(check, &interrupt)).transpose()?;
    let contradictions = asked.as_ref().map_or(&[][..], |asked| &asked.contradictions);
    let faults = findings.damages.len() + contradictions.len();
    let tables = shown_path(&check.tables);
    writeln!(streams.out, "{tables}: {}", summary(&findings, faults as u64, check.options.digests))?;
    if check.options.archives == Archives::Reread {
        for line in second_reading(&findings.second) {
            writeln!(streams.out, "{}", Safe(line.as_bytes()))?;
        }
    }
    if let Some(asked) = &asked {
        let agree = if contradictions.is_empty() { ", none found a contradiction" } else { "" };
        writeln!(streams.out, "queries: {}{agree}", counted(asked.run, "check"))?;
    }
    failures::print(&findings.damages, streams)?;
    failures::print(contradictions, streams)?;
    Ok(if faults == 0 { Exit::Good } else { Exit::Flawed })
}

/// Runs the queries of queries/checks, which return a row for each contradiction between tables. The files must be
/// undamaged.
fn contradictions(check: &CheckCommand, interrupt: &Interrupt) -> Result<checks::Found, Failure> {
    let jobs = check.options.jobs;
    let runtime = analyze::runtime(jobs)?;
    let found = runtime.block_on(interrupt.unless(async {
        let options = SessionOptions { jobs, agents: check.agents.clone(), ..SessionOptions::default() };
        checks::run(&Session::open(&check.tables, &options).await?).await
    }));
    runtime.shutdown_background();
    found.unwrap_or_else(|| {
        let cause = format_args!("{}, before all queries had run", interrupt::cause());
        Err(Failure::new("stopped", &check.tables, cause))
    })
}

/// The summary of the second reading, and a line for each cause by which it could not read records.
fn second_reading(reading: &SecondReading) -> Vec<String> {
    let SecondReading { archives, agreed, unreadable } = reading;
    let agree = if *agreed == 1 { "agrees" } else { "agree" };
    let count: u64 = unreadable.values().map(|places| places.count).sum();
    let records = counted(*agreed, "record");
    let unread = if count == 0 { "none".to_owned() } else { HumanCount(count).to_string() };
    let all = format!("second reader: {records} {agree} in {}, {unread} unreadable", counted(*archives, "archive"));
    let causes = unreadable.iter().map(|(cause, first)| {
        let places = HumanCount(first.count);
        format!("  {places} {cause} (first: {} at offset {})", first.path.display(), first.offset)
    });
    [all].into_iter().chain(causes).collect()
}

/// The result, how many parts, files, bytes and captures were checked, and how many crawls have no derived tables.
fn summary(findings: &Findings, faults: u64, digests: Digests) -> String {
    let Findings { parts, files, bytes, captures, crawls_without_derived: without, .. } = findings;
    let without = (*without > 0).then(|| format!(", {} without derived tables", counted(*without, "crawl")));
    let state = match (faults, digests) {
        (0, Digests::Compare) => "complete and undamaged".to_owned(),
        // Bytes that were not read may still be damaged.
        (0, Digests::PassOver) => "complete and undamaged, without digests and queries".to_owned(),
        // Not all faults are damage: a folder may be planned only, or a derived table out of date.
        (faults, _) => counted(faults, "fault"),
    };
    format!(
        "{state}: {}, {}, {}, {}{}",
        counted(*parts, "part"),
        counted(*files, "file"),
        counted(*bytes, "byte"),
        counted(*captures, "capture"),
        without.unwrap_or_default()
    )
}
