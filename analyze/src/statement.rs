//! Statements that are parsed and not yet planned; queries with parameters, `$name`, and what they read.
//!
//! Values are put into the parsed statement, as literals, and not into its text: nothing that a user types becomes SQL.
//! It is done before the statement is planned, so that a parameter can stand wherever an expression can, behind LIMIT and
//! among the arguments of a table function, too.

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
    /// Texts, of which at least one: what stands in `x IN ($name)`.
    Texts(Vec<String>),
    /// A whole number.
    Integer(i64),
    /// A number.
    Number(f64),
    /// Whether something is so.
    Boolean(bool),
}

/// Values by the name of their parameter.
pub type ParameterValues = BTreeMap<String, ParameterValue>;

/// A statement that is parsed and not yet planned.
#[derive(Debug, Clone)]
pub struct ParsedStatement(pub(crate) Statement);

impl ParsedStatement {
    /// Whether it asks for a plan, whose text has many lines.
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

/// Parses a text of statements with semicolons between them.
pub fn parse_statements(text: &str) -> Result<Vec<ParsedStatement>> {
    let statements = DFParserBuilder::new(text).with_dialect(&GenericDialect {}).build()?.parse_statements()?;
    Ok(statements.into_iter().map(ParsedStatement).collect())
}

/// A query that is parsed and not yet planned.
#[derive(Debug, Clone)]
pub struct ParsedQuery {
    query: Box<Query>,
}

impl ParsedQuery {
    /// Parses a text that is to be one query.
    pub fn parse(text: &str) -> Result<Self> {
        let mut statements = parse_statements(text)?;
        match (statements.pop().map(|statement| statement.0), statements.is_empty()) {
            (Some(Statement::Statement(statement)), true) => match *statement {
                Sql::Query(query) => Ok(ParsedQuery { query }),
                _ => Err(DataFusionError::Plan("it is no query".to_owned())),
            },
            _ => Err(DataFusionError::Plan("it is not one query".to_owned())),
        }
    }

    /// The parameters that stand in it.
    #[must_use]
    pub fn parameters(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        let _: ControlFlow<()> = visit_expressions(&self.query, |expression| {
            names.extend(parameter(expression).map(str::to_owned));
            ControlFlow::Continue(())
        });
        names
    }

    /// The tables that it reads, without those that it names itself.
    pub fn tables(&self) -> Result<BTreeSet<String>> {
        let statement = Statement::Statement(Box::new(Sql::Query(self.query.clone())));
        let (tables, _) = resolve_table_references(&statement, true)?;
        Ok(tables.iter().map(TableReference::to_string).collect())
    }

    /// Whether it says in which order its rows are.
    #[must_use]
    pub fn is_ordered(&self) -> bool {
        self.query.order_by.is_some()
    }

    /// Puts values where their parameters stand. A parameter without a value stays.
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

    /// Puts queries in front of it, each under a name that it may read from.
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

/// The name of the parameter that an expression is.
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

/// None of a list, which stands among others.
fn literal(value: &ParameterValue) -> Option<Expr> {
    let number = |text: String| {
        // A minus in front of a number is an operator, and binds less than what may stand behind it.
        let is_negative = text.starts_with('-');
        let number = Expr::Value(Literal::Number(text.trim_start_matches('-').to_owned(), false).into());
        let negative = |expr| Expr::UnaryOp { op: ast::UnaryOperator::Minus, expr: Box::new(expr) };
        if is_negative { Expr::Nested(Box::new(negative(number))) } else { number }
    };
    Some(match value {
        ParameterValue::Text(value) => text(value),
        ParameterValue::Texts(_) => return None,
        ParameterValue::Integer(value) => number(value.to_string()),
        // With its fraction, so that it stays a number that is not whole.
        ParameterValue::Number(value) => number(format!("{value:?}")),
        ParameterValue::Boolean(value) => Expr::Value(Literal::Boolean(*value).into()),
    })
}
