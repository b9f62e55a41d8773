//! The summary at the end of a run.

use crate::failures;
use crate::terminal::counted;
use folder::Failure;
use folder::ledger::Sums;
use indicatif::{DecimalBytes, HumanCount};
use ingest::capture::Skip;
use ingest::run::RunReport;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

/// Writes the sums of all tables in the folder, not only of this run.
pub(crate) fn write(report: &RunReport, out: &mut dyn Write) -> io::Result<()> {
    let RunReport { sums, tables, leaves_out_pages, .. } = report;
    let count = |number: u64| HumanCount(number).to_string();
    let skipped: u64 = sums.skipped.values().sum();
    let reasons: Vec<String> =
        sums.skipped.iter().map(|(reason, records)| format!("{} {reason}", count(*records))).collect();
    writeln!(
        out,
        "archives  {}, of which {} damaged and {} unread",
        count(sums.inputs),
        count(sums.damaged_inputs),
        count(sums.failed_inputs)
    )?;
    writeln!(
        out,
        "bytes     {} = {} good + {} damaged",
        count(sums.bytes),
        count(sums.good_bytes),
        count(sums.damaged_bytes)
    )?;
    writeln!(
        out,
        "records   {} = {} + {} skipped",
        count(sums.records),
        counted(sums.captures, "capture"),
        count(skipped)
    )?;
    if !reasons.is_empty() {
        writeln!(out, "skipped   {}", reasons.join(", "))?;
    }
    if sums.captures == 0 && *leaves_out_pages && sums.skipped.contains_key(Skip::Elsewhere.name()) {
        let advice = "With --all-responses and another --out, every response is read as one.";
        writeln!(out, "No record is a response for /robots.txt. {advice}")?;
    }
    writeln!(out, "\n{:<11} {:>15} {:>15}", "table", "rows", "bytes")?;
    for table in tables {
        writeln!(out, "{:<11} {:>15} {:>15}", table.table, count(table.rows), count(table.bytes))?;
    }
    let bytes: u64 = tables.iter().map(|table| table.bytes).sum();
    let share = if sums.bytes == 0 { 0.0 } else { bytes as f64 * 100.0 / sums.bytes as f64 };
    writeln!(out, "{:<11} {:>15} {:>15}  {share:.1} % of the archives", "all", "", count(bytes))
}

/// The totals and speed of this run: archives, bytes, seconds, bytes per second. They are those of parts that were read.
/// `not_read` is the number of parts that were left or kept.
pub(super) fn read_in(read: &Sums, not_read: usize, elapsed: Duration) -> String {
    match (read.inputs, not_read) {
        (0, 0) => return "nothing to do: all inputs were read before".to_owned(),
        (0, _) => return "no part was finished".to_owned(),
        _ => {}
    }
    let seconds = elapsed.as_secs_f64();
    let rate = read.bytes as f64 / seconds.max(f64::MIN_POSITIVE);
    format!(
        "{}, {} in {seconds:.1} s, {}/s",
        counted(read.inputs, "archive"),
        DecimalBytes(read.bytes),
        DecimalBytes(rate as u64)
    )
}

/// Fails if a run was stopped before all parts were made.
pub(crate) fn refuse_stopped(parts_left: usize, tables: &Path) -> Result<(), Failure> {
    let verb = match parts_left {
        0 => return Ok(()),
        1 => "is",
        _ => "are",
    };
    let left = counted(parts_left as u64, "part");
    Err(failures::stopped_with(format_args!("{left} {verb} left; run the same command again to continue"), tables))
}
