//! Shows progress on standard error: a bar on a terminal, a line every five seconds in a log.
//!
//! Workers add to counters. One thread reads them and draws, ten times a second on a terminal.

use analyze::models::ModelProgress;
use indicatif::{DecimalBytes, FormattedDuration, HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use ingest::progress::Progress;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Who watches standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Watcher {
    /// A person at a terminal.
    Person,
    /// A log, or another program.
    Log,
    /// Nobody: only failures are printed.
    Nobody,
}

impl Watcher {
    /// Detects whether standard error is a terminal.
    pub(crate) fn detect() -> Self {
        if io::stderr().is_terminal() { Watcher::Person } else { Watcher::Log }
    }

    fn interval(self) -> Duration {
        match self {
            Watcher::Person => Duration::from_millis(100),
            Watcher::Log | Watcher::Nobody => Duration::from_secs(5),
        }
    }
}

/// The template of the bar. The bar takes the width that the text leaves.
const BAR: &str = "{percent:>3} % [{wide_bar}] {msg}";

/// The progress at one moment.
pub(crate) struct ProgressView {
    /// The amount done, in bytes, rows or figures.
    pub(crate) done: u64,
    /// The total amount; 0 until it is known.
    pub(crate) in_all: u64,
    /// The text beside the bar.
    pub(crate) beside_bar: String,
    /// The line for a log.
    pub(crate) line: String,
}

/// Runs work on archives or files and shows its progress in bytes. `noun` names the inputs: archives, parts or files.
pub(crate) fn with_ingest_progress<T>(
    watcher: Watcher,
    progress: &Progress,
    noun: &'static str,
    work: impl FnOnce() -> T,
) -> T {
    with_progress(watcher, &|elapsed| ingest_view(progress, noun, elapsed), work)
}

/// The text beside the bar fits into 80 columns.
fn ingest_view(progress: &Progress, noun: &str, elapsed: Duration) -> ProgressView {
    let [bytes, bytes_in_all, inputs, inputs_in_all] =
        [&progress.bytes, &progress.bytes_in_all, &progress.inputs, &progress.inputs_in_all]
            .map(|sum| sum.load(Relaxed));
    // Inputs count if their sizes are unknown.
    let (done, in_all) = if bytes_in_all == 0 { (inputs, inputs_in_all) } else { (bytes, bytes_in_all) };
    let left = time_left(done, in_all, elapsed);
    let rate = DecimalBytes((bytes as f64 / elapsed.as_secs_f64().max(f64::MIN_POSITIVE)) as u64);
    let bytes = DecimalBytes(bytes);
    let of_bytes = if bytes_in_all == 0 { String::new() } else { format!(" of {}", DecimalBytes(bytes_in_all)) };
    let [inputs, inputs_in_all] = [inputs, inputs_in_all].map(HumanCount);
    let [captures, damaged] = [&progress.captures, &progress.damaged_inputs].map(|sum| HumanCount(sum.load(Relaxed)));
    let found = format!("{captures} captures, {damaged} damaged{left}");
    ProgressView {
        done,
        in_all,
        beside_bar: format!("{bytes}, {rate}/s, {found}"),
        line: format!("{bytes}{of_bytes}, {rate}/s, {inputs} of {inputs_in_all} {noun}, {found}"),
    }
}

/// Makes derived tables and shows their progress in rows.
pub(crate) fn with_model_progress<T>(watcher: Watcher, progress: &ModelProgress, work: impl FnOnce() -> T) -> T {
    with_progress(watcher, &|elapsed| model_view(progress, elapsed), work)
}

fn model_view(progress: &ModelProgress, elapsed: Duration) -> ProgressView {
    let [done, in_all, tables, tables_in_all] =
        [&progress.rows, &progress.rows_in_all, &progress.tables, &progress.tables_in_all].map(|sum| sum.load(Relaxed));
    let table = progress.table.lock().clone();
    let left = time_left(done, in_all, elapsed);
    let made = format!("{tables} of {tables_in_all} derived tables, {table}");
    let (rows, rows_in_all) = (HumanCount(done), HumanCount(in_all));
    ProgressView {
        done,
        in_all,
        beside_bar: format!("{made}{left}"),
        line: format!("{made}, {rows} of {rows_in_all} rows read{left}"),
    }
}

/// The time left at the speed so far, as the end of a line. Unknown once all is read: sorting and writing may take longer
/// than reading.
fn time_left(done: u64, in_all: u64, elapsed: Duration) -> String {
    let rest = in_all.saturating_sub(done);
    if done == 0 || rest == 0 {
        return String::new();
    }
    let left = Duration::from_secs_f64(elapsed.as_secs_f64() * rest as f64 / done as f64);
    format!(", {} left", FormattedDuration(left))
}

/// Runs work and shows its progress.
pub(crate) fn with_progress<T>(
    watcher: Watcher,
    view: &(dyn Fn(Duration) -> ProgressView + Sync),
    work: impl FnOnce() -> T,
) -> T {
    if watcher == Watcher::Nobody {
        return work();
    }
    thread::scope(|scope| {
        let (done, is_done) = mpsc::channel::<()>();
        // Without a thread to show it, the work is done all the same.
        let _ = thread::Builder::new().spawn_scoped(scope, move || watch(watcher, view, &is_done));
        let result = work();
        // The thread ends when the sender is dropped.
        drop(done);
        result
    })
}

/// Draws at intervals until the work is done.
fn watch(watcher: Watcher, view: &dyn Fn(Duration) -> ProgressView, is_done: &mpsc::Receiver<()>) {
    let start = Instant::now();
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(BAR) {
        bar.set_style(style.progress_chars("=> "));
    }
    while is_done.recv_timeout(watcher.interval()) == Err(RecvTimeoutError::Timeout) {
        let view = view(start.elapsed());
        if view.in_all == 0 {
            continue;
        }
        match watcher {
            Watcher::Person => {
                bar.set_length(view.in_all);
                bar.set_position(view.done);
                bar.set_message(view.beside_bar);
            }
            // A closed standard error is ignored.
            Watcher::Log => _ = writeln!(io::stderr(), "{}", view.line),
            Watcher::Nobody => {}
        }
    }
    bar.finish_and_clear();
}

#[cfg(test)]
mod tests {
    use super::*;
    use parking_lot::Mutex;

    const ELAPSED: Duration = Duration::from_secs(10);

    #[test]
    fn a_line_has_all_sums_and_the_time_left() {
        let mut progress = Progress {
            bytes: 50_000_000.into(),
            bytes_in_all: 200_000_000.into(),
            inputs: 23.into(),
            inputs_in_all: 90.into(),
            captures: 1_234_567.into(),
            damaged_inputs: 1.into(),
        };
        let view = ingest_view(&progress, "archives", ELAPSED);
        let expected =
            "50.00 MB of 200.00 MB, 5.00 MB/s, 23 of 90 archives, 1,234,567 captures, 1 damaged, 00:00:30 left";
        assert_eq!(view.line, expected);
        assert_eq!(view.beside_bar, "50.00 MB, 5.00 MB/s, 1,234,567 captures, 1 damaged, 00:00:30 left");
        progress.bytes_in_all = 0.into();
        let expected = "50.00 MB, 5.00 MB/s, 23 of 90 archives, 1,234,567 captures, 1 damaged, 00:00:29 left";
        assert_eq!(ingest_view(&progress, "archives", ELAPSED).line, expected);
        progress.inputs = 0.into();
        let line = ingest_view(&progress, "archives", ELAPSED).line;
        assert!(line.ends_with("1 damaged"), "{line}");
    }

    #[test]
    fn a_line_has_the_table_that_is_being_made() {
        let mut progress = ModelProgress {
            rows: 1_000_000.into(),
            rows_in_all: 4_000_000.into(),
            tables: 1.into(),
            tables_in_all: 4.into(),
            made_again: 0.into(),
            table: Mutex::new("body_classes of CC-MAIN-2024-10".to_owned()),
        };
        let view = model_view(&progress, ELAPSED);
        let table = "1 of 4 derived tables, body_classes of CC-MAIN-2024-10";
        assert_eq!(view.beside_bar, format!("{table}, 00:00:30 left"));
        assert_eq!(view.line, format!("{table}, 1,000,000 of 4,000,000 rows read, 00:00:30 left"));
        progress.rows = 4_000_000.into();
        assert_eq!(model_view(&progress, ELAPSED).line, format!("{table}, 4,000,000 of 4,000,000 rows read"));
    }
}
