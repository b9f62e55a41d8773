//! Compares the literals in queries with the words that columns can hold, so that a misspelt or renamed word is found.

use super::{QueryKind, all};
use datafusion::sql::sqlparser::ast::{BinaryOperator, Expr, Value, visit_expressions};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::Parser;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// Words of columns that queries make: the query, the column and the word.
const MADE_BY_QUERIES: [(&str, &str, &str); 5] = [
    ("dead_rules", "kind", "any"),
    ("http_vs_https", "kind", "scheme"),
    ("unresolved_redirects", "redirect_end", "answered"),
    ("violation_overview", "code", "any"),
    ("www_vs_apex", "kind", "www"),
];

/// The words of all columns with a name, in any table.
fn declared() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let mut declared: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for column in tables::all().into_iter().flat_map(|table| table.columns) {
        declared.entry(column.name).or_default().extend(column.words);
    }
    declared.insert("code", robots::Code::ALL.iter().map(|code| code.name()).collect());
    declared.retain(|_, words| !words.is_empty());
    declared
}

/// The name of a column, without its table.
fn column(expr: &Expr) -> Option<&str> {
    match expr {
        Expr::Identifier(name) => Some(&name.value),
        Expr::CompoundIdentifier(names) => names.last().map(|name| &*name.value),
        _ => None,
    }
}

/// The text of a literal.
fn text(literal: &Expr) -> Option<&str> {
    match literal {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

/// The columns that an expression compares, each with a literal.
fn compared(expr: &Expr) -> Vec<(&str, &str)> {
    let (subject, literals): (&Expr, Vec<&Expr>) = match expr {
        Expr::BinaryOp { left, op: BinaryOperator::Eq | BinaryOperator::NotEq, right } => (left, vec![right]),
        Expr::IsDistinctFrom(left, right) | Expr::IsNotDistinctFrom(left, right) => (left, vec![right]),
        Expr::InList { expr, list, .. } => (expr, list.iter().collect()),
        Expr::Case { operand: Some(operand), conditions, .. } => {
            (operand, conditions.iter().map(|when| &when.condition).collect())
        }
        _ => return Vec::new(),
    };
    let Some(column) = column(subject) else { return Vec::new() };
    literals.into_iter().filter_map(text).map(|text| (column, text)).collect()
}

#[test]
fn literals_are_declared_words() {
    let declared = declared();
    let mut made = BTreeSet::new();
    let mut unknown = Vec::new();
    let mut checked = 0;
    for kind in [QueryKind::View, QueryKind::Model, QueryKind::Question, QueryKind::Check] {
        for query in all(kind).unwrap() {
            let statements = Parser::parse_sql(&GenericDialect {}, &query.text).unwrap();
            let _ = visit_expressions(&statements, |expr| {
                for (column, literal) in compared(expr) {
                    let Some(words) = declared.get(column) else { continue };
                    checked += 1;
                    let place = (&*query.name, column, literal);
                    if let Some(known) = MADE_BY_QUERIES.iter().find(|known| **known == place) {
                        made.insert(*known);
                    } else if !words.contains(literal) {
                        unknown.push(format!("{}: {column} is never '{literal}'", query.name));
                    }
                }
                ControlFlow::<()>::Continue(())
            });
        }
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
    assert!(checked > 150, "{checked} literals");
    assert_eq!(made.into_iter().collect::<Vec<_>>(), MADE_BY_QUERIES);
}
