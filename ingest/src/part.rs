//! Makes parts: reads their inputs and writes one file of each table. A part depends on nothing but its inputs.
//!
//! A pipeline makes parts, one after another. Its reader reads archives and makes the rows of captures, which takes
//! nearly half of the time. A helper turns new bodies into rows, writes rows into files, and completes the files of a
//! part while the next one is read. The reader helps when too much waits, so a pipeline keeps two cores busy with any
//! input. All messages pass through the steps in order, so the tables do not depend on the timing of threads.

mod bodies;
mod destination;
mod earlier;
mod files;
mod input_end;
mod interruption;
mod job;
mod lanes;
mod messages;
mod permits;
mod prefetch;
mod reader;
mod seen;

use crate::plan;
use bodies::BodyStep;
use files::publish_parts;
use folder::failure::Failure;
use folder::ledger::{LedgerEntry, Sums};
use lanes::{Lanes, Pipeline};
use parking_lot::Mutex;
use std::panic::resume_unwind;
use std::path::Path;
use std::thread::{self, ScopedJoinHandle};

pub use destination::PartDestination;
pub(crate) use destination::{ENTRY, is_published, is_staged, publish_staged, staged_file, unique_name, unpublished};
pub(crate) use earlier::lost_input;
pub use job::PartJob;
pub use permits::Permits;

/// A part whose inputs were read.
#[derive(Debug)]
pub enum MadePart {
    /// It is in the tables or staged.
    Done(LedgerEntry),
    /// Its earlier version was kept, because an input cannot be read any more. Has the sums of what was read.
    Kept(Sums, Failure),
}

/// Makes parts until `next` returns none, or the run is stopped.
///
/// An input that is damaged or cannot be read does not affect the others. `inputs` and `skips` say what is wrong with
/// it.
pub fn make_parts<'p>(
    next: impl FnMut() -> Option<&'p plan::Part> + Send,
    job: PartJob<'_>,
) -> Result<Vec<MadePart>, Failure> {
    let permits = job.permits;
    let (lanes, to_publish) = Lanes::new(job);
    let rows = Mutex::new(BodyStep::new(job, &lanes));
    let pipeline = Pipeline { lanes: &lanes, rows: &rows };
    let (made, read) = thread::scope(|scope| {
        let read = move || {
            let read = pipeline.lanes.guarded(|| Ok(reader::read_parts(next, job, pipeline)));
            pipeline.end();
            read
        };
        start(scope, "helper", move || permits.work(|| pipeline.work()))?;
        let reader = start(scope, "reader", move || permits.work(read)).inspect_err(|_| pipeline.end())?;
        let made = lanes.guarded(|| Ok(publish_parts(&to_publish, &lanes, job))).unwrap_or_default();
        Ok((made, reader.join().unwrap_or_else(|panic| resume_unwind(panic))))
    })?;
    match lanes.failure() {
        Some(failure) => Err(failure),
        None => read.unwrap_or(Ok(())).map(|()| made),
    }
}

fn start<'s, T: Send + 's>(
    scope: &'s thread::Scope<'s, '_>,
    name: &str,
    work: impl FnOnce() -> T + Send + 's,
) -> Result<ScopedJoinHandle<'s, T>, Failure> {
    let builder = thread::Builder::new().name(name.to_owned());
    builder.spawn_scoped(scope, work).map_err(Failure::at("thread cannot be started", Path::new(name)))
}
