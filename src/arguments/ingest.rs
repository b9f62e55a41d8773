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

/// What was typed after `ingest`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct IngestArguments {
    /// Archives, folders of archives, patterns in quotes, or lists of archives: files that end in .paths or .paths.gz, and
    /// - for a list on standard input.
    ///
    /// Without archives, make the parts of a shard of robocensus plan.
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// The shard to make, of a plan for N. Without this option, the environment of the task of an array job says which:
    /// Slurm, AWS Batch or an indexed job of Kubernetes.
    #[arg(long, value_name = "I/N", conflicts_with = "inputs")]
    shard: Option<TypedShard>,
    /// With a shard: the longest time to wait before the start. A random part of it passes, so that many tasks do not ask a
    /// store at once.
    #[arg(long, value_name = "SECONDS", default_value = "0", conflicts_with = "inputs")]
    start_delay: u64,
    /// The folder to write the tables to; the same as --tables of other commands.
    #[arg(long, short, visible_alias = "tables", value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    planning: PlanningArguments,
    /// Number of threads that work at a time; by default the number of cores.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Which capture of a site the derived tables use, if there are several.
    #[arg(long, value_enum, default_value = "latest", value_name = "WHICH", requires = "inputs")]
    models: Derive,
    /// Print nothing but failures.
    #[arg(long, short)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  robocensus ingest 'crawl-data/**/robotstxt/*.warc.gz' --out tables
  robocensus ingest robotstxt.paths.gz --base /data --out tables
  ls *.warc.gz | robocensus ingest - --crawl MY-CRAWL-1 --all-responses --out tables
  robocensus ingest --shard 3/16 --out tables

To continue after a run was stopped or killed, run the same command again. It also reads new
inputs and makes new parts of them. If nothing is left to do, it changes nothing.

The tables inputs and skips account for every byte and every record.

Exit code:
  0  all inputs were read
  1  the run is finished, but an input is damaged, missing or unreadable: see inputs and skips
  2  the run is not finished: a wrong argument, a full disk, a folder in use, Ctrl-C

With a shard, the exit code is 0 even if an input is damaged, missing or unreadable, since a
scheduler would run the task again. robocensus commit then exits with 1.";

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
        if inputs.is_empty() {
            let start_delay = Duration::from_secs(start_delay);
            return IngestWork::Shard(ShardCommand { typed: shard, out, jobs, start_delay, is_quiet });
        }
        let (naming, plan) = planning.split();
        let options = RunOptions { jobs, plan };
        IngestWork::Archives(IngestCommand { inputs, naming, out, options, models: models.options(jobs), is_quiet })
    }
}
