//! Archives that were read.

use crate::declare::table;

table! { "inputs", "one row per archive read" {
    warc_filename: Text = "The archive.",
    bytes: Large = "How many bytes of it were read; its size, unless there is an error.",
    digest: Maybe<Text> = "XXH3 of its bytes, 128 bits in hex, which distinguishes it from other archives and from damaged copies; null if there is an error.",
    members: Large = "Undamaged members, including those without a record; 0 for a file without members.",
    records: Large = "Records that were found: captures plus what skips counts as skipped.",
    captures: Large = "Records that became captures, with a row each.",
    good_bytes: Large = "Bytes of undamaged members, and of undamaged records in a file without members.",
    damaged_bytes: Large = "All other bytes: bytes = good_bytes + damaged_bytes. The table skips says what is damaged.",
    block_bytes: Large = "Bytes of the blocks of all records, decompressed, without blocks that are too large to read.",
    error: Maybe<Text> = "Why the archive, or the rest of it, could not be read.",
} }
