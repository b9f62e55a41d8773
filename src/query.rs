//! `robocensus query`: questions by name.

mod list;
mod needs;

use crate::answer::{self, Asked, Asking, Done};
use crate::arguments::query::find;
use crate::exit::Exit;
use crate::failures;
use crate::streams::Streams;
use analyze::did_you_mean;
use analyze::queries::{self, Folder};
use analyze::statement::{ParsedQuery, Values};
use folder::Failure;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// What is to be done.
#[derive(Debug)]
pub(crate) struct Query {
    /// What is wanted.
    pub(crate) wanted: Wanted,
    /// Values of parameters, as they were typed.
    pub(crate) values: BTreeMap<String, String>,
    /// What is asked, and where the answer goes.
    pub(crate) asking: Asking,
}

/// What is wanted.
#[derive(Debug)]
pub(crate) enum Wanted {
    /// Which questions there are.
    List,
    /// The statement of one.
    Statement(String),
    /// The answer to one.
    Answer(String),
}

/// Does it.
pub(crate) fn run(query: &Query, streams: &mut Streams<'_>) -> io::Result<Exit> {
    let name = match &query.wanted {
        Wanted::List => return list::write(streams),
        Wanted::Statement(name) | Wanted::Answer(name) => name,
    };
    let prepared = match prepare(name, &query.values) {
        Ok(prepared) => prepared,
        Err(failure) => return fail(failure, streams),
    };
    if let Wanted::Statement(_) = query.wanted {
        // As it is run, and safe to print: values were typed, and files of one's own may come from anywhere.
        writeln!(streams.out, "{};", crate::terminal::Safe(prepared.statement.to_string().as_bytes()))?;
        return Ok(Exit::Good);
    }
    if let Err(failure) = needs::tables(&prepared, &query.asking.options) {
        return fail(failure, streams);
    }
    let Some(mut asked) = answer::open(&query.asking, streams)? else { return Ok(Exit::Failed) };
    if let Err(failure) = needs::agents(&prepared, &asked) {
        return fail(failure, streams);
    }
    Ok(match ask(&prepared, &mut asked, streams)? {
        Done::Failed => Exit::Failed,
        Done::Answered | Done::Silent => Exit::Good,
    })
}

/// A question with its values.
#[derive(Debug)]
struct Prepared {
    question: queries::Query,
    views: Vec<queries::Query>,
    values: Values,
    statement: ParsedQuery,
}

fn prepare(name: &str, typed: &BTreeMap<String, String>) -> Result<Prepared, Failure> {
    let question = find(name)?.ok_or_else(|| unknown(name))?;
    let views = queries::all(Folder::Views)?;
    let values = question.values(&views, typed)?;
    let statement = question.statement(&views, &values)?;
    Ok(Prepared { question, views, values, statement })
}

fn ask(prepared: &Prepared, asked: &mut Asked, streams: &mut Streams<'_>) -> io::Result<Done> {
    asked.answer(prepared.statement.clone().into(), Path::new(&prepared.question.name), streams)
}

/// What is said of a question that there is none.
pub(crate) fn unknown(name: &str) -> Failure {
    let questions = queries::all(Folder::Questions).unwrap_or_default();
    let meant = did_you_mean(name, questions.iter().map(|question| question.name.as_str()));
    let cause = format!("robocensus query lists them, and a file of your own ends in .sql{meant}");
    Failure::new("question is unknown", Path::new(name), cause)
}

fn fail(failure: Failure, streams: &mut Streams<'_>) -> io::Result<Exit> {
    failures::name(&[failure], streams)?;
    Ok(Exit::Failed)
}
