//! Writes the number of a column in `ORDER BY` after `SELECT DISTINCT`, in place of its expression.
//!
//! DataFusion 55.2 refuses the expression, as in `SELECT DISTINCT lower(a) FROM t ORDER BY lower(a)`, or takes a name in
//! it for that of a column of the answer. No issue about it is known.

use crate::statement::walk;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Distinct, Expr, OrderByKind, Query, Select, SelectItem, SetExpr, Value, VisitorMut,
};
use std::ops::ControlFlow;

/// Does so in all queries of a statement.
pub(crate) fn write_numbers(statement: &mut Statement) {
    let _ = walk::change_statement(statement, &mut DistinctQueries);
}

struct DistinctQueries;

impl VisitorMut for DistinctQueries {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        if let SetExpr::Select(select) = query.body.as_ref()
            && select.distinct == Some(Distinct::Distinct)
            && let Some(OrderByKind::Expressions(keys)) = query.order_by.as_mut().map(|order| &mut order.kind)
        {
            for key in keys {
                if let Some(number) = number_of(&key.expr, select) {
                    key.expr = Expr::Value(Value::Number(number.to_string(), false).into());
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// The number of the column with this expression, from 1. Names stay: they may be those of columns of the answer.
fn number_of(key: &Expr, select: &Select) -> Option<usize> {
    if matches!(key, Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::Value(_)) {
        return None;
    }
    for (place, item) in select.projection.iter().enumerate() {
        match item {
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } if expr == key => {
                return Some(place + 1);
            }
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } if !unnests(expr) => {}
            // It may be several columns.
            _ => return None,
        }
    }
    None
}

fn unnests(expr: &Expr) -> bool {
    let is_unnest = |name: String| name.eq_ignore_ascii_case("unnest") || name.eq_ignore_ascii_case("unnest_outer");
    walk::has_expression(expr, |part| matches!(part, Expr::Function(call) if is_unnest(call.name.to_string())))
}

#[cfg(test)]
mod tests {
    use super::write_numbers;
    use crate::statement::parse_statements;

    #[test]
    fn selected_expressions_become_numbers() {
        for (query, expected) in [
            (
                "SELECT DISTINCT a, f(a) AS a, -b FROM t ORDER BY -b DESC NULLS LAST, a, f(a), f(b)",
                "SELECT DISTINCT a, f(a) AS a, -b FROM t ORDER BY 3 DESC NULLS LAST, a, 2, f(b)",
            ),
            (
                "SELECT x FROM (SELECT DISTINCT f(a) FROM t ORDER BY f(a) LIMIT x) AS t",
                "SELECT x FROM (SELECT DISTINCT f(a) FROM t ORDER BY 1 LIMIT x) AS t",
            ),
            ("SELECT DISTINCT *, f(a) FROM t ORDER BY f(a)", "SELECT DISTINCT *, f(a) FROM t ORDER BY f(a)"),
            (
                "SELECT DISTINCT unnest(b), f(a) FROM t ORDER BY f(a)",
                "SELECT DISTINCT unnest(b), f(a) FROM t ORDER BY f(a)",
            ),
            ("SELECT f(a) FROM t ORDER BY f(a)", "SELECT f(a) FROM t ORDER BY f(a)"),
        ] {
            let mut statement = parse_statements(query).unwrap().remove(0).0;
            write_numbers(&mut statement);
            assert_eq!(statement.to_string(), expected);
        }
    }
}
