//! Reports what a question needs and does not have. Without this, the answer would be empty, and nobody would know why.

use super::prepared::Prepared;
use crate::answer::OpenSession;
use analyze::SessionOptions;
use analyze::queries::ParameterKind;
use analyze::statement::ParameterValue;
use datafusion::arrow::array::AsArray as _;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::array::types::Int64Type;
use folder::Failure;
use std::path::Path;

/// Values of parameters that need a table of the user: parameter, value, table, columns.
const NEEDED_BY: [(&str, &str, &str, &str); 4] = [
    ("by", "rank", "ranks", "host and rank, such as a list of top sites"),
    ("by", "rank-cumulative", "ranks", "host and rank, such as a list of top sites"),
    ("by", "category", "categories", "host and category"),
    ("weight", "own", "weights", "host and weight"),
];

/// Fails if the question needs a table of the user that was not given.
pub(super) fn tables(prepared: &Prepared<'_>, options: &SessionOptions) -> Result<(), Failure> {
    let has = |table: &str| options.own.iter().any(|own| own.name == table);
    let reads = prepared.question.tables(&prepared.views);
    for (parameter, value, table, columns) in NEEDED_BY {
        let is_set = prepared.values.get(parameter) == Some(&ParameterValue::Text(value.to_owned()));
        if is_set && reads.contains(table) && !has(table) {
            return Err(missing(prepared, &format!("--{parameter} {value} needs"), table, columns));
        }
    }
    for (_, _, table, columns) in NEEDED_BY {
        if prepared.question.header.reads.iter().any(|read| read == table) && !has(table) {
            return Err(missing(prepared, "the question reads", table, columns));
        }
    }
    Ok(())
}

fn missing(prepared: &Prepared<'_>, who: &str, table: &str, columns: &str) -> Failure {
    let cause = format!("{who} the table {table}; provide it by --table {table}=FILE, with the columns {columns}");
    Failure::new("table is missing", Path::new(&prepared.question.name), cause)
}

/// Fails if the question is about an agent that the derived tables have no verdicts for.
pub(super) fn agents(prepared: &Prepared<'_>, opened: &OpenSession) -> Result<(), Failure> {
    if !prepared.question.tables(&prepared.views).contains("tracked_agents") {
        return Ok(());
    }
    for parameter in prepared.question.parameters(&prepared.views) {
        let Some(ParameterValue::Text(agent)) = prepared.values.get(&parameter.name) else { continue };
        if parameter.kind != ParameterKind::Agent || agent.is_empty() {
            continue;
        }
        let tracked = "SELECT count(*) FROM tracked_agents WHERE agent = $agent";
        if count(tracked, &ParameterValue::Text(agent.clone()), opened)? == 0 {
            let cause = format!(
                "{agent} is not tracked, so the derived tables have no verdicts for it; add it to a list of agents and run \
                 robocensus models --agents FILE, or query robots_access('{agent}', '/') with robocensus sql"
            );
            return Err(Failure::new("agent is unknown", Path::new(&prepared.question.name), cause));
        }
    }
    Ok(())
}

fn count(sql: &str, agent: &ParameterValue, opened: &OpenSession) -> Result<i64, Failure> {
    let bound = analyze::statement::ParsedQuery::parse(sql).map(|mut parsed| {
        parsed.bind(&[("agent".to_owned(), agent.clone())].into());
        parsed.to_string()
    });
    let sql = bound.map_err(|error| opened.session.failure(&error, Path::new("statement")))?;
    let first = |batch: &RecordBatch| batch.column(0).as_primitive_opt::<Int64Type>()?.iter().next()?;
    Ok(opened.collect(&sql)?.iter().find_map(first).unwrap_or_default())
}
