//! The sample in the folder of a test, and its tables.

use crate::questions;
use crate::rendering;
use crate::run::TestFolder;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tables::{PARTITION, Table, tables};

/// The folder of tables, below the folder of a test.
pub(crate) const OUT: &str = "tables";

/// The folder of the sample in this repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/sample")
}

/// A fresh folder for a test, with the archives of the sample below `crawl-data`.
pub(crate) fn folder(test: &str) -> TestFolder {
    let folder = TestFolder::new(test);
    copy(&root().join("crawl-data"), &folder.path().join("crawl-data"));
    folder
}

/// A fresh folder for a test, with the archives of the sample and a copy of their tables, which are made once.
pub(crate) fn ingested(test: &str) -> TestFolder {
    static MADE: OnceLock<TestFolder> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        let made = folder("ingested");
        made.run(&["ingest", "crawl-data", "--out", OUT]).exits_with(1);
        made
    });
    let folder = folder(test);
    copy(&made.path().join(OUT), &folder.path().join(OUT));
    folder
}

/// The same, with the derived tables.
pub(crate) fn modelled(test: &str) -> TestFolder {
    let folder = folder(test);
    copy(questions::modelled(), &folder.path().join(OUT));
    folder
}

/// Copies the content of a folder, with the times of its files: the ledger has those of archives.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder can be made");
    for found in fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display())) {
        let path = found.expect("a folder can be listed").path();
        let to = to.join(path.file_name().expect("it has a name"));
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, &to).expect("a file can be copied");
            let modified = path.metadata().and_then(|found| found.modified()).expect("it has a time");
            let file = File::options().append(true).open(&to).expect("a file can be opened");
            file.set_modified(modified).expect("the time can be set");
        }
    }
}

/// The bytes of all files below a folder, by path. Leaves out `_robocensus`.
pub(crate) fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    // The file for DuckDB contains the path of its folder.
    let is_kept = |path: &str| !path.starts_with("_robocensus/") && path != folder::VIEWS_FILE;
    let files = crate::server::files(folder).into_iter().filter(|(path, _)| is_kept(path));
    files.map(|(path, bytes)| (PathBuf::from(path), bytes)).collect()
}

/// The header and all rows of a table as lines, part by part. The column of the path is the last.
pub(crate) fn lines(out: &Path, table: &Table) -> Vec<String> {
    let mut parts: BTreeMap<String, (String, PathBuf)> = BTreeMap::new();
    for path in files(&out.join(table.name)).into_keys() {
        let folder = path.parent().and_then(Path::to_str).expect("it is below a folder");
        let (name, crawl) = folder.split_once('=').expect("the folder names the crawl");
        assert_eq!(name, PARTITION.name, "{}", path.display());
        let part = path.file_name().expect("it has a name").to_string_lossy().into_owned();
        let before = parts.insert(part, (crawl.to_owned(), out.join(table.name).join(&path)));
        assert_eq!(before, None, "two files of one part: {}", path.display());
    }
    let mut lines = vec![format!("{},{}", rendering::header(&table.schema()), PARTITION.name)];
    for (crawl, path) in parts.into_values() {
        let file = File::open(&path).expect("a file can be opened");
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(builder.schema().fields(), table.schema().fields(), "{}", path.display());
        for batch in builder.build().expect("a file can be read") {
            let rows = rendering::lines(&batch.expect("a file can be read"));
            lines.extend(rows.into_iter().map(|row| format!("{row},{}", rendering::text(&crawl))));
        }
    }
    lines
}

/// The expected tables of the sample, by name, as lines with a header.
pub(crate) fn expected() -> BTreeMap<&'static str, Vec<String>> {
    let read = |name: &str| fs::read_to_string(root().join(format!("expected/{name}.csv"))).unwrap_or_default();
    tables().iter().map(|table| (table.name, read(table.name).lines().map(str::to_owned).collect())).collect()
}
