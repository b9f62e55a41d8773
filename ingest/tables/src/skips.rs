//! What was read and not kept.

use crate::declare::table;

table! { "skips", "one row per input and reason" {
    warc_filename: Text = "The archive.",
    reason: Text = "Why records of it were not kept, or what was odd about it.",
    records: Large = "How many.",
    first_offset: Large = "Offset of the first of them in the archive.",
} }
