//! The manifest of a crawl: the ground truth. None of it is computed with code of this project.

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The known facts of one response, and the digest of its payload.
pub(crate) struct ManifestResponse {
    pub(crate) truth: Truth,
    /// SHA-1 in base32, computed from the payload and not taken from the archive.
    pub(crate) payload_digest: String,
}

/// The known facts of one response.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Truth {
    pub(crate) length: u64,
    pub(crate) url: String,
    /// Without the port, which the manifests include in five hosts.
    pub(crate) host: String,
    pub(crate) fetch_time: Option<String>,
    pub(crate) status: Option<i64>,
    /// An absolute URL; the manifests have the location as written by the server.
    pub(crate) redirect: Option<String>,
    pub(crate) payload_bytes: u64,
    pub(crate) identified_type: String,
    pub(crate) is_truncated: bool,
}

/// The sets of crawls, in the order of their names.
pub(crate) fn sets(corpus: &Path) -> Vec<PathBuf> {
    folders(corpus).into_iter().filter(|set| set.join("crawl-data").is_dir()).collect()
}

/// The folders of all crawls of a set, `…/crawl-data/CRAWL`.
pub(crate) fn crawls(set: &Path) -> Vec<PathBuf> {
    folders(&set.join("crawl-data")).into_iter().filter(|crawl| crawl.join("manifest.parquet").exists()).collect()
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|found| found.unwrap().path()).collect();
    folders.sort();
    folders
}

/// By archive and by offset.
pub(crate) fn by_file(crawl: &Path) -> BTreeMap<String, BTreeMap<u64, ManifestResponse>> {
    let manifest = SerializedFileReader::new(File::open(crawl.join("manifest.parquet")).unwrap()).unwrap();
    let mut files: BTreeMap<String, BTreeMap<u64, ManifestResponse>> = BTreeMap::new();
    for row in manifest.get_row_iter(None).unwrap() {
        let row = row.unwrap();
        let (url, location) = (text(&row, "url"), text(&row, "location"));
        let truth = Truth {
            length: number(&row, "length"),
            redirect: absolute(&url, &location),
            url,
            host: text(&row, "host").split(':').next().unwrap_or_default().to_owned(),
            fetch_time: Some(text(&row, "warc_date")),
            status: Some(i64::try_from(number(&row, "status")).unwrap()),
            payload_bytes: number(&row, "payload_len"),
            identified_type: text(&row, "identified_type"),
            is_truncated: matches!(field(&row, "truncated"), Field::Bool(true)),
        };
        let response = ManifestResponse { truth, payload_digest: text(&row, "payload_sha1_b32") };
        let before = files.entry(text(&row, "warc_file")).or_default().insert(number(&row, "offset"), response);
        assert!(before.is_none(), "two rows have the same place: {row}");
    }
    files
}

/// The URL to which a response redirects. All relative locations of the manifests are paths, and all ports are the default
/// of `https`, which a URL does not need.
fn absolute(url: &str, location: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://").unwrap();
    let host = rest.split('/').next().unwrap();
    match location {
        "" => None,
        path if path.starts_with('/') && !path.starts_with("//") => Some(format!("{scheme}://{host}{path}")),
        whole => Some(whole.replacen(":443/", "/", 1)),
    }
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
