//! Options of `query` and `sql`: which tables to open, and where and how to write the answer.

use super::jobs::{jobs, thread_count};
use super::out::out_path;
use super::requests::RequestArguments;
use crate::answer::{Destination, QueryOptions};
use analyze::output::{AnswerFormat, TextEscape};
use analyze::{Joins, OwnTable, Permission, SessionOptions};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use folder::Failure;
use std::num::NonZeroUsize;
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
    /// A CSV of agents to use instead of the built-in list. It needs the columns token and tracked; datasets/agents.md
    /// explains the others.
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) agents: Option<PathBuf>,
    /// How much memory a statement may use before it spills to disk, or fails.
    #[arg(long, global = true, value_name = "SIZE", default_value = "2GiB", value_parser = bytes)]
    memory: usize,
    /// The folder to spill to; by default the system's folder for temporary files.
    #[arg(long, global = true, value_name = "DIR")]
    spill: Option<PathBuf>,
    /// Join tables and rank rows by sorting. This is slower and needs less memory, because sorted data can spill to
    /// disk. Without this option, only a statement that finds too little memory is run again in this way.
    #[arg(long, global = true)]
    sort_joins: bool,
    /// Number of threads; by default the number of cores.
    #[arg(long, global = true, value_name = "N", value_parser = thread_count)]
    jobs: Option<NonZeroUsize>,
    /// The format of the answer. By default the extension of --out decides: txt, csv, tsv, json, ndjson, jsonl, md or
    /// parquet. Without --out, or without an extension, it is table.
    #[arg(long, short, global = true, value_parser = formats())]
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

fn formats() -> impl TypedValueParser<Value = AnswerFormat> {
    PossibleValuesParser::new(AnswerFormat::ALL.map(AnswerFormat::name))
        .try_map(|name| AnswerFormat::named(&name).ok_or("unknown format"))
}

/// A size in bytes, typed with its unit: `512MiB`.
pub(super) fn bytes(typed: &str) -> Result<usize, &'static str> {
    const UNITS: [(&str, usize); 6] =
        [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000)];
    let digits = typed.trim_start_matches(|character: char| character.is_ascii_digit());
    let number = typed.strip_suffix(digits).and_then(|number| number.parse::<usize>().ok());
    let unit = UNITS.iter().find(|(name, _)| *name == digits).map(|(_, bytes)| bytes);
    match (number, unit) {
        (Some(number @ 1..), Some(unit)) => number.checked_mul(*unit).ok_or("too large for this machine"),
        _ => Err("a size is a whole number with a unit (KiB, MiB, GiB, kB, MB or GB), such as 512MiB"),
    }
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
            ("--agents", self.agents.is_some()),
            ("--spill", self.spill.is_some()),
            ("--sort-joins", self.sort_joins),
            ("--jobs", self.jobs.is_some()),
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
            jobs: jobs(self.jobs),
            memory_bytes: self.memory,
            spill: self.spill.unwrap_or_else(std::env::temp_dir),
            own: self.table,
            agents: self.agents,
            access,
            joins: if self.sort_joins { Joins::Sorted } else { Joins::Hashed },
            crawl: None,
            asked_crawls: Vec::new(),
        };
        QueryOptions {
            tables: self.tables,
            session: options,
            destination: Destination {
                format: format.unwrap_or(AnswerFormat::Table),
                is_unknown: format.is_none() && has_ending,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let check = |typed: &str, expected: Option<usize>| assert_eq!(bytes(typed).ok(), expected, "{typed}");
        check("512MiB", Some(512 << 20));
        check("2GiB", Some(2 << 30));
        check("1kB", Some(1_000));
        for typed in ["", "2", "GiB", "0GiB", "2 GiB", "2gib", "2G", "-1GiB", "1.5GiB", "99999999999999999999GiB"] {
            check(typed, None);
        }
    }
}
