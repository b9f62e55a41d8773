//! The access that a status gives to a crawler, by RFC 9309 § 2.3.1 and by the other dialects.

use crate::dialect::Dialect;
use crate::target::Target;
use crate::words::words;

words! {
    /// The class of a status, § 2.3.1.
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

/// The access of a crawler to a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SiteAccess {
    /// The access by the body's rules.
    ByRules,
    /// The access by the target of the redirect.
    ByRedirect,
    /// Everything.
    All,
    /// Nothing.
    None,
    /// Unknown: the deciding response was not captured.
    Unknown,
}

impl AccessResult {
    /// The class of a status; `None` is a response without a status, such as a broken connection.
    ///
    /// § 2.3.1.3 and § 2.3.1.4 name the ranges 400 to 499 and 500 to 599. The standard does not mention numbers below
    /// 200 and above 599. By draft-00 a crawler "MUST assume" that the file is unreachable, and this function does so.
    #[must_use]
    pub fn from_status(status: Option<u16>) -> Self {
        match status {
            Some(200..=299) => AccessResult::Successful,
            Some(300..=399) => AccessResult::Redirect,
            Some(400..=499) => AccessResult::Unavailable,
            _ => AccessResult::Unreachable,
        }
    }
}

impl SiteAccess {
    /// Whether a path is allowed if no rule decides; `None` if unknown. RFC 9309 § 2.2.2: "The /robots.txt URI is
    /// implicitly allowed", so it is allowed on every site.
    #[must_use]
    pub fn allows(self, target: &Target) -> Option<bool> {
        if target.is_always_allowed() { Some(true) } else { self.without_rules() }
    }

    /// Whether the paths other than `/robots.txt` are allowed if no rule decides; `None` if unknown.
    #[must_use]
    pub fn without_rules(self) -> Option<bool> {
        match self {
            SiteAccess::ByRules | SiteAccess::All => Some(true),
            SiteAccess::None => Some(false),
            SiteAccess::ByRedirect | SiteAccess::Unknown => None,
        }
    }

    /// The access that a status gives, in a dialect.
    #[must_use]
    pub fn from_status(status: Option<u16>, dialect: Dialect) -> Self {
        let is_blocked = match dialect {
            Dialect::Rfc9309 | Dialect::Draft00 | Dialect::Draft12 => false,
            Dialect::Google => is_throttled(status),
            Dialect::Original1996 => is_restricted(status),
        };
        match AccessResult::from_status(status) {
            _ if is_blocked => SiteAccess::None,
            AccessResult::Successful => SiteAccess::ByRules,
            AccessResult::Redirect => SiteAccess::ByRedirect,
            // § 2.3.1.3: "the crawler MAY access any resources on the server".
            AccessResult::Unavailable => SiteAccess::All,
            // § 2.3.1.4: "the crawler MUST assume complete disallow".
            AccessResult::Unreachable => SiteAccess::None,
        }
    }
}

/// Google's crawler treats 429 as a server error, by its documentation.
fn is_throttled(status: Option<u16>) -> bool {
    status == Some(429)
}

/// The draft of 1996, § 3.1: "On server response indicating access restrictions (HTTP Status Code 401 or 403) a robot
/// should regard access to the site completely restricted."
///
/// By the draft, access is not restricted after 404. It does not mention the other statuses from 400 on, which are
/// treated like 404 here.
fn is_restricted(status: Option<u16>) -> bool {
    matches!(status, Some(401 | 403))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_robots_txt_is_allowed_on_every_site() {
        let check = |access: SiteAccess, path: &str, expected: [Option<bool>; 5]| {
            let found = Dialect::ALL.map(|dialect| access.allows(&Target::new(path.as_bytes(), dialect)));
            assert_eq!(found, expected, "{access:?} {path}");
        };
        let [yes, no] = [Some(true), Some(false)];
        // In the order of Dialect::ALL: RFC 9309, Google, draft-00, draft-12, 1996.
        check(SiteAccess::None, "/robots.txt", [yes, no, yes, yes, yes]);
        check(SiteAccess::None, "https://a.example/robots.txt#x", [yes, no, yes, yes, yes]);
        check(SiteAccess::Unknown, "/robots.txt", [yes, None, yes, yes, yes]);
        check(SiteAccess::None, "/", [no; 5]);
        check(SiteAccess::Unknown, "/robots.txt/x", [None; 5]);
        check(SiteAccess::All, "/", [yes; 5]);
    }
}
