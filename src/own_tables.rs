//! Checks the tables of the user before anything is computed.

use analyze::{OwnTable, did_you_mean};
use folder::Failure;
use std::collections::BTreeSet;
use std::path::Path;

/// Who reads tables of the user.
#[derive(Debug, Clone, Copy)]
pub(crate) enum OwnTableReader {
    Question,
    Report,
}

/// Fails for each table whose name nothing reads, and for each file that cannot be read. Returns all failures together.
pub(crate) fn check(own: &[OwnTable], known: &BTreeSet<&str>, reader: OwnTableReader) -> Result<(), Vec<Failure>> {
    let mut failures = Vec::new();
    for OwnTable { name, path } in own {
        if !known.contains(name.as_str()) {
            let meant = did_you_mean(name, known.iter().copied());
            let cause = match reader {
                OwnTableReader::Question => {
                    let names = analyze::user_tables().join(", ");
                    format!("no question reads it; questions can read these tables of yours: {names}{meant}")
                }
                OwnTableReader::Report => {
                    let names = known.iter().copied().collect::<Vec<_>>().join(", ");
                    format!("no figure reads it; figures read these tables of yours: {names}{meant}")
                }
            };
            failures.push(Failure::new("table is unknown", Path::new(name), cause));
        }
        if let Err(error) = std::fs::metadata(path) {
            failures.push(Failure::new("table cannot be read", path, error));
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures) }
}
