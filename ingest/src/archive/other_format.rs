//! Recognises files in formats other than those of archives, by their first bytes. They are not damaged archives.

use super::form::{RecordForm, fillers};
use std::error::Error;
use std::{fmt, io};

/// The format of a file that is no archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OtherFormat {
    /// The format, in the plural.
    name: &'static str,
    /// The compression of its members, if it has any.
    compression: Option<&'static str>,
}

/// How many bytes at the start of the content of members decide.
pub(super) const FIRST_BYTES: usize = 512;

/// How many bytes are searched at once for what shows the format of a file whose first bytes are damaged.
pub(super) const DAMAGED_START_BYTES: usize = 1 << 20;

/// How many bytes from there on show whether it is the format: most records and the start of the next one.
pub(super) const SHOWING_BYTES: usize = 8 << 20;

/// The start of each format, and the offset of these bytes. No member starts like this. A record may have the bytes of
/// tar, which are not at its start.
const SIGNATURES: [(&str, usize, &[u8]); 11] = [
    ("tar files", 257, b"ustar"),
    ("bzip2 files", 4, b"\x31\x41\x59\x26\x53\x59"),
    ("xz files", 0, b"\xfd7zXZ\0"),
    ("7z files", 0, b"7z\xbc\xaf\x27\x1c"),
    ("LZ4 files", 0, b"\x04\x22\x4d\x18"),
    ("RAR files", 0, b"Rar!\x1a\x07"),
    ("ZIP files without entries", 0, b"PK\x05\x06"),
    ("Parquet files", 0, b"PAR1"),
    ("PDF files", 0, b"%PDF-"),
    ("SQLite files", 0, b"SQLite format 3\0"),
    ("compress (.Z) files", 0, b"\x1f\x9d"),
];

/// The start of texts, in lower case, after white space.
const TEXTS: [(&str, &[u8]); 5] = [
    ("HTML files", b"<!doctype html"),
    ("HTML files", b"<html"),
    ("XML files", b"<?xml"),
    ("JSON files", b"{\""),
    ("robots.txt files", b"user-agent:"),
];

/// The end of the text of a format.
const NOT_SUPPORTED: &str = " are not supported; ingest reads WARC, ARC and WACZ";

impl OtherFormat {
    /// A ZIP file in which no archive is where a WACZ has it.
    pub(super) const ZIP: Self = OtherFormat { name: "ZIP files without a folder archive/", compression: None };

    /// The format of a file that starts with these bytes, if it is one of those above. `compression` names the
    /// compression of the members from which the bytes come.
    pub(super) fn recognise(first: &[u8], compression: Option<&'static str>) -> Option<Self> {
        let content = first.get(fillers(first)..)?;
        if RecordForm::Warc.is_start(content) || RecordForm::Arc.is_start(content) {
            return None;
        }
        let has = |offset: usize, bytes: &[u8]| first.get(offset..).is_some_and(|first| first.starts_with(bytes));
        let signed = SIGNATURES.iter().find(|(_, offset, bytes)| has(*offset, bytes)).map(|(name, ..)| *name);
        let name = signed.or_else(|| {
            let mut text = content.trim_ascii_start();
            // Comments of a robots.txt.
            while text.starts_with(b"#") {
                text = text.get(memchr::memchr(b'\n', text)?..)?.trim_ascii_start();
            }
            let starts_with =
                |start: &[u8]| text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start));
            TEXTS.iter().find(|(_, start)| starts_with(start)).map(|(name, _)| *name)
        })?;
        Some(OtherFormat { name, compression })
    }

    /// Whether a body may start like this.
    pub(super) fn is_text(self) -> bool {
        TEXTS.iter().any(|(name, _)| *name == self.name)
    }

    /// Whether a cause is the text of a format.
    pub(crate) fn is_cause(cause: &str) -> bool {
        cause.ends_with(NOT_SUPPORTED)
    }

    /// The format inside an I/O error; `None` for any other error.
    pub(crate) fn find_in(error: &io::Error) -> Option<Self> {
        error.get_ref()?.downcast_ref().copied()
    }
}

impl fmt::Display for OtherFormat {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)?;
        if let Some(compression) = self.compression {
            write!(formatter, " in {compression}")?;
        }
        formatter.write_str(NOT_SUPPORTED)
    }
}

impl Error for OtherFormat {}

impl From<OtherFormat> for io::Error {
    fn from(format: OtherFormat) -> Self {
        io::Error::new(io::ErrorKind::Unsupported, format)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_by_their_first_bytes() {
        let check = |first: &[u8], expected: Option<&str>| {
            assert_eq!(OtherFormat::recognise(first, None).map(|format| format.name), expected, "{first:?}");
        };
        let tar = [&b"crawl/a.warc.gz"[..], &[0; 242], b"ustar\x0000"].concat();
        check(&tar, Some("tar files"));
        check(&tar[..260], None);
        check(b"BZh91AY&SY", Some("bzip2 files"));
        check(b"\xfd7zXZ\0\0\x04", Some("xz files"));
        check(b"\xef\xbb\xbf \n<!DOCTYPE html>", Some("HTML files"));
        check(b"User-Agent: *\n", Some("robots.txt files"));
        check(b"# Hello\n\n# World\nUser-agent: *\n", Some("robots.txt files"));
        check(b"\x1f\x9d\x90", Some("compress (.Z) files"));
        for archive in [&b""[..], b"WARC/1.0\r\n", b"filedesc://a.arc", b"\x1f\x8b\x08\0", b"PK\x03\x04", b"<", b"{}"] {
            check(archive, None);
        }
    }
}
