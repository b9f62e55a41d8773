//! The command line from outside: the real binary, in a fresh folder, by what it prints and how it ends.

mod check;
mod command;
mod judge;
mod lint;
mod ndjson;
mod readme;
mod run;
mod tables;
