//! Prints failures on standard error.

use crate::exit::Exit;
use crate::interrupt;
use crate::streams::Streams;
use crate::terminal::Safe;
use folder::Failure;
use std::fmt::Display;
use std::io;
use std::path::Path;

/// More lines than this help nobody: if 100,000 inputs fail, they usually fail for one reason.
const MOST_PRINTED: usize = 20;

/// Prints one failure per line, up to [`MOST_PRINTED`], and the number of the others.
pub(crate) fn print(failures: &[Failure], streams: &mut Streams<'_>) -> io::Result<()> {
    for failure in failures.iter().take(MOST_PRINTED) {
        let text = failure.to_string();
        streams.complain(Safe(text.as_bytes()))?;
    }
    match failures.len().checked_sub(MOST_PRINTED) {
        None | Some(0) => Ok(()),
        Some(more) => streams.complain(format_args!("and {more} more")),
    }
}

/// The failure of work that a signal stopped.
pub(crate) fn stopped(place: &Path) -> Failure {
    Failure::new("stopped", place, interrupt::cause())
}

/// The failure of work that a signal stopped, if something is left to do.
pub(crate) fn stopped_with(left: impl Display, place: &Path) -> Failure {
    Failure::new("stopped", place, format_args!("{}; {left}", interrupt::cause()))
}

/// Prints why a command cannot continue, and returns `Failed`.
pub(crate) fn fail(failures: impl Into<Vec<Failure>>, streams: &mut Streams<'_>) -> io::Result<Exit> {
    print(&failures.into(), streams)?;
    Ok(Exit::Failed)
}
