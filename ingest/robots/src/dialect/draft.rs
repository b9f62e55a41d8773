//! The lists that a dialect with its own parser builds.

use crate::parsed::{Agent, Group, Rule};

/// Groups, user-agent lines and rules under construction, for a dialect that reads the text itself.
#[derive(Debug, Default)]
pub(crate) struct DialectDraft {
    pub(crate) groups: Vec<Group>,
    pub(crate) agents: Vec<Agent>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) normals: Vec<u8>,
}

impl DialectDraft {
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

    pub(crate) fn push_rule(&mut self, rule: Rule) {
        if let Some(group) = self.groups.last_mut() {
            group.rules += 1;
            self.rules.push(Rule { group: Some(self.groups.len() as u32 - 1), ..rule });
        }
    }

    /// Removes the last group if it is not a group by the dialect.
    pub(crate) fn drop_last_group_if(&mut self, is_invalid: bool) {
        if is_invalid && let Some(group) = self.groups.pop() {
            self.agents.truncate(group.first_agent as usize);
        }
    }
}
