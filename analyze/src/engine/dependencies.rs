//! What DataFusion believes of columns that determine others is forgotten before it acts on it.
//!
//! A GROUP BY or DISTINCT leaves the note that its keys determine all of its columns. DataFusion 55.2 carries such a note
//! to where it is wrong: across a join that repeats the keys, and to a step that has some of the keys and not all. It acts
//! on the notes in three places.
//!
//! - The planner of SQL groups by what is noted to be determined as well, so that there are more groups than were asked
//!   for. A `GROUP BY` is therefore planned over relations without notes.
//! - One rule of the optimizer leaves keys out of GROUP BY, so that there are fewer groups, and one leaves keys out of
//!   ORDER BY. The notes are taken away in front of these two.
//!
//! What is lost is the sparing of a key that could have been left out. DataFusion documents these cases in
//! [apache/datafusion#23821](https://github.com/apache/datafusion/pull/23821) and its issues #23634 and #23818 to #23820;
//! once they are fixed, `datafusion_still_needs_this` fails, and this file can go.

use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchemaRef, FunctionalDependencies, Result};
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::logical_expr::LogicalPlan;
use datafusion::logical_expr::planner::{PlannedRelation, RelationPlanner, RelationPlannerContext, RelationPlanning};
use datafusion::optimizer::optimizer::{ApplyOrder, Optimizer};
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};
use datafusion::sql::sqlparser::ast::TableFactor;
use std::cell::Cell;
use std::sync::Arc;

/// The rules that act on what is noted.
const BELIEVERS: [&str; 2] = ["eliminate_duplicated_expr", "optimize_projections"];

/// Has notes of dependencies taken away before anything acts on them.
pub(super) fn forgetful(builder: SessionStateBuilder) -> SessionStateBuilder {
    let mut rules: Vec<Arc<dyn OptimizerRule + Send + Sync>> = Vec::new();
    for rule in Optimizer::new().rules {
        if BELIEVERS.contains(&rule.name()) {
            rules.push(Arc::new(Forget));
        }
        rules.push(rule);
    }
    builder.with_optimizer_rules(rules).with_relation_planners(vec![Arc::new(Forget)])
}

#[derive(Debug)]
struct Forget;

impl OptimizerRule for Forget {
    fn name(&self) -> &'static str {
        "forget_dependencies"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        None
    }

    fn rewrite(&self, plan: LogicalPlan, _config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        forget(plan)
    }
}

thread_local! {
    /// Whether the relation that is planned next is one that this asked for.
    static IS_ASKED: Cell<bool> = const { Cell::new(false) };
}

impl RelationPlanner for Forget {
    fn plan_relation(
        &self,
        relation: TableFactor,
        context: &mut dyn RelationPlannerContext,
    ) -> Result<RelationPlanning> {
        // It is planned by DataFusion, which asks all planners anew, and this one at once.
        if IS_ASKED.replace(false) {
            return Ok(RelationPlanning::Original(Box::new(relation)));
        }
        IS_ASKED.set(true);
        let plan = forget(context.plan(relation)?)?.data;
        Ok(RelationPlanning::Planned(Box::new(PlannedRelation::new(plan, None))))
    }
}

fn forget(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    plan.transform_up_with_subqueries(|mut plan| {
        let schema = match &mut plan {
            LogicalPlan::Projection(node) => &mut node.schema,
            LogicalPlan::Aggregate(node) => &mut node.schema,
            LogicalPlan::Window(node) => &mut node.schema,
            LogicalPlan::Join(node) => &mut node.schema,
            LogicalPlan::SubqueryAlias(node) => &mut node.schema,
            LogicalPlan::Union(node) => &mut node.schema,
            LogicalPlan::Unnest(node) => &mut node.schema,
            LogicalPlan::TableScan(node) => &mut node.projected_schema,
            // The others have the schema of what they read.
            _ => return Ok(Transformed::no(plan)),
        };
        if schema.functional_dependencies().is_empty() {
            return Ok(Transformed::no(plan));
        }
        *schema = bare(schema)?;
        Ok(Transformed::yes(plan))
    })
}

fn bare(schema: &DFSchemaRef) -> Result<DFSchemaRef> {
    let schema = schema.as_ref().clone();
    Ok(Arc::new(schema.with_functional_dependencies(FunctionalDependencies::empty())?))
}

#[cfg(test)]
mod tests {
    use super::forgetful;
    use datafusion::arrow::array::AsArray as _;
    use datafusion::arrow::datatypes::Int64Type;
    use datafusion::execution::session_state::SessionStateBuilder;
    use datafusion::prelude::SessionContext;
    use tokio::runtime::Builder;

    const PAIRS: &str = "WITH pairs AS (
        SELECT a.x, b.y, count(*) AS n
        FROM (SELECT DISTINCT x FROM (VALUES (1), (2)) AS t (x)) AS a
        CROSS JOIN (SELECT DISTINCT y FROM (VALUES (1), (2), (3)) AS t (y)) AS b
        GROUP BY a.x, b.y
    )";

    fn session() -> SessionContext {
        SessionContext::new_with_state(forgetful(SessionStateBuilder::new().with_default_features()).build())
    }

    #[test]
    fn no_group_is_lost_behind_a_join_that_repeats_keys() {
        let sql = format!("{PAIRS} SELECT count(*) FROM (SELECT x, y, sum(n) FROM pairs GROUP BY x, y) AS t");
        let runtime = Builder::new_current_thread().build().unwrap();
        let batches = runtime.block_on(async { session().sql(&sql).await?.collect().await }).unwrap();
        assert_eq!(batches[0].column(0).as_primitive::<Int64Type>().value(0), 6);
    }

    #[test]
    fn rows_are_in_the_order_that_was_asked_for() {
        let sql = format!("{PAIRS} SELECT x, y FROM pairs ORDER BY x, y DESC");
        let runtime = Builder::new_current_thread().build().unwrap();
        let plan = runtime.block_on(async { session().sql(&sql).await?.into_optimized_plan() }).unwrap();
        assert!(plan.to_string().contains("y DESC"), "{plan}");
    }

    #[test]
    fn no_group_is_split_behind_a_join_that_repeats_keys() {
        let sql = format!(
            "{PAIRS} SELECT count(*) FROM (SELECT x, sum(n) FROM (SELECT x, y, n * y AS n FROM pairs) AS p GROUP BY x) AS t"
        );
        let runtime = Builder::new_current_thread().build().unwrap();
        let batches = runtime.block_on(async { session().sql(&sql).await?.collect().await }).unwrap();
        assert_eq!(batches[0].column(0).as_primitive::<Int64Type>().value(0), 2);
    }

    /// What the planner of DataFusion asks of itself it is asked once: relations within relations, with other names.
    #[test]
    fn relations_have_the_names_that_they_were_given() {
        let sql = format!(
            "{PAIRS} SELECT sum(q.m) FROM (SELECT r.y AS z, r.n AS m FROM (pairs AS p JOIN pairs AS r ON p.x = r.x AND p.y = r.y)) AS q
             JOIN unnest([1, 2]) AS u (e) ON q.z = u.e"
        );
        let runtime = Builder::new_current_thread().build().unwrap();
        let batches = runtime.block_on(async { session().sql(&sql).await?.collect().await }).unwrap();
        assert_eq!(batches[0].column(0).as_primitive::<Int64Type>().value(0), 4);
    }

    /// Both are wrong without the workaround. When one fails, DataFusion has been fixed.
    #[test]
    fn datafusion_still_needs_this() {
        let plain = || SessionContext::new_with_state(SessionStateBuilder::new().with_default_features().build());
        let runtime = Builder::new_current_thread().build().unwrap();
        let number = |sql: &str| {
            let batches = runtime.block_on(async { plain().sql(sql).await?.collect().await }).unwrap();
            batches[0].column(0).as_primitive::<Int64Type>().value(0)
        };
        let lost = format!("{PAIRS} SELECT count(*) FROM (SELECT x, y, sum(n) FROM pairs GROUP BY x, y) AS t");
        assert_ne!(number(&lost), 6);
        let ordered = format!("{PAIRS} SELECT x, y FROM pairs ORDER BY x, y DESC");
        let plan = runtime.block_on(async { plain().sql(&ordered).await?.into_optimized_plan() }).unwrap();
        assert!(!plan.to_string().contains("y DESC"), "{plan}");
    }
}
