//! The report of a run.

use crate::plan::{Part, Planned};
use folder::Failure;
use folder::blocks::Blocks;
use folder::ledger::{InputDamage, LedgerEntry, ReadInput, Sums, WrittenFile};
use std::collections::BTreeMap;

/// The result of a run.
#[derive(Debug, Default)]
pub struct RunReport {
    /// How many parts are left because the run was stopped.
    pub parts_left: usize,
    /// How many earlier parts were kept, because an input of them cannot be read any more.
    pub parts_kept: usize,
    /// The sums of the inputs that this run read.
    pub read: Sums,
    /// Whether responses elsewhere than at `/robots.txt` are left out of some input.
    pub leaves_out_pages: bool,
    /// The sums of all inputs in the tables.
    pub sums: Sums,
    /// Rows and bytes of each table, over all parts, in the order of the tables.
    pub tables: Vec<WrittenFile>,
    /// Inputs that are damaged or could not be read, with causes.
    pub flawed: Vec<Failure>,
}

/// The sums of parts that are done, and what is wrong with their inputs. Errors of inputs that have changed since are
/// left out, as they may be wrong now.
pub(super) fn report(parts: &[Part], entries: &BTreeMap<u32, LedgerEntry>) -> RunReport {
    let mut report = RunReport { tables: written(entries), ..RunReport::default() };
    for part in parts {
        let Some(entry) = entries.get(&part.part) else { continue };
        report.sums.add(&entry.sums);
        report.leaves_out_pages |= part.inputs.iter().any(|input| !input.takes_everything);
        let inputs = part.inputs.iter().zip(&entry.inputs).filter(|(planned, read)| planned.stamp == read.stamp);
        report.flawed.extend(inputs.filter_map(|(planned, read)| flaw(planned, read)));
    }
    report
}

/// The report once no part is left to be made. Parts with inputs that have changed since were kept.
pub(super) fn final_report(parts: &[Part], entries: &BTreeMap<u32, LedgerEntry>) -> RunReport {
    let report = report(parts, entries);
    let made = parts.iter().filter_map(|part| Some((part, entries.get(&part.part)?)));
    let outdated = made.flat_map(|(part, entry)| part.changed_since(entry)).map(|planned| {
        let cause = "another input of its part cannot be read any more";
        Failure::new("input was not read again", planned.path.shown(), cause)
    });
    RunReport { flawed: outdated.chain(report.flawed).collect(), ..report }
}

/// The error of an input, if it has one.
fn flaw(planned: &Planned, read: &ReadInput) -> Option<Failure> {
    if let Some(cause) = &read.error {
        return Some(Failure::new("input was not read", planned.path.shown(), cause));
    }
    let InputDamage { bytes, offset, cause } = read.damage.as_ref()?;
    let cause = match bytes {
        0 => cause.clone(),
        bytes => format!("{cause}; {bytes} bytes have no readable record"),
    };
    Some(Failure::new("input is damaged", planned.path.shown(), cause).with_offset(*offset))
}

/// Rows and bytes of each table over all parts.
fn written(entries: &BTreeMap<u32, LedgerEntry>) -> Vec<WrittenFile> {
    let sum = |table: &str| {
        let mut sum = WrittenFile {
            table: table.to_owned(),
            rows: 0,
            bytes: 0,
            sha256: String::new(),
            blocks: Blocks::default(),
        };
        for file in entries.values().flat_map(|entry| &entry.files).filter(|file| file.table == table) {
            sum.rows += file.rows;
            sum.bytes += file.bytes;
        }
        sum
    };
    tables::tables().iter().map(|table| sum(table.name)).collect()
}
