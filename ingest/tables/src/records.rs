//! Other lines with a key, such as sitemaps.

use crate::declare::table;

table! { "records", "one row per other line with a key" {
    body_id: Large as Near + Ranged = "The body, in bodies.",
    line_no: Small as Near = "The line, from 1.",
    group_no: Maybe<Small> as Near = "The group of this line; null before the first user-agent line.",
    key: Text = "The key, in lower case.",
    record: Maybe<Word> = "The record that the key names, whatever its spelling; null if docs/violations.md has no name for it." in robots::Extension::NAMES,
    value: Text as Distinct = "The value as written; bytes that are not UTF-8 are replaced.",
} }
