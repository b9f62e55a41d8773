//! The statements of `queries/` mean the same in every engine.

#![expect(clippy::expect_used, clippy::panic, reason = "called by tests, which fail by them")]

use crate::questions::all;
use analyze::queries::QueryKind;
use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, Query, Statement, visit_expressions};
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
