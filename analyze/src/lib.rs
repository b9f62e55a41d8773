//! Tables in, answers out.
//!
//! A [`Session`] opens a folder of tables with DataFusion. It answers SQL, which has functions for robots.txt. It also runs
//! the derived tables, questions and checks of `queries/`.
//!
//! Invariants:
//!
//! - It never opens an archive. The folder of tables is all that it shares with `ingest`, and neither depends on the other.
//!   Both use `robots`, `tables`, `hosts` and `folder`.
//! - Rust decides and SQL counts. `robots` chooses groups, finds the longest match and compares percent-encoded paths. SQL
//!   calls it through functions and repeats none of it.
//! - Every figure comes from a query in a file of its own. A report or a notebook draws it and computes nothing.
//! - Grouping and joining take the same time for any text. Texts that were made to collide do not slow them down.
//! - A table that differs from its declaration is an error that names it. Missing columns never become nulls.
//!
//! Where a trait of DataFusion wants a future, a separate function makes it and the method is not `async`. `async_trait` gives
//! a method bounds on its lifetimes. With bounds, the compiler proves again for each method that a future is `Send`, through
//! all types of plans and expressions. Without bounds it does so once. See
//! [apache/datafusion#24325](https://github.com/apache/datafusion/pull/24325).

mod agent_list;
mod catalog;
pub mod checks;
mod engine;
mod events;
pub mod explain;
mod freshness;
pub mod functions;
pub mod models;
mod nearest;
pub mod output;
#[cfg(test)]
mod page;
pub mod portable;
pub mod queries;
pub mod statement;

pub use agent_list::{KnownAgent, known_agents};
pub use catalog::described::{ColumnDescription, TableDescription};
pub use catalog::dimension::user_tables;
pub use engine::failure::is_of_memory;
pub use engine::options::{Joins, OwnTable, Permission, SessionOptions};
pub use engine::session::Session;
pub use engine::spill::{SpillFolder, remove_spilled};
pub use engine::threads::{runtime, with_large_stack};
pub use events::{Event, events};
pub use nearest::{did_you_mean, nearest};
