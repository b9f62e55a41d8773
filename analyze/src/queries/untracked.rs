//! Answers questions about agents that are not tracked.
//!
//! The derived tables have verdicts for tracked agents only. A policy class is the set of bodies with equal verdicts for
//! all tracked agents, so one more agent may split classes. A statement about it therefore gets these tables as its own
//! steps. The statements of `queries/models` make them from `policies`, which has the policy of each body for each
//! token that it names.

use super::query::{self, Query, QueryKind};
use crate::catalog::dimension::agents_columns;
use crate::statement::{ParameterValue, ParameterValues, ParsedQuery};
use folder::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Agents to treat as tracked, and the crawls of the folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UntrackedAgents {
    /// Their tokens, in lower case.
    pub tokens: Vec<String>,
    /// The crawls that a statement may read.
    pub crawls: Vec<String>,
}

const AGENTS: &str = "agents";

/// The derived tables that have rows for tracked agents only.
pub const OF_TRACKED_AGENTS: [&str; 3] = ["tracked_agents", "body_classes", "class_verdicts"];

const SITES: &str = "sites";

/// The derived tables, which all depend on the set of tracked agents. Each is made from `agents`, from tables of
/// `ingest`, and from those before it.
fn derived() -> impl Iterator<Item = &'static str> {
    tables::derived().into_iter().map(|table| table.name)
}

/// The name of the step that replaces a table.
fn step_name(table: &str) -> String {
    format!("{table}_with_untracked")
}

/// The name of the step with the rows of a table for one crawl.
fn step_of_crawl(table: &str, number: usize) -> String {
    format!("{table}_with_untracked_{number}")
}

fn parse(table: &str, text: &str) -> Result<ParsedQuery, Failure> {
    ParsedQuery::parse(text)
        .map_err(|error| Failure::new("query cannot be read", Path::new(table), error.strip_backtrace()))
}

/// The rows of `sites` for one crawl. A body without a class of its own names none of the agents, so its sites keep
/// their class.
fn sites_of_crawl(number: usize, crawl: &str) -> Result<ParsedQuery, Failure> {
    let (table, class_id) = (tables::sites::table(), tables::sites::NAMES.class_id);
    let unchanged = table.columns.iter().map(|column| column.name).filter(|name| *name != class_id);
    let text = format!(
        "SELECT s.{}, coalesce(c.class_id, s.class_id) AS {class_id}, s.crawl FROM {} AS c \
         RIGHT JOIN {SITES} AS s ON s.body_id = c.body_id WHERE s.crawl = $crawl",
        unchanged.collect::<Vec<_>>().join(", s."),
        step_of_crawl("body_classes", number)
    );
    let mut parsed = parse(SITES, &text)?;
    parsed.bind(&[("crawl".to_owned(), ParameterValue::Text(crawl.to_owned()))].into());
    Ok(parsed)
}

/// The rows of a derived table for one crawl.
fn rows_of_crawl(table: &str, number: usize, crawl: &str) -> Result<ParsedQuery, Failure> {
    if table == SITES {
        return sites_of_crawl(number, crawl);
    }
    let missing = || Failure::new("query cannot be read", Path::new(table), "there is no such derived table");
    let model = query::find(QueryKind::Model, table)?.ok_or_else(missing)?;
    let mut rows = model.parsed()?;
    let step = |read: &str| if read == AGENTS { step_name(read) } else { step_of_crawl(read, number) };
    UntrackedAgents::rename(&model, &mut rows, step);
    rows.drop_order();
    let mut parsed = parse(table, &format!("SELECT m.*, $crawl AS crawl FROM ({rows}) AS m"))?;
    parsed.bind(&[("crawl".to_owned(), ParameterValue::Text(crawl.to_owned()))].into());
    Ok(parsed)
}

impl UntrackedAgents {
    /// Whether a query that reads these tables needs the steps.
    pub(super) fn concern(&self, tables: &BTreeSet<String>) -> bool {
        let concerns = |table: &String| table == AGENTS || OF_TRACKED_AGENTS.contains(&table.as_str());
        !self.tokens.is_empty() && tables.iter().any(concerns)
    }

    /// Makes a query read the steps instead of the tables.
    pub(super) fn redirect(query: &Query, parsed: &mut ParsedQuery) {
        Self::rename(query, parsed, step_name);
    }

    fn rename(query: &Query, parsed: &mut ParsedQuery, new: impl Fn(&str) -> String) {
        let replaced = std::iter::once(AGENTS).chain(derived());
        let names = replaced.filter(|table| query.header.reads.iter().any(|read| read == table));
        let names: BTreeMap<&str, String> = names.map(|table| (table, new(table))).collect();
        parsed.rename_tables(&names);
    }

    /// The steps, each after those that it reads. Each crawl has its own steps, which read only that crawl.
    pub(super) fn steps(&self) -> Result<Vec<(String, ParsedQuery)>, Failure> {
        let mut steps = vec![(step_name(AGENTS), self.agents()?)];
        for (number, crawl) in (1..).zip(&self.crawls) {
            for table in derived() {
                steps.push((step_of_crawl(table, number), rows_of_crawl(table, number, crawl)?));
            }
        }
        for table in derived() {
            let crawls = 1..=self.crawls.len();
            let rows: Vec<String> =
                crawls.map(|number| format!("SELECT * FROM {}", step_of_crawl(table, number))).collect();
            steps.push((step_name(table), parse(table, &rows.join(" UNION ALL "))?));
        }
        Ok(steps)
    }

    /// A query for the list of agents, in which these tokens are tracked.
    fn agents(&self) -> Result<ParsedQuery, Failure> {
        let mut values = ParameterValues::from([("tokens".to_owned(), ParameterValue::Texts(self.tokens.clone()))]);
        let mut rows = Vec::new();
        for (number, token) in (1..).zip(&self.tokens) {
            rows.push(format!("($token_{number})"));
            values.insert(format!("token_{number}"), ParameterValue::Text(token.clone()));
        }
        let (mut listed, mut others) = (Vec::new(), Vec::new());
        for (name, data_type) in agents_columns() {
            let (of_listed, of_others) = match name {
                "token" => (name.to_owned(), "t.token".to_owned()),
                "tracked" => {
                    ("coalesce(tracked, false) OR token IN ($tokens) AS tracked".to_owned(), "true".to_owned())
                }
                _ => (name.to_owned(), format!("CAST(NULL AS {data_type}) AS {name}")),
            };
            listed.push(of_listed);
            others.push(of_others);
        }
        let text = format!(
            "SELECT {} FROM agents UNION ALL SELECT {} FROM (VALUES {}) AS t (token) \
             WHERE t.token NOT IN (SELECT token FROM agents)",
            listed.join(", "),
            others.join(", "),
            rows.join(", ")
        );
        let mut parsed = parse(AGENTS, &text)?;
        parsed.bind(&values);
        Ok(parsed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statement::parse_statements;

    /// `robocensus sql` limits the size of a statement.
    #[test]
    fn printed_statements_about_many_crawls_can_be_read() {
        crate::with_large_stack(read_printed).unwrap();
    }

    fn read_printed() {
        let crawls = (0..8).map(|number| format!("CRAWL-{number}")).collect();
        let untracked = UntrackedAgents { tokens: vec!["sitebot".to_owned()], crawls };
        let views = query::all(QueryKind::View).unwrap();
        for question in query::all(QueryKind::Question).unwrap() {
            if !question.parameters(&views).iter().any(|parameter| parameter.name == "tokens") {
                continue;
            }
            let values = question.values(&views, &BTreeMap::new()).unwrap();
            let statement = question.statement_about(&views, &values, &untracked).unwrap();
            parse_statements(&statement.to_string()).unwrap_or_else(|error| panic!("{}: {error}", question.name));
        }
    }
}
