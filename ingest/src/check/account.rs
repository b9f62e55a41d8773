//! Checks that every byte and record is counted once: for each input in the tables, and in the sums of the ledger.

use super::captures::Counted;
use super::damage::{CheckError, DamageGroup};
use super::file::CheckedFile;
use crate::archive::Cause;
use crate::plan::{Part, Planned};
use arrow_array::StringArray;
use folder::{
    Failure,
    ledger::{LedgerEntry, ReadInput, Sums},
};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use tables::skips::{DAMAGED, REMARK, SKIPPED};
use tables::{inputs, skips};

/// The row of an input in `inputs`.
#[derive(Debug, Default)]
struct InputRow {
    bytes: i64,
    records: i64,
    captures: i64,
    good_bytes: i64,
    damaged_bytes: i64,
    error: Option<String>,
    has_digest: bool,
}

/// The sums of `skips` for an input.
#[derive(Debug, Default, Clone)]
struct Skips {
    /// Skipped records.
    skipped: i128,
    /// Damage of any kind.
    damages: i128,
    /// Stretches of damaged bytes.
    stretches: i128,
}

/// Checks the counts of a part. `counted` is `None` if its captures could not be counted.
pub(super) fn check(
    (inputs, skips): (&CheckedFile<'_>, &CheckedFile<'_>),
    counted: Option<&Counted>,
    (part, entry): (&Part, &LedgerEntry),
    ledger: &Path,
    damages: &mut Vec<Failure>,
) -> Result<(), CheckError> {
    let by_name = part.positions();
    let rows = rows(inputs, part, &by_name, damages)?;
    let mut reasons: BTreeMap<&str, i128> = entry.sums.skipped.keys().map(|reason| (reason.as_str(), 0)).collect();
    let by_input = skipped(skips, part, &by_name, &mut reasons, damages)?;
    let mut accounts = Accounts::default();
    for (at, (planned, read)) in part.inputs.iter().zip(&entry.inputs).enumerate() {
        let Some(Some(row)) = rows.get(at) else { continue };
        let skips = by_input.get(at).cloned().unwrap_or_default();
        accounts.bytes(planned, read, row);
        accounts.records(planned, row, &skips, counted.and_then(|counted| counted.by_input.get(at)).copied());
    }
    accounts.report((inputs, skips), ledger, damages);
    let rows: Vec<InputRow> = rows.into_iter().flatten().collect();
    let damaged_inputs = by_input.iter().filter(|skips| skips.damages > 0).count();
    sums(&rows, damaged_inputs, &reasons, counted, &entry.sums).report("ledger has another sum", ledger, damages);
    Ok(())
}

/// The rows of `inputs`, in the order of the plan.
fn rows(
    file: &CheckedFile<'_>,
    part: &Part,
    by_name: &HashMap<&str, usize>,
    damages: &mut Vec<Failure>,
) -> Result<Vec<Option<InputRow>>, CheckError> {
    let names = inputs::NAMES;
    let numbers = [names.bytes, names.records, names.captures, names.good_bytes, names.damaged_bytes];
    let mut rows: Vec<Option<InputRow>> = part.inputs.iter().map(|_| None).collect();
    let (mut duplicate, mut foreign, mut missing) =
        (DamageGroup::default(), DamageGroup::default(), DamageGroup::default());
    let mut batches = file.batches(&[&[names.warc_filename, names.error, names.digest], numbers.as_slice()].concat());
    while let Some(batch) = batches.next()? {
        let filenames: &StringArray = batches.column(&batch, names.warc_filename)?;
        let errors: &StringArray = batches.column(&batch, names.error)?;
        let digests: &StringArray = batches.column(&batch, names.digest)?;
        let bytes = batches.numbers(&batch, names.bytes)?;
        let records = batches.numbers(&batch, names.records)?;
        let captures = batches.numbers(&batch, names.captures)?;
        let good_bytes = batches.numbers(&batch, names.good_bytes)?;
        let damaged_bytes = batches.numbers(&batch, names.damaged_bytes)?;
        let sizes = bytes.into_iter().zip(good_bytes).zip(damaged_bytes);
        let counts = records.into_iter().zip(captures);
        let texts = filenames.iter().zip(errors.iter()).zip(digests.iter());
        for ((((filename, error), digest), ((bytes, good_bytes), damaged_bytes)), (records, captures)) in
            texts.zip(sizes).zip(counts)
        {
            let filename = filename.unwrap_or_default();
            let (error, has_digest) = (error.map(str::to_owned), digest.is_some());
            let row = InputRow { bytes, records, captures, good_bytes, damaged_bytes, error, has_digest };
            match by_name.get(filename).and_then(|at| rows.get_mut(*at)) {
                None => foreign.add(|| filename.to_owned()),
                Some(Some(_)) => duplicate.add(|| filename.to_owned()),
                Some(place) => *place = Some(row),
            }
        }
    }
    for (planned, _) in part.inputs.iter().zip(&rows).filter(|(_, row)| row.is_none()) {
        missing.add(|| planned.warc_filename.clone());
    }
    missing.report("input has no row", &file.path, damages);
    duplicate.report("input has two rows", &file.path, damages);
    foreign.report("row belongs to no input", &file.path, damages);
    Ok(rows)
}

/// The sums of `skips` by input, in the order of the plan. Adds the sums by reason to `reasons`, which has the reasons
/// in the ledger. Other reasons are damage.
fn skipped(
    file: &CheckedFile<'_>,
    part: &Part,
    by_name: &HashMap<&str, usize>,
    reasons: &mut BTreeMap<&str, i128>,
    damages: &mut Vec<Failure>,
) -> Result<Vec<Skips>, CheckError> {
    let names = skips::NAMES;
    let mut by_input = vec![Skips::default(); part.inputs.len()];
    let (mut foreign, mut unknown_kind, mut unknown_reason) =
        (DamageGroup::default(), DamageGroup::default(), DamageGroup::default());
    let mut batches = file.batches(&[names.warc_filename, names.kind, names.reason, names.occurrences]);
    while let Some(batch) = batches.next()? {
        let filenames: &StringArray = batches.column(&batch, names.warc_filename)?;
        let kinds: &StringArray = batches.column(&batch, names.kind)?;
        let why: &StringArray = batches.column(&batch, names.reason)?;
        let texts = filenames.iter().zip(kinds.iter()).zip(why.iter());
        for (((filename, kind), reason), occurrences) in texts.zip(batches.numbers(&batch, names.occurrences)?) {
            let (filename, occurrences) = (filename.unwrap_or_default(), i128::from(occurrences));
            let Some(skips) = by_name.get(filename).and_then(|at| by_input.get_mut(*at)) else {
                foreign.add(|| filename.to_owned());
                continue;
            };
            match (kind.unwrap_or_default(), reason.unwrap_or_default()) {
                (SKIPPED, reason) => {
                    skips.skipped += occurrences;
                    match reasons.get_mut(reason) {
                        Some(sum) => *sum += occurrences,
                        None => unknown_reason.add(|| format!("{filename}: the ledger has no {reason}")),
                    }
                }
                (DAMAGED, reason) => {
                    skips.damages += occurrences;
                    if !Cause::ALL.iter().any(|cause| cause.name() == reason && cause.has_no_bytes()) {
                        skips.stretches += occurrences;
                    }
                }
                (REMARK, _) => {}
                (kind, _) => unknown_kind.add(|| format!("{filename}: {kind}")),
            }
        }
    }
    foreign.report("row belongs to no input", &file.path, damages);
    unknown_kind.report("row has an unknown kind", &file.path, damages);
    unknown_reason.report("row has an unknown reason", &file.path, damages);
    Ok(by_input)
}

/// Contradictions in the counts of inputs, by kind.
#[derive(Debug, Default)]
struct Accounts {
    bytes: DamageGroup,
    size: DamageGroup,
    digest: DamageGroup,
    records: DamageGroup,
    captures: DamageGroup,
    damage: DamageGroup,
    ledger: DamageGroup,
}

impl Accounts {
    fn bytes(&mut self, planned: &Planned, read: &ReadInput, row: &InputRow) {
        let name = &planned.warc_filename;
        let InputRow { bytes, good_bytes, damaged_bytes, error, has_digest, .. } = row;
        if i128::from(*bytes) != i128::from(*good_bytes) + i128::from(*damaged_bytes) {
            self.bytes.add(|| format!("{name} has {bytes}, which are not {good_bytes} good + {damaged_bytes} damaged"));
        }
        // The writer may have computed a wrong sum. The size comes from the file system or the store.
        let size = planned.stamp.map(|stamp| (stamp.bytes, "the plan"));
        let size = size.or_else(|| Some((read.object.as_ref()?.bytes, "the ledger")));
        if let Some((size, named)) = size.filter(|(size, _)| error.is_none() && u64::try_from(*bytes) != Ok(*size)) {
            self.size.add(|| format!("{name} has {bytes} bytes, but {size} in {named}"));
        }
        // An archive that was read to its end has a digest and no error.
        if error.is_some() == *has_digest {
            self.digest.add(|| format!("{name} has {}", if *has_digest { "an error and a digest" } else { "neither" }));
        }
        let in_ledger = read.damage.as_ref().map_or(0, |damage| damage.bytes);
        if u64::try_from(*damaged_bytes) != Ok(in_ledger) {
            self.ledger.add(|| format!("{name} has {in_ledger} damaged bytes, but {damaged_bytes} in inputs"));
        }
        if read.error != *error {
            let text = |error: &Option<String>| error.clone().unwrap_or("no error".to_owned());
            self.ledger.add(|| format!("{name} has {}, but {} in inputs", text(&read.error), text(error)));
        }
    }

    fn records(&mut self, planned: &Planned, row: &InputRow, skips: &Skips, in_captures: Option<i128>) {
        let name = &planned.warc_filename;
        let InputRow { records, captures, damaged_bytes, .. } = row;
        let Skips { skipped, stretches, .. } = skips;
        if i128::from(*records) != i128::from(*captures) + skipped {
            self.records.add(|| format!("{name} has {records}, which are not {captures} captures + {skipped} skipped"));
        }
        if let Some(rows) = in_captures.filter(|rows| *rows != i128::from(*captures)) {
            self.captures.add(|| format!("{name} has {captures}, but {rows} rows in captures"));
        }
        if (*damaged_bytes > 0) != (*stretches > 0) {
            self.damage
                .add(|| format!("{name} has {stretches} stretches of damage, but {damaged_bytes} damaged bytes"));
        }
    }

    fn report(self, (inputs, skips): (&CheckedFile<'_>, &CheckedFile<'_>), ledger: &Path, damages: &mut Vec<Failure>) {
        self.bytes.report("bytes do not add up", &inputs.path, damages);
        self.size.report("input has another size", &inputs.path, damages);
        self.digest.report("input needs an error or a digest", &inputs.path, damages);
        self.records.report("records do not add up", &inputs.path, damages);
        self.captures.report("captures are miscounted", &inputs.path, damages);
        self.damage.report("damage is not accounted for", &skips.path, damages);
        self.ledger.report("ledger differs from the tables", ledger, damages);
    }
}

/// The sums in the ledger that differ from those of the tables.
fn sums(
    rows: &[InputRow],
    damaged: usize,
    reasons: &BTreeMap<&str, i128>,
    counted: Option<&Counted>,
    ledger: &Sums,
) -> DamageGroup {
    let of = |number: fn(&InputRow) -> i64| rows.iter().map(|row| i128::from(number(row))).sum::<i128>();
    let how_many = |is_so: fn(&InputRow) -> bool| rows.iter().filter(|row| is_so(row)).count() as i128;
    let Sums { inputs, damaged_inputs, failed_inputs, bytes, good_bytes, damaged_bytes, .. } = *ledger;
    let mut pairs = vec![
        ("inputs", inputs, rows.len() as i128),
        ("damaged inputs", damaged_inputs, damaged as i128),
        ("failed inputs", failed_inputs, how_many(|row| row.error.is_some())),
        ("bytes", bytes, of(|row| row.bytes)),
        ("good bytes", good_bytes, of(|row| row.good_bytes)),
        ("damaged bytes", damaged_bytes, of(|row| row.damaged_bytes)),
        ("records", ledger.records, of(|row| row.records)),
        ("captures", ledger.captures, of(|row| row.captures)),
    ];
    pairs.extend(
        ledger
            .skipped
            .iter()
            .map(|(reason, sum)| (reason.as_str(), *sum, reasons.get(reason.as_str()).copied().unwrap_or_default())),
    );
    pairs.extend(counted.map(|counted| ("bytes of bodies", ledger.body_bytes, counted.body_bytes)));
    let mut differing = DamageGroup::default();
    for (what, in_ledger, in_tables) in pairs.into_iter().filter(|(_, ledger, tables)| i128::from(*ledger) != *tables) {
        differing.add(|| format!("{in_ledger} {what}, but {in_tables} in the tables"));
    }
    differing
}
