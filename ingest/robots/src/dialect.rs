//! The dialects: the texts that define robots.txt, and where they differ.
//!
//! Each difference is one function with its citation. This module has the differences between RFC 9309 and its drafts,
//! [`google`] those of Google's open-source parser, and [`original`] those of the draft of 1996.

pub(crate) mod google;
pub(crate) mod original;

use crate::weight::Weight;
use crate::words::words;

words! {
    /// The text that a verdict follows.
    #[derive(Default)]
    Dialect {
        /// RFC 9309, September 2022.
        #[default]
        Rfc9309 "rfc9309",
        /// Google's open-source parser and matcher.
        Google "google",
        /// draft-koster-rep-00, July 2019, the first Internet-Draft of what became RFC 9309.
        Draft00 "draft-00",
        /// draft-koster-rep-12, 2022, the last.
        Draft12 "draft-12",
        /// draft-koster-robots-00, December 1996: records separated by blank lines, prefixes, the first match.
        Original1996 "original-1996",
    }
}

words! {
    /// Which user-agent lines name a crawler.
    ///
    /// By the standard, a crawler's name is a product token: letters, hyphens and underscores (§ 2.2.1). In `rfc9309`
    /// and `draft-12` the caller chooses; the other dialects have their own rules.
    #[derive(Default)]
    Naming {
        /// As the standard says if the crawler's name is a product token, otherwise by the whole token, see
        /// [`crate::token`]. So `AI2Bot`, `MJ12bot` and `008` match the lines that name them, and `FooBot` matches
        /// `FooBot/2.1`.
        #[default]
        Named "named",
        /// As the standard says: by the product token at the start of a line's value. `MJ12bot` matches no line, since
        /// it is not a product token, and `MJ` matches the line `MJ12bot`.
        ProductToken "product-token",
        /// By the whole token: `MJ` does not match `MJ12bot`.
        Exact "exact",
    }
}

impl Dialect {
    /// Whether the dialect finds the same user-agent lines, groups and rules in a file as RFC 9309. If not, it needs
    /// the text.
    #[must_use]
    pub fn has_lines_of_rfc_9309(self) -> bool {
        match self {
            Dialect::Rfc9309 | Dialect::Draft00 | Dialect::Draft12 => true,
            Dialect::Google | Dialect::Original1996 => false,
        }
    }

    /// Whether a user-agent line whose token is `*` starts a wildcard group, by its value.
    ///
    /// draft-00 § 2.2.1: "a user-agent line with a "*" value". The line `* text` has another value. By RFC 9309,
    /// crawlers use the part that they can parse (§ 2.3.1.5).
    pub(crate) fn is_wildcard(self, value: &[u8]) -> bool {
        match self {
            Dialect::Draft00 => value == b"*",
            Dialect::Rfc9309 | Dialect::Google | Dialect::Draft12 | Dialect::Original1996 => true,
        }
    }

    /// Whether all groups that name a crawler count, or only the first.
    ///
    /// RFC 9309 § 2.2.1: "If there is more than one group matching the user-agent, the matching groups' rules MUST be
    /// combined into one group". The draft of 1996, § 3.2.1: "The robot must obey the first record".
    pub(crate) fn combines_named_groups(self) -> bool {
        match self {
            Dialect::Rfc9309 | Dialect::Google | Dialect::Draft00 | Dialect::Draft12 => true,
            Dialect::Original1996 => false,
        }
    }

    /// Whether all wildcard groups count, or only the first.
    ///
    /// draft-00 § 2.2.1: "If no matching group exists, crawlers MUST obey the first group with a user-agent line with a
    /// "*" value, if present." RFC 9309 § 2.2.1 says "the group", after it has combined the groups that match one
    /// token.
    pub(crate) fn combines_wildcard_groups(self) -> bool {
        match self {
            Dialect::Rfc9309 | Dialect::Google | Dialect::Draft12 => true,
            Dialect::Draft00 | Dialect::Original1996 => false,
        }
    }

    /// The weight that a rule must exceed to decide.
    ///
    /// RFC 9309 § 2.2.2 takes the match with the most octets. An empty value has no octet, so it never decides.
    /// In Google's parser an empty value matches every path with priority 0, above "no match"
    /// (`LongestMatchRobotsMatchStrategy`). The verdict stays "allowed", but `matching_line` returns the line.
    pub(crate) fn weight_without_rule(self) -> Option<Weight> {
        match self {
            Dialect::Google => None,
            Dialect::Rfc9309 | Dialect::Draft00 | Dialect::Draft12 | Dialect::Original1996 => Some(Weight::default()),
        }
    }

    /// Whether `/robots.txt` is allowed whatever the rules and the status say.
    ///
    /// RFC 9309 § 2.2.2, and the drafts of 2019 to 2022: "The /robots.txt URI is implicitly allowed." The draft of
    /// 1996, § 3.2.2: "The /robots.txt URL is always allowed". Google's parser leaves this to its caller.
    pub(crate) fn allows_robots_txt(self) -> bool {
        match self {
            Dialect::Google => false,
            Dialect::Rfc9309 | Dialect::Draft00 | Dialect::Draft12 | Dialect::Original1996 => true,
        }
    }

    /// Whether an allow line for `index.html` also allows its folder.
    pub(crate) fn allows_folder_of_index(self) -> bool {
        match self {
            Dialect::Google => true,
            Dialect::Rfc9309 | Dialect::Draft00 | Dialect::Draft12 | Dialect::Original1996 => false,
        }
    }
}
