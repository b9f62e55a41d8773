//! Texts as literals and patterns of SQL.

/// A text as a literal of SQL.
pub(super) fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A text as a literal of Spark's SQL, in which a backslash starts an escape.
pub(super) fn spark_literal(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// A location as a DuckDB pattern that matches only itself.
pub(super) fn without_patterns(location: &str) -> String {
    let mut pattern = String::with_capacity(location.len());
    for character in location.chars() {
        match character {
            '[' | '*' | '?' => pattern.extend(['[', character, ']']),
            other => pattern.push(other),
        }
    }
    pattern
}
