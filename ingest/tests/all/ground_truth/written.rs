//! The rows of the tables, in the form of the ground truth.

use super::manifest::Truth;
use crate::tables_of::each_row;
use arrow_array::temporal_conversions::timestamp_ms_to_datetime;
use arrow_array::types::{Int32Type, TimestampMillisecondType};
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
    each_row(out, "bodies", Some(crawl), |row| {
        let id = row.large("body_id").unwrap();
        let before = digests.insert(id, row.text("content_digest").unwrap());
        assert_eq!(before, None, "two bodies have the number {id}");
    });
    let mut files: BTreeMap<String, BTreeMap<u64, WrittenRow>> = BTreeMap::new();
    each_row(out, "captures", Some(crawl), |row| {
        let archived_digest = row.text("content_digest");
        let computed_digest = row.large("body_id").map(|id| digests[&id].clone());
        assert_eq!(computed_digest.is_some(), row.text("access_result").as_deref() == Some("successful"));
        let truth = Truth {
            length: unsigned(row.large("warc_record_length")),
            url: row.text("url").unwrap(),
            host: row.text("url_host_name").unwrap(),
            fetch_time: row.number::<TimestampMillisecondType>("fetch_time").map(time),
            status: row.number::<Int32Type>("fetch_status").map(i64::from),
            redirect: row.text("fetch_redirect"),
            payload_bytes: unsigned(row.large("body_bytes")),
            identified_type: row.text("content_mime_detected").unwrap_or_default(),
            is_truncated: row.text("content_truncated").is_some(),
        };
        let offset = unsigned(row.large("warc_record_offset"));
        let file = files.entry(row.text("warc_filename").unwrap()).or_default();
        let before = file.insert(offset, WrittenRow { truth, archived_digest, computed_digest });
        assert!(before.is_none(), "two captures of one place");
    });
    files
}

/// The accounts of all archives.
pub(crate) fn accounts(out: &Path) -> BTreeMap<String, WrittenAccount> {
    let mut accounts: BTreeMap<String, WrittenAccount> = BTreeMap::new();
    each_row(out, "inputs", None, |row| {
        let number = |column: &str| unsigned(row.large(column));
        let account = WrittenAccount {
            bytes: number("bytes"),
            good_bytes: number("good_bytes"),
            damaged_bytes: number("damaged_bytes"),
            records: number("records"),
            captures: number("captures"),
            error: row.text("error"),
            ..WrittenAccount::default()
        };
        assert!(accounts.insert(row.text("warc_filename").unwrap(), account).is_none());
    });
    each_row(out, "skips", None, |row| {
        let account = accounts.get_mut(&row.text("warc_filename").unwrap()).unwrap();
        let occurrences = unsigned(row.large("occurrences"));
        match row.text("kind").unwrap().as_str() {
            "skipped" => account.skipped += occurrences,
            "damaged" => account.damages += occurrences,
            _ => {}
        }
    });
    accounts
}

/// A time, as WARC writes it.
fn time(milliseconds: i64) -> String {
    let time = timestamp_ms_to_datetime(milliseconds).unwrap();
    time.format("%Y-%m-%dT%H:%M:%SZ").to_string()
}

fn unsigned(number: Option<i64>) -> u64 {
    u64::try_from(number.unwrap()).unwrap()
}
