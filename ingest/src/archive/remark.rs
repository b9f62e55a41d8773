//! Remarks on records.

use crate::reasons::{Reasons, catalogue};

catalogue! {
    /// A remark on a record that could be read.
    RecordRemark {
        FoldedLine "folded-line"
            "a line of the head starts with white space, so it continues the line before it",
        LineWithoutColon "line-without-colon"
            "a line of the head has no colon",
        LengthMissing "length-missing"
            "the head has no `Content-Length`; the block ends at the next line that starts a record",
        LengthInvalid "length-invalid"
            "the `Content-Length` is not a number of at most 18 digits; the block ends at the next line that starts a record",
        BlockShort "block-short"
            "the block is shorter than its `Content-Length`, or the length counts the line ends after it",
        EndMissing "end-missing"
            "the line ends that close a record do not follow the block: two in WARC, one in ARC",
        BlockDoubtful "block-doubtful"
            "the line ends after the block are missing, and another record starts in the block: its length may be \
             wrong, so its body is not read",
        HeadDoubtful "head-doubtful"
            "the type, the target, the date or the length stands twice in the head, with different values, or the line that \
             starts a record of ARC may be a part of another URL: the head of another record may be a part of it, so its \
             body is not read",
        DateInvalid "date-invalid"
            "its date is missing or cannot be read; `captures.fetch_time` is null",
        FirstSegment "first-segment"
            "it is the first segment of a record that was split; its body ends where the segment does",
        Preceded "preceded"
            "other bytes stand before the record",
        AfterDamage "after-damage"
            "its member follows a damaged one, and the members from there on end before the archive does: it may be \
             part of the content of the damaged member",
        EntryDoubtful "entry-doubtful"
            "its archive in a WACZ has another size or checksum than the ZIP directory says, or is not listed there",
    }
}

/// A set of remarks on a record.
pub type RecordRemarks = Reasons<RecordRemark>;
