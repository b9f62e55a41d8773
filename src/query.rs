//! `robocensus query`: answers a question by its name.

mod emptiness;
mod list;
mod needs;
mod prepared;

use crate::answer::{self, OpenSession, QueryOptions, StatementEnd};
use crate::exit::Exit;
use crate::failures;
use crate::out_file::print_to;
use crate::store_tables::{TableAccess, may_exist, with_tables};
use crate::streams::Streams;
use crate::terminal::Safe;
use analyze::portable::{self, Engine};
use analyze::queries;
use folder::Failure;
use prepared::Prepared;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use stores::Stores;

/// The options of `query`.
#[derive(Debug)]
pub(crate) struct QueryCommand {
    /// The output.
    pub(crate) action: QueryAction,
    /// Values of parameters by name, as typed.
    pub(crate) values: BTreeMap<String, String>,
    /// Where the tables come from if they have a URL.
    pub(crate) stores: Stores,
    /// The tables, and the destination of the answer.
    pub(crate) options: QueryOptions,
}

/// The output of `query`.
#[derive(Debug)]
pub(crate) enum QueryAction {
    /// The list of questions.
    List,
    /// The statement of a question, for an engine or as this program runs it.
    Statement(queries::Query, Option<Engine>),
    /// The answer to a question.
    Answer(queries::Query),
}

/// Prints the list of questions, a statement, or an answer.
pub(crate) fn run(query: QueryCommand, streams: &mut Streams<'_>) -> io::Result<Exit> {
    let (tables, out) = (query.options.tables.clone(), query.options.destination.out.clone());
    // An answer is written to its file as its format demands.
    let out = out.filter(|_| !matches!(query.action, QueryAction::Answer(_)));
    print_to(out.as_deref(), Some(&tables), streams, |streams| print(query, streams))
}

fn print(query: QueryCommand, streams: &mut Streams<'_>) -> io::Result<Exit> {
    let QueryCommand { action, values, stores, mut options } = query;
    let question = match &action {
        QueryAction::List => return list::write(streams),
        QueryAction::Statement(question, _) | QueryAction::Answer(question) => question,
    };
    let prepared = match Prepared::new(question, &values, &options.session) {
        Ok(prepared) => prepared,
        Err(failure) => return failures::fail(failure, streams),
    };
    // The statement alone needs no folder, unless agents may be untracked: it then reads other tables.
    if let QueryAction::Statement(_, None) = action
        && !(needs::has_agents(&prepared) && may_exist(&options.tables))
    {
        print_statement(&prepared, streams)?;
        return Ok(Exit::Good);
    }
    options.session.asked_crawls = prepared.asked_crawls();
    if let Err(failures) = needs::own_tables(&prepared, &options.session) {
        return failures::fail(failures, streams);
    }
    // A statement for another engine defines missing user tables as empty ones, which the user fills there.
    let can_be_answered =
        || options.destination.check_format().and_then(|()| needs::tables(&prepared, &options.session));
    if let QueryAction::Answer(_) = action
        && let Err(failure) = can_be_answered()
    {
        return failures::fail(failure, streams);
    }
    with_tables(
        options,
        |options| &mut options.tables,
        TableAccess::Read,
        stores,
        streams,
        |options, streams| read_tables(prepared, &action, options, streams),
    )
}

/// Prints what depends on the tables.
fn read_tables(
    mut prepared: Prepared<'_>,
    action: &QueryAction,
    options: &QueryOptions,
    streams: &mut Streams<'_>,
) -> io::Result<Exit> {
    let Some(mut opened) = answer::open(options, streams)? else { return Ok(Exit::Failed) };
    if let Err(failure) = resolve_typed(&mut prepared, &opened) {
        return failures::fail(failure, streams);
    }
    if let QueryAction::Statement(_, None) = action {
        print_statement(&prepared, streams)?;
        return Ok(Exit::Good);
    }
    if let QueryAction::Statement(_, Some(engine)) = action {
        let QueryOptions { tables, session, .. } = options;
        let (question, context) = (prepared.question, opened.session.context());
        return match opened.wait(portable::script(&prepared.statement, tables, session, context, *engine, question)) {
            None => failures::fail(failures::stopped(Path::new(&question.name)), streams),
            Some(Err(failure)) => failures::fail(failure, streams),
            Some(Ok(script)) => {
                print_script(&script, streams)?;
                Ok(Exit::Good)
            }
        };
    }
    let statement = prepared.statement.clone().into();
    Ok(match opened.answer(statement, Path::new(&prepared.question.name), streams)? {
        StatementEnd::Failed => Exit::Failed,
        StatementEnd::Answered(0) if !streams.is_quiet() => {
            failures::print(&[emptiness::reason(&prepared, &opened)], streams)?;
            Exit::Good
        }
        StatementEnd::Answered(_) | StatementEnd::Silent => Exit::Good,
    })
}

fn print_statement(prepared: &Prepared<'_>, streams: &mut Streams<'_>) -> io::Result<()> {
    print_script(&format!("{:#};", prepared.statement), streams)
}

/// Prints statements on several lines. They are escaped, because values and question files may come from anywhere.
fn print_script(script: &str, streams: &mut Streams<'_>) -> io::Result<()> {
    script.lines().try_for_each(|line| writeln!(streams.out, "{}", Safe(line.as_bytes())))
}

/// Checks that typed names exist. Puts the agents into the statement, with verdicts for those that are untracked.
fn resolve_typed(prepared: &mut Prepared<'_>, opened: &OpenSession) -> Result<(), Failure> {
    needs::names(prepared, opened)?;
    if !needs::has_agents(prepared) {
        return Ok(());
    }
    let untracked = needs::settle_agents(prepared, opened)?;
    prepared.bind_again(&untracked)
}
