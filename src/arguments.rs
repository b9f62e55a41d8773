//! What the user typed. Each command turns its part of it into what it needs.

pub(crate) mod ingest;
pub(crate) mod judge;
pub(crate) mod lint;

use crate::terminal::screen::Color;
use clap::{Parser, Subcommand, ValueEnum};
use ingest::IngestArguments;
use judge::JudgeArguments;
use lint::LintArguments;

/// A census of robots.txt, the Robots Exclusion Protocol of RFC 9309.
#[derive(Debug, Parser)]
#[command(name = "robocensus", version, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Arguments {
    /// When to print in colours.
    #[arg(long, global = true, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What is to be done.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Read crawl archives and write what they hold as tables.
    Ingest(IngestArguments),
    /// Show where a robots.txt departs from the grammar, as a compiler would.
    Lint(LintArguments),
    /// Say whether a crawler may fetch a URL, and which line decides.
    Judge(JudgeArguments),
}

/// How an answer is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// For programs: one JSON object a line.
    Json,
}
