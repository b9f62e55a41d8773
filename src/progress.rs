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
    let view = |elapsed| ProgressSums::read(progress, noun, elapsed).view();
    with_progress(watcher, &view, work)
}

/// Makes derived tables and shows their progress in rows.
pub(crate) fn with_model_progress<T>(watcher: Watcher, progress: &ModelProgress, work: impl FnOnce() -> T) -> T {
    let view = |elapsed| {
        let [rows, rows_in_all, tables, tables_in_all] =
            [&progress.rows, &progress.rows_in_all, &progress.tables, &progress.tables_in_all]
                .map(|sum| sum.load(Relaxed));
        let table = progress.table.lock().map(|table| table.clone()).unwrap_or_default();
        model_view(rows, rows_in_all, tables, tables_in_all, &table, elapsed)
    };
    with_progress(watcher, &view, work)
}

fn model_view(done: u64, in_all: u64, tables: u64, tables_in_all: u64, table: &str, elapsed: Duration) -> ProgressView {
    let left = time_left(done, in_all, elapsed);
    let left = left.map(|left| format!(", {} left", FormattedDuration(left))).unwrap_or_default();
    let made = format!("{tables} of {tables_in_all} derived tables");
    let (rows, rows_in_all) = (HumanCount(done), HumanCount(in_all));
    ProgressView {
        done,
        in_all,
        beside_bar: format!("{made}, {table}{left}"),
        line: format!("{made}, {table}, {rows} of {rows_in_all} rows read{left}"),
    }
}

/// The time left at the speed so far. Unknown once all is read: sorting and writing may take longer than reading.
fn time_left(done: u64, in_all: u64, elapsed: Duration) -> Option<Duration> {
    let rest = in_all.saturating_sub(done);
    (done > 0 && rest > 0).then(|| Duration::from_secs_f64(elapsed.as_secs_f64() * rest as f64 / done as f64))
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

/// The sums of a run at one moment.
struct ProgressSums {
    bytes: u64,
    bytes_in_all: u64,
    inputs: u64,
    inputs_in_all: u64,
    /// The noun for the inputs.
    noun: &'static str,
    captures: u64,
    damaged_inputs: u64,
    elapsed: Duration,
}

impl ProgressSums {
    fn read(progress: &Progress, noun: &'static str, elapsed: Duration) -> Self {
        ProgressSums {
            bytes: progress.bytes.load(Relaxed),
            bytes_in_all: progress.bytes_in_all.load(Relaxed),
            inputs: progress.inputs.load(Relaxed),
            inputs_in_all: progress.inputs_in_all.load(Relaxed),
            noun,
            captures: progress.captures.load(Relaxed),
            damaged_inputs: progress.damaged_inputs.load(Relaxed),
            elapsed,
        }
    }

    fn view(&self) -> ProgressView {
        let (done, in_all) = self.done();
        ProgressView { done, in_all, beside_bar: self.beside_bar(), line: self.to_string() }
    }

    fn rate(&self) -> DecimalBytes {
        let rate = self.bytes as f64 / self.elapsed.as_secs_f64().max(f64::MIN_POSITIVE);
        DecimalBytes(rate as u64)
    }

    /// The text beside the bar. It fits into 80 columns.
    fn beside_bar(&self) -> String {
        let (captures, damaged) = (HumanCount(self.captures), HumanCount(self.damaged_inputs));
        let left = self.left().map(|left| format!(", {} left", FormattedDuration(left))).unwrap_or_default();
        format!("{}, {}/s, {captures} captures, {damaged} damaged{left}", DecimalBytes(self.bytes), self.rate())
    }

    fn left(&self) -> Option<Duration> {
        let (done, in_all) = self.done();
        time_left(done, in_all, self.elapsed)
    }

    /// The amount done and the total: bytes, or inputs if their sizes are unknown.
    fn done(&self) -> (u64, u64) {
        match self.bytes_in_all {
            0 => (self.inputs, self.inputs_in_all),
            bytes_in_all => (self.bytes, bytes_in_all),
        }
    }
}

impl std::fmt::Display for ProgressSums {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}", DecimalBytes(self.bytes))?;
        if self.bytes_in_all > 0 {
            write!(formatter, " of {}", DecimalBytes(self.bytes_in_all))?;
        }
        write!(
            formatter,
            ", {}/s, {} of {} {}, {} captures, {} damaged",
            self.rate(),
            HumanCount(self.inputs),
            HumanCount(self.inputs_in_all),
            self.noun,
            HumanCount(self.captures),
            HumanCount(self.damaged_inputs),
        )?;
        match self.left() {
            Some(left) => write!(formatter, ", {} left", FormattedDuration(left)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_all_sums_and_the_time_left() {
        let mut sums = ProgressSums {
            bytes: 50_000_000,
            bytes_in_all: 200_000_000,
            inputs: 23,
            inputs_in_all: 90,
            noun: "archives",
            captures: 1_234_567,
            damaged_inputs: 1,
            elapsed: Duration::from_secs(10),
        };
        let expected =
            "50.00 MB of 200.00 MB, 5.00 MB/s, 23 of 90 archives, 1,234,567 captures, 1 damaged, 00:00:30 left";
        assert_eq!(sums.to_string(), expected);
        assert_eq!(sums.beside_bar(), "50.00 MB, 5.00 MB/s, 1,234,567 captures, 1 damaged, 00:00:30 left");
        sums.bytes_in_all = 0;
        let expected = "50.00 MB, 5.00 MB/s, 23 of 90 archives, 1,234,567 captures, 1 damaged, 00:00:29 left";
        assert_eq!(sums.to_string(), expected);
        sums.inputs = 0;
        assert!(sums.to_string().ends_with("1 damaged"), "{sums}");
    }

    #[test]
    fn a_line_has_the_table_that_is_being_made() {
        let view = model_view(1_000_000, 4_000_000, 1, 4, "body_classes of CC-MAIN-2024-10", Duration::from_secs(10));
        let table = "1 of 4 derived tables, body_classes of CC-MAIN-2024-10";
        assert_eq!(view.beside_bar, format!("{table}, 00:00:30 left"));
        assert_eq!(view.line, format!("{table}, 1,000,000 of 4,000,000 rows read, 00:00:30 left"));
        let view = model_view(4, 4, 3, 4, "class_verdicts of A", Duration::from_secs(10));
        assert_eq!(view.line, "3 of 4 derived tables, class_verdicts of A, 4 of 4 rows read");
    }
}
