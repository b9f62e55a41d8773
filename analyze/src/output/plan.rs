//! The answer to EXPLAIN: plans of many lines, which would be unreadable in a table.

use super::cell_value::rows;
use datafusion::arrow::array::RecordBatch;
use std::io::{self, Write};
use visible::Safe;

/// Writes the rows of EXPLAIN: the name of each plan, and its lines below it.
pub fn write(batch: &RecordBatch, out: &mut dyn Write) -> io::Result<()> {
    for row in rows(batch)? {
        let row = row?;
        for (nth, value) in row.iter().enumerate() {
            let indent = if nth == 0 { "" } else { "  " };
            for line in value.plain().lines() {
                writeln!(out, "{indent}{}", Safe(line.as_bytes()))?;
            }
        }
    }
    Ok(())
}
