//! `robocensus man`: manual pages, generated from the definition of the command line.

mod page;

use crate::answer::file::FileDraft;
use crate::exit::Exit;
use crate::failures::{self, CommandResult};
use crate::interrupt::Interrupt;
use crate::streams::Streams;
use analyze::did_you_mean;
use clap::Command;
use folder::{Failure, regular};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// The options of `man`.
#[derive(Debug)]
pub(crate) enum ManCommand {
    /// Print the page of the program.
    PrintPage,
    /// Print the page of a command.
    PrintPageOf(String),
    /// Write the pages of the program and of all commands to a folder.
    WritePages(PathBuf),
}

/// Prints or writes pages of `program`, which is the definition of the command line.
pub(crate) fn run(man: &ManCommand, program: Command, streams: &mut Streams<'_>) -> CommandResult {
    let mut program = program.disable_help_subcommand(true);
    program.build();
    match man {
        ManCommand::PrintPage => print(&program, streams),
        ManCommand::PrintPageOf(name) => match commands(&program).find(|command| command.get_name() == name) {
            Some(command) => print(command, streams),
            None => Err(unknown(name, &program).into()),
        },
        ManCommand::WritePages(folder) => {
            let interrupt = Interrupt::listen()?;
            write(&program, folder, interrupt.flag())?;
            Ok(Exit::Good)
        }
    }
}

/// The commands that have a page. Questions are hidden subcommands; the page of `query` lists them.
fn commands(program: &Command) -> impl Iterator<Item = &Command> {
    program.get_subcommands().filter(|command| !command.is_hide_set())
}

fn print(command: &Command, streams: &mut Streams<'_>) -> CommandResult {
    streams.out.write_all(page::render(command)?.as_bytes())?;
    Ok(Exit::Good)
}

/// Writes all pages, each whole or not at all, until `stop` is set.
fn write(program: &Command, folder: &Path, stop: &AtomicBool) -> Result<(), Failure> {
    regular::refuse_below_any(folder)?;
    fs::create_dir_all(folder).map_err(Failure::at("folder cannot be made", folder))?;
    for command in [program].into_iter().chain(commands(program)) {
        if stop.load(Ordering::Relaxed) {
            return Err(failures::stopped(folder));
        }
        let path = folder.join(format!("{}.1", page::name(command)));
        let write = |text: String| {
            let mut page = FileDraft::begin(&path)?;
            page.write_all(text.as_bytes())?;
            page.finish()
        };
        page::render(command).and_then(write).map_err(Failure::at("page cannot be written", &path))?;
    }
    Ok(())
}

fn unknown(name: &str, program: &Command) -> Failure {
    let meant = did_you_mean(name, commands(program).map(Command::get_name));
    Failure::new("command is unknown", Path::new(name), format!("robocensus --help lists all commands{meant}"))
}
