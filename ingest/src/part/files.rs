//! The nine files of a part: written and synced in the work folder, and then published.

use super::Out;
use crate::plan::Part;
use crate::rows::BodyFiles;
use folder::digest::Digested;
use folder::{Failure, Folder, durable, ledger::WrittenFile};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use tables::{ParquetError, Rows, captures, inputs, skips};

/// The files of a part that are being written.
pub(super) struct Files {
    work: PathBuf,
    pub(super) captures: Out<captures::Batch>,
    pub(super) bodies: BodyFiles<DigestedFile>,
    pub(super) skips: Out<skips::Batch>,
    pub(super) inputs: Out<inputs::Batch>,
}

/// A file that is digested as it is written.
pub(super) type DigestedFile = Digested<File>;

/// The files of a part that are complete and not yet published.
pub(super) struct Finished {
    work: PathBuf,
    files: Vec<WrittenFile>,
}

impl Files {
    /// Creates the files, in a new work folder.
    pub(super) fn create(work: &Path) -> Result<Self, Failure> {
        fs::create_dir_all(work).map_err(Failure::at("folder cannot be made", work))?;
        let captures = file(work)?;
        let bodies = BodyFiles {
            bodies: file(work)?,
            groups: file(work)?,
            rules: file(work)?,
            records: file(work)?,
            violations: file(work)?,
            policies: file(work)?,
        };
        Ok(Files { work: work.to_path_buf(), captures, bodies, skips: file(work)?, inputs: file(work)? })
    }

    /// Completes the files and syncs them.
    pub(super) fn finish(self) -> Result<Finished, ParquetError> {
        let BodyFiles { bodies, groups, rules, records, violations, policies } = self.bodies;
        let files = vec![
            finish(self.captures)?,
            finish(bodies)?,
            finish(groups)?,
            finish(rules)?,
            finish(records)?,
            finish(violations)?,
            finish(policies)?,
            finish(self.skips)?,
            finish(self.inputs)?,
        ];
        Ok(Finished { work: self.work, files })
    }
}

fn name<B: Rows>() -> &'static str {
    B::table().name
}

fn in_work(work: &Path, table: &str) -> PathBuf {
    work.join(format!("{table}.parquet"))
}

fn file<B: Rows>(work: &Path) -> Result<Out<B>, Failure> {
    let path = in_work(work, name::<B>());
    let file = File::create(&path).map_err(Failure::at("file cannot be made", &path))?;
    Out::new(DigestedFile::new(file)).map_err(|error| Failure::new("file cannot be made", &path, super::cause(&error)))
}

fn finish<B: Rows>(mut file: Out<B>) -> Result<WrittenFile, ParquetError> {
    let rows = file.finish()?;
    let sink = file.sink();
    sink.out().sync_all()?;
    Ok(WrittenFile { table: name::<B>().to_owned(), rows, bytes: sink.bytes(), sha256: sink.letters() })
}

/// Withdraws the earlier files of a part: first its ledger entry, then its captures. So no visible row refers to a missing
/// one while the files are replaced.
fn withdraw(part: &Part, folder: &Folder) -> Result<(), Failure> {
    let captures = folder.file(name::<captures::Batch>(), &part.crawl, part.part);
    for path in [folder.entry(part.part), captures] {
        durable::remove(&path).map_err(Failure::at("file cannot be removed", &path))?;
    }
    Ok(())
}

/// Publishes the files: `captures` last, so that everything a capture refers to is visible before it.
pub(super) fn publish(finished: Finished, part: &Part, folder: &Folder) -> Result<Vec<WrittenFile>, Failure> {
    let Finished { work, files } = finished;
    withdraw(part, folder)?;
    let (captures, others): (Vec<_>, Vec<_>) =
        files.iter().map(|file| file.table.as_str()).partition(|table| *table == name::<captures::Batch>());
    for table in others.into_iter().chain(captures) {
        let partition = folder.partition(table, &part.crawl);
        durable::make_folder(&partition).map_err(Failure::at("folder cannot be made", &partition))?;
        let path = folder.file(table, &part.crawl, part.part);
        durable::publish(&in_work(&work, table), &path).map_err(Failure::at("file cannot be named", &path))?;
    }
    fs::remove_dir(&work).map_err(Failure::at("folder cannot be removed", &work))?;
    Ok(files)
}
