//! The file of a derived table of one crawl, from its first row to its place in the folder.

use super::capture_preference::CapturePreference;
use super::parquet_files::ParquetFiles;
use super::sites;
use super::ticker::Ticker;
use super::watch::{Halt, Watch};
use crate::engine::batches::AnswerBatches;
use crate::engine::failure::{engine_failure, is_of_memory, wanted_memory};
use crate::engine::once::rows_read;
use crate::engine::session::Session;
use crate::freshness::Recipe;
use crate::queries::Query;
use crate::statement::ParameterValue;
use datafusion::error::DataFusionError;
use datafusion::physical_plan::execute_stream;
use folder::digest::Digested;
use folder::ledger::{LedgerEntry, WrittenFile};
use folder::models::{self, Made, PART};
use folder::verified::KnownFile;
use folder::{Failure, Folder, durable};
use std::collections::BTreeMap;
use std::fs::File;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use tables::{BatchFile, MADE_BY, ParquetError, Table};
use tokio::runtime::Handle;

/// A derived table of a crawl that is being made.
pub(super) struct TableDraft<'d> {
    pub(super) folder: &'d Folder,
    pub(super) table: &'d Table,
    pub(super) crawl: &'d str,
    pub(super) start: Instant,
}

/// The file of a draft.
type DraftFile = Digested<File>;

/// How often Ctrl-C is checked.
const LOOKS_EVERY: Duration = Duration::from_millis(50);

const UNMADE: &str = "derived table cannot be made";

impl TableDraft<'_> {
    fn cannot(&self, cause: &dyn std::fmt::Display) -> Failure {
        Failure::new(UNMADE, &self.made_path(), cause)
    }

    fn cannot_write(&self, error: &ParquetError) -> Failure {
        self.cannot(&tables::write_cause(error))
    }

    fn unmade(&self, error: &DataFusionError) -> Failure {
        match wanted_memory(error) {
            Some(wanted) => self.cannot(&format_args!("{wanted}; a larger --memory of robocensus models allows more")),
            None => engine_failure(UNMADE, &self.made_path(), error),
        }
    }

    fn made_path(&self) -> PathBuf {
        self.folder.file(self.table.name, self.crawl, PART)
    }

    fn path(&self) -> PathBuf {
        self.folder.work().join(format!("{}-{}.parquet", self.table.name, self.crawl))
    }

    fn create(&self) -> Result<DraftFile, Failure> {
        File::create(self.path()).map(Digested::new).map_err(|error| self.cannot(&error))
    }

    /// Syncs the file, and returns its size and digests.
    fn written(&self, rows: u64, sink: &DraftFile) -> Result<WrittenFile, Failure> {
        sink.sync(self.table.name, rows).map_err(|error| self.cannot(&error))
    }

    /// The files that the ledger has for a table of this crawl, or the file of a derived table.
    fn files(
        &self,
        entries: &BTreeMap<u32, LedgerEntry>,
        table: &str,
        jobs: NonZeroUsize,
    ) -> Result<ParquetFiles, Failure> {
        let made = models::read(self.folder, table, self.crawl)?;
        let parts = entries.values().filter(|entry| entry.crawl == self.crawl);
        let files = parts.flat_map(|entry| entry.files.iter().map(move |file| (entry.part, file)));
        let (mut known, mut rows) = (Vec::new(), 0);
        for (part, file) in files.chain(made.iter().map(|made| (PART, &made.file))) {
            if file.table == table {
                known.push((self.folder.file(table, self.crawl, part), Arc::new(KnownFile::from(file))));
                rows += file.rows;
            }
        }
        Ok(ParquetFiles { files: known, rows, jobs })
    }

    pub(super) fn write_sites(
        &self,
        entries: &BTreeMap<u32, LedgerEntry>,
        preference: CapturePreference,
        jobs: NonZeroUsize,
        watch: Watch<'_>,
    ) -> Result<WrittenFile, Halt> {
        let [captures, bodies, body_classes] = sites::READS.map(|table| self.files(entries, table, jobs));
        let (captures, bodies, body_classes) = (captures?, bodies?, body_classes?);
        let cannot = |error: ParquetError| self.cannot_write(&error);
        let mut file = BatchFile::new(self.table.clone(), self.create()?).map_err(cannot)?;
        sites::write(&captures, &bodies, &body_classes, preference, &watch, cannot, |rows| {
            file.write(&rows).map_err(cannot)
        })?;
        let rows = file.finish().map_err(cannot)?;
        Ok(self.written(rows, file.sink())?)
    }

    /// Writes the answer to a statement. One that finds too little memory is run again with less.
    pub(super) async fn write_answer(
        &self,
        session: &Session,
        query: &Query,
        rows: u64,
        watch: Watch<'_>,
    ) -> Result<WrittenFile, Halt> {
        let rows_before = watch.progress.rows.load(Relaxed);
        let count = |read: u64| watch.progress.rows.store(rows_before + read.min(rows), Relaxed);
        let (mut session, mut is_again) = (session, false);
        loop {
            let error = match self.try_to_write(session, query, watch, &count).await {
                Ok(file) => {
                    watch.progress.made_again.fetch_add(u64::from(is_again), Relaxed);
                    return Ok(file);
                }
                Err(AnswerEnd::Halted(halt)) => return Err(halt),
                Err(AnswerEnd::Failed(error)) => error,
            };
            let sparing = if is_of_memory(&error) { session.sparing().await? } else { None };
            let Some((sparing, _)) = sparing else { return Err(self.unmade(&error).into()) };
            (session, is_again) = (sparing, true);
        }
    }

    async fn try_to_write(
        &self,
        session: &Session,
        query: &Query,
        watch: Watch<'_>,
        count: &(dyn Fn(u64) + Send + Sync),
    ) -> Result<WrittenFile, AnswerEnd> {
        let values = [("crawl".to_owned(), ParameterValue::Text(self.crawl.to_owned()))].into();
        let frame = session.answer(query.statement(&[], &values)?.into()).await?;
        let mut file = BatchFile::new(self.table.clone(), self.create()?).map_err(|error| self.cannot_write(&error))?;
        let tasks = Arc::new(frame.task_ctx());
        let plan = frame.create_physical_plan().await?;
        let running = Arc::clone(&plan);
        let mut batches = AnswerBatches::start(&Handle::current(), async move { execute_stream(running, tasks) });
        let ticker = Ticker::start(LOOKS_EVERY).map_err(|error| self.cannot(&error))?;
        loop {
            watch.check()?;
            count(rows_read(plan.as_ref()));
            match ticker.unless(batches.next()).await {
                None => {}
                Some(None) => break,
                Some(Some(batch)) => file.write(&batch?).map_err(|error| self.cannot_write(&error))?,
            }
        }
        let rows = file.finish().map_err(|error| self.cannot_write(&error))?;
        Ok(self.written(rows, file.sink())?)
    }

    /// Renames the file to its final name, and writes the entry with its sources.
    pub(super) fn publish(
        &self,
        file: WrittenFile,
        recipe: &Recipe,
        parameters: &BTreeMap<String, String>,
    ) -> Result<Made, Failure> {
        durable::make_folder(&self.folder.partition(self.table.name, self.crawl))
            .and_then(|()| durable::publish(&self.path(), &self.made_path()))
            .map_err(|error| self.cannot(&error))?;
        let made = Made {
            crawl: self.crawl.to_owned(),
            file,
            of: recipe.sources.clone(),
            parameters: parameters.clone(),
            made_by: MADE_BY.to_owned(),
            seconds: self.start.elapsed().as_secs_f64(),
        };
        models::write(self.folder, &made)?;
        Ok(made)
    }
}

/// Why an answer was not written to its end.
enum AnswerEnd {
    Failed(DataFusionError),
    Halted(Halt),
}

impl From<DataFusionError> for AnswerEnd {
    fn from(error: DataFusionError) -> Self {
        AnswerEnd::Failed(error)
    }
}

impl From<Halt> for AnswerEnd {
    fn from(halt: Halt) -> Self {
        AnswerEnd::Halted(halt)
    }
}

impl From<Failure> for AnswerEnd {
    fn from(failure: Failure) -> Self {
        AnswerEnd::Halted(failure.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::options::SessionOptions;
    use crate::models::ModelProgress;
    use datafusion::arrow::datatypes::DataType;
    use datafusion::logical_expr::{ColumnarValue, Volatility};
    use datafusion::prelude::create_udf;
    use std::fs;
    use std::path::Path;
    use std::sync::atomic::AtomicBool;
    use tokio::runtime::Builder;

    fn write(name: &str, sql: &str, stop: &AtomicBool) -> Result<WrittenFile, Halt> {
        write_with(name, sql, &SessionOptions::default(), stop, &ModelProgress::default())
    }

    /// Runs a statement as that of a derived table, in a session with the function `wrong`, which panics.
    fn write_with(
        name: &str,
        sql: &str,
        options: &SessionOptions,
        stop: &AtomicBool,
        progress: &ModelProgress,
    ) -> Result<WrittenFile, Halt> {
        let root = std::env::temp_dir().join(format!("robocensus-{name}-{}", std::process::id()));
        let folder = Folder::at(&root);
        fs::create_dir_all(folder.work()).unwrap();
        let text = format!("-- title: Test\n-- grain: one row per number\n{sql}");
        let query = Query::parse("test", &text, Path::new("test.sql")).unwrap();
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap();
        let written = runtime.block_on(async {
            let session = Session::open(&root, options).await.unwrap();
            let panic = Arc::new(|_: &[ColumnarValue]| panic!("something is wrong"));
            let wrong = create_udf("wrong", vec![DataType::Int64], DataType::Utf8, Volatility::Volatile, panic);
            session.context().register_udf(wrong);
            let table = tables::tracked_agents::table();
            let draft = TableDraft { folder: &folder, table: &table, crawl: "A", start: Instant::now() };
            draft.write_answer(&session, &query, 0, Watch { progress, stop }).await
        });
        runtime.shutdown_timeout(Duration::from_secs(10));
        fs::remove_dir_all(root).unwrap();
        written
    }

    #[test]
    fn a_long_statement_is_stopped_before_its_first_row() {
        let stop = AtomicBool::new(false);
        let sql = "SELECT CAST(value AS varchar) AS agent FROM generate_series(1, 1000000000000) ORDER BY value DESC";
        let written = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(500));
                stop.store(true, Relaxed);
            });
            write("stopped", sql, &stop)
        });
        assert!(matches!(written, Err(Halt::Stopped)), "{written:?}");
    }

    #[test]
    fn a_statement_that_finds_too_little_memory_is_run_again() {
        let sql = "SELECT CAST(a.value AS varchar) AS agent FROM generate_series(1, 200000) AS a \
                   JOIN generate_series(1, 200000) AS b ON a.value = b.value ORDER BY agent";
        let progress = ModelProgress::default();
        let write = |memory_bytes| {
            let jobs = NonZeroUsize::new(2).unwrap();
            let options = SessionOptions { memory_bytes, jobs, ..SessionOptions::default() };
            write_with("memory", sql, &options, &AtomicBool::new(false), &progress)
        };
        let enough = write(1 << 30).unwrap();
        assert_eq!(progress.made_again.load(Relaxed), 0);
        assert_eq!(write(7 << 19).unwrap(), enough);
        assert_eq!(progress.made_again.load(Relaxed), 1);
        let Err(Halt::Failed(failure)) = write(1 << 10) else { panic!("1 KiB is enough") };
        assert!(failure.to_string().ends_with("; a larger --memory of robocensus models allows more"), "{failure}");
    }

    /// Otherwise the rows before the panic would be the table.
    #[test]
    fn a_panic_is_a_failure() {
        let written =
            write("panic", "SELECT wrong(value) AS agent FROM generate_series(1, 10)", &AtomicBool::new(false));
        let Err(Halt::Failed(failure)) = written else { panic!("{written:?}") };
        assert!(failure.to_string().contains("something is wrong"), "{failure}");
    }
}
