//! The order of `array_agg(DISTINCT x ORDER BY x DESC)` and of `string_agg`.
//!
//! If the rows come in the opposite order, DataFusion 55.2 turns such a function around to fit them, and then leaves its
//! values in that order. No issue about it is known. It does not know the order of what another function returns, so
//! here the values come from one.

use datafusion::common::tree_node::{Transformed, TreeNode as _};
use datafusion::common::{Result, internal_err};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{Expr, LogicalPlan, ScalarUDF};
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};
use std::sync::{Arc, LazyLock};

/// Returns its only argument.
static SAME: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    fn only<T: Clone>(arguments: &[T]) -> Result<T> {
        let [only] = arguments else { return internal_err!("{} arguments", arguments.len()) };
        Ok(only.clone())
    }
    guard::function("same", only, only)
});

/// The optimizer rule.
#[derive(Debug)]
pub(super) struct HideDistinctOrders;

impl OptimizerRule for HideDistinctOrders {
    fn name(&self) -> &'static str {
        "hide_distinct_orders"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::TopDown)
    }

    fn rewrite(&self, plan: LogicalPlan, _config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        if !matches!(plan, LogicalPlan::Aggregate(_)) {
            return Ok(Transformed::no(plan));
        }
        let names = NamePreserver::new(&plan);
        plan.map_expressions(|expression| {
            let name = names.save(&expression);
            Ok(expression.transform_up(hide)?.update_data(|expression| name.restore(expression)))
        })
    }
}

fn hide(mut expression: Expr) -> Result<Transformed<Expr>> {
    let Expr::AggregateFunction(call) = &mut expression else { return Ok(Transformed::no(expression)) };
    let params = &mut call.params;
    let is_hidden = |value: &Expr| matches!(value, Expr::ScalarFunction(of) if of.func == *SAME);
    match (params.args.first_mut(), params.order_by.as_mut_slice()) {
        (Some(value), [key]) if params.distinct && key.expr == *value && !is_hidden(value) => {
            *value = SAME.call(vec![value.clone()]);
            key.expr = value.clone();
            Ok(Transformed::yes(expression))
        }
        _ => Ok(Transformed::no(expression)),
    }
}

#[cfg(test)]
mod tests {
    use super::HideDistinctOrders;
    use datafusion::arrow::util::pretty::pretty_format_batches;
    use datafusion::execution::session_state::SessionStateBuilder;
    use datafusion::prelude::SessionContext;
    use std::sync::Arc;

    const ROWS: &str = "(SELECT value AS x, CAST(value AS varchar) AS t FROM range(0, 6) ORDER BY x, t LIMIT 3) AS t";

    async fn answer(call: &str, is_with_rule: bool) -> String {
        let mut builder = SessionStateBuilder::new().with_default_features();
        if is_with_rule {
            builder = builder.with_optimizer_rule(Arc::new(HideDistinctOrders));
        }
        let context = SessionContext::new_with_state(builder.build());
        let rows = context.sql(&format!("SELECT {call} AS a FROM {ROWS}")).await.unwrap().collect().await.unwrap();
        pretty_format_batches(&rows).unwrap().to_string()
    }

    #[tokio::test]
    async fn values_have_the_order_of_the_call() {
        for (call, expected) in [
            ("array_agg(DISTINCT x ORDER BY x DESC)", "| [2, 1, 0] |"),
            ("array_agg(DISTINCT x ORDER BY x)", "| [0, 1, 2] |"),
            ("string_agg(DISTINCT t, ' ' ORDER BY t DESC)", "| 2 1 0 |"),
        ] {
            let found = answer(call, true).await;
            assert!(found.contains(expected), "{call}: {found}");
        }
    }

    /// When this fails, DataFusion has been fixed.
    #[tokio::test]
    async fn datafusion_still_needs_this() {
        assert!(!answer("array_agg(DISTINCT x ORDER BY x DESC)", false).await.contains("[2, 1, 0]"));
    }
}
