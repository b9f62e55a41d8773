//! What the user typed behind `report`.

use super::jobs::jobs;
use super::session::bytes;
use crate::report::ReportCommand;
use ::report::{Format, Wanted};
use analyze::{Access, Joins, Options, OwnTable};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// The arguments of `report`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct ReportArguments {
    /// The folder that ingest wrote tables to.
    #[arg(value_name = "TABLES")]
    tables: PathBuf,
    /// The folder that the report goes to. One that holds an earlier report is replaced, anything else is left alone.
    #[arg(long, short, value_name = "FOLDER")]
    out: PathBuf,
    /// Only these sections; all if none is named. May be said several times, or with commas between.
    #[arg(long, value_name = "GROUP", value_delimiter = ',', value_parser = PossibleValuesParser::new(::report::names().map(|(name, _)| name)))]
    only: Vec<String>,
    /// The title of the page.
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// What it is written as: a page for browsers, or Markdown with its charts beside it.
    #[arg(long, short, value_enum, default_value = "html", value_name = "FORMAT")]
    format: Form,
    /// The crawl that figures of one crawl are about; the last, by name, if it is not said.
    #[arg(long, value_name = "CRAWL")]
    crawl: Option<String>,
    /// A file of your own as a table: .csv, .tsv, .json, .ndjson or .parquet. With ranks there are figures by rank. May be
    /// said several times.
    #[arg(long, value_name = "NAME=FILE")]
    table: Vec<OwnTable>,
    /// Agents of your own in place of those that come with the program, in the columns of datasets/agents.csv.
    #[arg(long, value_name = "FILE")]
    agents: Option<PathBuf>,
    /// How much memory questions may take before they spill; those that cannot are asked once more, alone and with joins that
    /// can.
    #[arg(long, value_name = "SIZE", default_value = "2GiB", value_parser = bytes)]
    memory: usize,
    /// Where they spill to, if not where temporary files are.
    #[arg(long, value_name = "DIR")]
    spill: Option<PathBuf>,
    /// How many threads work; as many as there are cores, if it is not said.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Say nothing but what went wrong.
    #[arg(long, short)]
    quiet: bool,
}

/// What a report is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// A page for browsers.
    Html,
    /// Markdown, with its charts beside it.
    Md,
}

const EXAMPLES: &str = "\
Examples:
  robocensus report tables --out report
  robocensus report tables --out report --only agents,ai --title 'Who blocks whom'
  robocensus report tables --out report --table ranks=tranco.csv
  robocensus report tables --out report --format md

FOLDER/index.html opens by double click and needs no network; FOLDER/data has a CSV and
FOLDER/sql the SQL of each figure. The same tables give the same bytes.

Exit code:
  0  the report is there
  2  it is not: a wrong argument, no folder of tables, a folder that is no report, Ctrl-C";

impl From<ReportArguments> for ReportCommand {
    fn from(typed: ReportArguments) -> ReportCommand {
        let jobs = jobs(typed.jobs);
        let wanted = Wanted {
            title: typed.title,
            only: typed.only,
            crawl: typed.crawl,
            format: match typed.format {
                Form::Html => Format::Html,
                Form::Md => Format::Markdown,
            },
            own: typed.table.iter().map(|own| own.name.clone()).collect(),
            jobs: jobs.get(),
        };
        let options = Options {
            jobs,
            memory_bytes: typed.memory,
            spill: typed.spill.unwrap_or_else(std::env::temp_dir),
            own: typed.table,
            agents: typed.agents,
            access: Access::ReadOnly,
            joins: Joins::Hashed,
        };
        ReportCommand { tables: typed.tables, out: typed.out, options, wanted, is_quiet: typed.quiet }
    }
}
