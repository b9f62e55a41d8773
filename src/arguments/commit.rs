//! The arguments of `commit`.

use super::choice::one_of;
use super::jobs::{jobs, thread_count};
use super::models::{MODELS, ModelsChoice};
use super::out::OutArguments;
use super::requests::RequestArguments;
use super::tables::TablesArguments;
use crate::commit::CommitCommand;
use clap::Args;
use std::num::NonZeroUsize;

/// The arguments of `commit`, as typed.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CommitArguments {
    #[command(flatten)]
    tables: TablesArguments,
    /// Publish nothing, and print the shards that are not done, in the form that schedulers accept: 3,17-19.
    #[arg(long, conflicts_with_all = ["models", "jobs"])]
    pub(super) missing: bool,
    /// Which capture the derived tables use if a site has several. By default the one that they used before, or the
    /// latest.
    #[arg(long, value_parser = one_of(&MODELS), value_name = "WHICH")]
    models: Option<ModelsChoice>,
    /// Number of threads that make derived tables; by default the number of cores.
    #[arg(long, value_name = "N", value_parser = thread_count)]
    jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) requests: RequestArguments,
    #[command(flatten)]
    pub(crate) out: OutArguments,
}

const EXAMPLES: &str = "\
Examples:
  robocensus commit tables
  robocensus commit tables --missing
  sbatch --array=$(robocensus commit tables --missing) shard.sh

When all shards of robocensus plan are done, commit publishes their tables and makes the derived \
tables. On disk, files are renamed. In a bucket, the store copies them. To continue a commit that \
was stopped or killed, run the same command again.

Exit code:
  0  the tables are complete
  1  the tables are complete, but an input is damaged, missing or unreadable:
     see inputs and skips
  2  the tables are not complete: an invalid argument, no plan, a folder in
     use, Ctrl-C
  3  a shard is not done; nothing was changed";

impl From<CommitArguments> for CommitCommand {
    fn from(typed: CommitArguments) -> CommitCommand {
        CommitCommand {
            tables: typed.tables.into(),
            is_missing: typed.missing,
            models: ModelsChoice::options(typed.models, jobs(typed.jobs)),
        }
    }
}
