//! Allow and disallow lines of bodies.

use crate::declare::table;

table! { "rules", "one row per allow or disallow line" {
    body_id: Large as Near + Ranged = "The body, in bodies.",
    rule_no: Small as Near = "The rule, from 0, in the order of the file.",
    group_no: Maybe<Small> as Near = "The group, in groups; null before the first user-agent line.",
    line_no: Small as Near = "The line, from 1.",
    byte_offset: Small as Near = "Offset of the pattern in the parsed text.",
    allow: Flag = "True for an allow rule, false for a disallow rule.",
    pattern: Text as Alike = "The pattern as written; bytes that are not UTF-8 are percent-encoded.",
    pattern_normal: Maybe<Text> = "The pattern as it is compared (RFC 9309 section 2.2.2); null if that is the pattern as written.",
    octets: Small = "Length of the pattern as it is compared. The longest match decides.",
    wildcards: Small = "How many `*` it has.",
    anchored: Flag = "It ends in a dollar sign.",
    matches_root: Flag = "It matches the path /.",
    no_effect: Maybe<Word> = "Why the rule changes no verdict; null if it may change one, if it keeps its group apart from the next one, and before the first user-agent line." in robots::NoEffect::WORDS,
    beyond_500_kib: Flag = "It does not end within the first 512,000 bytes, so a crawler that stops there misses it.",
    key_is_misspelt: Flag = "Its key is misspelt, has white space inside, or lacks its colon.",
} }
