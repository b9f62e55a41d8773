//! SHA-256 in hex, as `sha256sum` prints it: of a text, or of bytes while they are written.

use crate::blocks::{BlockDigest, Blocks};
use crate::ledger::WrittenFile;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write};

/// The SHA-256 of a text, in hex.
#[must_use]
pub fn sha256(text: impl AsRef<[u8]>) -> String {
    let mut digest = Digest::default();
    digest.update(text);
    digest.letters()
}

/// A SHA-256 of bytes that come piece by piece.
#[derive(Debug, Clone, Default)]
pub struct Digest(Sha256);

impl Digest {
    /// Adds the next bytes.
    pub fn update(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.update(bytes);
    }

    /// The digest of all bytes so far, in hex.
    #[must_use]
    pub fn letters(&self) -> String {
        let mut letters = String::with_capacity(64);
        for byte in self.0.clone().finalize() {
            // Writing to a string cannot fail.
            let _ = write!(letters, "{byte:02x}");
        }
        letters
    }
}

/// A writer that digests and counts the bytes that pass through it.
#[derive(Debug)]
pub struct Digested<W> {
    out: W,
    bytes: u64,
    digest: Digest,
    blocks: BlockDigest,
}

impl<W: Write> Digested<W> {
    /// A digesting writer around `out`.
    pub fn new(out: W) -> Self {
        Digested { out, bytes: 0, digest: Digest::default(), blocks: BlockDigest::default() }
    }

    /// The SHA-256 of all bytes so far, and the digests of their blocks.
    #[must_use]
    pub fn digests(&self) -> (String, Blocks) {
        (self.digest.letters(), self.blocks.blocks())
    }
}

impl Digested<File> {
    /// Waits until all bytes so far are on the disk, and describes the file of a table that they make.
    pub fn sync(&self, table: &str, rows: u64) -> io::Result<WrittenFile> {
        self.out.sync_all()?;
        let (sha256, blocks) = self.digests();
        Ok(WrittenFile { table: table.to_owned(), rows, bytes: self.bytes, sha256, blocks })
    }
}

impl<W: Write> Write for Digested<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        let bytes = bytes.get(..written).unwrap_or_default();
        self.digest.update(bytes);
        self.blocks.update(bytes);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::{Digested, sha256};
    use crate::blocks::Blocks;
    use std::io::{self, Write};

    /// Takes three bytes at most, and cannot be flushed.
    struct Slow(Vec<u8>);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let some = bytes.get(..bytes.len().min(3)).unwrap_or_default();
            self.0.extend_from_slice(some);
            Ok(some.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    /// The first example of FIPS 180-2.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn letters_are_those_of_sha256sum() {
        assert_eq!(sha256("abc"), ABC);
    }

    #[test]
    fn what_was_written_is_digested_once() {
        let mut digested = Digested::new(Slow(Vec::new()));
        digested.write_all(b"abc").expect("it takes all");
        assert_eq!((digested.digests().0.as_str(), digested.bytes), (ABC, 3));
        digested.write_all(b"defg").expect("it takes all");
        assert_eq!((digested.digests(), digested.bytes), ((sha256("abcdefg"), Blocks::from_bytes(b"abcdefg")), 7));
        assert_eq!(digested.out.0, b"abcdefg");
        assert!(digested.flush().is_err(), "the writer below is not flushed");
    }
}
