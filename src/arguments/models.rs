//! What the user typed behind `models`, and what several commands have that ask the tables.

use super::jobs::jobs;
use crate::models::ModelsCommand;
use analyze::Options as SessionOptions;
use analyze::models::{Again, Choice, Options};
use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// The arguments of `models`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct ModelsArguments {
    /// The folder that ingest wrote tables to.
    #[arg(value_name = "DIR")]
    tables: PathBuf,
    /// Which capture of a site counts.
    #[arg(long, value_enum, default_value = "latest", value_name = "WHICH")]
    capture: Capture,
    /// A list of agents to be used instead of the one that comes with the program; those with tracked = true get
    /// verdicts.
    #[arg(long, value_name = "FILE")]
    agents: Option<PathBuf>,
    /// Make again what is up to date.
    #[arg(long)]
    again: bool,
    /// How many threads work; as many as there are cores, if it is not said.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Say nothing but what went wrong.
    #[arg(long, short)]
    quiet: bool,
}

/// Which capture of a site counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Capture {
    /// The latest.
    Latest,
    /// The first.
    First,
    /// An answer before a refusal, that before a redirect, that before a failure; of several the latest.
    Best,
}

const EXAMPLES: &str = "\
Examples:
  robocensus models tables
  robocensus models tables --capture best
  robocensus models tables --agents my-agents.csv

sites has a row for each protocol, host and port whose robots.txt was captured, with redirects
followed through the tables. tracked_agents has the agents with verdicts. site_classes puts sites
that treat all of them alike into one policy class, and class_verdicts has what each class says.
ingest makes all four at its end. What is up to date is left as it is; the others are made aside
and take their names when they are whole.

Exit code:
  0  all are made
  2  not all was done: a wrong argument, no folder of tables, a folder in use, Ctrl-C";

impl From<Capture> for Choice {
    fn from(capture: Capture) -> Choice {
        match capture {
            Capture::Latest => Choice::Latest,
            Capture::First => Choice::First,
            Capture::Best => Choice::Best,
        }
    }
}

impl From<ModelsArguments> for ModelsCommand {
    fn from(typed: ModelsArguments) -> ModelsCommand {
        let session = SessionOptions { jobs: jobs(typed.jobs), agents: typed.agents, ..SessionOptions::default() };
        let again = if typed.again { Again::Always } else { Again::Never };
        let options = Options { session, choice: typed.capture.into(), again };
        ModelsCommand { tables: typed.tables, options, is_quiet: typed.quiet }
    }
}
