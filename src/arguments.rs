//! The arguments of the program. Only this module knows clap: it turns typed arguments into the types of the commands.

mod agent_list;
pub(crate) mod agents;
pub(crate) mod catalog;
pub(crate) mod check;
mod choice;
pub(crate) mod commit;
pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod explain;
pub(crate) mod ingest;
mod inputs;
mod jobs;
pub(crate) mod judge;
pub(crate) mod lint;
pub(crate) mod man;
pub(crate) mod models;
pub(crate) mod out;
pub(crate) mod plan;
pub(crate) mod query;
pub(crate) mod report;
mod requests;
mod resources;
pub(crate) mod session;
pub(crate) mod sql;
mod tables;

use crate::terminal::screen::Color;
use agents::AgentsArguments;
use catalog::CatalogArguments;
use check::CheckArguments;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use commit::CommitArguments;
use completions::CompletionsArguments;
use demo::DemoArguments;
use explain::ExplainArguments;
use folder::Failure;
use ingest::IngestArguments;
use judge::JudgeArguments;
use lint::LintArguments;
use man::ManArguments;
use models::ModelsArguments;
use plan::PlanArguments;
use query::QueryArguments;
use report::ReportArguments;
use sql::SqlArguments;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::Path;

/// A census of robots.txt, the Robots Exclusion Protocol of RFC 9309.
#[derive(Debug, Parser)]
#[command(name = "robocensus", version, max_term_width = 100, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct ProgramArguments {
    /// When to use colours.
    #[arg(long, global = true, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: Color,
    /// Print nothing but failures. Files are the same as without this option, and so is the output of query, sql,
    /// catalog, judge, completions and man.
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    #[command(subcommand)]
    pub(crate) command: CommandArguments,
}

const EXAMPLES: &str = "\
Examples:
  robocensus demo
  robocensus ingest 'crawl-data/**/robotstxt/*.warc.gz' --out tables
  robocensus query ai_overview --tables tables
  robocensus explain https://www.example.com/ --agent GPTBot --tables tables

robocensus COMMAND --help describes a command, with examples.";

impl ProgramArguments {
    /// The definition of the command line with every question, for manual pages and completions.
    pub(crate) fn whole_command() -> clap::Command {
        let command = Self::command().mut_subcommand("query", query::with_all_questions);
        let commands: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
        command.mut_subcommand("lint", lint::with_all_codes).mut_subcommand("man", |man| man::with_pages(man, commands))
    }

    /// Reads the arguments of the process. Invalid options and `--help` exit it. Fails for an unknown question, and if
    /// the help cannot be written.
    pub(crate) fn parse_process() -> Result<Self, Failure> {
        let mut typed: Vec<OsString> = std::env::args_os().collect();
        // After `help`, clap takes `--help` for the name of a command.
        if typed.get(1).is_some_and(|first| first == "help") {
            typed.retain(|word| word != "--help" && word != "-h");
        }
        let command = Self::command().mut_subcommand("query", |command| query::with_named_questions(command, &typed));
        match command.try_get_matches_from(&typed) {
            Ok(matches) => Ok(Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())),
            Err(error) => match unknown_question(&error, &typed) {
                Some(name) => Err(query::unknown(&name)),
                None if error.use_stderr() => error.exit(),
                None => match error.print().and_then(|()| io::stdout().flush()) {
                    Err(failed) if failed.kind() != io::ErrorKind::BrokenPipe => {
                        Err(Failure::new("output cannot be written", Path::new("standard output"), failed))
                    }
                    _ => std::process::exit(error.exit_code()),
                },
            },
        }
    }
}

/// The unknown question after `query`, if that is the error: clap reports it as an unknown subcommand.
fn unknown_question(error: &clap::Error, typed: &[OsString]) -> Option<String> {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let is_unknown_question = error.kind() == ErrorKind::InvalidSubcommand
        && query::after_query(typed)?.iter().any(|typed| typed.to_str() == Some(name));
    is_unknown_question.then(|| name.clone())
}

/// The command that was typed, with its arguments.
#[derive(Debug, Subcommand)]
pub(crate) enum CommandArguments {
    /// Make tables and a report from a sample that comes with the program.
    Demo(DemoArguments),
    /// Read crawl archives and write tables.
    Ingest(IngestArguments),
    /// Plan an ingest for several machines.
    Plan(PlanArguments),
    /// Publish the tables that the shards of a planned ingest made.
    Commit(CommitArguments),
    /// Verify that a folder of tables is complete and undamaged.
    Check(CheckArguments),
    /// Make the derived tables: sites, and what each site allows each tracked agent.
    Models(ModelsArguments),
    /// Explain for each crawl why a crawler may or may not fetch a URL.
    Explain(ExplainArguments),
    /// Answer a question by its name, or list all questions.
    Query(QueryArguments),
    /// Write a report: a page of figures, with their data and SQL.
    Report(ReportArguments),
    /// Run SQL over the tables, or open a prompt.
    Sql(SqlArguments),
    /// Print SQL that defines the tables in another engine, or a description of the dataset.
    Catalog(CatalogArguments),
    /// Show where a robots.txt departs from the grammar, as a compiler would.
    Lint(LintArguments),
    /// Say whether a crawler may fetch a URL, and which line decides.
    Judge(JudgeArguments),
    /// Compare the list of agents with another list, such as a newer ai.robots.txt.
    Agents(AgentsArguments),
    /// Print a shell script that completes commands, options and question names.
    Completions(CompletionsArguments),
    /// Print a manual page, or write all of them.
    Man(ManArguments),
}

impl CommandArguments {
    /// Whether what goes to standard output is what the command was run for. `--quiet` leaves it. It leaves out what
    /// others print there: a summary, or the reasons for an exit code.
    pub(crate) fn prints_answer(&self) -> bool {
        match self {
            Self::Commit(typed) => typed.missing,
            Self::Report(typed) => typed.list_questions,
            Self::Query(_) | Self::Sql(_) | Self::Catalog(_) | Self::Judge(_) | Self::Completions(_) | Self::Man(_) => {
                true
            }
            _ => false,
        }
    }

    /// Whether the command has nothing to do once nobody reads its output. The others make or verify something.
    pub(crate) fn only_prints(&self) -> bool {
        use CommandArguments::{Check, Commit, Demo, Ingest, Models, Plan, Report};
        !matches!(self, Demo(_) | Ingest(_) | Plan(_) | Commit(_) | Check(_) | Models(_) | Report(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Args as _;

    /// The options that several commands have, each with its letter.
    const SHARED: [(&str, Option<char>); 9] = [
        ("tables", Some('t')),
        ("out", Some('o')),
        ("format", Some('f')),
        ("agents", None),
        ("jobs", None),
        ("memory", None),
        ("table", None),
        ("requests-per-second", None),
        ("connections", None),
    ];

    /// The shared options of each command. `ingest` and `plan` accept the folder as `--out` and as `--tables`.
    const COMMANDS: [(&str, &str); 16] = [
        ("demo", "out jobs"),
        ("ingest", "tables out jobs requests-per-second connections"),
        ("plan", "tables out requests-per-second connections"),
        ("commit", "tables out jobs requests-per-second connections"),
        ("check", "tables out agents jobs requests-per-second connections"),
        ("models", "tables out agents jobs memory requests-per-second connections"),
        ("explain", "tables out format requests-per-second connections"),
        ("query", "tables out format agents jobs memory table requests-per-second connections"),
        ("report", "tables out format agents jobs memory table requests-per-second connections"),
        ("sql", "tables out format agents jobs memory table requests-per-second connections"),
        ("catalog", "tables out agents requests-per-second connections"),
        ("lint", "out format"),
        ("judge", "out format"),
        ("agents", "out format agents"),
        ("completions", "out"),
        ("man", "out"),
    ];

    #[test]
    fn commands_share_options() {
        let program = ProgramArguments::command();
        let found: Vec<(&str, String)> = (program.get_subcommands())
            .map(|command| {
                let option = |name: &str| {
                    command.get_arguments().find(|one| {
                        let aliases = one.get_visible_aliases().unwrap_or_default();
                        one.get_long() == Some(name) || aliases.contains(&name)
                    })
                };
                for (name, letter) in SHARED {
                    let found = option(name).filter(|one| one.get_long() == Some(name));
                    assert!(found.is_none_or(|one| one.get_short() == letter), "{} --{name}", command.get_name());
                }
                let has: Vec<&str> =
                    SHARED.iter().map(|(name, _)| *name).filter(|name| option(name).is_some()).collect();
                (command.get_name(), has.join(" "))
            })
            .collect();
        assert_eq!(found, COMMANDS.map(|(name, has)| (name, has.to_owned())));
    }

    /// Paragraphs are one line each, which clap wraps to the terminal. It would break indented lines raggedly.
    #[test]
    fn indented_lines_of_help_fit_into_a_terminal() {
        for command in ProgramArguments::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let (_, after_examples) = help.split_once("\n\n").unwrap_or_default();
            for line in after_examples.lines().filter(|line| line.starts_with(' ') && !line.starts_with("  {")) {
                assert!(line.len() <= 80, "{}: {line}", command.get_name());
            }
        }
    }

    #[test]
    fn every_question_is_a_command() {
        ProgramArguments::whole_command().debug_assert();
    }

    /// Reading the headers of all questions takes half of the time of a start.
    #[test]
    fn only_questions_that_may_be_meant_are_read() {
        let questions = |typed: &str| {
            let typed: Vec<OsString> = typed.split(' ').map(OsString::from).collect();
            let query = QueryArguments::augment_args(clap::Command::new("query"));
            query::with_named_questions(query, &typed).get_subcommands().count()
        };
        assert_eq!(questions("robocensus judge robots.txt"), 0);
        assert_eq!(questions("robocensus query --tables tables ai_overview"), 1);
        assert!(questions("robocensus query ai_overwiev") > 50);
    }
}
