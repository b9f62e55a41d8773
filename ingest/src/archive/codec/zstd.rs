//! Frames of zstd, RFC 8878, each a member. `.warc.zst` files of the Internet Archive start with a dictionary for all
//! frames (IIPC, "Use of Zstandard Compression in WARC files", § 3).
//!
//! A frame need not have a checksum. Damage to a frame without one may go unnoticed.

use super::{MemberCodec, MemberStep};
use crate::archive::found::Cause;
use crate::archive::inflate::{BUFFER_BYTES, GROWTH};
use crate::archive::window::{Window, WindowSource};
use std::fmt;
use std::io;
use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer};

/// The start of a skippable frame, RFC 8878 § 3.1.2, after a first byte of 50 to 5F.
const SKIPPABLE: &[u8] = b"\x2a\x4d\x18";

/// The start of the frame that contains a dictionary.
const DICTIONARY: &[u8] = b"\x5d\x2a\x4d\x18";

/// The largest dictionary in bytes, inflated or not. Dictionaries of archives have 1 MiB.
const MOST_DICTIONARY_BYTES: usize = 16 << 20;

/// The largest window that a frame may ask for: 32 MiB. The decoder allocates it. With the 128 MiB that `zstd -d` takes,
/// two jobs would need 587 MiB for archives that are built to exhaust memory.
const WINDOW_LOG: u32 = 25;
const MOST_WINDOW: u64 = 1 << WINDOW_LOG;

/// Inflates frames.
#[derive(Default)]
pub(in crate::archive) struct Zstd {
    decoder: Option<Decoder<'static>>,
    buffer: Vec<u8>,
    held: usize,
    is_at_end: bool,
}

impl fmt::Debug for Zstd {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Zstd").field("buffer_bytes", &self.buffer.len()).finish_non_exhaustive()
    }
}

impl Zstd {
    /// Prepares for a file: reads the dictionary that it may start with. Leaves the window at the start of the file.
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

/// The window that a frame asks for, RFC 8878 § 3.1.1.1. A frame with the flag Single_Segment asks for its whole content.
fn window_bytes(frame: &[u8]) -> Option<u64> {
    let (flags, rest) = frame.strip_prefix(Zstd::SIGNATURE)?.split_first()?;
    if flags & 0x20 == 0 {
        let window = rest.first()?;
        let base = 1_u64 << (10 + (window >> 3));
        return Some(base + base / 8 * u64::from(window & 7));
    }
    let dictionary_id = [0, 1, 2, 4].get(usize::from(flags & 3))?;
    let mut size = [0; 8];
    let bytes = 1_usize << (flags >> 6);
    size.get_mut(..bytes)?.copy_from_slice(rest.get(*dictionary_id..)?.get(..bytes)?);
    Some(u64::from_le_bytes(size).saturating_add(if bytes == 2 { 256 } else { 0 }))
}

impl MemberCodec for Zstd {
    const NAME: &'static str = "zstd";

    const SIGNATURE: &'static [u8] = b"\x28\xb5\x2f\xfd";

    /// RFC 8878 § 3.1.1.1.1: bit 3 of the byte after the signature "is reserved" and "must be zero".
    fn is_start(bytes: &[u8]) -> bool {
        match bytes {
            [0x50..=0x5f, after @ ..] => after.starts_with(SKIPPABLE),
            _ => bytes.strip_prefix(Self::SIGNATURE).and_then(<[u8]>::first).is_some_and(|flags| flags & 0x08 == 0),
        }
    }

    fn cause_of_damage(bytes: &[u8]) -> Cause {
        match window_bytes(bytes) {
            Some(window) if window > MOST_WINDOW => Cause::WindowTooLarge,
            _ => Cause::MemberDamaged,
        }
    }

    fn inflate_whole(&mut self, input: &[u8], most: usize) -> Option<usize> {
        self.start();
        self.held = 0;
        let decoder = self.decoder.as_mut()?;
        if self.buffer.is_empty() {
            self.buffer = vec![0; BUFFER_BYTES];
        }
        let mut read = InBuffer::around(input);
        loop {
            let length = self.buffer.len().min(most);
            let buffer = self.buffer.get_mut(self.held..length).unwrap_or_default();
            let is_full = buffer.is_empty();
            let mut written = OutBuffer::around(buffer);
            let before = read.pos();
            let left = decoder.run(&mut read, &mut written).ok()?;
            let wrote = written.pos();
            self.held += wrote;
            if left == 0 {
                return Some(read.pos());
            }
            if wrote == 0 && read.pos() == before {
                if !is_full || length >= most {
                    return None;
                }
                self.buffer.resize((self.buffer.len() * GROWTH).min(most), 0);
            }
        }
    }

    fn held(&self) -> &[u8] {
        self.buffer.get(..self.held).unwrap_or_default()
    }

    fn shrink(&mut self) {
        self.held = 0;
        self.buffer.truncate(BUFFER_BYTES);
        self.buffer.shrink_to(BUFFER_BYTES);
    }

    fn start(&mut self) {
        self.is_at_end = false;
        if self.decoder.as_mut().is_some_and(|decoder| decoder.reinit().is_err()) {
            self.decoder = None;
        }
    }

    fn step<S: WindowSource>(&mut self, window: &mut Window<'_, S>, buffer: &mut [u8]) -> io::Result<MemberStep> {
        let Some(decoder) = &mut self.decoder else { return Ok(MemberStep::Damaged) };
        while !self.is_at_end {
            window.fill(1)?;
            let mut read = InBuffer::around(window.bytes());
            let mut written = OutBuffer::around(&mut *buffer);
            let Ok(left) = decoder.run(&mut read, &mut written) else { return Ok(MemberStep::Damaged) };
            let (read, written) = (read.pos(), written.pos());
            window.skip(read);
            self.is_at_end = left == 0;
            if written > 0 {
                return Ok(MemberStep::Bytes(written));
            }
            if read == 0 && !self.is_at_end {
                // Neither input nor output: the file ends here.
                return Ok(MemberStep::Damaged);
            }
        }
        Ok(MemberStep::End)
    }
}
