//! The folder that a run writes to: where everything lies in it, and who may write there.
//!
//! ```text
//! captures/crawl=CRAWL/part-00000.parquet    and so each table
//! _robocensus/plan.ndjson                    which inputs are which part
//! _robocensus/ledger/part-00000.json         what became of a part
//! _robocensus/work/part-00000/               files of a part on their way
//! _robocensus/lock                           the process that writes here
//! ```
//!
//! Whoever reads Parquet folders passes over names that begin with an underscore.

use crate::durable;
use crate::failure::Failure;
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Read as _, Seek as _, Write as _};
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

    pub(crate) fn plan(&self) -> PathBuf {
        self.records().join("plan.ndjson")
    }

    pub(crate) fn ledger(&self) -> PathBuf {
        self.records().join("ledger")
    }

    pub(crate) fn entry(&self, part: u32) -> PathBuf {
        self.ledger().join(format!("part-{part:05}.json"))
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.records().join("work")
    }

    /// Where a file is written before it gets its name.
    pub(crate) fn draft(&self, path: &Path) -> PathBuf {
        self.work().join(path.file_name().unwrap_or_default())
    }

    pub(crate) fn work_of(&self, part: u32) -> PathBuf {
        self.work().join(format!("part-{part:05}"))
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

/// That this process alone writes to a folder, or that nobody writes while this process reads. It ends with the process,
/// however that ends.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes a folder, which is made if it is not there.
    pub fn take(folder: &Folder) -> Result<Self, Failure> {
        durable::make_folder(&folder.records()).map_err(Failure::at("folder cannot be made", folder.root()))?;
        let path = folder.records().join("lock");
        let cannot = || Failure::at("folder cannot be locked", &path);
        let opened = File::options().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = opened.map_err(|error| match error.kind() {
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                Failure::new("folder cannot be written to", folder.root(), error)
            }
            _ => cannot()(error),
        })?;
        match file.try_lock() {
            Ok(()) => {}
            // Whoever reads it lets others read it as well, and writes no number.
            Err(TryLockError::WouldBlock) if file.try_lock_shared().is_ok() => {
                return Err(Failure::new("folder is in use", folder.root(), "another process checks it"));
            }
            Err(TryLockError::WouldBlock) => return Err(in_use(folder, &mut file)),
            Err(TryLockError::Error(error)) => return Err(cannot()(error)),
        }
        let write = |file: &mut File| {
            file.set_len(0)?;
            file.rewind()?;
            write!(file, "{}", std::process::id())
        };
        write(&mut file).map_err(cannot())?;
        Ok(Lock { _file: file })
    }

    /// Keeps writers away from a folder while it is read. One that has no lock, as a copy of the tables alone, is nobody's.
    pub(crate) fn share(folder: &Folder) -> Result<Option<Self>, Failure> {
        let path = folder.records().join("lock");
        let mut file = match File::open(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(Failure::at("folder cannot be locked", &path))?,
        };
        match file.try_lock_shared() {
            Ok(()) => Ok(Some(Lock { _file: file })),
            Err(TryLockError::WouldBlock) => Err(in_use(folder, &mut file)),
            // Where locks do not work, nobody writes: a run refuses to.
            Err(TryLockError::Error(_)) => Ok(None),
        }
    }
}

fn in_use(folder: &Folder, lock: &mut File) -> Failure {
    let mut holder = String::new();
    // Who holds it writes its number at once; without one there is still the fact.
    let _ = lock.read_to_string(&mut holder);
    let holder = holder.trim();
    let holder = if holder.is_empty() { "another process".to_owned() } else { format!("process {holder}") };
    Failure::new("folder is in use", folder.root(), format_args!("{holder} writes to it"))
}

/// Makes the folder of work, without what a run that was killed has left there.
pub(crate) fn begin_work(folder: &Folder) -> Result<(), Failure> {
    end_work(folder)?;
    fs::create_dir(folder.work()).map_err(Failure::at("folder cannot be made", &folder.work()))
}

/// Removes the folder of work.
pub(crate) fn end_work(folder: &Folder) -> Result<(), Failure> {
    match fs::remove_dir_all(folder.work()) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(Failure::new("folder cannot be removed", &folder.work(), error))
        }
        _ => Ok(()),
    }
}
