//! The files of a part. They are written and synced in the work folder, and then published.

use super::bodies::panic_for_tests;
use super::destination::{PartDestination, draft_of};
use super::job::PartJob;
use super::messages::FilesMessage;
use super::permits::{Permits, Sender, ThreadEnded, receive};
use super::start;
use crate::plan::Part;
use crate::progress::Progress;
use arrow_array::RecordBatch;
use folder::Failure;
use folder::digest::Digested;
use folder::ledger::{LedgerEntry, ReadInput, Sums, WrittenFile};
use std::fs::{self, File};
use std::io;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::Instant;
use tables::{BatchFile, MADE_BY, ParquetError, Table};

/// The third thread of a pipeline: writes the rows of parts into files.
pub(super) fn write_parts<'p>(
    messages: &Receiver<FilesMessage<'p>>,
    job: PartJob<'_>,
    publisher: &Sender<'_, ReadPart<'p>>,
) -> Result<(), Failure> {
    let mut part = None;
    while let Some(message) = receive(messages, job.permits) {
        match message {
            FilesMessage::Begin(next, start) => part = Some(PartFiles::create(next, start, job.destination)?),
            FilesMessage::Rows(table, batch) => {
                part.as_mut().map_or(Ok(()), |part: &mut PartFiles<'_>| part.write(table, &batch))?;
            }
            FilesMessage::End(inputs, sums) => {
                let Some(files) = part.take() else { continue };
                if publisher.send(ReadPart { files, inputs, sums }) == Err(ThreadEnded) {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// The fourth thread of a pipeline: completes and publishes parts. It mostly waits for the disk. If the run is stopped,
/// parts that were read are still published.
pub(super) fn publish_parts(parts: &Receiver<ReadPart<'_>>, job: PartJob<'_>) -> Result<Vec<LedgerEntry>, Failure> {
    std::iter::from_fn(|| receive(parts, job.permits)).map(|part| part.publish(job)).collect()
}

/// A part whose inputs were all read.
pub(super) struct ReadPart<'p> {
    files: PartFiles<'p>,
    inputs: Vec<ReadInput>,
    sums: Sums,
}

impl ReadPart<'_> {
    /// Completes and publishes the files, and writes the entry of the ledger.
    fn publish(self, job: PartJob<'_>) -> Result<LedgerEntry, Failure> {
        let PartJob { destination, permits, .. } = job;
        let ReadPart { files: PartFiles { part, start, work, files }, inputs, sums } = self;
        let files = finish(files, &work, permits)?;
        let seconds = start.elapsed().as_secs_f64();
        let crawl = part.crawl.clone();
        let entry = LedgerEntry { part: part.part, crawl, inputs, files, sums, made_by: MADE_BY.to_owned(), seconds };
        permits.wait(|| destination.take(&work, &entry))?;
        Progress::add(&job.progress.parts, 1);
        Ok(entry)
    }
}

/// Completes and syncs files side by side. At the end of a run, nothing else keeps the cores busy, and a disk syncs many
/// files in little more than the time of one.
fn finish(files: Vec<TableFile>, work: &Path, permits: &Permits) -> Result<Vec<WrittenFile>, Failure> {
    permits.wait(|| {
        thread::scope(|scope| {
            let finish = |file: TableFile| start(scope, file.table, move || permits.work(|| file.finish(permits)));
            let threads: Vec<_> = files.into_iter().map(finish).collect::<Result<_, _>>()?;
            let finished = |file: Result<_, _>| file.map_err(|error| unwritten(work, &error));
            threads.into_iter().map(|file| finished(file.join().unwrap_or_else(|panic| resume_unwind(panic)))).collect()
        })
    })
}

/// The files of a part that are being written.
struct PartFiles<'p> {
    part: &'p Part,
    start: Instant,
    work: PathBuf,
    files: Vec<TableFile>,
}

/// A file of a table. Its digest is computed while it is written.
struct TableFile {
    table: &'static str,
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
            .map_err(|error| Failure::new("file cannot be made", &path, cause(&error)))?;
        Ok(TableFile { table: name, file })
    }

    /// Completes the file and syncs it.
    fn finish(mut self, permits: &Permits) -> Result<WrittenFile, ParquetError> {
        let rows = self.file.finish()?;
        let sink = self.file.sink();
        permits.wait(|| sink.out().sync_all())?;
        Ok(WrittenFile {
            table: self.table.to_owned(),
            rows,
            bytes: sink.bytes(),
            sha256: sink.letters(),
            blocks: sink.blocks(),
        })
    }
}

fn unwritten(work: &Path, error: &ParquetError) -> Failure {
    Failure::new("tables cannot be written", work, cause(error))
}

/// Why Parquet could not be written: the I/O error, if that is the cause.
pub(super) fn cause(error: &ParquetError) -> String {
    match error {
        ParquetError::External(source) => match source.downcast_ref::<io::Error>() {
            Some(error) => error.to_string(),
            None => source.to_string(),
        },
        other => other.to_string(),
    }
}
