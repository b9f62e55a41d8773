//! Reads a file of the folder of tables for the crate `parquet`.

use super::failure::failure_in;
use super::files::read_ranges;
use bytes::Bytes;
use folder::Failure;
use folder::blocks::BLOCK_BYTES;
use folder::verified::{KnownFile, VerifiedFile};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file of a table. What it reads is verified by the digests of the ledger, if there are any.
#[derive(Debug, Clone)]
pub(crate) struct TableReader {
    path: PathBuf,
    file: Arc<VerifiedFile>,
}

impl TableReader {
    pub(crate) fn open(path: &Path, known: Option<Arc<KnownFile>>) -> std::result::Result<Self, Failure> {
        Ok(TableReader { path: path.to_path_buf(), file: Arc::new(VerifiedFile::open(path, known)?) })
    }

    /// The message for an error of a reader of this file.
    pub(crate) fn failure(&self, error: &(dyn std::error::Error + 'static)) -> Failure {
        failure_in(error).cloned().unwrap_or_else(|| Failure::new("table cannot be read", &self.path, error))
    }

    fn read(&self, start: u64, end: u64) -> std::result::Result<Bytes, Failure> {
        Ok(read_ranges(&self.file, std::slice::from_ref(&(start..end)))?.pop().unwrap_or_default())
    }
}

impl Length for TableReader {
    fn len(&self) -> u64 {
        self.file.size()
    }
}

impl ChunkReader for TableReader {
    type T = BytesFrom;

    fn get_read(&self, start: u64) -> Result<BytesFrom> {
        Ok(BytesFrom { file: self.clone(), next: start, ready: Bytes::new() })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        self.read(start, start.saturating_add(length as u64))
            .map_err(|failure| ParquetError::External(Box::new(failure)))
    }
}

/// The bytes of a file from an offset on, read block by block.
#[derive(Debug)]
pub(crate) struct BytesFrom {
    file: TableReader,
    next: u64,
    ready: Bytes,
}

impl Read for BytesFrom {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.ready.is_empty() {
            let end = (self.next / BLOCK_BYTES + 1).saturating_mul(BLOCK_BYTES).min(self.file.len());
            if self.next >= end {
                return Ok(0);
            }
            self.ready = self.file.read(self.next, end).map_err(io::Error::other)?;
            self.next = end;
        }
        let count = self.ready.len().min(into.len());
        let now = self.ready.split_to(count);
        into.get_mut(..count).unwrap_or_default().copy_from_slice(&now);
        Ok(count)
    }
}
