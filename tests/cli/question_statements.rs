//! The statements of `queries/` mean the same in every engine.

use crate::questions::all;
use analyze::queries::QueryKind;
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, OrderByKind, Query, SelectItem, SetExpr, Statement, visit_expressions,
};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::Parser;
use std::ops::ControlFlow;

/// A denominator may be zero, even a number of sites: weights of the user may leave all of them without a weight. Then
/// a quotient is not null but NaN, which each engine orders, adds and prints in its own way.
#[test]
fn no_statement_divides_by_zero() {
    // A power of two, and the number of rows of a partition.
    check(&["u.unit", "p.sites"], |query, found| {
        let _: ControlFlow<()> = visit_expressions(query, |expr| {
            if let Expr::BinaryOp { op: BinaryOperator::Divide, right, .. } = expr
                && !matches!(&**right, Expr::Value(_))
                && !right.to_string().starts_with("nullif(")
            {
                found.push(right.to_string());
            }
            ControlFlow::Continue(())
        });
    });
}

/// A bare name in ORDER BY is a column of the answer, in all engines. Within an expression it is one in DataFusion, but
/// in DuckDB a column of a table with this name comes first.
#[test]
fn no_expression_of_the_order_reads_a_computed_column_of_the_answer() {
    check(&[], |query, found| {
        let SetExpr::Select(select) = &*query.body else { return };
        let computed: Vec<&String> = (select.projection.iter())
            .filter_map(|item| match item {
                SelectItem::ExprWithAlias { expr: Expr::Identifier(name), alias } if name == alias => None,
                SelectItem::ExprWithAlias { expr: Expr::CompoundIdentifier(names), alias }
                    if names.last() == Some(alias) =>
                {
                    None
                }
                SelectItem::ExprWithAlias { alias, .. } => Some(&alias.value),
                _ => None,
            })
            .collect();
        let Some(OrderByKind::Expressions(keys)) = query.order_by.as_ref().map(|order| &order.kind) else { return };
        for key in keys.iter().filter(|key| !matches!(key.expr, Expr::Identifier(_))) {
            let _: ControlFlow<()> = visit_expressions(&key.expr, |expr| {
                if matches!(expr, Expr::Identifier(name) if computed.contains(&&name.value)) {
                    found.push(format!("{expr} in {}", key.expr));
                }
                ControlFlow::Continue(())
            });
        }
    });
}

/// Finds no fault in the statement of any query, except in texts that are allowed.
#[track_caller]
fn check(allowed: &[&str], faults: impl Fn(&Query, &mut Vec<String>)) {
    let mut wrong = Vec::new();
    for kind in [QueryKind::View, QueryKind::Model, QueryKind::Question, QueryKind::Check] {
        for query in all(kind) {
            let parsed = Parser::parse_sql(&GenericDialect {}, &query.text).expect("the statement can be parsed");
            let [Statement::Query(parsed)] = parsed.as_slice() else { panic!("{} is not one query", query.name) };
            let mut found = Vec::new();
            faults(parsed, &mut found);
            found.retain(|fault| !allowed.contains(&fault.as_str()));
            wrong.extend(found.into_iter().map(|fault| format!("{}: {fault}", query.name)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
