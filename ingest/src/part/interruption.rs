//! Why reading ends early, and what a new attempt at a part leaves out.

use super::messages::PANICKED;
use crate::plan::Planned;
use folder::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use tables::ParquetError;

/// The results of earlier attempts to read a part.
#[derive(Debug, Default)]
pub(super) struct EarlierAttempts {
    /// Inputs to leave out, by their positions in the part, with the error for `inputs`.
    pub(super) left_out: BTreeMap<usize, String>,
    /// Objects that were damaged in transit.
    pub(super) misread: BTreeSet<usize>,
}

impl EarlierAttempts {
    pub(super) fn add(&mut self, input: usize, reason: RestartReason) {
        match reason {
            RestartReason::LeaveOut(reason) => _ = self.left_out.insert(input, reason),
            RestartReason::Misread if self.misread.insert(input) => {}
            RestartReason::Misread => {
                _ = self.left_out.insert(input, "its bytes differ each time it is fetched".to_owned());
            }
        }
    }
}

/// Why a part is read again from its start.
#[derive(Debug)]
pub(super) enum RestartReason {
    /// To leave out an input, since some of its records may have been passed on. Has the error for `inputs`.
    LeaveOut(String),
    /// To read an object again that was damaged in transit.
    Misread,
}

/// Why reading a part ends early.
pub(super) enum Interruption {
    Stopped,
    /// The part must be read again, because of the input at this position.
    Restart {
        input: usize,
        reason: RestartReason,
    },
    GivenUp(Failure),
    RowsFailed(ParquetError),
}

impl<E: Into<ParquetError>> From<E> for Interruption {
    fn from(error: E) -> Self {
        Interruption::RowsFailed(error.into())
    }
}

impl Interruption {
    pub(super) fn restart(input: usize, reason: RestartReason) -> Self {
        Interruption::Restart { input, reason }
    }

    pub(super) fn panicked(input: usize) -> Self {
        Interruption::restart(input, RestartReason::LeaveOut(PANICKED.to_owned()))
    }
}

pub(super) fn given_up(planned: &Planned, error: &io::Error) -> Interruption {
    Interruption::GivenUp(Failure::new("store cannot be read", planned.path.shown(), error))
}
