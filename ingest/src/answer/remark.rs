//! Remarks on an HTTP response: what is tolerated and what is damaged.

use crate::reasons::{Reasons, catalogue};

catalogue! {
    /// A remark on an HTTP response that could be read. Those on its head come before those on its body.
    AnswerRemark {
    StatusLineMissing "status-line-missing"
        "the block does not start with a status line; all of it is taken as the body",
    StatusInvalid "status-invalid"
        "the status line has no three-digit status",
    StatusOutOfRange "status-out-of-range"
        "the status is below 100 or above 599",
    StatusLineNonstandard "status-line-nonstandard"
        "the status line departs from the standard but is understood: lower case, no valid version, other blanks, ICY",
    HeadPreceded "head-preceded"
        "empty lines stand before the status line",
    InterimSkipped "interim-skipped"
        "an interim response (1xx) stands before the final one",
    HeadUnended "head-unended"
        "no empty line ends the head; there is no body",
    HeadLfOnly "head-lf-only"
        "a line of the head ends in LF without CR",
    HeadNul "head-nul"
        "the head has a NUL byte",
    HeaderFolded "header-folded"
        "a line of the head starts with white space, so it continues the line before it",
    HeaderWithoutColon "header-without-colon"
        "a line of the head has no colon; it is skipped",
    HeaderBlankBeforeColon "header-blank-before-colon"
        "white space stands between the name of a header and its colon",
    ExtraEolRemoved "extra-eol-removed"
        "an extra line end is between head and body, as Content-Length shows; it is removed",
    LengthDiffers "length-differs"
        "the archived body does not have the length that Content-Length gives",
    BodyMissing "body-missing"
        "the record ends before the body, as its head, a length in it or WARC-Truncated shows; nothing is known of it",
    ChunkedAbsent "chunked-absent"
        "the head says chunked, but no chunk of the size on the first line starts the body; it counts as not chunked",
    ChunkedCutShort "chunked-cut-short"
        "the body ends before its last chunk",
    ChunkedDamaged "chunked-damaged"
        "after the first chunk, other bytes stand where a chunk should start or end; the body is read up to there",
    CodingAbsent "coding-absent"
        "the head names a content coding that the body does not have",
    CodingUnknown "coding-unknown"
        "the head names an unknown content coding, or a word that is not one: identity, none, utf-8",
    CodingsTooMany "codings-too-many"
        "the head names too many content codings; none is decoded",
    CodingCutShort "coding-cut-short"
        "the coded body is cut short; it is decoded up to there",
    CodingDamaged "coding-damaged"
        "the coded body is damaged, or its checksum is wrong; it is decoded up to there",
    CodingTrailed "coding-trailed"
        "other bytes follow the end of the coded body; they are skipped",
    DeflateRaw "deflate-raw"
        "the coding is deflate, without the zlib header that it should have",
    GzipUnnamed "gzip-unnamed"
        "the body is gzip, but the head does not say so; it is not decoded",
    BodyOverCap "body-over-cap"
        "the decoded body is longer than the part that is kept",
    BodyOverWork "body-over-work"
        "decoding was stopped for its cost; the body is longer than its counted length",
    }
}

/// A set of remarks on an HTTP response.
pub type AnswerRemarks = Reasons<AnswerRemark>;
