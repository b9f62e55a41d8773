//! Parsed statements, and queries with parameters (`$name`).
//!
//! A value becomes a literal in the parsed statement, never text: nothing that a user types as a value is parsed as
//! SQL. This happens before planning, so a parameter can stand wherever an expression can, even after LIMIT and as an
//! argument of a table function. Then the parts that the values exclude are dropped.

pub(crate) mod all_columns;
mod as_typed;
pub(crate) mod distinct_order;
mod fold;
mod ignored;
pub(crate) mod join_keys;
pub(crate) mod part_names;
pub(crate) mod quotes;
mod size;
mod spark;
pub(crate) mod walk;
pub(crate) mod windows;

use datafusion::common::TableReference;
use datafusion::error::{DataFusionError, Result};
use datafusion::sql::parser::{DFParserBuilder, Statement};
use datafusion::sql::resolve::resolve_table_references;
use datafusion::sql::sqlparser::ast::{self, Expr, Query, Statement as Sql, Value as Literal};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use quotes::DoubledQuotes;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::ControlFlow;

/// A value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum ParameterValue {
    /// A text.
    Text(String),
    /// At least one text, for `x IN ($name)` and `strpos(x, $name) > 0`.
    Texts(Vec<String>),
    /// A whole number.
    Integer(i64),
    /// A number.
    Number(f64),
    /// True or false.
    Boolean(bool),
}

impl fmt::Display for ParameterValue {
    /// As in an argument.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParameterValue::Text(text) if text.is_empty() => out.write_str("''"),
            ParameterValue::Text(text) => out.write_str(text),
            ParameterValue::Texts(texts) if texts.iter().all(String::is_empty) => out.write_str("''"),
            ParameterValue::Texts(texts) => out.write_str(&texts.join(",")),
            ParameterValue::Integer(number) => number.fmt(out),
            ParameterValue::Number(number) => number.fmt(out),
            ParameterValue::Boolean(flag) => flag.fmt(out),
        }
    }
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

/// Parses statements that users typed, separated by semicolons.
pub fn parse_statements(text: &str) -> Result<Vec<ParsedStatement>> {
    let statements = parse(&as_typed::with_select(text))?;
    Ok(statements.into_iter().map(|statement| ParsedStatement(as_typed::settle(statement.0))).collect())
}

/// Parses statements. Fails for statements that are too large, or that have clauses that would be ignored or misread.
fn parse(text: &str) -> Result<Vec<ParsedStatement>> {
    size::text::check_text(text)?;
    let parser =
        DFParserBuilder::new(text).with_dialect(&GenericDialect {}).with_recursion_limit(size::text::MOST_PARSED);
    let statements = parser.build()?.parse_statements().map_err(|error| size::text::name_depth(text, error))?;
    let statements: Vec<_> = statements.into_iter().map(ParsedStatement).collect();
    for parsed in &statements {
        size::check_statement(&parsed.0)?;
        ignored::check_statement(&parsed.0)?;
    }
    Ok(statements)
}

/// A query that is parsed but not planned.
#[derive(Debug, Clone)]
pub struct ParsedQuery {
    query: Box<Query>,
}

impl ParsedQuery {
    /// Parses one query. Fails on several statements, and on a statement that is not a query.
    pub fn parse(text: &str) -> Result<Self> {
        let mut statements = parse(text)?;
        match (statements.pop().map(|statement| statement.0), statements.is_empty()) {
            (Some(Statement::Statement(statement)), true) => match *statement {
                Sql::Query(query) => Ok(ParsedQuery { query }),
                _ => Err(DataFusionError::Plan("it is not a query".to_owned())),
            },
            (None, _) => Err(DataFusionError::Plan("it has no statement".to_owned())),
            (Some(_), true) => Err(DataFusionError::Plan("it is not a query".to_owned())),
            (Some(_), false) => {
                let cause = format!("it has {} statements, but a question is one", statements.len() + 1);
                Err(DataFusionError::Plan(cause))
            }
        }
    }

    /// The names of its parameters, without the dollar sign.
    #[must_use]
    pub fn parameters(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        walk::read_expressions(&self.query, |expression| names.extend(parameter(expression).map(str::to_owned)));
        names
    }

    /// The tables that it reads, without the steps of its `WITH`.
    pub fn tables(&self) -> Result<BTreeSet<String>> {
        let statement = Statement::Statement(Box::new(Sql::Query(self.query.clone())));
        let (tables, _) = resolve_table_references(&statement, true)?;
        Ok(tables.iter().map(TableReference::to_string).collect())
    }

    /// The names of the functions and table functions that it calls, in lower case.
    #[must_use]
    pub fn calls(&self) -> BTreeSet<String> {
        let mut calls = CalledFunctions::default();
        let _ = walk::read(&self.query, &mut calls);
        calls.names
    }

    /// The names of all columns that it names.
    #[must_use]
    pub fn column_names(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        walk::read_expressions(&self.query, |expression| match expression {
            Expr::Identifier(name) => _ = names.insert(name.value.clone()),
            Expr::CompoundIdentifier(parts) => names.extend(parts.last().map(|name| name.value.clone())),
            _ => {}
        });
        names
    }

    /// The names of the columns of its answer, without those that `*` stands for.
    #[must_use]
    pub fn answer_columns(&self) -> Vec<String> {
        let first = walk::first_select(&self.query.body);
        first.into_iter().flat_map(|select| &select.projection).filter_map(join_keys::shown_name).collect()
    }

    /// Whether it has an ORDER BY.
    #[must_use]
    pub fn is_ordered(&self) -> bool {
        self.query.order_by.is_some()
    }

    /// Replaces parameters by their values. A parameter without a value stays.
    pub fn bind(&mut self, values: &ParameterValues) {
        let value = |expression: &Expr| parameter(expression).and_then(|name| values.get(name));
        walk::change_expressions(&mut self.query, |expression| {
            if let Some(literal) = value(expression).and_then(literal) {
                *expression = literal;
            } else if let Expr::InList { list, .. } = expression {
                let listed = |one| match value(&one) {
                    Some(ParameterValue::Texts(texts)) => texts.iter().map(text).collect(),
                    _ => vec![one],
                };
                *list = std::mem::take(list).into_iter().flat_map(listed).collect();
            } else if let Some(name) = compared_parameter(expression)
                && let Some(ParameterValue::Texts(texts)) = values.get(&name)
            {
                *expression = holds_for_any(expression, &name, texts);
            }
        });
    }

    /// Makes it read other tables, with the old names as aliases. Steps of its `WITH` keep their names.
    pub fn rename_tables(&mut self, names: &BTreeMap<&str, String>) {
        let named =
            |(old, new): (&&str, &String)| (String::from(*old), ast::ObjectName::from(vec![ast::Ident::new(new)]));
        let _ = walk::change(&mut self.query, &mut TableNames(names.iter().map(named).collect()));
    }

    /// Drops its outer ORDER BY, so that it can be part of another query.
    pub fn drop_order(&mut self) {
        self.query.order_by = None;
    }

    /// Drops what literals exclude: dead branches, and steps and joins without rows. Only for built-in queries.
    pub fn fold(&mut self) {
        fold::fold(&mut self.query);
    }

    /// Rewrites it for Spark 4, with the same answer.
    pub fn for_spark(&mut self) {
        spark::rewrite(&mut self.query);
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

/// The functions that a query calls.
#[derive(Default)]
struct CalledFunctions {
    names: BTreeSet<String>,
}

impl ast::Visitor for CalledFunctions {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Expr::Function(function) = expr {
            self.names.insert(function.name.to_string().to_ascii_lowercase());
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &ast::TableFactor) -> ControlFlow<()> {
        if let ast::TableFactor::Table { name, args: Some(_), .. } = factor {
            self.names.insert(name.to_string().to_ascii_lowercase());
        }
        ControlFlow::Continue(())
    }
}

/// Reads other tables in place of these, with the old name as alias where there is none.
struct TableNames(BTreeMap<String, ast::ObjectName>);

impl ast::VisitorMut for TableNames {
    type Break = ();

    fn post_visit_table_factor(&mut self, factor: &mut ast::TableFactor) -> ControlFlow<()> {
        if let ast::TableFactor::Table { name, alias, args: None, .. } = factor
            && let Some(new) = self.0.get(&name.to_string())
        {
            *alias = alias.take().or_else(|| alias_named(name));
            *name = new.clone();
        }
        ControlFlow::Continue(())
    }
}

/// The name of a table as an alias.
fn alias_named(table: &ast::ObjectName) -> Option<ast::TableAlias> {
    let name = table.0.last()?.as_ident()?.clone();
    Some(ast::TableAlias { explicit: true, name, columns: Vec::new(), at: None })
}

/// `{:#}` prints it on several lines.
impl std::fmt::Display for ParsedQuery {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut query = self.query.clone();
        let _ = walk::change(&mut query, &mut DoubledQuotes);
        let Some(order) = &query.order_by else { return query.fmt(formatter) };
        if !formatter.alternate() || query.limit_clause.is_some() || query.fetch.is_some() {
            return query.fmt(formatter);
        }
        // sqlparser would not write the ORDER BY on a line of its own.
        let unordered = Query { order_by: None, ..query.as_ref().clone() };
        writeln!(formatter, "{unordered:#}")?;
        write!(formatter, "{order}")
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

/// The parameter of a comparison such as `strpos(path, $directories) > 0`.
fn compared_parameter(expression: &Expr) -> Option<String> {
    let Expr::BinaryOp { left, .. } = expression else { return None };
    let Expr::Function(ast::Function { args: ast::FunctionArguments::List(arguments), .. }) = &**left else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) => parameter(expr).map(str::to_owned),
        _ => None,
    })
}

/// The comparison with one text or another. An empty text, which every text contains, stands for none.
fn holds_for_any(comparison: &Expr, name: &str, texts: &[String]) -> Expr {
    let for_one = |one: &String| {
        let mut comparison = comparison.clone();
        walk::change_expressions(&mut comparison, |expression| {
            if parameter(expression) == Some(name) {
                *expression = text(one);
            }
        });
        comparison
    };
    let either =
        |left, right| Expr::BinaryOp { left: Box::new(left), op: ast::BinaryOperator::Or, right: Box::new(right) };
    let any = texts.iter().filter(|text| !text.is_empty()).map(for_one).reduce(either);
    any.map_or_else(|| Expr::Value(Literal::Boolean(false).into()), |any| Expr::Nested(Box::new(any)))
}

/// The literal for a value; `None` for texts, which become several literals.
fn literal(value: &ParameterValue) -> Option<Expr> {
    let number = |text: String| {
        // A minus is an operator, and the next operator may bind tighter: hence the parentheses.
        let is_negative = text.starts_with('-');
        let number = Expr::Value(Literal::Number(text.trim_start_matches('-').to_owned(), false).into());
        let negative = |expr| Expr::UnaryOp { op: ast::UnaryOperator::Minus, expr: Box::new(expr) };
        if is_negative { Expr::Nested(Box::new(negative(number))) } else { number }
    };
    Some(match value {
        ParameterValue::Text(value) => text(value),
        ParameterValue::Texts(_) => return None,
        ParameterValue::Integer(value) => number(value.to_string()),
        // With a fraction, so that SQL does not read it as a whole number.
        ParameterValue::Number(value) => number(format!("{value:?}")),
        ParameterValue::Boolean(value) => Expr::Value(Literal::Boolean(*value).into()),
    })
}
