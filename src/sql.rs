//! `robocensus sql`: runs statements over the tables.

mod complete;
mod prompt;

use crate::answer::{self, QueryOptions, StatementEnd};
use crate::exit::Exit;
use crate::failures;
use crate::streams::Streams;
use analyze::statement::parse_statements;
use folder::{Failure, text};
use std::io;
use std::path::{Path, PathBuf};
use stores::Stores;

/// The options of `sql`.
#[derive(Debug)]
pub(crate) struct SqlCommand {
    /// Where the statements come from.
    pub(crate) source: StatementSource,
    /// Where the tables come from if they have a URL.
    pub(crate) stores: Stores,
    /// The tables, and the destination of the answers.
    pub(crate) options: QueryOptions,
}

/// Where statements come from.
#[derive(Debug)]
pub(crate) enum StatementSource {
    /// The command line.
    Typed(String),
    /// A file.
    File(PathBuf),
    /// Standard input: a prompt if it is a terminal, else a pipe or file.
    Input,
}

/// Runs the statements up to the first that fails, or opens the prompt.
pub(crate) fn run(sql: &SqlCommand, streams: &mut Streams<'_>) -> io::Result<Exit> {
    if let Err(failure) = sql.options.destination.check_format() {
        return failures::fail(failure, streams);
    }
    let read = match &sql.source {
        StatementSource::Typed(statement) => Ok((statement.clone(), PathBuf::from("statement"))),
        StatementSource::File(path) => {
            text::read_file(path).map(|text| (text, path.clone())).map_err(|error| (error, path.as_path()))
        }
        StatementSource::Input if streams.is_typed => return prompt::run(&sql.options, streams),
        StatementSource::Input => {
            let read = text::read(&mut *streams.input);
            read.map(|text| (text, PathBuf::from("standard input")))
                .map_err(|error| (error, Path::new("standard input")))
        }
    };
    let (text, place) = match read {
        Ok(read) => read,
        Err((error, path)) => {
            return failures::fail(Failure::new("statements cannot be read", path, error), streams);
        }
    };
    // Otherwise a script that lost its statement would continue without an answer.
    let parsed = parse_statements(&text);
    if parsed.as_ref().is_ok_and(Vec::is_empty) {
        let cause = "there is nothing to run; on a terminal, robocensus sql without a statement opens a prompt";
        let place = if matches!(sql.source, StatementSource::Typed(_)) { Path::new("command line") } else { &place };
        return failures::fail(Failure::new("statement is empty", place, cause), streams);
    }
    let Some(mut opened) = answer::open(&sql.options, streams)? else { return Ok(Exit::Failed) };
    Ok(match opened.answer_all(parsed, &place, streams)? {
        StatementEnd::Failed => Exit::Failed,
        StatementEnd::Answered(_) | StatementEnd::Silent => Exit::Good,
    })
}
