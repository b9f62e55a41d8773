//! The ledger as tables, so that statements can compare it with the tables of the folder.

use super::memory::{NamedTables, in_memory};
use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use datafusion::catalog::TableProvider;
use folder::ledger::{LedgerEntry, WrittenFile};
use folder::{Failure, Folder};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The names of these tables.
pub(super) const NAMES: [&str; 2] = ["ledger_parts", "ledger_files"];

/// The meaning of one row of these tables; `None` for other tables.
pub(super) fn grain(name: &str) -> Option<&'static str> {
    let grains = ["one row per part that was ingested", "one row per part and table"];
    NAMES.into_iter().zip(grains).find(|(own, _)| *own == name).map(|(_, grain)| grain)
}

/// `ledger_parts` with one row per part, and `ledger_files` with one row per part and table.
pub(super) fn all(folder: &Folder, entries: &BTreeMap<u32, LedgerEntry>) -> Result<NamedTables, Failure> {
    let entries: Vec<&LedgerEntry> = entries.values().collect();
    let cannot = |error: &dyn std::fmt::Display| Failure::new("ledger cannot be read", folder.root(), error);
    let parts = table(parts(&entries)).map_err(|error| cannot(&error))?;
    let files = table(files(&entries)).map_err(|error| cannot(&error))?;
    Ok(NAMES.into_iter().zip([parts, files]).collect())
}

type NamedColumns = Vec<(&'static str, ArrayRef)>;

fn table(columns: NamedColumns) -> datafusion::error::Result<Arc<dyn TableProvider>> {
    in_memory(RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, false)))?)
}

fn parts(entries: &[&LedgerEntry]) -> NamedColumns {
    let numbers = |of: fn(&LedgerEntry) -> u64| numbers(entries.iter().map(|entry| of(entry)));
    vec![
        ("crawl", Arc::new(StringArray::from_iter_values(entries.iter().map(|entry| &entry.crawl)))),
        ("part_no", numbers(|entry| u64::from(entry.part))),
        ("inputs", numbers(|entry| entry.sums.inputs)),
        ("damaged_inputs", numbers(|entry| entry.sums.damaged_inputs)),
        ("failed_inputs", numbers(|entry| entry.sums.failed_inputs)),
        ("bytes", numbers(|entry| entry.sums.bytes)),
        ("good_bytes", numbers(|entry| entry.sums.good_bytes)),
        ("damaged_bytes", numbers(|entry| entry.sums.damaged_bytes)),
        ("records", numbers(|entry| entry.sums.records)),
        ("captures", numbers(|entry| entry.sums.captures)),
        ("skipped", numbers(|entry| entry.sums.skipped.values().sum())),
        ("body_bytes", numbers(|entry| entry.sums.body_bytes)),
    ]
}

fn files(entries: &[&LedgerEntry]) -> NamedColumns {
    let files: Vec<(&LedgerEntry, &WrittenFile)> =
        entries.iter().flat_map(|entry| entry.files.iter().map(|file| (*entry, file))).collect();
    let texts =
        |of: fn(&(&LedgerEntry, &WrittenFile)) -> String| Arc::new(StringArray::from_iter_values(files.iter().map(of)));
    let whole = |of: fn(&(&LedgerEntry, &WrittenFile)) -> u64| numbers(files.iter().map(of));
    vec![
        ("crawl", texts(|(entry, _)| entry.crawl.clone())),
        ("part_no", whole(|(entry, _)| u64::from(entry.part))),
        ("table_name", texts(|(_, file)| file.table.clone())),
        ("rows", whole(|(_, file)| file.rows)),
        ("bytes", whole(|(_, file)| file.bytes)),
        ("sha256", texts(|(_, file)| file.sha256.clone())),
    ]
}

fn numbers(values: impl Iterator<Item = u64>) -> ArrayRef {
    Arc::new(Int64Array::from_iter_values(values.map(|value| i64::try_from(value).unwrap_or(i64::MAX))))
}
