//! The command line of robocensus: it reads arguments, prints, and sets the exit code.
//!
//! All rules of robots.txt are in the crate `robots`. Commands print to the streams that `main` gives them, so that
//! `--out` can replace standard output by a file.

mod agents;
mod answer;
mod arguments;
mod catalog;
mod check;
mod commit;
mod completions;
mod demo;
mod exit;
mod explain;
mod failures;
mod ingest;
mod input;
mod interrupt;
mod judge;
mod lint;
mod man;
mod models;
mod out_file;
mod own_tables;
mod plan;
mod print_format;
mod progress;
mod query;
mod report;
mod shard;
mod sql;
mod store_tables;
mod streams;
mod terminal;
mod unfinished;

use crate::arguments::ingest::IngestWork;
use crate::arguments::{CommandArguments, ProgramArguments};
use crate::catalog::CatalogCommand;
use crate::check::CheckCommand;
use crate::commit::CommitCommand;
use crate::exit::Exit;
use crate::explain::ExplainCommand;
use crate::failures::CommandResult;
use crate::models::ModelsCommand;
use crate::out_file::print_to;
use crate::plan::PlanCommand;
use crate::progress::Watcher;
use crate::query::QueryCommand;
use crate::report::ReportCommand;
use crate::sql::SqlCommand;
use crate::store_tables::{TableAccess, with_tables};
use crate::streams::{OutOfWork, Streams};
use crate::terminal::Safe;
use crate::terminal::screen::Screen;
use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::process::ExitCode;

/// The size of the output buffer: the default capacity of a pipe.
const OUT_BYTES: usize = 64 * 1024;

fn main() -> ExitCode {
    // Statements are parsed and planned on this thread too; deeply nested ones need a large stack.
    let done = interrupt::report_large_files().and_then(|()| analyze::with_large_stack(run_program));
    // A statement that was stopped may have created its folder after its session had removed it.
    analyze::remove_spilled();
    match done {
        Ok(exit) => exit.into(),
        Err(error) => {
            let _ = writeln!(io::stderr(), "program cannot be started: robocensus: {error}");
            Exit::Failed.into()
        }
    }
}

fn run_program() -> Exit {
    let arguments = match ProgramArguments::parse_process() {
        Ok(arguments) => arguments,
        Err(failure) => {
            let text = failure.to_string();
            let _ = writeln!(io::stderr(), "{}", Safe(text.as_bytes()));
            return Exit::Failed;
        }
    };
    let screen = Screen::detect(arguments.color);
    let mut stdout = BufWriter::with_capacity(OUT_BYTES, io::stdout().lock());
    let mut out_of_work;
    let mut nowhere = io::sink();
    let is_quiet = arguments.quiet;
    let out: &mut dyn io::Write = if is_quiet && !arguments.command.prints_answer() {
        &mut nowhere
    } else if arguments.command.only_prints() {
        &mut stdout
    } else {
        out_of_work = OutOfWork(&mut stdout);
        &mut out_of_work
    };
    let mut streams = Streams {
        // Not locked: the prompt takes the lock for a line.
        input: &mut io::stdin(),
        out,
        err: &mut io::stderr(),
        screen,
        watcher: if is_quiet { Watcher::Nobody } else { Watcher::detect() },
        is_typed: io::stdin().is_terminal(),
    };
    let ended = run(arguments.command, &mut streams);
    let printed = failures::print_end(ended, &mut streams);
    streams.close(printed)
}

fn run(command: CommandArguments, streams: &mut Streams<'_>) -> CommandResult {
    command.refuse_output_over_input()?;
    match command {
        CommandArguments::Demo(typed) => demo::run(&typed.into(), streams),
        CommandArguments::Ingest(typed) => match typed.into() {
            IngestWork::Archives(ingest) => {
                let stores = ingest.options.stores.clone();
                with_tables(*ingest, |ingest| &mut ingest.out, TableAccess::Write, stores, streams, ingest::run)
            }
            IngestWork::Shard(shard) => ingest::shard::run(shard, streams),
        },
        CommandArguments::Plan(typed) => {
            let plan = PlanCommand::from(typed);
            let stores = plan.naming.stores.clone();
            with_tables(plan, |plan| &mut plan.out, TableAccess::Plan, stores, streams, plan::run)
        }
        CommandArguments::Commit(typed) => {
            let (out, stores) = (typed.out.out.clone(), typed.requests.stores());
            let commit = CommitCommand::from(typed);
            let access = if commit.is_missing { TableAccess::Missing } else { TableAccess::Commit };
            print_to(out.as_deref(), Some(&commit.tables.clone()), streams, |streams| {
                with_tables(commit, |commit| &mut commit.tables, access, stores, streams, commit::run)
            })
        }
        CommandArguments::Check(typed) => {
            let (out, stores) = (typed.out.out.clone(), typed.requests.stores());
            let check = CheckCommand::from(typed);
            print_to(out.as_deref(), Some(&check.tables.clone()), streams, |streams| {
                with_tables(check, |check| &mut check.tables, TableAccess::Read, stores, streams, check::run)
            })
        }
        CommandArguments::Models(typed) => {
            let (out, stores) = (typed.out.out.clone(), typed.requests.stores());
            let models = ModelsCommand::from(typed);
            print_to(out.as_deref(), Some(&models.tables.clone()), streams, |streams| {
                with_tables(models, |models| &mut models.tables, TableAccess::Write, stores, streams, models::run)
            })
        }
        CommandArguments::Query(typed) => query::run(QueryCommand::try_from(typed)?, streams),
        CommandArguments::Report(typed) => {
            let stores = typed.requests.stores();
            let report = ReportCommand::from(typed);
            with_tables(report, |report| &mut report.tables, TableAccess::Read, stores, streams, report::run)
        }
        CommandArguments::Agents(typed) => {
            let out = typed.out.out.clone();
            print_to(out.as_deref(), None, streams, |streams| agents::run(&typed.into(), streams))
        }
        CommandArguments::Sql(typed) => {
            let sql = SqlCommand::from(typed);
            let stores = sql.stores.clone();
            with_tables(sql, |sql| &mut sql.options.tables, TableAccess::Read, stores, streams, sql::run)
        }
        CommandArguments::Catalog(typed) => {
            let (out, stores) = (typed.out.out.clone(), typed.requests.stores());
            let catalog = CatalogCommand::try_from(typed)?;
            print_to(out.as_deref(), Some(&catalog.tables.clone()), streams, |streams| {
                with_tables(catalog, |catalog| &mut catalog.tables, TableAccess::Read, stores, streams, catalog::run)
            })
        }
        CommandArguments::Lint(typed) => {
            let out = typed.out.out.clone();
            print_to(out.as_deref(), None, streams, |streams| lint::run(&typed.into(), streams))
        }
        CommandArguments::Explain(typed) => {
            let (out, stores) = (typed.out.out.clone(), typed.requests.stores());
            let explain = ExplainCommand::from(typed);
            print_to(out.as_deref(), Some(&explain.tables.clone()), streams, |streams| {
                with_tables(explain, |explain| &mut explain.tables, TableAccess::Read, stores, streams, explain::run)
            })
        }
        CommandArguments::Judge(typed) => {
            let out = typed.out.out.clone();
            print_to(out.as_deref(), None, streams, |streams| judge::run(&typed.into(), streams))
        }
        CommandArguments::Completions(typed) => print_to(typed.out.out.as_deref(), None, streams, |streams| {
            completions::run(typed.shell, ProgramArguments::whole_command(), streams)
        }),
        CommandArguments::Man(typed) => man::run(&typed.into(), ProgramArguments::whole_command(), streams),
    }
}
