//! The policies of bodies: their rules for each crawler that they name.

use crate::declare::table;

table! { "policies", "one row per body and token that it names" {
    body_id: Large as Near + Ranged = "The body, in bodies.",
    token: Text as Repeated + Sought = "The token; the row is about the groups that name it. * is one.",
    is_written: Flag = "A user-agent line has exactly this token, as in groups. If not, a longer token starts with it: GPTBot Foo also names gptbot.",
    merged_groups: Small = "How many groups apply to it.",
    allow_rules: Small = "Allow rules in them.",
    disallow_rules: Small = "Disallow rules in them.",
    crawl_delay_s: Maybe<Real> = "The first crawl delay in them that is a number of seconds, at most 2,147,483,648.",
    root_allowed: Flag = "The path / is allowed.",
    access: Word = "How much of the site the token may fetch, tested with sample paths (docs/definitions.md)." in robots::AccessClass::WORDS,
    has_disallow_root: Flag = "A disallow rule has exactly the pattern /.",
    is_only_disallow_root: Flag = "Every rule disallows exactly /, and there is at least one.",
    is_only_allow_all: Flag = "Every rule has an empty pattern, or allows /, * or /*, and there is at least one.",
    rules_beyond_500_kib: Small = "Rules in them that do not end within the first 512,000 bytes.",
    root_allowed_within_500_kib: Flag = "The path / is allowed by the rules and user-agent lines that end within the first 512,000 bytes. If none of them names the token, the wildcard group counts.",
    access_within_500_kib: Word = "How much of the site these lines allow, tested with sample paths (docs/definitions.md)." in robots::AccessClass::WORDS,
    deciding_line: Maybe<Small> as Near = "The line that decides on /, from 1; null if no rule does.",
    gain: Maybe<Word> = "Whether being named gains the token paths that the wildcard group disallows. Only disallow rules without * and $ are compared; undecided: its disallow rules with * or $ may matter. Null for *, and unless the token and * both have the access part." in robots::PathGain::WORDS,
    gained_paths: Maybe<Small> = "How many distinct paths of the wildcard group it gains; null if gain is. Both are null, too, for tokens that would take the number of rules compared in a file beyond 4,194,304.",
} }
