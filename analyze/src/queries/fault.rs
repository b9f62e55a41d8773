//! Compares the header of a query with its statement.

use super::{Query, QueryKind};
use folder::Failure;
use std::collections::BTreeSet;

impl Query {
    /// The parameters of its statement that neither it nor a view that it reads declares. Fails if the statement cannot
    /// be parsed.
    pub fn undeclared(&self, views: &[Query]) -> Result<BTreeSet<String>, Failure> {
        let mut used = self.parsed()?.parameters();
        for parameter in self.bound_parameters(views) {
            used.remove(&parameter.name);
        }
        Ok(used)
    }

    /// All contradictions between the header and the statement; empty for a correct query.
    #[must_use]
    pub fn faults(&self, kind: QueryKind, views: &[Query]) -> Vec<String> {
        let parsed = match self.parsed() {
            Ok(parsed) => parsed,
            Err(failure) => return vec![failure.to_string()],
        };
        let mut faults = Vec::new();
        let used = parsed.parameters();
        let declared: BTreeSet<String> =
            self.header.declared_parameters().map(|parameter| parameter.name.clone()).collect();
        if declared.len() < self.header.declared_parameters().count() {
            faults.push("a parameter is declared twice".to_owned());
        }
        // A query may declare a parameter of a view again, with another default.
        let through: BTreeSet<String> = self
            .views(views)
            .iter()
            .flat_map(|view| view.header.declared_parameters())
            .map(|one| one.name.clone())
            .collect();
        let unused = declared.difference(&used).filter(|name| !through.contains(*name));
        faults.extend(unused.map(|name| format!("parameter is not used: {name}")));
        let undeclared = self.undeclared(views).unwrap_or_default();
        faults.extend(undeclared.iter().map(|name| format!("parameter is not declared: {name}")));
        match parsed.tables() {
            Err(error) => faults.push(error.strip_backtrace()),
            Ok(read) => {
                let declared: BTreeSet<String> = self.header.reads.iter().cloned().collect();
                faults.extend(read.difference(&declared).map(|name| format!("table is not declared: {name}")));
                faults.extend(declared.difference(&read).map(|name| format!("table is not read: {name}")));
            }
        }
        faults.extend(self.missing(kind, views));
        if kind == QueryKind::Question {
            let (shown, explained) = (parsed.answer_columns(), self.columns());
            let is_explained = |name: &&String| explained.iter().any(|column| column.name == **name);
            faults.extend(
                shown.iter().filter(|name| !is_explained(name)).map(|name| format!("column has no meaning: {name}")),
            );
            let own = self.header.columns.iter().map(|column| &column.name);
            faults.extend(
                own.filter(|name| !shown.contains(name)).map(|name| format!("column is not in the answer: {name}")),
            );
        }
        if kind != QueryKind::View && !parsed.is_ordered() {
            faults.push("rows have no order".to_owned());
        }
        faults
    }

    /// The lines that its header lacks, and those that it must not have, for its kind.
    fn missing(&self, kind: QueryKind, views: &[Query]) -> Vec<String> {
        let header = &self.header;
        let mut faults = Vec::new();
        match (&header.question, kind) {
            (Some(question), _) if !question.ends_with('?') => {
                faults.push("question does not end with a question mark".into());
            }
            (None, QueryKind::Question) => faults.push("question is missing".into()),
            _ => {}
        }
        let has = |name: &str| self.parameters(views).iter().any(|parameter| parameter.name == name);
        let has_strata = has("by");
        match (kind, has_strata, &header.no_strata) {
            (QueryKind::Question, false, None) => {
                faults.push("question has neither the parameter by nor no strata".into());
            }
            (QueryKind::Question, true, Some(_)) => {
                faults.push("question has both the parameter by and no strata".into());
            }
            _ => {}
        }
        if kind == QueryKind::Question && has_strata && !has("min_sites") {
            faults.push("question has the parameter by but not min_sites".into());
        }
        if kind == QueryKind::Question && !has("crawl") && header.no_crawl.is_none() {
            faults.push("question has neither the parameter crawl nor no crawl".into());
        }
        if kind == QueryKind::Question && header.group().is_none() {
            faults.push("id has no known group".into());
        }
        for parameter in header.declared_parameters() {
            if parameter.unit.is_empty() || parameter.meaning.is_empty() {
                faults.push(format!("parameter has no unit or no meaning: {}", parameter.name));
            }
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    const WHOLE: &str = "\
-- title: Statuses
-- id: A02
-- question: Which?
-- grain: one row per status
-- reads: captures
-- no strata: it counts captures
-- parameter: top integer = 5, rows: how many
-- no crawl: it counts captures of all crawls
-- column: fetch_status: the status
-- column: captures: how many captures
SELECT fetch_status, count(*) AS captures FROM captures GROUP BY fetch_status ORDER BY fetch_status LIMIT $top
";

    #[track_caller]
    fn check(from: &str, to: &str, expected: &[&str]) {
        let text = WHOLE.replacen(from, to, 1);
        assert!(from.is_empty() || text != WHOLE, "nothing was changed");
        match Query::parse("statuses", &text, Path::new("statuses.sql")) {
            Ok(query) => assert_eq!(query.faults(QueryKind::Question, &[]), expected),
            Err(failure) => assert_eq!([failure.to_string().as_str()], expected),
        }
    }

    #[test]
    fn each_fault_is_named() {
        check("", "", &[]);
        check("LIMIT $top", "LIMIT 5", &["parameter is not used: top"]);
        check("LIMIT $top", "LIMIT $most", &["parameter is not used: top", "parameter is not declared: most"]);
        check("FROM captures", "FROM bodies", &["table is not declared: bodies", "table is not read: captures"]);
        check("ORDER BY fetch_status", "", &["rows have no order"]);
        check("A02", "Z02", &["id has no known group"]);
        check("-- question: Which?\n", "", &["question is missing"]);
        check("-- no strata: it counts captures\n", "", &["question has neither the parameter by nor no strata"]);
        check(
            "-- no crawl: it counts captures of all crawls\n",
            "",
            &["question has neither the parameter crawl nor no crawl"],
        );
        check(
            "-- no strata: it counts captures\n",
            "-- parameter: by = none\n",
            &["parameter is not used: by", "question has the parameter by but not min_sites"],
        );
        check("-- column: captures: how many captures\n", "", &["column has no meaning: captures"]);
        check(
            "-- column: captures: how",
            "-- column: count: how",
            &["column has no meaning: captures", "column is not in the answer: count"],
        );
        check("Which?", "Which", &["question does not end with a question mark"]);
        check("integer = 5, rows: how", "integer = 5, : how", &["parameter has no unit or no meaning: top"]);
        check("-- reads", "-- read", &["header cannot be read: statuses.sql: line 5: unknown key: read"]);
        check(
            "integer",
            "number of",
            &[
                "header cannot be read: statuses.sql: line 7: unknown type: number of; the types are text, integer, count, \
                number, boolean, \
                crawl, template, purpose, agent, agents, texts, path, one of WORDS, some of WORDS",
            ],
        );
        check(
            "= 5",
            "= five",
            &["header cannot be read: statuses.sql: line 7: the default of top: five is not a whole number"],
        );
        check(
            "top integer",
            "top",
            &[
                "header cannot be read: statuses.sql: line 7: top has no type and is not a shared parameter; shared parameters are crawl, \
               denominator, weight, by, tokens, min_sites, definition",
            ],
        );
        check("-- title: Statuses\n", "", &["header cannot be read: statuses.sql: title is missing"]);
        check("-- grain: one row per status\n", "", &["header cannot be read: statuses.sql: grain is missing"]);
    }
}
