//! The files of `queries/`: their headers and statements.
//!
//! A question reads tables and views. A view is a named query that several questions share. It is added to the
//! statement of the question as a `WITH`, so that any engine can run the result. The parameters of a view are also
//! parameters of each query that reads it.

mod column;
#[cfg(test)]
mod events;
mod fault;
mod header;
#[cfg(test)]
mod page;
mod parameter;
mod query;
#[cfg(test)]
mod repeated;
mod statement;
mod untracked;
#[cfg(test)]
mod vocabularies;
#[cfg(test)]
mod words;

pub use column::AnswerColumn;
pub use header::Header;
pub use parameter::{Parameter, ParameterKind, option_name};
pub use query::{Query, QueryKind, all, find};
pub use untracked::{OF_TRACKED_AGENTS, UntrackedAgents};
