//! What is written is what others read: DataFusion, DuckDB and Polars see the declared columns with their types, and the
//! values that are expected.

mod datafusion;
mod python;

use crate::run::TestFolder;
use crate::sample;
use std::collections::BTreeMap;
use std::path::PathBuf;
use tables::tables;

/// The folder of the sample's tables, and what is to be read in it.
fn sample(test: &str) -> (TestFolder, BTreeMap<&'static str, Vec<String>>) {
    (sample::ingested(test), sample::expected().clone())
}

/// A folder of tables of which most have no row, since their archive has none that they are about.
fn bare(test: &str) -> (TestFolder, BTreeMap<&'static str, Vec<String>>) {
    let folder = TestFolder::new(test).with("bare.warc", "");
    folder.run(&["ingest", "bare.warc", "--crawl", "BARE-1", "--out", sample::OUT]).exits_with(0);
    let out = folder.path().join(sample::OUT);
    let expected: BTreeMap<_, _> = tables().iter().map(|table| (table.name, sample::lines(&out, table))).collect();
    assert_eq!(expected.values().map(|lines| lines.len() - 1).sum::<usize>(), 1, "one input and nothing else");
    (folder, expected)
}

fn out(folder: &TestFolder) -> PathBuf {
    folder.path().join(sample::OUT)
}

/// Compares what a reader found in a table with what is there, whatever the order of the rows, which no reader promises.
#[track_caller]
fn compare(reader: &str, table: &str, mut found: Vec<String>, expected: &[String]) {
    let mut expected = expected.to_vec();
    for lines in [&mut found, &mut expected] {
        if let Some(rows) = lines.get_mut(1..) {
            rows.sort_unstable();
        }
    }
    sample::compare(&format!("{table}, as {reader} reads it,"), &found, &expected);
}
