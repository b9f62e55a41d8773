//! Exit codes.

use std::process::ExitCode;

/// How a run ended. Of several results, the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Everything is good.
    Good = 0,
    /// The work is done, but the input has a fault.
    Flawed = 1,
    /// The work was not done, or not all of it. clap exits with the same code for invalid arguments.
    Failed = 2,
    /// Shards are missing, so nothing can be published yet.
    Missing = 3,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}
