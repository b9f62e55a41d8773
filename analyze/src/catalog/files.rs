//! Opens a table of the folder. The columns of each file must equal its declaration.
//!
//! DataFusion fills a column that a file lacks with nulls. So the footer of each file is read first, and compared.

use super::folder_table::{self, FolderTable};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::catalog::TableProvider;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::error::{DataFusionError, Result};
use folder::{Failure, Folder, regular};
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use tables::{PARTITION, Table};
use url::Url;

/// Whether a table is derived from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Derived {
    Yes,
    No,
}

/// The number of footers that are worth another thread.
const FOOTERS_A_THREAD: usize = 64;

/// Opens a table. Fails if it has no file, or if the columns of a file differ from the declaration.
pub(super) fn open(folder: &Folder, table: &Table, derived: Derived) -> Result<Arc<dyn TableProvider>> {
    let root = folder.root().join(table.name);
    let files = files(&root).map_err(external)?;
    if files.is_empty() {
        let cause = match derived {
            Derived::No => "it has no file; robocensus ingest writes it",
            Derived::Yes => "it has no file; robocensus models makes it",
        };
        return Err(external(Failure::new("table is missing", &root, cause)));
    }
    let schema = table.schema();
    compare(&files, &schema).map_err(external)?;
    let url = fs::canonicalize(&root).ok().and_then(|root| Url::from_directory_path(root).ok());
    let url = url
        .ok_or_else(|| external(Failure::new("table cannot be read", &root, "its path cannot be written as a URL")))?;
    let options = ListingOptions::new(Arc::new(ParquetFormat::default()))
        .with_file_extension(".parquet")
        .with_table_partition_cols(vec![(PARTITION.name.to_owned(), DataType::Utf8)]);
    let config = ListingTableConfig::new(ListingTableUrl::try_new(url, None)?)
        .with_listing_options(options)
        .with_schema(bare(&schema));
    let listing = ListingTable::try_new(config)?;
    let is_by_body = table.columns.first().is_some_and(|column| column.name == folder_table::KEY);
    Ok(Arc::new(FolderTable::new(listing, only_crawl(&files), is_by_body)))
}

/// The crawl of these files, if it is the same for all.
fn only_crawl(files: &[PathBuf]) -> Option<String> {
    let crawl = |file: &PathBuf| {
        let folder = file.parent()?.file_name()?.to_str()?;
        folder.strip_prefix(PARTITION.name)?.strip_prefix('=').map(str::to_owned)
    };
    let (first, last) = (crawl(files.first()?)?, crawl(files.last()?)?);
    (first == last).then_some(first)
}

/// The columns without their descriptions. DataFusion counts them as a part of the schema, so that columns with two
/// descriptions would not match in a UNION.
fn bare(schema: &Schema) -> Arc<Schema> {
    let fields = schema.fields().iter();
    let bare = |field: &Arc<Field>| field.as_ref().clone().with_metadata(HashMap::new());
    Arc::new(Schema::new(fields.map(bare).collect::<Vec<_>>()))
}

/// Whether a table has a file.
pub(super) fn is_there(folder: &Folder, table: &Table) -> bool {
    files(&folder.root().join(table.name)).is_ok_and(|files| !files.is_empty())
}

/// The files of a table, by crawl and part.
fn files(root: &Path) -> std::result::Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for crawl in regular::list_below(root)?.folders {
        let listed = regular::list_below(&crawl)?.files.into_iter();
        files.extend(listed.filter(|file| file.extension().is_some_and(|end| end == "parquet")));
    }
    Ok(files)
}

/// Compares the columns of each file with the declared ones.
fn compare(files: &[PathBuf], declared: &Schema) -> std::result::Result<(), Failure> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(files.len() / FOOTERS_A_THREAD + 1);
    let each = files.len().div_ceil(threads).max(1);
    thread::scope(|scope| {
        let workers: Vec<_> = (files.chunks(each))
            .map(|files| scope.spawn(move || files.iter().try_for_each(|file| compare_one(file, declared))))
            .collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(compared) => compared,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })
}

fn compare_one(path: &Path, declared: &Schema) -> std::result::Result<(), Failure> {
    let cannot = |error: &dyn std::fmt::Display| Failure::new("table cannot be read", path, error);
    let file = File::open(path).map_err(|error| cannot(&error))?;
    let read = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).map_err(|error| cannot(&error))?;
    let found = read.schema();
    for field in declared.fields() {
        match found.field_with_name(field.name()) {
            Err(_) => return Err(Failure::new("column is missing", path, field.name())),
            Ok(other) if other.data_type() != field.data_type() || other.is_nullable() != field.is_nullable() => {
                let cause = format_args!(
                    "{} is {}, and should be {}",
                    field.name(),
                    describe_type(other),
                    describe_type(field)
                );
                return Err(Failure::new("column has changed", path, cause));
            }
            Ok(_) => {}
        }
    }
    match found.fields().iter().find(|field| declared.field_with_name(field.name()).is_err()) {
        Some(field) => Err(Failure::new("column is unknown", path, field.name())),
        None => Ok(()),
    }
}

fn describe_type(field: &Field) -> String {
    format!("{}{}", field.data_type(), if field.is_nullable() { " or null" } else { "" })
}

pub(super) fn external(failure: Failure) -> DataFusionError {
    DataFusionError::External(Box::new(failure))
}
