//! `robocensus completions`: prints a script that lets a shell complete commands, generated from the definition of the
//! command line.

use crate::exit::Exit;
use crate::failures::CommandResult;
use crate::streams::Streams;
use clap::Command;
use clap_complete::Shell;

/// Prints the completions of a command for a shell.
pub(crate) fn run(shell: Shell, mut command: Command, streams: &mut Streams<'_>) -> CommandResult {
    let name = command.get_name().to_owned();
    // To memory first: clap_complete panics when it writes to a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut script);
    streams.out.write_all(&script)?;
    Ok(Exit::Good)
}
