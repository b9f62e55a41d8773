//! What was read.

use crate::declare::table;

table! { "inputs", "one row per archive read" {
    warc_filename: Text = "The archive.",
    bytes: Large = "How many bytes of it were read, which is its size unless there is an error.",
    digest: Maybe<Text> = "XXH3 (128 bits, in hex) of its bytes, which tells it from other archives and a copy from a damaged one; null if there is an error.",
    members: Large = "Members that are whole.",
    records: Large = "Records that were read.",
    captures: Large = "Records that became captures; all others are counted in skips.",
    good_bytes: Large = "Bytes of what is whole.",
    damaged_bytes: Large = "All other bytes.",
    block_bytes: Large = "Bytes of the blocks of all records.",
    error: Maybe<Text> = "Why it, or the rest of it, could not be read.",
} }
