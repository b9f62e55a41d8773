//! How much of a site a set of groups leaves open, by witness paths.

use super::AccessClass;
use crate::limits;
use crate::parsed::Rule;
use crate::reading::{Reading, Selection};

/// How a path goes on behind what a pattern says: in no way that another pattern is likely to speak of.
const CONTINUATION: &[u8] = b"-robocensus-witness";

/// What one group says, or several.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Summary<'r> {
    pub(super) allow_rules: u32,
    pub(super) disallow_rules: u32,
    /// Disallow lines that say exactly `/`.
    pub(super) disallow_roots: u32,
    /// The rule that decides on `/`.
    pub(super) root: Option<&'r Rule>,
    /// The rule that decides on a path that no rule speaks of.
    elsewhere: Option<&'r Rule>,
    /// The longest rules that match any path at all.
    longest_allow: Option<&'r Rule>,
    longest_disallow: Option<&'r Rule>,
    /// Lengths of all patterns.
    pattern_bytes: usize,
}

impl<'r> Summary<'r> {
    pub(super) fn of(reading: &'r Reading<'_>, group: u32) -> Self {
        let elsewhere = [b"/", CONTINUATION].concat();
        let mut summary = Summary {
            root: reading.longest_match(reading.rules_of(group).iter(), b"/"),
            elsewhere: reading.longest_match(reading.rules_of(group).iter(), &elsewhere),
            ..Summary::default()
        };
        for rule in reading.rules_of(group) {
            let pattern = reading.normal(rule);
            let (rules, longest) = match rule.allow {
                true => (&mut summary.allow_rules, &mut summary.longest_allow),
                false => (&mut summary.disallow_rules, &mut summary.longest_disallow),
            };
            *rules += 1;
            summary.disallow_roots += u32::from(!rule.allow && pattern == b"/");
            summary.pattern_bytes += pattern.len();
            if can_match(pattern) {
                *longest = longer(reading, *longest, Some(rule));
            }
        }
        summary
    }

    /// Adds what a later group says.
    pub(super) fn combine(&mut self, later: &Summary<'r>, reading: &Reading<'_>) {
        self.allow_rules += later.allow_rules;
        self.disallow_rules += later.disallow_rules;
        self.disallow_roots += later.disallow_roots;
        self.root = longer(reading, self.root, later.root);
        self.elsewhere = longer(reading, self.elsewhere, later.elsewhere);
        self.longest_allow = longer(reading, self.longest_allow, later.longest_allow);
        self.longest_disallow = longer(reading, self.longest_disallow, later.longest_disallow);
        self.pattern_bytes += later.pattern_bytes;
    }

    pub(super) fn root_allowed(&self) -> bool {
        self.root.is_none_or(|rule| rule.allow)
    }

    fn rules(&self) -> usize {
        self.allow_rules as usize + self.disallow_rules as usize
    }
}

/// Of two rules, the one that counts where both match: the one of more octets, allow of equals, the earlier of those.
fn longer<'r>(reading: &Reading<'_>, earlier: Option<&'r Rule>, later: Option<&'r Rule>) -> Option<&'r Rule> {
    let weight = |rule: &Rule| (reading.normal(rule).len(), rule.allow);
    match (earlier, later) {
        (Some(one), Some(other)) if weight(other) > weight(one) => later,
        (None, _) => later,
        _ => earlier,
    }
}

/// A pattern that begins otherwise matches no path.
fn can_match(pattern: &[u8]) -> bool {
    matches!(pattern.first(), Some(b'/' | b'*'))
}

/// How many bytes of patterns and paths may still be compared for the policies of a file.
pub(super) struct Budget(usize);

impl Default for Budget {
    fn default() -> Self {
        Budget(limits::WITNESS_BYTES)
    }
}

impl Budget {
    fn spend(&mut self, bytes: usize) -> bool {
        let left = self.0.checked_sub(bytes);
        self.0 = left.unwrap_or_default();
        left.is_some()
    }
}

/// Looks for a witness that fares otherwise than `/`: allowed where `/` is refused, refused where it is allowed.
pub(super) fn access(selection: &Selection<'_, '_>, all: &Summary<'_>, budget: &mut Budget) -> AccessClass {
    let root_allowed = all.root_allowed();
    if all.elsewhere.is_none_or(|rule| rule.allow) != root_allowed {
        return AccessClass::Part;
    }
    let same_as_root = if root_allowed { AccessClass::All } else { AccessClass::None };
    let longest = if root_allowed { all.longest_disallow } else { all.longest_allow };
    // Without a rule of the other kind, every witness fares as `/` does.
    let Some(longest) = longest else { return same_as_root };
    let reading = selection.reading;
    let of_kind = |allow: bool| {
        let is_wanted = move |rule: &&Rule| rule.allow == allow && can_match(reading.normal(rule));
        selection.rules().filter(is_wanted)
    };
    // The longest rule of the other kind is the most likely to have its way; the rest follow in the order of the
    // file, those of the other kind first.
    let mut path = Vec::new();
    for rule in [longest].into_iter().chain(of_kind(!root_allowed)).chain(of_kind(root_allowed)) {
        for continuation in [&b""[..], CONTINUATION] {
            if !continuation.is_empty() && rule.anchored {
                continue;
            }
            witness(reading.normal(rule), continuation, &mut path);
            if path == b"/robots.txt" {
                continue;
            }
            if !budget.spend(all.pattern_bytes + all.rules() * path.len()) {
                return AccessClass::Part;
            }
            if reading.longest_match(selection.rules(), &path).is_none_or(|rule| rule.allow) != root_allowed {
                return AccessClass::Part;
            }
        }
    }
    same_as_root
}

/// A path that a pattern matches: its wildcards stand for nothing, and its anchor for the end.
fn witness(pattern: &[u8], continuation: &[u8], path: &mut Vec<u8>) {
    path.clear();
    let pattern = pattern.strip_suffix(b"$").unwrap_or(pattern);
    if pattern.iter().find(|byte| **byte != b'*') != Some(&b'/') {
        path.push(b'/');
    }
    path.extend(pattern.iter().filter(|byte| **byte != b'*'));
    path.extend_from_slice(continuation);
}
