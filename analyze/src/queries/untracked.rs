//! Agents that a question is asked about although nobody tracks them.
//!
//! The derived tables have verdicts for tracked agents only, since a policy class is what sites with equal verdicts for all
//! of them have in common. For one more agent the classes may be finer. So a statement about it gets these tables as steps
//! of its own, made by the statements of `queries/models` from `policies`, which has what each body says to each token that
//! it names.

use super::{Query, QueryKind};
use crate::catalog::dimension::agents_columns;
use crate::statement::{ParameterValue, ParsedQuery};
use folder::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Agents that are asked about as if they were tracked, and the crawls of the folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UntrackedAgents {
    /// Their tokens, in lower case.
    pub tokens: Vec<String>,
    /// The crawls that a statement may ask about.
    pub crawls: Vec<String>,
}

/// The tables that depend on which agents are tracked. Each reads only those before it.
const TABLES: [&str; 4] = [AGENTS, "tracked_agents", "site_classes", "class_verdicts"];
const AGENTS: &str = "agents";
const DERIVED: [&str; 3] = ["tracked_agents", "site_classes", "class_verdicts"];

/// The step in place of a table.
fn step_name(table: &str) -> String {
    format!("{table}_and_asked")
}

/// The step with the rows of one crawl.
fn step_of_crawl(table: &str, number: usize) -> String {
    format!("{table}_and_asked_{number}")
}

fn parse(table: &str, text: &str) -> Result<ParsedQuery, Failure> {
    ParsedQuery::parse(text)
        .map_err(|error| Failure::new("query cannot be read", Path::new(table), error.strip_backtrace()))
}

/// The rows of a derived table for one crawl.
fn rows_of_crawl(table: &str, number: usize, crawl: &str) -> Result<ParsedQuery, Failure> {
    let missing = || Failure::new("query cannot be read", Path::new(table), "there is no such model");
    let model = super::find(QueryKind::Model, table)?.ok_or_else(missing)?;
    let mut parsed = model.parsed()?;
    let step = |read: &str| if read == AGENTS { step_name(read) } else { step_of_crawl(read, number) };
    UntrackedAgents::rename(&model, &mut parsed, step);
    parsed.bind(&[("crawl".to_owned(), ParameterValue::Text(crawl.to_owned()))].into());
    parsed.drop_order();
    parse(table, &format!("SELECT m.*, {} AS crawl FROM ({parsed}) AS m", quoted(crawl)))
}

impl UntrackedAgents {
    /// Whether a query that reads these tables needs the steps.
    pub(super) fn concern(&self, tables: &BTreeSet<String>) -> bool {
        !self.tokens.is_empty() && TABLES.iter().any(|table| tables.contains(*table))
    }

    /// Makes a query read the steps in place of the tables.
    pub(super) fn redirect(query: &Query, parsed: &mut ParsedQuery) {
        Self::rename(query, parsed, step_name);
    }

    fn rename(query: &Query, parsed: &mut ParsedQuery, new: impl Fn(&str) -> String) {
        let names = TABLES.iter().filter(|table| query.header.reads.iter().any(|read| read == *table));
        let names: BTreeMap<&str, String> = names.map(|table| (*table, new(table))).collect();
        parsed.rename_tables(&names);
    }

    /// The steps, each after those that it reads. A crawl has steps of its own, so that each reads only those of its crawl.
    pub(super) fn steps(&self) -> Result<Vec<(String, ParsedQuery)>, Failure> {
        let mut steps = vec![(step_name(AGENTS), parse(AGENTS, &self.agents())?)];
        for (number, crawl) in (1..).zip(&self.crawls) {
            for table in DERIVED {
                steps.push((step_of_crawl(table, number), rows_of_crawl(table, number, crawl)?));
            }
        }
        for table in DERIVED {
            let crawls = 1..=self.crawls.len();
            let rows: Vec<String> =
                crawls.map(|number| format!("SELECT * FROM {}", step_of_crawl(table, number))).collect();
            steps.push((step_name(table), parse(table, &rows.join(" UNION ALL "))?));
        }
        Ok(steps)
    }

    /// The list of agents, in which the tokens are tracked.
    fn agents(&self) -> String {
        let tokens: Vec<String> = self.tokens.iter().map(|token| quoted(token)).collect();
        let tokens = tokens.join(", ");
        let rows: Vec<String> = self.tokens.iter().map(|token| format!("({})", quoted(token))).collect();
        let (mut listed, mut others) = (Vec::new(), Vec::new());
        for (name, data_type) in agents_columns() {
            let (of_listed, of_others) = match name {
                "token" => (name.to_owned(), "t.token".to_owned()),
                "tracked" => {
                    (format!("coalesce(tracked, false) OR lower(token) IN ({tokens}) AS tracked"), "true".to_owned())
                }
                _ => (name.to_owned(), format!("CAST(NULL AS {data_type}) AS {name}")),
            };
            listed.push(of_listed);
            others.push(of_others);
        }
        format!(
            "SELECT {} FROM agents UNION ALL SELECT {} FROM (VALUES {}) AS t (token) \
             WHERE t.token NOT IN (SELECT lower(token) FROM agents)",
            listed.join(", "),
            others.join(", "),
            rows.join(", ")
        )
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
