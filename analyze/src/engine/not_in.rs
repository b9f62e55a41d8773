//! Refuses NOT IN where DataFusion 55.2 forgets that a null may be among the values.
//!
//! `x NOT IN (SELECT y …)` is not true if a `y` is null. DataFusion knows that if it is a condition by itself, reads a
//! column, and its query reads none of the query around it. Elsewhere, such as in `… OR x NOT IN (SELECT y …)`, it takes
//! nulls for values like others, and an answer has rows that it should not have.

use datafusion::common::tree_node::{TreeNode as _, TreeNodeRecursion};
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::expr::InSubquery;
use datafusion::logical_expr::utils::split_conjunction;
use datafusion::logical_expr::{Expr, ExprSchemable as _, LogicalPlan};

/// Fails if a plan has a NOT IN that may be wrong.
pub(super) fn check_not_in(plan: &LogicalPlan) -> Result<()> {
    plan.apply_with_subqueries(|node| {
        let by_itself = match node {
            LogicalPlan::Filter(filter) => split_conjunction(&filter.predicate),
            _ => Vec::new(),
        };
        node.apply_expressions(|expression| {
            expression.apply(|part| {
                let Some(query) = negated(part) else { return Ok(TreeNodeRecursion::Continue) };
                let is_known = by_itself.contains(&part)
                    && query.subquery.outer_ref_columns.is_empty()
                    && !query.expr.column_refs().is_empty();
                if !is_known && may_be_null(query, node) {
                    return plan_err!(
                        "NOT IN over values that may be null must be a condition of its own, on a column, with a query that \
                         reads only its own tables; use NOT EXISTS instead"
                    );
                }
                // `NOT (x IN …)` has been seen as a whole.
                Ok(TreeNodeRecursion::Jump)
            })
        })
    })?;
    Ok(())
}

/// The query of a NOT IN.
fn negated(expression: &Expr) -> Option<&InSubquery> {
    match expression {
        Expr::InSubquery(query) if query.negated => Some(query),
        Expr::Not(inner) => match inner.as_ref() {
            Expr::InSubquery(query) if !query.negated => Some(query),
            _ => None,
        },
        _ => None,
    }
}

fn may_be_null(query: &InSubquery, node: &LogicalPlan) -> bool {
    let is_nullable = node.inputs().iter().any(|input| query.expr.nullable(input.schema()).unwrap_or(true));
    is_nullable || values_may_be_null(&query.subquery.subquery)
}

/// Whether the first column of a query may be null. A condition excludes that, if it is the last step.
fn values_may_be_null(query: &LogicalPlan) -> bool {
    let is_nullable = query.schema().fields().first().is_none_or(|field| field.is_nullable());
    let column = match query {
        LogicalPlan::Projection(projection) => projection.expr.first(),
        _ => None,
    };
    let excludes_nulls = |filter: &Expr| matches!(filter, Expr::IsNotNull(value) if Some(value.as_ref()) == column);
    let is_filtered = query.inputs().iter().any(|input| {
        matches!(input, LogicalPlan::Filter(filter) if split_conjunction(&filter.predicate).into_iter().any(excludes_nulls))
    });
    is_nullable && !is_filtered
}

#[cfg(test)]
mod tests {
    use super::check_not_in;
    use datafusion::prelude::SessionContext;

    const TABLES: &str = "WITH t (x, n) AS (VALUES ('a', 1), (NULL, 2)), full AS (SELECT value FROM range(0, 3))";

    async fn check(condition: &str) -> Result<(), String> {
        let context = SessionContext::new();
        let plan = context.state().create_logical_plan(&format!("{TABLES} SELECT count(*) FROM t {condition}")).await;
        check_not_in(&plan.unwrap()).map_err(|error| error.to_string())
    }

    #[tokio::test]
    async fn not_in_is_refused_where_nulls_are_forgotten() {
        for condition in [
            "WHERE 'b' NOT IN (SELECT x FROM t)",
            "WHERE n = 7 OR x NOT IN (SELECT x FROM t)",
            "WHERE n = 7 OR NOT (x IN (SELECT x FROM t))",
            "WHERE CASE WHEN x NOT IN (SELECT x FROM t) THEN true END",
            "WHERE x NOT IN (SELECT x FROM t AS other WHERE other.n > t.n)",
            "WHERE n IN (SELECT 1 FROM t AS other WHERE 'b' NOT IN (SELECT x FROM t))",
        ] {
            let error = check(condition).await.expect_err(condition);
            assert!(error.contains("use NOT EXISTS instead"), "{condition}: {error}");
        }
    }

    #[tokio::test]
    async fn not_in_is_answered_elsewhere() {
        for condition in [
            "WHERE x NOT IN (SELECT x FROM t)",
            "WHERE n > 0 AND x NOT IN (SELECT x FROM t)",
            "WHERE n > 0 AND NOT (x IN (SELECT x FROM t))",
            "WHERE n = 7 OR x IN (SELECT x FROM t)",
            "WHERE 'b' NOT IN (SELECT x FROM t WHERE n > 0 AND x IS NOT NULL)",
            "WHERE 'b' NOT IN ('a', 'b')",
            "WHERE n = 7 OR 5 NOT IN (SELECT value FROM full)",
            "WHERE NOT EXISTS (SELECT 1 FROM t AS other WHERE other.x = t.x)",
        ] {
            assert_eq!(check(condition).await, Ok(()), "{condition}");
        }
    }
}
