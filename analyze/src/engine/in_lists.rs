//! Lists of values that DataFusion 55.2 joins wrongly.
//!
//! It makes one list of two: `x IN (1, y) AND x NOT IN (1, 2)` becomes `x IN (y)`. But it compares the values as they
//! are written, so a column or a null in a list counts as another value than those in the other list. And if no value
//! is left, the condition becomes false or true even if `x` is null. So each list is left with literals only, and two
//! lists without a common value are joined here. DataFusion fixed the last in
//! [apache/datafusion#24258](https://github.com/apache/datafusion/pull/24258).

use datafusion::common::tree_node::{Transformed, TreeNode as _};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::expr::InList;
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{BinaryExpr, Expr, LogicalPlan, Operator, lit};
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};

/// The optimizer rule, for use before expressions are simplified.
#[derive(Debug)]
pub(super) struct JoinLists;

impl OptimizerRule for JoinLists {
    fn name(&self) -> &'static str {
        "join_lists"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::TopDown)
    }

    fn rewrite(&self, plan: LogicalPlan, _config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        let names = NamePreserver::new(&plan);
        plan.map_expressions(|expression| {
            let name = names.save(&expression);
            Ok(expression.transform_up(rewrite)?.update_data(|expression| name.restore(expression)))
        })
    }
}

fn rewrite(expression: Expr) -> Result<Transformed<Expr>> {
    let rewritten = match &expression {
        Expr::InList(list) => with_literals(list),
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => match (left.as_ref(), right.as_ref()) {
            (Expr::InList(left), Expr::InList(right)) if left.expr == right.expr => without_common(left, *op, right),
            _ => None,
        },
        _ => None,
    };
    Ok(rewritten.map_or_else(|| Transformed::no(expression), Transformed::yes))
}

/// Makes comparisons of the values that are no literals, if there are any.
fn with_literals(list: &InList) -> Option<Expr> {
    let is_literal = |value: &&Expr| matches!(value, Expr::Literal(value, _) if !value.is_null());
    let (literals, others): (Vec<_>, Vec<_>) = list.list.iter().partition(is_literal);
    // DataFusion makes IN over a query of a list whose only value is a query.
    let is_query = matches!(list.list.as_slice(), [Expr::ScalarSubquery(_)]);
    if others.is_empty() || is_query || list.expr.is_volatile() {
        return None;
    }
    let compare = |value: &Expr| match list.negated {
        true => list.expr.as_ref().clone().not_eq(value.clone()),
        false => list.expr.as_ref().clone().eq(value.clone()),
    };
    let mut parts: Vec<Expr> = others.into_iter().map(compare).collect();
    if !literals.is_empty() {
        parts.push(list.expr.as_ref().clone().in_list(literals.into_iter().cloned().collect(), list.negated));
    }
    // In pairs, so that a long list does not become a deep expression.
    while parts.len() > 1 {
        let join = |left: Expr, right: Expr| if list.negated { left.and(right) } else { left.or(right) };
        parts = parts.chunks(2).filter_map(|pair| pair.iter().cloned().reduce(join)).collect();
    }
    parts.pop()
}

/// The condition of two lists of literals that no value, or every value, fulfils. It is null for a null.
fn without_common(left: &InList, op: Operator, right: &InList) -> Option<Expr> {
    let has_all = |list: &InList, values: &InList| values.list.iter().all(|value| list.list.contains(value));
    let has_none = match (op, left.negated, right.negated) {
        (Operator::And, false, false) | (Operator::Or, true, true) => {
            !left.list.iter().any(|value| right.list.contains(value))
        }
        (Operator::And, false, true) => has_all(right, left),
        (Operator::And, true, false) => has_all(left, right),
        _ => false,
    };
    let null = || lit(ScalarValue::Boolean(None));
    let value = left.expr.as_ref().clone();
    has_none.then(|| match op {
        Operator::Or => value.is_not_null().or(null()),
        _ => value.is_null().and(null()),
    })
}

#[cfg(test)]
mod tests {
    use crate::engine::sound_rules;
    use datafusion::arrow::util::pretty::pretty_format_batches;
    use datafusion::execution::session_state::SessionStateBuilder;
    use datafusion::optimizer::optimizer::Optimizer;
    use datafusion::prelude::SessionContext;

    /// Conditions on four rows, in which they are true, null or false.
    const CONDITIONS: [(&str, &str); 13] = [
        ("x IN (1, y) AND x NOT IN (1, 2)", "false false null null"),
        ("x IN (y, 3) AND x IN (1, 2, 3)", "true true true null"),
        ("x NOT IN (x, 2) OR x NOT IN (1, 3)", "false true false null"),
        ("x IN (1, NULL) AND x NOT IN (1, 2)", "false false null null"),
        ("x NOT IN (1, NULL) OR x NOT IN (2, 3)", "true null null null"),
        ("x IN (1, 2) AND x IN (3, 4)", "false false false null"),
        ("x IN (1, 2) AND x NOT IN (2, 1, 3)", "false false false null"),
        ("x NOT IN (1, 2, 3) AND x IN (1, 3)", "false false false null"),
        ("x NOT IN (1, 2) OR x NOT IN (3, 4)", "true true true null"),
        ("NOT (x IN (1, 2) AND x IN (3, 4))", "true true true null"),
        ("x IN (1, 2) AND x IN (2, 3)", "false true false null"),
        ("x IN (y, 2, 1 + 2, NULL, 4)", "true true true null"),
        ("x NOT IN (y, 2, NULL)", "false false null null"),
    ];

    async fn answer(condition: &str, optimizer: Optimizer) -> String {
        let state = SessionStateBuilder::new().with_default_features().with_optimizer_rules(optimizer.rules);
        let context = SessionContext::new_with_state(state.build());
        let sql = format!(
            "WITH t (n, x, y) AS (VALUES (1, 1, 1), (2, 2, 2), (3, 3, NULL), (4, NULL, 1))
            SELECT string_agg(c, ' ' ORDER BY n) FROM (SELECT n, coalesce(CAST({condition} AS text), 'null') AS c FROM t)"
        );
        pretty_format_batches(&context.sql(&sql).await.unwrap().collect().await.unwrap()).unwrap().to_string()
    }

    #[tokio::test]
    async fn nulls_and_columns_count_as_values() {
        for (condition, expected) in CONDITIONS {
            let rows = answer(condition, Optimizer::with_rules(sound_rules::rules())).await;
            assert!(rows.contains(&format!("| {expected} ")), "{condition}: {rows}");
        }
    }

    /// When this fails, DataFusion has been fixed.
    #[tokio::test]
    async fn datafusion_still_needs_this() {
        for (condition, expected) in &CONDITIONS[..10] {
            let rows = answer(condition, Optimizer::new()).await;
            assert!(!rows.contains(&format!("| {expected} ")), "{condition}: {rows}");
        }
    }
}
