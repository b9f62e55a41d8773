//! Texts and names, quoted for standard SQL.

/// A text as a literal.
pub(crate) fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A name as an identifier, with its case kept.
pub(crate) fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_within_are_doubled() {
        assert_eq!((literal("it's"), literal("a\"b")), ("'it''s'".to_owned(), "'a\"b'".to_owned()));
        assert_eq!((identifier("it's"), identifier("a\"b")), ("\"it's\"".to_owned(), "\"a\"\"b\"".to_owned()));
    }
}
