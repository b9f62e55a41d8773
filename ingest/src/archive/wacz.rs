//! WACZ (specs.webrecorder.net/wacz/1.1.1): a ZIP file with WARC files in its folder `archive`, stored uncompressed.
//!
//! A ZIP file says everything about an entry twice, in its directory and in front of the entry, and has a checksum of
//! each. Where these disagree, the directory counts, and the records are marked. Bytes between entries that the
//! directory does not list are searched for records, so a wrong directory loses none.

use flate2::CrcReader;
use rawzip::{CompressionMethod, ReaderAt, ZipArchive, ZipFileHeaderRecord};
use std::cell::RefCell;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// The start of a ZIP file: the header of its first entry.
pub(super) const SIGNATURE: &[u8] = b"PK\x03\x04";

/// The folder of archives.
const FOLDER: &[u8] = b"archive/";

/// How many bytes before the end of a file to search for the record that locates the directory. A comment of up to 64
/// KiB may follow that record.
const SEARCHED_BYTES: u64 = 128 << 10;

/// The most entries of one file.
const MOST_ENTRIES: usize = 1 << 20;

/// The longest data descriptor: a signature, a checksum, and two sizes of 8 bytes. It follows an entry whose size was
/// unknown when it was started.
const MOST_DESCRIPTOR_BYTES: u64 = 24;

/// A stretch of a ZIP file that may contain records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Packed {
    /// Offset in the file.
    pub(super) offset: u64,
    /// Length in the file.
    pub(super) length: u64,
    /// Its entry in the directory.
    pub(super) listed: ListedAs,
}

/// The entry of a stretch in the directory of a ZIP file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListedAs {
    /// An archive that ZIP stores uncompressed, with its CRC-32. `None` if its header disagrees with the directory, or
    /// another entry starts before its end.
    Stored(Option<u32>),
    /// An archive that ZIP compresses or encrypts, as its header says, too.
    Compressed,
    /// Nothing.
    No,
}

impl Packed {
    /// The end in the file.
    pub(super) fn end(&self) -> u64 {
        self.offset.saturating_add(self.length)
    }

    /// Whether the bytes at the position of the source are those that the directory lists.
    pub(super) fn is_as_listed<R: Read>(&self, source: &mut R) -> io::Result<bool> {
        let ListedAs::Stored(Some(expected)) = self.listed else { return Ok(false) };
        let mut content = CrcReader::new(BufReader::with_capacity(1 << 20, source.take(self.length)));
        let read = io::copy(&mut content, &mut io::sink())?;
        Ok(read == self.length && content.crc().sum() == expected)
    }
}

/// The stretches of a ZIP file that may contain records, in the order of the file, without overlaps. `None` if the file
/// has no readable directory. Leaves the source at its start.
pub(super) fn archives<R: Read + Seek>(source: &mut R) -> io::Result<Option<Vec<Packed>>> {
    let end = source.seek(SeekFrom::End(0))?;
    let entries = entries(&mut *source, end);
    source.seek(SeekFrom::Start(0))?;
    Ok(entries.map(|entries| stretches(entries, end)))
}

/// Cuts the file at its entries.
fn stretches(mut entries: Vec<Entry>, end: u64) -> Vec<Packed> {
    // Of entries that share bytes, an archive comes first, since only archives are read.
    entries.sort_unstable_by_key(|entry| (entry.header, entry.archive.is_none(), entry.data, entry.end));
    let headers: Vec<u64> = entries.iter().map(|entry| entry.header).chain([end]).collect();
    let mut packed = Vec::new();
    let (mut passed, mut has_descriptor) = (0, false);
    for entry in &entries {
        let start = entry.header.min(end);
        let unlisted = start.saturating_sub(passed);
        if unlisted > if has_descriptor { MOST_DESCRIPTOR_BYTES } else { 0 } {
            packed.push(Packed { offset: passed, length: unlisted, listed: ListedAs::No });
        }
        let following = headers.get(headers.partition_point(|header| *header <= entry.header)).copied();
        let next = following.unwrap_or(end).min(end);
        let (offset, stop) = (entry.data.clamp(passed.min(next), next), entry.end.min(next));
        if let Some(listed) = entry.archive.filter(|_| stop > offset) {
            let is_whole = (offset, stop) == (entry.data, entry.end);
            let listed = if is_whole || listed == ListedAs::Compressed { listed } else { ListedAs::Stored(None) };
            packed.push(Packed { offset, length: stop - offset, listed });
        }
        passed = passed.max(stop);
        has_descriptor = entry.has_descriptor;
    }
    if passed < end {
        packed.push(Packed { offset: passed, length: end - passed, listed: ListedAs::No });
    }
    packed
}

/// An entry of a ZIP file, or its directory.
struct Entry {
    /// Where its header starts.
    header: u64,
    /// Where its content starts and ends.
    data: u64,
    end: u64,
    has_descriptor: bool,
    /// Its entry in the directory, if it is an archive.
    archive: Option<ListedAs>,
}

fn entries<R: Read + Seek>(source: R, end: u64) -> Option<Vec<Entry>> {
    let mut buffer = vec![0; rawzip::RECOMMENDED_BUFFER_SIZE];
    let mut names = vec![0; rawzip::RECOMMENDED_BUFFER_SIZE];
    let source = Shared(RefCell::new(source));
    let locator = ZipArchive::with_max_search_space(SEARCHED_BYTES);
    let archive = locator.locate_in_reader(source, &mut buffer, end).ok()?;
    let directory = archive.directory_offset();
    let mut found = vec![Entry {
        header: directory,
        data: directory,
        end: archive.end_offset(),
        has_descriptor: false,
        archive: None,
    }];
    let mut header = vec![0; 2 * usize::from(u16::MAX)];
    let mut entries = archive.entries(&mut names);
    while let Some(entry) = entries.next_entry().ok()? {
        if found.len() > MOST_ENTRIES {
            return None;
        }
        let at = archive.get_entry(entry.wayfinder()).ok()?;
        let (data, end) = at.compressed_data_range();
        let local = at.local_header(&mut header).ok()?;
        let listed = listed(&entry, &local);
        let has_descriptor = entry.flags().has_data_descriptor() || local.flags().has_data_descriptor();
        found.push(Entry { header: entry.local_header_offset(), data, end, has_descriptor, archive: listed });
    }
    Some(found)
}

/// The directory's facts about an entry, if they or the entry's own header name an archive.
fn listed(entry: &ZipFileHeaderRecord<'_>, local: &rawzip::ZipLocalFileHeader<'_>) -> Option<ListedAs> {
    let (path, local_path) = (entry.file_path(), local.file_path());
    let (path, local_path) = (path.as_ref(), local_path.as_ref());
    if !path.starts_with(FOLDER) && !local_path.starts_with(FOLDER) {
        return None;
    }
    let is_stored = entry.compression_method() == CompressionMethod::STORE && !entry.flags().is_encrypted();
    let is_stored_here = local.compression_method() == CompressionMethod::STORE && !local.flags().is_encrypted();
    if !is_stored && !is_stored_here {
        return Some(ListedAs::Compressed);
    }
    let sizes = |compressed: u64, inflated: u64, crc: u32| (compressed, inflated, crc);
    let said = sizes(entry.compressed_size_hint(), entry.uncompressed_size_hint(), entry.crc32());
    let local_said = sizes(local.compressed_size_hint(), local.uncompressed_size_hint(), local.crc32());
    let is_same = path == local_path
        && is_stored
        && is_stored_here
        && said.0 == said.1
        // With a data descriptor, the header has no sizes or checksum.
        && (said == local_said || local.flags().has_data_descriptor());
    Some(ListedAs::Stored(is_same.then_some(said.2)))
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
