//! How a run ended, for the shell that started it.

use std::process::ExitCode;

/// How a run ended. Of several, the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// All is good.
    Good = 0,
    /// The work is done, and something in what was read is not as it should be.
    Flawed = 1,
    /// The work could not be done, or not all of it. clap ends with the same number.
    Failed = 2,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}
