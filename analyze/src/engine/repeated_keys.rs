//! Drops keys that the ORDER BY of an aggregate function has before.
//!
//! DataFusion 55.2 drops them only in a part of its work. So `array_agg(x ORDER BY x, x)` failed, and
//! `first_value(x ORDER BY y, y)` panicked in a statement with GROUP BY. No issue about it is known.

use datafusion::common::Result;
use datafusion::common::tree_node::{Transformed, TreeNode as _};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{Expr, LogicalPlan};
use datafusion::optimizer::{ApplyOrder, OptimizerConfig, OptimizerRule};
use std::collections::HashSet;

/// The optimizer rule.
#[derive(Debug)]
pub(super) struct LeaveOutRepeatedKeys;

impl OptimizerRule for LeaveOutRepeatedKeys {
    fn name(&self) -> &'static str {
        "leave_out_repeated_keys"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::TopDown)
    }

    fn rewrite(&self, plan: LogicalPlan, _config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        if !matches!(plan, LogicalPlan::Aggregate(_)) {
            return Ok(Transformed::no(plan));
        }
        // The name of a call has its keys.
        let names = NamePreserver::new(&plan);
        plan.map_expressions(|expression| {
            let name = names.save(&expression);
            Ok(expression.transform_up(without_repeated_keys)?.update_data(|shorter| name.restore(shorter)))
        })
    }
}

fn without_repeated_keys(mut expression: Expr) -> Result<Transformed<Expr>> {
    let Expr::AggregateFunction(call) = &mut expression else { return Ok(Transformed::no(expression)) };
    let (keys, mut seen) = (&mut call.params.order_by, HashSet::new());
    let before = keys.len();
    keys.retain(|key| seen.insert(key.expr.clone()));
    let is_shorter = keys.len() < before;
    Ok(Transformed::new_transformed(expression, is_shorter))
}

#[cfg(test)]
mod tests {
    use super::LeaveOutRepeatedKeys;
    use datafusion::arrow::util::pretty::pretty_format_batches;
    use datafusion::common::Result;
    use datafusion::execution::session_state::SessionStateBuilder;
    use datafusion::prelude::SessionContext;
    use std::sync::Arc;

    const TABLE: &str = "(SELECT value AS x, value % 2 AS y FROM range(0, 6)) AS t";
    const SORTED: &str = "array_agg(x ORDER BY y DESC, x, t.y, x DESC)";

    async fn answer(sql: &str, is_with_rule: bool) -> Result<String> {
        let mut builder = SessionStateBuilder::new().with_default_features();
        if is_with_rule {
            builder = builder.with_optimizer_rule(Arc::new(LeaveOutRepeatedKeys));
        }
        let rows = SessionContext::new_with_state(builder.build()).sql(sql).await?.collect().await?;
        Ok(pretty_format_batches(&rows)?.to_string())
    }

    #[tokio::test]
    async fn repeated_keys_make_no_difference() {
        for (sql, expected) in [
            (format!("SELECT {SORTED} AS a FROM {TABLE} HAVING {SORTED}[1] = 1"), "| [1, 3, 5, 0, 2, 4] |"),
            (
                format!("SELECT max(y) AS m, first_value(x ORDER BY y DESC, y) AS a FROM {TABLE} GROUP BY x % 1"),
                "| 1 | 1 |",
            ),
            (format!("SELECT DISTINCT ON (x % 1) x, y FROM {TABLE} ORDER BY x % 1, y DESC, y, x"), "| 1 | 1 |"),
        ] {
            let found = answer(&sql, true).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
            assert_eq!(found.lines().nth(3), Some(expected), "{sql}: {found}");
        }
    }

    /// When this fails, DataFusion has been fixed.
    #[tokio::test]
    async fn datafusion_still_needs_this() {
        assert!(answer(&format!("SELECT {SORTED} FROM {TABLE}"), false).await.is_err());
    }
}
