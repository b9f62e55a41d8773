//! The figures of one group or of several.

use crate::parsed::Rule;
use crate::pattern::glob;
use crate::reading::Reading;
use crate::weight::Weight;

/// How a path continues after a pattern: in a way that no other pattern is likely to mention.
pub(super) const CONTINUATION: &[u8] = b"-robocensus-witness";

/// A path that no rule mentions.
const ELSEWHERE: &[u8] = b"/-robocensus-witness";

/// The figures of one group or of several.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct GroupSummary<'r> {
    pub(super) allow_rules: u32,
    pub(super) disallow_rules: u32,
    pub(super) rules_beyond_500_kib: u32,
    /// Disallow rules with exactly the pattern `/`.
    pub(super) disallow_roots: u32,
    /// The rule that decides on `/`.
    pub(super) root: Heaviest<'r>,
    /// The rule that decides on a path that no rule mentions.
    pub(super) elsewhere: Heaviest<'r>,
    /// The heaviest allow rule that can match a path.
    pub(super) longest_allow: Heaviest<'r>,
    pub(super) longest_disallow: Heaviest<'r>,
    /// Sum of the lengths of all patterns.
    pub(super) pattern_bytes: usize,
}

/// The rule that decides among those that match a path: the most octets, then allow, then the first.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Heaviest<'r> {
    pub(super) weight: Weight,
    pub(super) rule: Option<&'r Rule>,
}

impl<'r> Heaviest<'r> {
    #[inline]
    fn take(&mut self, other: Heaviest<'r>) {
        if other.weight > self.weight {
            *self = other;
        }
    }
}

impl<'r> GroupSummary<'r> {
    /// Reads each rule of a group once.
    pub(super) fn new(reading: &'r Reading<'_>, group: u32) -> Self {
        let mut summary = GroupSummary::default();
        for rule in reading.rules_of(group) {
            let pattern = reading.normal(rule);
            summary.pattern_bytes += pattern.len();
            let (rules, longest) = match rule.allow {
                true => (&mut summary.allow_rules, &mut summary.longest_allow),
                false => (&mut summary.disallow_rules, &mut summary.longest_disallow),
            };
            *rules += 1;
            summary.rules_beyond_500_kib += u32::from(rule.beyond_500_kib);
            if !can_match(pattern) {
                continue;
            }
            let this = Heaviest { weight: Weight::new(pattern.len(), rule.allow), rule: Some(rule) };
            longest.take(this);
            if pattern == b"/" {
                summary.disallow_roots += u32::from(!rule.allow);
                summary.root.take(this);
                summary.elsewhere.take(this);
            } else if may_match_elsewhere(pattern) {
                if glob::matches(pattern, b"/") {
                    summary.root.take(this);
                }
                if glob::matches(pattern, ELSEWHERE) {
                    summary.elsewhere.take(this);
                }
            }
        }
        summary
    }

    /// Adds the figures of a later group.
    pub(super) fn combine(&mut self, later: &GroupSummary<'r>) {
        self.allow_rules += later.allow_rules;
        self.disallow_rules += later.disallow_rules;
        self.rules_beyond_500_kib += later.rules_beyond_500_kib;
        self.disallow_roots += later.disallow_roots;
        self.root.take(later.root);
        self.elsewhere.take(later.elsewhere);
        self.longest_allow.take(later.longest_allow);
        self.longest_disallow.take(later.longest_disallow);
        self.pattern_bytes += later.pattern_bytes;
    }

    pub(super) fn rules(&self) -> usize {
        self.allow_rules as usize + self.disallow_rules as usize
    }

    /// The greatest weight of all rules that can match a path.
    pub(super) fn greatest_weight(&self) -> Weight {
        self.longest_allow.weight.max(self.longest_disallow.weight)
    }
}

/// Whether a pattern can match a path: it must start with a slash or a star.
pub(super) fn can_match(pattern: &[u8]) -> bool {
    matches!(pattern.first(), Some(b'/' | b'*'))
}

/// Whether a pattern may match `/` or [`ELSEWHERE`]. It cannot if it has an octet that they lack, or if its second
/// octet fits neither.
fn may_match_elsewhere(pattern: &[u8]) -> bool {
    const OCTETS: u128 = {
        let mut octets = 1 << b'*' | 1 << b'$';
        let mut rest = ELSEWHERE;
        while let [first, behind @ ..] = rest {
            octets |= 1 << *first;
            rest = behind;
        }
        octets
    };
    let is_theirs = |byte: &u8| byte.is_ascii() && OCTETS & 1 << byte != 0;
    match pattern {
        [b'/', second, ..] if !matches!(second, b'*' | b'$' | b'-') => false,
        _ => pattern.iter().all(is_theirs),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_that_no_rule_speaks_of_is_the_root_and_what_goes_on_behind() {
        assert_eq!(ELSEWHERE, [b"/", CONTINUATION].concat());
    }
}
