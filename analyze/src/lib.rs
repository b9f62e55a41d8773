//! Tables in, answers out.
//!
//! A folder of tables is opened with DataFusion ([`Session`]); SQL over it has functions that speak of robots.txt, and the
//! derived tables, named questions and checks of `queries/` are run over it.
//!
//! What holds here:
//!
//! - It never opens an archive. The folder of tables is all that it and `ingest` share, and neither depends on the
//!   other; both stand on `robots`, `tables`, `hosts` and `folder`.
//! - Rust decides and SQL counts: choosing a group, finding the longest match and comparing percent-encoded paths are
//!   done by `robots`. SQL calls them as functions and says none of it again.
//! - Every figure comes from a query that is a file of its own; a report or a notebook draws it and computes nothing.
//! - Whatever texts a table holds, grouping and joining by them takes the time that it takes for others.
//! - A table that is not what it should be is an error that names it, and never nulls.
//!
//! A future that a trait of DataFusion asks for is made by a function of its own and not by the method. `async_trait` gives
//! a method bounds on its lifetimes, and where there are bounds the compiler proves anew that a future is `Send`, all the
//! way through the types of plans and expressions; where there are none it does so once. See
//! [apache/datafusion#24325](https://github.com/apache/datafusion/pull/24325).

mod catalog;
pub mod checks;
mod engine;
pub mod explain;
mod freshness;
pub mod functions;
pub mod models;
mod nearest;
pub mod output;
#[cfg(test)]
mod page;
pub mod queries;
pub mod statement;

pub use catalog::described::{Described, DescribedColumn};
pub use engine::failure::is_of_memory;
pub use engine::options::{Joins, OwnTable, Permission, SessionOptions};
pub use engine::session::Session;
pub use nearest::{did_you_mean, nearest};
