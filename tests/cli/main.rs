//! The command line from outside: the real binary, in a fresh folder, by what it prints and how it ends, and by what other
//! programs read of what it writes.

mod check;
mod command;
mod expected;
mod ingest;
mod judge;
mod lint;
mod ndjson;
mod readers;
mod readme;
mod rendering;
mod run;
mod sample;
mod tables;
