//! The failures that end a command, and how failures are printed on standard error.

use crate::exit::Exit;
use crate::interrupt;
use crate::streams::Streams;
use crate::terminal::Safe;
use folder::Failure;
use std::fmt::Display;
use std::io;
use std::path::Path;

/// The exit code of a command, or why it ended before it had one.
pub(crate) type CommandResult = Result<Exit, CommandError>;

/// Why a command ended before its work was done.
#[derive(Debug)]
pub(crate) enum CommandError {
    /// Failures, which are not printed yet.
    Failed(Vec<Failure>),
    /// Its output cannot be written.
    Unwritten(io::Error),
}

impl From<Failure> for CommandError {
    fn from(failure: Failure) -> Self {
        CommandError::Failed(vec![failure])
    }
}

impl From<Vec<Failure>> for CommandError {
    fn from(failures: Vec<Failure>) -> Self {
        CommandError::Failed(failures)
    }
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        CommandError::Unwritten(error)
    }
}

/// Prints the failures that ended a command, and returns its exit code.
pub(crate) fn print_end(ended: CommandResult, streams: &mut Streams<'_>) -> io::Result<Exit> {
    match ended {
        Ok(exit) => Ok(exit),
        Err(CommandError::Failed(failures)) => print(&failures, streams).map(|()| Exit::Failed),
        Err(CommandError::Unwritten(error)) => Err(error),
    }
}

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
