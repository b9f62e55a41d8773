//! What went wrong outside, named so that a person reads it.

use crate::streams::Streams;
use crate::terminal::Safe;
use folder::Failure;
use std::io;

/// So many failures of one kind are named; a list of a hundred thousand that all fail does so for one reason.
const MOST_NAMED: usize = 20;

/// Names failures, each on a line, up to a number that a person reads.
pub(crate) fn name(failures: &[Failure], streams: &mut Streams<'_>) -> io::Result<()> {
    for failure in failures.iter().take(MOST_NAMED) {
        let text = failure.to_string();
        streams.complain(Safe(text.as_bytes()))?;
    }
    match failures.len().checked_sub(MOST_NAMED) {
        None | Some(0) => Ok(()),
        Some(more) => streams.complain(format_args!("and {more} more")),
    }
}
