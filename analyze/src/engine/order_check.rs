//! Checks finished plans as DataFusion does, but believes that sorted rows have the order that they were sorted by.
//!
//! DataFusion 55.2 derives the order of an expression from the ranges of its arguments. Where that fails, it takes the
//! expression for unordered, and refuses to merge partitions that were just sorted by it. So `ORDER BY` could not have
//! `-length(url)`, `length(pattern) > 30`, `sqrt(n)`, `ln(n + 1)` or `abs(a / b)`. No issue about it is known.
//!
//! Windows and aggregate functions with such an order are still refused: DataFusion makes plans for them that lose the
//! `LIMIT` of the statement.

use super::stated::PlannedRows;
use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{TreeNode as _, TreeNodeRecursion};
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::{PhysicalExpr, PhysicalSortExpr};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_optimizer::sanity_checker::check_plan_sanity;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::filter::FilterExec;
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::sorts::sort_preserving_merge::SortPreservingMergeExec;
use datafusion::physical_plan::union::UnionExec;
use std::sync::Arc;

/// Stands in place of DataFusion's `SanityCheckPlan`.
#[derive(Debug)]
pub(super) struct CheckPlan;

impl PhysicalOptimizerRule for CheckPlan {
    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, config: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        plan.apply(|node| {
            let merge = node.downcast_ref::<SortPreservingMergeExec>();
            if !merge.is_some_and(|merge| is_sorted_by(merge.input(), merge.expr())) {
                check_plan_sanity(node, &config.optimizer)?;
            }
            Ok(TreeNodeRecursion::Continue)
        })?;
        Ok(plan)
    }

    fn name(&self) -> &'static str {
        "check_plan"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// Whether each partition of the rows was sorted in this order. A sort leaves out keys that are the same in all rows of
/// a partition, and keys that equal an earlier one.
fn is_sorted_by(rows: &Arc<dyn ExecutionPlan>, order: &[PhysicalSortExpr]) -> bool {
    let known = rows.properties().equivalence_properties();
    let order: Vec<_> = order.iter().filter(|key| known.is_expr_constant(&key.expr).is_none()).cloned().collect();
    if known.ordering_satisfy(order.iter().cloned()).unwrap_or_default() {
        return true;
    }
    if let Some(union) = rows.downcast_ref::<UnionExec>() {
        return union.inputs().iter().all(|rows| is_sorted_by(rows, &order));
    }
    if let Some((input, columns)) = moved_columns(rows) {
        return order_below(&columns, &order).is_some_and(|order| is_sorted_by(input, &order));
    }
    let Some(sort) = rows.downcast_ref::<SortExec>() else { return false };
    // Equal keys become the same one.
    let known = known.eq_group();
    let chosen = |key: &PhysicalSortExpr| (known.normalize_expr(Arc::clone(&key.expr)), key.options);
    let mut sorted = sort.expr().iter().map(chosen).peekable();
    let mut before = Vec::new();
    order.iter().map(chosen).all(|key| {
        let is_next = sorted.next_if_eq(&key).is_some();
        let is_repeated = before.contains(&key.0);
        before.push(key.0);
        is_next || is_repeated
    })
}

/// The input of a node that moves columns, and what each of its columns is there. It forgets which of them are unique
/// together, and therefore need no further key.
fn moved_columns(node: &PlannedRows) -> Option<(&PlannedRows, Vec<Arc<dyn PhysicalExpr>>)> {
    if let Some(projection) = node.downcast_ref::<ProjectionExec>() {
        let columns = projection.expr().iter().map(|projected| Arc::clone(&projected.expr));
        return Some((projection.input(), columns.collect()));
    }
    let filter = node.downcast_ref::<FilterExec>()?;
    let (input, projection) = (filter.input(), filter.projection().as_ref()?);
    let column = |index: &usize| Arc::new(Column::new(input.schema().field(*index).name(), *index)) as _;
    Some((input, projection.iter().map(column).collect()))
}

/// The same order by the columns below; `None` if a key is not a column.
fn order_below(columns: &[Arc<dyn PhysicalExpr>], order: &[PhysicalSortExpr]) -> Option<Vec<PhysicalSortExpr>> {
    let key_below = |key: &PhysicalSortExpr| {
        let column = columns.get(key.expr.downcast_ref::<Column>()?.index())?;
        Some(PhysicalSortExpr::new(Arc::clone(column), key.options))
    };
    order.iter().map(key_below).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by it")]

    use super::CheckPlan;
    use crate::engine::fixture::answer_with;
    use crate::engine::physical_rules::physical_rules;
    use datafusion::arrow::datatypes::{DataType, Field, Schema};
    use datafusion::common::config::ConfigOptions;
    use datafusion::physical_expr::expressions::Column;
    use datafusion::physical_expr::{LexOrdering, PhysicalSortExpr};
    use datafusion::physical_optimizer::PhysicalOptimizerRule as _;
    use datafusion::physical_plan::empty::EmptyExec;
    use datafusion::physical_plan::sorts::sort_preserving_merge::SortPreservingMergeExec;
    use datafusion::prelude::SessionConfig;
    use std::sync::Arc;

    #[tokio::test]
    async fn rows_are_sorted_by_any_expression() {
        let keys = [
            "-length(t)",
            "length(t) > 2",
            "sqrt(n + 1)",
            "ln(n + 1)",
            "abs(n / 3.0)",
            "abs(round(n / 3.0, 1))",
            "abs(CASE WHEN n > 30 THEN 1 ELSE 0 END)",
        ];
        for key in keys {
            let rows = "(SELECT value AS n, CAST(value * 7 AS varchar) AS t, value % 3 AS p FROM range(10, 70))";
            for sql in [
                format!("SELECT n FROM {rows} GROUP BY n, t ORDER BY {key}, n"),
                format!("SELECT n, n AS m FROM {rows} GROUP BY n, t ORDER BY {key}, n, m"),
                format!("SELECT n, m FROM (SELECT n AS m, 12 AS n, 'a' AS t FROM {rows} GROUP BY m) ORDER BY {key}, m"),
                format!("SELECT m, t FROM (SELECT n AS m, p AS n, t FROM {rows}) WHERE n = 2 ORDER BY {key}, t, m"),
                format!("SELECT n FROM (SELECT * FROM {rows} UNION ALL SELECT * FROM {rows}) ORDER BY p, {key}, n"),
            ] {
                let answer = |jobs, sql: String| async move {
                    answer_with(physical_rules(), SessionConfig::new().with_target_partitions(jobs), &sql).await
                };
                let whole = answer(1, sql.clone()).await;
                assert_eq!(answer(2, sql.clone()).await, whole, "{sql}");
                // Three lines for the header.
                let first: Vec<&str> = whole.lines().take(3 + 7).collect();
                assert!(answer(2, format!("{sql} LIMIT 7")).await.starts_with(&first.join("\n")), "{sql}");
            }
        }
    }

    #[test]
    fn rows_in_another_order_are_refused() {
        let schema = Schema::new(vec![Field::new("a", DataType::Int64, true)]);
        let rows = Arc::new(EmptyExec::new(Arc::new(schema)).with_partitions(2));
        let order = LexOrdering::new([PhysicalSortExpr::new_default(Arc::new(Column::new("a", 0)))]).unwrap();
        let error = CheckPlan.optimize(Arc::new(SortPreservingMergeExec::new(order, rows)), &ConfigOptions::default());
        assert!(error.unwrap_err().to_string().contains("does not satisfy order requirements: [a@0 ASC]"));
    }
}
