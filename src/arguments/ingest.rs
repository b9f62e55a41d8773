//! The arguments of `ingest`.

use super::jobs::jobs;
use super::models::Derive;
use super::plan::PlanningArguments;
use crate::ingest::IngestCommand;
use crate::ingest::shard::ShardCommand;
use crate::shard::TypedShard;
use clap::Args;
use ingest::run::RunOptions;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;
use stores::{StoreOptions, Stores};

/// What was typed after `ingest`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct IngestArguments {
    /// Archives, folders of archives, patterns in quotes, or lists of archives: files that end in .paths or .paths.gz, and
    /// - for a list on standard input. Archives and lists can be URLs: s3://, gs://, az://, https://, http://, file://.
    ///
    /// Without archives, make the parts of a shard of robocensus plan.
    #[arg(value_name = "INPUT", group = "archives")]
    inputs: Vec<PathBuf>,
    /// The shard to make, of a plan for N. Without this option, the environment of the task of an array job says which:
    /// Slurm, AWS Batch or an indexed job of Kubernetes.
    #[arg(long, value_name = "I/N", conflicts_with = "archives")]
    shard: Option<TypedShard>,
    /// With a shard: the longest time to wait before the start. A random part of it passes, so that many tasks do not ask a
    /// store at once. By default 30 if an archive is a URL, and 0 if none is.
    #[arg(long, value_name = "SECONDS", conflicts_with = "archives")]
    start_delay: Option<u64>,
    /// The folder to write the tables to, or its URL; the same as --tables of other commands.
    #[arg(long, short, visible_alias = "tables", value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    planning: PlanningArguments,
    /// The most requests a second to one host or bucket. By default 3 for data.commoncrawl.org, which blocks eager readers
    /// of these archives, 10 for other servers, and 100 for buckets. A host that asks for patience is asked more slowly.
    #[arg(long, value_name = "N", value_parser = requests_per_second)]
    requests_per_second: Option<f64>,
    /// The most connections to one host or bucket; by default 4, and 16 for buckets.
    #[arg(long, value_name = "N")]
    connections: Option<NonZeroUsize>,
    /// Number of threads that work at a time; by default the number of cores.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Which capture of a site the derived tables use, if there are several.
    #[arg(long, value_enum, default_value = "latest", value_name = "WHICH", requires = "archives")]
    models: Derive,
    /// Print nothing but failures.
    #[arg(long, short)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  robocensus ingest 'crawl-data/**/robotstxt/*.warc.gz' --out tables
  robocensus ingest robotstxt.paths.gz --base /data --out tables
  robocensus ingest --crawl CC-MAIN-2024-22 --from https --out tables
  robocensus ingest robotstxt.paths.gz --base s3://commoncrawl/ --out tables
  ls *.warc.gz | robocensus ingest - --crawl MY-CRAWL-1 --all-responses --out tables
  robocensus ingest --shard 3/16 --out tables

URLs are read without a copy on disk. Settings and credentials of stores come from the
environment: AWS_REGION, AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,
AWS_SESSION_TOKEN, AWS_SKIP_SIGNATURE=true for public buckets; GOOGLE_APPLICATION_CREDENTIALS;
AZURE_STORAGE_ACCOUNT_NAME, AZURE_STORAGE_ACCOUNT_KEY. Profiles of AWS are not read; use
eval \"$(aws configure export-credentials --format env)\". URLs with passwords or signatures are
refused, since names of archives are written down.

A request that fails is made again up to ten times in a row, after waits that double up to a
minute. An archive that cannot be fetched is named, and the next run tries it again. Changes of
archives in a store are not noticed later. Each shard keeps to the limits by itself.

To continue after a run was stopped or killed, run the same command again. It also reads new
inputs and makes new parts of them. If nothing is left to do, it changes nothing.

The tables inputs and skips account for every byte and every record.

Exit code:
  0  all inputs were read
  1  the run is finished, but an input is damaged, missing or unreadable: see inputs and skips
  2  the run is not finished: a wrong argument, a full disk, a folder in use, Ctrl-C

With a shard, the exit code is 0 even if an input is damaged, missing or unreadable, since a
scheduler would run the task again. robocensus commit then exits with 1.";

fn requests_per_second(text: &str) -> Result<f64, &'static str> {
    match text.parse() {
        Ok(number) if number > 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("it is a number above 0, such as 2 or 0.5"),
    }
}

/// What `ingest` is to do.
#[derive(Debug)]
pub(crate) enum IngestWork {
    /// To read archives.
    Archives(IngestCommand),
    /// To make the parts of a shard.
    Shard(ShardCommand),
}

impl From<IngestArguments> for IngestWork {
    fn from(typed: IngestArguments) -> IngestWork {
        let jobs = jobs(typed.jobs);
        let IngestArguments { inputs, out, shard, start_delay, planning, models, quiet: is_quiet, .. } = typed;
        let IngestArguments { requests_per_second, connections, .. } = typed;
        let default = StoreOptions::for_jobs(jobs);
        let stores = Stores::new(StoreOptions { requests_per_second, connections, ..default });
        let inputs = planning.inputs(inputs);
        if inputs.is_empty() {
            let start_delay = start_delay.map(Duration::from_secs);
            return IngestWork::Shard(ShardCommand { typed: shard, out, jobs, stores, start_delay, is_quiet });
        }
        let (naming, plan) = planning.split(stores.clone());
        let options = RunOptions { jobs, plan, stores };
        IngestWork::Archives(IngestCommand { inputs, naming, out, options, models: models.options(jobs), is_quiet })
    }
}
