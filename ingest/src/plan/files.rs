//! Finds an archive under another name: its path was typed in another way, or it has links. It would count twice.

use crate::inputs::{CRAWL_DATA, Input};
use folder::regular::{FileId, file_id};
use folder::{Failure, Stamp};
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;
use stores::Location;

/// The files of the archives of a plan.
#[derive(Debug, Default)]
pub(super) struct ArchiveFiles<'p> {
    /// By crawl and the file that the path leads to now, whatever its name.
    by_file: HashMap<(&'p str, FileId), Vec<ArchiveFile<'p>>>,
    /// By crawl, size and modification time.
    by_stamp: HashMap<(&'p str, Stamp), Vec<ArchiveFile<'p>>>,
    /// By crawl, size, modification time and file name.
    by_name: HashMap<(&'p str, Stamp, Option<&'p OsStr>), Vec<ArchiveFile<'p>>>,
}

#[derive(Debug, Clone, Copy)]
struct ArchiveFile<'p> {
    warc_filename: &'p str,
    path: &'p Path,
    stamp: Option<Stamp>,
}

impl<'p> ArchiveFiles<'p> {
    /// Adds an archive, unless it is an object.
    pub(super) fn add(&mut self, crawl: &'p str, warc_filename: &'p str, path: &'p Location, stamp: Option<Stamp>) {
        let Some(path) = path.file() else { return };
        let added = ArchiveFile { warc_filename, path, stamp };
        if let Some(file) = file_id(path) {
            self.by_file.entry((crawl, file)).or_default().push(added);
        }
        // Empty archives have no rows to count twice, and many are alike.
        if let Some(stamp) = stamp.filter(|stamp| stamp.bytes > 0) {
            self.by_stamp.entry((crawl, stamp)).or_default().push(added);
            self.by_name.entry((crawl, stamp, path.file_name())).or_default().push(added);
        }
    }

    /// Whether it has an input under another name. Fails if this cannot be ruled out.
    pub(super) fn has(&self, input: &'p Input) -> Result<bool, Failure> {
        let (Some(path), Some(stamp)) = (input.path.file(), input.stamp) else { return Ok(false) };
        let crawl = input.crawl.as_str();
        let refuse = |cause| Err(Failure::new("input may be there already", path, cause));
        let same = file_id(path).and_then(|file| self.by_file.get(&(crawl, file))).map_or(&[][..], Vec::as_slice);
        if same.iter().any(|one| one.stamp == Some(stamp)) {
            return Ok(true);
        }
        if let Some(same) = same.first() {
            // A relative path may have been planned in another folder, where it leads to another file.
            let other = if same.path.is_absolute() {
                ""
            } else {
                "if it is another archive, run ingest in another folder; otherwise "
            };
            return refuse(format!(
                "{} leads to it, but was planned for these tables with another size or modification time; {other}name \
                 it by that path",
                same.path.display()
            ));
        }
        let input = ArchiveFile { warc_filename: &input.warc_filename, path, stamp: Some(stamp) };
        // Of several that may be this one, the name decides.
        let named = self.by_name.get(&(crawl, stamp, path.file_name())).into_iter().flatten();
        let alike = self.by_stamp.get(&(crawl, stamp)).into_iter().flatten();
        match named.chain(alike).find(|one| one.may_be(&input)) {
            None => Ok(false),
            Some(alike) => refuse(format!(
                "it has the size and modification time of {}, which is planned for these tables; if it is another \
                 archive, give it another time; otherwise leave it out or use that path",
                alike.warc_filename
            )),
        }
    }
}

impl ArchiveFile<'_> {
    /// Whether another file of this size and time may be the same archive.
    fn may_be(&self, other: &ArchiveFile<'_>) -> bool {
        // The names of Common Crawl tell archives apart.
        if [self, other].iter().all(|one| one.warc_filename.starts_with(CRAWL_DATA)) {
            return false;
        }
        let is_in_place = fs::metadata(self.path).is_ok_and(|found| Some(Stamp::read(&found)) == self.stamp);
        match is_in_place {
            true => self.path.file_name() == other.path.file_name() && start_alike(self.path, other.path),
            // It was moved or renamed, or its path cannot be resolved from this folder.
            false => true,
        }
    }
}

/// Whether two files start with the same bytes, as copies do. The records of other archives have other times.
fn start_alike(one: &Path, other: &Path) -> bool {
    let start = |path: &Path| -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(path)?.take(64 << 10).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    matches!((start(one), start(other)), (Ok(one), Ok(other)) if one == other)
}
