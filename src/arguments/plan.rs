//! The arguments of `plan`, and how archives are named and planned, which `ingest` shares.

use super::jobs::count_up_to;
use super::requests::RequestArguments;
use crate::plan::PlanCommand;
use clap::Args;
use folder::crawl::is_name_of_folder;
use ingest::capture::Takes;
use ingest::inputs::{self, InputNaming};
use ingest::plan::{Changed, PlanOptions};
use std::num::NonZeroU32;
use std::path::PathBuf;
use stores::Stores;

/// How archives are named and planned.
#[derive(Debug, Args)]
pub(crate) struct PlanningArguments {
    /// Read all robots.txt archives of the crawl that --crawl names, instead of INPUT. https and s3 read from Common
    /// Crawl. Any other value is the folder or URL of a copy that contains crawl-data.
    #[arg(long, value_name = "https|s3|URL", requires = "crawl", group = "archives")]
    from: Option<String>,
    /// The folder or URL that the paths in lists are relative to. By default the parent of crawl-data if the list is
    /// below such a folder, else the folder of the list.
    #[arg(long, value_name = "DIR|URL", requires = "inputs")]
    base: Option<PathBuf>,
    /// The name of the crawl, for archives whose path does not name it after crawl-data/.
    #[arg(long, value_name = "NAME", value_parser = crawl_name, requires = "archives")]
    crawl: Option<String>,
    /// Read every response as an answer to a request for /robots.txt. By default this applies to archives in a folder
    /// named robotstxt. From other archives, only responses for /robots.txt are read, and those that they redirect to.
    #[arg(long, requires = "archives")]
    all_responses: bool,
    /// Store the text of each body in the column text of the table bodies.
    #[arg(long, requires = "archives")]
    keep_text: bool,
    /// Read changed inputs again. Without this option, a changed input is an error.
    #[arg(long, requires = "archives")]
    refresh: bool,
}

/// The name of a crawl, if it can be part of a path.
pub(super) fn crawl_name(name: &str) -> Result<String, &'static str> {
    match is_name_of_folder(name) {
        true => Ok(name.to_owned()),
        false => Err("the name of a crawl is a letter and then letters, digits, dashes, dots and underscores"),
    }
}

impl PlanningArguments {
    /// The typed inputs, or the list of archives of the crawl with `--from`.
    pub(super) fn inputs(&self, typed: Vec<PathBuf>) -> Vec<PathBuf> {
        match (&self.from, &self.crawl) {
            (Some(from), Some(crawl)) => vec![inputs::list_of_crawl(from, crawl)],
            _ => typed,
        }
    }

    /// How archives are named, and how they are planned.
    pub(super) fn split(self, stores: Stores) -> (InputNaming, PlanOptions) {
        let options = PlanOptions {
            keep_text: self.keep_text.into(),
            changed: if self.refresh { Changed::Refresh } else { Changed::Refuse },
            takes: self.all_responses.then_some(Takes::Everything),
        };
        (InputNaming { base: self.base, crawl: self.crawl, stores }, options)
    }
}

/// The arguments of `plan`, as typed.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct PlanArguments {
    /// Archives, folders of archives, glob patterns in quotes, or lists of archives. A list is a file that ends in
    /// .paths or .paths.gz, or - for standard input, with a path or URL in each line and no comments. Archives and lists
    /// can be URLs: s3://, gs://, az://, https://, http://, file://. Several names of one file, such as links, count
    /// once.
    #[arg(required_unless_present = "from", value_name = "INPUT", group = "archives")]
    inputs: Vec<PathBuf>,
    /// The folder of tables, which all machines must reach, or its URL; the same as --tables of other commands.
    #[arg(long, short, visible_alias = "tables", value_name = "DIR")]
    out: PathBuf,
    /// Number of shards, which is the number of tasks in the array job.
    #[arg(long, value_name = "N", value_parser = shard_count)]
    shards: NonZeroU32,
    #[command(flatten)]
    planning: PlanningArguments,
    #[command(flatten)]
    requests: RequestArguments,
}

const EXAMPLES: &str = "\
Examples:
  robocensus plan robotstxt.paths.gz --base /data --shards 16 --out tables
  robocensus plan --crawl CC-MAIN-2024-22 --from s3 --shards 16 --out s3://bucket/tables
  robocensus ingest --shard 0/16 --out tables
  robocensus commit tables

plan lists the archives and assigns them to parts. Shard I makes the parts whose number modulo N is \
I, from the archives in the plan. When all shards are done, commit publishes their parts. The tables \
are the same, byte for byte, as those of one ingest.

Until then, the folder accepts no other number of shards and no new inputs. Running the same command \
again changes nothing.

Exit code:
  0  the shards are planned
  1  the shards are planned, but an input was left out: a pipe, or a folder
     that cannot be read
  2  the shards are not planned: an invalid argument, a folder in use, a folder
     with another plan";

impl From<PlanArguments> for PlanCommand {
    fn from(typed: PlanArguments) -> PlanCommand {
        let PlanArguments { inputs, planning, requests, out, shards } = typed;
        let inputs = planning.inputs(inputs);
        let (naming, options) = planning.split(requests.stores());
        PlanCommand { inputs, naming, out, shards, options }
    }
}

/// The most shards: more than a crawl of Common Crawl has archives.
const MOST_SHARDS: NonZeroU32 = NonZeroU32::MIN.saturating_add(99_999);

fn shard_count(typed: &str) -> Result<NonZeroU32, String> {
    count_up_to(MOST_SHARDS, typed)
}
