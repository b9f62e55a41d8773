//! The parts of targets: case by case, for any bytes, and for all targets of the corpus.

mod cases;
mod corpus;
mod properties;
