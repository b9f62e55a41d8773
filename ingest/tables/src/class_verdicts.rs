//! What a policy class says to the tracked agents that it names, and to all others.

use crate::declare::table;

table! { "class_verdicts", "one row per policy class and tracked agent that it names, and one with * for all other agents" {
    agent: Word as Repeated + Ranged = "The token, as in agents, or *.",
    class_id: Large as Near + Ranged = "The policy class: the first site, by site_id, of those that treat every tracked agent alike.",
    match_kind: Word = "How the rules were chosen: explicit (by the name of the agent), wildcard (the group for *), none.",
    access: Maybe<Word> = "How much may be fetched: all, part, none; null where the rules are not known.",
    root_allowed: Maybe<Flag> = "The path / may be fetched; null where the rules are not known.",
    has_rules: Flag = "At least one rule holds for the agent.",
    has_allow_rules: Flag = "At least one allow rule holds for the agent.",
    is_one_disallow_rule: Flag = "Exactly one rule holds for the agent, a disallow rule.",
    has_disallow_root: Flag = "A disallow rule for the agent has exactly the pattern /.",
    is_only_disallow_root: Flag = "Every rule for the agent is a disallow rule with exactly the pattern /, and there is at least one.",
} }
