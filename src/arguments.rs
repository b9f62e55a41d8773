//! What the user typed. Each command turns its part of it into what it needs.

pub(crate) mod check;
pub(crate) mod explain;
pub(crate) mod ingest;
pub(crate) mod judge;
pub(crate) mod lint;
pub(crate) mod models;

use crate::terminal::screen::Color;
use check::CheckArguments;
use clap::{Parser, Subcommand, ValueEnum};
use explain::ExplainArguments;
use ingest::IngestArguments;
use judge::JudgeArguments;
use lint::LintArguments;
use models::ModelsArguments;
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

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
    /// Prove that a folder of tables is whole.
    Check(CheckArguments),
    /// Make the tables that are made from others: sites, and what each says to whom.
    Models(ModelsArguments),
    /// Say why a crawler may or may not fetch a URL, crawl by crawl.
    Explain(ExplainArguments),
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

/// How many are worked at at a time: as many as there are cores, if it was not said.
fn jobs(typed: Option<NonZeroUsize>) -> NonZeroUsize {
    typed.or(available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}
