//! Makes archives, with the same bytes on every machine.
//!
//! [`sample`] builds the sample that comes with the code, from readable sources. Each record has one purpose.
//! [`crawl`] makes archives of any size from a seed, shaped like those of Common Crawl, for measurements.
//!
//! Invariants:
//!
//! - Nothing depends on time, machine, threads, or floating point, so a source or seed always gives the same bytes.
//! - Nothing comes from a real site: hosts are names that nobody can have, and every text was written for this project.
//! - It has no code for reading archives. The tests compare what is written with what the readers find.

pub mod crawl;
mod digest;
mod list;
mod member;
pub mod sample;

use std::path::Path;

/// Writes a file, and creates the folders above it. The error says `what: where: cause`.
fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    let written = folder.and_then(|()| std::fs::write(path, bytes));
    written.map_err(|error| format!("file cannot be written: {}: {error}", path.display()))
}
