//! Whom bodies speak to.

use crate::declare::table;

table! { "groups", "one row per user-agent line" {
    body_id: Large as Near + Ranged = "The body, in bodies.",
    group_no: Small as Near = "The group, from 0, in the order of the file.",
    agent_no: Small as Near = "The user-agent line, from 0, in the order of the file.",
    line_no: Small as Near = "The line, from 1.",
    agent: Text = "What it names, as written.",
    token: Text as Repeated + Sought = "What it names, in normal form: without version, blanks and stars at its end, in lower case.",
    token_is_valid: Flag = "The name is a product token of the ABNF, or a star.",
    splits_head: Flag = "Another record stands between this line and the user-agent line before it in the same group.",
} }
