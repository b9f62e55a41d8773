//! Refuses IN and NOT IN where DataFusion 55.2 forgets that a null may be among the values, or cannot plan them.
//!
//! `x IN (SELECT y …)` is null if `x` is null, or if no `y` equals it and one is null. DataFusion makes that false. For
//! a condition that changes nothing, even below AND and OR: it omits rows where it is null, as those where it is false.
//! Elsewhere, such as in `NOT (x IN (SELECT y …) AND …)`, an answer has rows that it should not have.
//!
//! DataFusion knows the nulls of NOT IN if it is a condition by itself, and reads a column. If its query also reads a
//! column of the query around it, DataFusion cannot plan that.

use super::unnested::{ELSEWHERE, is_subquery};
use datafusion::common::tree_node::{TreeNode as _, TreeNodeRecursion};
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::expr::{Case, InSubquery};
use datafusion::logical_expr::utils::split_conjunction;
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable as _, LogicalPlan, Operator, lit};

/// Fails if a plan has an IN or NOT IN that may be wrong.
pub(super) fn check_in_subqueries(plan: &LogicalPlan) -> Result<()> {
    plan.apply_with_subqueries(|node| {
        node.apply_expressions(|expression| {
            let place = match node {
                LogicalPlan::Filter(_) => ExpressionPlace::Conjunct,
                LogicalPlan::Join(join) if join.filter.as_ref() == Some(expression) => ExpressionPlace::Condition,
                LogicalPlan::Join(_) => ExpressionPlace::Value,
                _ if expression.exists(|part| Ok(is_subquery(part)))? => return plan_err!("{ELSEWHERE}"),
                _ => return Ok(TreeNodeRecursion::Continue),
            };
            check(expression, place, node)?;
            Ok(TreeNodeRecursion::Continue)
        })
    })?;
    Ok(())
}

/// Where an expression stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ExpressionPlace {
    /// A condition by itself.
    Conjunct,
    /// A part of a condition, for which null is the same as false.
    Condition,
    /// Null may differ from false.
    Value,
}

fn check(expression: &Expr, place: ExpressionPlace, node: &LogicalPlan) -> Result<()> {
    if let Some((query, negated)) = in_subquery(expression) {
        // DataFusion cannot plan it as a condition by itself, whatever its values.
        if negated && !query.subquery.outer_ref_columns.is_empty() {
            return plan_err!("{NOT_IN_OUTER}");
        }
        let is_known = match place {
            ExpressionPlace::Conjunct if negated => !query.expr.column_refs().is_empty(),
            ExpressionPlace::Conjunct | ExpressionPlace::Condition => !negated,
            ExpressionPlace::Value => false,
        };
        if !is_known && may_be_null(query, node) {
            return plan_err!("{}", if negated { NOT_IN } else { IN });
        }
        return check(&query.expr, ExpressionPlace::Value, node);
    }
    // Of a part whose value becomes that of the expression.
    let place_of_value = match place {
        ExpressionPlace::Value => ExpressionPlace::Value,
        ExpressionPlace::Conjunct | ExpressionPlace::Condition => ExpressionPlace::Condition,
    };
    let place_of_parts = match expression {
        Expr::BinaryExpr(BinaryExpr { op: Operator::And, .. }) => place,
        Expr::BinaryExpr(BinaryExpr { op: Operator::Or, .. }) => place_of_value,
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Eq, right })
            if **left == lit(true) || **right == lit(true) =>
        {
            place_of_value
        }
        // For these, null is the same as false.
        Expr::IsTrue(_) | Expr::IsNotTrue(_) => ExpressionPlace::Condition,
        Expr::Case(Case { expr: None, when_then_expr, else_expr }) => {
            for (when, then) in when_then_expr {
                check(when, ExpressionPlace::Condition, node)?;
                check(then, place_of_value, node)?;
            }
            return else_expr.as_ref().map_or(Ok(()), |value| check(value, place_of_value, node));
        }
        _ => ExpressionPlace::Value,
    };
    expression.apply_children(|part| {
        check(part, place_of_parts, node)?;
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(())
}

const IN: &str = "IN over values that may be null must be a condition or a part of its AND and OR; use EXISTS instead";
const NOT_IN: &str = "NOT IN over values that may be null must be a condition of its own, on a column, with a query that \
                      reads only its own tables; use NOT EXISTS instead";
const NOT_IN_OUTER: &str =
    "NOT IN is supported only with a query that reads only its own tables; use NOT EXISTS instead";

/// The query of an IN or NOT IN, and whether it is NOT IN.
fn in_subquery(expression: &Expr) -> Option<(&InSubquery, bool)> {
    match expression {
        Expr::InSubquery(query) => Some((query, query.negated)),
        Expr::Not(inner) => match inner.as_ref() {
            Expr::InSubquery(query) if !query.negated => Some((query, true)),
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
    use super::{ELSEWHERE, check_in_subqueries};
    use datafusion::prelude::SessionContext;

    const TABLES: &str = "WITH t (x, n) AS (VALUES ('a', 1), (NULL, 2)), full AS (SELECT value FROM range(0, 3))";

    async fn check(condition: &str) -> Result<(), String> {
        let context = SessionContext::new();
        let plan = context.state().create_logical_plan(&format!("{TABLES} SELECT count(*) FROM t {condition}")).await;
        check_in_subqueries(&plan.unwrap()).map_err(|error| error.to_string())
    }

    #[tokio::test]
    async fn not_in_is_refused_where_nulls_are_forgotten() {
        for condition in [
            "WHERE 'b' NOT IN (SELECT x FROM t)",
            "WHERE n = 7 OR x NOT IN (SELECT x FROM t)",
            "WHERE n = 7 OR NOT (x IN (SELECT x FROM t))",
            "WHERE NOT (NOT (x IN (SELECT x FROM t)))",
            "WHERE CASE WHEN x NOT IN (SELECT x FROM t) THEN true END",
            "WHERE x NOT IN (SELECT x FROM t AS other WHERE other.n > t.n)",
            "WHERE n NOT IN (SELECT value FROM full WHERE value = t.n)",
            "WHERE n IN (SELECT 1 FROM t AS other WHERE 'b' NOT IN (SELECT x FROM t))",
            "JOIN t AS other ON other.n = t.n AND t.x NOT IN (SELECT x FROM t)",
        ] {
            let error = check(condition).await.expect_err(condition);
            assert!(error.contains("use NOT EXISTS instead"), "{condition}: {error}");
        }
    }

    #[tokio::test]
    async fn in_is_refused_where_null_differs_from_false() {
        for condition in [
            "WHERE NOT (x IN (SELECT x FROM t) AND n = 7)",
            "WHERE (x IN (SELECT x FROM t)) IS FALSE",
            "WHERE (x IN (SELECT x FROM t)) IS NULL",
            "WHERE (x IN (SELECT x FROM t)) = (n = 7)",
            "WHERE (x IN (SELECT x FROM t)) <> (n = 7)",
            "WHERE NOT ((x IN (SELECT x FROM t)) = true)",
            "WHERE (CASE WHEN n = 1 THEN x IN (SELECT x FROM t) END) IS FALSE",
            "WHERE CASE x IN (SELECT x FROM t) WHEN false THEN true ELSE true END",
            "WHERE coalesce(x IN (SELECT x FROM t), true)",
            "WHERE CASE WHEN n = 1 THEN NOT (x IN (SELECT x FROM t) OR n = 2) END",
            "WHERE x IN (SELECT x FROM t) AND (x IN (SELECT x FROM t)) IS FALSE",
            "WHERE n > 0 AND (x IN (SELECT x FROM t)) IN (SELECT true)",
            "WHERE EXISTS (SELECT 1 FROM t AS other WHERE (other.x IN (SELECT x FROM t)) IS NULL)",
            "GROUP BY x HAVING NOT (x IN (SELECT x FROM t) AND count(*) > 1)",
            "JOIN t AS other ON other.n = t.n AND NOT (t.x IN (SELECT x FROM t) AND t.n = 7)",
        ] {
            let error = check(condition).await.expect_err(condition);
            assert!(error.contains("use EXISTS instead"), "{condition}: {error}");
        }
    }

    #[tokio::test]
    async fn subqueries_outside_of_conditions_are_refused() {
        for select in [
            "x IN (SELECT x FROM t)",
            "DISTINCT n, EXISTS (SELECT 1 FROM t)",
            "n < ANY (SELECT value FROM full)",
            "sum(CASE WHEN x IN (SELECT x FROM t) THEN 1 END)",
            "count(*) FILTER (WHERE x IN (SELECT x FROM t))",
            "(SELECT CASE WHEN 1 IN (SELECT n FROM t) THEN 1 ELSE 2 END)",
        ] {
            let context = SessionContext::new();
            let plan = context.state().create_logical_plan(&format!("{TABLES} SELECT {select} FROM t")).await;
            let error = check_in_subqueries(&plan.unwrap()).expect_err(select).to_string();
            assert!(error.contains(ELSEWHERE), "{select}: {error}");
        }
    }

    #[tokio::test]
    async fn others_are_answered() {
        for condition in [
            "WHERE x NOT IN (SELECT x FROM t)",
            "WHERE n > 0 AND x NOT IN (SELECT x FROM t)",
            "WHERE n > 0 AND NOT (x IN (SELECT x FROM t))",
            "WHERE n = 7 OR x IN (SELECT x FROM t)",
            "WHERE n > 0 AND (n = 7 OR (n > 1 AND x IN (SELECT x FROM t)))",
            "WHERE NOT (5 IN (SELECT value FROM full) AND n = 7)",
            "GROUP BY x HAVING x IN (SELECT x FROM t) OR count(*) > 1",
            "JOIN t AS other ON other.n = t.n AND (t.x IN (SELECT x FROM t) OR t.n = 7)",
            "WHERE (x IN (SELECT x FROM t)) IS TRUE OR (x IN (SELECT x FROM t) AND n = 7) IS NOT TRUE",
            "WHERE (x IN (SELECT x FROM t)) = true AND true = (x IN (SELECT x FROM t))",
            "WHERE CASE WHEN x IN (SELECT x FROM t) THEN n = 7 WHEN n = 2 THEN x IN (SELECT x FROM t) ELSE true END",
            "WHERE 'b' NOT IN (SELECT x FROM t WHERE n > 0 AND x IS NOT NULL)",
            "WHERE 'b' NOT IN ('a', 'b')",
            "WHERE n = 7 OR 5 NOT IN (SELECT value FROM full)",
            "WHERE NOT EXISTS (SELECT 1 FROM t AS other WHERE other.x = t.x)",
        ] {
            assert_eq!(check(condition).await, Ok(()), "{condition}");
        }
    }
}
