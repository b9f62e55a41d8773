//! A named step that is read several times is worked out once.
//!
//! DataFusion puts the query of a `WITH` in each place that reads it, and works it out there anew: steps that read each
//! other twice double with each of them. So the steps that do some work (a join, a grouping, a window) and that are read
//! more than once become tables, which are worked out when the first of their readers asks, and kept for the others in
//! memory, or in a spill file where memory does not suffice.
//!
//! What is kept is what somebody reads: the columns that any reader wants, of the rows that any reader's conditions let
//! through. A reader without a condition would have had to work out all of it by itself.
//!
//! A step that merely reads a table, with conditions or without, stays where it is: reading twice costs less than keeping.

mod kept;
mod read;
mod step;
#[cfg(test)]
mod tests;

use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::datasource::{DefaultTableSource, provider_as_source};
use datafusion::execution::session_state::SessionState;
use datafusion::logical_expr::{LogicalPlan, LogicalPlanBuilder, SubqueryAlias, TableScan};
use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use step::Step;

/// The same plan, with the steps that are read several times as tables. A plan that is kept for later, as that of a view
/// is, stays as it was: what its steps read may have changed by then.
pub(super) fn worked_once(plan: LogicalPlan, state: &SessionState) -> Result<LogicalPlan> {
    if matches!(plan, LogicalPlan::Ddl(_) | LogicalPlan::Statement(_)) {
        return Ok(plan);
    }
    if shared(&plan)?.is_empty() {
        return Ok(plan);
    }
    // Types are settled by analysis: the two sides of a union need not have had the same.
    let plan = state.analyzer().execute_and_check(plan, state.config_options(), |_, _| {})?;
    let shared = shared(&plan)?;
    let mut steps = Steps { shared, made: HashMap::new(), names: HashMap::new(), in_order: Vec::new() };
    let plan = steps.put_in(plan)?;
    want(&state.optimize(&plan)?)?;
    // A step stands behind those that it reads, so that from the last to the first each has heard all its readers.
    for step in steps.in_order.iter().rev() {
        want(step.settle(state)?)?;
    }
    Ok(plan)
}

/// A step where it is read. Plans count as equal that read tables of one name, be it another table each time, as it is
/// with functions that are tables; so the tables themselves are compared as well.
#[derive(PartialEq, Eq, Hash)]
struct StepPlace {
    plan: LogicalPlan,
    tables: Vec<*const ()>,
}

impl StepPlace {
    fn new(plan: &LogicalPlan) -> Result<Self> {
        let mut tables = Vec::new();
        plan.apply_with_subqueries(|node| {
            if let LogicalPlan::TableScan(scan) = node {
                tables.push(Arc::as_ptr(&scan.source).cast());
            }
            Ok(TreeNodeRecursion::Continue)
        })?;
        Ok(StepPlace { plan: plan.clone(), tables })
    }
}

/// The steps that do some work and are read more than once. A step that is read by one that is read twice is read once.
fn shared(plan: &LogicalPlan) -> Result<HashSet<StepPlace>> {
    let mut times: HashMap<StepPlace, usize> = HashMap::new();
    plan.apply_with_subqueries(|node| {
        if !matches!(node, LogicalPlan::SubqueryAlias(_)) {
            return Ok(TreeNodeRecursion::Continue);
        }
        let times = times.entry(StepPlace::new(node)?).or_default();
        *times += 1;
        Ok(if *times > 1 { TreeNodeRecursion::Jump } else { TreeNodeRecursion::Continue })
    })?;
    Ok(times.into_iter().filter(|(place, times)| *times > 1 && works(&place.plan)).map(|(place, _)| place).collect())
}

/// Whether a step does more than read.
fn works(step: &LogicalPlan) -> bool {
    let mut works = false;
    // Whoever speaks of the rows outside of it is no step of its own.
    let mut is_of_another = false;
    let seen = step.apply_with_subqueries(|node| {
        is_of_another |= !node.all_out_ref_exprs().is_empty();
        works |= matches!(
            node,
            LogicalPlan::Aggregate(_)
                | LogicalPlan::Distinct(_)
                | LogicalPlan::Join(_)
                | LogicalPlan::Window(_)
                | LogicalPlan::Sort(_)
                | LogicalPlan::RecursiveQuery(_)
        );
        Ok(TreeNodeRecursion::Continue)
    });
    seen.is_ok() && works && !is_of_another
}

/// The steps that became tables.
struct Steps {
    /// Those that are to become some, as they stood.
    shared: HashSet<StepPlace>,
    made: HashMap<StepPlace, Arc<Step>>,
    /// How many there are of each name, since `WITH` may stand inside of another.
    names: HashMap<String, usize>,
    /// Each behind those that it reads.
    in_order: Vec<Arc<Step>>,
}

impl Steps {
    /// Puts tables where steps stood.
    fn put_in(&mut self, plan: LogicalPlan) -> Result<LogicalPlan> {
        Ok(plan
            .transform_down_with_subqueries(|node| {
                let LogicalPlan::SubqueryAlias(alias) = &node else { return Ok(Transformed::no(node)) };
                let place = StepPlace::new(&node)?;
                if !self.shared.contains(&place) {
                    return Ok(Transformed::no(node));
                }
                let step = match self.made.get(&place) {
                    Some(step) => Arc::clone(step),
                    None => self.make(alias, place)?,
                };
                Ok(Transformed::new(scan(&step, alias)?, true, TreeNodeRecursion::Jump))
            })?
            .data)
    }

    fn make(&mut self, alias: &SubqueryAlias, place: StepPlace) -> Result<Arc<Step>> {
        let plan = self.put_in(alias.input.as_ref().clone())?;
        let times = self.names.entry(alias.alias.to_string()).or_default();
        *times += 1;
        let name = if *times == 1 { alias.alias.to_string() } else { format!("{}#{times}", alias.alias) };
        let step = Arc::new(Step::new(name, plan));
        self.made.insert(place, Arc::clone(&step));
        self.in_order.push(Arc::clone(&step));
        Ok(step)
    }
}

/// What stands where the step stood: its table, by its name.
fn scan(step: &Arc<Step>, alias: &SubqueryAlias) -> Result<LogicalPlan> {
    let table = provider_as_source(Arc::clone(step) as _);
    LogicalPlanBuilder::scan(step.name(), table, None)?.alias(alias.alias.clone())?.build()
}

/// Has each step hear what an optimised plan reads of it.
fn want(plan: &LogicalPlan) -> Result<()> {
    plan.apply_with_subqueries(|node| {
        if let LogicalPlan::TableScan(scan) = node
            && let Some(step) = step_of(scan)
        {
            step.want(scan)?;
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(())
}

/// Of a table that is a step, what a column of it is made of: the plan, and the column's place there.
pub(super) fn column_of_step(scan: &TableScan, column: usize) -> Option<Option<(&LogicalPlan, usize)>> {
    step_of(scan).map(|step| step.column(column))
}

fn step_of(scan: &TableScan) -> Option<&Step> {
    let source = (scan.source.as_ref() as &dyn Any).downcast_ref::<DefaultTableSource>()?;
    (source.table_provider.as_ref() as &dyn Any).downcast_ref::<Step>()
}
