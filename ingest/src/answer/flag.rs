//! Everything in an answer that was tolerated or is damaged, declared once, so that it can be counted by name.

use crate::marks::{Marks, catalogue};

catalogue! {
    /// Something about an answer that is not as it should be, and did not keep it from being read. Those of the head
    /// come first.
    Flag {
    StatusLineMissing "status-line-missing"
        "the block does not begin with a status line, so that all of it is body",
    StatusInvalid "status-invalid"
        "the status line has no status of three digits",
    StatusLineOdd "status-line-odd"
        "the status line is understood and not as the standard has it: lower case, no version, other blanks, ICY",
    HeadPreceded "head-preceded"
        "empty lines stand before the status line",
    InterimSkipped "interim-skipped"
        "an interim answer (1xx) stands before the one that counts",
    HeadUnended "head-unended"
        "no empty line ends the head, so that there is no body",
    HeadLfOnly "head-lf-only"
        "a line of the head ends in LF without CR",
    HeadNul "head-nul"
        "the head has a NUL byte",
    HeaderFolded "header-folded"
        "a line of the head begins with white space, which continues the line before it",
    HeaderWithoutColon "header-without-colon"
        "a line of the head has no colon and was skipped",
    HeaderBlankBeforeColon "header-blank-before-colon"
        "white space stands between the name of a header and its colon",
    ExtraEolRemoved "extra-eol-removed"
        "one more end of line stood between head and body, as Content-Length shows, and was removed",
    LengthDiffers "length-differs"
        "the body as archived is not as long as Content-Length says",
    ChunkedAbsent "chunked-absent"
        "the head says chunked and the body is not",
    ChunkedCutShort "chunked-cut-short"
        "the body ends before its last chunk",
    ChunkedDamaged "chunked-damaged"
        "something else stands where a chunk should begin or end, and the body was read up to there",
    CodingAbsent "coding-absent"
        "the head names a content coding that the body does not have",
    CodingUnknown "coding-unknown"
        "the head names a content coding that is none, or none that is known: identity, none, utf-8",
    CodingsTooMany "codings-too-many"
        "the head names so many content codings that none was undone",
    CodingCutShort "coding-cut-short"
        "the coded body ends before its end, and was read up to there",
    CodingDamaged "coding-damaged"
        "the coded body is damaged or its checksum is wrong, and it was read up to there",
    CodingTrailed "coding-trailed"
        "something follows the end of the coded body and was skipped",
    DeflateRaw "deflate-raw"
        "the coding deflate is there without the zlib header that it should have",
    GzipUnnamed "gzip-unnamed"
        "the body is gzip and the head does not say so; it was left as it is",
    BodyOverCap "body-over-cap"
        "the decoded body is longer than what is kept of it",
    BodyOverWork "body-over-work"
        "decoding was stopped, so that the body is longer than what was counted",
    }
}

/// A set of flags.
pub type Flags = Marks<Flag>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct() {
        let names: std::collections::BTreeSet<_> = Flag::ALL.iter().map(|flag| flag.name()).collect();
        assert_eq!(names.len(), Flag::ALL.len());
    }

    #[test]
    fn a_set_lists_what_was_added() {
        let mut flags = Flags::default();
        assert!(flags.is_empty());
        flags.add(Flag::GzipUnnamed);
        flags.add(Flag::HeadNul);
        assert_eq!(flags.iter().collect::<Vec<_>>(), [Flag::HeadNul, Flag::GzipUnnamed]);
    }
}
