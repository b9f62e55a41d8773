//! Checks the captures of a part: their numbers, their references to bodies, and how many each archive has.

use super::damage::{CheckError, DamageGroup};
use super::file::CheckedFile;
use crate::plan::Part;
use arrow_array::{Int64Array, StringArray};
use folder::Failure;
use std::collections::HashMap;
use std::ops::Range;
use tables::captures;

/// Counts of captures.
#[derive(Debug)]
pub(super) struct Counted {
    /// How many each input has, in the order of the plan.
    pub(super) by_input: Vec<i128>,
    /// The bytes of their bodies.
    pub(super) body_bytes: i128,
}

/// Checks captures and counts them. `bodies` is `None` if that table is damaged; references are then not checked.
pub(super) fn check(
    file: &CheckedFile<'_>,
    bodies: Option<(&CheckedFile<'_>, &Range<i64>)>,
    part: &Part,
    base: i64,
    damages: &mut Vec<Failure>,
) -> Result<Counted, CheckError> {
    let names = captures::NAMES;
    let mut inputs = Inputs::new(part);
    let mut references = bodies.map(|(_, numbers)| References::new(numbers));
    let mut body_bytes = 0;
    let mut next = base;
    let mut row = 0;
    let mut misnumbered = DamageGroup::default();
    let mut batches = file.batches(&[names.capture_id, names.body_id, names.body_bytes, names.warc_filename]);
    while let Some(batch) = batches.next()? {
        let ids: &Int64Array = batches.column(&batch, names.body_id)?;
        let bytes: &Int64Array = batches.column(&batch, names.body_bytes)?;
        let filenames: &StringArray = batches.column(&batch, names.warc_filename)?;
        let rows = ids.iter().zip(bytes.values()).zip(filenames.iter());
        for (((body_id, bytes), filename), capture_id) in rows.zip(batches.numbers(&batch, names.capture_id)?) {
            row += 1;
            if capture_id != next {
                misnumbered.add(|| format!("row {row} is capture {capture_id}, not {next}"));
            }
            // After a missing capture, the rest does not count as misnumbered.
            next = capture_id.saturating_add(1);
            body_bytes += i128::from(*bytes);
            inputs.count(filename.unwrap_or_default(), row);
            if let (Some(references), Some(body_id)) = (&mut references, body_id) {
                references.take(body_id, row);
            }
        }
    }
    misnumbered.report("captures are misnumbered", &file.path, damages);
    inputs.foreign.report("capture belongs to no input", &file.path, damages);
    if let (Some(references), Some((bodies, _))) = (references, bodies) {
        references.end(file, bodies, damages);
    }
    Ok(Counted { by_input: inputs.rows, body_bytes })
}

/// Counts rows by input. Rows are ordered by input, so most have the same input as the row before.
struct Inputs<'p> {
    part: &'p Part,
    by_name: HashMap<&'p str, usize>,
    last: usize,
    rows: Vec<i128>,
    foreign: DamageGroup,
}

impl<'p> Inputs<'p> {
    fn new(part: &'p Part) -> Self {
        Inputs {
            part,
            by_name: part.positions(),
            last: 0,
            rows: vec![0; part.inputs.len()],
            foreign: DamageGroup::default(),
        }
    }

    fn count(&mut self, filename: &str, row: i64) {
        if self.part.inputs.get(self.last).is_none_or(|input| input.warc_filename != filename) {
            match self.by_name.get(filename) {
                Some(at) => self.last = *at,
                None => return self.foreign.add(|| format!("row {row} names {filename}")),
            }
        }
        if let Some(rows) = self.rows.get_mut(self.last) {
            *rows += 1;
        }
    }
}

/// Checks references to bodies. A body gets its number at its first capture. So first references are in the order of
/// bodies, and each body has one.
struct References<'n> {
    numbers: &'n Range<i64>,
    /// The next body that must be referred to.
    next: i64,
    missing: DamageGroup,
    without_capture: DamageGroup,
}

impl<'n> References<'n> {
    fn new(numbers: &'n Range<i64>) -> Self {
        References {
            numbers,
            next: numbers.start,
            missing: DamageGroup::default(),
            without_capture: DamageGroup::default(),
        }
    }

    fn take(&mut self, body_id: i64, row: i64) {
        if !self.numbers.contains(&body_id) {
            self.missing.add(|| format!("row {row} refers to body {body_id}"));
            return;
        }
        for passed in self.next..body_id {
            self.without_capture.add(|| format!("body {passed} has none before the first of body {body_id}"));
        }
        self.next = self.next.max(body_id + 1);
    }

    fn end(mut self, captures: &CheckedFile<'_>, bodies: &CheckedFile<'_>, damages: &mut Vec<Failure>) {
        for body_id in self.next..self.numbers.end {
            self.without_capture.add(|| format!("body {body_id} has none"));
        }
        self.missing.report("body is missing", &captures.path, damages);
        self.without_capture.report("body has no capture", &bodies.path, damages);
    }
}
