//! The groups, user-agent lines and rules of a file, and what else it has.

use crate::parsed::{Agent, Group, OtherRecord, Rule};
use crate::preference::stated::Preference;
use crate::violation::Violation;

/// The lists of a file, as one dialect reads it. They have no lifetime, so a parser can reuse them for the next file. A
/// dialect that reads the text itself fills only those that a verdict needs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lists {
    pub(crate) groups: Vec<Group>,
    pub(crate) agents: Vec<Agent>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) records: Vec<OtherRecord>,
    pub(crate) preferences: Vec<Preference>,
    pub(crate) violations: Vec<Violation>,
    /// Normal forms that are stored apart from their patterns, one after the other.
    pub(crate) normals: Vec<u8>,
    /// Tokens, one after the other.
    pub(crate) tokens: Vec<u8>,
}

impl Lists {
    pub(crate) fn clear(&mut self) {
        self.groups.clear();
        self.agents.clear();
        self.rules.clear();
        self.records.clear();
        self.preferences.clear();
        self.violations.clear();
        self.normals.clear();
        self.tokens.clear();
    }

    /// Frees memory above what nearly all real bodies need.
    pub(crate) fn shrink(&mut self) {
        const LINES: usize = 1 << 15;
        const BYTES: usize = 1 << 20;
        self.groups.shrink_to(LINES);
        self.agents.shrink_to(LINES);
        self.rules.shrink_to(LINES);
        self.records.shrink_to(LINES);
        self.preferences.shrink_to(LINES);
        self.violations.shrink_to(LINES);
        self.normals.shrink_to(BYTES);
        self.tokens.shrink_to(BYTES);
    }

    /// Adds a user-agent line to the last group, or starts a group with it.
    #[inline]
    pub(crate) fn push_agent(&mut self, agent: Agent, opens_group: bool) {
        match self.groups.last_mut() {
            Some(group) if !opens_group => group.agents += 1,
            _ => self.groups.push(Group {
                first_agent: self.agents.len() as u32,
                agents: 1,
                first_rule: self.rules.len() as u32,
                rules: 0,
            }),
        }
        self.agents.push(Agent { group: self.groups.len() as u32 - 1, ..agent });
    }

    /// Adds a rule to the last group, if there is one.
    pub(crate) fn push_rule(&mut self, rule: Rule) {
        if let Some(group) = self.groups.last_mut() {
            group.rules += 1;
            self.rules.push(Rule { group: Some(self.groups.len() as u32 - 1), ..rule });
        }
    }

    /// The user-agent lines of a group.
    pub(crate) fn agents_of(&self, group: &Group) -> &[Agent] {
        let first = group.first_agent as usize;
        self.agents.get(first..first + group.agents as usize).unwrap_or_default()
    }

    /// The rules of a group.
    pub(crate) fn rules_of(&self, group: &Group) -> &[Rule] {
        self.rules.get(group.places_of_rules()).unwrap_or_default()
    }
}
