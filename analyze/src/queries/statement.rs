//! The statement that answers a question.

use super::query::Query;
use super::untracked::UntrackedAgents;
use crate::statement::{ParameterValues, ParsedQuery};
use folder::Failure;

impl Query {
    /// The statement to run: with its views and a value for each parameter, and without the parts that the values
    /// exclude.
    pub fn statement(&self, views: &[Query], values: &ParameterValues) -> Result<ParsedQuery, Failure> {
        self.statement_about(views, values, &UntrackedAgents::default())
    }

    /// The statement to run, with verdicts for untracked agents.
    pub fn statement_about(
        &self,
        views: &[Query],
        values: &ParameterValues,
        untracked: &UntrackedAgents,
    ) -> Result<ParsedQuery, Failure> {
        let is_about_them = untracked.concern(&self.tables(views));
        let read = |query: &Query| {
            let mut parsed = query.parsed()?;
            if is_about_them {
                UntrackedAgents::redirect(query, &mut parsed);
            }
            Ok::<_, Failure>(parsed)
        };
        let mut parsed = read(self)?;
        let mut named = if is_about_them { untracked.steps()? } else { Vec::new() };
        for view in self.views(views) {
            named.push((view.name.clone(), read(view)?));
        }
        if self.is_built_in {
            parsed.with(named);
            parsed.bind(values);
            parsed.fold();
        } else {
            // Only the views are built in. Folding the user's query could change types: a CASE has one type for all its
            // branches.
            for (_, view) in &mut named {
                view.bind(values);
                view.fold();
            }
            parsed.bind(values);
            parsed.with(named);
        }
        Ok(parsed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use std::path::Path;

    /// Each CASE and coalesce has a type that depends on all its parts.
    #[test]
    fn the_statement_of_a_user_keeps_its_parts() {
        let text = "-- title: A\n-- grain: one row\n-- parameter: half boolean = false, flag: whether\n\
                    SELECT CASE WHEN $half THEN 0.5 ELSE 1 END / 2 AS x, coalesce(1, 2.5) / 2 AS y";
        let question = Query::parse("a", text, Path::new("a.sql")).unwrap();
        let statement = question.statement(&[], &question.values(&[], &BTreeMap::new()).unwrap()).unwrap();
        let expected = "SELECT CASE WHEN false THEN 0.5 ELSE 1 END / 2 AS x, coalesce(1, 2.5) / 2 AS y";
        assert_eq!(statement.to_string(), expected);
    }
}
