//! Reads and changes objects on a loopback server.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

mod changes;
#[path = "../loopback/options.rs"]
mod options;
mod reading;
#[path = "../loopback/server.rs"]
mod server;
