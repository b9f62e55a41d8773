//! Reads files of tables, and fails if they have changed since they were written.

use crate::blocks::{Blocks, around};
use crate::failure::Failure;
use crate::ledger::WrittenFile;
use crate::mounts::StoredFile;
use crate::regular;
use parking_lot::RwLock;
use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The size of a file and the digests of its blocks, as they were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownFile {
    bytes: u64,
    blocks: Blocks,
}

impl From<&WrittenFile> for KnownFile {
    fn from(written: &WrittenFile) -> Self {
        KnownFile { bytes: written.bytes, blocks: written.blocks.clone() }
    }
}

/// The files of a folder whose digests are known, by path.
#[derive(Debug, Default)]
pub struct KnownFiles(RwLock<HashMap<PathBuf, Arc<KnownFile>>>);

impl KnownFiles {
    /// Adds files.
    pub fn add(&self, files: impl IntoIterator<Item = (PathBuf, Arc<KnownFile>)>) {
        self.0.write().extend(files);
    }

    /// The size and digests of a file, if known.
    pub fn find(&self, path: &Path) -> Option<Arc<KnownFile>> {
        self.0.read().get(path).cloned()
    }
}

/// An open file of a table. If its digests are known, reads return the bytes as they were written, or fail.
#[derive(Debug)]
pub struct VerifiedFile {
    path: PathBuf,
    source: VerifiedSource,
    bytes: u64,
    known: Option<Arc<KnownFile>>,
}

/// Where the bytes of a file are.
#[derive(Debug)]
enum VerifiedSource {
    Disk(File),
    Store(StoredFile),
}

/// Bytes of a file, with the rest of their blocks.
#[derive(Debug)]
pub struct ReadBytes {
    /// The bytes that were read.
    pub bytes: Vec<u8>,
    /// The offset of the first of them in the file.
    pub start: u64,
}

impl VerifiedFile {
    /// Opens a file. Fails if it has another size than when it was written.
    pub fn open(path: &Path, known: Option<Arc<KnownFile>>) -> Result<Self, Failure> {
        let cannot = || Failure::at("table cannot be read", path);
        let (source, bytes) = match StoredFile::find(path) {
            Some(stored) => {
                let bytes = stored.bytes;
                (VerifiedSource::Store(stored), bytes)
            }
            None => {
                let file = regular::open_below(path).map_err(cannot())?;
                let bytes = file.metadata().map_err(cannot())?.len();
                (VerifiedSource::Disk(file), bytes)
            }
        };
        match &known {
            Some(known) if known.bytes != bytes || !known.blocks.fit(bytes) => {
                let cause = format_args!("it has {bytes} bytes, but {} in the ledger; {ADVICE}", known.bytes);
                Err(Failure::new("file has another length", path, cause))
            }
            _ => Ok(VerifiedFile { path: path.to_path_buf(), source, bytes, known }),
        }
    }

    /// Its size in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.bytes
    }

    /// Reads bytes and the rest of their blocks. Fails if the file ends before them, or if the blocks have changed.
    pub fn read(&self, wanted: &Range<u64>) -> Result<ReadBytes, Failure> {
        let read = self.read_each(std::slice::from_ref(wanted))?.pop();
        read.ok_or_else(|| self.cannot(&"nothing was read"))
    }

    /// Reads several ranges, as [`VerifiedFile::read`] does. From a store, it fetches all of them together.
    pub fn read_each(&self, wanted: &[Range<u64>]) -> Result<Vec<ReadBytes>, Failure> {
        let spans = wanted.iter().map(|wanted| self.span(wanted)).collect::<Result<Vec<_>, Failure>>()?;
        let read = match &self.source {
            VerifiedSource::Store(stored) => stored.read(&spans).map_err(|error| self.cannot(&error))?,
            VerifiedSource::Disk(file) => spans
                .iter()
                .map(|Range { start, end }| {
                    let count = usize::try_from(end - start).map_err(|error| self.cannot(&error))?;
                    let mut bytes = vec![0; count];
                    read_exact_at(file, &mut bytes, *start).map_err(|error| self.cannot(&error))?;
                    Ok(bytes)
                })
                .collect::<Result<Vec<_>, Failure>>()?,
        };
        (read.into_iter().zip(spans))
            .map(|(bytes, Range { start, .. })| {
                match self.known.as_ref().and_then(|known| known.blocks.changed(start, &bytes)) {
                    Some(at) => Err(Failure::new("file has changed", &self.path, ADVICE).with_offset(at)),
                    None => Ok(ReadBytes { bytes, start }),
                }
            })
            .collect()
    }

    /// The range to read for the wanted bytes: whole blocks, if their digests are known.
    fn span(&self, wanted: &Range<u64>) -> Result<Range<u64>, Failure> {
        if wanted.end > self.bytes || wanted.start > wanted.end {
            let cause = format_args!("it has {} bytes, but its byte {} is wanted", self.bytes, wanted.end);
            return Err(self.cannot(&cause));
        }
        Ok(if self.known.is_some() { around(wanted, self.bytes) } else { wanted.clone() })
    }

    fn cannot(&self, cause: &dyn std::fmt::Display) -> Failure {
        Failure::new("table cannot be read", &self.path, cause)
    }
}

const ADVICE: &str = "it is not as it was written; robocensus check lists all damage";

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], start: u64) -> io::Result<()> {
    use std::os::unix::fs::FileExt as _;
    file.read_exact_at(bytes, start)
}

#[cfg(not(unix))]
fn read_exact_at(mut file: &File, bytes: &mut [u8], start: u64) -> io::Result<()> {
    use std::io::{Read as _, Seek as _, SeekFrom};
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::BLOCK_BYTES;
    use std::fs;

    #[test]
    fn changed_blocks_are_not_read() {
        let path = std::env::temp_dir().join(format!("robocensus-verified-{}", std::process::id()));
        let mut bytes: Vec<u8> = (0..3 * BLOCK_BYTES + 7).map(|at| (at % 251) as u8).collect();
        let known = Arc::new(KnownFile { bytes: bytes.len() as u64, blocks: Blocks::from_bytes(&bytes) });
        fs::write(&path, &bytes).unwrap();
        let open = || VerifiedFile::open(&path, Some(Arc::clone(&known)));
        let wanted = BLOCK_BYTES + 5..2 * BLOCK_BYTES + 9;
        let read = open().unwrap().read(&wanted).unwrap();
        assert_eq!((read.start, read.bytes.len() as u64), (BLOCK_BYTES, 2 * BLOCK_BYTES));
        let end = bytes.len() as u64;
        assert_eq!(open().unwrap().size(), end);
        assert_eq!(open().unwrap().read(&(end - 1..end)).unwrap().bytes.len(), 7);
        assert!(open().unwrap().read(&(end..end)).is_ok());
        assert!(open().unwrap().read(&(0..end + 1)).is_err());
        let reversed = std::ops::Range { start: 2, end: 1 };
        assert!(open().unwrap().read(&reversed).is_err());
        let files = KnownFiles::default();
        files.add([(path.clone(), Arc::clone(&known))]);
        assert_eq!((files.find(&path), files.find(&path.join("other"))), (Some(Arc::clone(&known)), None));
        bytes[2 * BLOCK_BYTES as usize + 60] ^= 4;
        fs::write(&path, &bytes).unwrap();
        let failure = open().unwrap().read(&wanted).unwrap_err();
        assert_eq!((failure.what, failure.offset), ("file has changed", Some(2 * BLOCK_BYTES)));
        assert!(open().unwrap().read(&(0..BLOCK_BYTES + 1)).is_ok());
        fs::write(&path, &bytes[1..]).unwrap();
        assert_eq!(open().unwrap_err().what, "file has another length");
        fs::remove_file(path).unwrap();
    }
}
