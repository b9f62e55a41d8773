//! What the status of an answer means, RFC 9309 § 2.3.1, and what it meant to other texts.

use crate::dialect::Dialect;
use crate::words::words;

words! {
    /// The class of an answer, § 2.3.1.
    AccessResult {
        /// § 2.3.1.1.
        Successful "successful",
        /// § 2.3.1.2.
        Redirect "redirect",
        /// § 2.3.1.3.
        Unavailable "unavailable",
        /// § 2.3.1.4.
        Unreachable "unreachable",
    }
}

/// What a crawler may do after an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// What the rules of the body say.
    ByRules,
    /// Follow the redirect and see.
    ByRedirect,
    /// Anything.
    All,
    /// Nothing.
    None,
    /// Nobody knows: what would say so was not captured.
    Unknown,
}

impl AccessResult {
    /// The class of a status; `None` is an answer without one, such as a connection that broke.
    ///
    /// § 2.3.1.3 and § 2.3.1.4 name the ranges 400 to 499 and 500 to 599 as those of HTTP. On other numbers the text is
    /// silent; draft-00 said that a crawler "MUST assume" the file unreachable, and so it is here.
    #[must_use]
    pub fn of(status: Option<u16>) -> Self {
        match status {
            Some(200..=299) => AccessResult::Successful,
            Some(300..=399) => AccessResult::Redirect,
            Some(400..=499) => AccessResult::Unavailable,
            _ => AccessResult::Unreachable,
        }
    }
}

impl Access {
    /// Whether a path may be fetched on which no rule decides. `None` where nobody knows.
    #[must_use]
    pub fn without_rules(self) -> Option<bool> {
        match self {
            Access::ByRules | Access::All => Some(true),
            Access::None => Some(false),
            Access::ByRedirect | Access::Unknown => None,
        }
    }

    /// What a status lets a crawler do, in a dialect.
    #[must_use]
    pub fn of(status: Option<u16>, dialect: Dialect) -> Self {
        match dialect {
            Dialect::Google if is_throttled(status) => Access::None,
            Dialect::Original1996 if is_restricted(status) => Access::None,
            _ => match AccessResult::of(status) {
                AccessResult::Successful => Access::ByRules,
                AccessResult::Redirect => Access::ByRedirect,
                // § 2.3.1.3: "the crawler MAY access any resources on the server".
                AccessResult::Unavailable => Access::All,
                // § 2.3.1.4: "the crawler MUST assume complete disallow".
                AccessResult::Unreachable => Access::None,
            },
        }
    }
}

/// Google's crawler takes 429 for a server error, by its documentation.
fn is_throttled(status: Option<u16>) -> bool {
    status == Some(429)
}

/// The draft of 1996, § 3.1: "On server response indicating access restrictions (HTTP Status Code 401 or 403) a robot
/// should regard access to the site completely restricted."
///
/// It says of 404 that access is not restricted, and nothing of the other numbers from 400 on, which are taken as 404.
fn is_restricted(status: Option<u16>) -> bool {
    matches!(status, Some(401 | 403))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Access::{All, ByRedirect, ByRules};

    #[test]
    fn by_dialect() {
        let check = |status: u16, expected: [Access; 5]| {
            assert_eq!(Dialect::ALL.map(|dialect| Access::of(Some(status), dialect)), expected, "{status}");
        };
        // In the order of Dialect::ALL: RFC 9309, Google, draft-00, draft-12, 1996.
        check(200, [ByRules; 5]);
        check(301, [ByRedirect; 5]);
        check(401, [All, All, All, All, Access::None]);
        check(403, [All, All, All, All, Access::None]);
        check(404, [All; 5]);
        check(429, [All, Access::None, All, All, All]);
        check(500, [Access::None; 5]);
        check(999, [Access::None; 5]);
        check(100, [Access::None; 5]);
        assert_eq!(Access::of(None, Dialect::Rfc9309), Access::None);
    }
}
