//! Options of `query` and `sql`: which tables to open, and where and how to write the answer.

use super::agent_list::AgentListArguments;
use super::choice::named;
use super::out::out_path;
use super::requests::RequestArguments;
use super::resources::ResourceArguments;
use crate::answer::{Destination, QueryOptions};
use analyze::output::{AnswerFormat, TextEscape};
use analyze::{OwnTable, Permission, SessionOptions};
use clap::Args;
use folder::Failure;
use std::path::{Path, PathBuf};

/// The options of `query` and `sql`.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Tables and answers")]
pub(crate) struct SessionArguments {
    /// The folder of tables that ingest wrote, or its URL.
    #[arg(long, short, global = true, value_name = "DIR", default_value = "tables")]
    tables: PathBuf,
    /// Use a file as a table: .csv, .tsv, .txt, .json, .ndjson, .jsonl or .parquet. Questions use tables named ranks,
    /// weights and categories. May be given several times.
    // Not global: of the values before and after a question, clap would drop the first.
    #[arg(long, value_name = "NAME=FILE")]
    pub(super) table: Vec<OwnTable>,
    #[command(flatten)]
    pub(super) list: AgentListArguments,
    #[command(flatten)]
    resources: ResourceArguments,
    /// Plan all sorts and joins so that they can spill to disk. This is slower and can need less memory. Without this
    /// option, only a statement that finds too little memory is run again in this way.
    #[arg(long, global = true)]
    spill_all: bool,
    /// The format of the answer. By default the extension of --out decides: txt, csv, tsv, json, ndjson, jsonl, md or
    /// parquet. Without --out, or without an extension, it is table.
    #[arg(long, short, global = true, value_parser = named(AnswerFormat::ALL.map(AnswerFormat::name), AnswerFormat::named))]
    format: Option<AnswerFormat>,
    /// The file to write the answer to, instead of standard output. It appears when the answer is complete, and
    /// replaces an earlier file.
    #[arg(long, short, global = true, value_name = "FILE", value_parser = out_path())]
    pub(super) out: Option<PathBuf>,
    /// Leave text in csv and tsv unchanged. Without this option, formulas get a leading apostrophe and control
    /// characters are escaped, so that text from crawled files is harmless in a spreadsheet or terminal.
    #[arg(long, global = true)]
    exact: bool,
    #[command(flatten)]
    pub(super) requests: RequestArguments,
}

impl SessionArguments {
    /// Fails for an option about the answer if there is no answer, which `cause` explains.
    pub(crate) fn refuse_without_answer(&self, cause: &str) -> Result<(), Failure> {
        refuse(&[("--format", self.format.is_some()), ("--exact", self.exact)], cause)
    }

    /// Fails for an option about the tables or about computing if no table is read, which `cause` explains.
    pub(crate) fn refuse_without_tables(&self, cause: &str) -> Result<(), Failure> {
        let options = [
            ("--table", !self.table.is_empty()),
            ("--agents", self.list.agents.is_some()),
            ("--spill", self.resources.spill.is_some()),
            ("--spill-all", self.spill_all),
            ("--jobs", self.resources.jobs.is_some()),
        ];
        refuse(&options, cause)
    }

    /// The format that an option or the extension of the file names.
    fn answer_format(&self) -> Option<AnswerFormat> {
        let ending = self.out.as_ref().and_then(|out| out.extension()).map(|ending| ending.to_string_lossy());
        self.format.or_else(|| AnswerFormat::from_ending(&ending?))
    }

    /// Turns the arguments into the options of a query. `access` says whether statements may write.
    pub(crate) fn into_options(self, access: Permission) -> QueryOptions {
        let format = self.answer_format();
        let has_ending = self.out.as_ref().is_some_and(|out| out.extension().is_some());
        let options = SessionOptions {
            own: self.table,
            agents: self.list.agents,
            access,
            spills_all: self.spill_all,
            ..self.resources.into()
        };
        QueryOptions {
            tables: self.tables,
            session: options,
            destination: Destination {
                format: format.unwrap_or(AnswerFormat::Table),
                has_unknown_ending: format.is_none() && has_ending,
                text: if self.exact { TextEscape::Exact } else { TextEscape::Neutralised },
                out: self.out,
            },
        }
    }
}

/// Fails for the first option that was typed.
fn refuse(options: &[(&str, bool)], cause: &str) -> Result<(), Failure> {
    match options.iter().find(|(_, is_typed)| *is_typed) {
        Some((option, _)) => Err(Failure::new("option does not fit", Path::new(option), cause)),
        None => Ok(()),
    }
}
