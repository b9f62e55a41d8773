//! Steps whose rows a session keeps for later statements.
//!
//! A report asks some fifty questions, and many of them start with the same views. The rows of such a view are computed
//! when the first question reads them, with all columns, and kept in a spill file until the session ends, those of
//! bodies in the order of bodies. The tables that the view reads must not change meanwhile.

use super::step::Step;
use super::{SharedPlan, StepKey, draft, is_correlated, read_step, share_steps, step_of};
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{HashMap, Result};
use datafusion::execution::session_state::SessionState;
use datafusion::logical_expr::{LogicalPlan, SubqueryAlias};
use parking_lot::Mutex;
use std::sync::Arc;

/// The steps that a session keeps.
#[derive(Default)]
pub(in crate::engine) struct KeptSteps {
    names: &'static [&'static str],
    /// The plan that reads the kept rows of each step. A key holds the tables of its step, so no other table can have
    /// their addresses.
    made: Mutex<HashMap<StepKey, LogicalPlan>>,
}

impl KeptSteps {
    /// Keeps the rows of the steps with these names.
    pub(in crate::engine) fn new(names: &'static [&'static str]) -> Self {
        KeptSteps { names, ..KeptSteps::default() }
    }

    /// Lets a plan read the kept rows of its steps.
    pub(super) fn replace_steps(&self, plan: LogicalPlan, state: &SessionState) -> Result<LogicalPlan> {
        if self.names.is_empty() {
            return Ok(plan);
        }
        let replaced = plan.transform_down_with_subqueries(|node| {
            let Some(alias) = step_of(&node).filter(|alias| self.names.contains(&alias.alias.table())) else {
                return Ok(Transformed::no(node));
            };
            if is_correlated(&node) {
                return Ok(Transformed::no(node));
            }
            let made = self.make(alias, StepKey::new(&node)?, state)?;
            Ok(Transformed::new(made, true, TreeNodeRecursion::Jump))
        })?;
        Ok(replaced.data)
    }

    fn make(&self, alias: &SubqueryAlias, key: StepKey, state: &SessionState) -> Result<LogicalPlan> {
        if let Some(made) = self.made.lock().get(&key) {
            return Ok(made.clone());
        }
        // The lock is not held meanwhile, since the step may read others that are kept. It is planned as a statement of
        // its own, so that it shares no step with the statement that reads it first.
        let query = match share_steps(alias.input.as_ref().clone(), state, self)? {
            SharedPlan::Unoptimised(plan) => draft(plan, state)?,
            SharedPlan::Optimised(plan) => plan,
        };
        let made = read_step(&Arc::new(Step::kept(alias.alias.to_string(), query, state)?), alias)?;
        Ok(self.made.lock().entry(key).or_insert(made).clone())
    }
}
