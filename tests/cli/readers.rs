//! DataFusion, DuckDB and Polars read the tables with the declared columns, types and values.

mod datafusion;
mod python;

use crate::run::TestFolder;
use crate::sample;
use std::collections::BTreeMap;
use std::path::PathBuf;
use tables::tables;

/// The tables of the sample, and the expected lines of each.
fn sample(test: &str) -> (TestFolder, BTreeMap<&'static str, Vec<String>>) {
    (sample::ingested(test), sample::expected())
}

/// Tables that are mostly empty, and the expected lines of each.
fn bare(test: &str) -> (TestFolder, BTreeMap<&'static str, Vec<String>>) {
    let folder = TestFolder::new(test).with("bare.warc", "");
    folder.run(&["ingest", "bare.warc", "--crawl", "BARE-1", "--out", sample::OUT]).exits_with(1);
    let out = folder.path().join(sample::OUT);
    let expected: BTreeMap<_, _> = tables().iter().map(|table| (table.name, sample::lines(&out, table))).collect();
    assert_eq!(
        expected.values().map(|lines| lines.len() - 1).sum::<usize>(),
        2,
        "one input, its damage, and nothing else"
    );
    (folder, expected)
}

fn out(folder: &TestFolder) -> PathBuf {
    folder.path().join(sample::OUT)
}

/// Compares the rows of a reader with the expected ones, in any order, because readers guarantee none.
#[track_caller]
fn compare(reader: &str, table: &str, mut found: Vec<String>, expected: &[String]) {
    let mut expected = expected.to_vec();
    for lines in [&mut found, &mut expected] {
        if let Some(rows) = lines.get_mut(1..) {
            rows.sort_unstable();
        }
    }
    let first = found.iter().zip(&expected).find(|(found, expected)| found != expected);
    let (read, lines) = (found.len(), expected.len());
    assert!(found == expected, "{table} by {reader}: {read} lines for {lines}, the first that differ: {first:#?}");
}
