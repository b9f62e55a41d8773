//! The part of a URI that rules are matched against, in the form that a dialect compares.

use crate::dialect::{Dialect, google, original};
use crate::pattern::normal;

/// A path and query, in the form that one dialect compares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub(crate) dialect: Dialect,
    pub(crate) path: Vec<u8>,
}

impl Target {
    /// Takes a path (`/a?b`), a URI (`https://example.com/a?b`), or a URI without its scheme, as in RFC 9309 § 5.2
    /// (`example.com/a?b`). The fragment is removed, since it is not sent to the server.
    #[must_use]
    pub fn new(path_or_url: &[u8], dialect: Dialect) -> Self {
        let mut path = Vec::with_capacity(path_or_url.len() + 1);
        match dialect {
            Dialect::Google => path = google::path(path_or_url),
            Dialect::Original1996 => {
                let whole = path_and_query(path_or_url);
                original::decode(path_portion(&whole), &mut path);
            }
            Dialect::Rfc9309 | Dialect::Draft00 | Dialect::Draft12 => {
                normal::write_path(&path_and_query(path_or_url), &mut path);
            }
        }
        Target { dialect, path }
    }

    /// The path in the form that is compared.
    #[must_use]
    pub fn path(&self) -> &[u8] {
        &self.path
    }

    /// Whether two paths are equal once all percent-encoding is undone, except that of `/`.
    ///
    /// ```
    /// let target = |path: &str| robots::Target::new(path.as_bytes(), robots::Dialect::Rfc9309);
    /// let (raw, encoded, other) = (target("/a{b}"), target("/a%7Bb%7D"), target("/a"));
    /// assert!(raw != encoded && raw.has_same_octets(&encoded) && !raw.has_same_octets(&other));
    /// ```
    #[must_use]
    pub fn has_same_octets(&self, other: &Target) -> bool {
        let decoded = |target: &Target| {
            let mut octets = Vec::new();
            original::decode(&target.path, &mut octets);
            octets
        };
        decoded(self) == decoded(other)
    }

    /// Why a text should not be judged; `None` for a path and for a URL. [`Target::new`] reads `private/x` as a URL
    /// without its scheme, but its writer may mean a path without its slash.
    ///
    /// ```
    /// assert_eq!(robots::Target::problem("/private/x"), None);
    /// assert!(robots::Target::problem("private/x").is_some() && robots::Target::problem("").is_some());
    /// assert!(robots::Target::problem("private/x?next=https://example.com/").is_some());
    /// ```
    #[must_use]
    pub fn problem(path_or_url: &str) -> Option<&'static str> {
        let text = path_or_url.as_bytes();
        let has_host = |after_scheme: &[u8]| {
            let mut parts = after_scheme.split(|byte| matches!(byte, b'/' | b'?' | b'#'));
            // Browsers and many crawlers read `\` as `/`.
            let is_authority = |part: &[u8]| !part.is_empty() && part.iter().all(|byte| *byte > b' ' && *byte != b'\\');
            parts.next().is_some_and(is_authority)
        };
        let is_clear = text.starts_with(b"/") || after_scheme(text).is_some_and(has_host);
        (!is_clear).then_some("a path starts with /, and a URL with https:// or http://")
    }

    /// Whether the dialect allows this target whatever a file and a status say: it is the robots.txt itself.
    pub(crate) fn is_always_allowed(&self) -> bool {
        self.dialect.allows_robots_txt() && self.is_robots_txt()
    }

    /// Whether this is the robots.txt itself.
    #[must_use]
    pub fn is_robots_txt(&self) -> bool {
        is_robots_txt(&self.path, None)
    }
}

/// Whether an http or https URL with this path and query is the robots.txt of its service. RFC 9309 § 2.3: "The rules
/// MUST be accessible in a file named "/robots.txt" (all lowercase) in the top-level path of the service. […] the URI
/// of the robots.txt file is: "scheme:[//authority]/robots.txt"".
///
/// That URI has no query, so `/robots.txt?x` and `/robots.txt?` are other resources. A fragment is not sent and changes
/// nothing.
///
/// ```
/// assert!(robots::is_robots_txt("/robots.txt", None));
/// assert!(!robots::is_robots_txt("/robots.txt", Some("")) && !robots::is_robots_txt("/Robots.txt", None));
/// ```
#[must_use]
pub fn is_robots_txt(path: impl AsRef<[u8]>, query: Option<&str>) -> bool {
    path.as_ref() == b"/robots.txt" && query.is_none()
}

/// The draft of 1996, § 3.2.2, compares "the path portion of the URL" (RFC 1808). The query and the parameters are not
/// part of it. RFC 1808 § 2.4.5: "the substring after the first (left-most) semicolon and up to the end of the parse
/// string is the parameters".
fn path_portion(path_and_query: &[u8]) -> &[u8] {
    let end = memchr::memchr2(b'?', b';', path_and_query).unwrap_or(path_and_query.len());
    path_and_query.get(..end).unwrap_or_default()
}

fn path_and_query(path_or_url: &[u8]) -> Vec<u8> {
    let without_fragment = path_or_url.split(|&byte| byte == b'#').next().unwrap_or_default();
    let is_delimiter = |byte: &u8| matches!(byte, b'/' | b'?');
    let after_authority = if without_fragment.first().is_some_and(is_delimiter) {
        without_fragment
    } else {
        let authority = after_scheme(without_fragment).unwrap_or(without_fragment);
        authority.get(authority.iter().position(is_delimiter).unwrap_or(authority.len())..).unwrap_or_default()
    };
    let slash: &[u8] = if after_authority.starts_with(b"/") { b"" } else { b"/" };
    [slash, after_authority].concat()
}

/// What follows the scheme of a URL, RFC 3986 § 3.1: `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )`.
fn after_scheme(url: &[u8]) -> Option<&[u8]> {
    let at = memchr::memmem::find(url, b"://")?;
    let (scheme, rest) = url.split_at_checked(at)?;
    let is_scheme = scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && scheme.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    rest.get(3..).filter(|_| is_scheme)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str, expected: &str) {
        let target = Target::new(url.as_bytes(), Dialect::Rfc9309);
        assert_eq!(std::str::from_utf8(target.path()).unwrap(), expected, "{url:?}");
    }

    #[test]
    fn paths_and_urls() {
        check("", "/");
        check("/", "/");
        check("/a?b#c", "/a?b");
        check("https://example.com", "/");
        check("https://example.com?q=1", "/?q=1");
        check("https://user:pw@example.com:8080/a/b?c#d", "/a/b?c");
        check("ftp://ftp.example.com/x", "/x");
        check("example.com/example/page/disallow.gif", "/example/page/disallow.gif");
        check("/redirect?to=https://example.com/", "/redirect?to=https://example.com/");
        check("https://example.com/#/route", "/");
        check("//a/b", "//a/b");
    }

    #[test]
    fn texts_that_are_neither_paths_nor_urls() {
        for clear in
            ["/x?next=https://e.com/", "//a", "HTTPS://e.com?x", "ftp://user@e.com:21/x", "https://\u{e9}.com#a"]
        {
            assert_eq!(Target::problem(clear), None, "{clear:?}");
        }
        let without_scheme = ["x?next=https://e.com/", " https://e.com/", "\"https://e.com/\"", "<https://e.com/>"];
        let without_host = ["https:///e.com/x", "https://#e.com", "https://e.com\\x", "https:// e.com/x"];
        let others = ["e.com/x", "://e.com/", "view-source:https://e.com/"];
        for unclear in without_scheme.iter().chain(&without_host).chain(&others) {
            assert!(Target::problem(unclear).is_some(), "{unclear:?}");
        }
    }

    #[test]
    fn the_original_compares_neither_query_nor_parameters() {
        assert_eq!(Target::new(b"/a;b/c?d", Dialect::Original1996).path(), b"/a");
        assert_eq!(Target::new(b"/a%2fb%20c?d", Dialect::Original1996).path(), b"/a%2Fb c");
    }
}
