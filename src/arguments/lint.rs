//! What the user typed behind `lint`.

use crate::lint::LintCommand;
use crate::print_format::PrintFormat;
use clap::{Args, ValueEnum};
use robots::Severity;
use std::path::PathBuf;

/// The arguments of `lint`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true, override_usage = USAGE, after_help = EXAMPLES)]
pub(crate) struct LintArguments {
    /// Files to lint; - is standard input.
    #[arg(value_name = "FILE", required_unless_present = "explain")]
    files: Vec<PathBuf>,
    /// How to print; json has one object a violation and nothing else.
    #[arg(long, value_enum, default_value = "text")]
    format: PrintFormat,
    /// Print no violations below this severity. The summary counts them all.
    #[arg(long, value_enum, default_value = "info", value_name = "SEVERITY")]
    min_severity: MinSeverity,
    /// Explain a code, such as ua-version, and stop.
    #[arg(long, value_name = "CODE", conflicts_with_all = ["files", "format", "min_severity"])]
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
  A column counts characters, from 1, and each byte that is no UTF-8 as one. The JSON also has the
  byte offset and length; in a UTF-16 file they count the bytes of its UTF-8 form. What is said of
  the whole file stands on line 0. The standard's grammar is met to the letter by few files:
  `conforms` says whether this one does, and tier A, B and C count what is not derivable from it,
  other records, and remarks.

Exit code:
  0  no file has a violation of severity error
  1  a file has one
  2  a file could not be read";

/// The least severity to print.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum MinSeverity {
    /// Everything.
    Info,
    /// Where crawlers differ, or worse.
    Warning,
    /// Where a rule or a group is lost, or means something else.
    Error,
}

impl From<LintArguments> for LintCommand {
    fn from(typed: LintArguments) -> LintCommand {
        match typed.explain {
            Some(code) => LintCommand::Explain { code },
            None => LintCommand::Files {
                inputs: typed.files.into_iter().map(Into::into).collect(),
                format: typed.format,
                least: match typed.min_severity {
                    MinSeverity::Info => Severity::Info,
                    MinSeverity::Warning => Severity::Warning,
                    MinSeverity::Error => Severity::Error,
                },
            },
        }
    }
}
