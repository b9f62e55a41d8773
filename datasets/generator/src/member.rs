//! Writes a gzip member, RFC 1952, as Common Crawl's crawler does: `java.util.zip.GZIPOutputStream` writes no file name
//! and no time.
//!
//! The compressor is zlib-rs, by default at level 6. Its output does not depend on the machine's vector instructions, but on its
//! version, which `Cargo.lock` fixes, and on how it is called: with a larger buffer, or by `GzEncoder`, long members have
//! other bytes.

use flate2::{Compress, Compression, Crc, FlushCompress, Status};

/// ID1 and ID2, deflate, no flags, no time, no extra flags, FAT as the system: the ten bytes that Java writes.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0];

/// The level of compression that Common Crawl's crawler has.
pub const LEVEL: u32 = 6;

/// Writes members, with memory that is reused.
pub(crate) struct Members {
    compress: Compress,
    /// The compressed bytes, before they are appended to the archive. `Compress::compress_vec` would not need this
    /// buffer, but for each member it fills the whole spare capacity of the archive with zeros, which takes two thirds
    /// of the time.
    room: Vec<u8>,
}

impl Members {
    pub(crate) fn new(level: u32) -> Self {
        Members { compress: Compress::new(Compression::new(level), false), room: vec![0; 1 << 16] }
    }

    /// Appends a member with `inflated` to `out`.
    pub(crate) fn write(&mut self, inflated: &[u8], out: &mut Vec<u8>) {
        let Members { compress, room } = self;
        out.extend_from_slice(&HEADER);
        compress.reset();
        // Both are at most the length of a slice in memory.
        let (mut taken, mut written) = (0, 0);
        loop {
            let rest = inflated.get(taken as usize..).unwrap_or_default();
            let status = compress.compress(rest, room, FlushCompress::Finish);
            let deflated = (compress.total_out() - written) as usize;
            out.extend_from_slice(room.get(..deflated).unwrap_or_default());
            // Without a dictionary, and with space in the buffer, it can only continue or end.
            if matches!(status, Ok(Status::StreamEnd) | Err(_)) {
                break;
            }
            (taken, written) = (compress.total_in(), compress.total_out());
        }
        let mut crc = Crc::new();
        crc.update(inflated);
        out.extend_from_slice(&crc.sum().to_le_bytes());
        out.extend_from_slice(&crc.amount().to_le_bytes());
    }
}

/// A member that contains `inflated`.
pub(crate) fn member(inflated: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    Members::new(LEVEL).write(inflated, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;
    use std::io::Read;

    #[test]
    fn what_is_written_is_read() {
        // Includes noise, which deflate makes longer.
        let noise = |length: u32| (0..length).map(|n| (n.wrapping_mul(2_654_435_761) >> 11) as u8).collect();
        let texts: [Vec<u8>; 5] = [vec![], b"a".to_vec(), vec![b'a'; 3 << 20], noise(100), noise(2 << 20)];
        let mut members = Members::new(LEVEL);
        for text in texts {
            let (mut written, mut read) = (Vec::new(), Vec::new());
            members.write(&text, &mut written);
            GzDecoder::new(&written[..]).read_to_end(&mut read).unwrap();
            assert!(read == text, "{} bytes", text.len());
            assert_eq!(written, member(&text), "reused memory changes the member");
        }
    }
}
