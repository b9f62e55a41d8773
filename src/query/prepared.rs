//! A question with the values of its parameters, ready to run.

use analyze::SessionOptions;
use analyze::queries::{self, QueryKind, UntrackedAgents};
use analyze::statement::{ParameterValue, ParameterValues, ParsedQuery};
use folder::Failure;
use std::collections::BTreeMap;

/// A question, and the statement that answers it.
#[derive(Debug)]
pub(super) struct Prepared<'q> {
    pub(super) question: &'q queries::Query,
    /// Values of parameters by name, as typed.
    pub(super) typed: BTreeMap<String, String>,
    /// Whether agents of defaults may be untracked. The built-in list tracks those of built-in questions.
    pub(super) has_own_agents: bool,
    /// The built-in views, which questions read.
    pub(super) views: Vec<queries::Query>,
    pub(super) values: ParameterValues,
    pub(super) statement: ParsedQuery,
}

impl<'q> Prepared<'q> {
    /// Fails if a typed value is invalid for its parameter.
    pub(super) fn new(
        question: &'q queries::Query,
        typed: &BTreeMap<String, String>,
        options: &SessionOptions,
    ) -> Result<Self, Failure> {
        let views = queries::all(QueryKind::View)?;
        let values = question.values(&views, typed)?;
        let statement = question.statement(&views, &values)?;
        let has_own_agents = options.agents.is_some() || !question.is_built_in;
        Ok(Prepared { question, typed: typed.clone(), has_own_agents, views, values, statement })
    }

    /// The same question with other typed values.
    pub(super) fn with(&self, typed: BTreeMap<String, String>) -> Result<Self, Failure> {
        let values = self.question.values(&self.views, &typed)?;
        let statement = self.question.statement(&self.views, &values)?;
        Ok(Prepared { typed, values, statement, views: self.views.clone(), ..*self })
    }

    /// The typed crawls, if the derived tables of other crawls do not matter. They may matter to a user's own question.
    /// Built-in questions join all tables by the crawl, except for the AI agents known in earlier crawls and for sites
    /// that are in every crawl.
    pub(super) fn asked_crawls(&self) -> Vec<String> {
        let reads_earlier = self.question.views(&self.views).iter().any(|view| view.name == "known_ai_agents");
        let has_panel = self.values.get("panel") == Some(&ParameterValue::Boolean(true));
        if !self.question.is_built_in || reads_earlier || has_panel {
            return Vec::new();
        }
        let typed = |names: &[&str]| -> Option<Vec<String>> {
            names.iter().map(|name| self.typed.get(*name).cloned()).collect()
        };
        typed(&["crawl"]).or_else(|| typed(&["crawl_from", "crawl_to"])).unwrap_or_default()
    }

    /// Rebuilds the statement from the values, with verdicts for untracked agents.
    pub(super) fn bind_again(&mut self, untracked: &UntrackedAgents) -> Result<(), Failure> {
        self.statement = self.question.statement_about(&self.views, &self.values, untracked)?;
        Ok(())
    }
}
