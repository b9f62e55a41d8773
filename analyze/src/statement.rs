//! Parsed statements, and queries with parameters (`$name`).
//!
//! Values are put into the parsed statement as literals, never into its text: nothing that a user types becomes SQL. This
//! happens before planning, so that a parameter can stand wherever an expression can, even after LIMIT and as an argument
//! of a table function.

mod size;

use datafusion::common::TableReference;
use datafusion::error::{DataFusionError, Result};
use datafusion::sql::parser::{DFParserBuilder, Statement};
use datafusion::sql::resolve::resolve_table_references;
use datafusion::sql::sqlparser::ast::{
    self, Expr, Query, Statement as Sql, Value as Literal, visit_expressions, visit_expressions_mut,
};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// A value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum ParameterValue {
    /// A text.
    Text(String),
    /// At least one text, for `x IN ($name)`.
    Texts(Vec<String>),
    /// A whole number.
    Integer(i64),
    /// A number.
    Number(f64),
    /// True or false.
    Boolean(bool),
}

/// Values by parameter name.
pub type ParameterValues = BTreeMap<String, ParameterValue>;

/// A statement that is parsed but not planned.
#[derive(Debug, Clone)]
pub struct ParsedStatement(pub(crate) Statement);

impl ParsedStatement {
    /// Whether it is an EXPLAIN.
    #[must_use]
    pub fn is_explain(&self) -> bool {
        match &self.0 {
            Statement::Explain(_) => true,
            Statement::Statement(statement) => matches!(statement.as_ref(), Sql::Explain { .. }),
            _ => false,
        }
    }
}

impl From<ParsedQuery> for ParsedStatement {
    fn from(query: ParsedQuery) -> Self {
        ParsedStatement(Statement::Statement(Box::new(Sql::Query(query.query))))
    }
}

/// Parses statements that are separated by semicolons.
pub fn parse_statements(text: &str) -> Result<Vec<ParsedStatement>> {
    size::check_text(text)?;
    let statements = DFParserBuilder::new(text).with_dialect(&GenericDialect {}).build()?.parse_statements()?;
    let statements: Vec<_> = statements.into_iter().map(ParsedStatement).collect();
    statements.iter().try_for_each(size::check_statement)?;
    Ok(statements)
}

/// A query that is parsed but not planned.
#[derive(Debug, Clone)]
pub struct ParsedQuery {
    query: Box<Query>,
}

impl ParsedQuery {
    /// Parses one query. Fails on several statements, and on one that is not a query.
    pub fn parse(text: &str) -> Result<Self> {
        let mut statements = parse_statements(text)?;
        match (statements.pop().map(|statement| statement.0), statements.is_empty()) {
            (Some(Statement::Statement(statement)), true) => match *statement {
                Sql::Query(query) => Ok(ParsedQuery { query }),
                _ => Err(DataFusionError::Plan("it is not a query".to_owned())),
            },
            _ => Err(DataFusionError::Plan("it is not one query".to_owned())),
        }
    }

    /// The names of its parameters, without the dollar sign.
    #[must_use]
    pub fn parameters(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        let _: ControlFlow<()> = visit_expressions(&self.query, |expression| {
            names.extend(parameter(expression).map(str::to_owned));
            ControlFlow::Continue(())
        });
        names
    }

    /// The tables that it reads, without the steps of its own `WITH`.
    pub fn tables(&self) -> Result<BTreeSet<String>> {
        let statement = Statement::Statement(Box::new(Sql::Query(self.query.clone())));
        let (tables, _) = resolve_table_references(&statement, true)?;
        Ok(tables.iter().map(TableReference::to_string).collect())
    }

    /// Whether it has an ORDER BY.
    #[must_use]
    pub fn is_ordered(&self) -> bool {
        self.query.order_by.is_some()
    }

    /// Replaces parameters by their values. A parameter without a value stays.
    pub fn bind(&mut self, values: &ParameterValues) {
        let value = |expression: &Expr| parameter(expression).and_then(|name| values.get(name));
        let _: ControlFlow<()> = visit_expressions_mut(&mut self.query, |expression| {
            if let Some(literal) = value(expression).and_then(literal) {
                *expression = literal;
            } else if let Expr::InList { list, .. } = expression {
                let listed = |one| match value(&one) {
                    Some(ParameterValue::Texts(texts)) => texts.iter().map(text).collect(),
                    _ => vec![one],
                };
                *list = std::mem::take(list).into_iter().flat_map(listed).collect();
            }
            ControlFlow::Continue(())
        });
    }

    /// Adds named queries to its `WITH`, before its own.
    pub fn with(&mut self, named: Vec<(String, ParsedQuery)>) {
        if named.is_empty() {
            return;
        }
        let tables = named.into_iter().map(|(name, parsed)| ast::Cte {
            alias: ast::TableAlias { explicit: false, name: ast::Ident::new(name), columns: Vec::new(), at: None },
            query: parsed.query,
            from: None,
            materialized: None,
            closing_paren_token: ast::helpers::attached_token::AttachedToken::empty(),
        });
        let with = self.query.with.get_or_insert_with(|| ast::With {
            with_token: ast::helpers::attached_token::AttachedToken::empty(),
            recursive: false,
            cte_tables: Vec::new(),
        });
        let own = std::mem::take(&mut with.cte_tables);
        with.cte_tables = tables.chain(own).collect();
    }
}

impl std::fmt::Display for ParsedQuery {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.query.fmt(formatter)
    }
}

/// The name of the parameter, if an expression is one.
fn parameter(expression: &Expr) -> Option<&str> {
    match expression {
        Expr::Value(value) => match &value.value {
            Literal::Placeholder(name) => name.strip_prefix('$'),
            _ => None,
        },
        _ => None,
    }
}

fn text(value: impl Into<String>) -> Expr {
    Expr::Value(Literal::SingleQuotedString(value.into()).into())
}

/// The literal for a value; `None` for texts, which become several.
fn literal(value: &ParameterValue) -> Option<Expr> {
    let number = |text: String| {
        // A minus is an operator and may bind less than the operator after the number: hence the parentheses.
        let is_negative = text.starts_with('-');
        let number = Expr::Value(Literal::Number(text.trim_start_matches('-').to_owned(), false).into());
        let negative = |expr| Expr::UnaryOp { op: ast::UnaryOperator::Minus, expr: Box::new(expr) };
        if is_negative { Expr::Nested(Box::new(negative(number))) } else { number }
    };
    Some(match value {
        ParameterValue::Text(value) => text(value),
        ParameterValue::Texts(_) => return None,
        ParameterValue::Integer(value) => number(value.to_string()),
        // With its fraction, so that SQL does not take it for a whole number.
        ParameterValue::Number(value) => number(format!("{value:?}")),
        ParameterValue::Boolean(value) => Expr::Value(Literal::Boolean(*value).into()),
    })
}
