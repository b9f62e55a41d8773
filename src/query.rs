//! `robocensus query`: questions by name.

mod list;
mod needs;
mod prepared;

use crate::answer::{self, Asked, Asking, Done};
use crate::exit::Exit;
use crate::failures;
use crate::streams::Streams;
use analyze::queries;
use prepared::Prepared;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// What is to be done.
#[derive(Debug)]
pub(crate) struct QueryCommand {
    /// What is printed.
    pub(crate) wanted: WantedOfQuery,
    /// Values of parameters, as they were typed.
    pub(crate) values: BTreeMap<String, String>,
    /// What is asked, and where the answer goes.
    pub(crate) asking: Asking,
}

/// What `query` prints.
#[derive(Debug)]
pub(crate) enum WantedOfQuery {
    /// The list of questions.
    List,
    /// The statement of a question.
    Statement(queries::Query),
    /// The answer to a question.
    Answer(queries::Query),
}

/// Does it.
pub(crate) fn run(query: &QueryCommand, streams: &mut Streams<'_>) -> io::Result<Exit> {
    let question = match &query.wanted {
        WantedOfQuery::List => return list::write(streams),
        WantedOfQuery::Statement(question) | WantedOfQuery::Answer(question) => question,
    };
    let prepared = match Prepared::new(question, &query.values) {
        Ok(prepared) => prepared,
        Err(failure) => return failures::fail(failure, streams),
    };
    if let WantedOfQuery::Statement(_) = query.wanted {
        // As it is run, and safe to print: values were typed, and files of one's own may come from anywhere.
        writeln!(streams.out, "{};", crate::terminal::Safe(prepared.statement.to_string().as_bytes()))?;
        return Ok(Exit::Good);
    }
    if let Err(failure) = needs::tables(&prepared, &query.asking.options) {
        return failures::fail(failure, streams);
    }
    let Some(mut asked) = answer::open(&query.asking, streams)? else { return Ok(Exit::Failed) };
    if let Err(failure) = needs::agents(&prepared, &asked) {
        return failures::fail(failure, streams);
    }
    Ok(match ask(&prepared, &mut asked, streams)? {
        Done::Failed => Exit::Failed,
        Done::Answered | Done::Silent => Exit::Good,
    })
}

fn ask(prepared: &Prepared<'_>, asked: &mut Asked, streams: &mut Streams<'_>) -> io::Result<Done> {
    asked.answer(prepared.statement.clone().into(), Path::new(&prepared.question.name), streams)
}
