//! `robocensus query`: answers a question by its name.

mod emptiness;
mod list;
mod needs;
mod prepared;

use crate::answer::{self, OpenSession, QueryOptions};
use crate::exit::Exit;
use crate::failures::{self, CommandResult};
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
pub(crate) fn run(query: QueryCommand, streams: &mut Streams<'_>) -> CommandResult {
    let (tables, out) = (query.options.tables.clone(), query.options.destination.out.clone());
    // An answer is written to its file as its format demands.
    let out = out.filter(|_| !matches!(query.action, QueryAction::Answer(_)));
    print_to(out.as_deref(), Some(&tables), streams, |streams| print(query, streams))
}

fn print(query: QueryCommand, streams: &mut Streams<'_>) -> CommandResult {
    let QueryCommand { action, values, stores, mut options } = query;
    let question = match &action {
        QueryAction::List => return list::write(streams),
        QueryAction::Statement(question, _) | QueryAction::Answer(question) => question,
    };
    let prepared = Prepared::new(question, &values, &options.session)?;
    // The statement alone needs no folder, unless agents may be untracked: it then reads other tables.
    if let QueryAction::Statement(_, None) = action
        && !(needs::has_agents(&prepared) && may_exist(&options.tables))
    {
        print_statement(&prepared, streams)?;
        return Ok(Exit::Good);
    }
    options.session.asked_crawls = prepared.asked_crawls();
    needs::own_tables(&prepared, &options.session)?;
    // A statement for another engine defines missing user tables as empty ones, which the user fills there.
    if let QueryAction::Answer(_) = action {
        options.destination.check_format()?;
        needs::tables(&prepared, &options.session)?;
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
) -> CommandResult {
    let mut opened = answer::open(options, streams)?;
    resolve_typed(&mut prepared, &opened)?;
    if let QueryAction::Statement(_, None) = action {
        print_statement(&prepared, streams)?;
        return Ok(Exit::Good);
    }
    if let QueryAction::Statement(_, Some(engine)) = action {
        let QueryOptions { tables, session, .. } = options;
        let (question, context) = (prepared.question, opened.session.context());
        let work = portable::script(&prepared.statement, tables, session, context, *engine, question);
        print_script(&opened.wait(Path::new(&question.name), work)??, streams)?;
        return Ok(Exit::Good);
    }
    let statement = prepared.statement.clone().into();
    let rows = opened.answer(&statement, Path::new(&prepared.question.name), streams)?;
    if rows == Some(0) && !streams.is_quiet() {
        failures::print(&[emptiness::reason(&prepared, &opened)], streams)?;
    }
    Ok(Exit::Good)
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
