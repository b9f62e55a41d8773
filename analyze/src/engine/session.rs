//! A session: a folder of tables that answers statements.

use super::aggregate_orders::KeepAggregateOrders;
use super::calls::check_calls;
use super::constants::LeaveOutConstantKeys;
use super::correlated::{check_correlated, without_columns_of_exists};
use super::dependencies::without_dependencies;
use super::distinct_counts::CountByGroups;
use super::failure::{self, chain, engine_failure};
use super::files::StatementFiles;
use super::in_subqueries::check_in_subqueries;
use super::once;
use super::once::kept::KeptSteps;
use super::options::{Permission, SessionOptions};
use super::permission::{check_plan, check_statement};
use super::physical_rules::{physical_rules, spilling_rules};
use super::shared_pool::SharedPool;
use super::sizes::check_sizes;
use super::spill::SpillFolder;
use super::spill_files::SpillFiles;
use super::trusted::origin_of;
use super::unused_sides::LeaveOutUnusedSides;
use super::wide_numbers::WidenNumbers;
use super::writes::WriteFailures;
use crate::catalog::described::TableDescription;
use crate::catalog::{self, FolderSchema};
use crate::crawls;
use crate::functions;
use crate::statement::all_columns::keep_left_keys;
use crate::statement::distinct_order::write_numbers;
use crate::statement::join_keys::write_tables_of_keys;
use crate::statement::part_names::name_later_parts;
use crate::statement::quotes::quoted_names;
use crate::statement::windows::write_windows;
use crate::statement::{ParameterValues, ParsedQuery, ParsedStatement, parse_statements};
use datafusion::arrow::array::RecordBatch;
use datafusion::catalog::{CatalogProvider as _, MemoryCatalogProvider, SchemaProvider};
use datafusion::config::ConfigNonZeroUsize;
use datafusion::dataframe::DataFrame;
use datafusion::error::DataFusionError;
use datafusion::execution::disk_manager::DiskManagerBuilder;
use datafusion::execution::memory_pool::MemoryPool;
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use folder::failure::{ANOTHER_FOLDER, obstacle_of_writing};
use folder::{Failure, Folder};
use guard::guarded;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use tokio::sync::OnceCell;

/// The catalog and the schema of table names without a prefix.
pub(super) const CATALOG: &str = "robocensus";
pub(super) const SCHEMA: &str = "public";

/// The most rows of a side of a join that all threads share. Measured: with DataFusion's default of 128 Ki, all
/// questions over 10⁶ captures take 1.3 times the CPU time. With 4 Mi, two questions over 10⁷ captures need more than
/// their limit of 2 GiB.
const MOST_SHARED_ROWS: usize = 1 << 20;

/// With less than the default memory, such a side has at most one row for so many bytes of it: if it does not fit, the
/// threads write their own rows to files, too.
const BYTES_OF_HASHED_ROW: usize = 2 << 10;

/// The most bytes of such a side if they are known, which is for numbers alone; DataFusion then ignores the rows. These
/// are 4 Mi rows of two numbers, which take as much memory as 1 Mi rows with texts. Measured over 9.96 million captures:
/// with 512 MiB, a join shares 8.8 million rows of numbers rather than fewer rows with texts, and `http_vs_https` takes
/// 2.0 GB instead of 0.7. With 16 MiB, `noblock_rate` takes 1.4 GB instead of 0.2.
const MOST_SHARED_BYTES: usize = 64 << 20;

/// With less than the default memory, it is this part of it.
const SHARED_PART: usize = 32;

/// With less memory than for DataFusion's 8192 rows, a batch has a row for so many bytes of it: a sort needs room for two
/// batches. Measured: with 12 MiB, 37 of 93 questions over 99,600 captures failed. Now none does, nor with 6 MiB. With a
/// row for 64 KiB, they take 1.5 times the CPU time.
const BYTES_OF_BATCHED_ROW: usize = 16 << 10;

/// But so many rows at least.
const FEWEST_BATCHED_ROWS: usize = 128;

/// How many times the memory for merging would fit into all memory, and the rows that a sort copies into one batch: it
/// needs room for the copy, too. Questions have up to 16 sorts.
const SORTS_OF_A_STATEMENT: usize = 64;

/// So many sorted runs are merged at once, each from an open file.
const MOST_MERGED_FILES: usize = 64;

/// A folder of tables that answers statements.
pub struct Session {
    context: SessionContext,
    schema: Arc<FolderSchema>,
    folder: Folder,
    options: SessionOptions,
    kept: KeptSteps,
    writes: Arc<WriteFailures>,
    /// The session with less memory once one is needed, and how it works; `None` if there is none.
    sparing: OnceCell<Option<(Box<Session>, &'static str)>>,
    /// Dropped last, which removes the temporary files.
    _spill: SpillFolder,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Session").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl Session {
    /// Opens a folder. Each table is opened when a statement first names it.
    pub async fn open(root: &Path, options: &SessionOptions) -> Result<Self, Failure> {
        folder::require_folder(root)?;
        let folder = Folder::at(root).of_crawl(options.crawl.as_deref());
        require_tables(&folder)?;
        options.check_spill(root)?;
        failure::silence_nested_loops();
        let spill = SpillFolder::in_folder(&options.spill)?;
        let context = context(options, &spill).map_err(|error| {
            let cause = io_error(&error).map_or_else(|| error.strip_backtrace(), ToString::to_string);
            options.spill_failure("folder for temporary files cannot be used", cause, ANOTHER_FOLDER)
        })?;
        let schema = Arc::new(FolderSchema::new(&folder, &context, options)?);
        let catalog = MemoryCatalogProvider::new();
        catalog
            .register_schema(SCHEMA, Arc::clone(&schema) as Arc<dyn SchemaProvider>)
            .map_err(|error| engine_failure("session cannot be started", root, &error))?;
        context.register_catalog(CATALOG, Arc::new(catalog));
        let writes = Arc::new(WriteFailures::default());
        let files = Arc::new(StatementFiles::new(root, options, schema.known(), Arc::clone(&writes)));
        context.register_object_store(ObjectStoreUrl::local_filesystem().as_ref(), files);
        functions::register(&context);
        catalog::own::register(&schema, &context, &options.own).await?;
        Ok(Session {
            context,
            schema,
            folder,
            options: options.clone(),
            kept: KeptSteps::new(options.kept_views),
            writes,
            sparing: OnceCell::new(),
            _spill: spill,
        })
    }

    /// The same folder with options that use less memory and take longer, and which these are: all joins and rankings
    /// spill, and then one thread works, because each thread sorts for itself. It is opened when it is first needed.
    /// `None` if this session already has them, or may have tables and settings of statements, which the other would
    /// lack.
    pub async fn sparing(&self) -> Result<Option<(&Self, &'static str)>, Failure> {
        let opened = self.sparing.get_or_try_init(|| self.open_sparing()).await?;
        Ok(opened.as_ref().map(|(session, how)| (session.as_ref(), *how)))
    }

    async fn open_sparing(&self) -> Result<Option<(Box<Self>, &'static str)>, Failure> {
        let SessionOptions { spills_all, jobs, access, .. } = self.options;
        let (jobs, how) = match (access, spills_all) {
            (Permission::ReadOnly, false) => (jobs, "all sorts and joins can spill now"),
            (Permission::ReadOnly, true) if jobs > NonZeroUsize::MIN => (NonZeroUsize::MIN, "one thread works now"),
            _ => return Ok(None),
        };
        let options = SessionOptions { spills_all: true, jobs, ..self.options.clone() };
        Ok(Some((Box::new(Self::open(self.folder.root(), &options).await?), how)))
    }

    /// DataFusion's session, for callers that plan or run statements themselves.
    #[must_use]
    pub fn context(&self) -> &SessionContext {
        &self.context
    }

    /// The folder of tables.
    #[must_use]
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// The crawls of the folder, by name.
    #[must_use]
    pub fn crawls(&self) -> Vec<String> {
        self.schema.crawls().into_iter().map(str::to_owned).collect()
    }

    /// How many parts of the archives are not in the tables yet.
    #[must_use]
    pub fn parts_left(&self) -> usize {
        self.schema.parts_left()
    }

    /// Whether there are tables without a ledger. Nobody notices if files are missing or have changed.
    #[must_use]
    pub fn is_unlisted(&self) -> bool {
        self.schema.is_unlisted() && has_tables(&self.folder)
    }

    /// Fails if the folder has no such crawl. The failure lists the crawls of the folder.
    pub fn find_crawl(&self, crawl: &str) -> Result<(), Failure> {
        crawls::find(crawl, &self.schema.crawls())
    }

    /// Descriptions of all tables of the session.
    #[must_use]
    pub fn described(&self) -> Vec<TableDescription> {
        self.schema.described()
    }

    /// All rows of a query, with values for its parameters.
    pub async fn rows(&self, sql: &str, values: &ParameterValues) -> Result<Vec<RecordBatch>, DataFusionError> {
        let mut query = ParsedQuery::parse(sql)?;
        query.bind(values);
        self.answer(query.into()).await?.collect().await
    }

    /// Parses and answers one statement. The rows are computed when the caller reads them.
    pub async fn query(&self, sql: &str) -> Result<DataFrame, DataFusionError> {
        let mut statements = parse_statements(sql)?;
        match (statements.pop(), statements.is_empty()) {
            (Some(statement), true) => self.answer(statement).await,
            _ => Err(DataFusionError::Plan("it is not one statement".to_owned())),
        }
    }

    /// Answers a statement. The rows are computed when the caller reads them. A statement that changes something does
    /// it before this returns.
    pub async fn answer(&self, mut statement: ParsedStatement) -> Result<DataFrame, DataFusionError> {
        keep_left_keys(&mut statement.0)?;
        write_windows(&mut statement.0)?;
        write_numbers(&mut statement.0);
        // After these: what they copy or compare has keys, too.
        write_tables_of_keys(&mut statement.0);
        name_later_parts(&mut statement.0);
        check_statement(&statement.0, self.options.access)?;
        let state = self.context.state();
        check_calls(&statement.0, &state)?;
        let quoted = quoted_names(&statement.0);
        let plan = state.statement_to_plan(statement.0).await;
        let plan = without_columns_of_exists(plan.map_err(|error| failure::name_quoted_text(error, &quoted))?)?;
        check_plan(&plan, &self.options, self.folder.root(), |table| self.schema.unchangeable(table))?;
        check_sizes(&plan)?;
        check_in_subqueries(&plan)?;
        check_correlated(&plan)?;
        once::execute(plan, &self.context, &self.kept).await
    }

    /// The message for an error of a statement; `place` is the source of the statement.
    #[must_use]
    pub fn failure(&self, error: &DataFusionError, place: &Path) -> Failure {
        let written = self.writes.take();
        // Statements write nothing else: `writes` has the failures of files that the user wanted.
        let full = io_error(error).and_then(|error| {
            let (what, advice) = obstacle_of_writing(error.kind())?;
            Some(self.options.spill_failure(what, error, advice))
        });
        let other = || failure::message(error, place, &self.schema.table_names(), self.options.spills_all);
        written.or(full).unwrap_or_else(other)
    }
}

/// The innermost error of the system in an error of the engine, if there is one.
fn io_error(error: &DataFusionError) -> Option<&io::Error> {
    chain(error).filter_map(|error| error.downcast_ref()).last()
}

/// Why a folder is no folder of tables.
pub const NO_TABLES: &str = "it has none of the folders of tables; name one that robocensus ingest wrote";

/// Fails for a folder without tables and without records of a run of `ingest`.
pub(crate) fn require_tables(folder: &Folder) -> Result<(), Failure> {
    if folder.records().is_dir() || has_tables(folder) {
        return Ok(());
    }
    Err(Failure::new(folder::WITHOUT_TABLES, folder.root(), NO_TABLES))
}

fn has_tables(folder: &Folder) -> bool {
    tables::tables().into_iter().any(|table| folder.root().join(table.name).is_dir())
}

fn context(options: &SessionOptions, spill: &SpillFolder) -> Result<SessionContext, DataFusionError> {
    let mut config = SessionConfig::new()
        .with_default_catalog_and_schema(CATALOG, SCHEMA)
        .with_create_default_catalog_and_schema(false)
        .with_information_schema(true)
        .with_target_partitions(options.jobs.get());
    let settings = config.options_mut();
    // Text columns keep the declared type, Utf8. By default DataFusion reads them as Utf8View.
    settings.execution.parquet.schema_force_view_types = false;
    settings.sql_parser.map_string_types_to_utf8view = false;
    // Each batch that is spilled on its way to another thread gets a file of its own. With several batches in a file,
    // DataFusion 55.2 can wait forever for one of them. This waits for apache/datafusion#24883.
    settings.execution.max_spill_file_size_bytes = ConfigNonZeroUsize::try_new(1)?;
    // DataFusion 55.2 plans some conditions, such as x IS TRUE, as columns with nulls where it said without, and then
    // refuses to group by them. Such columns are right.
    settings.execution.skip_physical_aggregate_schema_check = true;
    // Grouping by body and other columns leaves rows in the partition of their body. By default DataFusion moves them
    // to other threads if there are fewer than four partitions.
    settings.optimizer.subset_repartition_threshold = 1;
    // A join keeps one side in memory. If that side is estimated to be below the limit, all threads share it, and the
    // rows of the other side stay in their partitions.
    settings.optimizer.hash_join_single_partition_threshold = MOST_SHARED_BYTES.min(options.memory_bytes / SHARED_PART);
    settings.optimizer.hash_join_single_partition_threshold_rows =
        MOST_SHARED_ROWS.min(options.memory_bytes / BYTES_OF_HASHED_ROW);
    settings.optimizer.join_reordering = !options.keeps_join_order;
    let most_rows = options.most_batch_rows.map_or(settings.execution.batch_size.get(), NonZeroUsize::get);
    let rows = (options.memory_bytes / BYTES_OF_BATCHED_ROW).max(FEWEST_BATCHED_ROWS).min(most_rows);
    settings.execution.batch_size = ConfigNonZeroUsize::try_new(rows)?;
    // Each sort reserves memory for merging what it spills, on each thread. The default of 10 MB, for a dozen sorts on 16
    // threads, would be all that there is.
    let reserved = options.memory_bytes / options.jobs / SORTS_OF_A_STATEMENT;
    settings.execution.sort_spill_reservation_bytes = reserved.min(settings.execution.sort_spill_reservation_bytes);
    settings.execution.sort_in_place_threshold_bytes = reserved.min(settings.execution.sort_in_place_threshold_bytes);
    // Keeps only the first rows of each stratum of a ranking, instead of sorting all rows. It cannot spill, so a statement
    // that is run again to spare memory sorts. Measured: over 9.96 million captures, `path_exposure` takes 173 CPU
    // seconds, and 198 with the sort of 38 million rows.
    settings.optimizer.enable_window_topn = !options.spills_all;
    // Off: a join would pass a filter on its keys to the scan of its other side, once all its threads have reported. If
    // the threads share one side, and one is dropped before it starts, DataFusion 55.2 waits forever. That happens when
    // all rows of a crawl are in one partition of a join above. apache/datafusion#21666 fixed it only for joins whose
    // threads share no side; no issue about shared sides is known. Measured: 95 questions over 10⁶ captures take 127.2
    // CPU seconds, and 127.3 with the filter.
    settings.optimizer.enable_join_dynamic_filter_pushdown = false;
    let spill = DiskManagerBuilder::default()
        .with_temp_file_factory(Arc::new(SpillFiles::new(spill)?))
        .with_max_spill_merge_fan_in(MOST_MERGED_FILES);
    let memory = SharedPool::new(options.memory_bytes, options.jobs.get());
    let memory: Arc<dyn MemoryPool> = Arc::new(if options.spills_all { memory.with_small_shares() } else { memory });
    let runtime = RuntimeEnvBuilder::new().with_memory_pool(memory).with_disk_manager_builder(spill).build_arc()?;
    let builder = SessionStateBuilder::new()
        .with_config(config)
        .with_runtime_env(runtime)
        .with_expr_planners(vec![Arc::new(WidenNumbers)])
        .with_default_features();
    let builder = without_dependencies(builder)
        .with_optimizer_rule(Arc::new(LeaveOutConstantKeys))
        .with_optimizer_rule(Arc::new(LeaveOutUnusedSides))
        .with_optimizer_rule(Arc::new(KeepAggregateOrders))
        .with_optimizer_rule(Arc::new(CountByGroups { always: options.spills_all }))
        .with_physical_optimizer_rules(if options.spills_all { spilling_rules() } else { physical_rules() });
    Ok(SessionContext::new_with_state(guarded(builder, origin_of).build()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn sessions_with_less_memory_keep_the_other_options() {
        let root = std::env::temp_dir().join(format!("robocensus-sparing-{}", std::process::id()));
        fs::create_dir_all(Folder::at(&root).work()).unwrap();
        let three = NonZeroUsize::new(3).unwrap();
        let options = SessionOptions {
            jobs: three,
            keeps_join_order: true,
            most_batch_rows: Some(three),
            kept_views: &["strata"],
            ..SessionOptions::default()
        };
        let runtime = crate::runtime(NonZeroUsize::MIN).unwrap();
        let session = runtime.block_on(Session::open(&root, &options)).unwrap();
        let (mut session, mut jobs) = (&session, Vec::new());
        while let Some((sparing, _)) = runtime.block_on(session.sparing()).unwrap() {
            let config = sparing.context.copied_config();
            assert!(!config.options().optimizer.join_reordering && sparing.options.spills_all);
            assert_eq!((config.batch_size(), sparing.options.kept_views), (3, options.kept_views));
            jobs.push(config.target_partitions());
            session = sparing;
        }
        assert_eq!(jobs, [3, 1]);
        fs::remove_dir_all(root).unwrap();
    }
}
