//! How far a run is, while someone watches: a bar on a terminal, a line every few seconds in a log.
//!
//! This is the one place that draws. Workers add to sums; a thread looks at them ten times a second, and says what it
//! finds: of archives a [`State`], of figures a [`Look`] of their own.

use indicatif::{DecimalBytes, FormattedDuration, HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use ingest::progress::Progress;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Who watches a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Watcher {
    /// A person before a terminal.
    Person,
    /// A log, or another program.
    Log,
    /// Nobody.
    Nobody,
}

impl Watcher {
    /// Who watches this process: standard error is where it is told.
    pub(crate) fn of_process() -> Self {
        if io::stderr().is_terminal() { Watcher::Person } else { Watcher::Log }
    }

    fn looks_every(self) -> Duration {
        match self {
            Watcher::Person => Duration::from_millis(100),
            Watcher::Log | Watcher::Nobody => Duration::from_secs(5),
        }
    }
}

/// The bar; of archives it is drawn by bytes, which tell best how much is left. It takes what the text leaves it, so that
/// of a narrow terminal the text has all.
const BAR: &str = "{percent:>3} % [{wide_bar}] {msg}";

/// How far a run is at a moment.
pub(crate) struct Look {
    /// How much of it is done.
    pub(crate) done: u64,
    /// How much there is to do; nothing as long as nobody knows.
    pub(crate) in_all: u64,
    /// What stands beside a bar.
    pub(crate) beside_bar: String,
    /// A line that says all.
    pub(crate) line: String,
}

/// Does the work on archives, and shows how far it is. `inputs` is what its inputs are called.
pub(crate) fn while_watched<T>(
    watcher: Watcher,
    progress: &Progress,
    inputs: &'static str,
    work: impl FnOnce() -> T,
) -> T {
    let look = |elapsed| State::of(progress, inputs, elapsed).look();
    while_looked_at(watcher, &look, work)
}

/// Does any work, and shows how far it is.
pub(crate) fn while_looked_at<T>(
    watcher: Watcher,
    look: &(dyn Fn(Duration) -> Look + Sync),
    work: impl FnOnce() -> T,
) -> T {
    if watcher == Watcher::Nobody {
        return work();
    }
    thread::scope(|scope| {
        let (done, is_done) = mpsc::channel::<()>();
        scope.spawn(move || watch(watcher, look, &is_done));
        let result = work();
        // The thread ends when nobody can tell it anything any more.
        drop(done);
        result
    })
}

/// Looks until the work is done.
fn watch(watcher: Watcher, look: &dyn Fn(Duration) -> Look, is_done: &mpsc::Receiver<()>) {
    let start = Instant::now();
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(BAR) {
        bar.set_style(style.progress_chars("=> "));
    }
    while is_done.recv_timeout(watcher.looks_every()) == Err(RecvTimeoutError::Timeout) {
        let look = look(start.elapsed());
        if look.in_all == 0 {
            continue;
        }
        match watcher {
            Watcher::Person => {
                bar.set_length(look.in_all);
                bar.set_position(look.done);
                bar.set_message(look.beside_bar);
            }
            // Whoever closes standard error does not want to hear of it.
            Watcher::Log => _ = writeln!(io::stderr(), "{}", look.line),
            Watcher::Nobody => {}
        }
    }
    bar.finish_and_clear();
}

/// The sums at a moment.
struct State {
    bytes: u64,
    bytes_in_all: u64,
    inputs: u64,
    inputs_in_all: u64,
    /// What inputs are called.
    called: &'static str,
    captures: u64,
    damaged_inputs: u64,
    elapsed: Duration,
}

impl State {
    fn of(progress: &Progress, called: &'static str, elapsed: Duration) -> Self {
        State {
            bytes: progress.bytes.load(Relaxed),
            bytes_in_all: progress.bytes_in_all.load(Relaxed),
            inputs: progress.inputs.load(Relaxed),
            inputs_in_all: progress.inputs_in_all.load(Relaxed),
            called,
            captures: progress.captures.load(Relaxed),
            damaged_inputs: progress.damaged_inputs.load(Relaxed),
            elapsed,
        }
    }

    fn look(&self) -> Look {
        Look { done: self.bytes, in_all: self.bytes_in_all, beside_bar: self.beside_bar(), line: self.to_string() }
    }

    fn rate(&self) -> DecimalBytes {
        let rate = self.bytes as f64 / self.elapsed.as_secs_f64().max(f64::MIN_POSITIVE);
        DecimalBytes(rate as u64)
    }

    /// The text beside a bar, which tells how much there is in all. It fits into eighty columns.
    fn beside_bar(&self) -> String {
        let (captures, damaged) = (HumanCount(self.captures), HumanCount(self.damaged_inputs));
        let left = self.left().map(|left| format!(", {} left", FormattedDuration(left))).unwrap_or_default();
        format!("{}, {}/s, {captures} captures, {damaged} damaged{left}", DecimalBytes(self.bytes), self.rate())
    }

    /// How long it takes from here, if it goes on as it went so far.
    fn left(&self) -> Option<Duration> {
        let rest = self.bytes_in_all.saturating_sub(self.bytes);
        (self.bytes > 0).then(|| Duration::from_secs_f64(self.elapsed.as_secs_f64() * rest as f64 / self.bytes as f64))
    }
}

impl std::fmt::Display for State {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "{} of {}, {}/s, {} of {} {}, {} captures, {} damaged",
            DecimalBytes(self.bytes),
            DecimalBytes(self.bytes_in_all),
            self.rate(),
            HumanCount(self.inputs),
            HumanCount(self.inputs_in_all),
            self.called,
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
    fn a_line_says_all() {
        let mut state = State {
            bytes: 50_000_000,
            bytes_in_all: 200_000_000,
            inputs: 23,
            inputs_in_all: 90,
            called: "archives",
            captures: 1_234_567,
            damaged_inputs: 1,
            elapsed: Duration::from_secs(10),
        };
        let expected =
            "50.00 MB of 200.00 MB, 5.00 MB/s, 23 of 90 archives, 1,234,567 captures, 1 damaged, 00:00:30 left";
        assert_eq!(state.to_string(), expected);
        assert_eq!(state.beside_bar(), "50.00 MB, 5.00 MB/s, 1,234,567 captures, 1 damaged, 00:00:30 left");
        state.bytes = 0;
        assert!(state.to_string().ends_with("1 damaged"), "{state}");
    }
}
