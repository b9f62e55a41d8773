//! The facts of a parsed file, with their positions.

use crate::body::{BodyKind, Encoding, LineEndings};
use crate::extension::Extension;
use crate::lists::Lists;
use crate::pattern::glob;
use crate::preference::stated::Preference;
use crate::span::Span;
use crate::violation::{Tier, Violation};
use crate::weight::Weight;
use std::borrow::Cow;
use std::ops::Range;

/// A parsed robots.txt. Content never makes the parser fail.
#[derive(Debug, Clone)]
pub struct Parsed<'b> {
    pub(crate) body: &'b [u8],
    pub(crate) text: Cow<'b, [u8]>,
    /// Offset in the text after its byte order mark. That of UTF-16 is not part of the text.
    pub(crate) after_mark: usize,
    pub(crate) lists: Lists,
    /// Facts of the whole file.
    pub facts: Facts,
}

/// Facts of the whole file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// Length of the body.
    pub body_bytes: usize,
    /// How many bytes were parsed: the whole lines within [`crate::limits::HARD_CAP_BYTES`], or all of a shorter body.
    pub parsed_bytes: usize,
    /// The kind of document that the body is.
    pub kind: BodyKind,
    /// How the text is encoded.
    pub encoding: Encoding,
    /// The body starts with a byte order mark.
    pub has_bom: bool,
    /// How the lines end.
    pub line_endings: LineEndings,
    /// Number of lines.
    pub line_count: u32,
    /// Lines that are empty or have only white space.
    pub blank_lines: u32,
    /// Lines that have only a comment.
    pub comment_lines: u32,
    /// Length of the longest line, without its end.
    pub longest_line_bytes: u32,
    /// Number of allow rules.
    pub allow_count: u32,
    /// Rules that end beyond 500 KiB.
    pub rules_beyond_500_kib: u32,
    /// Violations of tier A, B and C.
    pub violations_by_tier: [u32; 3],
    /// The ABNF of § 2.2 derives the whole file.
    pub conforms: bool,
}

impl Facts {
    /// The body is valid UTF-8, § 2.3: "The file MUST be UTF-8 encoded".
    #[must_use]
    pub fn is_utf8(&self) -> bool {
        matches!(self.encoding, Encoding::Ascii | Encoding::Utf8)
    }

    /// The body is longer than 500 KiB, § 2.5.
    #[must_use]
    pub fn exceeds_500_kib(&self) -> bool {
        self.body_bytes > crate::limits::FIVE_HUNDRED_KIB
    }

    /// The number of violations of a tier.
    #[must_use]
    pub fn violations(&self, tier: Tier) -> u32 {
        self.violations_by_tier.get(tier as usize).copied().unwrap_or_default()
    }
}

/// A group, § 2.1: "One or more user-agent lines that are followed by one or more rules."
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// Its first user-agent line, in [`Parsed::agents`].
    pub first_agent: u32,
    /// Number of user-agent lines.
    pub agents: u32,
    /// Its first rule, in [`Parsed::rules`].
    pub first_rule: u32,
    /// Number of rules.
    pub rules: u32,
}

impl Group {
    /// Where its rules are in [`Parsed::rules`].
    pub(crate) fn places_of_rules(&self) -> Range<usize> {
        let first = self.first_rule as usize;
        first..first + self.rules as usize
    }
}

/// A user-agent line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Agent {
    /// The line, from 1.
    pub line_no: u32,
    /// Its group, in [`Parsed::groups`].
    pub group: u32,
    /// The name as written.
    pub value: Span,
    /// Its token; read it through [`Parsed::token`].
    pub(crate) token: Span,
    /// The first user-agent line of the file with this token, in [`Parsed::agents`].
    pub first_of_token: u32,
    /// Length of the product token that the value starts with.
    pub product_len: u32,
    /// The value is `*`, alone or before a blank and more text. The group is a wildcard group.
    pub is_star: bool,
    /// The value is a `product-token` of the ABNF, § 2.2.
    pub token_is_valid: bool,
    /// Another record stands between this line and the user-agent line before it in the same group.
    pub splits_head: bool,
}

/// An allow or disallow line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rule {
    /// The line, from 1.
    pub line_no: u32,
    /// Its group, in [`Parsed::groups`]; `None` before the first user-agent line.
    pub group: Option<u32>,
    /// The pattern as written.
    pub pattern: Span,
    /// Its normal form in [`Lists::normals`], if it is stored apart; read it through [`Parsed::normal`].
    pub(crate) normal: Option<Span>,
    /// Number of `*` in the pattern.
    pub wildcards: u32,
    /// True for an allow rule, false for a disallow rule.
    pub allow: bool,
    /// The pattern ends in an anchor.
    pub anchored: bool,
    /// The rule ends beyond 500 KiB, so a crawler that stops there misses it.
    pub beyond_500_kib: bool,
    /// The key is misspelt, has white space inside, or lacks its colon.
    pub key_is_misspelt: bool,
}

/// Another line with a key, § 2.2.4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OtherRecord {
    /// The line, from 1.
    pub line_no: u32,
    /// The group that is open at the line, in [`Parsed::groups`].
    pub group: Option<u32>,
    /// The record that the key names.
    pub extension: Extension,
    /// The key as written.
    pub key: Span,
    /// The value as written.
    pub value: Span,
}

impl<'b> Parsed<'b> {
    /// The text that was parsed, to which all spans refer: the body, or its UTF-8 form if it is UTF-16.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The groups, in the order of the file.
    #[must_use]
    pub fn groups(&self) -> &[Group] {
        &self.lists.groups
    }

    /// The user-agent lines, in the order of the file.
    #[must_use]
    pub fn agents(&self) -> &[Agent] {
        &self.lists.agents
    }

    /// The rules, in the order of the file.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.lists.rules
    }

    /// The other records, in the order of the file.
    #[must_use]
    pub fn records(&self) -> &[OtherRecord] {
        &self.lists.records
    }

    /// The preferences of Content-Signal and Content-Usage lines, in the order of the file.
    #[must_use]
    pub fn preferences(&self) -> &[Preference] {
        &self.lists.preferences
    }

    /// The violations: those of lines in the order of the file, then those of the whole file.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        &self.lists.violations
    }

    /// The bytes of a span of the text.
    #[must_use]
    pub fn bytes(&self, span: Span) -> &[u8] {
        span.slice(&self.text)
    }

    /// The normal form of a rule's pattern, § 2.2.2. It is compared with paths, and its length decides which match is
    /// the most specific.
    #[must_use]
    pub fn normal(&self, rule: &Rule) -> &[u8] {
        rule.normal_in(&self.text, &self.lists.normals)
    }

    /// Whether a rule matches the path `/`. An empty pattern matches no path.
    ///
    /// ```
    /// let parsed = robots::parse(b"User-agent: a\nDisallow: /\nDisallow: /*$\nDisallow: /x\nDisallow:\n");
    /// let matches: Vec<bool> = parsed.rules().iter().map(|rule| parsed.matches_root(rule)).collect();
    /// assert_eq!(matches, [true, true, false, false]);
    /// ```
    #[must_use]
    pub fn matches_root(&self, rule: &Rule) -> bool {
        match self.normal(rule) {
            // Most rules.
            [] | [b'/', b'!'..=b'#' | b'%'..=b')' | b'+'..=b'~', ..] => false,
            pattern => glob::matches(pattern, b"/"),
        }
    }

    /// The weight of the rule that decides on `/` if only this group applies. Of several groups that apply, the one
    /// with the greatest weight decides, § 2.2.1 and § 2.2.2.
    ///
    /// ```
    /// let parsed = robots::parse(b"User-agent: a\nDisallow: /\nAllow: /x\n\nUser-agent: b\nAllow: /$\n\nUser-agent: c\n");
    /// let weights: Vec<_> = parsed.groups().iter().map(|group| parsed.root_weight(group)).collect();
    /// assert_eq!(weights.iter().map(|weight| weight.allows()).collect::<Vec<_>>(), [false, true, true]);
    /// assert!(weights[1] > weights[0] && weights[0] > weights[2]);
    /// ```
    #[must_use]
    pub fn root_weight(&self, group: &Group) -> Weight {
        let matching = self.rules_of(group).iter().filter(|rule| self.matches_root(rule));
        matching.map(|rule| Weight::new(self.normal(rule).len(), rule.allow)).max().unwrap_or_default()
    }

    /// The token of a user-agent line: the form under which a census counts it, see [`crate::token`].
    #[must_use]
    pub fn token(&self, agent: &Agent) -> &[u8] {
        agent.token.slice(&self.lists.tokens)
    }

    /// The product token at the start of a line's token, if it is another one. The line also names the crawler with this
    /// product token, § 2.2.1.
    #[must_use]
    pub fn other_product_token(&self, agent: &Agent) -> Option<&[u8]> {
        let is_other = agent.product_len > 0 && agent.product_len != agent.token.len;
        self.token(agent).get(..agent.product_len as usize).filter(|_| is_other)
    }

    /// The user-agent lines of a group.
    #[must_use]
    pub fn agents_of(&self, group: &Group) -> &[Agent] {
        self.lists.agents_of(group)
    }

    /// The rules of a group.
    #[must_use]
    pub fn rules_of(&self, group: &Group) -> &[Rule] {
        self.lists.rules_of(group)
    }

    /// The line at an offset of the text: the offset of its start, and the line without its end.
    #[must_use]
    pub fn line_at(&self, offset: usize) -> (usize, &[u8]) {
        let offset = offset.min(self.text.len());
        let (before, after) = self.text.split_at(offset);
        let start = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1);
        let end = memchr::memchr2(b'\n', b'\r', after).map_or(self.text.len(), |at| offset + at);
        (start, self.text.get(start..end).unwrap_or_default())
    }
}

impl Rule {
    pub(crate) fn normal_in<'n>(&self, text: &'n [u8], normals: &'n [u8]) -> &'n [u8] {
        match self.normal {
            None => self.pattern.slice(text),
            Some(span) => span.slice(normals),
        }
    }
}
