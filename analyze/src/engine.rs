//! DataFusion over a folder of tables: a session, what it may do, and what it does otherwise than DataFusion.
//!
//! - [`options`]: how a folder is opened.
//! - [`permission`]: which statements only read.
//! - [`once`]: a step of a statement that is read several times is computed once.
//! - [`dependencies`]: a workaround for wrong answers of DataFusion 55.
//! - [`trusted`]: which columns the crate `guard` need not protect.
//! - [`failure`]: errors of DataFusion as messages.

mod dependencies;
pub(crate) mod failure;
mod once;
pub(crate) mod options;
mod permission;
pub(crate) mod session;
mod trusted;
