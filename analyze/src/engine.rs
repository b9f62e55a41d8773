//! DataFusion over a folder of tables: sessions, what statements may do, and where the engine differs from DataFusion.
//!
//! - [`options`]: how a folder is opened.
//! - [`permission`]: which statements only read.
//! - [`once`]: computes a step once, even if a statement reads it several times.
//! - [`constants`]: leaves out keys that are the same in all rows.
//! - [`body_joins`]: joins by body and something else where the rows are.
//! - [`dependencies`]: a workaround for wrong answers of DataFusion 55.
//! - [`trusted`]: which columns the crate `guard` need not protect.
//! - [`files`]: the files that statements may write.
//! - [`spill`]: the folders for temporary files.
//! - [`table_reader`]: reads a file of the folder without DataFusion.
//! - [`threads`]: threads whose stacks fit deep statements.
//! - [`failure`]: turns errors of DataFusion into messages.

pub(crate) mod body_joins;
mod constants;
mod dependencies;
pub(crate) mod failure;
pub(crate) mod files;
mod once;
pub(crate) mod options;
mod permission;
pub(crate) mod session;
pub(crate) mod spill;
pub(crate) mod table_reader;
pub(crate) mod threads;
mod trusted;
