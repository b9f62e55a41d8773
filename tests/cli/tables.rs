//! A folder of tables made of small archives, and ways to damage it.

use crate::run::TestFolder;
use crate::sample;
use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array as _, ArrayRef, Int32Array, Int64Array, RecordBatch, StringArray, new_null_array};
use flate2::Compression;
use flate2::write::GzEncoder;
use folder::blocks::Blocks;
use folder::seal;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Responses that give rows in every table. One body occurs twice, and one is empty.
const BODIES: [(u16, &str); 6] = [
    (200, "User-agent: GPTBot\nUser-agent: *\nDisallow: /a\nAllow: /a/b\nSitemap: https://a.example/s\n"),
    (200, "User-agent: *\nDisallow: /\n"),
    (404, "Not found"),
    (200, "User-agent: Bot/1.0\nCrawl-delay: 5\nDisalow: /x y\n\nDisallow: /z\n"),
    (200, "User-agent: *\nDisallow: /\n"),
    (200, ""),
];

/// A folder whose `tables` has two parts: TEST-1 with two archives, one with a damaged member, and TEST-2 with one.
pub(crate) fn ingested(test: &str) -> TestFolder {
    let folder = TestFolder::new(test);
    write_archive(&folder, "crawl-data/TEST-1/robotstxt/a.warc.gz", "a", None);
    write_archive(&folder, "crawl-data/TEST-1/robotstxt/b.warc.gz", "b", Some(3));
    write_archive(&folder, "crawl-data/TEST-2/robotstxt/c.warc.gz", "c", None);
    folder.run(&["ingest", "crawl-data", "--out", "tables", "--quiet"]).exits_with(1);
    folder
}

/// A folder with a copy of these tables, without the archives.
pub(crate) fn copied(test: &str) -> TestFolder {
    static BASE: OnceLock<TestFolder> = OnceLock::new();
    let base = BASE.get_or_init(|| ingested("check_base")).path();
    let folder = TestFolder::new(test);
    sample::copy(&base.join("tables"), &folder.path().join("tables"));
    folder
}

/// Writes an archive with a request and a response for each body. The response with the number `damaged` is damaged.
pub(crate) fn write_archive(folder: &TestFolder, path: &str, host: &str, damaged: Option<usize>) {
    let mut archive = Vec::new();
    for (nth, (status, body)) in BODIES.iter().enumerate() {
        let url = format!("https://{host}{nth}.example/robots.txt");
        let answer = format!("HTTP/1.1 {status} X\r\nContent-Type: text/plain\r\n\r\n{body}");
        for (kind, block) in [("request", "GET /robots.txt HTTP/1.1\r\n\r\n"), ("response", &answer)] {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
            let record = format!(
                "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2024-05-18T10:00:00Z\r\n\
                 Content-Length: {}\r\n\r\n{block}\r\n\r\n",
                block.len()
            );
            encoder.write_all(record.as_bytes()).expect("memory can be written to");
            let mut member = encoder.finish().expect("memory can be written to");
            if Some(nth) == damaged && kind == "response" {
                let checksum = member.len() - 8;
                if let Some(byte) = member.get_mut(checksum) {
                    *byte ^= 1;
                }
            }
            archive.extend(member);
        }
    }
    folder.write(path, archive);
}

/// A part of the tables that a test damages.
pub(crate) struct TablesPart<'f> {
    pub(crate) folder: &'f TestFolder,
    pub(crate) crawl: &'static str,
    pub(crate) number: u32,
}

impl TablesPart<'_> {
    /// The file of a table.
    pub(crate) fn file(&self, table: &str) -> PathBuf {
        let TablesPart { folder, crawl, number } = self;
        folder.path().join(format!("tables/{table}/crawl={crawl}/part-{number:05}.parquet"))
    }

    /// The entry of the ledger.
    pub(crate) fn entry(&self) -> PathBuf {
        self.folder.path().join(format!("tables/_robocensus/ledger/part-{:05}.json", self.number))
    }

    /// Changes bytes of a file.
    pub(crate) fn edit_bytes(&self, table: &str, edit: impl FnOnce(&mut Vec<u8>)) {
        let path = self.file(table);
        let mut bytes = fs::read(&path).expect("the file can be read");
        edit(&mut bytes);
        fs::write(path, bytes).expect("the file can be written");
    }

    /// Changes the entry of the ledger.
    pub(crate) fn edit_entry(&self, edit: impl FnOnce(&mut Value)) {
        edit_json(&self.entry(), edit);
    }

    /// Changes the rows of a file, and updates its ledger entry.
    pub(crate) fn edit_rows(&self, table: &str, edit: impl FnOnce(RecordBatch) -> Vec<RecordBatch>) {
        let path = self.file(table);
        let source = File::open(&path).expect("the file can be opened");
        let reader = ParquetRecordBatchReaderBuilder::try_new(source).and_then(|builder| builder.build());
        let batch = reader.expect("it is Parquet").next().expect("it has rows").expect("they can be read");
        let batches = edit(batch);
        let schema = batches.first().expect("rows are left").schema();
        let mut writer = ArrowWriter::try_new(Vec::new(), schema, None).expect("memory can be written to");
        batches.iter().for_each(|batch| writer.write(batch).expect("memory can be written to"));
        let bytes = writer.into_inner().expect("memory can be written to");
        fs::write(&path, &bytes).expect("the file can be written");
        self.record_in_ledger(table, &bytes, Some(batches.iter().map(RecordBatch::num_rows).sum()));
    }

    /// Changes bytes of a file, and updates its ledger entry.
    pub(crate) fn edit_digested(&self, table: &str, edit: impl FnOnce(&mut Vec<u8>)) {
        self.edit_bytes(table, edit);
        let bytes = fs::read(self.file(table)).expect("the file can be read");
        self.record_in_ledger(table, &bytes, None);
    }

    fn record_in_ledger(&self, table: &str, bytes: &[u8], rows: Option<usize>) {
        let sha256: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        self.edit_entry(|entry| {
            let files = entry["files"].as_array_mut().expect("an entry has files");
            let file = files.iter_mut().find(|file| file["table"] == table).expect("an entry has all tables");
            file["bytes"] = bytes.len().into();
            file["sha256"] = sha256.into();
            file["blocks"] = serde_json::to_value(Blocks::from_bytes(bytes)).expect("digests are a text");
            if let Some(rows) = rows {
                file["rows"] = rows.into();
            }
        });
    }

    /// Removes a row of a file.
    pub(crate) fn remove_row(&self, table: &str, row: usize) {
        self.edit_rows(table, |batch| vec![batch.slice(0, row), batch.slice(row + 1, batch.num_rows() - row - 1)]);
    }

    /// Appends a copy of the first row of a file.
    pub(crate) fn repeat_first_row(&self, table: &str) {
        self.edit_rows(table, |batch| vec![batch.clone(), batch.slice(0, 1)]);
    }

    /// Changes a number of a file.
    pub(crate) fn edit_number(&self, table: &str, column: &str, row: usize, edit: impl Fn(i64) -> i64) {
        self.edit_column(table, column, |before| {
            let before = before.as_primitive::<Int64Type>().iter().enumerate();
            Arc::new(
                before.map(|(nth, value)| if nth == row { value.map(&edit) } else { value }).collect::<Int64Array>(),
            )
        });
    }

    /// Replaces a 32-bit number of a file, or makes it null.
    pub(crate) fn set_int(&self, table: &str, column: &str, row: usize, small: Option<i32>) {
        self.edit_column(table, column, |before| {
            let before = before.as_primitive::<Int32Type>().iter().enumerate();
            Arc::new(before.map(|(nth, value)| if nth == row { small } else { value }).collect::<Int32Array>())
        });
    }

    /// Replaces a text of a file.
    pub(crate) fn set_text(&self, table: &str, column: &str, row: usize, text: &str) {
        self.edit_column(table, column, |before| {
            let before = before.as_string::<i32>().iter().enumerate();
            Arc::new(before.map(|(nth, value)| if nth == row { Some(text) } else { value }).collect::<StringArray>())
        });
    }

    /// Sets all rows of a column to null.
    pub(crate) fn put_null(&self, table: &str, column: &str) {
        self.edit_column(table, column, |before| new_null_array(before.data_type(), before.len()));
    }

    fn edit_column(&self, table: &str, column: &str, edit: impl FnOnce(&ArrayRef) -> ArrayRef) {
        self.edit_rows(table, |batch| {
            let at = batch.schema().index_of(column).unwrap_or_else(|error| panic!("{error}"));
            let mut columns = batch.columns().to_vec();
            columns[at] = edit(&columns[at]);
            vec![RecordBatch::try_new(batch.schema(), columns).expect("columns are alike")]
        });
    }
}

/// Changes a sealed file, and seals it again.
pub(crate) fn edit_sealed(path: &Path, edit: impl FnOnce(&str) -> String) {
    let text = seal::unseal(fs::read(path).expect("it can be read")).expect("it is sealed");
    let edited = edit(&text);
    assert_ne!(text, edited, "{}", path.display());
    fs::write(path, seal::seal(&edited)).expect("it can be written");
}

/// Changes a sealed JSON file.
pub(crate) fn edit_json(path: &Path, edit: impl FnOnce(&mut Value)) {
    edit_sealed(path, |text| {
        let mut value = serde_json::from_str(text).expect("it is JSON");
        edit(&mut value);
        value.to_string()
    });
}
