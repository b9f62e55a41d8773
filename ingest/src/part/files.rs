//! The files of a part: written and synced in the work folder, and then published.

use super::permits::{Gone, Permits, Sender, receive};
use super::{FilesMessage, PartJob};
use crate::plan::Part;
use crate::progress::Progress;
use arrow_array::RecordBatch;
use folder::digest::Digested;
use folder::ledger::{self, LedgerEntry, ReadInput, Sums, WrittenFile};
use folder::{Failure, Folder, durable};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;
use std::time::Instant;
use tables::{BatchFile, MADE_BY, ParquetError, Table, captures};

/// The third thread of a line: writes the rows of parts into files.
pub(super) fn write_parts<'p>(
    messages: &Receiver<FilesMessage<'p>>,
    job: PartJob<'_>,
    publisher: &Sender<'_, ReadPart<'p>>,
) -> Result<(), Failure> {
    let mut part = None;
    while let Some(message) = receive(messages, job.permits) {
        match message {
            FilesMessage::Begin(begun, start) => part = Some(PartFiles::create(begun, start, job.folder)?),
            FilesMessage::Rows(table, batch) => {
                part.as_mut().map_or(Ok(()), |part: &mut PartFiles<'_>| part.write(table, &batch))?;
            }
            FilesMessage::End(inputs, sums) => {
                let Some(files) = part.take() else { continue };
                if publisher.send(ReadPart { files, inputs, sums }) == Err(Gone) {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// The fourth thread of a line: completes and publishes parts. It mostly waits for the disk. A run that is stopped keeps
/// the parts that were read.
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
        let PartJob { folder, permits, .. } = job;
        let ReadPart { files: PartFiles { part, start, work, files }, inputs, sums } = self;
        let files: Result<Vec<WrittenFile>, _> = files.into_iter().map(|file| file.finish(permits)).collect();
        let files = files.map_err(|error| unwritten(&work, &error))?;
        permits.wait(|| publish(&work, &files, part, folder))?;
        let seconds = start.elapsed().as_secs_f64();
        let crawl = part.crawl.clone();
        let entry = LedgerEntry { part: part.part, crawl, inputs, files, sums, made_by: MADE_BY.to_owned(), seconds };
        ledger::write(folder, &entry)?;
        Progress::add(&job.progress.parts, 1);
        Ok(entry)
    }
}

/// The files of a part that are being written.
struct PartFiles<'p> {
    part: &'p Part,
    start: Instant,
    work: PathBuf,
    files: Vec<TableFile>,
}

/// A file of a table, which is digested as it is written.
struct TableFile {
    table: &'static str,
    file: BatchFile<Digested<File>>,
}

impl<'p> PartFiles<'p> {
    /// Creates the files, in a new work folder.
    fn create(part: &'p Part, start: Instant, folder: &Folder) -> Result<Self, Failure> {
        let work = folder.work_of(part.part);
        fs::create_dir_all(&work).map_err(Failure::at("folder cannot be made", &work))?;
        let files =
            tables::tables().into_iter().map(|table| TableFile::create(table, &work)).collect::<Result<_, _>>()?;
        Ok(PartFiles { part, start, work, files })
    }

    /// Adds rows of a table.
    fn write(&mut self, table: &str, batch: &RecordBatch) -> Result<(), Failure> {
        let Some(file) = self.files.iter_mut().find(|file| file.table == table) else { return Ok(()) };
        file.file.write(batch).map_err(|error| unwritten(&self.work, &error))
    }
}

impl TableFile {
    fn create(table: Table, work: &Path) -> Result<Self, Failure> {
        let path = in_work(work, table.name);
        let file = File::create(&path).map_err(Failure::at("file cannot be made", &path))?;
        let name = table.name;
        let file = BatchFile::new(table, Digested::new(file))
            .map_err(|error| Failure::new("file cannot be made", &path, super::cause(&error)))?;
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
    Failure::new("tables cannot be written", work, super::cause(error))
}

fn in_work(work: &Path, table: &str) -> PathBuf {
    work.join(format!("{table}.parquet"))
}

/// Withdraws the earlier files of a part: first its ledger entry, then its captures. So no visible row refers to a missing
/// one while the files are replaced.
fn withdraw(part: &Part, folder: &Folder) -> Result<(), Failure> {
    let captures = folder.file(captures::table().name, &part.crawl, part.part);
    for path in [folder.entry(part.part), captures] {
        durable::remove(&path).map_err(Failure::at("file cannot be removed", &path))?;
    }
    Ok(())
}

/// Publishes the files: `captures` last, so that everything a capture refers to is visible before it.
fn publish(work: &Path, files: &[WrittenFile], part: &Part, folder: &Folder) -> Result<(), Failure> {
    withdraw(part, folder)?;
    let (captures, others): (Vec<_>, Vec<_>) =
        files.iter().map(|file| file.table.as_str()).partition(|table| *table == captures::table().name);
    for table in others.into_iter().chain(captures) {
        let partition = folder.partition(table, &part.crawl);
        durable::make_folder(&partition).map_err(Failure::at("folder cannot be made", &partition))?;
        let path = folder.file(table, &part.crawl, part.part);
        durable::publish(&in_work(work, table), &path).map_err(Failure::at("file cannot be named", &path))?;
    }
    fs::remove_dir(work).map_err(Failure::at("folder cannot be removed", work))
}
