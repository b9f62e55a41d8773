//! A question of `judge --ndjson`.

use crate::judge::interpretation::Interpretation;
use robots::{Dialect, Naming, Target};
use serde::Deserialize;
use std::borrow::Cow;

/// A question. Its strings borrow from the line, unless they have escapes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NdjsonQuestion<'l> {
    pub(crate) robots_base64: Cow<'l, str>,
    pub(crate) agent: Cow<'l, str>,
    pub(crate) url: Cow<'l, str>,
    pub(crate) interpretation: Interpretation,
}

/// The keys of a question. Other keys are ignored.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct QuestionFields<'l> {
    #[serde(borrow)]
    robots_base64: Cow<'l, str>,
    #[serde(borrow)]
    agent: Cow<'l, str>,
    #[serde(borrow)]
    url: Cow<'l, str>,
    #[serde(borrow)]
    dialect: Option<BorrowedText<'l>>,
    #[serde(borrow)]
    naming: Option<BorrowedText<'l>>,
}

/// A string of its own type, since serde never borrows for an `Option<Cow<str>>`.
#[derive(Deserialize)]
struct BorrowedText<'l>(#[serde(borrow)] Cow<'l, str>);

impl<'l> NdjsonQuestion<'l> {
    /// Parses a line. `interpretation` gives the defaults. An error is the cause, in words.
    pub(crate) fn read(line: &'l [u8], interpretation: Interpretation) -> Result<Self, String> {
        let fields: QuestionFields<'l> = serde_json::from_slice(line).map_err(|error| cause(&error))?;
        let dialect = match &fields.dialect {
            Some(BorrowedText(name)) => {
                Dialect::named(name).ok_or_else(|| unknown("dialect", name, &Dialect::ALL.map(Dialect::name)))?
            }
            None => interpretation.dialect,
        };
        let naming = match &fields.naming {
            Some(BorrowedText(name)) => {
                Naming::named(name).ok_or_else(|| unknown("naming", name, &Naming::ALL.map(Naming::name)))?
            }
            None => interpretation.naming,
        };
        if let Some(problem) = Target::problem(&fields.url) {
            return Err(format!("url cannot be judged: {problem}"));
        }
        let QuestionFields { robots_base64, agent, url, .. } = fields;
        Ok(NdjsonQuestion { robots_base64, agent, url, interpretation: Interpretation { dialect, naming } })
    }
}

fn unknown(key: &str, name: &str, known: &[&str]) -> String {
    format!("unknown {key} `{name}`, expected one of {}", known.join(", "))
}

/// The message of serde, without the line number, which is always 1.
fn cause(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    match text.strip_suffix(&place) {
        Some(text) => format!("{text} at column {}", error.column()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTERPRETATION: Interpretation = Interpretation { dialect: Dialect::Rfc9309, naming: Naming::Named };

    #[test]
    fn keys_in_any_order_and_unknown_ones_among_them() {
        let line = br#"{"url": "/a", "x": {"y": [1]}, "dialect": "google", "robots_base64": "QQ==", "agent": "a"}"#;
        let question = NdjsonQuestion::read(line, INTERPRETATION).unwrap();
        assert_eq!((&*question.robots_base64, &*question.agent, &*question.url), ("QQ==", "a", "/a"));
        assert_eq!(question.interpretation, Interpretation { dialect: Dialect::Google, ..INTERPRETATION });
        assert!(matches!(question.robots_base64, Cow::Borrowed(_)));
    }

    #[test]
    fn escapes_and_nulls() {
        let line = br#"{"robots_base64": "\/w==", "agent": "\u0061", "url": "\/", "dialect": null, "naming": "exact"}"#;
        let question = NdjsonQuestion::read(line, INTERPRETATION).unwrap();
        assert_eq!((&*question.robots_base64, &*question.agent, &*question.url), ("/w==", "a", "/"));
        assert_eq!(question.interpretation, Interpretation { naming: Naming::Exact, ..INTERPRETATION });
    }

    #[test]
    fn causes() {
        let check = |line: &str, expected: &str| {
            assert_eq!(NdjsonQuestion::read(line.as_bytes(), INTERPRETATION).unwrap_err(), expected, "{line}");
        };
        check("{}", "missing field `robots_base64` at column 2");
        check(r#"{"robots_base64": "", "agent": "a"}"#, "missing field `url` at column 35");
        check(r#"{"agent": 5}"#, "invalid type: integer `5`, expected a string at column 11");
        check("[1]", "invalid type: integer `1`, expected a string at column 2");
        check("5", "invalid type: integer `5`, expected an object at column 1");
        check("nonsense", "expected ident at column 2");
        check(
            r#"{"robots_base64": "", "agent": "a", "url": "/", "dialect": "x"}"#,
            "unknown dialect `x`, expected one of rfc9309, google, draft-00, draft-12, original-1996",
        );
        check(
            r#"{"robots_base64": "", "agent": "a", "url": "/", "naming": "x"}"#,
            "unknown naming `x`, expected one of named, product-token, exact",
        );
        let problem = "url cannot be judged: a path starts with /, and a URL with https:// or http://";
        check(r#"{"robots_base64": "", "agent": "a", "url": "private/x"}"#, problem);
        check(r#"{"robots_base64": "", "agent": "a", "url": ""}"#, problem);
        check(r#"{"robots_base64": "", "agent": "a", "url": "/"} {}"#, "trailing characters at column 49");
    }
}
