//! What the user typed behind `check`.

use super::jobs::jobs;
use crate::check::CheckCommand;
use clap::Args;
use ingest::check::{Archives, CheckOptions, Digests};
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
    /// Read the archives again with a second reader, and compare them with the tables. Takes longer than all else.
    #[arg(long)]
    archives: bool,
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
  robocensus check --archives tables
  robocensus check --quiet tables && rsync -a tables/ server:tables/

What is checked:
  plan and ledger    each part is done, and both say the same of it
  files              each is there, with its length, SHA-256, columns and number of rows, and no other
  bytes and records  of each input bytes = good + damaged and records = captures + skipped, computed
                     from the rows; so are the sums of the ledger
  references         each body that a row refers to is there, has as many rows as it counts, and has
                     a capture
  archives           with --archives: each is what was read, the crate warc, which is not of this
                     project, finds the same records in it, and these are the rows of captures by
                     type, target, status, offset and length. What that crate cannot read is no
                     damage; it is counted by cause, with the first place

Damage is named on standard error, as what: where: cause. Nothing is written, and nothing mended:
ingest makes a part anew once its entry in _robocensus/ledger is removed.

Exit code:
  0  the tables are whole
  1  something is damaged, missing, foreign or not done, or differs from the archives
  2  it could not be checked: a wrong argument, no folder of tables, a folder in use, Ctrl-C";

impl From<CheckArguments> for CheckCommand {
    fn from(typed: CheckArguments) -> CheckCommand {
        CheckCommand {
            tables: typed.tables,
            options: CheckOptions {
                jobs: jobs(typed.jobs),
                digests: if typed.quick { Digests::PassOver } else { Digests::Compare },
                archives: if typed.archives { Archives::Reread } else { Archives::PassOver },
            },
            is_quiet: typed.quiet,
        }
    }
}
