//! The arguments of `lint`.

use super::choice::{Choice, one_of};
use super::out::OutArguments;
use crate::lint::LintCommand;
use crate::print_format::PrintFormat;
use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use robots::{Code, Severity};
use std::path::PathBuf;

/// The arguments of `lint`, as typed.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, override_usage = USAGE, after_help = EXAMPLES)]
pub(crate) struct LintArguments {
    /// Files to check; - is standard input.
    #[arg(value_name = "FILE", required_unless_present = "explain")]
    pub(super) files: Vec<PathBuf>,
    /// The output format; json has one object per violation and no summary.
    #[arg(long, short, value_enum, default_value = "text")]
    format: PrintFormat,
    /// Print only violations of at least this severity. The summary counts all.
    #[arg(long, value_parser = one_of(&SEVERITIES), default_value = "info", value_name = "SEVERITY")]
    min_severity: Severity,
    #[command(flatten)]
    pub(crate) out: OutArguments,
    /// Explain a violation code, such as ua-version, and read no file.
    #[arg(long, value_name = "CODE", conflicts_with_all = ["files", "format", "min_severity", "quiet"])]
    explain: Option<String>,
}

const USAGE: &str = "\
robocensus lint [OPTIONS] <FILE>...
       robocensus lint --explain <CODE>";

const EXAMPLES: &str = "\
Examples:
  robocensus lint robots.txt
  curl -s https://example.com/robots.txt | robocensus lint -
  robocensus lint --min-severity warning sites/*.txt
  robocensus lint --format json robots.txt | jq -r .code | sort | uniq -c
  robocensus lint --explain ua-version

Places:
  A column counts characters from 1. A byte that is not UTF-8 counts as one
  character. The JSON also has the byte offset and length; for a UTF-16 file
  they refer to its text as UTF-8. A violation of the whole file is on line 0.

Summary:
  `conforms` says whether the file follows the standard's grammar to the
  letter, which few do. Tier A counts violations of the grammar, tier B other
  records, which the standard allows, and tier C remarks. A preference of a
  Content-Signal or Content-Usage line that does not count is a remark: it
  changes neither `conforms` nor the exit code.

Exit code:
  0  no file has a violation of severity error
  1  a file has one
  2  a file could not be read";

/// The lowest severity to print.
const SEVERITIES: [Choice<Severity>; 3] = [
    ("info", "All violations", Severity::Info),
    ("warning", "Warnings and errors; a warning means that crawlers read the line differently", Severity::Warning),
    ("error", "A rule or a group may be lost, or mean something else", Severity::Error),
];

/// `lint` with every code as a value of `--explain`, for completions. Otherwise a similar code is suggested.
pub(super) fn with_all_codes(lint: Command) -> Command {
    let codes = PossibleValuesParser::new(Code::ALL.iter().map(|code| code.name()));
    lint.mut_arg("explain", |explain| explain.value_parser(codes).hide_possible_values(true))
}

impl From<LintArguments> for LintCommand {
    fn from(typed: LintArguments) -> LintCommand {
        match typed.explain {
            Some(code) => LintCommand::Explain { code },
            None => LintCommand::Files {
                inputs: typed.files.into_iter().map(Into::into).collect(),
                format: typed.format,
                least: typed.min_severity,
            },
        }
    }
}
