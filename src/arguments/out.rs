//! Where commands that print to standard output write instead.

use clap::Args;
use std::path::PathBuf;

/// The option of a file in place of standard output.
#[derive(Debug, Clone, Args)]
pub(crate) struct OutArguments {
    /// The file to write to instead of standard output. It appears when it is complete.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}
