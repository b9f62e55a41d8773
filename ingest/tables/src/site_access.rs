//! What each site says to the crawlers that are tracked.

use crate::declare::table;

table! { "site_access", "one row per site and tracked agent, and one with a star for a crawler that no file names" {
    agent: Word as Repeated + Ranged = "The token, as in agents; a star is one.",
    site_id: Large as Near + Ranged = "The site, in sites.",
    match_kind: Word = "By what the rules were chosen: explicit (its name), wildcard (the star), none.",
    access: Maybe<Word> = "How much may be fetched: all, part, none; null where the rules are not known.",
    root_allowed: Maybe<Flag> = "The path / may be fetched; null where the rules are not known.",
    allow_rules: Small = "Allow lines that hold for it.",
    disallow_rules: Small = "Disallow lines that hold for it.",
    has_disallow_root: Flag = "A disallow line of them says exactly /.",
    is_only_disallow_root: Flag = "Every line of them does, and there is one.",
    deciding_line: Maybe<Small> as Near = "The line that decides on /, from 1; null where none does.",
} }
