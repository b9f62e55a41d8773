//! The rows of the tables, in the form of the ground truth.

use super::manifest::Truth;
use crate::tables_of::batches;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, TimestampMillisecondType};
use arrow_array::{Array, ArrowPrimitiveType, RecordBatch};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// A row of `captures`.
pub(crate) struct WrittenRow {
    pub(crate) truth: Truth,
    /// The digest that the archive names.
    pub(crate) archived_digest: Option<String>,
    /// The computed digest of its body; only a successful response has one.
    pub(crate) computed_digest: Option<String>,
}

/// The counts of an archive in `inputs` and `skips`.
#[derive(Default)]
pub(crate) struct WrittenAccount {
    pub(crate) bytes: u64,
    pub(crate) good_bytes: u64,
    pub(crate) damaged_bytes: u64,
    pub(crate) records: u64,
    pub(crate) captures: u64,
    pub(crate) skipped: u64,
    pub(crate) damages: u64,
    pub(crate) error: Option<String>,
}

/// The captures of a crawl, by archive and by offset.
pub(crate) fn by_file(out: &Path, crawl: &str) -> BTreeMap<String, BTreeMap<u64, WrittenRow>> {
    let mut digests: HashMap<i64, String> = HashMap::new();
    for batch in batches(out, "bodies", Some(crawl)) {
        for row in 0..batch.num_rows() {
            let id = large(&batch, "body_id", row).unwrap();
            let before = digests.insert(id, text(&batch, "content_digest", row).unwrap());
            assert_eq!(before, None, "two bodies have the number {id}");
        }
    }
    let mut files: BTreeMap<String, BTreeMap<u64, WrittenRow>> = BTreeMap::new();
    for batch in batches(out, "captures", Some(crawl)) {
        for row in 0..batch.num_rows() {
            let text = |column: &str| text(&batch, column, row);
            let large = |column: &str| large(&batch, column, row);
            let archived_digest = text("content_digest");
            let computed_digest = large("body_id").map(|id| digests[&id].clone());
            assert_eq!(computed_digest.is_some(), text("access_result").as_deref() == Some("successful"));
            let truth = Truth {
                length: unsigned(large("warc_record_length")),
                url: text("url").unwrap(),
                host: text("url_host_name").unwrap(),
                fetch_time: time(&batch, "fetch_time", row),
                status: number::<Int32Type>(&batch, "fetch_status", row).map(i64::from),
                redirect: text("fetch_redirect"),
                payload_bytes: unsigned(large("body_bytes")),
                identified_type: text("content_mime_detected").unwrap_or_default(),
                is_truncated: text("content_truncated").is_some(),
            };
            let offset = unsigned(large("warc_record_offset"));
            let file = files.entry(text("warc_filename").unwrap()).or_default();
            assert!(
                file.insert(offset, WrittenRow { truth, archived_digest, computed_digest }).is_none(),
                "two captures of one place"
            );
        }
    }
    files
}

/// The accounts of all archives.
pub(crate) fn accounts(out: &Path) -> BTreeMap<String, WrittenAccount> {
    let mut accounts: BTreeMap<String, WrittenAccount> = BTreeMap::new();
    for batch in batches(out, "inputs", None) {
        for row in 0..batch.num_rows() {
            let number = |column: &str| unsigned(large(&batch, column, row));
            let account = WrittenAccount {
                bytes: number("bytes"),
                good_bytes: number("good_bytes"),
                damaged_bytes: number("damaged_bytes"),
                records: number("records"),
                captures: number("captures"),
                error: text(&batch, "error", row),
                ..WrittenAccount::default()
            };
            assert!(accounts.insert(text(&batch, "warc_filename", row).unwrap(), account).is_none());
        }
    }
    for batch in batches(out, "skips", None) {
        for row in 0..batch.num_rows() {
            let account = accounts.get_mut(&text(&batch, "warc_filename", row).unwrap()).unwrap();
            let occurrences = unsigned(large(&batch, "occurrences", row));
            match text(&batch, "kind", row).unwrap().as_str() {
                "skipped" => account.skipped += occurrences,
                "damaged" => account.damages += occurrences,
                _ => {}
            }
        }
    }
    accounts
}

fn text(batch: &RecordBatch, column: &str, row: usize) -> Option<String> {
    let column = batch[column].as_string::<i32>();
    column.is_valid(row).then(|| column.value(row).to_owned())
}

fn large(batch: &RecordBatch, column: &str, row: usize) -> Option<i64> {
    number::<Int64Type>(batch, column, row)
}

fn number<T: ArrowPrimitiveType>(batch: &RecordBatch, column: &str, row: usize) -> Option<T::Native> {
    let column = batch[column].as_primitive::<T>();
    column.is_valid(row).then(|| column.value(row))
}

/// A time, as WARC writes it.
fn time(batch: &RecordBatch, column: &str, row: usize) -> Option<String> {
    let column = batch[column].as_primitive::<TimestampMillisecondType>();
    let time = column.is_valid(row).then(|| column.value_as_datetime(row).unwrap());
    time.map(|time| time.format("%Y-%m-%dT%H:%M:%SZ").to_string())
}

fn unsigned(number: Option<i64>) -> u64 {
    u64::try_from(number.unwrap()).unwrap()
}
