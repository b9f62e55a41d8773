//! User-agent lines of bodies.

use crate::declare::table;

table! { "groups", "one row per user-agent line" {
    body_id: Large as Near + Ranged = "The body, in bodies.",
    group_no: Small as Near = "The group, from 0, in the order of the file.",
    agent_no: Small as Near = "The user-agent line, from 0, in the order of the file.",
    line_no: Small as Near = "The line, from 1.",
    agent: Text = "What the line names, as written; bytes that are not UTF-8 are percent-encoded.",
    token: Text as Repeated + Sought = "What the line names, in normal form: in lower case, without version, without blanks and `*` at the end; bytes that are not UTF-8 are percent-encoded.",
    product_token: Maybe<Text> = "The product token at the start of the token, if it is another one. The line also names the crawler with this product token (RFC 9309 section 2.2.1).",
    token_is_valid: Flag = "The name is valid by the grammar: a product token or `*`.",
    splits_head: Flag = "Another record stands between this line and the user-agent line before it in the same group.",
    root_allowed: Flag = "The path / is allowed if only this group applies.",
    root_weight: Small = "The weight of the rule that decides this: by its length, and at the same length an allow rule weighs more. If several groups apply, the one with the greatest weight decides.",
} }
