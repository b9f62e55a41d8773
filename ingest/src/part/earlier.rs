//! The earlier version of a part. It is kept if a new version would lose rows.

use crate::plan::Part;
use folder::Failure;
use folder::ledger::LedgerEntry;

/// The failure of a part that must not be made again: an input that its earlier version has read cannot be read now,
/// so a new version would not have its rows. `None` if there is no such input. `errors` says for each input why it
/// cannot be read.
pub(crate) fn lost_input(
    part: &Part,
    earlier: &LedgerEntry,
    errors: impl Iterator<Item = Option<String>>,
) -> Option<Failure> {
    let inputs = part.inputs.iter().zip(&earlier.inputs).zip(errors);
    let mut lost =
        inputs.filter_map(|((planned, read), error)| Some((planned, error.filter(|_| read.error.is_none())?)));
    let (first, error) = lost.next()?;
    let keep = match lost.count() {
        0 => "the tables keep its rows".to_owned(),
        1 => "nor can another input of its part; the tables keep their rows".to_owned(),
        others => format!("nor can {others} other inputs of its part; the tables keep their rows"),
    };
    Some(Failure::new("input cannot be read any more", first.path.shown(), format_args!("{error}; {keep}")))
}
