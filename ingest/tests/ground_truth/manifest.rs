//! The ground truth beside an archive.

use ingest::archive::milliseconds;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

/// What is known of one response.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Truth {
    pub(crate) length: u64,
    pub(crate) url: String,
    /// Without the port that the manifests leave in five of them.
    pub(crate) host: String,
    pub(crate) fetch_time: Option<i64>,
    pub(crate) status: Option<i64>,
    /// As the server wrote it.
    pub(crate) location: String,
    pub(crate) payload_bytes: u64,
    /// SHA-1 in base32, of the payload as it is and not as the archive says.
    pub(crate) payload_digest: String,
    pub(crate) identified_type: String,
    pub(crate) is_truncated: bool,
}

/// The folders of all crawls, `…/crawl-data/CRAWL`.
pub(crate) fn crawls(corpus: &Path) -> Vec<PathBuf> {
    let folders = |folder: PathBuf| std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let mut crawls: Vec<PathBuf> = folders(corpus.to_path_buf())
        .flat_map(|set| folders(set.join("crawl-data")))
        .filter(|crawl| crawl.join("manifest.parquet").exists())
        .collect();
    crawls.sort();
    crawls
}

/// By archive and by offset.
pub(crate) fn by_file(crawl: &Path) -> BTreeMap<String, BTreeMap<u64, Truth>> {
    let manifest = SerializedFileReader::new(File::open(crawl.join("manifest.parquet")).unwrap()).unwrap();
    let mut files: BTreeMap<String, BTreeMap<u64, Truth>> = BTreeMap::new();
    for row in manifest.get_row_iter(None).unwrap() {
        let row = row.unwrap();
        let truth = Truth {
            length: number(&row, "length"),
            url: text(&row, "url"),
            host: text(&row, "host").split(':').next().unwrap_or_default().to_owned(),
            fetch_time: milliseconds(text(&row, "warc_date").as_bytes()),
            status: Some(i64::try_from(number(&row, "status")).unwrap()),
            location: text(&row, "location"),
            payload_bytes: number(&row, "payload_len"),
            payload_digest: text(&row, "payload_sha1_b32"),
            identified_type: text(&row, "identified_type"),
            is_truncated: matches!(field(&row, "truncated"), Field::Bool(true)),
        };
        let before = files.entry(text(&row, "warc_file")).or_default().insert(number(&row, "offset"), truth);
        assert_eq!(before, None, "two rows of one place: {row}");
    }
    files
}

fn field<'r>(row: &'r Row, name: &str) -> &'r Field {
    row.get_column_iter().find(|(column, _)| *column == name).unwrap().1
}

fn text(row: &Row, name: &str) -> String {
    match field(row, name) {
        Field::Str(text) => text.clone(),
        Field::Null => String::new(),
        other => unreachable!("{name} is {other}"),
    }
}

fn number(row: &Row, name: &str) -> u64 {
    match field(row, name) {
        Field::Long(number) => u64::try_from(*number).unwrap(),
        Field::Int(number) => u64::try_from(*number).unwrap(),
        Field::Short(number) => u64::try_from(*number).unwrap(),
        Field::ULong(number) => *number,
        other => unreachable!("{name} is {other}"),
    }
}
