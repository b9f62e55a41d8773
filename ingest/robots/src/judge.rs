//! Whether a crawler may fetch a path: RFC 9309 § 2.2.2, and the rule choice of each dialect.

use crate::dialect::{Dialect, Naming, google};
use crate::parsed::{Parsed, Rule};
use crate::pattern::{Pattern, glob};
use crate::reading::{MatchKind, Reading, Selection};
use crate::target::Target;
use crate::weight::Weight;

/// Whether a path is allowed, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The path is allowed.
    pub allowed: bool,
    /// The rule that decides; `None` if no rule does.
    pub rule: Option<Rule>,
    /// The line of that rule, from 1.
    pub line: Option<u32>,
    /// Which kind of group was chosen.
    pub matched: MatchKind,
    /// The lines of the user-agent lines of the chosen groups, from 1.
    pub group_lines: Vec<u32>,
}

/// Judges one path for one crawler.
///
/// To judge a file several times, make one [`Reading`] of it, a [`Selection`] for each crawler and a [`Target`] for
/// each path.
#[must_use]
pub fn judge(parsed: &Parsed<'_>, crawler: &str, path_or_url: &str, dialect: Dialect) -> Verdict {
    let reading = Reading::new(parsed, dialect);
    let selection = reading.select(crawler.as_bytes(), Naming::default());
    selection.judge(&Target::new(path_or_url.as_bytes(), dialect))
}

impl<'r> Selection<'r, '_> {
    /// Judges one path for the crawler that this selection was made for.
    #[must_use]
    pub fn judge(&self, target: &Target) -> Verdict {
        let (allowed, rule) = self.decide(target);
        let rule = rule.copied();
        Verdict {
            allowed,
            rule,
            line: rule.map(|rule| rule.line_no),
            matched: self.matched,
            group_lines: self.group_lines(),
        }
    }

    /// Whether the path is allowed, and the rule that decides. The target must have the dialect of the reading.
    #[must_use]
    pub fn decide(&self, target: &Target) -> (bool, Option<&'r Rule>) {
        if target.is_always_allowed() {
            return (true, None);
        }
        let rule = match self.reading.dialect {
            Dialect::Original1996 => self.first_match(&target.path),
            Dialect::Rfc9309 | Dialect::Google | Dialect::Draft00 | Dialect::Draft12 => {
                self.reading.longest_match(self.rules(), &target.path)
            }
        };
        // § 2.2.2: "If no match is found amongst the rules in a group for a matching user-agent or there are no rules
        // in the group, the URI is allowed." Only in Google's parser can an empty value decide, and it disallows
        // nothing.
        (rule.is_none_or(|rule| rule.allow || rule.pattern.len == 0), rule)
    }

    /// The line numbers of the groups' user-agent lines, from 1.
    #[must_use]
    pub fn group_lines(&self) -> Vec<u32> {
        self.groups.iter().flat_map(|&group| self.reading.agents_of(group)).map(|agent| agent.line_no).collect()
    }

    /// All rules of the groups, in the order of the file.
    pub fn rules(&self) -> impl Iterator<Item = &'r Rule> {
        self.groups.iter().flat_map(|&group| self.reading.rules_of(group))
    }

    /// The draft of 1996, § 3.2.2: "a robot must attempt to match the paths in Allow and Disallow lines against the
    /// URL, in the order they occur in the record. The first match found is used."
    fn first_match(&self, path: &[u8]) -> Option<&'r Rule> {
        self.rules().find(|rule| path.starts_with(self.reading.normal(rule)))
    }
}

impl Weight {
    /// The weight of a rule for this path, by RFC 9309. If the pattern does not match, or the path is that of the
    /// robots.txt, which is always allowed, the weight is that of no rule.
    #[must_use]
    #[inline]
    pub fn of_rule(allow: bool, pattern: &Pattern<'_>, target: &Target) -> Self {
        if pattern.matches(target) && !target.is_robots_txt() {
            Weight::new(pattern.octets(), allow)
        } else {
            Weight::default()
        }
    }
}

impl Reading<'_> {
    /// The matching rule of the greatest weight; of several, the first. `None` if no rule decides.
    pub(crate) fn longest_match<'r>(&self, rules: impl Iterator<Item = &'r Rule>, path: &[u8]) -> Option<&'r Rule> {
        let mut greatest = self.dialect.weight_without_rule();
        let mut longest = None;
        let normals = self.normals();
        for rule in rules {
            let pattern = rule.normal_in(self.text(), normals);
            let weight = Some(Weight::new(pattern.len(), rule.allow));
            if weight > greatest && glob::matches(pattern, path) {
                (greatest, longest) = (weight, Some(rule));
            } else if self.dialect.allows_folder_of_index()
                && rule.allow
                && let Some(directory) = google::directory_of_index(pattern)
                && let weight = Some(Weight::new(directory.len(), rule.allow))
                && weight > greatest
                && !glob::matches(pattern, path)
                && glob::matches(&directory, path)
            {
                (greatest, longest) = (weight, Some(rule));
            }
        }
        longest
    }
}
