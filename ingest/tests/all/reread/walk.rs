//! Archives made in memory, and a summary of their comparison.

use ingest::archive::Workshop;
use ingest::reread::{Comparison, Reread, compare};
use std::io::Cursor;

pub(crate) const HEAD: &str = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/robots.txt\r\n";

/// How many records the second reader cannot read.
pub(crate) fn unreadable_records(comparison: &Comparison) -> u64 {
    comparison.unreadable.values().map(|places| places.count).sum()
}

/// A record with additional lines in its head.
pub(crate) fn record(lines: &str, block: &str) -> Vec<u8> {
    format!("{HEAD}{lines}Content-Length: {}\r\n\r\n{block}\r\n\r\n", block.len()).into_bytes()
}

/// The comparison, and for each record, in order, the length of its block or the obstacle. Asserts that counts add up.
pub(crate) fn both(file: &[u8]) -> (Comparison, Vec<String>) {
    let mut seen = Vec::new();
    let comparison = compare(Cursor::new(file), &mut Workshop::default(), |reread| {
        seen.push(match reread {
            Reread::Record(record) => record.block.len().to_string(),
            Reread::First(_, _, Some(obstacle)) => obstacle.name().to_owned(),
            Reread::First(_, _, None) => "differs".to_owned(),
        });
    })
    .unwrap();
    let Comparison { records, agreed, differing, .. } = comparison;
    assert_eq!(records, agreed + differing + unreadable_records(&comparison), "{comparison:?}");
    assert_eq!(records, comparison.account.records);
    (comparison, seen)
}
