//! Flips bits in the files of tables. A statement must return the rows of the unchanged file, or fail.
//!
//! The bits are drawn from the whole file: pages, page headers, footers and filters. `ROBOCENSUS_FULL` flips many more.

use crate::questions::wait;
use crate::random::Random;
use crate::sample::{self, OUT};
use analyze::{Session, SessionOptions};
use committed::full::is_full;
use datafusion::arrow::array::RecordBatch;
use folder::Failure;
use std::fs;
use std::path::Path;

/// How many bits to flip in each table: in the full run, and in other runs.
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
    let folder = sample::modelled("bit_rot");
    let root = folder.path().join(OUT);
    let mut random = Random::new(19);
    let (mut flipped_bits, mut failed) = (0, 0);
    for table in tables::all() {
        let expected = wait(rows(&root, table.name)).expect("the tables are undamaged");
        let files: Vec<_> = sample::files(&root.join(table.name)).into_iter().collect();
        for _ in 0..if is_full() { FLIPS[0] } else { FLIPS[1] } {
            let (name, bytes) = &files[random.below(files.len())];
            let (path, bit) = (root.join(table.name).join(name), random.below(bytes.len() * 8));
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, flipped).expect("it can be written");
            flipped_bits += 1;
            match wait(rows(&root, table.name)) {
                Ok(found) => assert_eq!(found, expected, "bit {bit} of {}", path.display()),
                Err(failure) => {
                    assert_eq!(failure.what, "file has changed", "{failure}");
                    assert!(failure.path.ends_with(name), "{failure}");
                    failed += 1;
                }
            }
            fs::write(&path, bytes).expect("it can be written");
        }
    }
    // A statement on all columns reads every byte except filters, so few flips may go unnoticed.
    assert!(failed * 10 > flipped_bits * 9, "only {failed} of {flipped_bits} flipped bits made a statement fail");
}
