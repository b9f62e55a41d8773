//! A check finds every flipped bit without a panic.

use crate::tables_of::{inputs, make, response, write_archive};
use committed::full::step;
use ingest::check::{Archives, CheckOptions, Digests, Findings, check};
use ingest::progress::Progress;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::thread;

/// One bit is flipped in every 97th byte, and in every 7th byte of the small table `skips`. All bytes would take
/// minutes. Without `ROBOCENSUS_FULL`, a fifth as many are.
const STEP: usize = 97;
const STEP_OF_SKIPS: usize = 7;

fn tables(folder: &Path) -> PathBuf {
    let answers = ["User-agent: *\nDisallow: /a\nSitemap: /s\n", "User-agent: Bot/1\nDisalow: /b\n", ""]
        .map(|body| response("a.example", &format!("HTTP/1.1 200 OK\r\n\r\n{body}")));
    ingested(folder, answers.concat())
}

/// The tables of an archive with these bytes.
fn ingested(folder: &Path, bytes: impl AsRef<[u8]>) -> PathBuf {
    let out = folder.join("tables");
    make(inputs(&write_archive(folder, "a.warc", bytes)), &out, NonZeroUsize::MIN);
    out
}

fn found(tables: &Path, digests: Digests) -> Findings {
    let options = CheckOptions { jobs: NonZeroUsize::MIN, digests, archives: Archives::PassOver };
    check(tables, options, &Progress::default(), &AtomicBool::new(false)).unwrap()
}

#[test]
fn no_flipped_bit_is_missed() {
    let flipped: usize = thread::scope(|scope| {
        let tables = tables::tables().into_iter().map(|table| scope.spawn(move || flip_bits_of(table.name)));
        tables.collect::<Vec<_>>().into_iter().map(|flipped| flipped.join().unwrap()).sum()
    });
    assert!(flipped > 500 / step(5), "{flipped}");
}

/// Flips bits of one table in a folder of its own. Returns how many.
fn flip_bits_of(table: &str) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let tables = tables(folder.path());
    assert_eq!(found(&tables, Digests::Compare).damages, []);
    let path = tables.join(table).join("crawl=TEST-1/part-00000.parquet");
    let whole = fs::read(&path).unwrap();
    let apart = if table == "skips" { STEP_OF_SKIPS } else { STEP } * step(5);
    let flipped = (0..whole.len()).step_by(apart);
    for at in flipped.clone() {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at / apart % 8);
        fs::write(&path, &bytes).unwrap();
        let Findings { damages, .. } = found(&tables, Digests::Compare);
        assert_eq!(damages.len(), 1, "byte {at} of {table}: {damages:?}");
        assert_eq!((damages[0].what, &damages[0].path), ("file has changed", &path), "byte {at} of {table}");
        // Without digests the check may find nothing, but it must return.
        found(&tables, Digests::PassOver);
    }
    flipped.count()
}

/// Damage without bytes adds up too.
#[test]
fn tables_of_an_empty_archive_are_whole() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(found(&ingested(folder.path(), ""), Digests::Compare).damages, []);
}

#[test]
fn a_check_that_is_stopped_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let tables = tables(folder.path());
    let options = CheckOptions { jobs: NonZeroUsize::MIN, digests: Digests::Compare, archives: Archives::Reread };
    let findings = check(&tables, options, &Progress::default(), &AtomicBool::new(true)).unwrap();
    assert!(findings.is_stopped);
    assert_eq!((findings.parts, findings.parts_left, findings.damages), (0, 1, Vec::new()));
}
