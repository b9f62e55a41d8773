//! The arguments of `man`.

use super::out::disk_path;
use crate::man::ManCommand;
use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use std::path::PathBuf;

/// The arguments of `man`, as typed.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ManArguments {
    /// The command whose page to print; by default the program itself.
    #[arg(value_name = "COMMAND")]
    page: Option<String>,
    /// Write all pages to this folder instead: robocensus.1 and one for each command.
    #[arg(long, short, value_name = "DIR", value_parser = disk_path(), conflicts_with = "page")]
    out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  robocensus man > robocensus.1
  robocensus man query | man -l -
  robocensus man --out ~/.local/share/man/man1

The pages have the text of --help. The page of query also lists the questions.

Exit code:
  0  the pages were printed or written
  2  they were not printed: an unknown command, a folder without write
     permission";

/// `man` with these commands as values, for completions.
pub(super) fn with_pages(man: Command, commands: Vec<String>) -> Command {
    let commands = PossibleValuesParser::new(commands);
    man.mut_arg("page", |page| page.value_parser(commands).hide_possible_values(true))
}

impl From<ManArguments> for ManCommand {
    fn from(typed: ManArguments) -> ManCommand {
        match (typed.out, typed.page) {
            (Some(folder), _) => ManCommand::WritePages(folder),
            (None, Some(command)) => ManCommand::PrintPageOf(command),
            (None, None) => ManCommand::PrintPage,
        }
    }
}
