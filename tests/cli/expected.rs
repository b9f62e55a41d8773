//! The tables of the sample equal the CSV files of `datasets/sample/expected`.

use crate::sample;
use std::fs;
use tables::tables;

const BLESS: &str = "ROBOCENSUS_BLESS=1 cargo test --test cli expected";

#[test]
fn the_tables_of_the_sample_are_as_expected() {
    let folder = sample::ingested("expected");
    for table in tables() {
        let lines = sample::lines(&folder.path().join(sample::OUT), &table).join("\n") + "\n";
        committed::check(&format!("datasets/sample/expected/{}.csv", table.name), &lines, BLESS);
    }
    let written: Vec<_> = fs::read_dir(sample::root().join("expected")).expect("it can be listed").collect();
    assert_eq!(written.len(), tables().len(), "files without a table: {written:?}");
}

/// Statements rely on this order: they group by body while they read.
#[test]
fn rows_of_a_body_are_adjacent() {
    let folder = sample::ingested("expected_order");
    let by_body = tables().into_iter().filter(|table| table.columns[0].name == "body_id");
    let mut found = 0;
    for table in by_body {
        let lines = sample::lines(&folder.path().join(sample::OUT), &table);
        let body_id = |line: &String| line.split(',').next().and_then(|id| id.parse::<i64>().ok());
        let ids: Vec<_> = lines.iter().skip(1).map(body_id).collect();
        assert!(ids.iter().all(Option::is_some) && ids.is_sorted(), "{}: {ids:?}", table.name);
        found += 1;
    }
    assert_eq!(found, 7, "bodies, groups, rules, records, preferences, violations and policies");
}
