//! DuckDB and Polars, where `ROBOCENSUS_PYTHON` names a Python that has them.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "called by tests, which fail by them"
)]

use super::{bare, compare, out, sample};
use crate::questions::modelled;
use crate::run::TestFolder;
use arrow_schema::DataType;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use tables::{Column, PARTITION, tables};

#[test]
fn duckdb_reads_the_tables() {
    check("duckdb", |column| {
        let null = match (column, column.is_nullable) {
            // No file has the column of the path.
            (column, _) if column.name == PARTITION.name => "",
            (_, true) => " null",
            (_, false) => " not null",
        };
        let name = match column.data_type {
            DataType::Utf8 => "VARCHAR",
            DataType::Boolean => "BOOLEAN",
            DataType::Int32 => "INTEGER",
            DataType::Int64 => "BIGINT",
            DataType::Float64 => "DOUBLE",
            DataType::Timestamp(..) => "TIMESTAMP WITH TIME ZONE",
            _ => "another type",
        };
        format!("{name}{null}")
    });
}

#[test]
fn polars_reads_the_tables() {
    check("polars", |column| {
        let name = match column.data_type {
            DataType::Utf8 => "String",
            DataType::Boolean => "Boolean",
            DataType::Int32 => "Int32",
            DataType::Int64 => "Int64",
            DataType::Float64 => "Float64",
            DataType::Timestamp(..) => "Datetime(time_unit='ms', time_zone='UTC')",
            _ => "another type",
        };
        name.to_owned()
    });
}

fn check(reader: &str, type_of: impl Fn(&Column) -> String) {
    let Some(python) = std::env::var_os("ROBOCENSUS_PYTHON") else {
        eprintln!("skipped: ROBOCENSUS_PYTHON is not set");
        return;
    };
    let check = |(folder, expected): (TestFolder, BTreeMap<&str, Vec<String>>)| {
        let read = folder.path().join("read");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers/read_back.py");
        let output = Command::new(&python)
            .arg(script)
            .args([reader.as_ref(), out(&folder).as_os_str(), read.as_os_str()])
            .output()
            .expect("ROBOCENSUS_PYTHON starts");
        assert!(output.status.success(), "{reader}: {}", String::from_utf8_lossy(&output.stderr));
        let lines = |table: &str, extension: &str| -> Vec<String> {
            let path = read.join(format!("{table}.{extension}"));
            let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            text.lines().map(str::to_owned).collect()
        };
        for table in tables() {
            let columns = table.columns.iter().chain([&PARTITION]);
            let types: Vec<String> = columns.map(|column| format!("{}: {}", column.name, type_of(column))).collect();
            assert_eq!(lines(table.name, "types"), types, "{reader}: {}", table.name);
            compare(reader, table.name, lines(table.name, "csv"), &expected[table.name]);
        }
    };
    check(sample(&format!("{reader}_sample")));
    check(bare(&format!("{reader}_bare")));
}

/// DuckDB returns the same rows in the same order. So the statements work in both engines, and a planning error of one
/// engine is found.
#[test]
fn duckdb_gives_the_same_answers() {
    same_answers("ROBOCENSUS_PYTHON", "questions.py");
}

/// Spark 4 returns them, too. It takes minutes, so it is asked only where it is named.
#[test]
fn spark_gives_the_same_answers() {
    same_answers("ROBOCENSUS_SPARK", "spark.py");
}

/// Compares the answers of another engine, by a script that the Python in a variable runs.
fn same_answers(variable: &str, script: &str) {
    let Some(python) = std::env::var_os(variable) else {
        eprintln!("skipped: {variable} is not set");
        return;
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(&python)
        .arg(root.join("tests/readers").join(script))
        .arg(env!("CARGO_BIN_EXE_robocensus"))
        .args([modelled(), &root.join("queries/expected")])
        .output()
        .expect("the interpreter starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
}
