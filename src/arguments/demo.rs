//! The arguments of `demo`.

use super::jobs::{jobs, thread_count};
use super::out::disk_path;
use crate::demo::DemoCommand;
use crate::ingest::IngestCommand;
use crate::report::ReportCommand;
use ::report::ReportOptions;
use analyze::SessionOptions;
use analyze::models::{self, Again};
use clap::Args;
use ingest::inputs::InputNaming;
use ingest::plan::PlanOptions;
use ingest::run::RunOptions;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use stores::Stores;

/// The arguments of `demo`, as typed.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DemoArguments {
    /// The folder for archives, tables and report. An earlier demo is replaced, unless it has other files or crawls. Any
    /// other folder must be empty.
    #[arg(long, short, value_name = "FOLDER", default_value = "robocensus-demo", value_parser = disk_path())]
    out: PathBuf,
    /// Number of threads; by default the number of cores.
    #[arg(long, value_name = "N", value_parser = thread_count)]
    jobs: Option<NonZeroUsize>,
}

const EXAMPLES: &str = "\
Examples:
  robocensus demo
  robocensus demo --out /tmp/census

The sample comes with the program: two small invented crawls, with a record for each known special \
case of archives. No network is needed.

Exit code:
  0  the report was written
  2  it was not written: an invalid argument, a folder with other files, a full
     disk, Ctrl-C";

impl From<DemoArguments> for DemoCommand {
    fn from(typed: DemoArguments) -> DemoCommand {
        let DemoArguments { out, jobs: typed } = typed;
        let jobs = jobs(typed);
        let session = SessionOptions { jobs, ..SessionOptions::default() };
        let tables = out.join("tables");
        let ingest = IngestCommand {
            inputs: vec![out.join("archives")],
            naming: InputNaming::default(),
            out: tables.clone(),
            options: RunOptions { jobs, plan: PlanOptions::default(), stores: Stores::default() },
            models: Some(models::ModelOptions { session: session.clone(), choice: None, again: Again::Never }),
        };
        let wanted = ReportOptions { jobs: jobs.get(), ..ReportOptions::default() };
        let report = ReportCommand { tables, out: Some(out.join("report")), engine: None, options: session, wanted };
        DemoCommand { program: program(), out, ingest, report }
    }
}

/// The path by which the program was called, or else its name.
fn program() -> PathBuf {
    let called = std::env::args_os().next().map(PathBuf::from);
    called.filter(|called| called.components().count() > 1).unwrap_or_else(|| PathBuf::from("robocensus"))
}
