//! The folder of tables, for commands whose first argument it is.

use clap::Args;
use std::path::PathBuf;

/// The folder of tables: an option, as in all commands, or the first argument.
#[derive(Debug, Clone, Args)]
pub(crate) struct TablesArguments {
    /// The folder of tables that ingest wrote, or its URL; the same as --tables.
    #[arg(value_name = "TABLES", conflicts_with = "tables")]
    folder: Option<PathBuf>,
    /// The folder of tables that ingest wrote, or its URL. [default: tables]
    #[arg(long, short, value_name = "DIR")]
    tables: Option<PathBuf>,
}

impl From<TablesArguments> for PathBuf {
    fn from(typed: TablesArguments) -> PathBuf {
        typed.tables.or(typed.folder).unwrap_or_else(|| PathBuf::from("tables"))
    }
}
