//! `robots_matches(pattern, path)`.

use super::SECTION;
use super::texts::{TextFunction, Texts};
use crate::quoted::literal;
use datafusion::arrow::array::{ArrayRef, BooleanArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::utils::take_function_args;
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::Documentation;
use robots::{Dialect, Pattern, Target};
use std::sync::{Arc, LazyLock};

const NAME: &str = "robots_matches";

/// What functions say about their argument `path`.
pub(super) const PATH: &str = "a path with its query, or a URL; only its path and query count. A path starts with `/` and \
    a URL with its scheme, such as `https://`";

/// Whether a rule's pattern matches a path.
pub(super) fn robots_matches() -> TextFunction {
    TextFunction {
        name: NAME,
        arguments: &["pattern", "path"],
        result: DataType::Boolean,
        documentation: &DOCUMENTATION,
        answer: matches,
    }
}

static DOCUMENTATION: LazyLock<Documentation> = LazyLock::new(|| {
    Documentation::builder(
        SECTION,
        "Whether the pattern of a rule matches a path (RFC 9309 sections 2.2.2 and 2.2.3). `*` matches any run of \
         characters, `$` at the end matches the end of the path, and percent-encoding is undone where that does not \
         change the meaning. The empty pattern matches no path, since it allows or disallows nothing. Null if either \
         argument is null.",
        "robots_matches(pattern, path) -> boolean",
    )
    .with_argument("pattern", "the pattern of a rule, as in `rules.pattern`")
    .with_argument("path", format!("{PATH}. Any other text is an error as a literal, and gives null in a column"))
    .with_sql_example(
        "SELECT pattern, robots_matches(pattern, 'https://example.com/shop/cart?id=7') AS matches\n\
         FROM (VALUES ('/'), ('/shop'), ('/shop/$'), ('/*?id='), ('/%73hop'), (''), (NULL)) AS rules(pattern);",
    )
    .build()
});

fn matches(texts: &[Texts<'_>], rows: usize) -> Result<ArrayRef> {
    let [patterns, paths] = take_function_args(NAME, texts)?;
    if let Texts::Constant(Some(path)) = paths {
        target(NAME, path, Dialect::Rfc9309)?;
    }
    let mut targets = Targets::default();
    let is_match = |row| Some(Pattern::is_match(patterns.get(row)?.as_bytes(), targets.target(paths.get(row)?)?));
    Ok(Arc::new((0..rows).map(is_match).collect::<BooleanArray>()))
}

/// Caches the normal form of the last path. Most statements have the same path in all rows.
#[derive(Default)]
pub(super) struct Targets<'a>(Option<(&'a str, Option<Target>)>);

impl<'a> Targets<'a> {
    /// The path in its normal form; `None` if it cannot be judged. Anybody may have written the texts of a column, and
    /// none of them must end a statement.
    #[inline]
    pub(super) fn target(&mut self, path: &'a str) -> Option<&Target> {
        if self.0.as_ref().is_some_and(|(last, _)| *last != path) {
            self.0 = None;
        }
        let judged = || Target::problem(path).is_none().then(|| Target::new(path.as_bytes(), Dialect::Rfc9309));
        self.0.get_or_insert_with(|| (path, judged())).1.as_ref()
    }
}

/// A path or URL in its normal form. Fails if it cannot be judged.
pub(super) fn target(function: &str, path: &str, dialect: Dialect) -> Result<Target> {
    match Target::problem(path) {
        Some(problem) => exec_err!("URL cannot be judged: {function}: {}: {problem}", literal(path)),
        None => Ok(Target::new(path.as_bytes(), dialect)),
    }
}

#[cfg(test)]
mod tests {
    use crate::functions::fixture::{column, scalar};

    /// Checks each argument as a constant and as a column, in all text types.
    fn check(pattern: &str, path: &str, expected: &str) {
        for data_type in ["Utf8", "LargeUtf8", "Utf8View", "Dictionary(Int32, Utf8)"] {
            let text = |text: &str| format!("arrow_cast({text}, '{data_type}')");
            let (constant, of_column) = (text(pattern), text("x"));
            let with = |first: &str, second: &str, x: &str| {
                column(&format!("SELECT robots_matches({first}, {second}) FROM (VALUES ({x}), ({x})) AS of(x)"))
            };
            assert_eq!(scalar(&format!("robots_matches({constant}, {path})")), expected, "{pattern} {path}");
            assert_eq!(with(&of_column, path, pattern), [expected; 2], "{pattern} {path} {data_type}");
            assert_eq!(with(pattern, &of_column, path), [expected; 2], "{pattern} {path} {data_type}");
        }
    }

    #[test]
    fn a_pattern_matches_a_path() {
        check("'/a*c$'", "'/abc'", "true");
        check("'/a*c$'", "'https://example.com/abcd'", "false");
        check("'/caf\u{e9}'", "'/caf%C3%A9/x'", "true");
        check("'/%2A'", "'/*'", "true");
        check("''", "'/'", "false");
        check("NULL", "'/'", "");
        check("'/'", "NULL", "");
    }

    #[test]
    fn paths_may_change_from_row_to_row() {
        let sql = "SELECT robots_matches(a, b) FROM (VALUES \
                   ('/a', '/a'), ('/a', '/b'), ('/a', NULL), (NULL, '/a'), ('/b', '/b'), ('/a', '/b')) AS of(a, b)";
        assert_eq!(column(sql), ["true", "false", "", "", "true", "false"]);
    }

    #[test]
    fn arguments_must_be_texts_and_paths() {
        let error = crate::functions::fixture::error("SELECT robots_matches('/', 5)");
        assert!(error.contains("argument is not a text: robots_matches: path is of type Int64"), "{error}");
        assert_eq!(column("SELECT robots_matches('/', x) FROM (VALUES ('/a'), ('a')) AS of(x)"), ["true", ""]);
        let error = crate::functions::fixture::error("SELECT robots_matches(x, 'a') FROM (VALUES ('/a')) AS of(x)");
        assert!(error.contains("URL cannot be judged: robots_matches: 'a': a path starts with /"), "{error}");
        let error = crate::functions::fixture::error("SELECT robots_matches('/')");
        assert!(error.contains("wrong number of arguments: robots_matches(pattern, path): 1 given"), "{error}");
    }
}
