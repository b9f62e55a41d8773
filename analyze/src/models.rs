//! Makes the derived tables, one crawl at a time.
//!
//! A table is made if one of its sources has changed: the files in the ledger, another derived table, the list of
//! agents, its statement, or an option. Its file is written under a temporary name, synced, and renamed when it is
//! complete, so that a reader sees the old file or the new one. Then an entry that names the sources is written.

mod capture_preference;
mod draft;
mod earlier;
mod in_order;
pub(crate) mod model;
mod parquet_files;
mod sites;
mod ticker;
mod watch;

pub use capture_preference::CapturePreference;
pub(crate) use earlier::has_own_list;

pub use watch::ModelProgress;

use crate::crawls;
use crate::engine::options::SessionOptions;
use crate::engine::session::{Session, require_tables};
use crate::freshness::{Recipe, Sources};
use crate::portable;
use draft::TableDraft;
use earlier::{EarlierChoices, OWN_LIST};
use folder::ledger;
use folder::models::{self, Made};
use folder::{Failure, Folder, Lock};
use model::Model;
use robots::limits;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;
use watch::{Halt, Watch};

/// How models are made.
#[derive(Debug, Clone)]
pub struct ModelOptions {
    /// How the folder is opened.
    pub session: SessionOptions,
    /// Which capture of a site counts; `None` for the one that the folder records, or the latest.
    pub choice: Option<CapturePreference>,
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
    folder::require_folder(root)?;
    // The lock would be written into any other folder.
    require_tables(&folder)?;
    let folder = folder.of_crawl(options.session.crawl.as_deref());
    let _lock = Lock::take(&folder)?;
    folder::begin_work(&folder)?;
    let made = make_all(&folder, options, Watch { progress, stop }, report).await;
    let made = made.and_then(|()| portable::write_views(&folder, &options.session).map_err(Halt::Failed));
    let is_done = match made {
        Ok(()) => Ok(true),
        Err(Halt::Stopped) => Ok(false),
        Err(Halt::Failed(failure)) => Err(failure),
    };
    folder::end_work(&folder, is_done)
}

/// Writes `views.duckdb.sql`, by which DuckDB reads the folder, also for a folder without derived tables. `make` writes
/// it, too.
pub fn write_views(root: &Path, options: &SessionOptions) -> Result<(), Failure> {
    let folder = Folder::at(root);
    let _lock = Lock::take(&folder)?;
    folder::begin_work(&folder)?;
    let written = portable::write_views(&folder, options);
    folder::end_work(&folder, written)
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
        return Err(crawls::without_parts("there is nothing to derive tables from", folder).into());
    }
    let sources = Sources::new(folder, &entries, &options.session)?;
    // The statements put the smaller side of a join first. DataFusion cannot estimate the size of a step, so it must not
    // swap the sides.
    let session_options = SessionOptions {
        keeps_join_order: true,
        most_batch_rows: NonZeroUsize::new(BATCH_ROWS),
        ..options.session.clone()
    };
    let earlier = EarlierChoices::read(folder)?;
    let has_own_list = options.session.agents.is_some();
    let needs_list = earlier.needs_list(folder).filter(|_| !has_own_list && options.again == Again::Never);
    let mut planned = Vec::new();
    for table in tables::derived() {
        let model = Model::find(&table)?;
        for crawl in &crawls {
            watch.progress.plan(model.rows(&entries, crawl));
        }
        planned.push((table, model));
    }
    for (table, model) in planned {
        // One session per table. A new session sees the tables that were just made, and not their earlier state.
        let session = Session::open(folder.root(), &session_options).await?;
        for crawl in &crawls {
            watch.check()?;
            let choice = options.choice.map_or_else(|| earlier.capture(crawl), Ok)?;
            let mut parameters = model.parameters(choice, has_own_list);
            let mut recipe = Recipe::read(&model, crawl, &sources)?;
            let before = models::read_unless_changed(folder, table.name, crawl)?;
            if needs_list.is_some()
                && let Some(made) = before.as_ref().filter(|made| made.parameters.contains_key(OWN_LIST))
            {
                parameters.clone_from(&made.parameters);
                recipe
                    .sources
                    .extend(made.of.get_key_value("agents").map(|(name, digest)| (name.clone(), digest.clone())));
            }
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
                    if let Some(failure) = &needs_list {
                        return Err(failure.clone().into());
                    }
                    watch.progress.begin(table.name, crawl);
                    let rows_before = watch.progress.rows.load(Relaxed);
                    let draft = TableDraft { folder, table: &table, crawl, start: Instant::now() };
                    let file = match &model {
                        Model::Sites => draft.write_sites(&entries, choice, options.session.jobs, watch)?,
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

/// The most rows of a batch. A sort merges all batches at once. In DataFusion 55.2 each row of the result costs the more,
/// the more batches there are, if it has flags. With the default of 8 Ki rows, `class_verdicts` of 9.96 million captures
/// takes 8.4 s instead of 5.4. With more rows, a column of names or URLs could exceed the 2 GiB of an array of texts:
/// a name has up to 16 KiB before it is percent-encoded, and a URL 64 KiB.
const BATCH_ROWS: usize = (32 << 10) - 1;
const _: () = assert!(BATCH_ROWS * limits::VALUE_BYTES <= i32::MAX as usize);
const _: () = assert!(BATCH_ROWS * 3 * limits::NAME_BYTES <= i32::MAX as usize);
