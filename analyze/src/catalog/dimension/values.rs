//! Which values the columns of built-in tables may have.

use crate::date::is_day;

/// The values that a column may have, of those of its type.
#[derive(Clone, Copy)]
pub(super) enum Values {
    All,
    /// The name of an agent. No other row has its token.
    Token,
    /// One of [`KINDS`].
    Kind,
    /// A year, a month or a day.
    Date,
}

impl Values {
    /// What a value should be but is not.
    pub(super) fn missed_by(self, value: &str) -> Option<String> {
        let (is_met, expected) = match self {
            Values::All => return None,
            Values::Token => (&*robots::token(value.as_bytes()) != b"*", "the name of an agent".to_owned()),
            Values::Kind => (KINDS.contains(&value), format!("one of {}", KINDS.join(", "))),
            Values::Date => {
                let day = match value.len() {
                    4 => format!("{value}-01-01"),
                    7 => format!("{value}-01"),
                    _ => value.to_owned(),
                };
                (is_day(&day), "a date such as 2026, 2026-11 or 2026-11-23".to_owned())
            }
        };
        (!is_met).then_some(expected)
    }
}

/// The kinds of names in the list of agents.
pub(super) const KINDS: [&str; 11] = [
    "crawler",
    "control",
    "operator-name",
    "tool",
    "library",
    "site-copier",
    "browser",
    "legacy-blocklist",
    "generic-word",
    "misspelling",
    "unknown",
];
