//! Checks references to bodies: each refers to an existing body, and a body has as many rows in other tables as it
//! counts.
//!
//! These files are all sorted by body, so two of them are read side by side.

use super::batches::Pairs;
use super::damage::{CheckError, DamageGroup};
use super::file::CheckedFile;
use arrow_array::{Array as _, Int32Array};
use folder::Failure;
use std::ops::Range;
use tables::{bodies, groups};

/// The column of groups, by which the rows of a body are sorted.
const GROUP: &str = groups::NAMES.group_no;

/// A table with rows that belong to bodies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Child {
    /// Its column with the number of the body.
    pub(super) body_id: &'static str,
    /// The column of `bodies` that counts its rows, if there is one.
    pub(super) count: Option<&'static str>,
}

/// The numbers of the bodies of a part. Fails if they are not consecutive.
pub(super) fn numbers(bodies: &CheckedFile<'_>, base: i64) -> Result<Range<i64>, CheckError> {
    let mut batches = bodies.batches(&[bodies::NAMES.body_id])?;
    let mut next = base;
    while let Some(batch) = batches.next()? {
        for body_id in batches.numbers(&batch, bodies::NAMES.body_id)? {
            if body_id != next {
                let cause = format_args!("row {} is body {body_id}, not {next}", next - base + 1);
                return Err(bodies.damage("bodies are misnumbered", cause).into());
            }
            next += 1;
        }
    }
    Ok(base..next)
}

/// Compares the rows of a table with the bodies that they belong to.
pub(super) fn compare(
    file: &CheckedFile<'_>,
    child: Child,
    bodies: &CheckedFile<'_>,
    numbers: &Range<i64>,
    damages: &mut Vec<Failure>,
) -> Result<(), CheckError> {
    let counts = child.count.map(|count| Pairs::new(bodies, (bodies::NAMES.body_id, count))).transpose()?;
    let mut merge = Merge { counts, numbers, missing: DamageGroup::default(), miscounted: DamageGroup::default() };
    let has_groups = file.footer.schema().column_with_name(GROUP).is_some();
    // A table without groups has no such column to read.
    let columns = [child.body_id, GROUP];
    let mut batches = file.batches(&columns)?;
    let mut run: Option<(i64, i64)> = None;
    let mut last_group = None;
    let mut row: u64 = 0;
    while let Some(batch) = batches.next()? {
        let groups = if has_groups { Some(batches.column::<Int32Array>(&batch, GROUP)?) } else { None };
        for (place, body_id) in batches.numbers(&batch, child.body_id)?.into_iter().enumerate() {
            row += 1;
            // Rows of a body without a group come first.
            let group = groups.filter(|groups| groups.is_valid(place)).map(|groups| groups.value(place));
            let is_of_last = run.is_some_and(|(of, _)| of == body_id);
            if is_of_last && group < last_group {
                let cause =
                    format_args!("row {row} of body {body_id} belongs to an earlier group than the one before it");
                return Err(file.damage("rows are out of order", cause).into());
            }
            last_group = group;
            run = match run {
                Some((of, rows)) if of == body_id => Some((of, rows + 1)),
                Some((of, _)) if of > body_id => {
                    let cause = format_args!("row {row} belongs to body {body_id}, but the one before it to {of}");
                    return Err(file.damage("rows are out of order", cause).into());
                }
                ended => {
                    if let Some((of, rows)) = ended {
                        merge.take(of, rows)?;
                    }
                    if !numbers.contains(&body_id) {
                        merge.missing.add(|| format!("row {row} refers to body {body_id}"));
                    }
                    Some((body_id, 1))
                }
            };
        }
    }
    if let Some((of, rows)) = run {
        merge.take(of, rows)?;
    }
    merge.take(numbers.end, 0)?;
    merge.missing.report("body is missing", file.path(), damages);
    merge.miscounted.report("rows are miscounted", file.path(), damages);
    Ok(())
}

/// Bodies, and how many rows of another table each has.
struct Merge<'f> {
    counts: Option<Pairs<'f>>,
    numbers: &'f Range<i64>,
    missing: DamageGroup,
    miscounted: DamageGroup,
}

impl Merge<'_> {
    /// Compares the rows of a body with its count. The bodies before it have no rows.
    fn take(&mut self, of: i64, rows: i64) -> Result<(), CheckError> {
        let Some(counts) = &mut self.counts else { return Ok(()) };
        if of < self.numbers.start || of > self.numbers.end {
            return Ok(());
        }
        while let Some((body_id, count)) = counts.next()? {
            let rows = if body_id == of { rows } else { 0 };
            if count != rows {
                self.miscounted.add(|| format!("body {body_id} has {rows} rows, but {count} in bodies"));
            }
            if body_id >= of {
                break;
            }
        }
        Ok(())
    }
}
