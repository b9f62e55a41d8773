//! The lower bound for ingest: it reads archives, inflates them member by member, and compares checksums.
//!
//! `floor index ARCHIVE...` prints where the members are. `floor run` reads that from standard input and inflates them,
//! so that finding members is not measured.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::indexing_slicing, reason = "a tool")]

use ingest::archive::{RecordOrDamage, Workshop, read};
use libdeflater::{DecompressionError, Decompressor};
use std::fs::File;
use std::io::BufRead as _;
use std::ops::ControlFlow;

fn main() {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some("index") => arguments.for_each(|path| index(&path)),
        Some("run") => run(),
        _ => println!("usage: floor index ARCHIVE... | floor run"),
    }
}

/// Prints one line per archive: where each member ends, and the path.
fn index(path: &str) {
    let mut ends = Vec::new();
    read(File::open(path).unwrap(), &mut Workshop::default(), |found| {
        if let RecordOrDamage::Record(_, place) = found {
            ends.push((place.offset + place.length).to_string());
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    println!("{} {path}", ends.join(","));
}

fn run() {
    let mut decompressor = Decompressor::new();
    let (mut archive, mut buffer) = (Vec::new(), vec![0; 2 << 20]);
    let mut bytes = 0;
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let (ends, path) = line.split_once(' ').expect("a line of `floor index`");
        archive.clear();
        std::io::Read::read_to_end(&mut File::open(path).unwrap(), &mut archive).unwrap();
        let mut start = 0;
        for end in ends.split(',').map(|end| end.parse().unwrap()) {
            bytes += loop {
                match decompressor.gzip_decompress(&archive[start..end], &mut buffer) {
                    Ok(held) => break held,
                    Err(DecompressionError::InsufficientSpace) => buffer.resize(buffer.len() * 4, 0),
                    Err(DecompressionError::BadData) => unreachable!("{path} at {start}"),
                }
            };
            start = end;
        }
    }
    println!("{bytes} bytes inflated");
}
