//! Limits the size of a text of statements, so that it can be parsed.

use super::{LONG_CHAIN, check};
use datafusion::error::{DataFusionError, Result};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::keywords::Keyword;
use datafusion::sql::sqlparser::parser::ParserError;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

/// The most operators and keywords in a text of statements. A tree with more levels could not even be dropped.
const MOST_OPERATORS: usize = 100_000;

/// The most nested brackets. For expressions and subqueries the parser has a lower limit; for types it has none.
const MOST_BRACKETS: usize = 200;

/// How deep the parser recurses: DataFusion's default.
pub(in crate::statement) const MOST_PARSED: usize = 50;

/// How deep the parser is at most before the first operator of a statement without subqueries.
const OUTER: usize = 5;

/// Fails if a text may contain a statement that is too deep to be parsed.
pub(in crate::statement) fn check_text(text: &str) -> Result<()> {
    if text.len() <= MOST_BRACKETS {
        return Ok(());
    }
    // If the text cannot be split into tokens, the parser reports it.
    let tokens = Tokenizer::new(&GenericDialect {}, text).tokenize().unwrap_or_default();
    let tokens: Vec<&Token> = tokens.iter().filter(|token| !matches!(token, Token::Whitespace(_))).collect();
    let operators = tokens.iter().filter(|token| is_operator(token)).count();
    check("operators and keywords in one text", operators, MOST_OPERATORS, LONG_CHAIN)?;
    check("brackets within brackets", brackets(&tokens), MOST_BRACKETS, "")?;
    if prefixes(&tokens) > MOST_PARSED { Err(ParserError::RecursionLimitExceeded.into()) } else { Ok(()) }
}

/// The parser's error, or that a text is nested too deeply. After too many `NOT` or `CASE`, the parser tries to read
/// them in other ways, and the error of the last way is returned.
#[cold]
pub(in crate::statement) fn name_depth(text: &str, error: DataFusionError) -> DataFusionError {
    let tokens = Tokenizer::new(&GenericDialect {}, text).tokenize().unwrap_or_default();
    let (mut open, mut prefixes, mut most) = (0_usize, 0_usize, 0);
    for token in tokens.iter().filter(|token| !matches!(token, Token::Whitespace(_))) {
        let Token::Word(word) = token else {
            prefixes = 0;
            continue;
        };
        prefixes = if word.keyword == Keyword::NOT { prefixes + 1 } else { 0 };
        match word.keyword {
            Keyword::CASE => open += 1,
            Keyword::END => open = open.saturating_sub(1),
            _ => {}
        }
        most = most.max(open + prefixes);
    }
    if most < MOST_PARSED - OUTER { error } else { ParserError::RecursionLimitExceeded.into() }
}

fn is_operator(token: &Token) -> bool {
    match token {
        Token::Word(word) => word.keyword != Keyword::NoKeyword,
        Token::Number(..) | Token::SingleQuotedString(_) => false,
        Token::Comma | Token::LParen | Token::RParen | Token::SemiColon => false,
        _ => true,
    }
}

/// How deep brackets nest: as in `(((1)))`, `ARRAY<ARRAY<INT>>` or `INT[][]`.
fn brackets(tokens: &[&Token]) -> usize {
    let (mut open, mut suffixes, mut most) = (0_usize, 0, 0);
    let before = std::iter::once(None).chain(tokens.iter().map(Some));
    for (before, token) in before.zip(tokens) {
        match token {
            Token::LParen | Token::LBrace => open += 1,
            Token::LBracket => {
                open += 1;
                suffixes = if matches!(before, Some(Token::RBracket)) { suffixes + 1 } else { 1 };
            }
            // Any other `<` is a comparison, and is not closed.
            Token::Lt if matches!(before, Some(Token::Word(word)) if starts_type(word.keyword)) => open += 1,
            Token::RParen | Token::RBrace | Token::RBracket | Token::Gt => open = open.saturating_sub(1),
            Token::ShiftRight => open = open.saturating_sub(2),
            _ => {}
        }
        most = most.max(open).max(suffixes);
    }
    most
}

/// How deep those prefixes nest for which the parser recurses without counting: `EXPLAIN EXPLAIN SELECT 1` and
/// `INTERVAL INTERVAL '1'`.
fn prefixes(tokens: &[&Token]) -> usize {
    let is_explain = |token: &Token| is_keyword(token, Keyword::EXPLAIN);
    let is_interval = |token: &Token| is_keyword(token, Keyword::INTERVAL);
    let statements = tokens.split(|token| **token == Token::SemiColon);
    let explained = statements.filter(|statement| statement.first().is_some_and(|token| is_explain(token)));
    let explains = explained.map(|statement| statement.iter().filter(|token| is_explain(token)).count());
    let intervals = tokens.chunk_by(|one, next| is_interval(one) && is_interval(next)).map(<[_]>::len);
    explains.chain(intervals).max().unwrap_or_default()
}

fn is_keyword(token: &Token, keyword: Keyword) -> bool {
    matches!(token, Token::Word(word) if word.keyword == keyword)
}

fn starts_type(keyword: Keyword) -> bool {
    matches!(keyword, Keyword::ARRAY | Keyword::STRUCT | Keyword::MAP)
}

#[cfg(test)]
mod tests {
    use crate::statement::parse_statements;
    use crate::statement::size::tests::check;

    #[test]
    fn deep_prefixes_are_named() {
        crate::with_large_stack(deep_prefixes).unwrap();
    }

    fn deep_prefixes() {
        let error = |text: String| parse_statements(&text).err().map(|error| error.to_string()).unwrap_or_default();
        for (start, end) in
            [("NOT ", ""), ("CASE WHEN true THEN ", " END"), ("CASE WHEN NOT ", " THEN 1 END"), ("(", ")")]
        {
            for depth in [60, 190] {
                let found = error(format!("SELECT {}true{}", start.repeat(depth), end.repeat(depth)));
                assert!(found.contains("RecursionLimitExceeded"), "{depth} {start}: {found}");
            }
            let found = error(format!("SELECT {}true{}", start.repeat(20), end.repeat(20)));
            assert_eq!(found, "", "{start}");
            let found = error(format!("SELECT {}true{} +", start.repeat(20), end.repeat(20)));
            assert!(!found.is_empty() && !found.contains("RecursionLimitExceeded"), "{start}: {found}");
        }
        for (start, prefix) in [
            ("", "EXPLAIN "),
            ("", "EXPLAIN FORMAT tree "),
            ("SELECT 1; ", "EXPLAIN (ANALYZE) "),
            ("SELECT ", "INTERVAL "),
        ] {
            for depth in [60, 20_000] {
                let found = error(format!("{start}{}'1'", prefix.repeat(depth)));
                assert!(found.contains("RecursionLimitExceeded"), "{depth} {prefix}: {found}");
            }
        }
        let intervals = vec!["INTERVAL '1 day'"; 200].join(", ");
        assert_eq!(error(format!("EXPLAIN SELECT {intervals}; SELECT {intervals}")), "");
    }

    #[test]
    fn deep_types_are_refused() {
        let brackets = |depth: usize| Some(format!("{depth} brackets within brackets; the limit is 200"));
        let cast = |begin: &str, end: &str| format!("SELECT CAST(NULL AS {}INT{})", begin.repeat(300), end.repeat(300));
        check(&cast("ARRAY<", ">"), brackets(301).as_deref());
        check(&cast("STRUCT<a ", ">"), brackets(301).as_deref());
        check(&cast("", "[]"), brackets(300).as_deref());
        check(&cast("", "[3]"), brackets(300).as_deref());
        check(&"SELECT 1 < 2; ".repeat(300), None);
    }
}
