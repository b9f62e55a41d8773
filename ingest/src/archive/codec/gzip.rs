//! Members of gzip, RFC 1952.

use super::{MemberCodec, MemberStep};
use crate::archive::inflate::Inflater;
use crate::archive::window::{Window, WindowSource};
use flate2::{Crc, Decompress, FlushDecompress, Status};
use std::io;

/// RFC 1952 § 2.3.1: ID1, ID2, and deflate, the only compression method.
pub(crate) const GZIP_SIGNATURE: &[u8] = b"\x1f\x8b\x08";

/// Inflates members in one call or in steps.
#[derive(Debug)]
pub(in crate::archive) struct Gzip {
    fast: Inflater,
    /// Length of the content of the last member that was inflated in one call.
    held: usize,
    stepwise: Decompress,
    at: At,
    crc: Crc,
    /// How many bytes of the started member were inflated.
    inflated: u64,
}

/// Which part of a member comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Header,
    Data,
    End,
}

impl Default for Gzip {
    fn default() -> Self {
        Gzip {
            fast: Inflater::default(),
            held: 0,
            stepwise: Decompress::new(false),
            at: At::Header,
            crc: Crc::new(),
            inflated: 0,
        }
    }
}

impl MemberCodec for Gzip {
    const NAME: &'static str = "gzip";

    const SIGNATURE: &'static [u8] = GZIP_SIGNATURE;

    /// After the signature, the flags have no bit that RFC 1952 § 2.3.1.2 reserves ("Reserved FLG bits must be zero").
    fn is_start(bytes: &[u8]) -> bool {
        bytes.starts_with(Self::SIGNATURE) && bytes.get(Self::SIGNATURE.len()).is_some_and(|flags| flags & 0xe0 == 0)
    }

    fn inflate_whole(&mut self, input: &[u8], most: usize) -> Option<usize> {
        self.held = 0;
        let (taken, held) = self.fast.member(input, most)?;
        self.held = held;
        Some(taken)
    }

    fn held(&self) -> &[u8] {
        self.fast.buffer().get(..self.held).unwrap_or_default()
    }

    fn shrink(&mut self) {
        self.held = 0;
        self.fast.shrink_buffer();
    }

    fn start(&mut self) {
        self.stepwise.reset(false);
        (self.at, self.crc, self.inflated) = (At::Header, Crc::new(), 0);
    }

    fn step<S: WindowSource>(&mut self, window: &mut Window<'_, S>, buffer: &mut [u8]) -> io::Result<MemberStep> {
        if self.at == At::Header {
            if !header(window)? {
                return Ok(MemberStep::Damaged);
            }
            self.at = At::Data;
        }
        while self.at == At::Data {
            window.fill(1)?;
            let (read, written) = (self.stepwise.total_in(), self.stepwise.total_out());
            let status = self.stepwise.decompress(window.bytes(), buffer, FlushDecompress::None);
            // Both are at most the length of a slice.
            let read = (self.stepwise.total_in() - read) as usize;
            let written = (self.stepwise.total_out() - written) as usize;
            window.skip(read);
            self.crc.update(buffer.get(..written).unwrap_or_default());
            self.inflated += written as u64;
            match status {
                Ok(Status::StreamEnd) if self.trailer(window)? => self.at = At::End,
                Ok(Status::StreamEnd) | Err(_) => return Ok(MemberStep::Damaged),
                // Neither input nor output: the file ends here.
                Ok(_) if read == 0 && written == 0 => return Ok(MemberStep::Damaged),
                Ok(_) => {}
            }
            if written > 0 {
                return Ok(MemberStep::Bytes(written));
            }
        }
        Ok(MemberStep::End)
    }
}

impl Gzip {
    /// Whether the trailer is right. RFC 1952 § 2.3.1: CRC32, and ISIZE, "the size of the original (uncompressed) input
    /// data modulo 2^32".
    fn trailer<S: WindowSource>(&self, window: &mut Window<'_, S>) -> io::Result<bool> {
        let expected = u64::from(self.crc.sum()) | self.inflated << 32;
        Ok(window.chunk()?.is_some_and(|trailer| u64::from_le_bytes(trailer) == expected))
    }
}

/// Skips a header, RFC 1952 § 2.3. Like the fast inflater, it does not compare the checksum of the header.
fn header<S: WindowSource>(window: &mut Window<'_, S>) -> io::Result<bool> {
    const FHCRC: u8 = 1 << 1;
    const FEXTRA: u8 = 1 << 2;
    const FNAME: u8 = 1 << 3;
    const FCOMMENT: u8 = 1 << 4;
    let Some([_, _, _, flags, ..]) = window.chunk::<10>()?.filter(|header| Gzip::is_start(header)) else {
        return Ok(false);
    };
    if flags & FEXTRA != 0 {
        let Some(length) = window.chunk()? else { return Ok(false) };
        if !window.pass(u64::from(u16::from_le_bytes(length)))? {
            return Ok(false);
        }
    }
    for text in [FNAME, FCOMMENT] {
        if flags & text != 0 && !pass_text(window)? {
            return Ok(false);
        }
    }
    Ok(flags & FHCRC == 0 || window.chunk::<2>()?.is_some())
}

/// Skips a zero-terminated text.
fn pass_text<S: WindowSource>(window: &mut Window<'_, S>) -> io::Result<bool> {
    loop {
        window.fill(1)?;
        let bytes = window.bytes();
        let end = memchr::memchr(0, bytes);
        let passed = end.map_or(bytes.len(), |end| end + 1);
        if passed == 0 {
            return Ok(false);
        }
        window.skip(passed);
        if end.is_some() {
            return Ok(true);
        }
    }
}
