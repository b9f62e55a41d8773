//! Tables in, answers out.
//!
//! A [`Session`] opens a folder of tables with DataFusion. It answers SQL with functions for robots.txt. It also makes
//! the derived tables, and runs the questions and checks of `queries/`.
//!
//! Invariants:
//!
//! - It never opens an archive. The folder of tables is all that it shares with `ingest`, and neither depends on the
//!   other. Both use `robots`, `tables`, `hosts` and `folder`.
//! - Rust decides and SQL counts. `robots` chooses groups, finds the longest match and compares percent-encoded paths.
//!   SQL calls it through functions and repeats none of it.
//! - Every figure comes from a query in a file of its own. A report or a notebook draws it and computes nothing.
//! - Grouping and joining by text from crawled files is safe against hash-collision attacks.
//! - A table that differs from its declaration is an error that names the table. Missing columns never become nulls.
//!
//! Some traits of DataFusion have `async` methods. Here such a method is not `async`: it calls a function that returns
//! the future. The reason is compile time. `async_trait` puts bounds on the lifetimes of a method. With these bounds
//! the compiler proves for each method anew that its future is `Send`, through all types of plans and expressions;
//! without them, once. See [apache/datafusion#24325](https://github.com/apache/datafusion/pull/24325).

/// The method `scan` of a table provider. It is not `async`, as the documentation of the crate says.
macro_rules! scan {
    (|$table:ident, $state:ident, $projection:ident, $filters:ident, $limit:ident| $planned:expr) => {
        fn scan<'a, 'b, 'c, 'd, 'f>(
            &'a self,
            $state: &'b dyn datafusion::catalog::Session,
            $projection: Option<&'c Vec<usize>>,
            $filters: &'d [datafusion::logical_expr::Expr],
            $limit: Option<usize>,
        ) -> futures_util::future::BoxFuture<
            'f,
            datafusion::error::Result<std::sync::Arc<dyn datafusion::physical_plan::ExecutionPlan>>,
        >
        where
            'a: 'f,
            'b: 'f,
            'c: 'f,
            'd: 'f,
            Self: 'f,
        {
            let $table = self;
            $planned
        }
    };
}

mod agent_list;
mod catalog;
pub mod checks;
mod crawls;
mod date;
mod engine;
mod events;
pub mod explain;
mod freshness;
pub mod functions;
pub mod models;
mod nearest;
pub mod output;
pub mod portable;
pub mod queries;
mod quoted;
pub mod statement;

pub use agent_list::{KnownAgent, known_agents, template_names};
pub use catalog::described::{ColumnDescription, TableDescription};
pub use catalog::dimension::{normal_form, user_tables};
pub use catalog::own::is_plain_name;
pub use date::is_day;
pub use engine::batches::AnswerBatches;
pub use engine::failure::is_of_memory;
pub use engine::options::{OwnTable, Permission, SessionOptions};
pub use engine::session::{NO_TABLES, Session};
pub use engine::spill::{SpillFolder, remove_spilled};
pub use engine::threads::{on_own_thread, runtime, with_large_stack};
pub use events::{Event, events};
pub use nearest::{did_you_mean, nearest};
