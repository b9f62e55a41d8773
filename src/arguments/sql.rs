//! The arguments of `sql`.

use super::session::SessionArguments;
use crate::sql::{SqlCommand, StatementSource};
use analyze::Permission;
use clap::Args;
use std::path::PathBuf;

/// The arguments of `sql`, as typed.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SqlArguments {
    /// Statements, separated by semicolons. By default they are read from standard input; on a terminal, a prompt
    /// opens.
    #[arg(value_name = "STATEMENT")]
    pub(super) statement: Option<String>,
    /// Read the statements from this file.
    #[arg(long, value_name = "FILE", conflicts_with = "statement")]
    pub(super) file: Option<PathBuf>,
    /// Allow statements to create tables and views for the session, change settings, and copy to files. The folder of
    /// tables stays unchanged.
    #[arg(long)]
    read_write: bool,
    #[command(flatten)]
    pub(super) session: SessionArguments,
}

const EXAMPLES: &str = "\
Examples:
  robocensus sql 'SELECT token, count(*) FROM policies GROUP BY token ORDER BY 2 DESC, 1 LIMIT 10'
  robocensus sql --tables data/tables --file report.sql --format markdown
  robocensus sql 'SELECT * FROM violations' --out violations.parquet
  robocensus sql --table mine=sites.csv 'SELECT * FROM captures JOIN mine ON url_host_name = host'
  robocensus sql

SHOW TABLES lists the tables, and DESCRIBE captures lists the columns of one. \
datasets/DICTIONARY.md explains each column. At the prompt, end a statement with a semicolon, press \
Tab to complete names, and type \\? for help.

Exit code:
  0  every statement was answered
  2  a statement failed: an invalid or rejected statement, a missing or invalid
     table, too little memory, Ctrl-C";

impl From<SqlArguments> for SqlCommand {
    fn from(typed: SqlArguments) -> SqlCommand {
        let access = if typed.read_write { Permission::ReadWrite } else { Permission::ReadOnly };
        let source = match (typed.statement, typed.file) {
            (Some(statement), _) => StatementSource::Typed(statement),
            (None, Some(file)) => StatementSource::File(file),
            (None, None) => StatementSource::Input,
        };
        let stores = typed.session.requests.stores();
        SqlCommand { source, stores, options: typed.session.into_options(access) }
    }
}
