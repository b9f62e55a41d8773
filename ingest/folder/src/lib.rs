//! The folder of tables, on which those who write it and those who read it agree: where everything lies, who may write,
//! what survives a crash, what the ledger says of each part, and how a failure is told.
//!
//! It is all that `ingest` and `analyze` share but for `robots` and `tables`.

pub mod digest;
pub mod durable;
pub mod failure;
mod layout;
pub mod ledger;
mod lock;
pub mod models;
mod stamp;

pub use failure::Failure;
pub use layout::{Folder, begin_work, end_work};
pub use lock::Lock;
pub use stamp::Stamp;
