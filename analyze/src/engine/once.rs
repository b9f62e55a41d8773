//! Computes a named step of a statement once, even if the statement reads it several times.
//!
//! DataFusion copies the query of a `WITH` to each place that reads it, and computes each copy. If each step reads the
//! one before it twice, every step doubles the work. So a step that does some work (a join, a grouping, a window) and
//! is read more than once becomes a table. Its rows are computed when the first reader asks for them, and stored for
//! the others: in memory or, if that is full, in a spill file.
//!
//! A step computes only the columns that some reader wants, and only the rows that pass the conditions of some reader.
//! If one reader has no condition, all rows are computed.
//!
//! A step that only reads a table, with or without conditions, stays a query: reading twice costs less than storing.
//!
//! Measured in the debug profile: without this, questions whose steps read each other twice took 40 to 130 s, and
//! DuckDB 0.3 to 2 s. With it, in a release build, the two slowest of them take 1.0 and 0.9 times as long as DuckDB.
//! This waits for [apache/datafusion#8777](https://github.com/apache/datafusion/issues/8777).

mod exec;
mod shared_rows;
mod step;
#[cfg(test)]
mod tests;

use crate::catalog::provider_of;
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{HashMap, HashSet, Result, TableReference};
use datafusion::datasource::provider_as_source;
use datafusion::execution::session_state::SessionState;
use datafusion::logical_expr::{LogicalPlan, LogicalPlanBuilder, SubqueryAlias, TableScan};
use datafusion::optimizer::OptimizerRule;
use datafusion::optimizer::eliminate_filter::EliminateFilter;
use datafusion::optimizer::optimizer::Optimizer;
use datafusion::optimizer::propagate_empty_relation::PropagateEmptyRelation;
use datafusion::optimizer::simplify_expressions::SimplifyExpressions;
use std::sync::Arc;
use step::Step;

/// Turns the steps that a plan reads several times into tables. A plan that is stored for later, such as that of a
/// view, does not change, because the tables that its steps read may change before it runs.
pub(super) fn share_steps(plan: LogicalPlan, state: &SessionState) -> Result<LogicalPlan> {
    if matches!(plan, LogicalPlan::Ddl(_) | LogicalPlan::Statement(_)) {
        return Ok(plan);
    }
    if repeated_names(&plan)?.is_empty() {
        return Ok(plan);
    }
    // Analysis casts types that must be equal, such as those of the two sides of a union.
    let plan = state.analyzer().execute_and_check(plan, state.config_options(), |_, _| {})?;
    let plan = without_dead_branches(plan, state)?;
    let shared = shared_steps(&plan)?;
    if shared.is_empty() {
        return Ok(plan);
    }
    let shared_names =
        shared.iter().filter_map(|place| step_of(&place.plan)).map(|alias| alias.alias.clone()).collect();
    let mut steps = Steps { shared, shared_names, made: HashMap::new(), names: HashMap::new(), in_order: Vec::new() };
    let plan = steps.replace_steps(plan)?;
    add_readers(&state.optimize(&plan)?)?;
    // A step comes after those that it reads. In reverse order, each step knows all its readers before it is settled.
    for step in steps.in_order.iter().rev() {
        add_readers(step.settle(state)?)?;
    }
    Ok(plan)
}

/// Drops the parts of a plan that a parameter excludes, such as one side of a `UNION ALL` with the condition `'a' =
/// 'b'`. Otherwise a dead reader without conditions would make a step compute all its rows. Measured over 9.96 million
/// captures: `ai_overview` took 2.8 s with this and 18.9 s without, `agent_bias` 3.2 s and 18.3 s.
fn without_dead_branches(plan: LogicalPlan, state: &SessionState) -> Result<LogicalPlan> {
    let rules: [Arc<dyn OptimizerRule + Send + Sync>; 3] = [
        Arc::new(SimplifyExpressions::new()),
        Arc::new(EliminateFilter::new()),
        Arc::new(PropagateEmptyRelation::new()),
    ];
    Optimizer::with_rules(rules.into()).optimize(plan, state, |_, _| {})
}

/// The plan of a step, and the tables that it reads. DataFusion compares tables by name only, and all calls of a table
/// function have the same name. So the tables themselves are compared as well.
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

/// The steps that do some work and are read more than once. The steps within a shared step are counted once.
fn shared_steps(plan: &LogicalPlan) -> Result<HashSet<StepPlace>> {
    let names = repeated_names(plan)?;
    let mut times: HashMap<StepPlace, usize> = HashMap::new();
    plan.apply_with_subqueries(|node| {
        if step_of(node).is_none_or(|alias| !names.contains(&alias.alias)) {
            return Ok(TreeNodeRecursion::Continue);
        }
        let times = times.entry(StepPlace::new(node)?).or_default();
        *times += 1;
        Ok(if *times > 1 { TreeNodeRecursion::Jump } else { TreeNodeRecursion::Continue })
    })?;
    Ok(times
        .into_iter()
        .filter(|(place, times)| *times > 1 && does_work(&place.plan))
        .map(|(place, _)| place)
        .collect())
}

/// The names of more than one step. Comparing names is quick, hashing and comparing the plans of steps is not.
fn repeated_names(plan: &LogicalPlan) -> Result<HashSet<TableReference>> {
    let (mut seen, mut repeated) = (HashSet::new(), HashSet::new());
    plan.apply_with_subqueries(|node| {
        if let Some(alias) = step_of(node)
            && !seen.insert(alias.alias.clone())
        {
            repeated.insert(alias.alias.clone());
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(repeated)
}

/// The step that a node names. Another name for a step or a table is not a step.
fn step_of(node: &LogicalPlan) -> Option<&SubqueryAlias> {
    match node {
        LogicalPlan::SubqueryAlias(alias) => match alias.input.as_ref() {
            LogicalPlan::SubqueryAlias(_) | LogicalPlan::TableScan(_) => None,
            _ => Some(alias),
        },
        _ => None,
    }
}

/// Whether a step does more than read a table, and can be computed on its own.
fn does_work(step: &LogicalPlan) -> bool {
    let mut works = false;
    // A correlated subquery cannot be shared.
    let mut is_correlated = false;
    let seen = step.apply_with_subqueries(|node| {
        is_correlated |= !node.all_out_ref_exprs().is_empty();
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
    seen.is_ok() && works && !is_correlated
}

/// The steps that became tables.
struct Steps {
    /// The steps that are to become tables.
    shared: HashSet<StepPlace>,
    shared_names: HashSet<TableReference>,
    made: HashMap<StepPlace, Arc<Step>>,
    /// How many steps have each name, since a `WITH` inside another may use the same name.
    names: HashMap<String, usize>,
    /// Each step after those that it reads.
    in_order: Vec<Arc<Step>>,
}

impl Steps {
    /// Replaces steps by tables.
    fn replace_steps(&mut self, plan: LogicalPlan) -> Result<LogicalPlan> {
        Ok(plan
            .transform_down_with_subqueries(|node| {
                let Some(alias) = step_of(&node).filter(|alias| self.shared_names.contains(&alias.alias)) else {
                    return Ok(Transformed::no(node));
                };
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
        let plan = self.replace_steps(alias.input.as_ref().clone())?;
        let times = self.names.entry(alias.alias.to_string()).or_default();
        *times += 1;
        let name = if *times == 1 { alias.alias.to_string() } else { format!("{}#{times}", alias.alias) };
        let step = Arc::new(Step::new(name, plan));
        self.made.insert(place, Arc::clone(&step));
        self.in_order.push(Arc::clone(&step));
        Ok(step)
    }
}

/// Reads the table of a step under the name of the step.
fn scan(step: &Arc<Step>, alias: &SubqueryAlias) -> Result<LogicalPlan> {
    let table = provider_as_source(Arc::clone(step) as _);
    LogicalPlanBuilder::scan(step.name(), table, None)?.alias(alias.alias.clone())?.build()
}

/// Reports to each step what an optimised plan reads from it.
fn add_readers(plan: &LogicalPlan) -> Result<()> {
    plan.apply_with_subqueries(|node| {
        if let LogicalPlan::TableScan(scan) = node
            && let Some(step) = find_step(scan)
        {
            step.add_reader(scan)?;
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(())
}

/// The plan that computes a column of a step, and the index of the column in that plan. The outer `None` is for a table
/// that is not a step, the inner for a column that no reader wants.
pub(super) fn column_of_step(scan: &TableScan, column: usize) -> Option<Option<(&LogicalPlan, usize)>> {
    find_step(scan).map(|step| step.column(column))
}

/// The query of a step, whose columns are those of the table.
pub(super) fn query_of_step(scan: &TableScan) -> Option<&LogicalPlan> {
    find_step(scan).map(Step::query)
}

fn find_step(scan: &TableScan) -> Option<&Step> {
    provider_of(scan)
}
