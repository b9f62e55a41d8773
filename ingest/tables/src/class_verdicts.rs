//! The verdicts of a policy class for the tracked agents that it names, and for all others.

use crate::declare::table;

table! { "class_verdicts", "one row per policy class and tracked agent that it names, and one with * for all other agents" {
    agent: Word as Repeated + Ranged = "The token, as in agents, or *.",
    class_id: Large as Near + Ranged = "The policy class, as in sites.",
    match_kind: Word = "What chose the rules: the agent's name (explicit), the wildcard group, or none." in robots::MatchKind::WORDS,
    access: Maybe<Word> = "How much of the site the agent may fetch; null if the rules are unknown." in robots::AccessClass::WORDS,
    root_allowed: Maybe<Flag> = "The path / is allowed; null if the rules are unknown.",
    has_rules: Flag = "At least one rule applies to the agent.",
    has_allow_rules: Flag = "At least one allow rule applies to the agent.",
    is_one_disallow_rule: Flag = "Exactly one rule applies to the agent, a disallow rule.",
    has_disallow_root: Flag = "A disallow rule that applies to the agent has exactly the pattern /.",
    is_only_disallow_root: Flag = "Every rule that applies to the agent disallows exactly /, and there is at least one.",
} }
