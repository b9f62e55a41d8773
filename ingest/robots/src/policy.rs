//! The policy of a file for each crawler that it names: one row with the facts that each definition of "blocked" needs.

mod access;
mod gain;
pub(crate) mod groups;
mod summary;
mod terms;
mod within;

use crate::dialect::Dialect;
use crate::extension::Extension;
use crate::parse::{parse_start, seconds};
use crate::parsed::Parsed;
use crate::reading::Reading;
use access::WitnessJudge;
use foldhash::fast::RandomState;
use groups::{NamedToken, TokenGroups};
use std::collections::HashMap;
use summary::GroupSummary;

pub use terms::{AccessClass, Gain, PathGain, Policy, Terms};

/// The policies of a file, one for each token that it names, in the order of first mention. Product tokens that no line
/// has as its whole token come last. They are listed because [`crate::judge`] finds a group by them, too.
///
/// Groups are chosen by RFC 9309 with [`crate::Naming::Named`]. Tokens with the same groups share one pass over the
/// rules, so the cost of a group depends on the sum of its crawlers and rules, not on their product.
#[must_use]
pub fn policies<'p>(parsed: &'p Parsed<'_>) -> Vec<Policy<'p>> {
    let reading = Reading::new(parsed, Dialect::Rfc9309);
    let tokens = groups::named_tokens(parsed);
    let mut policies = of_all_lines(parsed, &reading, &tokens);
    gain::judge(&reading, &tokens, &mut policies);
    if let Some(end) = within::end(parsed) {
        let read = parse_start(parsed, end);
        let reading = Reading::new(&read, Dialect::Rfc9309);
        within::limit(&mut policies, &of_all_lines(&read, &reading, &groups::named_tokens(&read)));
    }
    policies
}

/// The policies of a file for a crawler that reads all of it, without gains.
fn of_all_lines<'p>(parsed: &Parsed<'_>, reading: &Reading<'_>, tokens: &[NamedToken<'p>]) -> Vec<Policy<'p>> {
    let some_are_combined = tokens.iter().any(|token| token.groups.are_several());
    let mut cache = TermsCache::new(parsed, reading, some_are_combined);
    let policy = |named: &NamedToken<'p>| {
        let NamedToken { token, is_written, ref groups } = *named;
        let terms = match groups {
            TokenGroups::One(group) => cache.terms_of_group(*group),
            TokenGroups::Several(groups) => cache.terms_of_groups(groups),
        };
        let Terms { root_allowed, access, .. } = terms;
        Policy {
            token,
            is_written,
            merged_groups: groups.as_slice().len() as u32,
            terms,
            root_allowed_within_500_kib: root_allowed,
            access_within_500_kib: access,
            gain: None,
        }
    };
    tokens.iter().map(policy).collect()
}

/// Computes the terms of each set of groups once.
struct TermsCache<'r, 'p> {
    reading: &'r Reading<'p>,
    /// A summary of each group if some groups are combined, so that each group is read once; otherwise empty.
    summaries: Vec<GroupSummary<'r>>,
    /// The last group that was asked for alone. A group's tokens follow one another, so one entry is enough.
    last: Option<(u32, Terms)>,
    several: HashMap<Vec<u32>, Terms, RandomState>,
    delays: Vec<(u32, f64)>,
    judge: WitnessJudge<'r, 'p>,
}

impl<'r, 'p> TermsCache<'r, 'p> {
    fn new(parsed: &Parsed<'_>, reading: &'r Reading<'p>, some_are_combined: bool) -> Self {
        let groups = if some_are_combined { parsed.groups().len() as u32 } else { 0 };
        TermsCache {
            reading,
            summaries: (0..groups).map(|group| GroupSummary::new(reading, group)).collect(),
            last: None,
            several: HashMap::default(),
            delays: crawl_delays(parsed),
            judge: WitnessJudge::new(reading),
        }
    }

    fn terms_of_group(&mut self, group: u32) -> Terms {
        if let Some((_, terms)) = self.last.filter(|(last, _)| *last == group) {
            return terms;
        }
        let summary = self.summaries.get(group as usize).copied();
        let terms = self.compute_terms(&[group], &summary.unwrap_or_else(|| GroupSummary::new(self.reading, group)));
        self.last = Some((group, terms));
        terms
    }

    fn terms_of_groups(&mut self, groups: &[u32]) -> Terms {
        if let Some(terms) = self.several.get(groups) {
            return *terms;
        }
        let mut all = GroupSummary::default();
        for summary in groups.iter().filter_map(|group| self.summaries.get(*group as usize)) {
            all.combine(summary);
        }
        let terms = self.compute_terms(groups, &all);
        self.several.insert(groups.to_vec(), terms);
        terms
    }

    fn compute_terms(&mut self, groups: &[u32], all: &GroupSummary<'_>) -> Terms {
        Terms {
            allow_rules: all.allow_rules,
            disallow_rules: all.disallow_rules,
            rules_beyond_500_kib: all.rules_beyond_500_kib,
            crawl_delay_s: groups.iter().find_map(|group| first_delay(&self.delays, *group)),
            root_allowed: all.root.weight.allows(),
            deciding_line: all.root.rule.map(|rule| rule.line_no),
            access: self.judge.access(groups, all),
            has_disallow_root: all.disallow_roots > 0,
            is_only_disallow_root: all.disallow_roots > 0
                && all.allow_rules == 0
                && all.disallow_roots == all.disallow_rules,
            is_only_allow_all: all.rules() > 0 && all.rules_that_allow_all as usize == all.rules(),
        }
    }
}

/// The first crawl delay of each group that is a number of seconds, in the order of the file.
fn crawl_delays(parsed: &Parsed<'_>) -> Vec<(u32, f64)> {
    let mut delays: Vec<(u32, f64)> = Vec::new();
    for record in parsed.records().iter().filter(|record| record.extension == Extension::CrawlDelay) {
        let has_one = |group: u32| delays.last().is_some_and(|(last, _)| *last == group);
        if let Some(group) = record.group.filter(|group| !has_one(*group))
            && let Some(delay_s) = seconds(parsed.bytes(record.value))
        {
            delays.push((group, delay_s));
        }
    }
    delays
}

fn first_delay(delays: &[(u32, f64)], group: u32) -> Option<f64> {
    let found = delays.binary_search_by_key(&group, |(of, _)| *of).ok()?;
    delays.get(found).map(|(_, delay_s)| *delay_s)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits;

    /// Expects token, groups, allow rules, disallow rules and access of each policy.
    fn check(body: &str, expected: &[(&str, u32, u32, u32, AccessClass)]) {
        let parsed = crate::parse(body.as_bytes());
        let policies = policies(&parsed);
        let rows: Vec<_> = policies
            .iter()
            .map(|policy| {
                let token = std::str::from_utf8(policy.token).unwrap();
                let terms = policy.terms;
                (token, policy.merged_groups, terms.allow_rules, terms.disallow_rules, terms.access)
            })
            .collect();
        assert_eq!(rows, expected, "{body:?}");
    }

    #[test]
    fn access_by_witness() {
        let one = |rules: &str, allow, disallow, access| {
            check(&format!("User-agent: a\n{rules}"), &[("a", 1, allow, disallow, access)]);
        };
        one("", 0, 0, AccessClass::All);
        one("Disallow:\n", 0, 1, AccessClass::All);
        one("Disallow: /\n", 0, 1, AccessClass::None);
        one("Disallow: /*\n", 0, 1, AccessClass::None);
        one("Disallow: *\n", 0, 1, AccessClass::None);
        one("Disallow: /x\n", 0, 1, AccessClass::Part);
        one("Disallow: x\n", 0, 1, AccessClass::All);
        one("Disallow: /\nAllow: /x\n", 1, 1, AccessClass::Part);
        one("Disallow: /\nAllow: /x\nDisallow: /x*\n", 1, 2, AccessClass::None);
        one("Disallow: /\nAllow: /\n", 1, 1, AccessClass::All);
        one("Disallow: /\nAllow: /$\n", 1, 1, AccessClass::Part);
        one("Disallow: /x\nAllow: /x\n", 1, 1, AccessClass::All);
        one("Disallow: /x\nAllow: /x$\n", 1, 1, AccessClass::Part);
        one("Disallow: /robots.txt$\n", 0, 1, AccessClass::All);
        one("Disallow: /\nAllow: /robots.txt$\n", 1, 1, AccessClass::None);
        one("Disallow: /robots.txt\n", 0, 1, AccessClass::Part);
        one("Disallow: /$\n", 0, 1, AccessClass::Part);
        one("Disallow: /*.gif$\n", 0, 1, AccessClass::Part);
        // Only text in place of the star shows that the rules differ.
        one("Disallow: *x\nAllow: /x\n", 1, 1, AccessClass::Part);
        one("Disallow: *x$\nAllow: /x$\n", 1, 1, AccessClass::Part);
        one("Disallow: /\nAllow: /*xy\nDisallow: /xy*\n", 1, 2, AccessClass::Part);
        one("Disallow: /*a*b\nAllow: /ab***\n", 1, 1, AccessClass::Part);
        one("Disallow: /x*\nAllow: /x\nAllow: /x*\n", 2, 1, AccessClass::All);
        // The witness of a disallow rule is the only one that is allowed.
        one("Disallow: /\nAllow: /*b\nDisallow: /b*$\nDisallow: /ab\n", 1, 3, AccessClass::Part);
    }

    #[test]
    fn groups_are_merged_by_token_and_by_product_token() {
        check(
            "User-agent: A\nUser-agent: *\nDisallow: /\n\nUser-agent: a/2.0\nAllow: /x\n\nUser-agent: a2\nDisallow: /y\n",
            &[("a", 3, 1, 2, AccessClass::Part), ("*", 1, 0, 1, AccessClass::None), ("a2", 1, 0, 1, AccessClass::Part)],
        );
    }

    #[test]
    fn a_product_token_that_no_line_has_whole_is_named() {
        check(
            "User-agent: GPTBot Foo\nDisallow: /\n\nUser-agent: *\nAllow: /\n\nUser-agent: gptbot.x\nDisallow: /y\n",
            &[
                ("gptbot foo", 1, 0, 1, AccessClass::None),
                ("*", 1, 1, 0, AccessClass::All),
                ("gptbot.x", 1, 0, 1, AccessClass::Part),
                ("gptbot", 2, 0, 2, AccessClass::None),
            ],
        );
        let parsed = crate::parse(b"User-agent: MJ12bot\nUser-agent: mj\nUser-agent: 008\n");
        let written: Vec<_> =
            policies(&parsed).iter().map(|policy| (policy.token.to_vec(), policy.is_written)).collect();
        assert_eq!(written, [(b"mj12bot".to_vec(), true), (b"mj".to_vec(), true), (b"008".to_vec(), true)]);
    }

    #[test]
    fn text_that_was_converted_is_not_decoded_again_within_500_kib() {
        // The second mark is text: the line with it is lost, in the whole text and in its start.
        let lines = "\u{feff}\u{feff}User-agent: a\nDisallow: /\nUser-agent: b\nDisallow: /\n#";
        let text = format!("{lines}{}\nDisallow: /x\n", "x".repeat(limits::FIVE_HUNDRED_KIB / 2));
        let body: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let parsed = crate::parse(&body);
        assert_eq!(parsed.facts.rules_beyond_500_kib, 1);
        let found: Vec<_> =
            policies(&parsed).iter().map(|policy| (policy.token.to_vec(), policy.access_within_500_kib)).collect();
        assert_eq!(found, [(b"b".to_vec(), AccessClass::None)]);
    }

    #[test]
    fn a_user_agent_line_beyond_500_kib_names_nobody_within_them() {
        let within = |padding: usize, agent: &str| {
            let head = "User-agent: *\nDisallow: /\n";
            let body = format!("{head}#{}\n{agent}", "x".repeat(limits::FIVE_HUNDRED_KIB - head.len() - 2 - padding));
            let parsed = crate::parse(body.as_bytes());
            let policies = policies(&parsed);
            let policy = policies.iter().find(|policy| policy.token == b"a").unwrap();
            (policy.access_within_500_kib, policy.root_allowed_within_500_kib)
        };
        let line = "User-agent: a";
        for rules in ["", "\nDisallow: /x\n"] {
            let text = format!("{line}{rules}");
            // The crawler is named, by a group without a rule that it reads, or not: then the wildcard group applies.
            assert_eq!(within(line.len(), &text), (AccessClass::All, true), "{rules:?}");
            assert_eq!(within(line.len() - 1, &text), (AccessClass::None, false), "{rules:?}");
            assert_eq!(within(0, &text), (AccessClass::None, false), "{rules:?}");
        }
    }

    #[test]
    fn many_agents_and_many_rules_take_linear_time() {
        let mut body = String::new();
        for agent in 0..14_000 {
            body.push_str(&format!("User-agent: bot{agent}\n"));
        }
        for rule in 0..20_000 {
            body.push_str(&format!("Allow: /{rule}\nDisallow: /{rule}*\n"));
        }
        body.push_str("Disallow: /\n");
        let parsed = crate::parse(body.as_bytes());
        let policies = policies(&parsed);
        // `bot0` to `bot13999`, and their product token `bot`.
        assert_eq!(policies.len(), 14_001);
        assert!(policies.iter().all(|policy| policy.terms.disallow_rules == 20_001));
    }
}
