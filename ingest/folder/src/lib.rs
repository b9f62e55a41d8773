//! The folder of tables, for writers and readers: its layout and lock, reading without following links, writing that
//! survives a crash, the ledger, and failures.
//!
//! `ingest` and `analyze` share only this crate, `hosts`, `robots` and `tables`.

pub mod blocks;
pub mod crawl;
pub mod digest;
pub mod durable;
pub mod failure;
mod layout;
pub mod ledger;
mod lock;
pub mod models;
pub mod mounts;
pub mod regular;
pub mod seal;
mod stamp;
pub mod text;
pub mod unfinished;
pub mod verified;
pub mod views_file;

pub use failure::Failure;
pub use layout::{
    Folder, VIEWS_FILE, WITHOUT_TABLES, begin_work, end_work, part_name, part_of_name, refuse_other_files,
    refuse_place, require_folder,
};
pub use lock::Lock;
pub use stamp::Stamp;
