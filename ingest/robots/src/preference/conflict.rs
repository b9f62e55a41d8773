//! Content-Usage lines that contradict each other.
//!
//! draft-ietf-aipref-attach-05 § 3.1: "Each group in the file applies to a set of crawlers, identified by product token
//! as defined in Section 2.2.1" of RFC 9309. By that section the groups of one crawler are combined. If lines for the
//! same path differ, the one that disallows counts (§ 7.1 of the vocabulary). Paths are compared in their normal form,
//! as those of rules are (RFC 9309 § 2.2.2): `/%7Ejoe` is `/~joe`.

use super::stated::{Preference, PreferenceProblem, SignalKind, Stated};
use crate::limits;
use crate::parsed::Parsed;
use crate::pattern::Pattern;
use crate::policy::groups::groups_by_crawler;
use std::collections::BTreeMap;

/// Marks each allowing preference that, for every crawler of its group, a disallowing line overrules.
///
/// If a line of another group overrules it for only some crawlers of the group, the preference is not marked, since it
/// counts for the others.
pub(super) fn overrule(parsed: &Parsed<'_>, all: &mut [Preference]) {
    let is_usage =
        |preference: &Preference| preference.signal == SignalKind::ContentUsage && preference.problem.is_none();
    let mut stated: Vec<(Pattern<'_>, &[u8], &mut Preference)> = (all.iter_mut())
        .filter(|preference| is_usage(preference))
        .map(|preference| (Pattern::new(parsed.bytes(preference.path)), parsed.bytes(preference.label), preference))
        .collect();
    stated.sort_by(|(a_path, a_label, a), (b_path, b_label, b)| {
        (a_path.normal(), a_label, a.group).cmp(&(b_path.normal(), b_label, b.group))
    });
    let mut crawlers = None;
    for same in stated.chunk_by_mut(|(a_path, a_label, _), (b_path, b_label, _)| a_path == b_path && a_label == b_label)
    {
        let disallowing: Vec<u32> = (same.iter())
            .filter(|(.., preference)| preference.stated == Some(Stated::Disallow))
            .filter_map(|(.., preference)| preference.group)
            .collect();
        if disallowing.is_empty() {
            continue;
        }
        let disallows = |group: &u32| disallowing.binary_search(group).is_ok();
        for (.., preference) in same.iter_mut().filter(|(.., preference)| preference.stated == Some(Stated::Allow)) {
            let is_overruled = preference.group.is_some_and(|group| {
                disallows(&group)
                    || crawlers
                        .get_or_insert_with(|| Crawlers::new(parsed))
                        .all_of(group, |groups| groups.iter().any(disallows))
            });
            if is_overruled {
                preference.problem = Some(PreferenceProblem::Overruled);
            }
        }
    }
}

/// The crawlers that a file names. Crawlers with the same groups are counted as one.
struct Crawlers {
    /// The groups of each crawler.
    groups: Vec<Vec<u32>>,
    /// The crawlers of each group, as indexes into `groups`.
    of_group: BTreeMap<u32, Vec<usize>>,
    /// How many more groups may be looked at.
    left: usize,
}

impl Crawlers {
    fn new(parsed: &Parsed<'_>) -> Self {
        let groups = groups_by_crawler(parsed);
        let mut of_group: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (place, groups) in groups.iter().enumerate() {
            groups.iter().for_each(|group| of_group.entry(*group).or_default().push(place));
        }
        Crawlers { groups, of_group, left: limits::COMPARED_GROUPS }
    }

    /// Whether a condition is met by the groups of every crawler of a group. Returns false for a group without
    /// crawlers, and once more than [`limits::COMPARED_GROUPS`] groups have been looked at.
    fn all_of(&mut self, group: u32, is_met: impl Fn(&[u32]) -> bool) -> bool {
        let Crawlers { groups, of_group, left } = self;
        let Some(places) = of_group.get(&group) else { return false };
        places.iter().filter_map(|place| groups.get(*place)).all(|groups| {
            let rest = left.checked_sub(groups.len());
            *left = rest.unwrap_or_default();
            rest.is_some() && is_met(groups)
        })
    }
}
