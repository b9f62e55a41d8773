//! `robocensus completions`: what a shell completes, made from the definition by which arguments are read.

use crate::arguments::Arguments;
use crate::exit::Exit;
use crate::streams::Streams;
use clap_complete::Shell;
use std::io;

/// What is to be done.
#[derive(Debug)]
pub(crate) struct Completions {
    /// Whose they are.
    pub(crate) shell: Shell,
}

/// Does it.
pub(crate) fn run(completions: &Completions, streams: &mut Streams<'_>) -> io::Result<Exit> {
    let mut command = Arguments::whole_command();
    let name = command.get_name().to_owned();
    // To memory first: whoever writes straight to a pipe that is closed ends the process.
    let mut script = Vec::new();
    clap_complete::generate(completions.shell, &mut command, name, &mut script);
    streams.out.write_all(&script)?;
    Ok(Exit::Good)
}
