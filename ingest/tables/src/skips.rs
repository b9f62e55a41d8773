//! What was read and not kept.

use crate::declare::table;

table! { "skips", "one row per input and reason" {
    warc_filename: Text = "The archive.",
    kind: Word = "What is counted: skipped records, which are no captures; damaged stretches of bytes, which hold no record; or a remark on a record, or on the answer or target of a capture." in ["skipped", "damaged", "remark"],
    reason: Word = "The reason, by a name that stays; docs/reasons.md lists them.",
    occurrences: Large = "How many records or, of damage, how many stretches of bytes; a reason that did not occur has no row.",
    first_offset: Large = "Offset of the first of them in the archive; of a record in a member, that of the member.",
} }
