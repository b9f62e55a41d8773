//! The tables of the sample equal the CSV files of `datasets/sample/expected`.

use crate::sample;
use std::fs;
use tables::tables;

const BLESS: &str = "ROBOCENSUS_BLESS=1 cargo test --test cli expected";

#[test]
fn the_tables_of_the_sample_are_as_expected() {
    let expected = sample::expected();
    let folder = sample::ingested("expected");
    for table in tables() {
        let what = format!("datasets/sample/expected/{}.csv (to write it anew: {BLESS})", table.name);
        sample::compare(&what, &sample::lines(&folder.path().join(sample::OUT), &table), &expected[table.name]);
    }
    let written: Vec<_> = fs::read_dir(sample::root().join("expected")).expect("it can be listed").collect();
    assert_eq!(written.len(), expected.len(), "files without a table: {written:?}");
}
