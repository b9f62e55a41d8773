//! Helps at the prompt: detects the end of a statement, and completes names.

use analyze::Session;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};
use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper, Result};
use std::collections::{BTreeMap, BTreeSet};

/// The names that can be completed.
pub(super) struct PromptHelper {
    /// The columns of each table.
    tables: BTreeMap<String, Vec<String>>,
    functions: BTreeSet<String>,
    /// Functions that return a table.
    table_functions: BTreeSet<String>,
    /// The lines of the statement before the line that is being typed.
    pub(super) lines_before: String,
}

const KEYWORDS: &str = "\
    ALL ANALYZE AND AS ASC BETWEEN BY CASE CAST COPY CREATE CROSS DESC DESCRIBE DISTINCT DROP ELSE END EXCEPT \
    EXISTS EXPLAIN FALSE FILTER FROM FULL GROUP HAVING IN INNER INSERT INTERSECT INTO IS JOIN LEFT LIKE LIMIT \
    NOT NULL OFFSET ON OR ORDER OVER PARTITION SELECT SHOW TABLES THEN UNION USING WHERE";

impl PromptHelper {
    pub(super) fn new(session: &Session) -> Self {
        let described = session.described().into_iter();
        let tables = described
            .map(|table| (table.name, table.columns.into_iter().map(|column| column.name).collect()))
            .collect();
        let state = session.context().state();
        let scalar = state.scalar_functions().keys();
        let functions = scalar.chain(state.aggregate_functions().keys()).chain(state.window_functions().keys());
        PromptHelper {
            tables,
            functions: functions.cloned().collect(),
            table_functions: state.table_functions().keys().cloned().collect(),
            lines_before: String::new(),
        }
    }

    /// The offset of the unfinished word, and the words that could complete it.
    fn words(&self, before: &str) -> (usize, Vec<String>) {
        let is_part = |character: char| character.is_alphanumeric() || character == '_';
        let start = before.len() - before.chars().rev().take_while(|c| is_part(*c)).map(char::len_utf8).sum::<usize>();
        let (lead, typed) = before.split_at(start);
        let fits = |word: &&String| word.starts_with(typed);
        if let Some(command) = lead.strip_suffix(' ').map(str::trim)
            && command == r"\d"
        {
            return (start, self.tables.keys().filter(fits).cloned().collect());
        }
        if let Some(qualifier) = lead.strip_suffix('.') {
            let table = qualifier.rsplit(|character| !is_part(character)).next().unwrap_or_default();
            let columns = self.tables.get(self.resolve_alias(table, before)).into_iter().flatten();
            return (start, columns.filter(fits).cloned().collect());
        }
        let last = lead.split_whitespace().next_back().unwrap_or_default().to_ascii_uppercase();
        let mut words: BTreeSet<String> = BTreeSet::new();
        words.extend(self.tables.keys().chain(&self.table_functions).filter(fits).cloned());
        if !["FROM", "JOIN", "DESCRIBE", "TABLE"].contains(&last.as_str()) && !typed.is_empty() {
            let columns = self.tables.values().flatten();
            words.extend(columns.chain(&self.functions).filter(fits).cloned());
            let is_lower = typed.starts_with(|first: char| first.is_lowercase());
            let keywords =
                KEYWORDS.split_ascii_whitespace().filter(|word| word.starts_with(&typed.to_ascii_uppercase()));
            words.extend(keywords.map(|word| if is_lower { word.to_ascii_lowercase() } else { word.to_owned() }));
        }
        (start, words.into_iter().collect())
    }

    /// The table that a name or alias stands for: `captures c` or `captures AS c`.
    fn resolve_alias<'n>(&'n self, name: &'n str, statement: &'n str) -> &'n str {
        if self.tables.contains_key(name) {
            return name;
        }
        let words: Vec<&str> =
            statement.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).collect();
        let alias = |at: usize| words.get(at).is_some_and(|word| *word == name);
        let is_as = |at: usize| words.get(at).is_some_and(|word| word.eq_ignore_ascii_case("as"));
        let found = words
            .iter()
            .enumerate()
            .find(|(at, word)| self.tables.contains_key(**word) && (alias(at + 1) || (is_as(at + 1) && alias(at + 2))));
        found.map_or(name, |(_, word)| word)
    }
}

/// Whether the input is complete: a command of the prompt, or statements that end with a semicolon.
pub(super) fn is_complete(typed: &str) -> bool {
    let trimmed = typed.trim();
    if trimmed.is_empty() || trimmed.starts_with('\\') || ["quit", "exit", "help"].contains(&trimmed) {
        return true;
    }
    // A semicolon in a string or comment does not end a statement.
    let Ok(tokens) = Tokenizer::new(&GenericDialect {}, typed).tokenize() else { return false };
    tokens.iter().rfind(|token| !matches!(token, Token::Whitespace(_))).is_none_or(|token| *token == Token::SemiColon)
}

/// Whether a line is a command of the prompt, such as `\d`. A command may interrupt a statement, but not a string.
pub(super) fn is_command(line: &str, lines_before: &str) -> bool {
    // An unfinished string cannot be tokenized.
    let is_in_string = || Tokenizer::new(&GenericDialect {}, lines_before).tokenize().is_err();
    line.trim_start().starts_with('\\') && !is_in_string()
}

impl Completer for PromptHelper {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> Result<(usize, Vec<String>)> {
        let line = line.get(..at).unwrap_or_default();
        if is_command(line, &self.lines_before) {
            return Ok(self.words(line));
        }
        let (start, words) = self.words(&format!("{}{line}", self.lines_before));
        Ok((start.saturating_sub(self.lines_before.len()), words))
    }
}

impl Validator for PromptHelper {}

impl Hinter for PromptHelper {
    type Hint = String;
}

impl Highlighter for PromptHelper {}

impl Helper for PromptHelper {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_complete_with_its_semicolon() {
        let check = |typed: &str, expected: bool| assert_eq!(is_complete(typed), expected, "{typed:?}");
        check("", true);
        check("SELECT 1;", true);
        check("SELECT 1; -- and so on", true);
        check("SELECT 1", false);
        check("SELECT 1 -- ;", false);
        check("SELECT ';", false);
        check("SELECT ';'", false);
        check("SELECT ';';", true);
        check("/* ; ", false);
        check(r"\d captures", true);
        check("quit", true);
        check("  exit ", true);
    }

    #[test]
    fn names_are_completed_by_context() {
        let helper = PromptHelper {
            tables: [
                ("captures".to_owned(), vec!["capture_id".to_owned(), "url".to_owned()]),
                ("policies".to_owned(), vec!["token".to_owned()]),
            ]
            .into(),
            functions: ["count".to_owned()].into(),
            table_functions: ["robots_access".to_owned()].into(),
            lines_before: String::new(),
        };
        let check = |before: &str, start: usize, expected: &[&str]| {
            assert_eq!(
                helper.words(before),
                (start, expected.iter().map(|word| (*word).to_owned()).collect()),
                "{before}"
            );
        };
        check("sel", 0, &["select"]);
        check("SEL", 0, &["SELECT"]);
        check("SELECT * FROM ", 14, &["captures", "policies", "robots_access"]);
        check("SELECT * FROM ca", 14, &["captures"]);
        check("SELECT c", 7, &["capture_id", "captures", "case", "cast", "copy", "count", "create", "cross"]);
        check("SELECT captures.", 16, &["capture_id", "url"]);
        check("SELECT * FROM captures AS c WHERE c.u", 36, &["url"]);
        check("SELECT * FROM captures c, policies p WHERE p.", 45, &["token"]);
        check(r"\d po", 3, &["policies"]);
    }

    #[test]
    fn commands_within_a_statement() {
        assert!(is_command(r"\d captures", ""));
        assert!(is_command(r"  \x", "SELECT url\n"));
        assert!(!is_command(r"\d", "SELECT 'a text\n"));
        assert!(!is_command("FROM captures;", "SELECT url\n"));
    }
}
