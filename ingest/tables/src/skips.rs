//! What was read and not kept.

use crate::declare::table;

table! { "skips", "one row per input and reason" {
    warc_filename: Text = "The archive.",
    kind: Text = "What the reason is one of: skipped (a record that is no capture), damaged (bytes that hold no record), remark (something odd about a record that was read, or about the answer or the target of a capture).",
    reason: Text = "The reason, by a name that stays.",
    occurrences: Large = "How many records or, of damage, how many stretches of bytes.",
    first_offset: Large = "Offset of the first of them in the archive.",
} }
