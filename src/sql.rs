//! `robocensus sql`: runs statements over the tables.

mod complete;
mod prompt;

use crate::answer::{self, QueryOptions};
use crate::exit::Exit;
use crate::failures::CommandResult;
use crate::streams::Streams;
use analyze::statement::parse_statements;
use folder::{Failure, text};
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
pub(crate) fn run(sql: &SqlCommand, streams: &mut Streams<'_>) -> CommandResult {
    sql.options.destination.check_format()?;
    let (text, place) = match &sql.source {
        StatementSource::Typed(statement) => (Ok(statement.clone()), Path::new("statement")),
        StatementSource::File(path) => (text::read_file(path), path.as_path()),
        StatementSource::Input if streams.is_typed => return prompt::run(&sql.options, streams),
        StatementSource::Input => (text::read(&mut *streams.input), Path::new("standard input")),
    };
    let text = text.map_err(Failure::at("statements cannot be read", place))?;
    // Otherwise a script that lost its statement would continue without an answer.
    let parsed = parse_statements(&text);
    if parsed.as_ref().is_ok_and(Vec::is_empty) {
        let cause = "there is nothing to run; on a terminal, robocensus sql without a statement opens a prompt";
        let place = if matches!(sql.source, StatementSource::Typed(_)) { Path::new("command line") } else { place };
        return Err(Failure::new("statement is empty", place, cause).into());
    }
    answer::open(&sql.options, streams)?.answer_all(parsed, place, streams)?;
    Ok(Exit::Good)
}
