//! Makes the derived tables, one crawl at a time.
//!
//! A table is made if one of its sources has changed: the files in the ledger, another derived table, the list of
//! agents, its statement, or an option. Its file is written under a temporary name, synced, and renamed when it is
//! complete, so that a reader sees the old file or the new one. Then an entry that names the sources is written.

mod capture_preference;
mod in_order;
pub(crate) mod model;
mod parquet_files;
mod sites;
mod ticker;
mod watch;

pub use capture_preference::CapturePreference;

use model::Model;
pub use watch::ModelProgress;

use crate::crawls;
use crate::engine::failure::engine_failure;
use crate::engine::options::SessionOptions;
use crate::engine::session::{Session, require_tables};
use crate::freshness::{Recipe, Sources};
use crate::portable;
use crate::queries::Query;
use crate::statement::ParameterValue;
use datafusion::arrow::array::RecordBatch;
use datafusion::config::ConfigNonZeroUsize;
use datafusion::error::DataFusionError;
use datafusion::physical_plan::{ExecutionPlan, execute_stream};
use folder::digest::Digested;
use folder::ledger::{self, LedgerEntry, WrittenFile};
use folder::models::{self, Made, PART};
use folder::verified::KnownFile;
use folder::{Failure, Folder, Lock, durable};
use futures_util::TryStreamExt as _;
use parquet_files::ParquetFiles;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tables::{BatchFile, MADE_BY, ParquetError, Table};
use ticker::Ticker;
use tokio::sync::mpsc;
use watch::{Halt, Watch};

/// How models are made.
#[derive(Debug, Clone)]
pub struct ModelOptions {
    /// How the folder is opened.
    pub session: SessionOptions,
    /// Which capture of a site counts.
    pub choice: CapturePreference,
    /// Whether tables that are up to date are made again.
    pub again: Again,
}

/// Whether tables that are up to date are made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Again {
    /// They are kept.
    Never,
    /// They are made again.
    Always,
}

/// The outcome for one derived table of one crawl.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelOutcome {
    /// The entry of the table.
    pub made: Made,
    /// Whether the table was up to date, and kept.
    pub was_up_to_date: bool,
}

/// Makes all derived tables of all crawls, and reports each to `report`. Returns `false` if it was stopped. If the
/// session has one crawl, only the tables of that crawl are made, and other processes may make those of other crawls
/// meanwhile.
pub async fn make(
    root: &Path,
    options: &ModelOptions,
    progress: &ModelProgress,
    stop: &AtomicBool,
    report: &mut (dyn FnMut(&ModelOutcome) + Send),
) -> Result<bool, Failure> {
    let folder = Folder::at(root);
    fs::read_dir(root).map_err(Failure::at("folder cannot be read", root))?;
    // The lock would be written into any other folder.
    require_tables(&folder)?;
    let folder = folder.of_crawl(options.session.crawl.as_deref());
    let _lock = Lock::take(&folder)?;
    folder::begin_work(&folder)?;
    let made = make_all(&folder, options, Watch { progress, stop }, report).await;
    let made = made.and_then(|()| portable::write_views(&folder, &options.session).map_err(Halt::Failed));
    let ended = folder::end_work(&folder);
    let is_done = match made {
        Ok(()) => true,
        Err(Halt::Stopped) => false,
        Err(Halt::Failed(failure)) => return Err(failure),
    };
    ended?;
    Ok(is_done)
}

/// Writes `views.duckdb.sql`, by which DuckDB reads the folder, also for a folder without derived tables. `make` writes
/// it, too.
pub fn write_views(root: &Path, options: &SessionOptions) -> Result<(), Failure> {
    let folder = Folder::at(root);
    let _lock = Lock::take(&folder)?;
    folder::begin_work(&folder)?;
    let written = portable::write_views(&folder, options);
    folder::end_work(&folder).and(written)
}

async fn make_all(
    folder: &Folder,
    options: &ModelOptions,
    watch: Watch<'_>,
    report: &mut (dyn FnMut(&ModelOutcome) + Send),
) -> Result<(), Halt> {
    let entries = ledger::read(folder)?;
    let crawls = ledger::crawls(&entries);
    if crawls.is_empty() {
        if let Some(crawl) = &options.session.crawl {
            let all = ledger::read(&Folder::at(folder.root()))?;
            crawls::find(crawl, &ledger::crawls(&all))?;
        }
        let cause = "the ledger has no part; robocensus ingest writes them";
        return Err(Failure::new("there is nothing to derive tables from", folder.root(), cause).into());
    }
    let sources = Sources::new(folder, &entries, &options.session)?;
    let mut planned = Vec::new();
    for table in tables::derived() {
        let model = Model::find(&table)?;
        for crawl in &crawls {
            watch.progress.plan(model.rows(&entries, crawl));
        }
        planned.push((table, model));
    }
    for (table, model) in planned {
        let parameters = model.parameters(options.choice);
        // One session per table. A new session sees the tables that were just made, and not their earlier state.
        let session = Session::open(folder.root(), &options.session).await?;
        set_options(&session)?;
        for crawl in &crawls {
            watch.check()?;
            let recipe = Recipe::read(&model, crawl, &sources)?;
            let before = models::read(folder, table.name, crawl)?;
            let kept = before.filter(|made| {
                options.again == Again::Never && made.parameters == parameters && recipe.is_that_of(made, folder)
            });
            let was_up_to_date = kept.is_some();
            let rows = model.rows(&entries, crawl);
            let made = match kept {
                Some(made) => {
                    watch.progress.skip(rows);
                    made
                }
                None => {
                    watch.progress.begin(table.name, crawl);
                    let rows_before = watch.progress.rows.load(Relaxed);
                    let draft = TableDraft { folder, table: &table, crawl, start: Instant::now() };
                    let file = match &model {
                        Model::Sites => draft.write_sites(&entries, options.choice, options.session.jobs, watch)?,
                        Model::Statement(query) => draft.write_answer(&session, query, rows, watch).await?,
                    };
                    let made = draft.publish(file, &recipe, &parameters)?;
                    watch.progress.finish(rows_before, rows);
                    made
                }
            };
            report(&ModelOutcome { made, was_up_to_date });
        }
    }
    Ok(())
}

/// The rows of a batch. A sort merges all batches at once. In DataFusion 55.2 each row of the result costs the more, the
/// more batches there are, if it has flags. With the default of 8 Ki rows, `class_verdicts` of 9.96 million captures
/// takes 8.4 s instead of 5.4.
const BATCH_ROWS: usize = 32 << 10;

/// Sets options for statements of derived tables.
fn set_options(session: &Session) -> Result<(), Failure> {
    let rows = ConfigNonZeroUsize::try_new(BATCH_ROWS)
        .map_err(|error| engine_failure(UNMADE, session.folder().root(), &error))?;
    let state = session.context().state_ref();
    let mut state = state.write();
    let options = state.config_mut().options_mut();
    options.execution.batch_size = rows;
    // The statements put the smaller side of a join first. DataFusion cannot estimate the size of a step, so it must not
    // swap the sides.
    options.optimizer.join_reordering = false;
    Ok(())
}

/// A derived table of a crawl that is being made.
struct TableDraft<'d> {
    folder: &'d Folder,
    table: &'d Table,
    crawl: &'d str,
    start: Instant,
}

/// The file of a draft.
type DraftFile = Digested<File>;

/// How often Ctrl-C is checked.
const LOOKS_EVERY: Duration = Duration::from_millis(50);

/// How many computed batches may wait to be written.
const BATCHES_AHEAD: usize = 4;

const UNMADE: &str = "derived table cannot be made";

impl TableDraft<'_> {
    fn cannot(&self, cause: &dyn std::fmt::Display) -> Failure {
        Failure::new(UNMADE, &self.made_path(), cause)
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
        sink.out().sync_all().map_err(|error| self.cannot(&error))?;
        Ok(WrittenFile {
            table: self.table.name.to_owned(),
            rows,
            bytes: sink.bytes(),
            sha256: sink.letters(),
            blocks: sink.blocks(),
        })
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

    fn write_sites(
        &self,
        entries: &BTreeMap<u32, LedgerEntry>,
        preference: CapturePreference,
        jobs: NonZeroUsize,
        watch: Watch<'_>,
    ) -> Result<WrittenFile, Halt> {
        let [captures, bodies, body_classes] = sites::READS.map(|table| self.files(entries, table, jobs));
        let (captures, bodies, body_classes) = (captures?, bodies?, body_classes?);
        let cannot = |error: ParquetError| self.cannot(&error);
        let mut file = BatchFile::new(self.table.clone(), self.create()?).map_err(cannot)?;
        sites::write(&captures, &bodies, &body_classes, preference, &watch, cannot, |rows| {
            file.write(&rows).map_err(cannot)
        })?;
        let rows = file.finish().map_err(cannot)?;
        Ok(self.written(rows, file.sink())?)
    }

    async fn write_answer(
        &self,
        session: &Session,
        query: &Query,
        rows: u64,
        watch: Watch<'_>,
    ) -> Result<WrittenFile, Halt> {
        let cannot = |error: DataFusionError| engine_failure(UNMADE, &self.made_path(), &error);
        let values = [("crawl".to_owned(), ParameterValue::Text(self.crawl.to_owned()))].into();
        let frame = session.answer(query.statement(&[], &values)?.into()).await.map_err(cannot)?;
        let mut file = BatchFile::new(self.table.clone(), self.create()?).map_err(|error| self.cannot(&error))?;
        let (sender, mut batches) = mpsc::channel::<Result<RecordBatch, DataFusionError>>(BATCHES_AHEAD);
        // On another thread, so that this one can check for Ctrl-C.
        let tasks = Arc::new(frame.task_ctx());
        let plan = frame.create_physical_plan().await.map_err(cannot)?;
        let running = Arc::clone(&plan);
        let work = tokio::spawn(async move {
            match execute_stream(running, tasks) {
                Err(error) => _ = sender.send(Err(error)).await,
                Ok(mut stream) => {
                    while let Some(batch) = stream.try_next().await.transpose() {
                        if sender.send(batch).await.is_err() {
                            break;
                        }
                    }
                }
            }
        });
        let _abort = AbortOnDrop(work);
        let ticker = Ticker::start(LOOKS_EVERY).map_err(|error| self.cannot(&error))?;
        let rows_before = watch.progress.rows.load(Relaxed);
        loop {
            watch.check()?;
            watch.progress.rows.store(rows_before + scanned_rows(&plan).min(rows), Relaxed);
            match ticker.unless(batches.recv()).await {
                None => {}
                Some(None) => break,
                Some(Some(batch)) => file.write(&batch.map_err(cannot)?).map_err(|error| self.cannot(&error))?,
            }
        }
        let rows = file.finish().map_err(|error| self.cannot(&error))?;
        Ok(self.written(rows, file.sink())?)
    }

    /// Renames the file to its final name, and writes the entry with its sources.
    fn publish(
        &self,
        file: WrittenFile,
        recipe: &Recipe,
        parameters: &BTreeMap<String, String>,
    ) -> Result<Made, Failure> {
        let path = self.folder.file(self.table.name, self.crawl, PART);
        durable::make_folder(&self.folder.partition(self.table.name, self.crawl))
            .and_then(|()| durable::publish(&self.path(), &path))
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

/// How many rows a plan has read from files so far. Rows that shared steps read are not counted.
fn scanned_rows(plan: &Arc<dyn ExecutionPlan>) -> u64 {
    match plan.children().as_slice() {
        [] => plan.metrics().and_then(|metrics| metrics.output_rows()).unwrap_or_default() as u64,
        children => children.iter().map(|child| scanned_rows(child)).sum(),
    }
}

/// Aborts a task when it is dropped.
struct AbortOnDrop(tokio::task::JoinHandle<()>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queries::Query;
    use tokio::runtime::Builder;

    #[test]
    fn a_long_statement_is_stopped_before_its_first_row() {
        let root = std::env::temp_dir().join(format!("robocensus-stopped-{}", std::process::id()));
        let folder = Folder::at(&root);
        fs::create_dir_all(folder.work()).unwrap();
        let text = "-- title: Endless\n-- grain: one row per number\n\
                    SELECT CAST(value AS varchar) AS agent FROM generate_series(1, 1000000000000) ORDER BY value DESC";
        let query = Query::parse("endless", text, Path::new("endless.sql")).unwrap();
        let (progress, stop) = (ModelProgress::default(), AtomicBool::new(false));
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap();
        let start = Instant::now();
        let written = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(500));
                stop.store(true, Relaxed);
            });
            runtime.block_on(async {
                let session = Session::open(&root, &SessionOptions::default()).await.unwrap();
                let table = tables::tracked_agents::table();
                let draft = TableDraft { folder: &folder, table: &table, crawl: "A", start };
                draft.write_answer(&session, &query, 0, Watch { progress: &progress, stop: &stop }).await
            })
        });
        assert!(matches!(written, Err(Halt::Stopped)), "{written:?}");
        assert!(start.elapsed() < Duration::from_secs(2), "it took {:?}", start.elapsed());
        runtime.shutdown_timeout(Duration::from_secs(10));
        fs::remove_dir_all(root).unwrap();
    }
}
