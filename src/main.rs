//! The command line of robocensus: what the user typed, what is printed, and the exit code.
//!
//! No rule of robots.txt lives here; the crate `robots` decides, and this one asks it. Nothing but `main` touches the
//! streams of the process, so that every command can be run on buffers.

mod answer;
mod arguments;
mod check;
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
mod print_format;
mod progress;
mod query;
mod report;
mod sql;
mod streams;
mod terminal;

use crate::arguments::{Arguments, Command};
use crate::exit::Exit;
use crate::progress::Watcher;
use crate::streams::Streams;
use crate::terminal::Safe;
use crate::terminal::screen::Screen;
use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::process::ExitCode;

/// One write to a pipe takes this many bytes at most, and a line of output far fewer.
const OUT_BYTES: usize = 64 * 1024;

fn main() -> ExitCode {
    let arguments = match Arguments::of_process() {
        Ok(arguments) => arguments,
        Err(failure) => {
            let text = failure.to_string();
            // There is nothing yet that could be said elsewhere.
            let _ = writeln!(io::stderr(), "{}", Safe(text.as_bytes()));
            return Exit::Failed.into();
        }
    };
    let screen = Screen::of_process(arguments.color);
    let mut streams = Streams {
        input: &mut io::stdin().lock(),
        out: &mut BufWriter::with_capacity(OUT_BYTES, io::stdout().lock()),
        err: &mut io::stderr(),
        screen,
        watcher: Watcher::of_process(),
        is_typed: io::stdin().is_terminal(),
    };
    run(arguments, &mut streams).into()
}

fn run(arguments: Arguments, streams: &mut Streams<'_>) -> Exit {
    let done = match arguments.command {
        Command::Demo(typed) => demo::run(&typed.into(), streams),
        Command::Ingest(typed) => ingest::run(&typed.into(), streams),
        Command::Check(typed) => check::run(&typed.into(), streams),
        Command::Models(typed) => models::run(&typed.into(), streams),
        Command::Query(typed) => match typed.try_into() {
            Ok(query) => query::run(&query, streams),
            Err(failure) => failures::fail(failure, streams),
        },
        Command::Report(typed) => report::run(&typed.into(), streams),
        Command::Sql(typed) => sql::run(&typed.into(), streams),
        Command::Lint(typed) => lint::run(&typed.into(), streams),
        Command::Explain(typed) => explain::run(&typed.into(), streams),
        Command::Judge(typed) => judge::run(&typed.into(), streams),
        Command::Completions(typed) => completions::run(typed.shell, Arguments::whole_command(), streams),
        Command::Man(typed) => man::run(&typed.into(), Arguments::whole_command(), streams),
    };
    streams.close(done)
}
