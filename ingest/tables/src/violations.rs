//! How bodies depart from the grammar.

use crate::declare::table;

table! { "violations", "one row per departure from the grammar" {
    body_id: Large as Near + Ranged = "The body, in bodies.",
    line_no: Maybe<Small> as Near = "The line, from 1; null for a fact of the whole file.",
    byte_offset: Small as Near = "Offset in the parsed text.",
    tier: Word = "A: not derivable; B: an extension record; C: a remark.",
    code: Word = "Which departure it is.",
    severity: Word = "What it does to a crawler that keeps to the letter: error, warning, info.",
    effect: Word = "What became of the line here: none, kept by tolerance, lost.",
    excerpt: Text = "The beginning of what it is about; bytes that are not UTF-8 are replaced.",
} }
