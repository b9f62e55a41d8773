//! The bytes of an archive for the second reader: the same source, but another inflater.

use crate::archive::{GZIP_SIGNATURE, MOST_BYTES};
use flate2::bufread::GzDecoder;
use std::cell::RefCell;
use std::io::{self, Read, Seek, SeekFrom};

/// How the second reader gets a record or the bytes of damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ArchiveForm {
    /// As gzip members.
    Members,
    /// As an uncompressed WARC record.
    Plain,
    /// Not at all: it is ARC or in zstd members.
    Other,
}

impl ArchiveForm {
    /// Recognises the form by the first bytes. Line ends and a byte order mark may stand before a record.
    pub(super) fn recognise(archived: &[u8]) -> Self {
        let fillers = archived.iter().take_while(|byte| b"\r\n\xef\xbb\xbf".contains(byte)).count();
        if archived.starts_with(GZIP_SIGNATURE) {
            ArchiveForm::Members
        } else if archived.get(fillers..).is_some_and(|record| record.starts_with(b"WARC/")) {
            ArchiveForm::Plain
        } else {
            ArchiveForm::Other
        }
    }
}

/// A source that several readers share. Each continues where it stopped.
#[derive(Debug)]
pub(super) struct SharedSource<'s, R> {
    source: &'s RefCell<R>,
    offset: u64,
}

impl<'s, R> SharedSource<'s, R> {
    /// Reads from the start.
    pub(super) fn new(source: &'s RefCell<R>) -> Self {
        SharedSource { source, offset: 0 }
    }
}

impl<R: Read + Seek> Seek for SharedSource<'_, R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let mut source = self.source.borrow_mut();
        // A relative seek needs the position of this reader to be restored first.
        source.seek(SeekFrom::Start(self.offset))?;
        self.offset = source.seek(to)?;
        Ok(self.offset)
    }
}

impl<R: Read + Seek> Read for SharedSource<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut source = self.source.borrow_mut();
        source.seek(SeekFrom::Start(self.offset))?;
        let read = source.read(buffer)?;
        self.offset += read as u64;
        Ok(read)
    }
}

/// Reads `length` bytes from `offset` on, but at most twice the limit of a member.
pub(super) fn bytes(source: &mut (impl Read + Seek), offset: u64, length: u64, buffer: &mut Vec<u8>) -> io::Result<()> {
    buffer.clear();
    source.seek(SeekFrom::Start(offset))?;
    source.by_ref().take(length.min(2 * MOST_BYTES as u64)).read_to_end(buffer)?;
    Ok(())
}

/// The result of inflating.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Inflated {
    /// Whole members, and how many bytes follow them.
    Whole { rest: usize },
    /// More than the limit of a member.
    TooLarge,
    /// No whole member, for this reason.
    Failed(String),
}

/// Inflates the member at the start of `archived`, and those that follow it.
pub(super) fn inflate(archived: &[u8], buffer: &mut Vec<u8>) -> Inflated {
    buffer.clear();
    let mut rest = archived;
    while rest.starts_with(&[0x1f, 0x8b]) || rest.len() == archived.len() {
        let mut decoder = GzDecoder::new(rest);
        match decoder.by_ref().take((MOST_BYTES + 1 - buffer.len()) as u64).read_to_end(buffer) {
            Ok(_) if buffer.len() > MOST_BYTES => return Inflated::TooLarge,
            Ok(_) => rest = decoder.into_inner(),
            Err(error) => return Inflated::Failed(error.to_string()),
        }
    }
    Inflated::Whole { rest: rest.len() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn forms_by_the_first_bytes() {
        let check = |start: &[u8], expected| assert_eq!(ArchiveForm::recognise(start), expected, "{start:?}");
        check(b"WARC/1.0\r\n", ArchiveForm::Plain);
        check(b"\xef\xbb\xbf\r\n\nWARC/", ArchiveForm::Plain);
        check(b"\x1f\x8b\x08\0", ArchiveForm::Members);
        for other in [&b""[..], b"\x28\xb5\x2f\xfd\0", b"http://a.example/ 192.0.2.1 20080430204825 text/plain 1\n"] {
            check(other, ArchiveForm::Other);
        }
    }

    #[test]
    fn a_shared_source() {
        let source = RefCell::new(Cursor::new(b"0123456789"));
        let mut shared = SharedSource::new(&source);
        let (mut three, mut others) = ([0; 3], Vec::new());
        for expected in [b"012", b"345", b"678"] {
            shared.read_exact(&mut three).unwrap();
            assert_eq!(&three, expected);
            bytes(&mut *source.borrow_mut(), 1, 2, &mut others).unwrap();
            assert_eq!(others, b"12");
        }
    }

    #[test]
    fn a_member_and_the_bytes_after_it() {
        let mut member = Vec::new();
        flate2::bufread::GzEncoder::new(&b"text"[..], flate2::Compression::fast()).read_to_end(&mut member).unwrap();
        let mut buffer = Vec::new();
        assert_eq!(inflate(&[&member[..], b"xyz"].concat(), &mut buffer), Inflated::Whole { rest: 3 });
        assert_eq!(buffer, b"text");
        assert_eq!(inflate(&[&member[..], &member].concat(), &mut buffer), Inflated::Whole { rest: 0 });
        assert_eq!(buffer, b"texttext");
        for damaged in [&member[..member.len() - 1], &member[..5], b"", b"text"] {
            assert!(matches!(inflate(damaged, &mut buffer), Inflated::Failed(_)), "{damaged:?}");
        }
    }
}
