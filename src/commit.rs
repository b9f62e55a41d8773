//! `robocensus commit`: publishes the parts that the shards of an ingest made.

use crate::exit::Exit;
use crate::failures::{self, CommandResult};
use crate::ingest::{check_models, derive, summary};
use crate::interrupt::Interrupt;
use crate::progress;
use crate::shard::compact;
use crate::streams::Streams;
use crate::terminal::shown_path;
use analyze::models::ModelOptions;
use ingest::progress::Progress;
use ingest::run::shards::{self, Committed};
use std::path::PathBuf;

/// The options of `commit`.
#[derive(Debug)]
pub(crate) struct CommitCommand {
    /// The folder of tables.
    pub(crate) tables: PathBuf,
    /// Whether to only print the shards that are not done.
    pub(crate) is_missing: bool,
    /// How to make the derived tables; `None` to make none.
    pub(crate) models: Option<ModelOptions>,
}

/// Publishes the parts of all shards, and makes the derived tables.
pub(crate) fn run(commit: &CommitCommand, streams: &mut Streams<'_>) -> CommandResult {
    let CommitCommand { tables, is_missing, models } = commit;
    if *is_missing {
        let missing = shards::missing(tables)?;
        if missing.is_empty() {
            return Ok(Exit::Good);
        }
        writeln!(streams.out, "{}", compact(&missing))?;
        return Ok(Exit::Missing);
    }
    check_models(tables, models.as_ref())?;
    let interrupt = Interrupt::listen()?;
    let progress = Progress::default();
    let committed = progress::with_ingest_progress(streams.watcher, &progress, "parts", || {
        shards::commit(tables, &progress, interrupt.flag())
    })?;
    let name = shown_path(tables);
    let report = match committed {
        Committed::Missing(missing) => {
            let (shards, numbers) = if missing.len() == 1 { ("shard is", "number") } else { ("shards are", "numbers") };
            streams.complain(format_args!("{shards} not done: {name}: {numbers} {}", compact(&missing)))?;
            return Ok(Exit::Missing);
        }
        Committed::Nothing(report) => {
            streams.notify(format_args!("{name}: nothing to do: all parts were published before"))?;
            report
        }
        Committed::Parts(report) => report,
    };
    summary::refuse_stopped(report.parts_left, tables)?;
    summary::write(&report, streams.out)?;
    failures::print(&report.flawed, streams)?;
    let made = derive(tables, models.as_ref(), interrupt.flag(), streams)?;
    Ok(made.max(if report.flawed.is_empty() { Exit::Good } else { Exit::Flawed }))
}
