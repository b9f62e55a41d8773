//! What the user typed behind `ingest`.

use super::jobs::jobs;
use super::models::Capture;
use crate::ingest::IngestCommand;
use analyze::Options as SessionOptions;
use analyze::models::{self, Again};
use clap::{Args, ValueEnum};
use ingest::capture::Takes;
use ingest::inputs::{InputNaming, is_name_of_folder};
use ingest::plan::Changed;
use ingest::rows::KeepText;
use ingest::run::RunOptions;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// The arguments of `ingest`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct IngestArguments {
    /// Archives, folders of them, patterns in quotes, lists that end in .paths or .paths.gz; - is a list on standard
    /// input.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// The folder that the tables are written to.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// What the entries of lists are relative to. Of a list on disk it is the folder that holds its crawl-data, or that
    /// it lies in.
    #[arg(long, value_name = "DIR")]
    base: Option<PathBuf>,
    /// The crawl of archives whose path does not name one behind crawl-data/.
    #[arg(long, value_name = "NAME", value_parser = crawl)]
    crawl: Option<String>,
    /// How many parts are made at a time; as many as there are cores, if it is not said.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Take every response for an answer to /robots.txt, as those of archives in a folder named robotstxt are. Of others
    /// only those are whose target is /robots.txt.
    #[arg(long)]
    all_responses: bool,
    /// Keep the text of bodies, in bodies.text.
    #[arg(long)]
    keep_text: bool,
    /// Read inputs again that have changed since they were read.
    #[arg(long)]
    refresh: bool,
    /// Which capture of a site counts in the derived tables; none: they are not made.
    #[arg(long, value_enum, default_value = "latest", value_name = "WHICH")]
    models: Derive,
    /// Say nothing but what went wrong.
    #[arg(long, short)]
    quiet: bool,
}

/// What becomes of the derived tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Derive {
    /// Made of the latest capture of a site.
    Latest,
    /// Of the first.
    First,
    /// Of the best, as models has it.
    Best,
    /// Not made.
    None,
}

impl Derive {
    fn capture(self) -> Option<Capture> {
        match self {
            Derive::Latest => Some(Capture::Latest),
            Derive::First => Some(Capture::First),
            Derive::Best => Some(Capture::Best),
            Derive::None => None,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  robocensus ingest 'crawl-data/**/robotstxt/*.warc.gz' --out tables
  robocensus ingest robotstxt.paths.gz --base /data --out tables
  ls *.warc.gz | robocensus ingest - --crawl MY-CRAWL-1 --all-responses --out tables

The same command goes on where a run was stopped or killed, does nothing where nothing is left to do,
and takes in what is new: inputs that were not there before become new parts.

What is read is a table itself: inputs and skips account for every byte and every record.

Exit code:
  0  all inputs were read
  1  all was done, and an input is damaged, missing or unreadable; inputs and skips name it
  2  not all was done: a wrong argument, a full disk, a folder in use, Ctrl-C";

fn crawl(name: &str) -> Result<String, &'static str> {
    match is_name_of_folder(name) {
        true => Ok(name.to_owned()),
        false => Err("a crawl is named by a letter and then letters, digits, dashes, dots and underscores"),
    }
}

impl From<IngestArguments> for IngestCommand {
    fn from(typed: IngestArguments) -> IngestCommand {
        IngestCommand {
            inputs: typed.inputs,
            naming: InputNaming { base: typed.base, crawl: typed.crawl },
            out: typed.out,
            options: RunOptions {
                jobs: jobs(typed.jobs),
                keep_text: if typed.keep_text { KeepText::Yes } else { KeepText::No },
                changed: if typed.refresh { Changed::Refresh } else { Changed::Refuse },
                takes: typed.all_responses.then_some(Takes::Everything),
            },
            models: typed.models.capture().map(|capture| models::Options {
                session: SessionOptions { jobs: jobs(typed.jobs), ..SessionOptions::default() },
                choice: capture.into(),
                again: Again::Never,
            }),
            is_quiet: typed.quiet,
        }
    }
}
