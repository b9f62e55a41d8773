//! The texts that have said what a robots.txt means, and where they differ.
//!
//! Each difference is one function with its citation: here those between RFC 9309 and its drafts, in
//! [`google`] what Google's open-source parser does, in [`original`] what the draft of 1996 says.

pub(crate) mod google;
pub(crate) mod original;

use crate::judge::Weight;
use crate::words::words;

words! {
    /// Whose reading a verdict follows.
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
        /// draft-koster-robots-00, December 1996: records parted by blank lines, prefixes, the first match.
        Original1996 "original-1996",
    }
}

words! {
    /// Which user-agent lines name a crawler.
    ///
    /// The standard lets a crawler have a product token only, which is letters, hyphens and underscores (§ 2.2.1). The
    /// dialects of RFC 9309 and of draft-12 take the caller's choice; the others have a reading of their own.
    #[derive(Default)]
    Naming {
        /// As the standard has it for a crawler whose name is a product token; by its whole token, see [`crate::token`],
        /// for a crawler whose name is none. So `AI2Bot`, `MJ12bot` and `008` find the group that names them, and
        /// `FooBot` finds `FooBot/2.1`.
        #[default]
        Named "named",
        /// The standard's reading and nothing else: the product token that a line begins with. `MJ12bot` finds no line,
        /// since none can begin with it, and `MJ` finds the line that says `MJ12bot`.
        ProductToken "product-token",
        /// The whole token and nothing else: `MJ` does not find `MJ12bot`.
        Exact "exact",
    }
}

impl Dialect {
    /// Whether it finds the same user-agent lines, groups and rules in a file as RFC 9309, and differs in what follows
    /// from them alone. For the others one needs the text.
    #[must_use]
    pub fn has_lines_of_rfc_9309(self) -> bool {
        match self {
            Dialect::Rfc9309 | Dialect::Draft00 | Dialect::Draft12 => true,
            Dialect::Google | Dialect::Original1996 => false,
        }
    }

    /// How this dialect finds the lines that name a crawler, given what the caller chose.
    ///
    /// draft-00 § 2.2.1: "Crawlers MUST find the group that matches the product token exactly". Later texts dropped
    /// the word, and lines are to be parsed as far as they can be (RFC 9309 § 2.3.1.5).
    pub(crate) fn naming(self, chosen: Naming) -> Naming {
        match self {
            Dialect::Draft00 => Naming::Exact,
            _ => chosen,
        }
    }

    /// Whether a user-agent line that begins with a star is for all crawlers, given what it says.
    ///
    /// draft-00 § 2.2.1: "a user-agent line with a "*" value". The line `* text` has another; from RFC 9309 on, lines
    /// are parsed as far as they can be (§ 2.3.1.5).
    pub(crate) fn is_for_all(self, value: &[u8]) -> bool {
        self != Dialect::Draft00 || value == b"*"
    }

    /// Whether all groups for `*` count, or the first alone.
    ///
    /// draft-00 § 2.2.1: "If no matching group exists, crawlers MUST obey the first group with a user-agent line with
    /// a "*" value, if present." RFC 9309 § 2.2.1 has "the group", after having combined those that match one token.
    pub(crate) fn combines_star_groups(self) -> bool {
        !matches!(self, Dialect::Draft00 | Dialect::Original1996)
    }

    /// The weight that a rule must exceed to decide.
    ///
    /// RFC 9309 § 2.2.2 takes the match with the most octets, and an empty value has none, so that it decides nothing.
    /// In Google's parser an empty value matches every path with priority 0, above "no match"
    /// (`LongestMatchRobotsMatchStrategy`). The verdict stays "allowed", but `matching_line` returns the line.
    pub(crate) fn weight_without_rule(self) -> Option<Weight> {
        (self != Dialect::Google).then(Weight::default)
    }

    /// Whether `/robots.txt` may be fetched whatever the rules say.
    ///
    /// RFC 9309 § 2.2.2, and the drafts of 2019 to 2022: "The /robots.txt URI is implicitly allowed." The draft of
    /// 1996, § 3.2.2: "The /robots.txt URL is always allowed". Google's parser leaves it to its caller.
    pub(crate) fn allows_robots_txt(self) -> bool {
        self != Dialect::Google
    }
}
