//! The arguments of `commit`.

use super::jobs::jobs;
use super::models::Derive;
use super::tables::TablesArguments;
use crate::commit::CommitCommand;
use clap::Args;
use std::num::NonZeroUsize;

/// What was typed after `commit`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct CommitArguments {
    #[command(flatten)]
    tables: TablesArguments,
    /// Publish nothing, and print the shards that are not done, in the form that schedulers take: 3,17-19.
    #[arg(long, conflicts_with_all = ["models", "jobs"])]
    missing: bool,
    /// Which capture of a site the derived tables use, if there are several.
    #[arg(long, value_enum, default_value = "latest", value_name = "WHICH")]
    models: Derive,
    /// Number of threads that make derived tables; by default the number of cores.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Print nothing but failures.
    #[arg(long, short)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  robocensus commit tables
  robocensus commit tables --missing
  sbatch --array=$(robocensus commit tables --missing) shard.sh

commit publishes what the shards of robocensus plan have made, if all of them are done, and makes
the derived tables. Files are renamed, not copied. To continue after it was stopped or killed, run
the same command again.

Exit code:
  0  the tables are complete
  1  they are, but an input is damaged, missing or unreadable: see inputs and skips
  2  they are not: a wrong argument, no plan, a folder in use, Ctrl-C
  3  shards are not done; nothing was changed";

impl From<CommitArguments> for CommitCommand {
    fn from(typed: CommitArguments) -> CommitCommand {
        CommitCommand {
            tables: typed.tables.into(),
            is_missing: typed.missing,
            models: typed.models.options(jobs(typed.jobs)),
            is_quiet: typed.quiet,
        }
    }
}
