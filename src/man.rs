//! `robocensus man`: pages of the manual, made from the definition by which arguments are read.

mod page;

use crate::arguments::Arguments;
use crate::exit::Exit;
use crate::failures;
use crate::streams::Streams;
use analyze::did_you_mean;
use clap::Command;
use folder::Failure;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// What is to be done.
#[derive(Debug)]
pub(crate) struct Man {
    /// What is wanted.
    pub(crate) wanted: Wanted,
}

/// What is wanted.
#[derive(Debug)]
pub(crate) enum Wanted {
    /// The page of the program.
    Program,
    /// That of a command.
    Command(String),
    /// All of them, in a folder.
    All(PathBuf),
}

/// Does it.
pub(crate) fn run(man: &Man, streams: &mut Streams<'_>) -> io::Result<Exit> {
    let mut program = Arguments::whole_command().disable_help_subcommand(true);
    program.build();
    let done = match &man.wanted {
        Wanted::Program => return print(&program, streams),
        Wanted::Command(name) => match commands(&program).find(|command| command.get_name() == name) {
            Some(command) => return print(command, streams),
            None => Err(unknown(name, &program)),
        },
        Wanted::All(folder) => write(&program, folder),
    };
    match done {
        Ok(()) => Ok(Exit::Good),
        Err(failure) => {
            failures::name(&[failure], streams)?;
            Ok(Exit::Failed)
        }
    }
}

/// The commands that have a page. Questions are commands to clap, and one page has them all.
fn commands(program: &Command) -> impl Iterator<Item = &Command> {
    program.get_subcommands().filter(|command| !command.is_hide_set())
}

fn print(command: &Command, streams: &mut Streams<'_>) -> io::Result<Exit> {
    streams.out.write_all(page::of(command)?.as_bytes())?;
    Ok(Exit::Good)
}

fn write(program: &Command, folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(Failure::at("folder cannot be made", folder))?;
    for command in [program].into_iter().chain(commands(program)) {
        let path = folder.join(format!("{}.1", page::name(command)));
        page::of(command)
            .and_then(|text| fs::write(&path, text))
            .map_err(Failure::at("page cannot be written", &path))?;
    }
    Ok(())
}

fn unknown(name: &str, program: &Command) -> Failure {
    let meant = did_you_mean(name, commands(program).map(Command::get_name));
    Failure::new("command is unknown", Path::new(name), format!("robocensus --help lists them{meant}"))
}
