//! Conveniences for typed statements: a query without SELECT, and column names as typed.

use crate::statement::walk;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Expr, Ident, Query, Select, SelectFlavor, SelectItem, Statement as Sql, VisitorMut, WildcardAdditionalOptions,
};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};
use std::borrow::Cow;
use std::ops::ControlFlow;

/// Makes `FROM captures` select all columns, and names each column of the answer by the typed text. The engine would
/// name `6 * 7` `Int64(6) * Int64(7)`.
pub(super) fn settle(mut statement: Statement) -> Statement {
    if let Statement::Statement(statement) = &mut statement {
        let _ = walk::change(statement, &mut AllColumns);
        if let Sql::Query(query) = statement.as_mut() {
            name_columns(query);
        }
    }
    statement
}

/// Puts `SELECT *` before a statement that starts with FROM and has no SELECT. The parser accepts such a query only
/// without conditions.
pub(super) fn with_select(text: &str) -> Cow<'_, str> {
    // If the text cannot be split into tokens, the parser reports it.
    let Ok(tokens) = Tokenizer::new(&GenericDialect {}, text).tokenize_with_location() else {
        return Cow::Borrowed(text);
    };
    let mut whole = String::new();
    let mut copied = 0;
    for statement in tokens.split_inclusive(|token| token.token == Token::SemiColon) {
        if let Some(place) = start_of_from(statement).and_then(|start| byte_offset(text, start)) {
            whole.push_str(&text[copied..place]);
            whole.push_str("SELECT * ");
            copied = place;
        }
    }
    if whole.is_empty() {
        return Cow::Borrowed(text);
    }
    whole.push_str(&text[copied..]);
    Cow::Owned(whole)
}

/// Where the FROM of a statement is that starts with it and has no SELECT.
fn start_of_from(statement: &[TokenWithSpan]) -> Option<Location> {
    let keyword = |token: &TokenWithSpan| match &token.token {
        Token::Word(word) if word.quote_style.is_none() => Some(word.keyword),
        _ => None,
    };
    let mut depth = 0;
    let mut words = statement.iter().filter(|token| {
        match token.token {
            Token::LParen => depth += 1,
            Token::RParen => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let first = words.find(|token| !matches!(token.token, Token::Whitespace(_)))?;
    let is_meant = keyword(first) == Some(Keyword::FROM) && !words.any(|token| keyword(token) == Some(Keyword::SELECT));
    is_meant.then_some(first.span.start)
}

/// The place in bytes of a place in lines and characters, both from 1.
fn byte_offset(text: &str, place: Location) -> Option<usize> {
    let [line, column] = [place.line, place.column].map(|number| usize::try_from(number).ok()?.checked_sub(1));
    let before: usize = text.split_inclusive('\n').take(line?).map(str::len).sum();
    let (within, _) = text.get(before..)?.char_indices().nth(column?)?;
    Some(before + within)
}

/// Adds the `SELECT *` that a query starting with FROM omits.
struct AllColumns;

impl VisitorMut for AllColumns {
    type Break = ();

    fn post_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        if select.flavor == SelectFlavor::FromFirstNoSelect {
            select.projection = vec![SelectItem::Wildcard(WildcardAdditionalOptions::default())];
        }
        select.flavor = SelectFlavor::Standard;
        ControlFlow::Continue(())
    }
}

/// Names the columns of an answer that contain a literal. All others have the name that the engine gives them.
fn name_columns(query: &mut Query) {
    let Some(select) = walk::first_select_mut(&mut query.body) else { return };
    for item in &mut select.projection {
        if let SelectItem::UnnamedExpr(expr) = item
            && has_literal(expr)
        {
            let alias = Ident::with_quote('"', expr.to_string());
            *item = SelectItem::ExprWithAlias { expr: expr.clone(), alias };
        }
    }
}

fn has_literal(expr: &Expr) -> bool {
    walk::has_expression(expr, |part| matches!(part, Expr::Value(_) | Expr::TypedString(_) | Expr::Interval(_)))
}

#[cfg(test)]
mod tests {
    use super::super::parse_statements;

    #[test]
    fn statements_as_typed() {
        let check = |typed: &str, expected: &str| {
            let statements = parse_statements(typed).unwrap();
            assert_eq!(statements[0].0.to_string(), expected, "{typed}");
        };
        check("FROM captures LIMIT 1", "SELECT * FROM captures LIMIT 1");
        check("FROM captures SELECT url", "SELECT url FROM captures");
        check("FROM b WHERE c IN (SELECT d FROM e);", "SELECT * FROM b WHERE c IN (SELECT d FROM e)");
        check("SELECT a FROM (FROM b)", "SELECT a FROM (SELECT * FROM b)");
        check("/* é */ FROM a;\n -- 'é\n FROM b", "SELECT * FROM a");
        check("SELECT 'it''s' || 'a''||''b' AS \"x\"\"y\"", "SELECT 'it''s' || 'a''||''b' AS \"x\"\"y\"");
        check("FROM a WHERE b = 'x'' or ''1''=''1'", "SELECT * FROM a WHERE b = 'x'' or ''1''=''1'");
        check("SELECT 6 * 7", "SELECT 6 * 7 AS \"6 * 7\"");
        check("SELECT round(a, 2), b, count(*) FROM t", "SELECT round(a, 2) AS \"round(a, 2)\", b, count(*) FROM t");
        check("SELECT 1 UNION ALL SELECT 2", "SELECT 1 AS \"1\" UNION ALL SELECT 2");
        check("(SELECT 6 * 7) UNION ALL SELECT 1", "(SELECT 6 * 7 AS \"6 * 7\") UNION ALL SELECT 1");
        check("SELECT a FROM t WHERE b = 1", "SELECT a FROM t WHERE b = 1");
    }
}
