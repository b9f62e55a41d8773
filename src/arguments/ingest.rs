//! The arguments of `ingest`.

use super::jobs::jobs;
use super::models::CaptureChoice;
use crate::ingest::IngestCommand;
use analyze::SessionOptions;
use analyze::models::{self, Again};
use clap::{Args, ValueEnum};
use folder::crawl::is_name_of_folder;
use ingest::capture::Takes;
use ingest::inputs::InputNaming;
use ingest::plan::Changed;
use ingest::rows::KeepText;
use ingest::run::RunOptions;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// What was typed after `ingest`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct IngestArguments {
    /// Archives, folders of archives, patterns in quotes, or lists of archives: files that end in .paths or .paths.gz, and
    /// - for a list on standard input.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// The folder to write the tables to; the same as --tables of other commands.
    #[arg(long, short, visible_alias = "tables", value_name = "DIR")]
    out: PathBuf,
    /// The folder that the paths in lists start from. By default, for a list below a folder crawl-data, the parent of
    /// crawl-data; for another list in a file, the folder of that file.
    #[arg(long, value_name = "DIR")]
    base: Option<PathBuf>,
    /// The name of the crawl, for archives whose path does not name it after crawl-data/.
    #[arg(long, value_name = "NAME", value_parser = crawl)]
    crawl: Option<String>,
    /// Number of threads that work at a time; by default the number of cores.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Read every response as one to a request for /robots.txt. Without this option, that is done for archives in a
    /// folder named robotstxt; from other archives only responses whose target is /robots.txt are read.
    #[arg(long)]
    all_responses: bool,
    /// Store the text of each body in the column text of the table bodies.
    #[arg(long)]
    keep_text: bool,
    /// Read inputs again that have changed. Without this option, a changed input is an error.
    #[arg(long)]
    refresh: bool,
    /// Which capture of a site the derived tables use, if there are several.
    #[arg(long, value_enum, default_value = "latest", value_name = "WHICH")]
    models: Derive,
    /// Print nothing but failures.
    #[arg(long, short)]
    quiet: bool,
}

/// Which capture the derived tables use, if they are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Derive {
    /// The latest capture.
    Latest,
    /// The first capture.
    First,
    /// The best capture; robocensus models --help defines it.
    Best,
    /// Make no derived tables.
    None,
}

impl Derive {
    fn capture(self) -> Option<CaptureChoice> {
        match self {
            Derive::Latest => Some(CaptureChoice::Latest),
            Derive::First => Some(CaptureChoice::First),
            Derive::Best => Some(CaptureChoice::Best),
            Derive::None => None,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  robocensus ingest 'crawl-data/**/robotstxt/*.warc.gz' --out tables
  robocensus ingest robotstxt.paths.gz --base /data --out tables
  ls *.warc.gz | robocensus ingest - --crawl MY-CRAWL-1 --all-responses --out tables

To continue after a run was stopped or killed, run the same command again. It also reads new
inputs and makes new parts of them. If nothing is left to do, it changes nothing.

The tables inputs and skips account for every byte and every record.

Exit code:
  0  all inputs were read
  1  the run is finished, but an input is damaged, missing or unreadable: see inputs and skips
  2  the run is not finished: a wrong argument, a full disk, a folder in use, Ctrl-C";

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
            models: typed.models.capture().map(|capture| models::ModelOptions {
                session: SessionOptions { jobs: jobs(typed.jobs), ..SessionOptions::default() },
                choice: capture.into(),
                again: Again::Never,
            }),
            is_quiet: typed.quiet,
        }
    }
}
