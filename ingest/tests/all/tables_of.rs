//! Tables of archives: how tests make them and read their rows.

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrowPrimitiveType, RecordBatch};
use ingest::inputs::{Input, InputNaming, expand};
use ingest::plan::PlanOptions;
use ingest::progress::Progress;
use ingest::run::{RunOptions, RunReport, run};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fs::{self, File};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use stores::Stores;

/// The archives below a path.
pub(crate) fn inputs(path: &Path) -> Vec<Input> {
    expand(&[path.to_path_buf()], &InputNaming::default(), &mut &b""[..]).unwrap().inputs
}

/// Writes an archive of a crawl into a folder. Returns its path.
pub(crate) fn write_archive(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let archive = folder.join("crawl-data/TEST-1/robotstxt").join(name);
    fs::create_dir_all(archive.parent().unwrap()).unwrap();
    fs::write(&archive, bytes).unwrap();
    archive
}

pub(crate) fn make(inputs: Vec<Input>, out: &Path, jobs: NonZeroUsize) -> RunReport {
    let options = RunOptions { jobs, plan: PlanOptions::default(), stores: Stores::default() };
    run(inputs, out, &options, &Progress::default(), &AtomicBool::new(false)).unwrap()
}

/// A row of a table: its batch, and its index there.
pub(crate) struct TableRow<'b>(&'b RecordBatch, usize);

impl TableRow<'_> {
    pub(crate) fn text(&self, column: &str) -> Option<String> {
        let column = self.0[column].as_string::<i32>();
        column.is_valid(self.1).then(|| column.value(self.1).to_owned())
    }

    pub(crate) fn number<T: ArrowPrimitiveType>(&self, column: &str) -> Option<T::Native> {
        let column = self.0[column].as_primitive::<T>();
        column.is_valid(self.1).then(|| column.value(self.1))
    }

    pub(crate) fn large(&self, column: &str) -> Option<i64> {
        self.number::<Int64Type>(column)
    }
}

/// Calls `each` with each row of a table, of one crawl or of all.
pub(crate) fn each_row(out: &Path, table: &str, crawl: Option<&str>, mut each: impl FnMut(&TableRow<'_>)) {
    let list = |folder: PathBuf| fs::read_dir(folder).unwrap().map(|found| found.unwrap().path());
    let mut files: Vec<PathBuf> = match crawl {
        Some(crawl) => list(out.join(table).join(format!("crawl={crawl}"))).collect(),
        None => list(out.join(table)).flat_map(list).collect(),
    };
    files.sort();
    let read = |path| ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap().build().unwrap();
    for batch in files.into_iter().flat_map(read) {
        let batch = batch.unwrap();
        (0..batch.num_rows()).for_each(|row| each(&TableRow(&batch, row)));
    }
}

/// A record with a response.
pub(crate) fn response(host: &str, block: &str) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://{host}/robots.txt\r\n\
         WARC-Date: 2024-03-01T12:00:00Z\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}
