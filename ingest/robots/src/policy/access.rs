//! How much of a site a set of groups allows, by witness paths.

use super::summary::{CONTINUATION, GroupSummary, can_match};
use super::terms::AccessClass;
use crate::limits;
use crate::parsed::Rule;
use crate::pattern::glob;
use crate::reading::Reading;
use crate::target::is_robots_txt;
use crate::weight::Weight;

/// What a rule's witnesses have in place of each star and at the end. A path that a star matches as nothing can have
/// another verdict: `Allow: /x` decides on `/x` against `Disallow: *x`, but not on `/ax`.
const WITNESSES: [(&[u8], &[u8]); 4] =
    [(b"", b""), (b"", CONTINUATION), (CONTINUATION, b""), (CONTINUATION, CONTINUATION)];

/// Judges witness paths, within a budget that all policies of a file share.
pub(super) struct WitnessJudge<'r, 'p> {
    reading: &'r Reading<'p>,
    /// How many bytes of patterns and paths may still be compared.
    budget: usize,
    /// Scratch memory for a witness that differs from its pattern.
    path: Vec<u8>,
}

impl<'r, 'p> WitnessJudge<'r, 'p> {
    pub(super) fn new(reading: &'r Reading<'p>) -> Self {
        WitnessJudge { reading, budget: limits::WITNESS_BYTES, path: Vec::new() }
    }

    /// Returns `Part` if some witness has another verdict than `/`, and otherwise the verdict of `/`.
    pub(super) fn access(&mut self, groups: &[u32], all: &GroupSummary<'_>) -> AccessClass {
        let root_allowed = all.root.weight.allows();
        if all.elsewhere.weight.allows() != root_allowed {
            return AccessClass::Part;
        }
        let same_as_root = AccessClass::all_or_none(root_allowed);
        let longest = if root_allowed { all.longest_disallow } else { all.longest_allow };
        // Without a rule of the other kind, every witness has the verdict of `/`.
        let Some(longest) = longest.rule else { return same_as_root };
        let reading = self.reading;
        let of_kind = |allow: bool| {
            let is_wanted = move |rule: &&Rule| rule.allow == allow && can_match(reading.normal(rule));
            groups.iter().flat_map(|group| reading.rules_of(*group)).filter(is_wanted)
        };
        // The longest rule of the other kind is the most likely to decide, so its witness is judged first. Then come
        // the other rules of that kind, and last the rules of the same kind.
        for rule in [longest].into_iter().chain(of_kind(!root_allowed)).chain(of_kind(root_allowed)) {
            let pattern = reading.normal(rule);
            for (filling, continuation) in WITNESSES {
                if !continuation.is_empty() && rule.anchored || !filling.is_empty() && !has_inner_star(rule, pattern) {
                    continue;
                }
                let path = witness(rule, pattern, filling, continuation, &mut self.path);
                if is_robots_txt(path, None) {
                    continue;
                }
                if is_allowed(reading, groups, all, rule, path, &mut self.budget) != Some(root_allowed) {
                    return AccessClass::Part;
                }
            }
        }
        same_as_root
    }
}

/// Whether a rule's witness is allowed; `None` once the budget is used up. The rule itself matches it, so only rules of
/// greater weight can change that. A pattern without stars that is longer than the path cannot match it.
fn is_allowed(
    reading: &Reading<'_>,
    groups: &[u32],
    all: &GroupSummary<'_>,
    rule: &Rule,
    path: &[u8],
    budget: &mut usize,
) -> Option<bool> {
    let mut greatest = Weight::new(reading.normal(rule).len(), rule.allow);
    if greatest < all.greatest_weight() {
        let mut spend = |bytes| {
            *budget = budget.saturating_sub(bytes);
            (*budget > 0).then_some(())
        };
        spend(all.rules())?;
        for rule in groups.iter().flat_map(|group| reading.rules_of(*group)) {
            let pattern = reading.normal(rule);
            let weight = Weight::new(pattern.len(), rule.allow);
            let may_match = rule.wildcards > 0 || rule.anchored || pattern.len() <= path.len();
            if weight > greatest && may_match {
                spend(pattern.len() + path.len())?;
                if glob::matches(pattern, path) {
                    greatest = weight;
                }
            }
        }
    }
    Some(greatest.allows())
}

/// Whether the rule's pattern has a star before its last octet, so that text in its place is not a continuation.
fn has_inner_star(rule: &Rule, pattern: &[u8]) -> bool {
    rule.wildcards > u32::from(!rule.anchored && pattern.ends_with(b"*"))
}

/// A path that the rule's pattern matches: the pattern with `filling` in place of each star, without anchor, and then
/// `continuation`.
fn witness<'w>(
    rule: &Rule,
    pattern: &'w [u8],
    filling: &[u8],
    continuation: &[u8],
    buffer: &'w mut Vec<u8>,
) -> &'w [u8] {
    let pattern = pattern.strip_suffix(b"$").unwrap_or(pattern);
    if rule.wildcards == 0 && continuation.is_empty() {
        return pattern;
    }
    buffer.clear();
    for (nth, part) in pattern.split(|byte| *byte == b'*').enumerate() {
        buffer.extend_from_slice(if nth == 0 { b"" } else { filling });
        buffer.extend_from_slice(part);
    }
    if buffer.first() != Some(&b'/') {
        buffer.insert(0, b'/');
    }
    buffer.extend_from_slice(continuation);
    buffer
}
