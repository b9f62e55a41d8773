//! Recognises the start of a record: in WARC by its version line, in ARC by a line of fields.

use super::arc;

/// The start of a WARC record.
pub(super) const MAGIC: &[u8] = b"WARC/";

/// The start of a WARC record after other bytes.
const LINE_OF_MAGIC: &[u8] = b"\nWARC/";

/// The longest version line of a WARC record in use, with the first byte of its line end.
const LONGEST_VERSION_LINE: &[u8] = b"WARC/0.18\r";

/// The format of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum RecordForm {
    /// WARC.
    #[default]
    Warc,
    /// ARC, the format before WARC.
    Arc,
}

impl RecordForm {
    /// Whether a record starts here. False where too few bytes follow to decide.
    #[inline]
    pub(super) fn is_start(self, bytes: &[u8]) -> bool {
        match self {
            RecordForm::Warc => bytes.starts_with(MAGIC),
            RecordForm::Arc => arc::Line::read(bytes).is_some(),
        }
    }

    /// Whether the bytes start with the complete first line of a record.
    pub(super) fn is_whole_start(self, bytes: &[u8]) -> bool {
        match self {
            RecordForm::Warc => {
                let Some(after) = bytes.strip_prefix(MAGIC) else { return false };
                let version = after.iter().take_while(|byte| matches!(byte, b'0'..=b'9' | b'.')).count();
                version > 0 && matches!(after.get(version), Some(b'\r' | b'\n'))
            }
            RecordForm::Arc => arc::Line::read(bytes).is_some_and(|line| line.end < bytes.len()),
        }
    }

    /// Whether a record may start here, depending on the bytes that follow.
    pub(super) fn may_start(self, bytes: &[u8]) -> bool {
        match bytes.get(fillers(bytes)..).unwrap_or_default() {
            [] => true,
            bytes if self == RecordForm::Warc => MAGIC.starts_with(bytes),
            bytes => bytes.len() < arc::MOST_LINE_BYTES && !bytes.contains(&b'\n'),
        }
    }

    /// The offset of the next line that starts a record.
    pub(super) fn next(self, bytes: &[u8]) -> Option<usize> {
        match self {
            RecordForm::Warc => Some(memchr::memmem::find(bytes, LINE_OF_MAGIC)? + 1),
            RecordForm::Arc => {
                let mut ends = memchr::memchr_iter(b'\n', bytes).map(|end| end + 1);
                ends.find(|at| bytes.get(*at..).is_some_and(|bytes| arc::Line::read(bytes).is_some()))
            }
        }
    }

    /// The offset of the first record in what may be a block: at its start if the block is missing.
    pub(super) fn next_in_block(self, bytes: &[u8]) -> Option<usize> {
        if self.is_whole_start(bytes) { Some(0) } else { self.next(bytes) }
    }

    /// The offset of the next start of a record after damage, which may have destroyed the line end before it. There,
    /// the version line must be whole, since text may contain its start.
    pub(super) fn next_after_damage(self, bytes: &[u8]) -> Option<usize> {
        match self {
            RecordForm::Warc => memchr::memmem::find_iter(bytes, MAGIC).find(|at| {
                let (before, after) = bytes.split_at_checked(*at).unwrap_or_default();
                before.ends_with(b"\n") || self.is_whole_start(after)
            }),
            RecordForm::Arc => {
                let mut start = 0;
                memchr::memchr_iter(b'\n', bytes).find_map(|end| {
                    let line = start..end + 1;
                    start = line.end;
                    Some(line.start + arc::start_in(bytes.get(line)?)?)
                })
            }
        }
    }

    /// Whether a block may end before these bytes: a record follows, or nothing.
    pub(super) fn is_border(self, after: &[u8]) -> bool {
        let after = after.get(fillers(after)..).unwrap_or_default();
        after.is_empty() || self.is_start(after)
    }

    /// The most bytes needed to decide whether a record starts, with the line end before its first line.
    pub(super) fn line_bytes(self) -> usize {
        match self {
            RecordForm::Warc => LONGEST_VERSION_LINE.len(),
            RecordForm::Arc => arc::MOST_LINE_BYTES + 1,
        }
    }

    /// How many line ends close a record. ARC: `<nl>` before each `URL-record`; WARC/1.1 § 4:
    /// `warc-record = header CRLF block CRLF CRLF`.
    pub(super) fn closing_ends(self) -> usize {
        match self {
            RecordForm::Warc => 2,
            RecordForm::Arc => 1,
        }
    }
}

/// How many of the first bytes are line ends.
pub(super) fn line_ends(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count()
}

/// How many of the first bytes are line ends and byte order marks, which may stand before a record.
pub(super) fn fillers(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n' | 0xef | 0xbb | 0xbf)).count()
}
