//! The arguments of `plan`, and how archives are named and planned, which `ingest` has, too.

use crate::plan::PlanCommand;
use clap::Args;
use folder::crawl::is_name_of_folder;
use ingest::capture::Takes;
use ingest::inputs::{self, InputNaming};
use ingest::plan::{Changed, PlanOptions};
use ingest::rows::KeepText;
use std::num::NonZeroU32;
use std::path::PathBuf;
use stores::Stores;

/// How archives are named and planned.
#[derive(Debug, Args)]
pub(crate) struct PlanningArguments {
    /// Instead of archives, read all robots.txt archives of the crawl that --crawl names, from Common Crawl by https or s3,
    /// or from the folder or URL of a copy, which holds crawl-data.
    #[arg(long, value_name = "https|s3|URL", requires = "crawl", group = "archives")]
    from: Option<String>,
    /// The folder or URL that the paths in lists start from. By default, for a list below a folder crawl-data, the parent
    /// of crawl-data; for another list, the folder of that list.
    #[arg(long, value_name = "DIR|URL", requires = "inputs")]
    base: Option<PathBuf>,
    /// The name of the crawl, for archives whose path does not name it after crawl-data/.
    #[arg(long, value_name = "NAME", value_parser = crawl_name, requires = "archives")]
    crawl: Option<String>,
    /// Read every response as one to a request for /robots.txt. Without this option, that is done for archives in a
    /// folder named robotstxt; from other archives only responses whose target is /robots.txt are read.
    #[arg(long, requires = "archives")]
    all_responses: bool,
    /// Store the text of each body in the column text of the table bodies.
    #[arg(long, requires = "archives")]
    keep_text: bool,
    /// Read inputs again that have changed. Without this option, a changed input is an error.
    #[arg(long, requires = "archives")]
    refresh: bool,
}

/// The name of a crawl, if it can be part of a path.
pub(super) fn crawl_name(name: &str) -> Result<String, &'static str> {
    match is_name_of_folder(name) {
        true => Ok(name.to_owned()),
        false => Err("a crawl is named by a letter and then letters, digits, dashes, dots and underscores"),
    }
}

impl PlanningArguments {
    /// The inputs that were typed, or the list of the crawl to read from a store.
    pub(super) fn inputs(&self, typed: Vec<PathBuf>) -> Vec<PathBuf> {
        match (&self.from, &self.crawl) {
            (Some(from), Some(crawl)) => vec![inputs::list_of_crawl(from, crawl)],
            _ => typed,
        }
    }

    /// How archives are named, and how they are planned.
    pub(super) fn split(self, stores: Stores) -> (InputNaming, PlanOptions) {
        let options = PlanOptions {
            keep_text: if self.keep_text { KeepText::Yes } else { KeepText::No },
            changed: if self.refresh { Changed::Refresh } else { Changed::Refuse },
            takes: self.all_responses.then_some(Takes::Everything),
        };
        (InputNaming { base: self.base, crawl: self.crawl, stores }, options)
    }
}

/// What was typed after `plan`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct PlanArguments {
    /// Archives, folders of archives, patterns in quotes, or lists of archives: files that end in .paths or .paths.gz, and
    /// - for a list on standard input. Archives and lists can be URLs: s3://, gs://, az://, https://, http://, file://.
    #[arg(required_unless_present = "from", value_name = "INPUT", group = "archives")]
    inputs: Vec<PathBuf>,
    /// The folder of tables, which all machines reach; the same as --tables of other commands.
    #[arg(long, short, visible_alias = "tables", value_name = "DIR")]
    out: PathBuf,
    /// How many shards to make of it: as many as there are tasks in the array job.
    #[arg(long, value_name = "N")]
    shards: NonZeroU32,
    #[command(flatten)]
    planning: PlanningArguments,
    /// Print nothing but failures.
    #[arg(long, short)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  robocensus plan robotstxt.paths.gz --base /data --shards 16 --out tables
  robocensus plan --crawl CC-MAIN-2024-22 --from s3 --shards 16 --out tables
  robocensus ingest --shard 0/16 --out tables
  robocensus commit tables

plan lists the archives and writes down which parts they become. Shard I makes the parts whose
number leaves I when divided by N, and reads nothing but the plan. When all shards are done,
commit publishes their parts. The tables are the same, byte for byte, as those of one ingest.

Until then, the folder can neither be planned for another number of shards or other inputs, nor
take other archives. The same command again changes nothing.

Exit code:
  0  the shards are planned
  1  they are, but an input is left out: a pipe among the archives, a closed folder
  2  they are not: a wrong argument, a folder in use, a folder that is planned otherwise";

impl From<PlanArguments> for PlanCommand {
    fn from(typed: PlanArguments) -> PlanCommand {
        let PlanArguments { inputs, planning, out, shards, quiet } = typed;
        let inputs = planning.inputs(inputs);
        let (naming, options) = planning.split(Stores::default());
        PlanCommand { inputs, naming, out, shards, options, is_quiet: quiet }
    }
}
