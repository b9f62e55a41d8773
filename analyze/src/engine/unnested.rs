//! Refuses statements with a subquery that DataFusion 55.2 cannot make a join. Otherwise its messages would name parts
//! of plans, and columns that nobody wrote.

use super::correlated::unsupported;
use datafusion::common::tree_node::{TreeNode as _, TreeNodeRecursion};
use datafusion::common::{DataFusionError, Result, plan_err};
use datafusion::execution::session_state::SessionState;
use datafusion::logical_expr::{Expr, LogicalPlan};

/// The optimizer rules that make subqueries joins.
const RULES: [&str; 3] = ["decorrelate_predicate_subquery", "scalar_subquery_to_join", "decorrelate_lateral_join"];

/// Why IN and EXISTS are refused outside of conditions, and what to write in their place.
pub(super) const ELSEWHERE: &str = "IN and EXISTS with a query are supported only in WHERE and HAVING; elsewhere, write \
     LEFT JOIN (SELECT DISTINCT x FROM t) AS m ON m.x = …, and test m.x IS NOT NULL";

/// Optimises an analysed plan. Fails if a subquery stays that should be a join.
pub(super) fn optimise(analysed: LogicalPlan, state: &SessionState) -> Result<LogicalPlan> {
    let optimised = state.optimizer().optimize(analysed, state, |_, _| {}).map_err(|error| {
        let is_of_rule = |text: &str| RULES.iter().any(|rule| text == format!("Optimizer rule '{rule}' failed"));
        match error {
            DataFusionError::Context(text, _) if is_of_rule(&text) => unsupported(),
            other => other,
        }
    })?;
    optimised.apply_with_subqueries(|node| {
        if node.contains_outer_reference() {
            return Err(unsupported());
        }
        node.apply_expressions(|expression| {
            // The conditions of a scan are hints. A filter above the scan has them, too.
            if !matches!(node, LogicalPlan::TableScan(_)) && expression.exists(|part| Ok(is_subquery(part)))? {
                return plan_err!("{ELSEWHERE}");
            }
            Ok(TreeNodeRecursion::Continue)
        })
    })?;
    Ok(optimised)
}

/// Whether a plan has a subquery that must become a join.
pub(super) fn has_subqueries(plan: &LogicalPlan) -> Result<bool> {
    let mut found = false;
    plan.apply_with_subqueries(|node| {
        found |= node.contains_outer_reference();
        node.apply_expressions(|expression| {
            found |= expression.exists(|part| Ok(is_subquery(part)))?;
            Ok(TreeNodeRecursion::Continue)
        })?;
        Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    })?;
    Ok(found)
}

/// Whether an expression must become a join. A scalar subquery may stay: DataFusion computes it before the statement.
pub(super) fn is_subquery(expression: &Expr) -> bool {
    matches!(expression, Expr::InSubquery(_) | Expr::Exists(_) | Expr::SetComparison(_))
}

#[cfg(test)]
mod tests {
    use super::super::once::execute;
    use super::ELSEWHERE;
    use datafusion::prelude::SessionContext;

    const TABLES: &str = "WITH t (x, k) AS (VALUES (1, 10), (2, 20)), u AS (SELECT value AS y FROM range(0, 3)),
        v AS (SELECT y, count(*) AS n FROM u GROUP BY y)";

    async fn plan(query: &str) -> Result<(), String> {
        let context = SessionContext::new();
        let plan = context.state().create_logical_plan(query).await.unwrap();
        execute(plan, &context, &Default::default()).await.map(|_| ()).map_err(|error| error.strip_backtrace())
    }

    #[tokio::test]
    async fn each_error_has_its_cause() {
        const UNSUPPORTED: &str = "this kind of correlated subquery is not supported";
        for (query, expected) in [
            ("SELECT k FROM t LEFT JOIN u ON y = k AND x IN (SELECT n FROM v)", ELSEWHERE),
            ("SELECT a.n FROM v AS a JOIN v AS b ON a.y = b.n WHERE a.y = (SELECT 1 WHERE EXISTS (SELECT 1))", ""),
            ("SELECT k FROM t FULL JOIN v ON y = k AND EXISTS (SELECT 1 FROM v AS w WHERE w.y = x)", ELSEWHERE),
            ("SELECT sum((SELECT count(*) FROM u WHERE y = x)) FROM t", UNSUPPORTED),
            ("SELECT k FROM t, LATERAL (SELECT x + 1) AS s", UNSUPPORTED),
            ("SELECT k FROM t WHERE CAST('a' AS int) = 1 AND EXISTS (SELECT 1 FROM u WHERE y = x)", "string 'a'"),
            ("SELECT k FROM t WHERE EXISTS (SELECT 1 FROM u WHERE y = x AND now() > DATE '2024-02-30')", "2024-02-30"),
            ("SELECT k FROM t JOIN u ON y = k AND x IN (SELECT n FROM v) WHERE k > (SELECT max(y) FROM u)", ""),
        ] {
            for explain in ["", "EXPLAIN"] {
                match plan(&format!("{explain} {TABLES} {query}")).await {
                    Ok(()) => assert_eq!(expected, "", "{query}"),
                    Err(error) => assert!(!expected.is_empty() && error.contains(expected), "{query}: {error}"),
                }
            }
        }
    }
}
