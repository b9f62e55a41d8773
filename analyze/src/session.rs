//! A folder of tables that can be asked.

use crate::access;
use crate::catalog::described::Described;
use crate::catalog::own::Own;
use crate::catalog::{self, FolderSchema};
use crate::functions;
use crate::guard::guarded;
use crate::statement::{Parsed, Values};
use datafusion::arrow::array::RecordBatch;
use datafusion::catalog::{CatalogProvider as _, MemoryCatalogProvider, SchemaProvider};
use datafusion::dataframe::DataFrame;
use datafusion::error::DataFusionError;
use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use folder::{Failure, Folder};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The catalog and the schema that names without a prefix are of.
const CATALOG: &str = "robocensus";
const SCHEMA: &str = "public";

/// How a folder is opened.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many threads work at a statement.
    pub jobs: NonZeroUsize,
    /// About how much memory statements may take before they spill, or fail.
    pub memory_bytes: usize,
    /// Where they spill to.
    pub spill: PathBuf,
    /// Tables of the user's own.
    pub own: Vec<Own>,
    /// What agents are known, if not those that come with the program.
    pub agents: Option<PathBuf>,
    /// What statements may do.
    pub access: Access,
    /// How tables are joined.
    pub joins: Joins,
}

/// How tables are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Joins {
    /// By a hash table of one side, which has to fit into memory.
    #[default]
    Hashed,
    /// By sorting both sides, which takes longer, and spills where memory does not suffice.
    Sorted,
}

/// A laptop has this to spare.
const MEMORY_BYTES: usize = 2 << 30;

impl Default for Options {
    fn default() -> Self {
        Options {
            jobs: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            memory_bytes: MEMORY_BYTES,
            spill: std::env::temp_dir(),
            own: Vec::new(),
            agents: None,
            access: Access::ReadOnly,
            joins: Joins::default(),
        }
    }
}

/// What statements may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Nothing but read.
    ReadOnly,
    /// Make tables and views for the session, set what can be set, and copy to files.
    ReadWrite,
}

/// A folder of tables that can be asked.
pub struct Session {
    context: SessionContext,
    schema: Arc<FolderSchema>,
    folder: Folder,
    options: Options,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Session").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl Session {
    /// Opens a folder. The tables themselves are opened when a statement names them.
    pub async fn open(root: &Path, options: &Options) -> Result<Self, Failure> {
        std::fs::read_dir(root).map_err(Failure::at("folder cannot be read", root))?;
        let folder = Folder::at(root);
        let context = context(options).map_err(|error| refused("session cannot be begun", root, &error))?;
        let schema = Arc::new(FolderSchema::new(&folder, &context, options)?);
        let catalog = MemoryCatalogProvider::new();
        catalog
            .register_schema(SCHEMA, Arc::clone(&schema) as Arc<dyn SchemaProvider>)
            .map_err(|error| refused("session cannot be begun", root, &error))?;
        context.register_catalog(CATALOG, Arc::new(catalog));
        functions::register(&context);
        catalog::own::register(&schema, &context, &options.own).await?;
        Ok(Session { context, schema, folder, options: options.clone() })
    }

    /// The same folder, asked so that statements take less memory and more time; nothing if that is how it is asked already.
    pub async fn sparing(&self) -> Result<Option<Self>, Failure> {
        match self.options.joins {
            Joins::Sorted => Ok(None),
            Joins::Hashed => {
                let options = Options { joins: Joins::Sorted, ..self.options.clone() };
                Self::open(self.folder.root(), &options).await.map(Some)
            }
        }
    }

    /// What statements are planned and run in.
    #[must_use]
    pub fn context(&self) -> &SessionContext {
        &self.context
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// What statements may do.
    pub(crate) fn access(&self) -> Access {
        self.options.access
    }

    /// The names of all tables that there are.
    pub(crate) fn table_names(&self) -> Vec<String> {
        self.schema.table_names()
    }

    /// Whether a table is one of the folder's own.
    pub(crate) fn is_of_folder(&self, name: &str) -> bool {
        self.schema.is_of_folder(name)
    }

    /// All tables that there are, for a person.
    #[must_use]
    pub fn described(&self) -> Vec<Described> {
        self.schema.described()
    }

    /// All rows of a query that has values where its parameters stand.
    pub(crate) async fn rows(&self, sql: &str, values: &Values) -> Result<Vec<RecordBatch>, DataFusionError> {
        let mut parsed = Parsed::of(sql)?;
        parsed.bind(values);
        self.query(&parsed.to_string()).await?.collect().await
    }

    /// The answer to one statement, which begins to be worked at when its batches are asked for.
    pub async fn query(&self, sql: &str) -> Result<DataFrame, DataFusionError> {
        let mut statements = access::read(sql)?;
        match (statements.pop(), statements.is_empty()) {
            (Some(statement), true) => self.answer(statement).await,
            _ => Err(DataFusionError::Plan("it is not one statement".to_owned())),
        }
    }
}

fn context(options: &Options) -> Result<SessionContext, DataFusionError> {
    let mut config = SessionConfig::new()
        .with_default_catalog_and_schema(CATALOG, SCHEMA)
        .with_create_default_catalog_and_schema(false)
        .with_information_schema(true)
        .with_target_partitions(options.jobs.get());
    let settings = config.options_mut();
    // Text stays what the declarations say it is.
    settings.execution.parquet.schema_force_view_types = false;
    settings.sql_parser.map_string_types_to_utf8view = false;
    settings.optimizer.prefer_hash_join = options.joins == Joins::Hashed;
    let spill = DiskManagerBuilder::default().with_mode(DiskManagerMode::Directories(vec![options.spill.clone()]));
    let runtime = RuntimeEnvBuilder::new()
        .with_memory_pool(Arc::new(FairSpillPool::new(options.memory_bytes)))
        .with_disk_manager_builder(spill)
        .build_arc()?;
    let builder = SessionStateBuilder::new().with_config(config).with_runtime_env(runtime).with_default_features();
    Ok(SessionContext::new_with_state(guarded(builder).build()))
}

fn refused(what: &'static str, path: &Path, error: &DataFusionError) -> Failure {
    Failure::new(what, path, error.strip_backtrace())
}
