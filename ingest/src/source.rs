//! An archive as it is read: its bytes are counted and digested on the way.

use crate::progress::Progress;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicBool, Ordering};
use twox_hash::XxHash3_128;

/// A file that is read once from its beginning to its end, whatever is read twice on the way.
pub(crate) struct WatchedFile<'w> {
    file: File,
    position: u64,
    /// How much was read of it, and digested.
    bytes: u64,
    digest: XxHash3_128,
    progress: &'w Progress,
    stop: &'w AtomicBool,
}

impl<'w> WatchedFile<'w> {
    pub(crate) fn new(file: File, progress: &'w Progress, stop: &'w AtomicBool) -> Self {
        WatchedFile { file, position: 0, bytes: 0, digest: XxHash3_128::new(), progress, stop }
    }

    /// How much was read of it.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The digest of that, in hex.
    pub(crate) fn digest(&self) -> String {
        format!("{:032x}", self.digest.finish_128())
    }
}

impl Read for WatchedFile<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(io::Error::other("stopped"));
        }
        let read = self.file.read(buffer)?;
        let end = self.position + read as u64;
        let known = usize::try_from(self.bytes.saturating_sub(self.position)).unwrap_or(usize::MAX);
        if let Some(new) = buffer.get(known..read).filter(|new| !new.is_empty()) {
            self.digest.write(new);
            self.bytes = end;
            Progress::add(&self.progress.bytes, new.len() as u64);
        }
        self.position = end;
        Ok(read)
    }
}

impl Seek for WatchedFile<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = self.file.seek(to)?;
        Ok(self.position)
    }
}
