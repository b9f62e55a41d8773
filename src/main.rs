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
use std::path::PathBuf;
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
    let is_quiet = arguments.command.is_quiet();
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
        is_quiet,
    };
    run(arguments, &mut streams)
}

fn run(arguments: ProgramArguments, streams: &mut Streams<'_>) -> Exit {
    if let Err(failure) = arguments.command.refuse_output_over_input() {
        let done = failures::fail(failure, streams);
        return streams.close(done);
    }
    let done = match arguments.command {
        CommandArguments::Demo(typed) => demo::run(&typed.into(), streams),
        CommandArguments::Ingest(typed) => match typed.into() {
            IngestWork::Archives(mut ingest) => {
                let (out, stores) = (ingest.out.clone(), ingest.options.stores.clone());
                with_tables(&out, TableAccess::Write, stores, streams, |found, streams| {
                    ingest.out = found;
                    ingest::run(&ingest, streams)
                })
            }
            IngestWork::Shard(shard) => ingest::shard::run(shard, streams),
        },
        CommandArguments::Plan(typed) => {
            let mut plan = PlanCommand::from(typed);
            let (out, stores) = (plan.out.clone(), plan.naming.stores.clone());
            with_tables(&out, TableAccess::Plan, stores, streams, |found, streams| {
                plan.out = found;
                plan::run(&plan, streams)
            })
        }
        CommandArguments::Commit(typed) => {
            let (out, stores) = (typed.out.out.clone(), typed.requests.stores());
            let mut commit = CommitCommand::from(typed);
            let access = if commit.is_missing { TableAccess::Missing } else { TableAccess::Commit };
            let tables = commit.tables.clone();
            print_to(out.as_deref(), Some(&tables), streams, |streams| {
                with_tables(&tables, access, stores, streams, |found, streams| {
                    commit.tables = found;
                    commit::run(&commit, streams)
                })
            })
        }
        CommandArguments::Check(typed) => {
            let (out, tables) = (typed.out.out.clone(), PathBuf::from(typed.tables.clone()));
            print_to(out.as_deref(), Some(&tables), streams, |streams| {
                let stores = typed.requests.stores();
                let mut check = CheckCommand::from(typed);
                with_tables(&tables, TableAccess::Read, stores, streams, |found, streams| {
                    check.tables = found;
                    check::run(&check, streams)
                })
            })
        }
        CommandArguments::Models(typed) => {
            let (out, stores) = (typed.out.out.clone(), typed.requests.stores());
            let mut models = ModelsCommand::from(typed);
            let tables = models.tables.clone();
            print_to(out.as_deref(), Some(&tables), streams, |streams| {
                with_tables(&tables, TableAccess::Write, stores, streams, |found, streams| {
                    models.tables = found;
                    models::run(&models, streams)
                })
            })
        }
        CommandArguments::Query(typed) => match QueryCommand::try_from(typed) {
            Ok(query) => query::run(query, streams),
            Err(failure) => failures::fail(failure, streams),
        },
        CommandArguments::Report(typed) => {
            let stores = typed.requests.stores();
            let mut report = ReportCommand::from(typed);
            let tables = report.tables.clone();
            with_tables(&tables, TableAccess::Read, stores, streams, |found, streams| {
                report.tables = found;
                report::run(&report, streams)
            })
        }
        CommandArguments::Agents(typed) => {
            let out = typed.out.out.clone();
            print_to(out.as_deref(), None, streams, |streams| agents::run(&typed.into(), streams))
        }
        CommandArguments::Sql(typed) => {
            let mut sql = SqlCommand::from(typed);
            let (tables, stores) = (sql.options.tables.clone(), sql.stores.clone());
            with_tables(&tables, TableAccess::Read, stores, streams, |found, streams| {
                sql.options.tables = found;
                sql::run(&sql, streams)
            })
        }
        CommandArguments::Catalog(typed) => {
            let (out, tables) = (typed.out.out.clone(), PathBuf::from(typed.tables.clone()));
            let stores = typed.requests.stores();
            print_to(out.as_deref(), Some(&tables), streams, |streams| match CatalogCommand::try_from(typed) {
                Ok(mut command) => with_tables(&tables, TableAccess::Read, stores, streams, |found, streams| {
                    command.tables = found;
                    catalog::run(&command, streams)
                }),
                Err(failure) => failures::fail(failure, streams),
            })
        }
        CommandArguments::Lint(typed) => {
            let out = typed.out.out.clone();
            print_to(out.as_deref(), None, streams, |streams| lint::run(&typed.into(), streams))
        }
        CommandArguments::Explain(typed) => {
            let (out, tables) = (typed.out.out.clone(), typed.tables.clone());
            print_to(out.as_deref(), Some(&tables), streams, |streams| {
                let stores = typed.requests.stores();
                let mut explain = ExplainCommand::from(typed);
                with_tables(&tables, TableAccess::Read, stores, streams, |found, streams| {
                    explain.tables = found;
                    explain::run(&explain, streams)
                })
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
    };
    streams.close(done)
}
