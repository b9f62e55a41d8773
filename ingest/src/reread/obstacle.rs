//! Why the crate `warc` (0.4.0) cannot read a record, derived from the record itself.

use super::field::{ComparedField, FieldValue, HEAD_BYTES};
use crate::archive::{Record, RecordRemark};
use crate::reasons::{Reasons, catalogue};

catalogue! {
    /// Why the second reader cannot read a record, in the order in which the reasons are tried.
    Obstacle {
        Preceded "preceded"
            "other bytes stand before the record, possibly only an empty line",
        VersionInvalid "version-invalid"
            "the version is not UTF-8",
        LfOnly "lf-only"
            "a line of the head ends in LF alone, and it searches for CR LF at the end of the head",
        CarriageReturn "carriage-return"
            "a line of the head has a CR before its line end: it loses the line and all headers after it",
        HeadEnd "head-end"
            "the empty line that ends the head has a CR before its line end: it searches on for CR LF CR LF",
        FoldedLine "folded-line"
            "a field of the head is folded: it has only its first line, and loses all headers after it",
        LineWithoutColon "line-without-colon"
            "a line of the head has no colon: it loses all headers after it",
        NameInvalid "name-invalid"
            "a header name has invalid bytes: it loses that header and all after it",
        HeadLong "head-long"
            "the head is longer than 1 MiB; it could take 37 times as much memory",
        HeaderRepeated "header-repeated"
            "the type or target is repeated: it takes the last",
        LengthMissing "length-missing"
            "the head has no `Content-Length`, so it assumes 0",
        LengthInvalid "length-invalid"
            "the `Content-Length` is not a number of at most 18 digits",
        LengthBlank "length-blank"
            "blanks follow the `Content-Length`, or a form feed stands before it",
        BlockShort "block-short"
            "the block is shorter than its `Content-Length`",
        EndDiffers "end-differs"
            "what follows the block is not CR LF CR LF",
        Panicked "panicked"
            "it panicked for an unknown reason",
        MemberTooLarge "member-too-large"
            "the record is in a member of more than 64 MiB, inflated, which it would need as a whole",
        OtherForm "other-form"
            "the record is neither WARC in gzip members nor uncompressed WARC",
        AfterUnreadable "after-unreadable"
            "the record follows one in the same member that it did not read to its end",
    }
}

/// A set of obstacles.
pub type Obstacles = Reasons<Obstacle>;

impl Obstacle {
    /// Whether the obstacle explains a difference in a field. A lost header has no value, so a value that is present
    /// and differs has another reason.
    pub(super) fn explains(self, field: ComparedField, value: FieldValue) -> bool {
        match self {
            Obstacle::FoldedLine => value == FieldValue::Lost || field == ComparedField::Target,
            Obstacle::CarriageReturn | Obstacle::LineWithoutColon | Obstacle::NameInvalid => value == FieldValue::Lost,
            Obstacle::HeaderRepeated => matches!(field, ComparedField::Type | ComparedField::Target),
            Obstacle::LengthMissing | Obstacle::LengthInvalid | Obstacle::LengthBlank | Obstacle::BlockShort => {
                matches!(field, ComparedField::Record | ComparedField::BlockLength)
            }
            Obstacle::EndDiffers => field == ComparedField::Record,
            Obstacle::Preceded
            | Obstacle::VersionInvalid
            | Obstacle::LfOnly
            | Obstacle::HeadEnd
            | Obstacle::HeadLong
            | Obstacle::Panicked
            | Obstacle::MemberTooLarge
            | Obstacle::OtherForm
            | Obstacle::AfterUnreadable => true,
        }
    }
}

/// All obstacles to the second reader in a record. `bytes` start where it starts to read.
pub(super) fn find_obstacles(bytes: &[u8], record: &Record<'_>) -> Obstacles {
    let mut found = Obstacles::default();
    if record.version.is_empty() {
        found.add(Obstacle::OtherForm);
    }
    if !bytes.starts_with(b"WARC/") {
        found.add(Obstacle::Preceded);
        return found;
    }
    let mut lengths = 0;
    let (mut types, mut targets) = (0, 0);
    let mut rest = bytes;
    while !rest.is_empty() {
        let is_first = rest.len() == bytes.len();
        let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
        let (line, after) = rest.split_at_checked(end).unwrap_or((rest, b""));
        rest = after;
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        found.add_if(!text.ends_with(b"\r"), Obstacle::LfOnly);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        found.add_if(text.contains(&b'\r'), Obstacle::CarriageReturn);
        if text.iter().all(|byte| *byte == b'\r') {
            found.add_if(!text.is_empty(), Obstacle::HeadEnd);
            break;
        }
        if is_first {
            found.add_if(std::str::from_utf8(text).is_err(), Obstacle::VersionInvalid);
            continue;
        }
        if text.starts_with(b" ") || text.starts_with(b"\t") {
            found.add(Obstacle::FoldedLine);
            continue;
        }
        let mut parts = text.splitn(2, |byte| *byte == b':');
        let (Some(name), Some(value)) = (parts.next(), parts.next()) else {
            found.add(Obstacle::LineWithoutColon);
            continue;
        };
        let name = trim_blanks_end(name);
        found.add_if(name.is_empty() || !name.iter().all(|byte| is_of_name(*byte)), Obstacle::NameInvalid);
        types += u32::from(name.eq_ignore_ascii_case(b"WARC-Type"));
        targets += u32::from(name.eq_ignore_ascii_case(b"WARC-Target-URI"));
        if name.eq_ignore_ascii_case(b"Content-Length") {
            found.add_if(lengths == 0 && trim_blanks_start(value) != value.trim_ascii(), Obstacle::LengthBlank);
            lengths += 1;
        }
    }
    found.add_if(bytes.len() - rest.len() > HEAD_BYTES, Obstacle::HeadLong);
    found.add_if(types > 1 || targets > 1, Obstacle::HeaderRepeated);
    for (remark, obstacle) in [
        (RecordRemark::LengthMissing, Obstacle::LengthMissing),
        (RecordRemark::LengthInvalid, Obstacle::LengthInvalid),
        (RecordRemark::BlockShort, Obstacle::BlockShort),
    ] {
        found.add_if(record.remarks.has(remark), obstacle);
    }
    let after = rest.get(record.block.len()..).unwrap_or_default();
    found.add_if(!after.starts_with(b"\r\n\r\n"), Obstacle::EndDiffers);
    found
}

fn trim_blanks_end(mut name: &[u8]) -> &[u8] {
    while let [shorter @ .., b' ' | b'\t'] = name {
        name = shorter;
    }
    name
}

fn trim_blanks_start(mut value: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', shorter @ ..] = value {
        value = shorter;
    }
    value
}

/// WARC/1.1 § 4: `token = 1*<any ASCII character, except CTLs or separators>`; the crate also accepts DEL.
fn is_of_name(byte: u8) -> bool {
    (byte.is_ascii_graphic() || byte == 0x7f) && !b"()<>@,;:\\\"/[]?={}".contains(&byte)
}
