//! WACZ (specs.webrecorder.net/wacz/1.1.1): a ZIP file with WARC files in its folder `archive`, stored uncompressed.

use rawzip::{CompressionMethod, ReaderAt, ZipArchive};
use std::cell::RefCell;
use std::io::{self, Read, Seek, SeekFrom};

/// The start of a ZIP file: the header of its first entry.
pub(super) const SIGNATURE: &[u8] = b"PK\x03\x04";

/// The folder of archives.
const FOLDER: &[u8] = b"archive/";

/// How many bytes before the end of a file to search for the record that locates the directory. A comment of up to 64
/// KiB may follow that record.
const SEARCHED_BYTES: u64 = 128 << 10;

/// The most archives in one file.
const MOST_ENTRIES: usize = 1 << 20;

/// An archive within a ZIP file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Packed {
    /// Offset in the file.
    pub(super) offset: u64,
    /// Length in the file.
    pub(super) length: u64,
    /// Whether ZIP stores it uncompressed.
    pub(super) is_stored: bool,
}

/// The archives of a ZIP file in the order of the file, without overlaps. `None` if the file has no readable directory.
/// Leaves the source at its start.
pub(super) fn archives<R: Read + Seek>(source: &mut R) -> io::Result<Option<Vec<Packed>>> {
    let end = source.seek(SeekFrom::End(0))?;
    let found = listed(&mut *source, end);
    source.seek(SeekFrom::Start(0))?;
    let Some(mut found) = found else { return Ok(None) };
    found.sort_unstable();
    let mut passed = 0;
    for packed in &mut found {
        let end = packed.offset.saturating_add(packed.length).min(end).max(passed);
        packed.offset = packed.offset.clamp(passed, end);
        packed.length = end - packed.offset;
        passed = end;
    }
    found.retain(|packed| packed.length > 0);
    Ok(Some(found))
}

fn listed<R: Read + Seek>(source: R, end: u64) -> Option<Vec<Packed>> {
    let mut buffer = vec![0; rawzip::RECOMMENDED_BUFFER_SIZE];
    let mut names = vec![0; rawzip::RECOMMENDED_BUFFER_SIZE];
    let source = Shared(RefCell::new(source));
    let locator = ZipArchive::with_max_search_space(SEARCHED_BYTES);
    let archive = locator.locate_in_reader(source, &mut buffer, end).ok()?;
    let mut found = Vec::new();
    let mut entries = archive.entries(&mut names);
    while let Some(entry) = entries.next_entry().ok()? {
        if entry.is_dir() || !entry.file_path().as_ref().starts_with(FOLDER) {
            continue;
        }
        let is_stored = entry.compression_method() == CompressionMethod::STORE;
        let (offset, end) = archive.get_entry(entry.wayfinder()).ok()?.compressed_data_range();
        if found.len() == MOST_ENTRIES {
            return None;
        }
        found.push(Packed { offset, length: end.saturating_sub(offset), is_stored });
    }
    Some(found)
}

/// A source that can be read at any offset.
struct Shared<R>(RefCell<R>);

impl<R: Read + Seek> ReaderAt for Shared<R> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut source = self.0.borrow_mut();
        source.seek(SeekFrom::Start(offset))?;
        source.read(buffer)
    }
}

/// A part of a source.
#[derive(Debug)]
pub(super) struct Section<'s, R> {
    source: &'s mut R,
    start: u64,
    length: u64,
    at: u64,
}

impl<'s, R: Read + Seek> Section<'s, R> {
    /// `length` bytes of a source, which must be at `start`.
    pub(super) fn new(source: &'s mut R, start: u64, length: u64) -> Self {
        Section { source, start, length, at: 0 }
    }
}

impl<R: Read> Read for Section<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.by_ref().take(self.length - self.at).read(buffer)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl<R: Seek> Seek for Section<'_, R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.length.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        let target = target.filter(|at| *at <= self.length).ok_or(io::ErrorKind::InvalidInput)?;
        self.source.seek(SeekFrom::Start(self.start + target))?;
        self.at = target;
        Ok(target)
    }
}
