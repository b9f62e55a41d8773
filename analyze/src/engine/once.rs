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
//! A session can keep the rows of some steps for later statements, see [`kept`].
//!
//! Measured in the debug profile: without this, questions whose steps read each other twice took 40 to 130 s, and
//! DuckDB 0.3 to 2 s. With it, in a release build, the two slowest of them take 1.0 and 0.9 times as long as DuckDB.
//! This waits for [apache/datafusion#8777](https://github.com/apache/datafusion/issues/8777).

mod dead_branches;
mod exec;
pub(super) mod kept;
mod shared_rows;
mod step;
#[cfg(test)]
mod tests;

use super::unnested::{has_subqueries, optimise};
use crate::catalog::provider::{any_provider_of, provider_of};
use datafusion::catalog::cte_worktable::CteWorkTable;
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{HashMap, HashSet, Result, TableReference};
use datafusion::dataframe::DataFrame;
use datafusion::datasource::provider_as_source;
use datafusion::execution::session_state::{SessionState, SessionStateBuilder};
use datafusion::logical_expr::{LogicalPlan, LogicalPlanBuilder, SubqueryAlias, TableScan};
use datafusion::prelude::SessionContext;
use dead_branches::without_dead_branches;
pub(super) use exec::StepExec;
pub(crate) use exec::rows_read;
use kept::KeptSteps;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use step::Step;

/// Executes a plan as DataFusion does, but turns the steps that it reads several times into tables. A plan that is
/// stored for later, such as that of a view, does not change, because the tables that its steps read may change before
/// it runs.
pub(super) async fn execute(plan: LogicalPlan, context: &SessionContext, kept: &KeptSteps) -> Result<DataFrame> {
    let state = context.state();
    if matches!(plan, LogicalPlan::Ddl(_) | LogicalPlan::Statement(_)) {
        // DataFusion plans the query of a new table or view itself.
        for query in plan.inputs() {
            if has_subqueries(query)? {
                optimise(analyse(query.clone(), &state)?, &state)?;
            }
        }
        return context.execute_logical_plan(plan).await;
    }
    match share_steps(plan, &state, kept)? {
        SharedPlan::Unoptimised(plan) => context.execute_logical_plan(plan).await,
        SharedPlan::Optimised(plan) => {
            // Planning would take 1.3 times as long if DataFusion optimised the plan again.
            let rules = SessionStateBuilder::from(state).with_analyzer_rules(vec![]).with_optimizer_rules(vec![]);
            Ok(DataFrame::new(rules.build(), plan))
        }
    }
}

enum SharedPlan {
    /// DataFusion optimises it.
    Unoptimised(LogicalPlan),
    /// Only the optimised plan shows what it reads from steps that became tables, and whether all subqueries are joins.
    Optimised(LogicalPlan),
}

fn share_steps(plan: LogicalPlan, state: &SessionState, kept: &KeptSteps) -> Result<SharedPlan> {
    let plan = kept.replace_steps(plan, state)?;
    let repeated = repeated_steps(&plan)?;
    if repeated.is_empty() && !has_subqueries(&plan)? {
        return Ok(SharedPlan::Unoptimised(plan));
    }
    let names = repeated.iter().filter_map(|key| step_of(&key.plan)).map(|alias| alias.alias.clone()).collect();
    let mut steps = Steps { state, repeated, names, made: HashMap::new(), named: HashMap::new(), drafts: Vec::new() };
    let plan = steps.replace_steps(plan)?;
    let plan = draft(plan, state)?;
    let (plan, steps) = settle_drafts(plan, steps.drafts)?;
    let optimised = optimise(plan.clone(), state)?;
    add_readers(&optimised)?;
    // A step comes after those that it reads. In reverse order, each step knows all its readers before it is settled.
    for step in steps.iter().rev() {
        add_readers(step.settle(state)?)?;
    }
    // DataFusion optimises the plan of an EXPLAIN itself, and shows how.
    let is_explained = matches!(plan, LogicalPlan::Explain(_));
    Ok(if is_explained { SharedPlan::Unoptimised(plan) } else { SharedPlan::Optimised(optimised) })
}

/// The plan of a step, and the tables that it reads. DataFusion compares tables by name only, and all calls of a table
/// function have the same name. So the tables themselves are compared as well.
#[derive(PartialEq, Eq)]
struct StepKey {
    plan: LogicalPlan,
    tables: Vec<usize>,
}

impl Hash for StepKey {
    /// Without the plan, since hashing it takes longer than comparing it with the few others that read the same tables.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.tables.hash(state);
        step_of(&self.plan).map(|alias| &alias.alias).hash(state);
    }
}

impl StepKey {
    fn new(plan: &LogicalPlan) -> Result<Self> {
        let mut tables = Vec::new();
        each_scan(plan, |scan| {
            tables.push(address_of_table(scan));
            Ok(())
        })?;
        Ok(StepKey { plan: plan.clone(), tables })
    }
}

/// Calls `action` for each scan of a table.
fn each_scan(plan: &LogicalPlan, mut action: impl FnMut(&TableScan) -> Result<()>) -> Result<()> {
    let visit = |node: &LogicalPlan| {
        if let LogicalPlan::TableScan(scan) = node {
            action(scan)?;
        }
        Ok(TreeNodeRecursion::Continue)
    };
    plan.apply_with_subqueries(visit).map(drop)
}

/// The address of a table. Each statement wraps the table anew.
fn address_of_table(scan: &TableScan) -> usize {
    match any_provider_of(scan) {
        Some(provider) => Arc::as_ptr(provider).cast::<()>().addr(),
        None => Arc::as_ptr(&scan.source).cast::<()>().addr(),
    }
}

/// The steps that occur more than once, do some work, and can be computed on their own. The steps within such a step
/// are counted once.
fn repeated_steps(plan: &LogicalPlan) -> Result<HashSet<StepKey>> {
    let names = repeated_names(plan)?;
    if names.is_empty() {
        return Ok(HashSet::new());
    }
    let mut times: HashMap<StepKey, usize> = HashMap::new();
    plan.apply_with_subqueries(|node| {
        if step_of(node).is_none_or(|alias| !names.contains(&alias.alias)) {
            return Ok(TreeNodeRecursion::Continue);
        }
        let times = times.entry(StepKey::new(node)?).or_default();
        *times += 1;
        Ok(if *times > 1 { TreeNodeRecursion::Jump } else { TreeNodeRecursion::Continue })
    })?;
    let repeated = times.into_iter().filter(|(_, times)| *times > 1).map(|(key, _)| key);
    let is_own = |step: &LogicalPlan| !is_correlated(step) && !is_of_round(step);
    Ok(repeated.filter(|key| does_work(&key.plan) && is_own(&key.plan)).collect())
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

/// Whether a step does more than read a table.
fn does_work(step: &LogicalPlan) -> bool {
    exists(step, |node| match node {
        LogicalPlan::TableScan(scan) => find_step(scan).is_some(),
        LogicalPlan::Aggregate(_)
        | LogicalPlan::Distinct(_)
        | LogicalPlan::Join(_)
        | LogicalPlan::Window(_)
        | LogicalPlan::Sort(_)
        | LogicalPlan::RecursiveQuery(_) => true,
        _ => false,
    })
}

/// Whether a step reads columns of the query around it. Such a step cannot be computed on its own.
fn is_correlated(step: &LogicalPlan) -> bool {
    exists(step, LogicalPlan::contains_outer_reference)
}

/// Whether a step reads the rows of a round of the recursive query around it. Its rows differ from round to round.
pub(super) fn is_of_round(step: &LogicalPlan) -> bool {
    let of_round = |node: &LogicalPlan| match node {
        LogicalPlan::TableScan(scan) => {
            any_provider_of(scan)?.downcast_ref::<CteWorkTable>().map(|table| table.name().to_owned())
        }
        _ => None,
    };
    exists(step, |node| {
        of_round(node).is_some_and(|name| {
            !exists(step, |node| matches!(node, LogicalPlan::RecursiveQuery(query) if query.name == name))
        })
    })
}

fn exists(plan: &LogicalPlan, mut is_meant: impl FnMut(&LogicalPlan) -> bool) -> bool {
    let mut found = false;
    let walked = plan.apply_with_subqueries(|node| {
        found |= is_meant(node);
        Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    });
    walked.is_ok() && found
}

/// Replaces repeated steps by tables. Analysis and pruning then see each step once, and not once for each reader, which
/// makes planning of questions up to a third faster.
struct Steps<'s> {
    state: &'s SessionState,
    /// The steps to replace, and their names.
    repeated: HashSet<StepKey>,
    names: HashSet<TableReference>,
    /// The plan that replaced each step.
    made: HashMap<StepKey, LogicalPlan>,
    /// How many steps have each name, since a `WITH` inside another may use the same name.
    named: HashMap<String, usize>,
    /// Each step after those that it reads.
    drafts: Vec<Draft>,
}

/// A table in place of a step, and the query that computes the step.
struct Draft {
    table: Arc<Step>,
    query: LogicalPlan,
}

impl Steps<'_> {
    fn replace_steps(&mut self, plan: LogicalPlan) -> Result<LogicalPlan> {
        Ok(plan
            .transform_down_with_subqueries(|node| {
                let Some(alias) = step_of(&node).filter(|alias| self.names.contains(&alias.alias)) else {
                    return Ok(Transformed::no(node));
                };
                let key = StepKey::new(&node)?;
                if !self.repeated.contains(&key) {
                    return Ok(Transformed::no(node));
                }
                let made = match self.made.get(&key) {
                    Some(made) => made.clone(),
                    None => self.make(alias, key)?,
                };
                Ok(Transformed::new(made, true, TreeNodeRecursion::Jump))
            })?
            .data)
    }

    fn make(&mut self, alias: &SubqueryAlias, key: StepKey) -> Result<LogicalPlan> {
        let query = self.replace_steps(alias.input.as_ref().clone())?;
        let query = draft(query, self.state)?;
        // Readers of a step without rows can be dead, too.
        if matches!(&query, LogicalPlan::EmptyRelation(empty) if !empty.produce_one_row) {
            let made = under_name(query, alias)?;
            self.made.insert(key, made.clone());
            return Ok(made);
        }
        let times = self.named.entry(alias.alias.to_string()).or_default();
        *times += 1;
        let name = if *times == 1 { alias.alias.to_string() } else { format!("{}#{times}", alias.alias) };
        let table = Arc::new(Step::new(name, query.schema()));
        let made = read_step(&table, alias)?;
        self.made.insert(key, made.clone());
        self.drafts.push(Draft { table, query });
        Ok(made)
    }
}

/// Analyses a plan, which casts types that must be equal, such as those of the two sides of a union. Then drops what is
/// never read.
fn draft(plan: LogicalPlan, state: &SessionState) -> Result<LogicalPlan> {
    without_dead_branches(analyse(plan, state)?, state)
}

fn analyse(plan: LogicalPlan, state: &SessionState) -> Result<LogicalPlan> {
    state.analyzer().execute_and_check(plan, state.config_options(), |_, _| {})
}

/// Gives each step its query. A step with a single reader becomes a part of its reader again. Returns the plan of the
/// statement, and the steps that stay tables.
fn settle_drafts(plan: LogicalPlan, drafts: Vec<Draft>) -> Result<(LogicalPlan, Vec<Arc<Step>>)> {
    let mut readers: HashMap<*const Step, usize> = HashMap::new();
    count_readers(&plan, &mut readers)?;
    // In reverse order, all live readers of a step are counted before the step.
    for Draft { table, query } in drafts.iter().rev() {
        if readers.contains_key(&Arc::as_ptr(table)) {
            count_readers(query, &mut readers)?;
        }
    }
    let mut parts: HashMap<*const Step, LogicalPlan> = HashMap::new();
    let mut shared = Vec::new();
    for Draft { table, query } in drafts {
        let query = put_parts_back(query, &parts)?;
        match readers.get(&Arc::as_ptr(&table)) {
            None => {}
            Some(times) if *times > 1 && does_work(&query) => {
                table.set_query(query);
                shared.push(table);
            }
            Some(_) => _ = parts.insert(Arc::as_ptr(&table), query),
        }
    }
    Ok((put_parts_back(plan, &parts)?, shared))
}

fn count_readers(plan: &LogicalPlan, readers: &mut HashMap<*const Step, usize>) -> Result<()> {
    each_scan(plan, |scan| {
        if let Some(step) = find_step(scan) {
            *readers.entry(std::ptr::from_ref(step)).or_default() += 1;
        }
        Ok(())
    })
}

fn put_parts_back(plan: LogicalPlan, parts: &HashMap<*const Step, LogicalPlan>) -> Result<LogicalPlan> {
    if parts.is_empty() {
        return Ok(plan);
    }
    let put_back = plan.transform_up_with_subqueries(|node| {
        if let LogicalPlan::SubqueryAlias(alias) = &node
            && let LogicalPlan::TableScan(scan) = alias.input.as_ref()
            && let Some(part) = find_step(scan).and_then(|step| parts.get(&std::ptr::from_ref(step)))
        {
            return under_name(part.clone(), alias).map(Transformed::yes);
        }
        Ok(Transformed::no(node))
    })?;
    Ok(put_back.data)
}

/// A plan that reads the table of a step under the name of the step.
fn read_step(table: &Arc<Step>, step: &SubqueryAlias) -> Result<LogicalPlan> {
    let source = provider_as_source(Arc::clone(table) as _);
    under_name(LogicalPlanBuilder::scan(table.name(), source, None)?.build()?, step)
}

/// A plan under the name of a step.
fn under_name(plan: LogicalPlan, step: &SubqueryAlias) -> Result<LogicalPlan> {
    SubqueryAlias::try_new(Arc::new(plan), step.alias.clone()).map(LogicalPlan::SubqueryAlias)
}

/// Reports to each step what an optimised plan reads from it.
fn add_readers(plan: &LogicalPlan) -> Result<()> {
    each_scan(plan, |scan| find_step(scan).map_or(Ok(()), |step| step.add_reader(scan)))
}

/// The plan that computes a column of a step, and the index of the column in that plan. The outer `None` is for a table
/// that is not a step, the inner for a column that no reader wants.
pub(super) fn column_of_step(scan: &TableScan, column: usize) -> Option<Option<(&LogicalPlan, usize)>> {
    find_step(scan).map(|step| step.column(column))
}

/// The query of a step, whose columns are those of the table.
pub(super) fn query_of_step(scan: &TableScan) -> Option<&LogicalPlan> {
    find_step(scan).and_then(Step::query)
}

fn find_step(scan: &TableScan) -> Option<&Step> {
    provider_of(scan)
}
