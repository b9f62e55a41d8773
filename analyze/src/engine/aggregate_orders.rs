//! The ORDER BY of aggregate functions, where DataFusion 55.2 gets it wrong. No issue about either is known.
//!
//! It drops keys that an ORDER BY has before only in a part of its work. So `array_agg(x ORDER BY x, x)` failed, and
//! `first_value(x ORDER BY y, y)` panicked in a statement with GROUP BY. Here, all repeated keys are dropped.
//!
//! If rows come in the opposite order, it turns `array_agg(DISTINCT x ORDER BY x DESC)` or `string_agg` around to fit
//! them, or another such call, and then leaves its values in that order. It does not know the order of what another
//! function returns, so here the values come from one.

use super::named::map_named;
use datafusion::common::tree_node::{Transformed, TreeNode as _};
use datafusion::common::{Result, internal_err};
use datafusion::logical_expr::{Expr, LogicalPlan, ScalarUDF, lit};
use datafusion::optimizer::{ApplyOrder, OptimizerConfig, OptimizerRule};
use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

/// Returns its first argument. The second is the order: DataFusion must not know from a list in one order that of
/// another.
static SAME: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    fn first<T: Clone>(arguments: &[T]) -> Result<T> {
        let [first, _] = arguments else { return internal_err!("{} arguments", arguments.len()) };
        Ok(first.clone())
    }
    guard::function("same", first, first)
});

/// The optimizer rule.
#[derive(Debug)]
pub(super) struct KeepAggregateOrders;

impl OptimizerRule for KeepAggregateOrders {
    fn name(&self) -> &'static str {
        "keep_aggregate_orders"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::TopDown)
    }

    fn rewrite(&self, plan: LogicalPlan, _config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        match plan {
            LogicalPlan::Aggregate(_) => map_named(plan, |expression| expression.transform_up(keep_order)),
            _ => Ok(Transformed::no(plan)),
        }
    }
}

fn keep_order(mut expression: Expr) -> Result<Transformed<Expr>> {
    let Expr::AggregateFunction(call) = &mut expression else { return Ok(Transformed::no(expression)) };
    let (params, mut seen) = (&mut call.params, HashSet::new());
    let before = params.order_by.len();
    params.order_by.retain(|key| seen.insert(key.expr.clone()));
    let mut is_changed = params.order_by.len() < before;
    let is_hidden = |value: &Expr| matches!(value, Expr::ScalarFunction(of) if of.func == *SAME);
    if let (Some(value), [key]) = (params.args.first_mut(), params.order_by.as_mut_slice())
        && params.distinct
        && key.expr == *value
        && !is_hidden(value)
    {
        *value = SAME.call(vec![value.clone(), lit(key.asc)]);
        key.expr = value.clone();
        is_changed = true;
    }
    Ok(Transformed::new_transformed(expression, is_changed))
}

#[cfg(test)]
mod tests {
    use super::KeepAggregateOrders;
    use datafusion::arrow::util::pretty::pretty_format_batches;
    use datafusion::common::Result;
    use datafusion::execution::session_state::SessionStateBuilder;
    use datafusion::prelude::SessionContext;
    use std::sync::Arc;

    const REPEATED: &str = "array_agg(x ORDER BY y DESC, x, t.y, x DESC)";
    const OPPOSITE: &str = "array_agg(DISTINCT x ORDER BY x DESC)";
    const SORTED: &str = "(SELECT value AS x, CAST(value AS varchar) AS t FROM range(0, 6) ORDER BY x, t LIMIT 3) AS t";
    const ROWS: &str = "(SELECT value AS x, value % 2 AS y FROM range(0, 6)) AS t";

    async fn answer(sql: &str, is_with_rule: bool) -> Result<String> {
        let mut builder = SessionStateBuilder::new().with_default_features();
        if is_with_rule {
            builder = builder.with_optimizer_rule(Arc::new(KeepAggregateOrders));
        }
        let rows = SessionContext::new_with_state(builder.build()).sql(sql).await?.collect().await?;
        // Three lines for the header.
        Ok(pretty_format_batches(&rows)?.to_string().lines().nth(3).unwrap_or_default().to_owned())
    }

    #[tokio::test]
    async fn repeated_keys_make_no_difference_and_distinct_values_are_in_order() {
        let by_group = "max(y) AS m, first_value(x ORDER BY y DESC, y) AS a";
        for (sql, expected) in [
            (format!("SELECT {REPEATED} AS a FROM {ROWS} HAVING {REPEATED}[1] = 1"), "| [1, 3, 5, 0, 2, 4] |"),
            (format!("SELECT {by_group} FROM {ROWS} GROUP BY x % 1"), "| 1 | 1 |"),
            (format!("SELECT DISTINCT ON (x % 1) x, y FROM {ROWS} ORDER BY x % 1, y DESC, y, x"), "| 1 | 1 |"),
            (format!("SELECT {OPPOSITE} AS a FROM {SORTED}"), "| [2, 1, 0] |"),
            (format!("SELECT array_agg(DISTINCT x ORDER BY x) AS a FROM {SORTED}"), "| [0, 1, 2] |"),
            (format!("SELECT array_agg(DISTINCT x ORDER BY x DESC, x) AS a FROM {SORTED}"), "| [2, 1, 0] |"),
            (
                format!("SELECT array_agg(DISTINCT x ORDER BY x) AS a, {OPPOSITE} AS b FROM {SORTED}"),
                "| [0, 1, 2] | [2, 1, 0] |",
            ),
            (format!("SELECT string_agg(DISTINCT t, ' ' ORDER BY t DESC) AS a FROM {SORTED}"), "| 2 1 0 |"),
        ] {
            let found = answer(&sql, true).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
            assert_eq!(found, expected, "{sql}");
        }
    }

    /// When this fails, DataFusion has been fixed.
    #[tokio::test]
    async fn datafusion_still_needs_this() {
        assert!(answer(&format!("SELECT {REPEATED} FROM {ROWS}"), false).await.is_err());
        assert_ne!(answer(&format!("SELECT {OPPOSITE} AS a FROM {SORTED}"), false).await.unwrap(), "| [2, 1, 0] |");
    }
}
