//! Counts and digests the bytes of a file or object while they are read.

use crate::progress::Progress;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicBool, Ordering};
use twox_hash::XxHash3_128;

/// A file or object that is read from start to end. Bytes that are read twice are counted and digested once.
pub(crate) struct WatchedFile<'w, F> {
    file: F,
    position: u64,
    /// How many bytes were read and digested.
    bytes: u64,
    digest: XxHash3_128,
    progress: &'w Progress,
    stop: &'w AtomicBool,
}

impl<'w, F> WatchedFile<'w, F> {
    pub(crate) fn new(file: F, progress: &'w Progress, stop: &'w AtomicBool) -> Self {
        WatchedFile { file, position: 0, bytes: 0, digest: XxHash3_128::new(), progress, stop }
    }

    /// The file or object that is watched.
    pub(crate) fn file(&self) -> &F {
        &self.file
    }

    /// How many bytes were read.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The XXH3 of these bytes, 128 bits in hex.
    pub(crate) fn digest(&self) -> String {
        format!("{:032x}", self.digest.finish_128())
    }
}

impl<F: Read> Read for WatchedFile<'_, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(io::Error::other("stopped"));
        }
        let read = self.file.read(buffer)?;
        let end = self.position + read as u64;
        let known = usize::try_from(self.bytes.saturating_sub(self.position)).unwrap_or(usize::MAX);
        // The directory of a ZIP file is read before the bytes in front of it. It counts once they were read.
        let is_next = self.position <= self.bytes;
        if let Some(new) = buffer.get(known..read).filter(|new| is_next && !new.is_empty()) {
            self.digest.write(new);
            self.bytes = end;
            Progress::add(&self.progress.bytes, new.len() as u64);
        }
        self.position = end;
        Ok(read)
    }
}

impl<F: Seek> Seek for WatchedFile<'_, F> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = self.file.seek(to)?;
        Ok(self.position)
    }
}
