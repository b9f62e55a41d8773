//! `robocensus ingest`: archives in, tables out.

pub(crate) mod shard;
pub(crate) mod summary;

use crate::exit::Exit;
use crate::failures::{self, CommandResult};
use crate::interrupt::Interrupt;
use crate::progress;
use crate::streams::Streams;
use crate::terminal::shown_path;
use analyze::{SessionOptions, models};
use folder::Failure;
use ingest::inputs::{self, InputNaming, ListedInputs};
use ingest::progress::Progress;
use ingest::run::{self, RunOptions};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The options of `ingest`.
#[derive(Debug)]
pub(crate) struct IngestCommand {
    /// Archives, folders, patterns and lists, as typed.
    pub(crate) inputs: Vec<PathBuf>,
    /// How the inputs are resolved and named.
    pub(crate) naming: InputNaming,
    /// The folder to write the tables to.
    pub(crate) out: PathBuf,
    pub(crate) options: RunOptions,
    /// How to make the derived tables; `None` to make none.
    pub(crate) models: Option<models::ModelOptions>,
}

/// Reads the archives and makes the tables.
pub(crate) fn run(ingest: &IngestCommand, streams: &mut Streams<'_>) -> CommandResult {
    let start = Instant::now();
    check_models(&ingest.out, ingest.models.as_ref())?;
    let ListedInputs { inputs, left_out } =
        inputs::expand(&ingest.inputs, &ingest.naming, &mut BufReader::new(&mut *streams.input))?;
    // Only now: a person may type the list on standard input, and Ctrl-C then ends the process immediately.
    let interrupt = Interrupt::listen()?;
    let progress = Progress::default();
    let report = progress::with_ingest_progress(streams.watcher, &progress, "archives", || {
        run::run(inputs, &ingest.out, &ingest.options, &progress, interrupt.flag())
    })?;
    summary::write(&report, streams.out)?;
    let read = summary::read_in(&report.read, report.parts_left + report.parts_kept, start.elapsed());
    streams.notify(format_args!("{}: {read}", shown_path(&ingest.out)))?;
    failures::print(&left_out, streams)?;
    failures::print(&report.flawed, streams)?;
    summary::refuse_stopped(report.parts_left, &ingest.out)?;
    let made = derive(&ingest.out, ingest.models.as_ref(), interrupt.flag(), streams)?;
    let is_flawed = !left_out.is_empty() || !report.flawed.is_empty();
    Ok(made.max(if is_flawed { Exit::Flawed } else { Exit::Good }))
}

/// Fails before any archive is read if the derived tables, which come last, could not be made.
pub(crate) fn check_models(tables: &Path, options: Option<&models::ModelOptions>) -> Result<(), Failure> {
    options.map_or(Ok(()), |options| options.session.check_spill(tables))
}

/// Makes the derived tables, if wanted, and the views for DuckDB.
pub(crate) fn derive(
    tables: &Path,
    options: Option<&models::ModelOptions>,
    stop: &AtomicBool,
    streams: &mut Streams<'_>,
) -> CommandResult {
    match options {
        Some(options) => {
            writeln!(streams.out)?;
            crate::models::make(tables, options, stop, streams)
        }
        None => {
            models::write_views(tables, &SessionOptions::default())?;
            Ok(Exit::Good)
        }
    }
}
