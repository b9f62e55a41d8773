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
            // Only the views are built in.
            for (_, view) in &mut named {
                view.bind(values);
                view.fold();
            }
            parsed.bind(values);
            parsed.fold_expressions();
            parsed.with(named);
        }
        Ok(parsed)
    }
}
