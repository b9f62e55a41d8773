//! Removes functional dependencies from plans before DataFusion uses them.
//!
//! A GROUP BY or DISTINCT states in its schema that its keys determine all its columns: a functional dependency.
//! DataFusion 55.2 keeps this statement where it no longer holds: after a join that repeats the keys, and in a step
//! with only some of the keys. That makes answers wrong in three places:
//!
//! - The SQL planner also groups by the determined columns, which gives too many groups. Measured: `churn_rate` gave 26
//!   rows over four crawls, and DuckDB 8. So a `GROUP BY` is planned over relations without dependencies.
//! - One optimizer rule drops keys from GROUP BY, which gives too few groups. Another drops keys from ORDER BY. So the
//!   dependencies are removed before these two rules.
//!
//! The cost: DataFusion no longer drops redundant keys. This waits for apache/datafusion#23634 and #23818 to #23820,
//! which [apache/datafusion#23821](https://github.com/apache/datafusion/pull/23821) tests. Once they are fixed,
//! `datafusion_still_needs_this` fails, and this file can go.

use super::logical_rules::logical_rules;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchemaRef, FunctionalDependencies, Result};
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::logical_expr::LogicalPlan;
use datafusion::logical_expr::planner::{PlannedRelation, RelationPlanner, RelationPlannerContext, RelationPlanning};
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};
use datafusion::sql::sqlparser::ast::TableFactor;
use std::cell::Cell;
use std::sync::Arc;

/// The optimizer rules that use dependencies.
const RULES: [&str; 2] = ["eliminate_duplicated_expr", "optimize_projections"];

/// Adds a rule and a planner that remove dependencies before they are used.
pub(super) fn without_dependencies(builder: SessionStateBuilder) -> SessionStateBuilder {
    let mut rules: Vec<Arc<dyn OptimizerRule + Send + Sync>> = Vec::new();
    for rule in logical_rules() {
        if RULES.contains(&rule.name()) {
            rules.push(Arc::new(RemoveDependencies));
        }
        rules.push(rule);
    }
    builder.with_optimizer_rules(rules).with_relation_planners(vec![Arc::new(RemoveDependencies)])
}

#[derive(Debug)]
struct RemoveDependencies;

impl OptimizerRule for RemoveDependencies {
    fn name(&self) -> &'static str {
        "remove_dependencies"
    }

    fn rewrite(&self, plan: LogicalPlan, _config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        remove(plan)
    }
}

thread_local! {
    /// Whether the next relation to be planned comes from this planner.
    static IS_OURS: Cell<bool> = const { Cell::new(false) };
}

impl RelationPlanner for RemoveDependencies {
    fn plan_relation(
        &self,
        relation: TableFactor,
        context: &mut dyn RelationPlannerContext,
    ) -> Result<RelationPlanning> {
        // `context.plan` asks all planners again, this one first. The second time, DataFusion plans the relation
        // itself.
        if IS_OURS.replace(false) {
            return Ok(RelationPlanning::Original(Box::new(relation)));
        }
        IS_OURS.set(true);
        let plan = remove(context.plan(relation)?)?.data;
        Ok(RelationPlanning::Planned(Box::new(PlannedRelation::new(plan, None))))
    }
}

fn remove(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
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
            // The other nodes have the schema of their input.
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
    use super::without_dependencies;
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

    /// A join that repeats keys, and groups that must not be lost.
    const LOST: &str = "SELECT count(*) FROM (SELECT x, y, sum(n) FROM pairs GROUP BY x, y) AS t";
    /// An ORDER BY with several keys. The optimizer must drop none of them.
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
    fn no_group_is_lost_after_a_join_that_repeats_keys() {
        assert_eq!(number(without_dependencies(plain()), LOST), 6);
    }

    #[test]
    fn rows_have_the_order_of_the_statement() {
        let plan = plan(without_dependencies(plain()), ORDERED);
        assert!(plan.contains("y DESC"), "{plan}");
    }

    #[test]
    fn no_group_is_split_after_a_join_that_repeats_keys() {
        let split =
            "SELECT count(*) FROM (SELECT x, sum(n) FROM (SELECT x, y, n * y AS n FROM pairs) AS p GROUP BY x) AS t";
        assert_eq!(number(without_dependencies(plain()), split), 2);
    }

    /// DataFusion's planner calls itself for each relation. This one has relations within relations, with aliases.
    #[test]
    fn relations_keep_their_names() {
        let nested = "SELECT sum(q.m) FROM (SELECT r.y AS z, r.n AS m FROM (pairs AS p JOIN pairs AS r ON p.x = r.x AND p.y = r.y)) AS q
             JOIN unnest([1, 2]) AS u (e) ON q.z = u.e";
        assert_eq!(number(without_dependencies(plain()), nested), 4);
    }

    /// Both are wrong without the workaround. When one fails, DataFusion has been fixed.
    #[test]
    fn datafusion_still_needs_this() {
        assert_ne!(number(plain(), LOST), 6);
        let plan = plan(plain(), ORDERED);
        assert!(!plan.contains("y DESC"), "{plan}");
    }
}
