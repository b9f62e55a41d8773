//! Opens a table of the folder. Its files must be those of the ledger, and their columns those of its declaration.
//!
//! DataFusion reads any file that it finds, and fills a missing column with nulls. So the names and the footers of the
//! files are compared first.

use super::external::external;
use super::folder_table::{self, FolderTable};
use crate::engine::table_reader::TableReader;
use crate::freshness::is_derived;
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::catalog::TableProvider;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::error::Result;
use folder::ledger::{self, LedgerEntry};
use folder::models::PART;
use folder::verified::{KnownFile, KnownFiles};
use folder::{Failure, Folder, Lock, models, mounts, regular};
use object_store::path::Path as ObjectPath;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::{fs, io};
use tables::{PARTITION, Table};
use url::Url;

/// How many footers one thread reads before another thread is worth starting.
const FOOTERS_A_THREAD: usize = 64;

/// How many footers are fetched from a store at the same time.
const REQUESTS: usize = 16;

/// The digests of the files of a table, by path.
pub(super) type WrittenFiles = BTreeMap<PathBuf, Arc<KnownFile>>;

/// The files that a table must have; `None` if that is unknown, as for a copy of the tables without their ledger.
pub(super) fn written(
    folder: &Folder,
    table: &Table,
    entries: &BTreeMap<u32, LedgerEntry>,
) -> std::result::Result<Option<WrittenFiles>, Failure> {
    if entries.is_empty() {
        return Ok(None);
    }
    let mut written = WrittenFiles::new();
    if is_derived(table.name) {
        for crawl in ledger::crawls(entries) {
            if let Some(made) = models::read(folder, table.name, crawl)? {
                written.insert(folder.file(table.name, crawl, PART), Arc::new(KnownFile::from(&made.file)));
            }
        }
    } else {
        for entry in entries.values() {
            for file in entry.files.iter().filter(|file| file.table == table.name) {
                let path = folder.file(table.name, &entry.crawl, entry.part);
                written.insert(path, Arc::new(KnownFile::from(file)));
            }
        }
    }
    Ok(Some(written))
}

/// Fails unless the ledger and the folder have the same files of captures.
pub(super) fn compare_ledger(
    folder: &Folder,
    entries: &BTreeMap<u32, LedgerEntry>,
) -> std::result::Result<(), Failure> {
    let captures = tables::captures::table();
    let written = written(folder, &captures, entries)?.unwrap_or_default();
    compare_names(folder, &files(folder, &captures)?, &written)
}

/// Opens a table, and adds the digests of its files to `known`. Fails if it has no file, if its files are not those of
/// the ledger, or if the columns of a file differ from the declaration.
pub(super) fn open(
    folder: &Folder,
    table: &Table,
    written: Option<&WrittenFiles>,
    known: &KnownFiles,
) -> Result<Arc<dyn TableProvider>> {
    let root = folder.root().join(table.name);
    let mut files = files(folder, table).map_err(external)?;
    if files.is_empty() {
        let cause = if folder.shards().exists() {
            "it has no file; robocensus commit publishes what shards have made"
        } else if is_derived(table.name) && has_file(folder, &tables::captures::table()) {
            "it has no file; robocensus models makes it"
        } else {
            "it has no file; robocensus ingest writes it"
        };
        return Err(external(Failure::new("table is missing", &root, cause)));
    }
    let schema = table.schema();
    if let Some(written) = written {
        compare_names(folder, &files, written).map_err(external)?;
        files.retain(|file| written.contains_key(file));
    }
    let known_files: Vec<KnownPath> =
        files.iter().map(|file| (file.clone(), written.and_then(|written| written.get(file).cloned()))).collect();
    compare(&known_files, &schema).map_err(external)?;
    let whole = fs::canonicalize(&root).ok();
    let mut only_files = None;
    if let Some(whole) = &whole {
        let known_files = known_files.into_iter().filter_map(|(file, known)| Some((file, known?)));
        // Statements name files by their absolute path.
        let known_files: Vec<(PathBuf, Arc<KnownFile>)> =
            known_files.map(|(file, known)| (whole.join(file.strip_prefix(&root).unwrap_or(&file)), known)).collect();
        let path = |file: &PathBuf| {
            ObjectPath::from_absolute_path(file)
                .map_err(|error| external(Failure::new("table cannot be read", file, error)))
        };
        let paths = known_files.iter().map(|(file, _)| path(file));
        only_files = written.map(|_| paths.collect::<Result<HashSet<_>>>()).transpose()?;
        known.add(known_files);
    }
    let url = whole.and_then(|whole| Url::from_directory_path(whole).ok());
    let url = url
        .ok_or_else(|| external(Failure::new("table cannot be read", &root, "its path cannot be written as a URL")))?;
    let options = ListingOptions::new(Arc::new(ParquetFormat::default()))
        .with_file_extension(".parquet")
        .with_table_partition_cols(vec![(PARTITION.name.to_owned(), DataType::Utf8)]);
    let config =
        ListingTableConfig::new(ListingTableUrl::try_new(url, None)?).with_listing_options(options).with_schema(schema);
    let listing = ListingTable::try_new(config)?;
    let is_by_body = table.columns.first().is_some_and(|column| column.name == folder_table::KEY);
    Ok(Arc::new(FolderTable::new(listing, only_crawl(&files), only_files, is_by_body)))
}

/// The crawl of these files, if it is the same for all.
fn only_crawl(files: &[PathBuf]) -> Option<String> {
    let (first, last) = (crawl_of(files.first()?.parent()?)?, crawl_of(files.last()?.parent()?)?);
    (first == last).then(|| first.to_owned())
}

/// The crawl that the name of a partition's folder states.
fn crawl_of(folder: &Path) -> Option<&str> {
    folder.file_name()?.to_str()?.strip_prefix(PARTITION.name)?.strip_prefix('=')
}

/// Whether a table has a file.
pub(crate) fn has_file(folder: &Folder, table: &Table) -> bool {
    files(folder, table).is_ok_and(|files| !files.is_empty())
}

/// The files of a table, by crawl and part.
fn files(folder: &Folder, table: &Table) -> std::result::Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for crawl in regular::list_below(&folder.root().join(table.name))?.folders {
        if crawl_of(&crawl).is_some_and(|crawl| !folder.has(crawl)) {
            continue;
        }
        let listed = regular::list_below(&crawl)?.files.into_iter();
        files.extend(listed.filter(|file| file.extension().is_some_and(|end| end == "parquet")));
    }
    Ok(files)
}

/// Compares the names of files with those in the ledger.
fn compare_names(folder: &Folder, files: &[PathBuf], written: &WrittenFiles) -> std::result::Result<(), Failure> {
    let found: BTreeSet<&PathBuf> = files.iter().collect();
    if let Some(missing) = written.keys().find(|path| !found.contains(path)) {
        let cause = "the ledger has it; run robocensus ingest or robocensus models to make it again";
        return Err(Failure::new("file is missing", missing, cause));
    }
    match files.iter().find(|file| !written.contains_key(*file)) {
        // A running ingest, which holds the lock, publishes files before it writes their ledger entry. No scan reads them.
        Some(foreign) if Lock::share(folder).is_ok() => {
            let cause = "the ledger does not have it; robocensus ingest finishes an incomplete part, and robocensus check \
                         says more";
            Err(Failure::new("file is foreign", foreign, cause))
        }
        _ => Ok(()),
    }
}

/// A file, and its digests if they are known.
type KnownPath = (PathBuf, Option<Arc<KnownFile>>);

/// Compares the columns of each file with the declared ones.
fn compare<'f>(files: &'f [KnownPath], declared: &'f Schema) -> std::result::Result<(), Failure> {
    let threads = match files.first() {
        Some((file, _)) if mounts::is_mounted(file) => REQUESTS,
        _ => thread::available_parallelism().map_or(1, usize::from).min(files.len() / FOOTERS_A_THREAD + 1),
    };
    let each = files.len().div_ceil(threads).max(1);
    thread::scope(|scope| {
        let compare_all = |files: &'f [KnownPath]| {
            move || files.iter().try_for_each(|(file, known)| compare_one(file, known.clone(), declared))
        };
        let workers = (files.chunks(each)).map(|files| thread::Builder::new().spawn_scoped(scope, compare_all(files)));
        let workers = workers.collect::<io::Result<Vec<_>>>();
        let workers = workers.map_err(Failure::of_threads("footers"))?;
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(compared) => compared,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })
}

fn compare_one(path: &Path, known: Option<Arc<KnownFile>>, declared: &Schema) -> std::result::Result<(), Failure> {
    let file = TableReader::open(path, known)?;
    let read = ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()).map_err(|error| file.failure(&error))?;
    let found = read.schema();
    for field in declared.fields() {
        match found.field_with_name(field.name()) {
            Err(_) => return Err(Failure::new("column is missing", path, field.name())),
            Ok(other) if other.data_type() != field.data_type() || other.is_nullable() != field.is_nullable() => {
                let cause =
                    format_args!("{} is {} instead of {}", field.name(), describe_type(other), describe_type(field));
                return Err(Failure::new("column has changed", path, cause));
            }
            Ok(_) => {}
        }
    }
    match found.fields().iter().find(|field| declared.field_with_name(field.name()).is_err()) {
        Some(field) => Err(Failure::new("column is unknown", path, format_args!("its name is {}", field.name()))),
        None => Ok(()),
    }
}

fn describe_type(field: &Field) -> String {
    format!("{}{}", field.data_type(), if field.is_nullable() { " or null" } else { "" })
}
