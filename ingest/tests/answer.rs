//! HTTP responses: properties of any bytes, hostile and damaged responses, and those in real archives.
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
