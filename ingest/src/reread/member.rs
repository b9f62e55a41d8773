//! The bytes of an archive for the second reader: the same source, and another inflater.

use super::ArchiveForm;
use crate::archive::MOST_BYTES;
use flate2::bufread::GzDecoder;
use std::cell::RefCell;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// A source that is read in turns with others: each goes on where it stopped.
#[derive(Debug)]
pub(super) struct Turns<'s, R> {
    source: &'s RefCell<R>,
    offset: u64,
}

impl<'s, R> Turns<'s, R> {
    /// From the beginning.
    pub(super) fn new(source: &'s RefCell<R>) -> Self {
        Turns { source, offset: 0 }
    }
}

impl<R: Read + Seek> Seek for Turns<'_, R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let mut source = self.source.borrow_mut();
        // Of which only what is relative to the present place needs that place to be restored first.
        source.seek(SeekFrom::Start(self.offset))?;
        self.offset = source.seek(to)?;
        Ok(self.offset)
    }
}

impl<R: Read + Seek> Read for Turns<'_, R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let mut source = self.source.borrow_mut();
        source.seek(SeekFrom::Start(self.offset))?;
        let read = source.read(room)?;
        self.offset += read as u64;
        Ok(read)
    }
}

/// How an archive holds its records: as they are if it begins with one, behind ends of lines and a byte order mark.
pub(super) fn form(source: &mut (impl Read + Seek)) -> io::Result<ArchiveForm> {
    let mut first = Vec::new();
    source.seek(SeekFrom::Start(0))?;
    source.by_ref().take(4).read_to_end(&mut first)?;
    source.seek(SeekFrom::Start(0))?;
    let is_filler = |byte: &io::Result<u8>| matches!(byte, Ok(b'\r' | b'\n' | 0xef | 0xbb | 0xbf));
    let begin: io::Result<Vec<u8>> = BufReader::new(source).bytes().skip_while(is_filler).take(5).collect();
    Ok(match &*begin? {
        b"WARC/" => ArchiveForm::Plain,
        b"filed" => ArchiveForm::Other,
        _ if matches!(&*first, b"\x28\xb5\x2f\xfd" | [0x50..=0x5f, 0x2a, 0x4d, 0x18] | b"PK\x03\x04") => {
            ArchiveForm::Other
        }
        _ => ArchiveForm::Members,
    })
}

/// Reads so many bytes from `offset` on, but no more than a member may hold, twice.
pub(super) fn bytes(source: &mut (impl Read + Seek), offset: u64, length: u64, room: &mut Vec<u8>) -> io::Result<()> {
    room.clear();
    source.seek(SeekFrom::Start(offset))?;
    source.by_ref().take(length.min(2 * MOST_BYTES as u64)).read_to_end(room)?;
    Ok(())
}

/// What came of inflating.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Inflated {
    /// A whole member, and how many bytes stand behind it.
    Whole { behind: usize },
    /// A member that holds more than is inflated at once.
    TooLarge,
    /// None, for this reason.
    Failed(String),
}

/// Inflates the member that `archived` begins with, and those that follow it.
pub(super) fn inflate(archived: &[u8], room: &mut Vec<u8>) -> Inflated {
    room.clear();
    let mut rest = archived;
    while rest.starts_with(&[0x1f, 0x8b]) || rest.len() == archived.len() {
        let mut decoder = GzDecoder::new(rest);
        match decoder.by_ref().take((MOST_BYTES + 1 - room.len()) as u64).read_to_end(room) {
            Ok(_) if room.len() > MOST_BYTES => return Inflated::TooLarge,
            Ok(_) => rest = decoder.into_inner(),
            Err(error) => return Inflated::Failed(error.to_string()),
        }
    }
    Inflated::Whole { behind: rest.len() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn kinds_of_archives() {
        let check = |begin: &[u8], expected| assert_eq!(form(&mut Cursor::new(begin)).unwrap(), expected);
        check(b"WARC/1.0\r\n", ArchiveForm::Plain);
        check(b"\xef\xbb\xbf\r\n\nWARC/", ArchiveForm::Plain);
        check(b"\x1f\x8b\x08\0", ArchiveForm::Members);
        check(b"junk WARC/1.0", ArchiveForm::Members);
        check(b"", ArchiveForm::Members);
        for other in [&b"\x28\xb5\x2f\xfd\0"[..], b"\x5d\x2a\x4d\x18", b"PK\x03\x04", b"filedesc://a"] {
            check(other, ArchiveForm::Other);
        }
    }

    #[test]
    fn a_source_in_turns() {
        let source = RefCell::new(Cursor::new(b"0123456789"));
        let mut turns = Turns::new(&source);
        let (mut three, mut others) = ([0; 3], Vec::new());
        for expected in [b"012", b"345", b"678"] {
            turns.read_exact(&mut three).unwrap();
            assert_eq!(&three, expected);
            bytes(&mut *source.borrow_mut(), 1, 2, &mut others).unwrap();
            assert_eq!(others, b"12");
        }
    }

    #[test]
    fn a_member_and_what_is_behind() {
        let mut member = Vec::new();
        flate2::bufread::GzEncoder::new(&b"text"[..], flate2::Compression::fast()).read_to_end(&mut member).unwrap();
        let mut room = Vec::new();
        assert_eq!(inflate(&[&member[..], b"xyz"].concat(), &mut room), Inflated::Whole { behind: 3 });
        assert_eq!(room, b"text");
        assert_eq!(inflate(&[&member[..], &member].concat(), &mut room), Inflated::Whole { behind: 0 });
        assert_eq!(room, b"texttext");
        for damaged in [&member[..member.len() - 1], &member[..5], b"", b"text"] {
            assert!(matches!(inflate(damaged, &mut room), Inflated::Failed(_)), "{damaged:?}");
        }
    }
}
