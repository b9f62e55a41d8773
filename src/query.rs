//! `robocensus query`: answers a question by its name.

mod list;
mod needs;
mod prepared;

use crate::answer::{self, QueryOptions, StatementEnd};
use crate::exit::Exit;
use crate::failures;
use crate::streams::Streams;
use analyze::queries;
use prepared::Prepared;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// What `query` does.
#[derive(Debug)]
pub(crate) struct QueryCommand {
    /// What to print.
    pub(crate) action: QueryAction,
    /// Values of parameters by name, as they were typed.
    pub(crate) values: BTreeMap<String, String>,
    /// The tables, and the destination of the answer.
    pub(crate) options: QueryOptions,
}

/// What `query` prints.
#[derive(Debug)]
pub(crate) enum QueryAction {
    /// The list of questions.
    List,
    /// The statement of a question.
    Statement(queries::Query),
    /// The answer to a question.
    Answer(queries::Query),
}

/// Prints the list of questions, a statement, or an answer.
pub(crate) fn run(query: &QueryCommand, streams: &mut Streams<'_>) -> io::Result<Exit> {
    let question = match &query.action {
        QueryAction::List => return list::write(streams),
        QueryAction::Statement(question) | QueryAction::Answer(question) => question,
    };
    let prepared = match Prepared::new(question, &query.values) {
        Ok(prepared) => prepared,
        Err(failure) => return failures::fail(failure, streams),
    };
    if let QueryAction::Statement(_) = query.action {
        // Escaped, since values and files of the user may come from anywhere.
        writeln!(streams.out, "{};", crate::terminal::Safe(prepared.statement.to_string().as_bytes()))?;
        return Ok(Exit::Good);
    }
    if let Err(failure) = needs::tables(&prepared, &query.options.session) {
        return failures::fail(failure, streams);
    }
    let Some(mut opened) = answer::open(&query.options, streams)? else { return Ok(Exit::Failed) };
    if let Err(failure) = needs::agents(&prepared, &opened) {
        return failures::fail(failure, streams);
    }
    Ok(match opened.answer(prepared.statement.clone().into(), Path::new(&prepared.question.name), streams)? {
        StatementEnd::Failed => Exit::Failed,
        StatementEnd::Answered | StatementEnd::Silent => Exit::Good,
    })
}
