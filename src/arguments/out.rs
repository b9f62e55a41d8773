//! The option `--out` of commands that otherwise print to standard output.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Clone, Args)]
pub(crate) struct OutArguments {
    /// The file to write to instead of standard output. It appears when it is complete.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}
