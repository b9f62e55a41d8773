//! Compares spans of time by how long they are.
//!
//! DataFusion 55.2 compares intervals by their months, then by their days, and then by the rest. The difference of two
//! times has no days, so it was always less than `INTERVAL '1 day'`. No issue about it is known.

use super::named::map_named;
use datafusion::arrow::datatypes::IntervalMonthDayNano;
use datafusion::common::tree_node::{Transformed, TreeNode as _};
use datafusion::common::{Result, ScalarValue, plan_err};
use datafusion::logical_expr::expr::InList;
use datafusion::logical_expr::{Between, BinaryExpr, Case, Expr, LogicalPlan, Operator};

/// Why such intervals are refused, and what to write in their place.
const OF_MONTHS: &str = "an interval of months or years has no fixed length, so nothing can be compared with it; write \
     later > earlier + INTERVAL '1 month'";

const NANOSECONDS_A_DAY: i64 = 86_400_000_000_000;

/// Gives compared intervals no days, but as many hours. Fails if one has months, which differ in length.
pub(super) fn compare_intervals(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    map_named(plan, |expression| expression.transform_up(compare))
}

fn compare(mut expression: Expr) -> Result<Transformed<Expr>> {
    let compared: Vec<&mut Expr> = match &mut expression {
        Expr::BinaryExpr(BinaryExpr { left, op, right }) if op.supports_propagation() => vec![left, right],
        Expr::Between(Between { expr, low, high, .. }) => vec![expr, low, high],
        Expr::InList(InList { expr, list, .. }) => std::iter::once(expr.as_mut()).chain(list).collect(),
        Expr::Case(Case { expr: Some(expr), when_then_expr, .. }) => {
            std::iter::once(expr.as_mut()).chain(when_then_expr.iter_mut().map(|(when, _)| when.as_mut())).collect()
        }
        Expr::ScalarFunction(call) if call.name() == "nullif" => call.args.iter_mut().collect(),
        _ => return Ok(Transformed::no(expression)),
    };
    let mut is_changed = false;
    for side in compared {
        is_changed |= without_days(side)?;
    }
    Ok(Transformed::new_transformed(expression, is_changed))
}

/// Changes an interval that is written down, or a sum of such. Whether there was one with days.
fn without_days(side: &mut Expr) -> Result<bool> {
    match side {
        Expr::Literal(ScalarValue::IntervalMonthDayNano(Some(span)), _) => {
            if span.months != 0 {
                return plan_err!("{OF_MONTHS}");
            }
            let hours = i64::from(span.days).checked_mul(NANOSECONDS_A_DAY);
            let Some(all) = hours.and_then(|hours| hours.checked_add(span.nanoseconds)) else { return Ok(false) };
            let has_days = span.days != 0;
            *span = IntervalMonthDayNano::new(0, 0, all);
            Ok(has_days)
        }
        Expr::Negative(of) => without_days(of),
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Plus | Operator::Minus, right })
            if is_interval(left) && is_interval(right) =>
        {
            Ok(without_days(left)? | without_days(right)?)
        }
        _ => Ok(false),
    }
}

/// Whether an expression is an interval that is written down, or a sum of such.
fn is_interval(side: &Expr) -> bool {
    match side {
        Expr::Literal(ScalarValue::IntervalMonthDayNano(_), _) => true,
        Expr::Negative(of) => is_interval(of),
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Plus | Operator::Minus, right }) => {
            is_interval(left) && is_interval(right)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::fixture::answer_with_optimizer;
    use crate::engine::logical_rules::logical_rules;
    use datafusion::execution::session_state::SessionStateBuilder;
    use datafusion::optimizer::optimizer::Optimizer;
    use datafusion::prelude::SessionContext;

    /// True conditions; `b` is 36 hours after `a`.
    const CONDITIONS: [&str; 12] = [
        "b - a > INTERVAL '1 day'",
        "INTERVAL '1 week' > b - a",
        "b - a BETWEEN INTERVAL '1 day' AND INTERVAL '2 days'",
        "b - a = INTERVAL '1 day 12 hours'",
        "b - a IN (INTERVAL '1 day' + INTERVAL '12 hours')",
        "a - b < -INTERVAL '1 day'",
        "INTERVAL '36 hours' > INTERVAL '1 day'",
        "CASE WHEN b - a >= INTERVAL '1 day' THEN true END",
        "CASE b - a WHEN INTERVAL '2 days' THEN false WHEN INTERVAL '1 day 12 hours' THEN true END",
        "CASE INTERVAL '1 day 12 hours' WHEN b - a THEN true END",
        "nullif(b - a, INTERVAL '1 day 12 hours') IS NULL",
        "b - a IS NOT DISTINCT FROM INTERVAL '1 day 12 hours'",
    ];

    fn sql(condition: &str) -> String {
        format!(
            "SELECT count(*) AS n FROM (SELECT TIMESTAMP '2026-01-01 00:00:00' AS a, TIMESTAMP '2026-01-02 12:00:00' AS b
            FROM range(0, 1)) AS t WHERE {condition}"
        )
    }

    #[tokio::test]
    async fn days_have_24_hours() {
        for condition in CONDITIONS {
            let rows = answer_with_optimizer(Optimizer::with_rules(logical_rules()), &sql(condition)).await;
            assert!(rows.contains("| 1 |"), "{condition}: {rows}");
        }
    }

    /// When this fails, DataFusion has been fixed.
    #[tokio::test]
    async fn datafusion_still_needs_this() {
        assert!(!answer_with_optimizer(Optimizer::new(), &sql(CONDITIONS[0])).await.contains("| 1 |"));
    }

    #[tokio::test]
    async fn months_have_no_length() {
        let state = SessionStateBuilder::new().with_default_features().with_optimizer_rules(logical_rules());
        let context = SessionContext::new_with_state(state.build());
        let within = context.sql(&sql("b > a + INTERVAL '1 day' AND b < a + INTERVAL '1 month'")).await.unwrap();
        assert_eq!(within.count().await.unwrap(), 1);
        let refused = context.sql(&sql("b - a < INTERVAL '1 month'")).await.unwrap().collect().await.unwrap_err();
        assert!(refused.to_string().contains("no fixed length"), "{refused}");
    }
}
