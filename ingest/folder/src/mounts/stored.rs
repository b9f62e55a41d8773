//! Reads files that are in a store.
//!
//! Fetched blocks are kept in the placeholder of the file, which is sparse. So a block is fetched once, whatever the
//! number of statements that read it, as long as there is room.

use super::{StoredFiles, find};
use crate::blocks::{BLOCK_BYTES, around};
use parking_lot::{Mutex, MutexGuard};
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The end of a file is fetched in one request: it has the Parquet footer, which is read in several steps.
const TAIL_BYTES: u64 = 128 << 10;

/// How many bytes of a whole file are fetched at a time.
const PIECE_BYTES: u64 = 8 << 20;

/// Which blocks of files are in their placeholders.
#[derive(Debug, Default)]
pub(super) struct KeptBlocks {
    by_path: HashMap<PathBuf, HashSet<u64>>,
}

impl KeptBlocks {
    /// The part of a range of whole blocks that must be fetched: without the kept blocks at its start and its end.
    fn missing(&self, path: &Path, range: &Range<u64>) -> Range<u64> {
        let kept = self.by_path.get(path);
        let is_missing = |block: &u64| kept.is_none_or(|kept| !kept.contains(block));
        let mut blocks = blocks(range).filter(is_missing);
        let Some(first) = blocks.next() else { return range.start..range.start };
        let last = blocks.next_back().unwrap_or(first);
        first * BLOCK_BYTES..range.end.min((last + 1) * BLOCK_BYTES)
    }

    fn add(&mut self, path: &Path, range: &Range<u64>) {
        self.by_path.entry(path.to_path_buf()).or_default().extend(blocks(range));
    }

    /// How many bytes they take at the most: the last block of a file may be shorter.
    fn bytes(&self) -> u64 {
        self.by_path.values().map(|kept| kept.len() as u64 * BLOCK_BYTES).sum()
    }

    /// Notes that the placeholder of a file is empty.
    pub(super) fn forget(&mut self, path: &Path) {
        self.by_path.remove(path);
    }
}

/// The numbers of the blocks of a range.
fn blocks(range: &Range<u64>) -> Range<u64> {
    range.start / BLOCK_BYTES..range.end.div_ceil(BLOCK_BYTES)
}

/// A file whose bytes are in a store.
#[derive(Debug)]
pub(crate) struct StoredFile {
    path: PathBuf,
    placeholder: PathBuf,
    files: Arc<dyn StoredFiles>,
    kept: Arc<Mutex<KeptBlocks>>,
    pub(crate) bytes: u64,
}

impl StoredFile {
    /// The file at a path, if it is in a store.
    pub(crate) fn find(placeholder: &Path) -> Option<Self> {
        let (mount, path) = find(placeholder)?;
        let bytes = mount.files.length(&path)?;
        Some(StoredFile { path, placeholder: placeholder.to_path_buf(), files: mount.files, kept: mount.kept, bytes })
    }

    /// The bytes of each range. All that are not in the placeholder are fetched together.
    pub(crate) fn read(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        let spans = self.missing(ranges);
        let fetched = if spans.is_empty() { Vec::new() } else { self.files.read(&self.path, &spans)? };
        let mut file = File::options().read(true).write(true).open(&self.placeholder)?;
        for (span, bytes) in spans.iter().zip(&fetched) {
            self.keep(&mut file, span, bytes);
        }
        ranges
            .iter()
            .map(|range| {
                let mut bytes = vec![0; usize::try_from(range.end - range.start).map_err(io::Error::other)?];
                file.seek(SeekFrom::Start(range.start))?;
                file.read_exact(&mut bytes)?;
                // The placeholder may not have what was just fetched.
                for (span, fetched) in spans.iter().zip(&fetched) {
                    overlay(&mut bytes, range.start, fetched, span.start);
                }
                Ok(bytes)
            })
            .collect()
    }

    /// Opens the file with all its bytes. If there is no room to keep them, it has no name.
    pub(crate) fn open_whole(&self) -> io::Result<File> {
        let starts = || (0..self.bytes).step_by(PIECE_BYTES as usize);
        let piece = |start| start..self.bytes.min(start + PIECE_BYTES);
        if has_room(&self.placeholder, self.bytes, self.kept().bytes()) {
            starts().try_for_each(|start| self.read(&[piece(start)]).map(drop))?;
        }
        if self.kept().missing(&self.path, &(0..self.bytes)).is_empty() {
            return File::open(&self.placeholder);
        }
        // Several threads may open the same file.
        static COPIES: AtomicU64 = AtomicU64::new(0);
        let draft = self.placeholder.with_extension(format!("{}.copy", COPIES.fetch_add(1, Ordering::Relaxed)));
        let mut file = File::options().read(true).write(true).create_new(true).open(&draft)?;
        std::fs::remove_file(&draft)?;
        for start in starts() {
            self.read(&[piece(start)])?.iter().try_for_each(|bytes| file.write_all(bytes))?;
        }
        file.rewind()?;
        Ok(file)
    }

    /// The spans to fetch for ranges, in order, none of which touches another.
    fn missing(&self, ranges: &[Range<u64>]) -> Vec<Range<u64>> {
        let tail = around(&(self.bytes.saturating_sub(TAIL_BYTES)..self.bytes), self.bytes);
        let kept = self.kept();
        let mut spans: Vec<Range<u64>> = (ranges.iter().filter(|range| !range.is_empty()))
            .map(|range| around(range, self.bytes))
            .map(|range| kept.missing(&self.path, &range))
            .filter(|span| !span.is_empty())
            .map(|span| if span.start < tail.start { span } else { kept.missing(&self.path, &tail) })
            .collect();
        drop(kept);
        spans.sort_by_key(|span| span.start);
        spans.dedup_by(|next, before| {
            let touches = next.start <= before.end;
            before.end = if touches { before.end.max(next.end) } else { before.end };
            touches
        });
        spans
    }

    /// Writes fetched blocks into the placeholder if there is room. If that fails, they are fetched again next time.
    fn keep(&self, file: &mut File, span: &Range<u64>, bytes: &[u8]) {
        let has_room = has_room(&self.placeholder, bytes.len() as u64, self.kept().bytes());
        let mut write = || file.seek(SeekFrom::Start(span.start)).and_then(|_| file.write_all(bytes));
        if has_room && write().is_ok() {
            self.kept().add(&self.path, span);
        }
    }

    fn kept(&self) -> MutexGuard<'_, KeptBlocks> {
        self.kept.lock()
    }
}

/// Replaces bytes, which start at `start` in a file, by those that start at `from`.
fn overlay(bytes: &mut [u8], start: u64, fetched: &[u8], from: u64) {
    let targets = bytes.get_mut(from.saturating_sub(start) as usize..).unwrap_or_default();
    let fetched = fetched.get(start.saturating_sub(from) as usize..).unwrap_or_default();
    let count = targets.len().min(fetched.len());
    if let (Some(targets), Some(fetched)) = (targets.get_mut(..count), fetched.get(..count)) {
        targets.copy_from_slice(fetched);
    }
}

/// Whether more bytes may be kept: at most half of the room on the disk, so that what a command writes has room, too.
fn has_room(path: &Path, bytes: u64, kept: u64) -> bool {
    #[cfg(unix)]
    if let Ok(disk) = rustix::fs::statvfs(path) {
        return leaves_half(disk.f_bavail * disk.f_frsize, bytes, kept);
    }
    let _ = (path, bytes, kept);
    false
}

#[cfg(unix)]
fn leaves_half(free: u64, bytes: u64, kept: u64) -> bool {
    kept + bytes <= free.saturating_sub(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn half_of_the_room_stays_free() {
        let cases =
            [(100, 40, 0, true), (100, 50, 0, true), (100, 51, 0, false), (60, 10, 40, true), (60, 11, 40, false)];
        for (free, bytes, kept, has_room) in cases {
            assert_eq!(leaves_half(free, bytes, kept), has_room, "{free} free, {bytes} more, {kept} kept");
        }
    }

    #[test]
    fn fetched_bytes_replace_those_of_the_placeholder() {
        for (start, from, expected) in
            [(5, 5, [1, 2, 3, 0]), (5, 6, [0, 1, 2, 3]), (5, 4, [2, 3, 0, 0]), (5, 9, [0; 4])]
        {
            let mut bytes = [0; 4];
            overlay(&mut bytes, start, &[1, 2, 3], from);
            assert_eq!(bytes, expected, "{start}, {from}");
        }
    }
}
