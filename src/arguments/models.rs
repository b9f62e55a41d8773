//! The arguments of `models`, and the choice of a capture, which `ingest` and `commit` share.

use super::agent_list::AgentListArguments;
use super::choice::{Choice, one_of};
use super::out::OutArguments;
use super::plan::crawl_name;
use super::requests::RequestArguments;
use super::resources::ResourceArguments;
use super::tables::TablesArguments;
use crate::models::ModelsCommand;
use analyze::SessionOptions;
use analyze::models::{Again, CapturePreference, ModelOptions};
use clap::Args;
use std::num::NonZeroUsize;

/// The arguments of `models`, as typed.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ModelsArguments {
    #[command(flatten)]
    tables: TablesArguments,
    /// Which capture the derived tables use if a site has several. One that lacks the file, such as a response to HEAD,
    /// counts only if there is no other. By default the one that they used before, or the latest.
    #[arg(long, value_parser = one_of(&CAPTURES), value_name = "WHICH")]
    capture: Option<CapturePreference>,
    #[command(flatten)]
    pub(super) list: AgentListArguments,
    /// Make the derived tables of one crawl only. Other processes or machines may make those of other crawls at the
    /// same time.
    #[arg(long, value_name = "NAME", value_parser = crawl_name)]
    crawl: Option<String>,
    /// Make all derived tables again, even those that are up to date. Without --agents, from the built-in list.
    #[arg(long)]
    again: bool,
    #[command(flatten)]
    resources: ResourceArguments,
    #[command(flatten)]
    pub(crate) requests: RequestArguments,
    #[command(flatten)]
    pub(crate) out: OutArguments,
}

/// Which capture of a site the derived tables use.
const CAPTURES: [Choice<CapturePreference>; 3] = [
    ("latest", "The latest capture", CapturePreference::Latest),
    ("first", "The first capture", CapturePreference::First),
    (
        "best",
        "The latest capture of the first kind that exists: successful or a 304 that confirms a known file, with status \
         4xx, a redirect, a failure",
        CapturePreference::Best,
    ),
];

/// Whether the derived tables are made, and which capture they use.
#[derive(Clone, Copy, Debug)]
pub(super) enum ModelsChoice {
    Made(CapturePreference),
    None,
}

/// Which capture the derived tables use, or `none`.
pub(super) const MODELS: [Choice<ModelsChoice>; 4] = [
    ("latest", "The latest capture", ModelsChoice::Made(CapturePreference::Latest)),
    ("first", "The first capture", ModelsChoice::Made(CapturePreference::First)),
    ("best", "The best capture; robocensus models --help defines it", ModelsChoice::Made(CapturePreference::Best)),
    ("none", "Make no derived tables", ModelsChoice::None),
];

impl ModelsChoice {
    /// How to make the derived tables; `None` to make none.
    pub(super) fn options(typed: Option<Self>, jobs: NonZeroUsize) -> Option<ModelOptions> {
        let session = SessionOptions { jobs, ..SessionOptions::default() };
        let choice = match typed {
            None => None,
            Some(ModelsChoice::Made(capture)) => Some(capture),
            Some(ModelsChoice::None) => return None,
        };
        Some(ModelOptions { session, choice, again: Again::Never })
    }
}

const EXAMPLES: &str = "\
Examples:
  robocensus models tables
  robocensus models tables --capture best
  robocensus models tables --agents my-agents.csv
  robocensus models tables --crawl CC-MAIN-2024-22

tracked_agents has the agents with verdicts: those of the list with tracked = true. Tables from a \
list of yours are made again from the built-in list only with --again. body_classes puts bodies that treat all of them alike \
into one policy class. sites has a row for each protocol, host and port whose robots.txt was \
captured, with redirects followed through the tables, and with its policy class. class_verdicts has \
the verdicts of each class: one for each tracked agent that it names, and one with * for all \
others.

ingest makes all four tables last. sites takes some 60 bytes of memory for each capture, whatever \
--memory says. A table that is up to date is kept. A new table replaces an old \
one when it is complete.

Exit code:
  0  all derived tables are up to date
  2  some are not: an invalid argument, no folder of tables, a folder in use,
     too little memory, Ctrl-C";

impl From<ModelsArguments> for ModelsCommand {
    fn from(typed: ModelsArguments) -> ModelsCommand {
        let session = SessionOptions { agents: typed.list.agents, crawl: typed.crawl, ..typed.resources.into() };
        let again = if typed.again { Again::Always } else { Again::Never };
        let options = ModelOptions { session, choice: typed.capture, again };
        ModelsCommand { tables: typed.tables.into(), options }
    }
}
