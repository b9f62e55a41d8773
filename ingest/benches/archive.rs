//! Compares reading archives with its lower bound: inflating their members with the same inflater, and nothing else.
//!
//! `ROBOCENSUS_CORPUS=… cargo bench -p ingest --bench archive` reads the archives below the folder `bench` there. The
//! lower bound knows where members end, and compares checksums as reading does. A third benchmark reads the archives
//! with both readers.
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs, reason = "a benchmark")]

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use ingest::archive::{RecordOrDamage, Workshop, read};
use ingest::inputs::{InputNaming, expand};
use ingest::reread::compare;
use libdeflater::Decompressor;
use std::io::{self, Cursor};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::LazyLock;

struct BenchedArchive {
    bytes: Vec<u8>,
    /// Offset, length, and inflated length of each member.
    members: Vec<(usize, usize, usize)>,
}

static ARCHIVES: LazyLock<Vec<BenchedArchive>> = LazyLock::new(|| {
    let Some(corpus) = std::env::var_os("ROBOCENSUS_CORPUS") else {
        eprintln!("skipped: ROBOCENSUS_CORPUS is not set");
        return Vec::new();
    };
    let bench = Path::new(&corpus).join("bench");
    let inputs = expand(&[bench], &InputNaming::default(), &mut io::empty()).unwrap().inputs;
    inputs.into_iter().map(|input| with_members(std::fs::read(input.path.shown()).unwrap())).collect()
});

fn with_members(bytes: Vec<u8>) -> BenchedArchive {
    let mut members = Vec::new();
    read(Cursor::new(&bytes), &mut Workshop::default(), |found| {
        if let RecordOrDamage::Record(_, place) = found {
            members.push((place.offset as usize, place.length as usize));
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    let inflated_length = |(offset, length): (usize, usize)| {
        let trailer = bytes.get(offset + length - 4..offset + length).unwrap();
        (offset, length, u32::from_le_bytes(trailer.try_into().unwrap()) as usize)
    };
    let members = members.into_iter().map(inflated_length).collect();
    BenchedArchive { bytes, members }
}

fn main() {
    if !ARCHIVES.is_empty() {
        divan::main();
    }
}

fn bytes() -> BytesCount {
    BytesCount::new(ARCHIVES.iter().map(|archive| archive.bytes.len()).sum::<usize>())
}

#[divan::bench(sample_count = 9, sample_size = 1)]
fn floor(bencher: Bencher) {
    let mut decompressor = Decompressor::new();
    let mut buffer = vec![0; 64 << 20];
    bencher.counter(bytes()).bench_local(|| {
        for BenchedArchive { bytes, members } in ARCHIVES.iter() {
            for (offset, length, inflated) in members {
                let member = bytes.get(*offset..offset + length).unwrap();
                let buffer = buffer.get_mut(..*inflated).unwrap();
                black_box(decompressor.gzip_decompress(member, buffer).unwrap());
            }
        }
    });
}

#[divan::bench(sample_count = 9, sample_size = 1)]
fn records(bencher: Bencher) {
    let mut workshop = Workshop::default();
    bencher.counter(bytes()).bench_local(|| {
        for archive in ARCHIVES.iter() {
            let account = read(Cursor::new(&archive.bytes), &mut workshop, |found| {
                black_box(&found);
                ControlFlow::Continue(())
            });
            black_box(account.unwrap());
        }
    });
}

/// Reads with both readers, and compares them.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn reread(bencher: Bencher) {
    let mut workshop = Workshop::default();
    bencher.counter(bytes()).bench_local(|| {
        for archive in ARCHIVES.iter() {
            let comparison = compare(Cursor::new(&archive.bytes), &mut workshop, |record| {
                black_box(&record);
            });
            black_box(comparison.unwrap());
        }
    });
}
