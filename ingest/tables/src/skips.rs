//! Counts of skipped records, damaged bytes and remarks on records.

use crate::declare::table;

/// A row that counts records that are no captures.
pub const SKIPPED: &str = "skipped";
/// A row that counts stretches of bytes without a readable record.
pub const DAMAGED: &str = "damaged";
/// A row that counts records with an unusual fact.
pub const REMARK: &str = "remark";

table! { "skips", "one row per input and reason" {
    warc_filename: Text = "The archive.",
    kind: Word = "What is counted: skipped records, which are no captures; damaged stretches of bytes, which hold no record; or records with a remark." in ["skipped", "damaged", "remark"],
    reason: Word = "The reason, by a name that stays the same; docs/reasons.md lists them.",
    occurrences: Large = "How many records or, for damage, how many stretches of bytes; a reason that did not occur has no row.",
    first_offset: Large = "Offset of the first of them in the archive; for a record in a member, the offset of the member.",
} }
