//! Flipped bits in the files of tables. A statement gives the rows of the unchanged file, or it fails.
//!
//! Pages, their headers, footers and filters are all hit, since the bits are drawn from the whole file. With
//! `ROBOCENSUS_FULL` many more of them are.

#![expect(clippy::expect_used, reason = "called by tests, which fail by them")]

use crate::full::is_full;
use crate::questions::wait;
use crate::random::Random;
use crate::sample::{self, OUT};
use analyze::{Session, SessionOptions};
use datafusion::arrow::array::RecordBatch;
use folder::Failure;
use std::fs;
use std::path::Path;

/// The flipped bits of each table.
const FLIPS: [u64; 2] = [100, 4];

async fn rows(tables: &Path, table: &str) -> Result<Vec<RecordBatch>, Failure> {
    let jobs = std::num::NonZeroUsize::MIN;
    let options = SessionOptions { jobs, ..SessionOptions::default() };
    let session = Session::open(tables, &options).await.expect("the folder opens");
    let read = async { session.query(&format!("SELECT * FROM {table}")).await?.collect().await };
    read.await.map_err(|error| session.failure(&error, Path::new("statement")))
}

#[test]
fn a_flipped_bit_never_gives_other_rows() {
    let folder = sample::ingested("bit_rot");
    folder.run(&["models", "-q", OUT]).exits_with(0);
    let root = folder.path().join(OUT);
    let mut random = Random::new(19);
    let (mut tried, mut refused) = (0, 0);
    for table in tables::tables().into_iter().chain(tables::derived()) {
        let expected = wait(rows(&root, table.name)).expect("the tables are undamaged");
        let files: Vec<_> = sample::files(&root.join(table.name)).into_iter().collect();
        for _ in 0..if is_full() { FLIPS[0] } else { FLIPS[1] } {
            let (name, bytes) = &files[random.below(files.len())];
            let (path, bit) = (root.join(table.name).join(name), random.below(bytes.len() * 8));
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, flipped).expect("it can be written");
            tried += 1;
            match wait(rows(&root, table.name)) {
                Ok(found) => assert_eq!(found, expected, "bit {bit} of {}", path.display()),
                Err(failure) => {
                    assert_eq!(failure.what, "file has changed", "{failure}");
                    assert!(failure.path.ends_with(name), "{failure}");
                    refused += 1;
                }
            }
            fs::write(&path, bytes).expect("it can be written");
        }
    }
    // A statement that reads all columns reads all bytes but those of filters.
    assert!(refused * 10 > tried * 9, "{refused} of {tried} were refused");
}
