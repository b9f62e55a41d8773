//! How the reading of an input ended, and what follows for its part.

use super::earlier::READ_IN_PART;
use super::interruption::{Interruption, RestartReason, given_up};
use super::prefetch::{OpenFailure, Source};
use crate::archive::{Account, OtherFormat};
use crate::plan::Planned;
use crate::tally::{InputEnd, Tally};
use folder::Stamp;
use folder::failure::lower;
use folder::ledger::{self, Sums};
use std::io;
use stores::{FetchError, FetchErrorKind};

/// The end of an input that could not be opened. Fails if the part cannot go on without it.
pub(super) fn end_unopened(planned: &Planned, failure: OpenFailure) -> Result<InputEnd, Interruption> {
    let error = match failure {
        OpenFailure::Changed => return Ok(InputEnd::failed("it has changed since it was listed")),
        OpenFailure::Failed(error) => error,
    };
    let cause = lower(error.to_string());
    match FetchError::kind_of(&error) {
        Some(FetchErrorKind::Stopped) => Err(Interruption::Stopped),
        Some(FetchErrorKind::GivenUp) => Err(given_up(planned, &error)),
        Some(FetchErrorKind::Changed | FetchErrorKind::Unread) => Ok(InputEnd::failed(cause)),
        None => Ok(InputEnd::failed(format_args!("it cannot be opened: {cause}"))),
    }
}

/// Why an input could not be read to its end. Fails if the part must be read again, or cannot go on without it.
pub(super) fn unfinished(at: usize, planned: &Planned, error: &io::Error) -> Result<String, Interruption> {
    match FetchError::kind_of(error) {
        // None of its records may be kept, since they may come from two versions.
        Some(FetchErrorKind::Changed) => Err(Interruption::restart(at, RestartReason::LeaveOut(error.to_string()))),
        Some(FetchErrorKind::GivenUp) => Err(given_up(planned, error)),
        _ => Ok(match OtherFormat::find_in(error) {
            Some(format) => format.to_string(),
            None => format!("{READ_IN_PART}: {}", lower(error.to_string())),
        }),
    }
}

/// Whether an archive has no record and no damage.
pub(super) fn is_empty(account: &Account) -> bool {
    matches!(account, Account { records: 0, large_records: 0, damaged_bytes: 0, .. })
}

/// Whether a file differs from what was planned, in what was read or in its size and time after that.
pub(super) fn has_changed(planned: &Planned, account: &Account, source: &Source<'_>) -> bool {
    let is_as_planned = |stamp: Stamp| {
        stamp.bytes == account.bytes && source.file_stamp().is_ok_and(|now| now.is_none_or(|now| now == stamp))
    };
    planned.stamp.is_some_and(|stamp| !is_as_planned(stamp))
}

pub(super) fn add_up(sums: &mut Sums, tally: &Tally, end: &InputEnd) {
    let Account { bytes, good_bytes, damaged_bytes, .. } = end.account;
    sums.inputs += 1;
    sums.damaged_inputs += u64::from(!tally.damaged.is_empty());
    sums.failed_inputs += u64::from(end.error.is_some());
    sums.bytes += bytes;
    sums.good_bytes += good_bytes;
    sums.damaged_bytes += damaged_bytes;
    sums.records += tally.records;
    sums.captures += tally.captures;
    for (reason, count, _) in tally.skipped.by_name() {
        *sums.skipped.entry(reason.to_owned()).or_default() += count;
    }
}

/// The damage to an input, with the cause of the first damaged bytes. `None` if it has no damage.
pub(super) fn damage(tally: &Tally, end: &InputEnd) -> Option<ledger::InputDamage> {
    let (cause, _, offset) = tally.damaged.by_name().min_by_key(|(.., offset)| *offset)?;
    Some(ledger::InputDamage { bytes: end.account.damaged_bytes, offset, cause: cause.to_owned() })
}

impl InputEnd {
    pub(super) fn failed(error: impl std::fmt::Display) -> Self {
        InputEnd { error: Some(error.to_string()), ..InputEnd::default() }
    }
}
