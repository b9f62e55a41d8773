//! Reads and changes objects on a loopback server.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

mod changes;
mod options;
mod reading;
#[path = "../loopback/server.rs"]
mod server;
