//! Rules that change no verdict by RFC 9309, and why.

use crate::parsed::Parsed;
use crate::policy::groups;
use crate::weight::Weight;
use crate::words::words;

words! {
    /// Why a rule changes no verdict. The first reason that applies counts.
    ///
    /// A rule gets a reason only if it certainly has no effect. The last three reasons are given only to patterns
    /// without wildcard and anchor. They are not given if the group has an opposite rule with a wildcard whose weight
    /// may lie between that of the rule and that of the rule above it.
    ///
    /// A rule is *above* another if its pattern is a prefix of the other's.
    ///
    /// If all rules of a group could be removed, one of them gets no reason, because it separates the group from the
    /// next one.
    NoEffect {
        /// The pattern is empty and matches no path.
        PatternEmpty "pattern-empty",
        /// The pattern starts with neither `/` nor `*` and matches no path.
        PatternNeverMatches "pattern-never-matches",
        /// The same rule stands earlier in its group.
        Repeated "repeated",
        /// A disallow rule whose group has an allow rule with the same pattern, § 2.2.2. That rule gets no reason, since
        /// it decides.
        LosesTie "loses-tie",
        /// A disallow rule below a shorter disallow rule, with no allow rule between.
        DisallowCovered "disallow-covered",
        /// An allow rule below a shorter allow rule, with no disallow rule between.
        AllowCovered "allow-covered",
        /// An allow rule with no rule above it, such as `Allow: /`.
        AllowNeedless "allow-needless",
    }
}

impl NoEffect {
    /// Whether the reason depends on the rules above it, so that a rule of a combined group may invalidate it.
    fn depends_on_above(self) -> bool {
        matches!(self, NoEffect::DisallowCovered | NoEffect::AllowCovered | NoEffect::AllowNeedless)
    }
}

/// A rule that can match a path.
#[derive(Clone, Copy)]
struct RankedRule<'p> {
    /// The first octets of the pattern as a number, for a fast comparison: most patterns differ in them.
    start: u128,
    pattern: &'p [u8],
    weight: Weight,
    /// Its index in [`Parsed::rules`].
    place: u32,
    has_star: bool,
    is_plain: bool,
    /// Whether a disallow rule of the group has the same pattern.
    wins_tie: bool,
}

/// Why each rule of a file changes no verdict, in the order of [`Parsed::rules`]. It is `None` if the rule may change
/// one, and for a rule before the first user-agent line. Rules with a reason can be removed, each alone or all together.
///
/// ```
/// use robots::NoEffect;
///
/// let parsed = robots::parse(b"User-agent: a\nDisallow: /x\nAllow: /x/y\nDisallow: /x/z\nDisallow:\n");
/// let found = robots::find_rules_without_effect(&parsed);
/// assert_eq!(found, [None, None, Some(NoEffect::DisallowCovered), Some(NoEffect::PatternEmpty)]);
/// ```
#[must_use]
pub fn find_rules_without_effect(parsed: &Parsed<'_>) -> Vec<Option<NoEffect>> {
    let mut found = vec![None; parsed.rules().len()];
    let mut note = |place: u32, reason| {
        if let Some(found) = found.get_mut(place as usize) {
            *found = Some(reason);
        }
    };
    let (mut ranked, mut above) = (Vec::new(), Vec::new());
    let mut some_depend_on_above = false;
    for group in parsed.groups() {
        ranked.clear();
        for (rule, place) in parsed.rules_of(group).iter().zip(group.first_rule..) {
            let pattern = parsed.normal(rule);
            match pattern.first() {
                None => note(place, NoEffect::PatternEmpty),
                Some(b'/' | b'*') => ranked.push(RankedRule {
                    start: start_of(pattern),
                    pattern,
                    weight: Weight::new(pattern.len(), rule.allow),
                    place,
                    has_star: rule.wildcards > 0,
                    is_plain: rule.wildcards == 0 && !rule.anchored,
                    wins_tie: false,
                }),
                Some(_) => note(place, NoEffect::PatternNeverMatches),
            }
        }
        // Sorted, a rule comes before the rules below it, and the deciding rule before others with the same pattern.
        ranked.sort_unstable_by(|a, b| {
            let by_pattern = a.start.cmp(&b.start).then_with(|| a.pattern.cmp(b.pattern));
            by_pattern.then_with(|| b.weight.cmp(&a.weight)).then_with(|| a.place.cmp(&b.place))
        });
        ranked.dedup_by(|rule, decides| {
            let is_same = rule.pattern == decides.pattern;
            if is_same {
                let is_repeated = rule.weight == decides.weight || decides.wins_tie;
                decides.wins_tie |= !is_repeated;
                note(rule.place, if is_repeated { NoEffect::Repeated } else { NoEffect::LosesTie });
            }
            is_same
        });
        let allow_stars = StarWeights::new(&ranked, true);
        let disallow_stars = StarWeights::new(&ranked, false);
        above.clear();
        for rule in ranked.iter().filter(|rule| rule.is_plain) {
            while above.pop_if(|above: &mut RankedRule<'_>| !rule.pattern.starts_with(above.pattern)).is_some() {}
            let next_above = above.last().map_or(Weight::default(), |above| above.weight);
            let allows = rule.weight.allows();
            let opposite = if allows { &disallow_stars } else { &allow_stars };
            if allows == next_above.allows() && !rule.wins_tie && !opposite.may_lie_between(next_above, rule.weight) {
                some_depend_on_above = true;
                note(
                    rule.place,
                    match (allows, above.is_empty()) {
                        (false, _) => NoEffect::DisallowCovered,
                        (true, false) => NoEffect::AllowCovered,
                        (true, true) => NoEffect::AllowNeedless,
                    },
                );
            }
            above.push(*rule);
        }
    }
    if some_depend_on_above {
        // § 2.2.1: "the matching groups' rules MUST be combined into one group". Combined with another, a rule may
        // matter.
        for group in groups::combined_groups(parsed).iter().filter_map(|group| parsed.groups().get(*group as usize)) {
            let reasons = found.get_mut(group.places_of_rules()).unwrap_or_default();
            reasons.iter_mut().for_each(|reason| *reason = reason.filter(|reason| !reason.depends_on_above()));
        }
    }
    keep_groups_apart(parsed, &mut found);
    found
}

/// Takes the reason from one rule of each group whose rules all have one. § 2.1: "The group is terminated by a user-agent
/// line", but only after a rule: without any, the user-agent lines would join those of the next group.
///
/// The rule that stays allows or matches no path. There is one, since such a group disallows no path.
fn keep_groups_apart(parsed: &Parsed<'_>, found: &mut [Option<NoEffect>]) {
    let Some((_last, groups)) = parsed.groups().split_last() else { return };
    for group in groups {
        let reasons = found.get_mut(group.places_of_rules()).unwrap_or_default();
        let is_harmless =
            |allow, reason| allow || matches!(reason, Some(NoEffect::PatternEmpty | NoEffect::PatternNeverMatches));
        if !reasons.contains(&None)
            && let Some((reason, _)) =
                reasons.iter_mut().zip(parsed.rules_of(group)).find(|(reason, rule)| is_harmless(rule.allow, **reason))
        {
            *reason = None;
        }
    }
}

/// The first octets of a pattern as a number that sorts as they do.
fn start_of(pattern: &[u8]) -> u128 {
    let mut start = [0; size_of::<u128>()];
    start.iter_mut().zip(pattern).for_each(|(to, from)| *to = *from);
    u128::from_be_bytes(start)
}

/// The least and the greatest weight of the allow rules with a wildcard, or of the disallow rules.
struct StarWeights(Option<(Weight, Weight)>);

impl StarWeights {
    fn new(rules: &[RankedRule<'_>], allow: bool) -> Self {
        let weights =
            rules.iter().filter(|rule| rule.has_star && rule.weight.allows() == allow).map(|rule| rule.weight);
        StarWeights(weights.clone().min().zip(weights.max()))
    }

    fn may_lie_between(&self, above: Weight, rule: Weight) -> bool {
        self.0.is_some_and(|(least, most)| least < rule && most > above)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The word of each rule, `-` for a rule that may have an effect.
    fn check(body: &str, expected: &str) {
        let found = find_rules_without_effect(&crate::parse(body.as_bytes()));
        let words: Vec<&str> = found.iter().map(|reason| reason.map_or("-", NoEffect::name)).collect();
        assert_eq!(words.join(" "), expected, "{body:?}");
    }

    fn check_rules(rules: &str, expected: &str) {
        check(&format!("User-agent: a\n{}\n", rules.replace("; ", "\n")), expected);
    }

    #[test]
    fn patterns_alone() {
        check_rules(
            "Disallow:; Allow:; Disallow: x; Allow: $",
            "pattern-empty pattern-empty pattern-never-matches pattern-never-matches",
        );
        check_rules("Disallow: /x; Disallow: /%78; Disallow: /*; Disallow: /*", "- repeated - repeated");
        check_rules("Disallow: /$; Allow: /$; Disallow: /$", "loses-tie - repeated");
    }

    #[test]
    fn rules_above() {
        check_rules("Disallow: /a; Allow: /a/b; Disallow: /a/b/c; Disallow: /ab", "- - - disallow-covered");
        check_rules("Allow: /; Disallow: /a; Allow: /a/b; Allow: /a/bc", "allow-needless - - allow-covered");
        check_rules("Disallow: /a$; Allow: /a; Disallow: /ab", "- allow-needless -");
        check_rules("Allow: /a; Disallow: /a; Disallow: /ab", "- loses-tie -");
        check_rules("Allow: /a; Allow: /ab; Disallow: /ab; Disallow: /ab", "allow-needless - loses-tie repeated");
    }

    #[test]
    fn opposite_stars_by_weight() {
        check_rules("Disallow: /*.b; Allow: /abc; Allow: /ab", "- - allow-needless");
        check_rules("Disallow: /a; Allow: /*bc; Disallow: /abc; Disallow: /abcd", "- - disallow-covered -");
        check_rules("Disallow: /a; Allow: /*; Disallow: /abc", "- - -");
        check_rules("Disallow: /ab; Allow: /*; Disallow: /abc", "- - disallow-covered");
        check_rules("Disallow: /a; Disallow: /b; Allow: /b/c; Disallow: /a/b/c", "- - - disallow-covered");
    }

    #[test]
    fn combined_groups() {
        check("Disallow: /\nUser-agent: a\nAllow: /x\nUser-agent: b\nAllow: /x\n", "- - allow-needless");
        check("User-agent: a\nAllow: /x\nAllow: /x\nUser-agent: A/2\nDisallow: /\n", "- repeated -");
        check("User-agent: a b\nAllow: /x\nUser-agent: a.c\nDisallow: /\n", "- -");
        check("User-agent: a\nAllow: /x\nUser-agent: a2\nDisallow: /\n", "- -");
        check("User-agent: a b\nAllow: /x\n", "allow-needless");
    }

    /// The rule that stays matches no path or allows.
    #[test]
    fn one_rule_separates_a_group_from_the_next() {
        check("User-agent: a\nAllow:\n\nUser-agent: *\nDisallow: /\n", "- -");
        check("User-agent: a\nDisallow:\nAllow: /\n\nUser-agent: *\nAllow: /\n", "- allow-needless allow-needless");
        check(
            "User-agent: a\nDisallow: /x\nAllow: /x\n\nUser-agent: b\nDisallow: x\n",
            "loses-tie - pattern-never-matches",
        );
        check("User-agent: a\nDisallow: /x\nDisallow:\n\nUser-agent: b\nDisallow:\n", "- pattern-empty pattern-empty");
    }

    #[test]
    fn many_rules_and_many_combined_groups_take_linear_time() {
        let names: String = (0..10_000).map(|name| format!("User-agent: a{name}x\n")).collect();
        let rules: String = (0..40_000).map(|rule| format!("Allow: /{}\n", "a/".repeat(rule % 50))).collect();
        let body = format!("{names}{rules}{names}{rules}");
        assert!(find_rules_without_effect(&crate::parse(body.as_bytes())).iter().flatten().count() > 70_000);
    }
}
