//! What was read.

use crate::declare::table;

table! { "inputs", "one row per archive read" {
    warc_filename: Text = "The archive.",
    bytes: Large = "Its size.",
    digest: Maybe<Text> = "What told its content apart from others when it was listed: a digest or an ETag.",
    members: Large = "Members that are whole.",
    records: Large = "Records that were read.",
    captures: Large = "Records that became captures.",
    good_bytes: Large = "Bytes of what is whole.",
    damaged_bytes: Large = "All other bytes.",
    inflated_bytes: Large = "Bytes of all records.",
    error: Maybe<Text> = "Why the rest of it could not be read.",
} }
