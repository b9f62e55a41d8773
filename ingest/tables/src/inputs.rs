//! What was read.

use crate::declare::table;

table! { "inputs", "one row per archive read" {
    warc_filename: Text = "The archive.",
    bytes: Large = "How many bytes of it were read, which is its size unless there is an error.",
    digest: Maybe<Text> = "XXH3 (128 bits, in hex) of its bytes, which tells it from other archives and a copy from a damaged one; null if there is an error.",
    members: Large = "Members that are whole, those without a record among them; 0 for a file without members.",
    records: Large = "Records that were found: captures + what skips counts as skipped.",
    captures: Large = "Records that became captures, each a row there.",
    good_bytes: Large = "Bytes of members that are whole and hold records or nothing, and of records in a file without members.",
    damaged_bytes: Large = "All other bytes, so that bytes = good_bytes + damaged_bytes; skips says what is damaged.",
    block_bytes: Large = "Bytes of the blocks of all records, inflated, but for those too large to be read.",
    error: Maybe<Text> = "Why it, or the rest of it, could not be read.",
} }
