//! Paths that a crawler gains by being named: the wildcard group disallows them, and its own groups do not.
//!
//! § 2.2.1: "If no matching group exists, crawlers MUST obey the group with a user-agent line with the "*" value". So a
//! crawler that is named obeys none of the rules of that group.

use super::groups::{NamedToken, TokenGroups};
use super::summary::can_match;
use super::terms::{AccessClass, Gain, PathGain, Policy};
use crate::limits;
use crate::reading::Reading;

/// Sets the gain of each token if its groups and the wildcard group both disallow some paths, but not all. A file built
/// to exceed the limit of rules has no gains beyond it.
pub(super) fn judge(reading: &Reading<'_>, tokens: &[NamedToken<'_>], policies: &mut [Policy<'_>]) {
    let is_compared = |policy: &Policy<'_>| policy.terms.access == AccessClass::Part;
    let mut both = policies.iter().zip(tokens);
    let wildcard = both.find(|(policy, _)| policy.token == b"*").filter(|(policy, _)| is_compared(policy));
    let Some((_, wildcard)) = wildcard else { return };
    if policies.iter().filter(|policy| is_compared(policy)).count() < 2 {
        return;
    }
    let mut rules = DisallowRules::default();
    rules.read(reading, wildcard.groups.as_slice());
    let mut hidden = std::mem::take(&mut rules.plain);
    hidden.sort_unstable();
    hidden.dedup();
    let mut ranges = Vec::new();
    let mut left = limits::COMPARED_RULES;
    // A group's tokens follow one another, so the last gain is enough.
    let mut last: Option<(&TokenGroups, Option<Gain>)> = None;
    for (policy, NamedToken { groups, .. }) in policies.iter_mut().zip(tokens) {
        if policy.token == b"*" || !is_compared(policy) {
            continue;
        }
        policy.gain = match last.filter(|(last, _)| *last == groups) {
            Some((_, gain)) => gain,
            None => {
                let rules_of_token = policy.terms.allow_rules as usize + policy.terms.disallow_rules as usize;
                let compared = left.checked_sub(rules_of_token);
                left = compared.unwrap_or_default();
                compared.map(|_| {
                    rules.read(reading, groups.as_slice());
                    rules.gain(&hidden, &mut ranges)
                })
            }
        };
        last = Some((groups, policy.gain));
    }
}

/// The disallow rules of a set of groups that can match a path, and whose pattern no allow rule of the set has.
#[derive(Default)]
struct DisallowRules<'r> {
    /// Patterns without `*` and `$`.
    plain: Vec<&'r [u8]>,
    /// Patterns with them.
    special: Vec<&'r [u8]>,
    /// Patterns of allow rules.
    allowed: Vec<&'r [u8]>,
}

impl<'r> DisallowRules<'r> {
    fn read(&mut self, reading: &'r Reading<'_>, groups: &[u32]) {
        let DisallowRules { plain, special, allowed } = self;
        for list in [&mut *plain, special, allowed] {
            list.clear();
        }
        for rule in groups.iter().flat_map(|group| reading.rules_of(*group)) {
            let pattern = reading.normal(rule);
            if !can_match(pattern) {
            } else if rule.allow {
                allowed.push(pattern);
            } else if rule.wildcards > 0 || rule.anchored {
                special.push(pattern);
            } else {
                plain.push(pattern);
            }
        }
        if !allowed.is_empty() {
            allowed.sort_unstable();
            for list in [plain, special] {
                list.retain(|pattern| allowed.binary_search(pattern).is_err());
            }
        }
    }

    /// The gain of a crawler with these rules. `hidden` are the distinct paths of the wildcard group, sorted.
    fn gain(&self, hidden: &[&[u8]], ranges: &mut Vec<(usize, usize)>) -> Gain {
        // The paths that start with a pattern follow one another.
        ranges.clear();
        for pattern in &self.plain {
            let start = hidden.partition_point(|path| path < pattern);
            let after = hidden.get(start..).unwrap_or_default();
            if after.first().is_some_and(|path| path.starts_with(pattern)) {
                ranges.push((start, start + after.partition_point(|path| path.starts_with(pattern))));
            }
        }
        ranges.sort_unstable();
        let (mut covered, mut covered_to) = (0, 0);
        for (start, end) in ranges.iter().copied() {
            covered += end.saturating_sub(start.max(covered_to));
            covered_to = covered_to.max(end);
        }
        let paths = (hidden.len() - covered) as u32;
        let kind = match (paths, self.special.is_empty()) {
            (0, _) => PathGain::Nothing,
            (_, true) => PathGain::Paths,
            (_, false) => PathGain::Undecided,
        };
        Gain { kind, paths }
    }
}

#[cfg(test)]
mod tests {
    use crate::policy::terms::{Gain, PathGain};

    /// The gain of `a` with these rules, where the wildcard group has those.
    fn gain(wildcard: &str, own: &str) -> Option<Gain> {
        let body = format!("User-agent: *\n{wildcard}\nUser-agent: a\n{own}\n").replace("; ", "\n");
        let parsed = crate::parse(body.as_bytes());
        crate::policies(&parsed).into_iter().find(|policy| policy.token == b"a").and_then(|policy| policy.gain)
    }

    fn check(wildcard: &str, own: &str, kind: PathGain, paths: u32) {
        assert_eq!(gain(wildcard, own), Some(Gain { kind, paths }), "{wildcard} / {own}");
    }

    #[test]
    fn a_path_below_an_own_path_is_not_gained() {
        check("Disallow: /x; Disallow: /y", "Disallow: /x", PathGain::Paths, 1);
        check("Disallow: /x; Disallow: /y", "Disallow: /y; Disallow: /x", PathGain::Nothing, 0);
        check("Disallow: /x/a; Disallow: /x/b; Disallow: /xy", "Disallow: /x/", PathGain::Paths, 1);
        check("Disallow: /x", "Disallow: /x/a", PathGain::Paths, 1);
        check("Disallow: /x/a; Disallow: /x/a; Disallow: /y", "Disallow: /x; Disallow: /x/a", PathGain::Paths, 1);
        check("Disallow: /%78", "Disallow: /x", PathGain::Nothing, 0);
    }

    #[test]
    fn rules_with_wildcards_are_not_compared() {
        check("Disallow: /x; Disallow: /y*", "Disallow: /x", PathGain::Nothing, 0);
        check("Disallow: /x", "Disallow: /y; Disallow: /*.gif", PathGain::Undecided, 1);
        check("Disallow: /x", "Disallow: /y$", PathGain::Undecided, 1);
        check("Disallow: /x", "Disallow: /x; Disallow: /y$", PathGain::Nothing, 0);
    }

    #[test]
    fn an_allow_rule_with_the_same_pattern_wins() {
        check("Disallow: /x; Allow: /x; Disallow: /y", "Disallow: /z", PathGain::Paths, 1);
        check("Disallow: /x", "Disallow: /x; Allow: /x; Disallow: /z", PathGain::Paths, 1);
        check("Disallow: /x", "Disallow: /z; Disallow: /y$; Allow: /y$", PathGain::Paths, 1);
    }

    #[test]
    fn only_partly_blocked_crawlers_are_compared() {
        assert_eq!(gain("Disallow: /x", "Disallow: /"), None);
        assert_eq!(gain("Disallow: /x", "Disallow:"), None);
        assert_eq!(gain("Disallow: /", "Disallow: /x"), None);
        assert_eq!(gain("Disallow:", "Disallow: /x"), None);
    }

    #[test]
    fn groups_are_combined() {
        check("Disallow: /x; Disallow: /y", "Disallow: /x; User-agent: a/2; Disallow: /y", PathGain::Nothing, 0);
        check("Disallow: /x; Disallow: /y", "Disallow: /x; User-agent: *; Disallow: /z", PathGain::Paths, 2);
    }

    #[test]
    fn many_combined_groups_take_linear_time() {
        let names: String = (0..10_000).map(|name| format!("User-agent: a{name}x\nDisallow: /{name}\n")).collect();
        let rules: String = (0..40_000).map(|rule| format!("Disallow: /{}\n", "a/".repeat(rule % 50))).collect();
        let stacked: String = (0..10_000).map(|name| format!("User-agent: a{name}x\n")).collect();
        let body = format!("User-agent: *\n{rules}{names}{stacked}{rules}");
        assert_eq!(crate::policies(&crate::parse(body.as_bytes())).len(), 10_002);
    }
}
