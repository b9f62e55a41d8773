//! The option `--format` of commands that print text or JSON.

use clap::ValueEnum;

/// How a command prints its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PrintFormat {
    /// For people.
    Text,
    /// For programs: one JSON object per line.
    Json,
}
