//! Digests of the blocks of a file. With them, a reader of a few bytes notices that they have changed.
//!
//! The SHA-256 of a file needs all its bytes, but a query reads only some. Parquet's own checksums cover only pages,
//! not page headers, footers or filters. The crate `parquet` 59 verifies them but does not write them.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt::Write as _;
use std::ops::Range;
use twox_hash::XxHash3_128;

/// The size of a block in bytes. Reading one byte means reading a block, in 10 µs. The digests take 0.02 % of the size
/// of the tables.
pub const BLOCK_BYTES: u64 = 64 << 10;

/// The hexadecimal digits of a digest of a block.
const LETTERS: usize = 16;

/// The digests of all blocks of a file: 64 bits of XXH3, which detects accidental changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Blocks(Vec<u64>);

impl Blocks {
    /// The digests of these bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Blocks(bytes.chunks(BLOCK_BYTES as usize).map(digest).collect())
    }

    /// Whether there is a digest for each block of a file of this size.
    #[must_use]
    pub fn fit(&self, bytes: u64) -> bool {
        self.0.len() as u64 == bytes.div_ceil(BLOCK_BYTES)
    }

    /// The offset of the first block that has changed, if any. `bytes` start at `start`, which must be the start of a
    /// block, and end at the end of a block or of the file.
    #[must_use]
    pub fn changed(&self, start: u64, bytes: &[u8]) -> Option<u64> {
        let first = start / BLOCK_BYTES;
        let blocks = (first..).zip(bytes.chunks(BLOCK_BYTES as usize));
        let is_known = |at: u64| usize::try_from(at).ok().and_then(|at| self.0.get(at));
        let mut changed = blocks.filter(|(at, block)| is_known(*at) != Some(&digest(block)));
        changed.next().map(|(at, _)| at * BLOCK_BYTES)
    }
}

/// The range of all blocks that contain some of the wanted bytes, in a file of this size.
#[must_use]
pub fn around(wanted: &Range<u64>, bytes: u64) -> Range<u64> {
    let end = wanted.end.min(bytes).div_ceil(BLOCK_BYTES).saturating_mul(BLOCK_BYTES).min(bytes);
    (wanted.start / BLOCK_BYTES * BLOCK_BYTES).min(end)..end
}

fn digest(block: &[u8]) -> u64 {
    XxHash3_128::oneshot(block) as u64
}

/// Digests blocks of bytes that come piece by piece.
#[derive(Debug, Clone, Default)]
pub(crate) struct BlockDigest {
    done: Vec<u64>,
    block: Vec<u8>,
}

impl BlockDigest {
    /// Adds the next bytes.
    pub(crate) fn update(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK_BYTES as usize - self.block.len()));
            self.block.extend_from_slice(now);
            if self.block.len() as u64 == BLOCK_BYTES {
                self.done.push(digest(&self.block));
                self.block.clear();
            }
            bytes = later;
        }
    }

    /// The digests of all bytes so far.
    pub(crate) fn blocks(&self) -> Blocks {
        let last = (!self.block.is_empty()).then(|| digest(&self.block));
        Blocks(self.done.iter().copied().chain(last).collect())
    }
}

/// One text for all digests, since a list of numbers would be twice as long.
impl Serialize for Blocks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut letters = String::with_capacity(self.0.len() * LETTERS);
        for digest in &self.0 {
            // Writing to a string cannot fail.
            let _ = write!(letters, "{digest:016x}");
        }
        serializer.serialize_str(&letters)
    }
}

impl<'de> Deserialize<'de> for Blocks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let letters = String::deserialize(deserializer)?;
        let digest = |letters: &[u8]| {
            let letters = str::from_utf8(letters).ok().filter(|letters| letters.len() == LETTERS)?;
            u64::from_str_radix(letters, 16).ok()
        };
        let digests: Option<Vec<u64>> = letters.as_bytes().chunks(LETTERS).map(digest).collect();
        digests.map(Blocks).ok_or_else(|| D::Error::custom("digests of blocks are 16 hexadecimal digits each"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: usize = BLOCK_BYTES as usize;

    fn bytes(count: usize) -> Vec<u8> {
        (0..count).map(|at| (at * 7 / 3) as u8).collect()
    }

    #[test]
    fn pieces_give_the_digests_of_the_whole() {
        for count in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5] {
            let bytes = bytes(count);
            let mut pieces = BlockDigest::default();
            bytes.chunks(1000).for_each(|piece| pieces.update(piece));
            let blocks = pieces.blocks();
            assert_eq!(blocks, Blocks::from_bytes(&bytes));
            assert!(blocks.fit(count as u64) && !blocks.fit(count as u64 + BLOCK_BYTES));
            let text = serde_json::to_string(&blocks).unwrap();
            assert_eq!(serde_json::from_str::<Blocks>(&text).unwrap(), blocks);
        }
        for text in ["\"0\"", "\"000000000000000g\"", "\"+00000000000000f\" ", "\"é00000000000000\""] {
            let read = serde_json::from_str::<Blocks>(text).map(|blocks| blocks.0);
            assert!(read.is_err() || read.as_ref().is_ok_and(|blocks| blocks == &[15]), "{text}: {read:?}");
        }
    }

    #[test]
    fn a_changed_byte_is_in_its_block() {
        let mut bytes = bytes(3 * BLOCK + 5);
        let blocks = Blocks::from_bytes(&bytes);
        assert_eq!(blocks.changed(0, &bytes), None);
        assert_eq!(blocks.changed(BLOCK_BYTES, &bytes[BLOCK..2 * BLOCK]), None);
        bytes[BLOCK + 9] ^= 1;
        assert_eq!(blocks.changed(0, &bytes), Some(BLOCK_BYTES));
        assert_eq!(blocks.changed(2 * BLOCK_BYTES, &bytes[2 * BLOCK..]), None);
        // A block without a known digest counts as changed.
        assert_eq!(blocks.changed(4 * BLOCK_BYTES, &bytes), Some(4 * BLOCK_BYTES));
    }

    #[test]
    fn blocks_around_bytes_end_with_the_file() {
        let file = 2 * BLOCK_BYTES + 10;
        assert_eq!(around(&(0..1), file), 0..BLOCK_BYTES);
        assert_eq!(around(&(BLOCK_BYTES - 1..BLOCK_BYTES + 1), file), 0..2 * BLOCK_BYTES);
        assert_eq!(around(&(2 * BLOCK_BYTES + 3..file), file), 2 * BLOCK_BYTES..file);
        assert_eq!(around(&(file + 5 * BLOCK_BYTES..u64::MAX), file), file..file);
    }
}
