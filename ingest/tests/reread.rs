//! Compares two readers of archives: on the corpus, on crafted members, and on any bytes.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stderr, reason = "a test")]

#[path = "reread/corpus.rs"]
mod corpus;
#[path = "reread/crafted.rs"]
mod crafted;
#[path = "reread/damage.rs"]
mod damage;
#[path = "reread/hostile.rs"]
mod hostile;
#[path = "reread/one_place.rs"]
mod one_place;
#[path = "real/corpus.rs"]
mod real;
#[path = "reread/walk.rs"]
mod walk;
