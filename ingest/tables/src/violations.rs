//! How bodies depart from the grammar.

use crate::declare::table;

table! { "violations", "one row per departure from the grammar" {
    body_id: Large as Near + Ranged = "The body, in bodies.",
    line_no: Maybe<Small> as Near = "The line, from 1; null for a fact of the whole file.",
    byte_offset: Small as Near = "Offset in the parsed text.",
    tier: Text = "A: not derivable; B: an extension record; C: a remark.",
    code: Text = "Which departure it is.",
    severity: Text = "What it does to a crawler that keeps to the letter: error, warning, info.",
    effect: Text = "What became of the line here: none, kept by tolerance, lost.",
    excerpt: Text = "The beginning of what it is about; bytes that are not UTF-8 are replaced.",
} }
