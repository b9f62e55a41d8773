//! Lists of values that DataFusion 55.2 joins wrongly.
//!
//! It makes one list of two: `x IN (1, y) AND x NOT IN (1, 2)` becomes `x IN (y)`. But it compares the values as they
//! are written, so a column or a null in a list counts as another value than those in the other list. And if no value
//! is left, the condition becomes false or true even if `x` is null. DataFusion fixed the latter in
//! [apache/datafusion#24258](https://github.com/apache/datafusion/pull/24258). It joins lists about the same expression
//! once they are beside each other, so here they become lists about different expressions, by aliases.

use super::named::map_named;
use datafusion::common::tree_node::{Transformed, TreeNode as _, TreeNodeRecursion};
use datafusion::common::{Column, Result};
use datafusion::logical_expr::utils::split_binary;
use datafusion::logical_expr::{BinaryExpr, Expr, LogicalPlan, Operator};
use std::collections::HashSet;

/// Parts the lists of a node. For use before its expressions are simplified.
pub(super) fn part_lists(plan: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    map_named(plan, |expression| match repeats_a_column(&expression, &mut HashSet::new())? {
        true => part(expression),
        false => Ok(Transformed::no(expression)),
    })
}

/// Gives what each list, or comparison that may become one, is about an alias of its own.
fn part(expression: Expr) -> Result<Transformed<Expr>> {
    let mut count = 0;
    let mut alias = |value: &mut Expr| {
        count += 1;
        let parted = value.clone().unalias().alias(format!("list {count}"));
        std::mem::replace(value, parted.clone()) != parted
    };
    expression.transform_up(|mut node| {
        let is_new = match &mut node {
            Expr::InList(list) => alias(&mut list.expr),
            Expr::Like(like) => alias(&mut like.expr),
            Expr::BinaryExpr(BinaryExpr { left, op, right }) if is_comparison(*op) => {
                let has_columns = |side: &Expr| !side.column_refs().is_empty();
                match (has_columns(left), has_columns(right)) {
                    (true, false) => alias(left),
                    (false, true) => alias(right),
                    _ => false,
                }
            }
            _ => false,
        };
        Ok(Transformed::new_transformed(node, is_new))
    })
}

/// Whether a comparison with a value can become a list. Expressions such as `^(a|b)$` do.
const fn is_comparison(op: Operator) -> bool {
    matches!(op, Operator::Eq | Operator::RegexMatch | Operator::RegexNotMatch)
}

/// Whether an expression has two lists about one column. Adds the columns that it has lists about.
fn repeats_a_column<'e>(expression: &'e Expr, listed: &mut HashSet<&'e Column>) -> Result<bool> {
    let mut parts = Vec::new();
    if let Expr::BinaryExpr(BinaryExpr { op: Operator::Or, .. }) = expression {
        parts = split_binary(expression, Operator::Or);
    } else {
        expression.apply_children(|part| {
            parts.push(part);
            Ok(TreeNodeRecursion::Continue)
        })?;
    }
    let columns = match expression {
        Expr::InList(list) => list.expr.column_refs(),
        // Expressions like ^(a|b)$ become lists.
        Expr::BinaryExpr(BinaryExpr { op: Operator::RegexMatch | Operator::RegexNotMatch, left, .. }) => {
            left.column_refs()
        }
        Expr::BinaryExpr(BinaryExpr { op: Operator::Or, .. }) => compared_twice(&parts),
        _ => HashSet::new(),
    };
    let mut is_found = columns.into_iter().any(|column| !listed.insert(column));
    for part in parts {
        is_found = is_found || repeats_a_column(part, listed)?;
    }
    Ok(is_found)
}

/// The columns that two parts of an OR compare, which become a list.
fn compared_twice<'e>(parts: &[&'e Expr]) -> HashSet<&'e Column> {
    let is_listed =
        |part: &&&Expr| matches!(part, Expr::Like(_) | Expr::BinaryExpr(BinaryExpr { op: Operator::Eq, .. }));
    let mut compared = HashSet::new();
    let columns = parts.iter().filter(is_listed).flat_map(|part| part.column_refs());
    columns.filter(|column| !compared.insert(*column)).collect()
}

#[cfg(test)]
mod tests {
    use crate::engine::fixture::answer_with_optimizer;
    use crate::engine::logical_rules::logical_rules;
    use datafusion::optimizer::optimizer::Optimizer;

    /// Conditions on four rows, in which they are true, null or false.
    const CONDITIONS: [(&str, &str); 22] = [
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
        ("NOT (x NOT IN (4, 5)) AND x NOT IN (4, 5)", "false false false null"),
        ("NOT (x IN (1, 2) OR x NOT IN (1, 2))", "false false false null"),
        ("(x IN (1, 2) OR y < 0 AND false) AND x IN (4, 5)", "false false false null"),
        ("(x = 1 OR x = 2) AND (3 = x OR x = 4)", "false false false null"),
        ("x NOT IN (2, NULL) OR (x IN (1, NULL) AND x NOT IN (2, NULL)) = (x > 5)", "null true null null"),
        ("CAST(x IN (1, 2) AND x IN (3, 4) AS text) IN ('false', 'true')", "true true true null"),
        ("CASE WHEN true THEN x IN (1, 2) END AND x IN (3, 4)", "false false false null"),
        ("'a' || x ~ '^(a1|a2)$' AND 'a' || x ~ '^(a3|a4)$'", "false false false null"),
        ("(x = 1 OR x = 2) AND CAST(x AS text) IN ('3', '4')", "false false false null"),
        ("x IN (1, 2) AND x IN (2, 3)", "false true false null"),
        ("x IN (y, 2, 1 + 2, NULL, 4)", "true true true null"),
        ("x NOT IN (y, 2, NULL)", "false false null null"),
    ];

    async fn answer(condition: &str, optimizer: Optimizer) -> String {
        let sql = format!(
            "WITH t (n, x, y) AS (VALUES (1, 1, 1), (2, 2, 2), (3, 3, NULL), (4, NULL, 1))
            SELECT string_agg(c, ' ' ORDER BY n) FROM (SELECT n, coalesce(CAST({condition} AS text), 'null') AS c FROM t)"
        );
        answer_with_optimizer(optimizer, &sql).await
    }

    #[tokio::test]
    async fn nulls_and_columns_count_as_values() {
        for (condition, expected) in CONDITIONS {
            let rows = answer(condition, Optimizer::with_rules(logical_rules())).await;
            assert!(rows.contains(&format!("| {expected} ")), "{condition}: {rows}");
        }
    }

    /// When this fails, DataFusion has been fixed.
    #[tokio::test]
    async fn datafusion_still_needs_this() {
        for (condition, expected) in &CONDITIONS[..18] {
            let rows = answer(condition, Optimizer::new()).await;
            assert!(!rows.contains(&format!("| {expected} ")), "{condition}: {rows}");
        }
    }
}
