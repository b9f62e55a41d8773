//! The layout of a folder of tables.
//!
//! ```text
//! captures/crawl=CRAWL/part-00000.parquet    a part of a table; the other tables likewise
//! views.duckdb.sql                           the tables for DuckDB
//! _robocensus/plan.ndjson                    which part has which inputs
//! _robocensus/ledger/part-00000.json         the files and sums of a part that is done
//! _robocensus/models/sites/CRAWL.json        the inputs of a derived table of a crawl
//! _robocensus/views.json                     the digest of views.duckdb.sql
//! _robocensus/work/part-00000/               files of a part that is being written
//! _robocensus/lock                           the process that writes here
//! ```
//!
//! Readers of Parquet folders skip names that start with an underscore.

use crate::failure::Failure;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tables::PARTITION;

/// A folder of tables, and the paths in it.
#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The folder at a path, which need not exist.
    #[must_use]
    pub fn at(root: &Path) -> Self {
        Folder { root: root.to_path_buf() }
    }

    /// The folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of everything that is not a table.
    #[must_use]
    pub fn records(&self) -> PathBuf {
        self.root.join("_robocensus")
    }

    /// The plan: which part has which inputs.
    #[must_use]
    pub fn plan(&self) -> PathBuf {
        self.records().join("plan.ndjson")
    }

    /// The lock.
    #[must_use]
    pub fn lock(&self) -> PathBuf {
        self.records().join("lock")
    }

    /// The folder of the ledger.
    #[must_use]
    pub fn ledger(&self) -> PathBuf {
        self.records().join("ledger")
    }

    /// The entry of a part in the ledger.
    #[must_use]
    pub fn entry(&self, part: u32) -> PathBuf {
        self.ledger().join(format!("part-{part:05}.json"))
    }

    /// The folder for files that are being written.
    #[must_use]
    pub fn work(&self) -> PathBuf {
        self.records().join("work")
    }

    /// Where to write a file before it gets its name.
    #[must_use]
    pub fn draft(&self, path: &Path) -> PathBuf {
        self.work().join(path.file_name().unwrap_or_default())
    }

    /// The folder for the files of a part that are being written.
    #[must_use]
    pub fn work_of(&self, part: u32) -> PathBuf {
        self.work().join(format!("part-{part:05}"))
    }

    /// The folder of the entries of a derived table.
    #[must_use]
    pub fn model(&self, table: &str) -> PathBuf {
        self.records().join("models").join(table)
    }

    /// The folder of a table and a crawl.
    #[must_use]
    pub fn partition(&self, table: &str, crawl: &str) -> PathBuf {
        self.root.join(table).join(format!("{}={crawl}", PARTITION.name))
    }

    /// The file of a table, a crawl and a part.
    #[must_use]
    pub fn file(&self, table: &str, crawl: &str, part: u32) -> PathBuf {
        self.partition(table, crawl).join(format!("part-{part:05}.parquet"))
    }
}

/// Makes an empty work folder. What a killed run left there is removed.
pub fn begin_work(folder: &Folder) -> Result<(), Failure> {
    end_work(folder)?;
    fs::create_dir(folder.work()).map_err(Failure::at("folder cannot be made", &folder.work()))
}

/// Removes the work folder.
pub fn end_work(folder: &Folder) -> Result<(), Failure> {
    match fs::remove_dir_all(folder.work()) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(Failure::new("folder cannot be removed", &folder.work(), error))
        }
        _ => Ok(()),
    }
}
