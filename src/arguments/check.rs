//! The arguments of `check`.

use super::jobs::{jobs, thread_count};
use super::out::OutArguments;
use super::requests::RequestArguments;
use super::tables::TablesArguments;
use crate::check::CheckCommand;
use clap::Args;
use ingest::check::{Archives, CheckOptions, Digests};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// The arguments of `check`, as typed.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    tables: TablesArguments,
    /// Skip digests and queries. Not all bytes of tables on disk are read, so a flipped bit may be missed.
    #[arg(long, conflicts_with = "agents")]
    quick: bool,
    /// Read the archives again with a second reader and compare them with the tables. This takes longest.
    #[arg(long)]
    archives: bool,
    /// The list that the derived tables were made with, if it is not the built-in one: a CSV with the columns token and
    /// tracked. datasets/agents.md explains the others.
    #[arg(long, value_name = "FILE")]
    pub(super) agents: Option<PathBuf>,
    /// Number of parts to check at a time; by default the number of cores.
    #[arg(long, value_name = "N", value_parser = thread_count)]
    jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) out: OutArguments,
    #[command(flatten)]
    pub(crate) requests: RequestArguments,
}

const EXAMPLES: &str = "\
Examples:
  robocensus check tables
  robocensus check --quick tables
  robocensus check --archives tables
  robocensus check tables --agents my-agents.csv
  robocensus check --quiet tables && rsync -a tables/ server:tables/

What is checked:
  plan and ledger    every part is finished, and plan and ledger agree on it
  files              every file exists and has the right length, SHA-256,
                     columns and number of rows; the folders of the tables have
                     no other files; a crawl has all derived tables or none
  bytes and records  for each input, bytes = good + damaged and records =
                     captures + skipped, counted from the rows; the sums in the
                     ledger are right
  references         every body that a row refers to exists, has the right
                     number of rows, and belongs to a capture
  queries            the rows of all tables agree: no query of queries/checks
                     finds a fault
  archives           with --archives: the archives have not changed, and the
                     crate warc, which is independent of this project, finds
                     the same captures in them, with the same type, target,
                     status, offset and length. A record that this crate cannot
                     read is not damage; check counts such records by cause and
                     names the first. The same goes for broken records, which
                     ingest counts as damage and this crate does not get

Damage is printed on standard error, as what: where: cause. Nothing is written or repaired. ingest \
and models make missing files again. To repair a damaged part, remove its entry in \
_robocensus/ledger and run ingest again. models --again repairs derived tables.

Exit code:
  0  the tables are complete and undamaged
  1  something is damaged, missing, foreign or unfinished, or differs from the
     archives
  2  the check was not done: an invalid argument, no folder of tables, a folder
     in use, a file without read permission, too few open files, Ctrl-C";

impl From<CheckArguments> for CheckCommand {
    fn from(typed: CheckArguments) -> CheckCommand {
        CheckCommand {
            tables: typed.tables.into(),
            agents: typed.agents,
            options: CheckOptions {
                jobs: jobs(typed.jobs),
                digests: if typed.quick { Digests::PassOver } else { Digests::Compare },
                archives: if typed.archives { Archives::Reread } else { Archives::PassOver },
            },
            out: typed.out.out,
        }
    }
}
