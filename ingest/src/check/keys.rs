//! Checks references to bodies: each refers to an existing body, and a body has as many rows in other tables as it
//! counts.
//!
//! These files are all sorted by body, so two of them are read side by side.

use super::batches::NumberColumn;
use super::damage::{CheckError, DamageGroup};
use super::file::CheckedFile;
use arrow_array::{Array as _, Int32Array};
use folder::Failure;
use std::ops::Range;
use tables::{Table, bodies, groups, policies, preferences, records, rules, violations};

/// The column with the number of the body, in all these tables.
const BODY: &str = bodies::NAMES.body_id;

/// The column of groups, by which the rows of a body are sorted.
const GROUP: &str = groups::NAMES.group_no;

/// The tables with rows that belong to bodies, and the columns of `bodies` that count these rows.
pub(super) fn children() -> [(Table, Option<&'static str>); 6] {
    let counts = bodies::NAMES;
    [
        (groups::table(), Some(counts.agent_count)),
        (rules::table(), Some(counts.rule_count)),
        (records::table(), Some(counts.record_count)),
        (preferences::table(), None),
        (violations::table(), Some(counts.violation_count)),
        (policies::table(), None),
    ]
}

/// The numbers of the bodies of a part. Fails if they are not consecutive.
pub(super) fn numbers(bodies: &CheckedFile<'_>, base: i64) -> Result<Range<i64>, CheckError> {
    let mut ids = NumberColumn::new(bodies, BODY);
    let mut next = base;
    while let Some(body_id) = ids.next()? {
        if body_id != next {
            let cause = format_args!("row {} is body {body_id}, not {next}", next - base + 1);
            return Err(bodies.damage("bodies are misnumbered", cause).into());
        }
        next += 1;
    }
    Ok(base..next)
}

/// Compares the rows of a table with the bodies that they belong to, and with a column that counts them.
pub(super) fn compare(
    file: &CheckedFile<'_>,
    count: Option<&'static str>,
    bodies: &CheckedFile<'_>,
    numbers: &Range<i64>,
    damages: &mut Vec<Failure>,
) -> Result<(), CheckError> {
    let counts = count.map(|count| NumberColumn::new(bodies, count));
    let mut merge = Merge {
        counts,
        numbers,
        next: numbers.start,
        missing: DamageGroup::default(),
        miscounted: DamageGroup::default(),
    };
    let has_groups = file.footer.schema().column_with_name(GROUP).is_some();
    // A table without groups has no such column to read.
    let mut batches = file.batches(&[BODY, GROUP]);
    let mut run: Option<(i64, i64)> = None;
    let mut last_group = None;
    let mut row: u64 = 0;
    while let Some(batch) = batches.next()? {
        let groups = if has_groups { Some(batches.column::<Int32Array>(&batch, GROUP)?) } else { None };
        for (place, body_id) in batches.numbers(&batch, BODY)?.into_iter().enumerate() {
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
    merge.missing.report("body is missing", &file.path, damages);
    merge.miscounted.report("rows are miscounted", &file.path, damages);
    Ok(())
}

/// Bodies, and how many rows of another table each has.
struct Merge<'f> {
    counts: Option<NumberColumn<'f>>,
    numbers: &'f Range<i64>,
    /// The body of the next count.
    next: i64,
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
        while self.next <= of
            && let Some(count) = counts.next()?
        {
            let (body_id, rows) = (self.next, if self.next == of { rows } else { 0 });
            if count != rows {
                self.miscounted.add(|| format!("body {body_id} has {rows} rows, but {count} in bodies"));
            }
            self.next += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use tables::keys::REFERENCES;

    #[test]
    fn every_table_of_bodies_is_checked() {
        let checked: BTreeSet<_> = children().iter().map(|(table, _)| table.name).collect();
        let derived = tables::derived();
        let has_bodies = REFERENCES.iter().filter(|reference| reference.columns == [BODY] && reference.to == "bodies");
        let referring = has_bodies.map(|reference| reference.from);
        // A capture need not have a body, and derived tables are checked by the engine.
        let listed = referring.filter(|from| *from != "captures" && derived.iter().all(|table| table.name != *from));
        assert_eq!(listed.collect::<BTreeSet<_>>(), checked);
    }
}
