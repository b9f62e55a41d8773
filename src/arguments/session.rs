//! What the user typed of the tables that are asked and of how the answer is written: options of every command that asks.

use super::jobs::jobs;
use crate::answer::{Asking, Whither};
use analyze::output::{Format, Text};
use analyze::{Access, Joins, Options, OwnTable};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// The options of a command that asks.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Tables and answers")]
pub(crate) struct SessionArguments {
    /// The folder that ingest wrote tables to.
    #[arg(long, short, global = true, value_name = "DIR", default_value = "tables")]
    tables: PathBuf,
    /// A file of your own as a table: .csv, .tsv, .json, .ndjson or .parquet. Questions know ranks, weights and
    /// categories. May be said several times.
    #[arg(long, global = true, value_name = "NAME=FILE")]
    table: Vec<OwnTable>,
    /// Agents of your own in place of those that come with the program, in the columns of datasets/agents.csv.
    #[arg(long, global = true, value_name = "FILE")]
    agents: Option<PathBuf>,
    /// How much memory a statement may take before it spills, or fails.
    #[arg(long, global = true, value_name = "SIZE", default_value = "2GiB", value_parser = bytes)]
    memory: usize,
    /// Where it spills to, if not where temporary files are.
    #[arg(long, global = true, value_name = "DIR")]
    spill: Option<PathBuf>,
    /// Join tables by sorting them, which takes longer, and less memory: what has no room spills.
    #[arg(long, global = true)]
    sort_joins: bool,
    /// How many threads work; as many as there are cores, if it is not said.
    #[arg(long, global = true, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// How the answer is written; if it is not said, the ending of --out tells, or it is a table.
    #[arg(long, short, global = true, value_parser = formats())]
    format: Option<Format>,
    /// The file that the answer goes to, all of it or nothing.
    #[arg(long, short, global = true, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Leave text in csv and tsv as it is. Without it, formulas get an apostrophe in front and control characters are
    /// shown, so that a text that somebody wrote does nothing to a spreadsheet or a terminal.
    #[arg(long, global = true)]
    exact: bool,
}

fn formats() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .try_map(|name| Format::ALL.into_iter().find(|format| format.name() == name).ok_or("no such format"))
}

/// A size with its unit, as `512MiB`.
pub(super) fn bytes(typed: &str) -> Result<usize, &'static str> {
    const UNITS: [(&str, usize); 6] =
        [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000)];
    let digits = typed.trim_start_matches(|character: char| character.is_ascii_digit());
    let number = typed.strip_suffix(digits).and_then(|number| number.parse::<usize>().ok());
    let unit = UNITS.iter().find(|(name, _)| *name == digits).map(|(_, bytes)| bytes);
    match (number, unit) {
        (Some(number @ 1..), Some(unit)) => number.checked_mul(*unit).ok_or("more than this machine can count"),
        _ => Err("a size is a whole number and a unit, KiB, MiB, GiB, kB, MB or GB: 512MiB"),
    }
}

impl SessionArguments {
    /// What is asked, and how.
    pub(crate) fn asking(self, access: Access) -> Asking {
        let options = Options {
            jobs: jobs(self.jobs),
            memory_bytes: self.memory,
            spill: self.spill.unwrap_or_else(std::env::temp_dir),
            own: self.table,
            agents: self.agents,
            access,
            joins: if self.sort_joins { Joins::Sorted } else { Joins::Hashed },
        };
        let of_ending = |out: &PathBuf| Format::of_ending(&out.extension()?.to_string_lossy());
        let format = self.format.or_else(|| self.out.as_ref().and_then(of_ending));
        Asking {
            tables: self.tables,
            options,
            whither: Whither {
                format: format.unwrap_or(Format::Table),
                text: if self.exact { Text::Exact } else { Text::Neutralised },
                out: self.out,
            },
        }
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
