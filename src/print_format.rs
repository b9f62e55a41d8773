//! The two forms in which commands print facts.

use clap::ValueEnum;

/// The form in which a command prints its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PrintFormat {
    /// For people.
    Text,
    /// For programs: one JSON object per line.
    Json,
}
