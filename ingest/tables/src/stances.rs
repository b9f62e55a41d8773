//! What sites say to the crawlers that are tracked, once for all sites that say the same.

use crate::declare::table;

table! { "stances", "one row per stance and tracked agent, and one with a star for a crawler that no file names" {
    agent: Word as Repeated + Ranged = "The token, as in agents; a star is one.",
    stance_id: Large as Near + Ranged = "The stance: the first site, by site_id, of those that say the same.",
    match_kind: Word = "By what the rules were chosen: explicit (its name), wildcard (the star), none.",
    access: Maybe<Word> = "How much may be fetched: all, part, none; null where the rules are not known.",
    root_allowed: Maybe<Flag> = "The path / may be fetched; null where the rules are not known.",
    has_rules: Flag = "A rule holds for it.",
    has_allow_rules: Flag = "An allow line does.",
    is_one_disallow_rule: Flag = "A single rule does, which is a disallow line.",
    has_disallow_root: Flag = "A disallow line that holds for it says exactly /.",
    is_only_disallow_root: Flag = "Every line of them does, and there is one.",
} }
