//! Temporary files that are closed while their rows wait.
//!
//! DataFusion 55.2 keeps each of its temporary files open until it is removed, and a process may have only so many open
//! files, by default a thousand on Linux. Rows that wait for another thread or in a bucket of a join have a file for each
//! batch. Measured: over 59.8 million captures with 2 GiB, `path_exposure` failed with 20,000 open files.

use super::spill::SpillFolder;
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::spill_file::{SpillFile, SpillWriter, TempFileFactory};
use futures_util::Stream;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Temporary files together may have so many bytes, as in DataFusion.
const MOST_BYTES: u64 = 100 << 30;

/// So many bytes are read at once, as in DataFusion.
const CHUNK_BYTES: u64 = 128 << 10;

/// Makes temporary files in a folder.
pub(super) struct SpillFiles {
    folder: PathBuf,
    made: AtomicU64,
    /// The bytes of all files.
    used: Arc<AtomicU64>,
}

impl SpillFiles {
    /// Makes the folder, so that one that cannot be used fails before statements run.
    pub(super) fn new(folder: &SpillFolder) -> io::Result<Self> {
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder.path())?;
        Ok(SpillFiles { folder: folder.path().to_path_buf(), made: AtomicU64::default(), used: Arc::default() })
    }
}

impl TempFileFactory for SpillFiles {
    fn create_temp_file(&self, _description: &str) -> Result<Arc<dyn SpillFile>> {
        let path = self.folder.join(self.made.fetch_add(1, Ordering::Relaxed).to_string());
        File::create_new(&path)?;
        Ok(Arc::new(ClosedFile { path, bytes: Arc::default(), used: Arc::clone(&self.used) }))
    }
}

/// A temporary file. It is only open for writing and for reading, and removed when this is dropped.
struct ClosedFile {
    path: PathBuf,
    bytes: Arc<AtomicU64>,
    used: Arc<AtomicU64>,
}

impl SpillFile for ClosedFile {
    fn path(&self) -> Option<&Path> {
        Some(&self.path)
    }

    fn size(&self) -> Option<u64> {
        Some(self.bytes.load(Ordering::Relaxed))
    }

    fn read_stream(&self) -> Result<Pin<Box<dyn Stream<Item = Result<bytes::Bytes>> + Send>>> {
        let file = File::open(&self.path)?;
        let read = move || {
            let mut chunk = Vec::with_capacity(CHUNK_BYTES as usize);
            match (&file).take(CHUNK_BYTES).read_to_end(&mut chunk) {
                Ok(0) => None,
                Ok(_) => Some(Ok(chunk.into())),
                Err(error) => Some(Err(DataFusionError::IoError(error))),
            }
        };
        // It reads in the thread that needs the rows: most of these bytes are still in memory.
        Ok(Box::pin(futures_util::stream::iter(std::iter::from_fn(read))))
    }

    fn open_writer(&self) -> Result<Box<dyn SpillWriter>> {
        let file = File::options().append(true).open(&self.path)?;
        Ok(Box::new(OpenFile { file, bytes: Arc::clone(&self.bytes), used: Arc::clone(&self.used) }))
    }
}

impl Drop for ClosedFile {
    fn drop(&mut self) {
        // The folder may be removed before.
        let _ = fs::remove_file(&self.path);
        self.used.fetch_sub(self.bytes.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

/// A temporary file that is open for writing.
struct OpenFile {
    file: File,
    bytes: Arc<AtomicU64>,
    used: Arc<AtomicU64>,
}

impl Write for OpenFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.used.load(Ordering::Relaxed) > MOST_BYTES {
            let most = MOST_BYTES >> 30;
            return Err(io::Error::other(format!("temporary files have more than {most} GiB")));
        }
        let written = self.file.write(bytes)?;
        for sum in [&self.bytes, &self.used] {
            sum.fetch_add(written as u64, Ordering::Relaxed);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl SpillWriter for OpenFile {
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::TryStreamExt as _;

    fn files() -> (SpillFolder, SpillFiles) {
        let folder = SpillFolder::in_folder(&std::env::temp_dir()).unwrap();
        let files = SpillFiles::new(&folder).unwrap();
        (folder, files)
    }

    #[tokio::test]
    async fn files_have_what_was_written_until_they_are_dropped() {
        let (folder, files) = files();
        let text = b"row".repeat(CHUNK_BYTES as usize);
        let file = files.create_temp_file("rows").unwrap();
        let mut writer = file.open_writer().unwrap();
        for _ in 0..2 {
            writer.write_all(&text).unwrap();
            // Others read while it is written.
            let size = file.size().unwrap() as usize;
            let read: Vec<_> = file.read_stream().unwrap().try_collect().await.unwrap();
            assert_eq!((read.concat().len(), read.len()), (size, size / CHUNK_BYTES as usize));
            assert!(read.concat().starts_with(&text));
        }
        let other = files.create_temp_file("rows").unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        assert_eq!(files.used.load(Ordering::Relaxed), 2 * text.len() as u64);
        drop((file, other));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        assert_eq!(files.used.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn files_together_have_a_limit() {
        let (_folder, files) = files();
        let mut writer = files.create_temp_file("rows").unwrap().open_writer().unwrap();
        files.used.store(MOST_BYTES + 1, Ordering::Relaxed);
        let error = writer.write_all(b"row").unwrap_err();
        assert_eq!(error.to_string(), "temporary files have more than 100 GiB");
    }
}
