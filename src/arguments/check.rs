//! What the user typed behind `check`.

use super::jobs;
use crate::check::Check;
use clap::Args;
use ingest::check::{Digests, Options};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// The arguments of `check`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct CheckArguments {
    /// The folder that ingest wrote tables to.
    #[arg(value_name = "DIR")]
    tables: PathBuf,
    /// Pass over the digests of files, so that not all of their bytes are read. A flipped bit may be missed.
    #[arg(long)]
    quick: bool,
    /// How many parts are checked at a time; as many as there are cores, if it is not said.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Say nothing but what is damaged.
    #[arg(long, short)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  robocensus check tables
  robocensus check --quick tables
  robocensus check --quiet tables && rsync -a tables/ server:tables/

What is checked:
  plan and ledger    each part is done, and both say the same of it
  files              each is there, with its length, SHA-256, columns and number of rows, and no other
  bytes and records  of each input bytes = good + damaged and records = captures + skipped, computed
                     from the rows; so are the sums of the ledger
  references         each body that a row refers to is there, has as many rows as it counts, and has
                     a capture

Damage is named on standard error, as what: where: cause. Nothing is written, and nothing mended:
ingest makes a part anew once its entry in _robocensus/ledger is removed.

Exit code:
  0  the tables are whole
  1  something is damaged, missing, foreign or not done
  2  it could not be checked: a wrong argument, no folder of tables, a folder in use, Ctrl-C";

impl From<CheckArguments> for Check {
    fn from(typed: CheckArguments) -> Check {
        Check {
            tables: typed.tables,
            options: Options {
                jobs: jobs(typed.jobs),
                digests: if typed.quick { Digests::PassOver } else { Digests::Compare },
            },
            is_quiet: typed.quiet,
        }
    }
}
