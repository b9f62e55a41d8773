//! Departures of bodies from the grammar.

use crate::declare::table;

table! { "violations", "one row per line or file that breaks the grammar (tier A), has another record (B) or a remark (C)" {
    body_id: Large as Near + Ranged = "The body, in bodies.",
    line_no: Maybe<Small> as Near = "The line, from 1; null for a violation of the whole file.",
    byte_offset: Small as Near = "Offset in the parsed text.",
    tier: Word = "A: not derivable from the grammar; B: an extension record; C: a remark." in robots::Tier::WORDS,
    code: Word = "The name of the violation; docs/violations.md lists them.",
    severity: Word = "What it does to a crawler that follows the grammar strictly." in robots::Severity::WORDS,
    effect: Word = "What it did to this line." in robots::Effect::WORDS,
    excerpt: Text = "The start of the text that it is about; bytes that are not UTF-8 are replaced.",
} }
