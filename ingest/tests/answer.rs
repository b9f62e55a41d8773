//! Answers: what holds for any bytes, what is hostile, what is damaged, and what real archives hold.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stderr, reason = "a test")]

#[path = "answer/archive.rs"]
mod archive;
#[path = "answer/bodies.rs"]
mod bodies;
#[path = "answer/encode.rs"]
mod encode;
#[path = "answer/hostile.rs"]
mod hostile;
#[path = "answer/properties.rs"]
mod properties;
#[path = "real/corpus.rs"]
mod real;
