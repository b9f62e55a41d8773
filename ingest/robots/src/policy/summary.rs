//! Counts and deciding rules of one group, or of several combined.

use crate::parsed::Rule;
use crate::pattern::glob;
use crate::reading::Reading;
use crate::weight::Weight;

/// A path that no rule mentions: a normal form has each blank encoded, so only stars match this one.
const ELSEWHERE: &[u8] = b"/ ";

/// The text that a witness appends to a pattern. It stands for any text that no pattern has.
pub(super) const CONTINUATION: &[u8] = ELSEWHERE.split_at(1).1;

/// Counts and deciding rules of one group, or of several combined.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct GroupSummary<'r> {
    pub(super) allow_rules: u32,
    pub(super) disallow_rules: u32,
    pub(super) rules_beyond_500_kib: u32,
    /// Disallow rules with exactly the pattern `/`.
    pub(super) disallow_roots: u32,
    /// Rules with an empty pattern, and allow rules with `/`, `*` or `/*`.
    pub(super) rules_that_allow_all: u32,
    /// The rule that decides on `/`.
    pub(super) root: Heaviest<'r>,
    /// The rule that decides on a path that no rule mentions.
    pub(super) elsewhere: Heaviest<'r>,
    /// The longest allow rule that can match a path.
    pub(super) longest_allow: Heaviest<'r>,
    /// The longest disallow rule that can match a path.
    pub(super) longest_disallow: Heaviest<'r>,
}

/// The rule that decides among several: the one with the most octets, then an allow rule, then the first.
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
            let (rules, longest) = match rule.allow {
                true => (&mut summary.allow_rules, &mut summary.longest_allow),
                false => (&mut summary.disallow_rules, &mut summary.longest_disallow),
            };
            *rules += 1;
            summary.rules_beyond_500_kib += u32::from(rule.beyond_500_kib);
            summary.rules_that_allow_all += u32::from(match pattern {
                b"" => true,
                b"/" | b"*" | b"/*" => rule.allow,
                _ => false,
            });
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

    /// Adds a group that follows in the file.
    pub(super) fn combine(&mut self, later: &GroupSummary<'r>) {
        self.allow_rules += later.allow_rules;
        self.disallow_rules += later.disallow_rules;
        self.rules_beyond_500_kib += later.rules_beyond_500_kib;
        self.disallow_roots += later.disallow_roots;
        self.rules_that_allow_all += later.rules_that_allow_all;
        self.root.take(later.root);
        self.elsewhere.take(later.elsewhere);
        self.longest_allow.take(later.longest_allow);
        self.longest_disallow.take(later.longest_disallow);
    }

    pub(super) fn rules(&self) -> usize {
        self.allow_rules as usize + self.disallow_rules as usize
    }

    /// The greatest weight of all rules that can match a path.
    pub(super) fn greatest_weight(&self) -> Weight {
        self.longest_allow.weight.max(self.longest_disallow.weight)
    }
}

/// Whether a pattern can match a path: it must start with `/` or `*`.
pub(super) fn can_match(pattern: &[u8]) -> bool {
    matches!(pattern.first(), Some(b'/' | b'*'))
}

/// Whether a pattern may match `/` or [`ELSEWHERE`]: it names no other octet.
fn may_match_elsewhere(pattern: &[u8]) -> bool {
    pattern.iter().all(|byte| matches!(byte, b'/' | b'*' | b'$'))
}
