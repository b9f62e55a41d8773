//! Archives made by rule, the same bytes on every machine.
//!
//! [`sample`] builds the sample that comes with the code, from sources that a person can read: each record is there for
//! one reason. [`crawl`] makes archives of any size from a seed, shaped like those of Common Crawl, to measure with.
//!
//! What holds here:
//!
//! - Nothing depends on time, place, threads, or floating point, so that one source or seed gives one set of bytes.
//! - Nothing of a real site is in here: hosts are names that nobody can have, and every text was written for this.
//! - It knows nothing of how archives are read. That what is written is what is read, the tests show.

pub mod crawl;
mod digest;
mod error;
mod list;
mod member;
pub mod sample;

pub use error::Error;
