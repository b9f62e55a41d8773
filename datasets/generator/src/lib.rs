//! Makes archives, with the same bytes on every machine.
//!
//! [`sample`] builds the sample that comes with the code, from readable sources; each record is there for one reason.
//! [`crawl`] makes archives of any size from a seed, shaped like those of Common Crawl, for measurements.
//!
//! Invariants:
//!
//! - Nothing depends on time, place, threads, or floating point, so that one source or seed gives one set of bytes.
//! - Nothing comes from a real site: hosts are names that nobody can have, and every text was written for this project.
//! - It does not know how archives are read. The tests compare what is written with what is read.

pub mod crawl;
mod digest;
mod error;
mod list;
mod member;
pub mod sample;

pub use error::GeneratorError;
