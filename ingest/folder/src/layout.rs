//! Where everything lies in a folder of tables.
//!
//! ```text
//! captures/crawl=CRAWL/part-00000.parquet    and so each table
//! _robocensus/plan.ndjson                    which inputs are which part
//! _robocensus/ledger/part-00000.json         what became of a part
//! _robocensus/models/sites/CRAWL.json        what a derived table of a crawl was made of
//! _robocensus/work/part-00000/               files of a part on their way
//! _robocensus/lock                           the process that writes here
//! ```
//!
//! Whoever reads Parquet folders passes over names that begin with an underscore.

use crate::failure::Failure;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tables::PARTITION;

/// Where everything lies in a folder of tables.
#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The folder at a path, whether it is there or not.
    #[must_use]
    pub fn at(root: &Path) -> Self {
        Folder { root: root.to_path_buf() }
    }

    /// The folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What is not a table.
    #[must_use]
    pub fn records(&self) -> PathBuf {
        self.root.join("_robocensus")
    }

    /// The plan: which inputs are which part.
    #[must_use]
    pub fn plan(&self) -> PathBuf {
        self.records().join("plan.ndjson")
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

    /// Where files are written before they get their names.
    #[must_use]
    pub fn work(&self) -> PathBuf {
        self.records().join("work")
    }

    /// Where a file is written before it gets its name.
    #[must_use]
    pub fn draft(&self, path: &Path) -> PathBuf {
        self.work().join(path.file_name().unwrap_or_default())
    }

    /// The same for the files of a part.
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

/// Makes the folder of work, without what a run that was killed has left there.
pub fn begin_work(folder: &Folder) -> Result<(), Failure> {
    end_work(folder)?;
    fs::create_dir(folder.work()).map_err(Failure::at("folder cannot be made", &folder.work()))
}

/// Removes the folder of work.
pub fn end_work(folder: &Folder) -> Result<(), Failure> {
    match fs::remove_dir_all(folder.work()) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(Failure::new("folder cannot be removed", &folder.work(), error))
        }
        _ => Ok(()),
    }
}
