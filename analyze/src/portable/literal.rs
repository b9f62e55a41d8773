//! Texts as literals and patterns of engines that differ from standard SQL.

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
