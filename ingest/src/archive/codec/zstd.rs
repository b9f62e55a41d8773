//! Frames of zstd, RFC 8878, each a member. `.warc.zst` files of the Internet Archive begin with a dictionary for all of
//! them (IIPC, "Use of Zstandard Compression in WARC files", § 3).
//!
//! A frame need not have a checksum. Damage to one without may go unseen.

use super::{MemberCodec, MemberStep};
use crate::archive::inflate::{GROWTH, InflateError, ROOM_BYTES};
use crate::archive::window::{Window, WindowSource};
use std::fmt;
use std::io;
use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer};

/// What a frame to be skipped begins with, RFC 8878 § 3.1.2, behind a first byte of 50 to 5F.
const SKIPPABLE: &[u8] = b"\x2a\x4d\x18";

/// What the frame of a dictionary begins with.
const DICTIONARY: &[u8] = b"\x5d\x2a\x4d\x18";

/// The largest dictionary, inflated or not: those of archives take 1 MiB.
const MOST_DICTIONARY_BYTES: usize = 16 << 20;

/// The largest window that a frame may ask for: 32 MiB. The decoder allocates it.
const WINDOW_LOG: u32 = 25;

/// Inflates frames.
#[derive(Default)]
pub(in crate::archive) struct Zstd {
    decoder: Option<Decoder<'static>>,
    room: Vec<u8>,
    held: usize,
    is_at_end: bool,
}

impl fmt::Debug for Zstd {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Zstd").field("room_bytes", &self.room.len()).finish_non_exhaustive()
    }
}

impl Zstd {
    /// Gets ready for a file: reads the dictionary with which it may begin. The window stands at its beginning again.
    pub(in crate::archive) fn open<S: WindowSource>(&mut self, window: &mut Window<'_, S>) -> io::Result<()> {
        let offset = window.offset();
        let mut dictionary = Vec::new();
        if window.bytes().starts_with(DICTIONARY)
            && let Some([_, _, _, _, length @ ..]) = window.chunk::<8>()?
        {
            let length = u32::from_le_bytes(length) as usize;
            if length <= MOST_DICTIONARY_BYTES {
                window.fill(length)?;
                dictionary.extend_from_slice(window.bytes().get(..length).unwrap_or_default());
            }
        }
        window.back_to(offset)?;
        if dictionary.starts_with(Self::SIGNATURE) {
            dictionary = zstd::bulk::decompress(&dictionary, MOST_DICTIONARY_BYTES).unwrap_or_default();
        }
        let mut decoder = Decoder::with_dictionary(&dictionary)?;
        decoder.set_parameter(DParameter::WindowLogMax(WINDOW_LOG))?;
        self.decoder = Some(decoder);
        Ok(())
    }
}

impl MemberCodec for Zstd {
    const SIGNATURE: &'static [u8] = b"\x28\xb5\x2f\xfd";

    /// RFC 8878 § 3.1.1.1.1: of the byte behind the signature, bit 3 "is reserved" and "must be zero".
    fn begins(bytes: &[u8]) -> bool {
        match bytes {
            [0x50..=0x5f, behind @ ..] => behind.starts_with(SKIPPABLE),
            _ => bytes.strip_prefix(Self::SIGNATURE).and_then(<[u8]>::first).is_some_and(|flags| flags & 0x08 == 0),
        }
    }

    fn at_once(&mut self, input: &[u8], most: usize) -> Result<usize, InflateError> {
        self.begin();
        self.held = 0;
        let Some(decoder) = &mut self.decoder else { return Err(InflateError::Damaged) };
        if self.room.is_empty() {
            self.room.resize(ROOM_BYTES, 0);
        }
        let mut read = InBuffer::around(input);
        loop {
            let length = self.room.len().min(most);
            let room = self.room.get_mut(self.held..length).unwrap_or_default();
            let is_full = room.is_empty();
            let mut written = OutBuffer::around(room);
            let before = read.pos();
            let left = decoder.run(&mut read, &mut written).map_err(|_| InflateError::Damaged)?;
            let wrote = written.pos();
            self.held += wrote;
            if left == 0 {
                return Ok(read.pos());
            }
            if wrote == 0 && read.pos() == before {
                if !is_full {
                    return Err(InflateError::Damaged);
                }
                if length >= most {
                    return Err(InflateError::TooLarge);
                }
                self.room.resize((self.room.len() * GROWTH).min(most), 0);
            }
        }
    }

    fn held(&self) -> &[u8] {
        self.room.get(..self.held).unwrap_or_default()
    }

    fn shrink(&mut self) {
        self.held = 0;
        self.room.truncate(ROOM_BYTES);
        self.room.shrink_to(ROOM_BYTES);
    }

    fn begin(&mut self) {
        self.is_at_end = false;
        if self.decoder.as_mut().is_some_and(|decoder| decoder.reinit().is_err()) {
            self.decoder = None;
        }
    }

    fn step<S: WindowSource>(&mut self, window: &mut Window<'_, S>, room: &mut [u8]) -> io::Result<MemberStep> {
        let Some(decoder) = &mut self.decoder else { return Ok(MemberStep::Damaged) };
        while !self.is_at_end {
            window.fill(1)?;
            let mut read = InBuffer::around(window.bytes());
            let mut written = OutBuffer::around(&mut *room);
            let Ok(left) = decoder.run(&mut read, &mut written) else { return Ok(MemberStep::Damaged) };
            let (read, written) = (read.pos(), written.pos());
            window.skip(read);
            self.is_at_end = left == 0;
            if written > 0 {
                return Ok(MemberStep::Bytes(written));
            }
            if read == 0 && !self.is_at_end {
                // With neither input nor output: the file is at its end.
                return Ok(MemberStep::Damaged);
            }
        }
        Ok(MemberStep::End)
    }
}
