//! Opens a file of a table, and checks that it agrees with its record and has the columns of the table.

use super::damage::CheckError;
use super::job::CheckJob;
use super::options::Digests;
use super::records::lost_archive;
use crate::panics::catch_panic;
use crate::plan::Part;
use folder::blocks::Blocks;
use folder::digest::Digested;
use folder::ledger::{LedgerEntry, WrittenFile};
use folder::{Failure, Folder, mounts, regular};
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use tables::Table;

/// A file that agrees with its record, and its footer.
#[derive(Debug)]
pub(super) struct CheckedFile<'c> {
    pub(super) path: PathBuf,
    pub(super) rows: u64,
    pub(super) file: File,
    pub(super) footer: ArrowReaderMetadata,
    pub(super) stop: &'c AtomicBool,
}

/// Where the length and digests of a file are recorded.
#[derive(Debug)]
pub(super) enum FileRecord<'r> {
    /// In the ledger, for a file of a part.
    Ledger { part: &'r Part, entry: &'r LedgerEntry, folder: &'r Folder },
    /// In the entry of a derived table.
    Models,
}

impl FileRecord<'_> {
    /// Its place, as in `in the ledger`.
    fn place(&self) -> &'static str {
        match self {
            FileRecord::Ledger { .. } => "the ledger",
            FileRecord::Models => "_robocensus/models",
        }
    }

    /// The command that makes such files.
    fn maker(&self) -> &'static str {
        match self {
            FileRecord::Ledger { .. } => "ingest",
            FileRecord::Models => "models",
        }
    }

    /// What repairs a file that is missing or has another length.
    fn remedy_of_length(&self) -> String {
        let again = format!("{} makes it again", self.maker());
        match self.lost_archive() {
            None => again,
            Some(lost) => {
                let removal = self.remedy_without_archives();
                format!("{again} once all archives of the part exist, such as {lost}; {removal}{ROWS_LOST}")
            }
        }
    }

    /// What repairs a file with other bytes, which `ingest` does not look at.
    fn remedy_of_bytes(&self) -> String {
        let again = self.remedy_without_archives();
        match self.lost_archive() {
            None => again,
            Some(lost) => format!("{again}{ROWS_LOST}, such as {lost}"),
        }
    }

    /// What repairs a file, with the rows of those archives that exist.
    fn remedy_without_archives(&self) -> String {
        match self {
            FileRecord::Ledger { part, folder, .. } => {
                let entry = folder.entry(part.part);
                format!("if you remove {}, ingest makes the part again", mounts::shown(&entry).display())
            }
            FileRecord::Models => "robocensus models --again makes it again".to_owned(),
        }
    }

    /// An archive whose rows would be lost if the file were made again.
    fn lost_archive(&self) -> Option<String> {
        match self {
            FileRecord::Ledger { part, entry, .. } => lost_archive(part, entry),
            FileRecord::Models => None,
        }
    }
}

const ROWS_LOST: &str = ", without the rows of archives that are gone";

const UNREAD: &str = "file cannot be read";

/// How many bytes are read at a time for the digest.
const CHUNK_BYTES: usize = 256 << 10;

impl<'c> CheckedFile<'c> {
    /// Opens a file, and checks everything that does not need its rows.
    pub(super) fn open(
        table: &Table,
        path: PathBuf,
        (written, record): (&WrittenFile, &FileRecord<'_>),
        job: CheckJob<'c>,
    ) -> Result<Self, CheckError> {
        let place = record.place();
        let mut file = open_recorded(&path, written, record)?;
        if job.options.digests == Digests::Compare {
            let (digest, blocks) =
                digests(&mut file, job.stop).map_err(Failure::at(UNREAD, &path))?.ok_or(CheckError::Stopped)?;
            if digest != written.sha256 {
                let remedy = record.remedy_of_bytes();
                let cause = format_args!("its SHA-256 is {digest}, but {} in {place}; {remedy}", written.sha256);
                return Err(Failure::new("file has changed", &path, cause).into());
            }
            if blocks != written.blocks {
                let remedy = record.remedy_of_bytes();
                let cause = format_args!("{place} has other digests of its blocks, so no query can read it; {remedy}");
                return Err(Failure::new("file has changed", &path, cause).into());
            }
        }
        // Ignore the Arrow schema in the footer: all readers see the types of Parquet.
        let options = || ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let footer = catch_panic(|| ArrowReaderMetadata::load(&file, options()));
        let footer = footer.map_err(Failure::at("file is not a table", &path))?;
        if let Some(cause) = column_difference(table, &footer) {
            return Err(Failure::new("file has another schema", &path, cause).into());
        }
        let rows = footer.metadata().file_metadata().num_rows();
        if u64::try_from(rows) != Ok(written.rows) {
            let cause = format_args!("its footer has {rows} rows, but {place} has {}", written.rows);
            return Err(Failure::new("file has another number of rows", &path, cause).into());
        }
        let file = CheckedFile { path, rows: written.rows, file, footer, stop: job.stop };
        if job.options.digests == Digests::Compare {
            // Digests do not show that the rows can be read: somebody else may have written both.
            // One column after the other takes the least memory.
            for column in &table.columns {
                let mut batches = file.batches(&[column.name]);
                while batches.next()?.is_some() {}
            }
        }
        Ok(file)
    }

    /// A failure about this file.
    pub(super) fn damage(&self, what: &'static str, cause: impl std::fmt::Display) -> Failure {
        Failure::new(what, &self.path, cause)
    }
}

/// Opens a file, and compares its length with its record.
fn open_recorded(path: &Path, written: &WrittenFile, record: &FileRecord<'_>) -> Result<File, Failure> {
    let place = record.place();
    let missing = |cause| Err(Failure::new("file is missing", path, cause));
    // For a path that is missing or no file, opening it would not say what to do.
    match path.metadata() {
        Ok(found) if found.is_file() => {}
        Ok(_) => return missing(format!("the path is not a file; remove it; {}", record.remedy_of_length())),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return missing(format!("it is in {place}; {}", record.remedy_of_length()));
        }
        Err(error) => return Err(Failure::new(UNREAD, path, error)),
    }
    let file = regular::open_below(path).map_err(Failure::at(UNREAD, path))?;
    let bytes = file.metadata().map_err(Failure::at(UNREAD, path))?.len();
    if bytes != written.bytes {
        let remedy = record.remedy_of_length();
        let cause = format_args!("it has {bytes} bytes, but {} in {place}; {remedy}", written.bytes);
        return Err(Failure::new("file has another length", path, cause));
    }
    Ok(file)
}

/// The SHA-256 of a file, and the digests of its blocks. `None` if the check is stopped.
fn digests(file: &mut File, stop: &AtomicBool) -> io::Result<Option<(String, Blocks)>> {
    let mut digested = Digested::new(io::sink());
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        match file.read(&mut chunk) {
            Ok(0) => return Ok(Some(digested.digests())),
            Ok(read) => digested.write_all(chunk.get(..read).unwrap_or_default())?,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// How the first column that differs from its declaration does so. `None` if all agree.
fn column_difference(table: &Table, footer: &ArrowReaderMetadata) -> Option<String> {
    let null = |is_nullable| if is_nullable { "or null" } else { "and never null" };
    let declared: Vec<String> = (table.columns.iter())
        .map(|column| format!("{}, {}, {}", column.name, column.data_type, null(column.is_nullable)))
        .collect();
    let found: Vec<String> = (footer.schema().fields().iter())
        .map(|field| format!("{}, {}, {}", field.name(), field.data_type(), null(field.is_nullable())))
        .collect();
    let at = (0..declared.len().max(found.len())).find(|at| declared.get(*at) != found.get(*at))?;
    let or_none = |columns: &[String]| columns.get(at).map_or("none".to_owned(), |column| format!("({column})"));
    Some(format!("column {} is {}, but declared as {}", at + 1, or_none(&found), or_none(&declared)))
}
