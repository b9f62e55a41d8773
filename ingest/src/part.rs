//! Makes parts: reads their inputs and writes one file of each table. A part depends on nothing but its inputs.
//!
//! A pipeline of four threads makes parts, one after another. The first reads archives and makes the rows of captures,
//! which takes nearly half of the time. The second makes the rows of new bodies. The third writes rows into files. The
//! fourth completes and publishes the files while the next part is read. So a pipeline keeps two cores busy with any
//! input. All messages pass through the threads in order, so the tables do not depend on the timing of threads.

mod bodies;
mod destination;
mod files;
mod interruption;
mod job;
mod messages;
mod permits;
mod prefetch;
mod reader;
mod seen;

use crate::plan;
use files::cause;
use folder::failure::Failure;
use folder::ledger::LedgerEntry;
use interruption::ReadFailure;
use messages::PANICKED;
use permits::Sender;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::thread::{self, ScopedJoinHandle};
use tables::ParquetError;

pub use destination::PartDestination;
pub(crate) use destination::{ENTRY, discard, is_staged, publish_staged, staged_file, unique_name};
pub use job::PartJob;
pub use permits::Permits;

/// How many messages may wait for a thread. With 1, a pipeline takes 1.2 times as long.
const WAITING: usize = 16;

/// Makes parts until `next` returns none, or the run is stopped. Returns the entries of the parts, which are in the
/// ledger.
///
/// An input that is damaged or cannot be read does not affect the others. `inputs` and `skips` say what is wrong with
/// it.
pub fn make_parts<'p>(
    next: impl FnMut() -> Option<&'p plan::Part> + Send,
    job: PartJob<'_>,
) -> Result<Vec<LedgerEntry>, Failure> {
    let permits = job.permits;
    let (to_rows, for_rows) = sync_channel(WAITING);
    let (to_files, for_files) = sync_channel(WAITING);
    let to_rows = Sender { channel: to_rows, permits };
    let to_files = Sender { channel: to_files, permits };
    // One part is published while the next is written. More of them would take memory.
    let (to_publisher, for_publisher) = sync_channel(0);
    let to_publisher = Sender { channel: to_publisher, permits };
    thread::scope(|scope| {
        let reader = start(scope, "reader", move || permits.work(|| reader::read_parts(next, job, to_rows)))?;
        let rows = start(scope, "rows", move || permits.work(|| bodies::make_rows(&for_rows, job, &to_files)))?;
        let files = start(scope, "files", move || permits.work(|| files::write_parts(&for_files, job, &to_publisher)))?;
        let root = job.destination.folder().root();
        let panicked = |_| Failure::new("tables cannot be written", root, PANICKED);
        // If it fails, its channel closes, so the threads before it end too.
        let publish = move || permits.work(move || files::publish_parts(&for_publisher, job));
        let published = catch_unwind(AssertUnwindSafe(publish));
        // The last thread that failed is the reason why those before it ended. So its failure is returned. A panic
        // there has no one input that caused it.
        let (written, made, read) = (files.join(), rows.join(), reader.join());
        let entries = published.map_err(panicked)??;
        written.map_err(panicked)??;
        let (made, read) = (made.map_err(panicked)?, read.map_err(panicked)?);
        let unmade = |error: &ParquetError| Failure::new("rows cannot be made", root, cause(error));
        made.map_err(|error| unmade(&error))?;
        match read {
            Ok(()) => Ok(entries),
            Err(ReadFailure::GivenUp(failure)) => Err(failure),
            Err(ReadFailure::RowsFailed(error)) => Err(unmade(&error)),
        }
    })
}

fn start<'s, T: Send + 's>(
    scope: &'s thread::Scope<'s, '_>,
    name: &str,
    work: impl FnOnce() -> T + Send + 's,
) -> Result<ScopedJoinHandle<'s, T>, Failure> {
    let builder = thread::Builder::new().name(name.to_owned());
    builder.spawn_scoped(scope, work).map_err(Failure::at("thread cannot be started", Path::new(name)))
}
