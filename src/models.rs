//! `robocensus models`: makes the derived tables.

use crate::exit::Exit;
use crate::failures::{self, CommandResult};
use crate::interrupt::Interrupt;
use crate::progress;
use crate::streams::Streams;
use crate::terminal::shown_path;
use crate::unfinished;
use analyze::models::{self, ModelOptions, ModelOutcome, ModelProgress};
use folder::unfinished::parts_left;
use folder::{Folder, ledger};
use indicatif::HumanCount;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// The options of `models`.
#[derive(Debug)]
pub(crate) struct ModelsCommand {
    /// The folder of tables.
    pub(crate) tables: PathBuf,
    /// How to make the derived tables.
    pub(crate) options: ModelOptions,
}

/// How long Ctrl-C waits for threads that still compute, so that they can remove their spilled files.
const STOPS_WITHIN: Duration = Duration::from_secs(1);

/// Makes the derived tables until Ctrl-C.
pub(crate) fn run(models: &ModelsCommand, streams: &mut Streams<'_>) -> CommandResult {
    let interrupt = Interrupt::listen()?;
    let ModelsCommand { tables, options } = models;
    make(tables, options, interrupt.flag(), streams)
}

/// Makes the derived tables that are not up to date, and prints a line for each table.
pub(crate) fn make(
    tables: &Path,
    options: &ModelOptions,
    stop: &AtomicBool,
    streams: &mut Streams<'_>,
) -> CommandResult {
    let mut outcomes = Vec::new();
    let runtime = analyze::runtime(options.session.jobs)?;
    let progress = ModelProgress::default();
    let made = progress::with_model_progress(streams.watcher, &progress, || {
        runtime.block_on(models::make(tables, options, &progress, stop, &mut |outcome| outcomes.push(outcome.clone())))
    });
    runtime.shutdown_timeout(STOPS_WITHIN);
    if !outcomes.is_empty() {
        writeln!(streams.out, "{:<14} {:<20} {:>11} {:>15}", "derived table", "crawl", "rows", "bytes")?;
        for outcome in &outcomes {
            writeln!(streams.out, "{}", line(outcome))?;
        }
    }
    match progress.made_again.load(Relaxed) {
        0 => {}
        again => streams.notify(format_args!(
            "memory is short: {}: {again} of its derived tables took longer for that; a larger --memory of robocensus \
             models avoids it",
            shown_path(tables)
        ))?,
    }
    if !made? {
        let left = "some derived tables are not up to date; run the same command again";
        return Err(failures::stopped_with(left, tables).into());
    }
    let folder = Folder::at(tables);
    let parts_left = ledger::read(&folder).map_or(0, |entries| parts_left(&folder, &entries));
    unfinished::say(tables, parts_left, streams)?;
    Ok(Exit::Good)
}

fn line(outcome: &ModelOutcome) -> String {
    let file = &outcome.made.file;
    let (rows, bytes) = (HumanCount(file.rows).to_string(), HumanCount(file.bytes).to_string());
    let was_up_to_date = if outcome.was_up_to_date { "  was up to date" } else { "" };
    format!("{:<14} {:<20} {rows:>11} {bytes:>15}{was_up_to_date}", file.table, outcome.made.crawl)
}
