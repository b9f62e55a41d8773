//! The files of a part. They are written and synced in the work folder, and then published.

use super::MadePart;
use super::bodies::panic_for_tests;
use super::destination::{PartDestination, discard, draft_of, is_staged};
use super::earlier::lost_input;
use super::job::PartJob;
use super::lanes::{Lanes, ToPublish};
use super::messages::FilesMessage;
use super::start;
use crate::plan::Part;
use arrow_array::RecordBatch;
use folder::Failure;
use folder::digest::Digested;
use folder::ledger::{LedgerEntry, ReadInput, Sums, WrittenFile};
use std::fs::{self, File};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;
use tables::{BatchFile, MADE_BY, ParquetError, Table, write_cause};

/// The step of a pipeline that writes the rows of parts into files.
pub(super) struct PartStep<'p, 'j> {
    destination: PartDestination<'j>,
    part: Option<PartFiles<'p>>,
}

impl<'p, 'j> PartStep<'p, 'j> {
    pub(super) fn new(destination: PartDestination<'j>) -> Self {
        PartStep { destination, part: None }
    }

    /// Takes the next message. Returns a part once all its inputs were read, and its files, the largest last.
    pub(super) fn take(
        &mut self,
        message: FilesMessage<'p>,
    ) -> Result<Option<(ReadPart<'p>, Vec<TableFile>)>, Failure> {
        match message {
            FilesMessage::Begin(next, start) => {
                self.discard();
                self.part = Some(PartFiles::create(next, start, self.destination)?);
            }
            FilesMessage::Rows(table, batch) => {
                self.part.as_mut().map_or(Ok(()), |part: &mut PartFiles<'_>| part.write(table, &batch))?;
            }
            FilesMessage::End(inputs, sums) => {
                return Ok(self.part.take().map(|PartFiles { part, start, work, mut files }| {
                    let read = ReadPart { part, start, work, files: files.len(), inputs, sums };
                    files.sort_by_key(|file| file.file.memory());
                    (read, files)
                }));
            }
        }
        Ok(None)
    }

    /// Removes the files of a part that is read again, or that was not read to its end. In a folder for shards, nothing
    /// else would remove them before `commit`.
    fn discard(&mut self) {
        if let Some(part) = self.part.take() {
            // What stays is removed at the end of a run or by `commit`.
            let _ = fs::remove_dir_all(&part.work);
        }
    }
}

impl Drop for PartStep<'_, '_> {
    fn drop(&mut self) {
        self.discard();
    }
}

/// The publisher of a pipeline: syncs the files of parts as they are completed, and publishes the parts. It mostly
/// waits for the disk. If the run is stopped, parts that were read are still published.
pub(super) fn publish_parts(
    ToPublish { parts, files }: &ToPublish<'_>,
    lanes: &Lanes<'_, '_>,
    job: PartJob<'_>,
) -> Vec<MadePart> {
    let mut made = Vec::new();
    for part in parts {
        match sync(files.iter().take(part.files), &part.work) {
            // The pipeline has failed, so that some files will not come.
            Ok(written) if written.len() < part.files => break,
            written => match written.and_then(|written| part.publish(written, job)) {
                Ok(part) => made.push(part),
                Err(failure) => {
                    lanes.fail(failure);
                    break;
                }
            },
        }
        lanes.published();
    }
    made
}

/// Syncs files side by side: a disk syncs many files in little more than the time of one.
fn sync(files: impl Iterator<Item = CompletedFile>, work: &Path) -> Result<Vec<WrittenFile>, Failure> {
    thread::scope(|scope| {
        let sync = |file: CompletedFile| start(scope, file.table, move || file.file.sink().sync(file.table, file.rows));
        let threads: Vec<_> = files.map(sync).collect::<Result<_, _>>()?;
        let synced = threads.into_iter().map(|file| file.join().unwrap_or_else(|panic| resume_unwind(panic)));
        let mut written: Vec<_> = synced.collect::<Result<_, _>>().map_err(|error| unwritten(work, &error.into()))?;
        let order = tables::tables();
        written.sort_by_key(|file: &WrittenFile| order.iter().position(|table| table.name == file.table));
        Ok(written)
    })
}

/// A part whose inputs were all read.
pub(super) struct ReadPart<'p> {
    part: &'p Part,
    start: Instant,
    work: PathBuf,
    /// How many files it has.
    files: usize,
    inputs: Vec<ReadInput>,
    sums: Sums,
}

impl ReadPart<'_> {
    /// Publishes the files, and writes the entry of the ledger. If the earlier version of the part has rows that these
    /// files lack, removes them instead.
    fn publish(self, files: Vec<WrittenFile>, job: PartJob<'_>) -> Result<MadePart, Failure> {
        let ReadPart { part, start, work, inputs, sums, .. } = self;
        panic_for_tests("PUBLISH", part.crawl.as_bytes());
        let earlier = job.earlier.get(&part.part);
        let errors = inputs.iter().map(|read| read.error.clone());
        let tables = match job.destination {
            PartDestination::Stage(folder) if is_staged(folder, part.part) => None,
            PartDestination::Tables(folder) | PartDestination::Stage(folder) => Some(folder),
        };
        if let Some(lost) = earlier.and_then(|earlier| lost_input(part, earlier, errors, tables)) {
            discard(&work)?;
            return Ok(MadePart::Kept(sums, lost));
        }
        let seconds = start.elapsed().as_secs_f64();
        let crawl = part.crawl.clone();
        let entry = LedgerEntry { part: part.part, crawl, inputs, files, sums, made_by: MADE_BY.to_owned(), seconds };
        job.destination.take(&work, &entry, earlier)?;
        Ok(MadePart::Done(entry))
    }
}

/// The files of a part that are being written.
struct PartFiles<'p> {
    part: &'p Part,
    start: Instant,
    work: PathBuf,
    files: Vec<TableFile>,
}

/// A file of a table. Its digest is computed while it is written.
pub(super) struct TableFile {
    table: &'static str,
    /// The work folder of its part.
    work: PathBuf,
    file: BatchFile<Digested<File>>,
}

/// A file that has all its rows, but may not be on the disk yet.
pub(super) struct CompletedFile {
    pub(super) table: &'static str,
    pub(super) rows: u64,
    file: BatchFile<Digested<File>>,
}

impl<'p> PartFiles<'p> {
    /// Creates the files, in a new work folder.
    fn create(part: &'p Part, start: Instant, destination: PartDestination<'_>) -> Result<Self, Failure> {
        let work = destination.work_of(part.part);
        fs::create_dir_all(&work).map_err(Failure::at("folder cannot be made", &work))?;
        let files =
            tables::tables().into_iter().map(|table| TableFile::create(table, &work)).collect::<Result<_, _>>()?;
        Ok(PartFiles { part, start, work, files })
    }

    /// Adds rows of a table.
    fn write(&mut self, table: &str, batch: &RecordBatch) -> Result<(), Failure> {
        panic_for_tests("WRITE", table.as_bytes());
        let Some(file) = self.files.iter_mut().find(|file| file.table == table) else { return Ok(()) };
        file.file.write(batch).map_err(|error| unwritten(&self.work, &error))
    }
}

impl TableFile {
    fn create(table: Table, work: &Path) -> Result<Self, Failure> {
        let path = draft_of(work, table.name);
        let file = File::create(&path).map_err(Failure::at("file cannot be made", &path))?;
        let name = table.name;
        let file = BatchFile::new(table, Digested::new(file))
            .map_err(|error| Failure::new("file cannot be made", &path, write_cause(&error)))?;
        Ok(TableFile { table: name, work: work.to_owned(), file })
    }

    /// Completes the file.
    pub(super) fn complete(mut self) -> Result<CompletedFile, Failure> {
        let rows = self.file.finish().map_err(|error| unwritten(&self.work, &error))?;
        Ok(CompletedFile { table: self.table, rows, file: self.file })
    }
}

fn unwritten(work: &Path, error: &ParquetError) -> Failure {
    Failure::new("tables cannot be written", work, write_cause(error))
}
