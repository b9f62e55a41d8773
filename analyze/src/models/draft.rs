//! The file of a derived table of one crawl, from its first row to its place in the folder.

use super::capture_preference::CapturePreference;
use super::parquet_files::ParquetFiles;
use super::sites;
use super::ticker::Ticker;
use super::watch::{Halt, Watch};
use crate::engine::batches::AnswerBatches;
use crate::engine::failure::engine_failure;
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

pub(super) const UNMADE: &str = "derived table cannot be made";

impl TableDraft<'_> {
    fn cannot(&self, cause: &dyn std::fmt::Display) -> Failure {
        Failure::new(UNMADE, &self.made_path(), cause)
    }

    fn cannot_write(&self, error: &ParquetError) -> Failure {
        self.cannot(&tables::write_cause(error))
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
        let known = files
            .chain(made.iter().map(|made| (PART, &made.file)))
            .filter(|(_, file)| file.table == table)
            .map(|(part, file)| (self.folder.file(table, self.crawl, part), Arc::new(KnownFile::from(file))));
        Ok(ParquetFiles { files: known.collect(), jobs })
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

    pub(super) async fn write_answer(
        &self,
        session: &Session,
        query: &Query,
        rows: u64,
        watch: Watch<'_>,
    ) -> Result<WrittenFile, Halt> {
        let cannot = |error: DataFusionError| engine_failure(UNMADE, &self.made_path(), &error);
        let values = [("crawl".to_owned(), ParameterValue::Text(self.crawl.to_owned()))].into();
        let frame = session.answer(query.statement(&[], &values)?.into()).await.map_err(cannot)?;
        let mut file = BatchFile::new(self.table.clone(), self.create()?).map_err(|error| self.cannot_write(&error))?;
        let tasks = Arc::new(frame.task_ctx());
        let plan = frame.create_physical_plan().await.map_err(cannot)?;
        let running = Arc::clone(&plan);
        let mut batches = AnswerBatches::start(&Handle::current(), async move { execute_stream(running, tasks) });
        let ticker = Ticker::start(LOOKS_EVERY).map_err(|error| self.cannot(&error))?;
        let rows_before = watch.progress.rows.load(Relaxed);
        loop {
            watch.check()?;
            watch.progress.rows.store(rows_before + rows_read(plan.as_ref()).min(rows), Relaxed);
            match ticker.unless(batches.next()).await {
                None => {}
                Some(None) => break,
                Some(Some(batch)) => file.write(&batch.map_err(cannot)?).map_err(|error| self.cannot_write(&error))?,
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

    /// Runs a statement as that of a derived table, in a session with the function `wrong`, which panics.
    fn write(name: &str, sql: &str, stop: &AtomicBool) -> Result<WrittenFile, Halt> {
        let root = std::env::temp_dir().join(format!("robocensus-{name}-{}", std::process::id()));
        let folder = Folder::at(&root);
        fs::create_dir_all(folder.work()).unwrap();
        let text = format!("-- title: Test\n-- grain: one row per number\n{sql}");
        let query = Query::parse("test", &text, Path::new("test.sql")).unwrap();
        let progress = ModelProgress::default();
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap();
        let written = runtime.block_on(async {
            let session = Session::open(&root, &SessionOptions::default()).await.unwrap();
            let panic = Arc::new(|_: &[ColumnarValue]| panic!("something is wrong"));
            let wrong = create_udf("wrong", vec![DataType::Int64], DataType::Utf8, Volatility::Volatile, panic);
            session.context().register_udf(wrong);
            let table = tables::tracked_agents::table();
            let draft = TableDraft { folder: &folder, table: &table, crawl: "A", start: Instant::now() };
            draft.write_answer(&session, &query, 0, Watch { progress: &progress, stop }).await
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

    /// Otherwise the rows before the panic would be the table.
    #[test]
    fn a_panic_is_a_failure() {
        let written =
            write("panic", "SELECT wrong(value) AS agent FROM generate_series(1, 10)", &AtomicBool::new(false));
        let Err(Halt::Failed(failure)) = written else { panic!("{written:?}") };
        assert!(failure.to_string().contains("something is wrong"), "{failure}");
    }
}
