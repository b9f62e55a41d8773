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
//! The cost: DataFusion no longer leaves out keys that it need not compare. It documents these cases in
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

    /// No group is lost behind a join that repeats keys.
    const LOST: &str = "SELECT count(*) FROM (SELECT x, y, sum(n) FROM pairs GROUP BY x, y) AS t";
    /// Rows are in the order that was asked for.
    const ORDERED: &str = "SELECT x, y FROM pairs ORDER BY x, y DESC";

    fn plain() -> SessionStateBuilder {
        SessionStateBuilder::new().with_default_features()
    }

    fn number(builder: SessionStateBuilder, sql: &str) -> i64 {
        let session = SessionContext::new_with_state(builder.build());
        let runtime = Builder::new_current_thread().build().unwrap();
        let collected = async { session.sql(&format!("{PAIRS} {sql}")).await?.collect().await };
        let batches = runtime.block_on(collected).unwrap();
        batches[0].column(0).as_primitive::<Int64Type>().value(0)
    }

    fn plan(builder: SessionStateBuilder, sql: &str) -> String {
        let session = SessionContext::new_with_state(builder.build());
        let runtime = Builder::new_current_thread().build().unwrap();
        let planned = async { session.sql(&format!("{PAIRS} {sql}")).await?.into_optimized_plan() };
        runtime.block_on(planned).unwrap().to_string()
    }

    #[test]
    fn no_group_is_lost_behind_a_join_that_repeats_keys() {
        assert_eq!(number(forgetful(plain()), LOST), 6);
    }

    #[test]
    fn rows_are_in_the_order_that_was_asked_for() {
        let plan = plan(forgetful(plain()), ORDERED);
        assert!(plan.contains("y DESC"), "{plan}");
    }

    #[test]
    fn no_group_is_split_behind_a_join_that_repeats_keys() {
        let split =
            "SELECT count(*) FROM (SELECT x, sum(n) FROM (SELECT x, y, n * y AS n FROM pairs) AS p GROUP BY x) AS t";
        assert_eq!(number(forgetful(plain()), split), 2);
    }

    /// DataFusion's planner asks itself once for each relation: relations within relations, with other names.
    #[test]
    fn relations_have_the_names_that_they_were_given() {
        let nested = "SELECT sum(q.m) FROM (SELECT r.y AS z, r.n AS m FROM (pairs AS p JOIN pairs AS r ON p.x = r.x AND p.y = r.y)) AS q
             JOIN unnest([1, 2]) AS u (e) ON q.z = u.e";
        assert_eq!(number(forgetful(plain()), nested), 4);
    }

    /// Both are wrong without the workaround. When one fails, DataFusion has been fixed.
    #[test]
    fn datafusion_still_needs_this() {
        assert_ne!(number(plain(), LOST), 6);
        let plan = plan(plain(), ORDERED);
        assert!(!plan.contains("y DESC"), "{plan}");
    }
}
