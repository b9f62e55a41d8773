//! Tables as text for comparison: a header, and one line per row.
//!
//! The format is CSV by RFC 4180 with these rules. An empty cell is null, and `""` is an empty text. A backslash is
//! written twice, and control characters as `\n`, `\r`, `\t` or `\u` and four digits, so each row takes one line and
//! the file is text. Times are ISO 8601 in UTC to the millisecond.

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float64Type, Int32Type, Int64Type, TimestampMillisecondType};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Schema, TimeUnit};
use std::fmt::Write as _;

/// The names of the columns.
pub(crate) fn header(schema: &Schema) -> String {
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    names.join(",")
}

/// A line for each row.
pub(crate) fn lines(batch: &RecordBatch) -> Vec<String> {
    let line = |row: usize| {
        let cells: Vec<String> = batch.columns().iter().map(|column| cell(column, row)).collect();
        cells.join(",")
    };
    (0..batch.num_rows()).map(line).collect()
}

/// A value. Panics for a type that no table has.
fn cell(column: &dyn Array, row: usize) -> String {
    if column.is_null(row) {
        return String::new();
    }
    match column.data_type() {
        DataType::Utf8 => text(column.as_string::<i32>().value(row)),
        DataType::Boolean => column.as_boolean().value(row).to_string(),
        DataType::Int32 => column.as_primitive::<Int32Type>().value(row).to_string(),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).to_string(),
        // 10.0 instead of 10, as most languages write it.
        DataType::Float64 => format!("{:?}", column.as_primitive::<Float64Type>().value(row)),
        DataType::Timestamp(TimeUnit::Millisecond, Some(zone)) if &**zone == "UTC" => {
            let time = column.as_primitive::<TimestampMillisecondType>().value_as_datetime(row);
            time.map(|time| time.format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()).unwrap_or_default()
        }
        other => unreachable!("a column of type {other}"),
    }
}

/// A text, escaped.
pub(crate) fn text(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for character in value.chars() {
        match character {
            '\\' => escaped.push_str(r"\\"),
            '\n' => escaped.push_str(r"\n"),
            '\r' => escaped.push_str(r"\r"),
            '\t' => escaped.push_str(r"\t"),
            control if control.is_control() => _ = write!(escaped, r"\u{:04x}", u32::from(control)),
            other => escaped.push(other),
        }
    }
    match escaped.is_empty() || escaped.contains([',', '"']) {
        true => format!("\"{}\"", escaped.replace('"', "\"\"")),
        false => escaped,
    }
}

#[test]
fn ambiguous_texts_are_quoted_or_escaped() {
    let check = |value: &str, expected: &str| assert_eq!(text(value), expected, "{value:?}");
    check("", "\"\"");
    check("/a b", "/a b");
    check("a, \"b\"", "\"a, \"\"b\"\"\"");
    check("\0\r\n\t\\\u{7f}\u{85}", r"\u0000\r\n\t\\\u007f\u0085");
    check("caf\u{e9}", "caf\u{e9}");
}
