//! One gzip member, inflated piece by piece, whatever it holds.

use super::window::{Window, WindowSource};
use flate2::{Crc, Decompress, FlushDecompress, Status};
use std::io::{self, ErrorKind, Read};

/// The signature of a member, RFC 1952 § 2.3, with deflate as its method.
pub(super) const SIGNATURE: &[u8] = b"\x1f\x8b\x08";

/// Whether a member may begin here: its signature, and none of the flags that RFC 1952 § 2.3.1.2 reserves ("Reserved
/// FLG bits must be zero").
pub(super) fn begins_member(bytes: &[u8]) -> bool {
    bytes.starts_with(SIGNATURE) && bytes.get(SIGNATURE.len()).is_some_and(|flags| flags & 0xe0 == 0)
}

/// What a member holds, from a window that stands where the member begins, and behind it when all was read.
pub(super) struct Stream<'w, 'b, S> {
    window: &'w mut Window<'b, S>,
    inflater: &'w mut Decompress,
    /// Where the member begins.
    start: u64,
    at: At,
    crc: Crc,
    /// How much was inflated.
    inflated: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Header,
    Data,
    End,
}

/// What comes next of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MemberStep {
    /// So many bytes of what it holds.
    Bytes(usize),
    /// The end, with length and checksum as they should be.
    End,
    /// Nothing more: it is cut short, or its data, length or checksum are wrong.
    Damaged,
}

impl<'w, 'b, S: WindowSource> Stream<'w, 'b, S> {
    /// The member at which a window stands.
    pub(super) fn new(window: &'w mut Window<'b, S>, inflater: &'w mut Decompress) -> Self {
        inflater.reset(false);
        let start = window.offset();
        Stream { window, inflater, start, at: At::Header, crc: Crc::new(), inflated: 0 }
    }

    /// How much was read of the file, and how much inflated.
    pub(super) fn lengths(&self) -> (u64, u64) {
        (self.window.offset() - self.start, self.inflated)
    }

    /// Inflates some of the member into a room that is not empty.
    pub(super) fn next(&mut self, room: &mut [u8]) -> io::Result<MemberStep> {
        if self.at == At::Header {
            if !self.header()? {
                return Ok(MemberStep::Damaged);
            }
            self.at = At::Data;
        }
        while self.at == At::Data {
            self.window.fill(1)?;
            let (read, written) = (self.inflater.total_in(), self.inflater.total_out());
            let status = self.inflater.decompress(self.window.bytes(), room, FlushDecompress::None);
            // No more than a slice, on which both began.
            let read = (self.inflater.total_in() - read) as usize;
            let written = (self.inflater.total_out() - written) as usize;
            self.window.skip(read);
            self.crc.update(room.get(..written).unwrap_or_default());
            self.inflated += written as u64;
            match status {
                Ok(Status::StreamEnd) if self.trailer()? => self.at = At::End,
                Ok(Status::StreamEnd) | Err(_) => return Ok(MemberStep::Damaged),
                // With neither input nor output: the file is at its end.
                Ok(_) if read == 0 && written == 0 => return Ok(MemberStep::Damaged),
                Ok(_) => {}
            }
            if written > 0 {
                return Ok(MemberStep::Bytes(written));
            }
        }
        Ok(MemberStep::End)
    }

    /// Passes over the header. RFC 1952 § 2.3. Its own checksum is not compared, as the fast inflater does not.
    fn header(&mut self) -> io::Result<bool> {
        const FHCRC: u8 = 1 << 1;
        const FEXTRA: u8 = 1 << 2;
        const FNAME: u8 = 1 << 3;
        const FCOMMENT: u8 = 1 << 4;
        let Some([_, _, _, flags, ..]) = self.chunk::<10>()?.filter(|header| begins_member(header)) else {
            return Ok(false);
        };
        if flags & FEXTRA != 0 {
            let Some(length) = self.chunk()? else { return Ok(false) };
            let length = usize::from(u16::from_le_bytes(length));
            self.window.fill(length)?;
            if self.window.bytes().len() < length {
                return Ok(false);
            }
            self.window.skip(length);
        }
        for text in [FNAME, FCOMMENT] {
            if flags & text != 0 && !self.text()? {
                return Ok(false);
            }
        }
        Ok(flags & FHCRC == 0 || self.chunk::<2>()?.is_some())
    }

    /// Passes over a text that ends in zero.
    fn text(&mut self) -> io::Result<bool> {
        loop {
            self.window.fill(1)?;
            let bytes = self.window.bytes();
            let end = memchr::memchr(0, bytes);
            let passed = end.map_or(bytes.len(), |end| end + 1);
            if passed == 0 {
                return Ok(false);
            }
            self.window.skip(passed);
            if end.is_some() {
                return Ok(true);
            }
        }
    }

    /// Whether the trailer is right. RFC 1952 § 2.3.1: CRC32, and ISIZE, "the size of the original (uncompressed) input
    /// data modulo 2^32".
    fn trailer(&mut self) -> io::Result<bool> {
        let expected = u64::from(self.crc.sum()) | self.inflated << 32;
        Ok(self.chunk()?.is_some_and(|trailer| u64::from_le_bytes(trailer) == expected))
    }

    fn chunk<const LENGTH: usize>(&mut self) -> io::Result<Option<[u8; LENGTH]>> {
        self.window.fill(LENGTH)?;
        let taken = self.window.bytes().first_chunk::<LENGTH>().copied();
        if taken.is_some() {
            self.window.skip(LENGTH);
        }
        Ok(taken)
    }
}

/// What a member holds that was found whole before. That it is damaged now is an error of the source, as it was another
/// when it was read first.
impl<S: WindowSource> Read for Stream<'_, '_, S> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if room.is_empty() {
            return Ok(0);
        }
        match self.next(room)? {
            MemberStep::Bytes(bytes) => Ok(bytes),
            MemberStep::End => Ok(0),
            MemberStep::Damaged => Err(io::Error::new(ErrorKind::InvalidData, "it changes while it is read")),
        }
    }
}

/// Deflate knows no way back: the member is inflated from its beginning once more.
impl<S: WindowSource> WindowSource for Stream<'_, '_, S> {
    fn back(&mut self, bytes: u64) -> io::Result<u64> {
        let target = self.inflated.saturating_sub(bytes);
        let read = self.window.offset() - self.start;
        self.window.back_to(self.start)?;
        self.inflater.reset(false);
        (self.at, self.crc, self.inflated) = (At::Header, Crc::new(), 0);
        io::copy(&mut self.by_ref().take(target), &mut io::sink())?;
        Ok(read + target)
    }

    fn passed(&self, _: u64) -> u64 {
        self.window.passed()
    }
}
