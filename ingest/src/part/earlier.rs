//! The earlier version of a part. It is kept if a new version would lose rows.

use super::unpublished;
use crate::plan::Part;
use folder::ledger::LedgerEntry;
use folder::{Failure, Folder, mounts};

/// The start of the error of an input that was read in part.
pub(super) const READ_IN_PART: &str = "it cannot be read to its end";

/// The failure of a part that must not be made again: a new version would lack rows of an input that cannot be read
/// as far as for the earlier version. `None` if there is no such input. `errors` says for each input why it cannot be
/// read now. With `folder`, the earlier version is in its tables, and the failure says whether it is whole. Otherwise a
/// shard has staged it.
pub(crate) fn lost_input(
    part: &Part,
    earlier: &LedgerEntry,
    errors: impl Iterator<Item = Option<String>>,
    folder: Option<&Folder>,
) -> Option<Failure> {
    let inputs = part.inputs.iter().zip(&earlier.inputs).zip(errors);
    let mut lost = inputs.filter_map(|((planned, read), error)| {
        let is_lost = Extent::by_error(error.as_deref()) < Extent::by_error(read.error.as_deref());
        Some((planned, error.filter(|_| is_lost)?))
    });
    let (first, error) = lost.next()?;
    let (others, rows) = match lost.count() {
        0 => (String::new(), "its rows"),
        1 => ("nor can another input of its part; ".to_owned(), "their rows"),
        others => (format!("nor can {others} other inputs of its part; "), "their rows"),
    };
    let damaged = folder.and_then(|folder| Some((unpublished(earlier, folder)?, folder.entry(part.part))));
    let result = match damaged {
        None => format!("the {} {rows}", if folder.is_some() { "tables keep" } else { "shard keeps" }),
        Some((file, entry)) => {
            let [file, entry] = [&file, &entry].map(|path| mounts::shown(path).display().to_string());
            format!(
                "but {file} is missing or has another length; ingest makes the part again once all its archives can \
                 be read; if they are gone for good, remove {entry}, and ingest makes it without {rows}"
            )
        }
    };
    Some(Failure::new("input cannot be read any more", first.path.shown(), format_args!("{error}; {others}{result}")))
}

/// How much of an input was read.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Extent {
    Nothing,
    Start,
    Whole,
}

impl Extent {
    /// The extent of an input with this error.
    fn by_error(error: Option<&str>) -> Self {
        match error {
            None => Extent::Whole,
            Some(error) if error.starts_with(READ_IN_PART) => Extent::Start,
            Some(_) => Extent::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Planned;
    use folder::ledger::{ReadInput, Sums};
    use std::path::PathBuf;
    use stores::Location;

    #[test]
    fn an_input_is_lost_if_less_of_it_can_be_read() {
        let errors = [Some("it cannot be opened"), Some("it cannot be read to its end: broken"), None];
        let check = |before: Option<&str>, now: Option<&str>, is_lost: bool| {
            let path = Location::File(PathBuf::from("a"));
            let planned = Planned { warc_filename: "a".to_owned(), path, stamp: None, takes_everything: false };
            let part = Part { part: 0, crawl: "C-1".to_owned(), inputs: vec![planned] };
            let read = ReadInput { stamp: None, object: None, error: before.map(str::to_owned), damage: None };
            let (crawl, sums, made_by) = ("C-1".to_owned(), Sums::default(), String::new());
            let inputs = vec![read];
            let earlier = LedgerEntry { part: 0, crawl, inputs, files: Vec::new(), sums, made_by, seconds: 0.0 };
            let lost = lost_input(&part, &earlier, [now.map(str::to_owned)].into_iter(), None);
            assert_eq!(lost.is_some(), is_lost, "{before:?} {now:?}");
        };
        for (before, of_before) in errors.iter().zip(0..) {
            for (now, of_now) in errors.iter().zip(0..) {
                check(*before, *now, of_now < of_before);
            }
        }
    }
}
