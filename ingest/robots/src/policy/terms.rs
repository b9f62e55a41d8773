//! The rules of a file for a token, summed up.

use crate::words::words;

/// The policy of a file for one token.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy<'p> {
    /// The token, see [`crate::token`]; `*` is one.
    pub token: &'p [u8],
    /// A line has this whole token. If not, it is only the product token at the start of a longer one: `GPTBot Foo`
    /// names `gptbot`.
    pub is_written: bool,
    /// How many groups apply to it, § 2.2.1: "the matching groups' rules MUST be combined into one group".
    pub merged_groups: u32,
    /// The terms of these groups.
    pub terms: Terms,
    /// `/` is allowed for a crawler that stops reading at 500 KiB. If its name comes later, the wildcard group applies.
    pub root_allowed_within_500_kib: bool,
    /// How much of the site is allowed for such a crawler.
    pub access_within_500_kib: AccessClass,
    /// The crawler's gain by being named, with all lines. `None` for `*`, and unless its groups and the wildcard
    /// group both disallow some paths but not all. `None`, too, once [`crate::limits::COMPARED_RULES`] rules have been
    /// compared.
    pub gain: Option<Gain>,
}

/// The rules of a set of groups, summed up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Terms {
    /// Number of allow rules.
    pub allow_rules: u32,
    /// Number of disallow rules.
    pub disallow_rules: u32,
    /// Number of rules that end beyond 500 KiB.
    pub rules_beyond_500_kib: u32,
    /// The first crawl delay that is a number of seconds.
    pub crawl_delay_s: Option<f64>,
    /// `/` is allowed.
    pub root_allowed: bool,
    /// The line of the rule that decides on `/`; `None` if no rule does.
    pub deciding_line: Option<u32>,
    /// How much of the site is allowed.
    pub access: AccessClass,
    /// A disallow rule has exactly the pattern `/`.
    pub has_disallow_root: bool,
    /// There is at least one rule, and every rule is `Disallow: /`.
    pub is_only_disallow_root: bool,
    /// There is at least one rule, and every rule has an empty pattern or allows `/`, `*` or `/*`.
    pub is_only_allow_all: bool,
}

words! {
    /// How much of a site is allowed, by witness paths: `/`, a path that no rule mentions, and a path made from each
    /// rule's pattern.
    ///
    /// A rule's witness is its pattern without wildcards and anchor; if it has wildcards, a second one has text in their
    /// place. A pattern without an anchor has each of them once more, longer: with `Disallow: /` and `Allow: /$`, the
    /// page at `/` is allowed and all others are not. A pattern that starts with neither `/` nor `*` matches no path and
    /// has no witness. `/robots.txt` is never a witness, since it is always allowed.
    ///
    /// Witnesses are judged within a budget that only a file with thousands of rules exhausts. Such a file counts as
    /// [`AccessClass::Part`], since it has rules of both kinds.
    AccessClass {
        /// Every witness is allowed.
        All "all",
        /// Some witnesses are allowed.
        Part "part",
        /// No witness is allowed.
        None "none",
    }
}

impl AccessClass {
    /// The words of [`AccessClass::all_or_none`].
    pub const ALL_OR_NONE: [&'static str; 2] = [AccessClass::All.name(), AccessClass::None.name()];

    /// `All` if everything is allowed, otherwise `None`.
    #[must_use]
    pub fn all_or_none(all: bool) -> Self {
        if all { AccessClass::All } else { AccessClass::None }
    }
}

words! {
    /// Whether a crawler gains paths by being named.
    ///
    /// Only disallow rules without `*` and `$` are compared, unless an allow rule of the same groups has the same
    /// pattern. A path of the wildcard group is gained if no disallow rule of the crawler is a prefix of it. Allow
    /// rules below the path are ignored.
    PathGain {
        /// It gains none of these paths.
        Nothing "nothing",
        /// It gains some of these paths.
        Paths "paths",
        /// It gains some, unless one of its disallow rules with `*` or `$` matches them.
        Undecided "undecided",
    }
}

/// A crawler's gain by being named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gain {
    /// Whether it gains paths.
    pub kind: PathGain,
    /// How many distinct paths of the wildcard group it gains.
    pub paths: u32,
}
