//! The arguments of `ingest`.

use super::choice::one_of;
use super::jobs::{jobs, thread_count};
use super::models::{MODELS, ModelsChoice};
use super::plan::PlanningArguments;
use super::requests::RequestArguments;
use crate::ingest::IngestCommand;
use crate::ingest::shard::ShardCommand;
use crate::shard::TypedShard;
use clap::Args;
use ingest::run::RunOptions;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// The arguments of `ingest`, as typed.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct IngestArguments {
    /// Archives, folders of archives, glob patterns in quotes, or lists of archives. A list is a file that ends in
    /// .paths or .paths.gz, or - for standard input, with a path or URL in each line and no comments. Archives and lists
    /// can be URLs: s3://, gs://, az://, https://, http://, file://. Several names of one file, such as links, count
    /// once.
    ///
    /// Without INPUT and --from, make the parts of one shard of a plan; see robocensus plan --help.
    #[arg(value_name = "INPUT", group = "archives")]
    inputs: Vec<PathBuf>,
    /// Make shard I, counted from 0, of a plan for N shards. By default, the environment of an array job names the
    /// shard: Slurm, AWS Batch or an indexed Kubernetes job.
    // The plan has the options for archives.
    #[arg(
        long,
        value_name = "I/N",
        conflicts_with_all = ["inputs", "from", "base", "crawl", "all_responses", "keep_text", "refresh", "models"]
    )]
    shard: Option<TypedShard>,
    /// With a shard: the longest time to wait before the start. The wait is random, so that tasks of an array job do
    /// not all send requests at the same moment. By default 30 if an archive or the folder of tables is a URL, else 0.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with_all = ["inputs", "from"])]
    start_delay: Option<u64>,
    /// The folder to write the tables to, or its URL; the same as --tables of other commands.
    #[arg(long, short, visible_alias = "tables", value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    planning: PlanningArguments,
    #[command(flatten)]
    requests: RequestArguments,
    /// Number of worker threads; by default the number of cores.
    #[arg(long, value_name = "N", value_parser = thread_count)]
    jobs: Option<NonZeroUsize>,
    /// Which capture the derived tables use if a site has several. By default the one that they used before, or the
    /// latest.
    #[arg(long, value_parser = one_of(&MODELS), value_name = "WHICH", requires = "archives")]
    models: Option<ModelsChoice>,
}

const EXAMPLES: &str = "\
Examples:
  robocensus ingest 'crawl-data/**/robotstxt/*.warc.gz' --out tables
  robocensus ingest robotstxt.paths.gz --base /data --out tables
  robocensus ingest --crawl CC-MAIN-2024-22 --from https --out tables
  robocensus ingest robotstxt.paths.gz --base s3://commoncrawl/ --out tables
  ls *.warc.gz | robocensus ingest - --crawl MY-CRAWL-1 --all-responses --out tables
  robocensus ingest --shard 3/16 --out tables

URLs are read without a copy on disk. Settings and credentials of stores come from the \
environment: AWS_REGION, AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, \
AWS_SESSION_TOKEN, AWS_SKIP_SIGNATURE=true for public buckets; GOOGLE_APPLICATION_CREDENTIALS; \
AZURE_STORAGE_ACCOUNT_NAME, AZURE_STORAGE_ACCOUNT_KEY. AWS profiles are not read; use \
eval \"$(aws configure export-credentials --format env)\". URLs with passwords or signatures are \
rejected, because the tables store the names of archives.

A request is tried up to ten times in a row, or three times if the host has never answered. The waits \
in between double, up to a minute. ingest reports an archive that it cannot fetch, and the next run \
tries it again. Later changes to archives in a store are not noticed. The limits on requests and \
connections apply to each shard separately.

To continue a run that was stopped or killed, run the same command again. It also makes new parts \
of new inputs. If nothing is left to do, it changes nothing.

The tables inputs and skips account for every byte and every record.

Exit code:
  0  all inputs were read
  1  the run is finished, but an input is damaged, missing or unreadable: see
     inputs and skips
  2  the run is not finished: an invalid argument, a missing file among the
     arguments, a full disk, a folder in use, Ctrl-C

With a shard, the exit code is 0 even if an input is damaged, missing or unreadable; otherwise a \
scheduler would run the task again. robocensus commit then exits with 1.";

/// The longest delay that can be typed, a day.
const MOST_SECONDS: u64 = 86_400;

fn seconds(typed: &str) -> Result<u64, String> {
    match typed.parse() {
        Ok(seconds) if seconds <= MOST_SECONDS => Ok(seconds),
        _ => Err(format!("it is not a whole number of seconds from 0 to {MOST_SECONDS}")),
    }
}

/// The options of `ingest`.
#[derive(Debug)]
pub(crate) enum IngestWork {
    /// Reads archives.
    Archives(Box<IngestCommand>),
    /// Makes the parts of a shard.
    Shard(ShardCommand),
}

impl From<IngestArguments> for IngestWork {
    fn from(typed: IngestArguments) -> IngestWork {
        let jobs = jobs(typed.jobs);
        let IngestArguments { inputs, out, shard, start_delay, planning, requests, models, .. } = typed;
        let stores = requests.stores_for(jobs);
        let inputs = planning.inputs(inputs);
        if inputs.is_empty() {
            let start_delay = start_delay.map(Duration::from_secs);
            return IngestWork::Shard(ShardCommand { typed: shard, out, jobs, stores, start_delay });
        }
        let (naming, plan) = planning.split(stores.clone());
        let options = RunOptions { jobs, plan, stores };
        let models = ModelsChoice::options(models, jobs);
        IngestWork::Archives(Box::new(IngestCommand { inputs, naming, out, options, models }))
    }
}
