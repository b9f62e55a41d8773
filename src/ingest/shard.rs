//! `robocensus ingest --shard`: makes the parts of one shard of a plan.

use super::summary;
use crate::exit::Exit;
use crate::failures::{self, CommandResult};
use crate::interrupt::Interrupt;
use crate::progress;
use crate::shard::{Shard, TypedShard};
use crate::store_tables::{TableAccess, is_in_store, with_tables};
use crate::streams::Streams;
use crate::terminal::{Safe, shown_path};
use ingest::progress::Progress;
use ingest::run::{Workers, shards};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use stores::Stores;

/// The options of `ingest` for a shard.
#[derive(Debug)]
pub(crate) struct ShardCommand {
    /// The shard that was typed.
    pub(crate) typed: Option<TypedShard>,
    /// The folder of tables.
    pub(crate) out: PathBuf,
    /// How many threads to use.
    pub(crate) jobs: NonZeroUsize,
    /// Where inputs with URLs come from.
    pub(crate) stores: Stores,
    /// The longest time to wait before the start, if it was typed.
    pub(crate) start_delay: Option<Duration>,
}

/// The longest wait before a shard starts that reads from a store or writes to one.
const START_DELAY: Duration = Duration::from_secs(30);

/// Makes the parts of the typed shard, or of the shard that the scheduler names.
pub(crate) fn run(mut ingest: ShardCommand, streams: &mut Streams<'_>) -> CommandResult {
    let interrupt = Interrupt::listen()?;
    let stores = ingest.stores.clone();
    if is_in_store(&ingest.out) {
        wait_up_to(ingest.start_delay.unwrap_or(START_DELAY), interrupt.flag());
        ingest.start_delay = Some(Duration::ZERO);
    }
    with_tables(
        ingest,
        |ingest| &mut ingest.out,
        TableAccess::Shard,
        stores,
        streams,
        |ingest, streams| make(ingest, &interrupt, streams),
    )
}

fn make(ingest: &ShardCommand, interrupt: &Interrupt, streams: &mut Streams<'_>) -> CommandResult {
    let start = Instant::now();
    let planned = shards::planned(&ingest.out)?;
    let shard = Shard::find(ingest.typed, planned.shards, &|name| std::env::var(name).ok())?;
    let out = shown_path(&ingest.out);
    streams.notify(format_args!("{out}: {}", Safe(shard.to_string().as_bytes())))?;
    let longest = match ingest.start_delay {
        Some(typed) => typed,
        None if shards::reads_objects(&ingest.out)? => START_DELAY,
        None => Duration::ZERO,
    };
    wait_up_to(longest, interrupt.flag());
    let progress = Progress::default();
    let report = progress::with_ingest_progress(streams.watcher, &progress, "archives", || {
        let workers = Workers { jobs: ingest.jobs, stores: &ingest.stores };
        shards::work(&ingest.out, shard.index, workers, &progress, interrupt.flag())
    })?;
    let read = match report.parts {
        0 => "nothing to do: the plan has more shards than parts".to_owned(),
        _ => summary::read_in(&report.read, report.parts_left + report.parts_kept, start.elapsed()),
    };
    streams.notify(format_args!("{out}: {read}"))?;
    failures::print(&report.flawed, streams)?;
    summary::refuse_stopped(report.parts_left, &ingest.out)?;
    // For any other code, a scheduler would run the task again, which does not repair damage. `commit` reports it.
    Ok(Exit::Good)
}

/// Waits a random time, so that many tasks that start together do not all request their inputs together.
fn wait_up_to(longest: Duration, stop: &AtomicBool) {
    const POLL_INTERVAL: Duration = Duration::from_millis(50);
    let end = Instant::now() + longest.mul_f64(stores::random_share());
    while let Some(left) = end.checked_duration_since(Instant::now()) {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        thread::sleep(left.min(POLL_INTERVAL));
    }
}
