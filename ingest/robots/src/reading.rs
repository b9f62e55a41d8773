//! A file as read by one dialect, and the groups that apply to one crawler.

use crate::byte;
use crate::dialect::{Dialect, Naming, google, original};
use crate::lists::Lists;
use crate::parsed::{Agent, Parsed, Rule};
use crate::pattern::percent_encoded;
use crate::token;
use crate::words::words;
use std::borrow::Cow;

/// A file as read by one dialect, for any number of crawlers and paths.
#[derive(Debug, Clone)]
pub struct Reading<'p> {
    pub(crate) dialect: Dialect,
    text: &'p [u8],
    lists: Cow<'p, Lists>,
}

/// The groups that apply to one crawler.
#[derive(Debug, Clone)]
pub struct Selection<'r, 'p> {
    pub(crate) reading: &'r Reading<'p>,
    pub(crate) groups: Vec<u32>,
    /// Which kind of group they are.
    pub matched: MatchKind,
}

words! {
    /// Which kind of group applies to a crawler.
    MatchKind {
        /// A user-agent line names it.
        Explicit "explicit",
        /// No line names it, and the file has a wildcard group.
        Wildcard "wildcard",
        /// No group applies: "no rules apply" (§ 2.2.1).
        None "none",
    }
}

impl<'p> Reading<'p> {
    /// Reads a parsed file in a dialect.
    #[must_use]
    pub fn new(parsed: &'p Parsed<'_>, dialect: Dialect) -> Self {
        match dialect {
            Dialect::Rfc9309 | Dialect::Draft00 | Dialect::Draft12 => {
                Reading::of_lists(dialect, &parsed.text, &parsed.lists)
            }
            Dialect::Google => {
                let body = parsed.body.get(..parsed.facts.parsed_bytes).unwrap_or_default();
                Reading { dialect, text: body, lists: Cow::Owned(google::read(body)) }
            }
            Dialect::Original1996 => {
                let lists = original::read(&parsed.text, parsed.after_mark);
                Reading { dialect, text: &parsed.text, lists: Cow::Owned(lists) }
            }
        }
    }

    /// A reading of the lists that RFC 9309 finds in a text.
    pub(crate) fn of_lists(dialect: Dialect, text: &'p [u8], lists: &'p Lists) -> Self {
        Reading { dialect, text, lists: Cow::Borrowed(lists) }
    }

    /// The text that the spans of rules and user-agent lines refer to.
    #[must_use]
    pub fn text(&self) -> &'p [u8] {
        self.text
    }

    /// The pattern of a rule in the form that this dialect compares.
    #[must_use]
    pub fn normal(&self, rule: &Rule) -> &[u8] {
        rule.normal_in(self.text, self.normals())
    }

    pub(crate) fn normals(&self) -> &[u8] {
        &self.lists.normals
    }

    /// The groups that apply to a crawler, by its name. The name `*` stands for the crawlers that no line names. Only
    /// `rfc9309` and `draft-12` use `naming`.
    ///
    /// § 2.2.1: "Crawlers MUST use case-insensitive matching to find the group that matches the product token and then
    /// obey the rules of the group. If there is more than one group matching the user-agent, the matching groups'
    /// rules MUST be combined into one group […] If no matching group exists, crawlers MUST obey the group with a
    /// user-agent line with the "*" value, if present. If no group matches the product token and there is no group
    /// with a user-agent line with the "*" value, or no groups are present at all, no rules apply."
    #[must_use]
    pub fn select(&self, crawler: &[u8], naming: Naming) -> Selection<'_, 'p> {
        let name = CrawlerName::new(crawler, self.dialect, naming);
        let tokens = &self.lists.tokens;
        let is_named = |agent: &Agent| !agent.is_star && name.is_named_by(agent, self.text, tokens);
        // In the draft of 1996, `*` as a name would be a part of `Mediapartners-Google*`.
        let mut groups = if byte::trim(crawler) == b"*" { Vec::new() } else { self.groups_where(is_named) };
        let mut matched = MatchKind::Explicit;
        if groups.is_empty() {
            groups = self.groups_where(|agent| agent.is_star && self.dialect.is_wildcard(agent.value.slice(self.text)));
            matched = if groups.is_empty() { MatchKind::None } else { MatchKind::Wildcard };
        }
        let takes_all = match matched {
            MatchKind::Explicit => self.dialect.combines_named_groups(),
            MatchKind::Wildcard | MatchKind::None => self.dialect.combines_wildcard_groups(),
        };
        if !takes_all {
            groups.truncate(1);
        }
        Selection { reading: self, groups, matched }
    }

    fn groups_where(&self, is_wanted: impl Fn(&Agent) -> bool) -> Vec<u32> {
        let mut groups = Vec::new();
        for agent in self.lists.agents.iter().filter(|agent| is_wanted(agent)) {
            // The user-agent lines of a group follow one another, so a duplicate can only be the last group.
            if groups.last() != Some(&agent.group) {
                groups.push(agent.group);
            }
        }
        groups
    }

    pub(crate) fn rules_of(&self, group: u32) -> &[Rule] {
        self.lists.groups.get(group as usize).map_or(&[], |group| self.lists.rules_of(group))
    }

    pub(crate) fn agents_of(&self, group: u32) -> &[Agent] {
        self.lists.groups.get(group as usize).map_or(&[], |group| self.lists.agents_of(group))
    }
}

/// A crawler's name, and the part of a line that it is compared with.
struct CrawlerName<'c> {
    name: Cow<'c, [u8]>,
    compared: Compared,
}

enum Compared {
    /// The product token at the start of the line's value.
    Product,
    /// The line's whole token.
    Token,
    /// The line's value as written.
    Value,
    /// Any part of the line's value.
    Part,
}

impl<'c> CrawlerName<'c> {
    fn new(crawler: &'c [u8], dialect: Dialect, naming: Naming) -> Self {
        let whole = byte::trim(crawler);
        match dialect {
            // Google's parser compares the name as given.
            Dialect::Google => CrawlerName { name: crawler.into(), compared: Compared::Product },
            Dialect::Original1996 => CrawlerName { name: as_text(whole), compared: Compared::Part },
            // draft-00 § 2.2.1: "Crawlers MUST find the group that matches the product token exactly". Later texts
            // dropped "exactly", and crawlers use what they can parse of a line (RFC 9309 § 2.3.1.5).
            Dialect::Draft00 => CrawlerName { name: as_text(whole), compared: Compared::Value },
            Dialect::Rfc9309 | Dialect::Draft12 => match naming {
                Naming::Named if token::is_product_token(whole) => {
                    CrawlerName { name: whole.into(), compared: Compared::Product }
                }
                Naming::Named | Naming::Exact => CrawlerName { name: token::token(whole), compared: Compared::Token },
                Naming::ProductToken => CrawlerName { name: whole.into(), compared: Compared::Product },
            },
        }
    }

    #[inline]
    fn is_named_by(&self, agent: &Agent, text: &[u8], tokens: &[u8]) -> bool {
        let value = agent.value.slice(text);
        let compared = match self.compared {
            Compared::Product => value.get(..agent.product_len as usize),
            Compared::Token => Some(agent.token.slice(tokens)),
            Compared::Value => return !value.is_empty() && as_text(value).eq_ignore_ascii_case(&self.name),
            Compared::Part => return self.is_part_of(value),
        };
        !self.name.is_empty() && compared.is_some_and(|line| line.eq_ignore_ascii_case(&self.name))
    }

    /// A token has bytes that are not UTF-8 percent-encoded. No other name may be found in that encoding, such as `A0`.
    fn is_part_of(&self, value: &[u8]) -> bool {
        original::names(value, &self.name) || self.name.contains(&b'%') && original::names(&as_text(value), &self.name)
    }
}

/// A name as text, in which bytes that are not UTF-8 are percent-encoded. A token has this form, too.
fn as_text(name: &[u8]) -> Cow<'_, [u8]> {
    match percent_encoded(name) {
        Cow::Borrowed(_) => name.into(),
        Cow::Owned(text) => text.into_bytes().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits;

    /// RFC 9309 § 2.5: "The parsing limit MUST be at least 500 kibibytes".
    #[test]
    fn a_rule_is_beyond_500_kib_in_every_dialect_if_it_ends_there() {
        let (head, rule) = ("User-agent: *\n#", "\nDisallow: /a");
        for more in [0, 1] {
            let padding = limits::FIVE_HUNDRED_KIB + more - head.len() - rule.len();
            let body = [head, &"x".repeat(padding), rule].concat();
            let parsed = crate::parse(body.as_bytes());
            let beyond = Dialect::ALL.map(|dialect| Reading::new(&parsed, dialect).lists.rules[0].beyond_500_kib);
            assert_eq!(beyond, [more == 1; 5], "{more} bytes more");
        }
    }

    /// The draft of 1996, § 3.2.1: "a User-Agent line whose value contains the name token of the robot as a substring".
    #[test]
    fn in_1996_no_name_is_found_in_the_percent_encoding_of_a_byte() {
        let parsed = crate::parse(b"User-agent: my\xa0bot\nDisallow: /\n");
        for (crawler, is_named) in [("bot", true), ("my%A0bot", true), ("y%a0", true), ("A0", false), ("0bot", false)] {
            let verdict = crate::judge(&parsed, crawler, "/", Dialect::Original1996);
            assert_eq!(verdict.allowed, !is_named, "{crawler}");
        }
    }
}
