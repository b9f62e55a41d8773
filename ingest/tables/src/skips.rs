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
    kind: Word = "What is counted: records that are not captures, stretches of bytes without a readable record, or records with a remark." in [SKIPPED, DAMAGED, REMARK],
    reason: Word = "The name of the reason, which never changes; docs/reasons.md lists them.",
    occurrences: Large = "How many records, or stretches of damaged bytes; a reason that did not occur has no row.",
    first_offset: Large = "Offset of the first of them in the archive; for a record in a member, the offset of the member.",
} }
