//! The arguments of `report`.

use super::agent_list::AgentListArguments;
use super::choice::{Choice, named, one_of};
use super::out::disk_path;
use super::requests::RequestArguments;
use super::resources::ResourceArguments;
use super::tables::TablesArguments;
use crate::report::ReportCommand;
use ::report::{KEPT_VIEWS, ReportFormat, ReportOptions};
use analyze::portable::Engine;
use analyze::{OwnTable, SessionOptions};
use clap::Args;
use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser};
use std::path::PathBuf;

/// The arguments of `report`, as typed.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct ReportArguments {
    #[command(flatten)]
    tables: TablesArguments,
    /// The folder to write the report to. An earlier report is replaced. Any other folder must be empty.
    #[arg(long, short, value_name = "FOLDER", value_parser = disk_path(), required_unless_present_any = ["list_questions", "engine"])]
    pub(super) out: Option<PathBuf>,
    /// Write only these sections; by default all. Separate them with commas, or give the option several times.
    #[arg(long, value_name = "SECTION", value_delimiter = ',', value_parser = PossibleValuesParser::new(::report::names().map(|(name, _)| name)))]
    only: Vec<String>,
    /// The title of the page. [default: A census of robots.txt]
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    title: Option<String>,
    /// The format of the report.
    #[arg(long, short, value_parser = one_of(&FORMATS), default_value = "html", value_name = "FORMAT")]
    format: ReportFormat,
    /// The crawl for figures about one crawl; by default the last one.
    #[arg(long, value_name = "CRAWL")]
    crawl: Option<String>,
    /// Use a file as a table: .csv, .tsv, .txt, .json, .ndjson, .jsonl or .parquet. Its name is
    /// ranks, which adds figures by rank. The report reads no other table of yours.
    #[arg(long, value_name = "NAME=FILE")]
    pub(super) table: Vec<OwnTable>,
    #[command(flatten)]
    pub(super) list: AgentListArguments,
    /// Instead of the report, print its questions for another engine, as one JSON object per line. First come the
    /// tables, then for each figure its name and the arguments of robocensus query.
    #[arg(long, conflicts_with_all = ["out", "answers", "title", "format"])]
    pub(super) list_questions: bool,
    /// Add to each listed question its statements for this engine, with definitions of everything that they read: null
    /// if they need a function that only robocensus has.
    #[arg(long, value_name = "ENGINE", requires = "list_questions", conflicts_with_all = ["out", "answers"], value_parser = named(Engine::names(), Engine::named))]
    engine: Option<Engine>,
    /// A folder with answers that another engine computed: the output of --list-questions as questions.ndjson, and an
    /// answer per figure as FIGURE.parquet. Questions without a file are answered here.
    #[arg(long, value_name = "FOLDER")]
    pub(super) answers: Option<PathBuf>,
    #[command(flatten)]
    resources: ResourceArguments,
    #[command(flatten)]
    pub(crate) requests: RequestArguments,
}

/// The formats of a report.
const FORMATS: [Choice<ReportFormat>; 2] = [
    ("html", "A page for browsers", ReportFormat::Html),
    ("md", "Markdown, with its charts in files beside it", ReportFormat::Markdown),
];

const EXAMPLES: &str = "\
Examples:
  robocensus report tables --out report
  robocensus report tables --out report --only agents,ai --title 'Who blocks whom'
  robocensus report tables --out report --table ranks=tranco.csv
  robocensus report tables --out report --format md
  robocensus report tables --list-questions

FOLDER/index.html opens in a browser and needs no network. FOLDER/data has the data of each figure \
as CSV, and FOLDER/sql its SQL. The same tables give the same bytes.

Exit code:
  0  the report was written
  1  it was written without figures that need more memory than --memory allows
  2  it was not written: an invalid argument, no folder of tables, an output
     folder with other files, Ctrl-C";

impl From<ReportArguments> for ReportCommand {
    fn from(typed: ReportArguments) -> ReportCommand {
        let options = SessionOptions {
            own: typed.table,
            agents: typed.list.agents,
            kept_views: KEPT_VIEWS,
            ..SessionOptions::from(typed.resources)
        };
        let wanted = ReportOptions {
            title: typed.title,
            only: typed.only,
            crawl: typed.crawl,
            format: typed.format,
            own: options.own.iter().map(|own| own.name.clone()).collect(),
            agents: options.agents.clone(),
            jobs: options.jobs.get(),
            answers: typed.answers,
        };
        ReportCommand { tables: typed.tables.into(), out: typed.out, engine: typed.engine, options, wanted }
    }
}
