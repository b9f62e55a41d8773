//! The layout of a folder of tables.
//!
//! ```text
//! captures/crawl=CRAWL/part-00000.parquet    a part of a table; the same for the other tables
//! views.duckdb.sql                           the tables for DuckDB
//! _robocensus/plan.ndjson                    which part has which inputs
//! _robocensus/ledger/part-00000.json         the files and sums of a part that is done
//! _robocensus/models/sites/CRAWL.json        the sources of a derived table of a crawl
//! _robocensus/views.json                     the digest of views.duckdb.sql
//! _robocensus/work/part-00000/               files of a part that is being written
//! _robocensus/work/crawl=CRAWL/              files that a task for the derived tables of one crawl is writing
//! _robocensus/work/lock=CRAWL                the lock of such a task, with its last process
//! _robocensus/shards/plan.json               how many shards share the plan
//! _robocensus/shards/parts/part-00000/       files of a part that a shard has made, with its entry, until publication
//! _robocensus/shards/done/shard-00000.json   what a finished shard has made
//! _robocensus/shards/drafts/                 files that shards are writing
//! _robocensus/lock                           the lock, with the process that writes to the folder
//! ```
//!
//! Readers of Parquet folders skip names that start with an underscore.

use crate::crawl::is_name_of_folder;
use crate::failure::Failure;
use crate::regular;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tables::PARTITION;

/// What commands say of a folder without tables.
pub const WITHOUT_TABLES: &str = "folder has no tables";

/// The file with which DuckDB reads the tables.
pub const VIEWS_FILE: &str = "views.duckdb.sql";

/// The start of the file names of task locks.
const TASK_LOCK: &str = "lock=";

/// A folder of tables, and the paths in it.
#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
    /// The only visible crawl, or `None` if all are visible.
    crawl: Option<String>,
}

impl Folder {
    /// The folder at a path, which need not exist.
    #[must_use]
    pub fn at(root: &Path) -> Self {
        Folder { root: root.to_path_buf(), crawl: None }
    }

    /// The folder for a task that makes the derived tables of one crawl. Only that crawl is visible, since other tasks
    /// may make those of other crawls at the same time.
    #[must_use]
    pub fn of_crawl(self, crawl: Option<&str>) -> Self {
        Folder { crawl: crawl.map(str::to_owned), ..self }
    }

    /// The only visible crawl, or `None` if all are visible.
    pub(crate) fn crawl(&self) -> Option<&str> {
        self.crawl.as_deref()
    }

    /// Whether a crawl is visible.
    #[must_use]
    pub fn has(&self, crawl: &str) -> bool {
        self.crawl.as_ref().is_none_or(|only| only == crawl)
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
        self.ledger().join(format!("{}.json", part_name(part)))
    }

    /// The folder for files that are being written.
    #[must_use]
    pub fn work(&self) -> PathBuf {
        let work = self.all_work();
        self.crawl.as_ref().map_or_else(|| work.clone(), |crawl| work.join(format!("{}={crawl}", PARTITION.name)))
    }

    /// The folder of [`Folder::work`] and of the locks of tasks.
    pub(crate) fn all_work(&self) -> PathBuf {
        self.records().join("work")
    }

    /// The lock of the task of a crawl.
    pub(crate) fn task_lock(&self, crawl: &str) -> PathBuf {
        self.all_work().join(format!("{TASK_LOCK}{crawl}"))
    }

    /// Whether a file is the lock of a task.
    #[must_use]
    pub fn is_task_lock(&self, path: &Path) -> bool {
        let name = path.strip_prefix(self.all_work()).ok().and_then(Path::to_str);
        name.and_then(|name| name.strip_prefix(TASK_LOCK)).is_some_and(is_name_of_folder)
    }

    /// Where to write a file before it gets its name.
    #[must_use]
    pub fn draft(&self, path: &Path) -> PathBuf {
        self.work().join(path.file_name().unwrap_or_default())
    }

    /// The folder for the files of a part that are being written.
    #[must_use]
    pub fn work_of(&self, part: u32) -> PathBuf {
        self.work().join(part_name(part))
    }

    /// The folder of shards that are not published yet.
    #[must_use]
    pub fn shards(&self) -> PathBuf {
        self.records().join("shards")
    }

    /// How many shards share the plan.
    #[must_use]
    pub fn shard_plan(&self) -> PathBuf {
        self.shards().join("plan.json")
    }

    /// The marker of a finished shard, which says what it has made.
    #[must_use]
    pub fn shard_marker(&self, shard: u32) -> PathBuf {
        self.shards().join("done").join(format!("shard-{shard:05}.json"))
    }

    /// The folder of [`Folder::staged`].
    #[must_use]
    pub fn all_staged(&self) -> PathBuf {
        self.shards().join("parts")
    }

    /// The files of a part that a shard has made, and its entry.
    #[must_use]
    pub fn staged(&self, part: u32) -> PathBuf {
        self.all_staged().join(part_name(part))
    }

    /// The folder in which shards write. Another process may write the same part under another name.
    #[must_use]
    pub fn shard_drafts(&self) -> PathBuf {
        self.shards().join("drafts")
    }

    /// The folder of the entries of all derived tables.
    #[must_use]
    pub fn models(&self) -> PathBuf {
        self.records().join("models")
    }

    /// The folder of the entries of a derived table.
    #[must_use]
    pub fn model(&self, table: &str) -> PathBuf {
        self.models().join(table)
    }

    /// The folders of all tables, which need not exist.
    pub fn table_folders(&self) -> impl Iterator<Item = PathBuf> {
        tables::all().into_iter().map(|table| self.root.join(table.name))
    }

    /// Whether a name directly in the folder is expected: a table, the records, the views for DuckDB, or what others
    /// add, which are hidden names and the `lost+found` of a new file system.
    #[must_use]
    pub fn is_expected(&self, name: &str) -> bool {
        let path = self.root.join(name);
        let is_own = path == self.records() || name == VIEWS_FILE || self.table_folders().any(|table| table == path);
        is_own || name.starts_with('.') || name == "lost+found"
    }

    /// The folder of a table and a crawl.
    #[must_use]
    pub fn partition(&self, table: &str, crawl: &str) -> PathBuf {
        self.root.join(table).join(format!("{}={crawl}", PARTITION.name))
    }

    /// The file of a table, a crawl and a part.
    #[must_use]
    pub fn file(&self, table: &str, crawl: &str, part: u32) -> PathBuf {
        self.partition(table, crawl).join(format!("{}.parquet", part_name(part)))
    }
}

/// The name of a part in the names of files and folders.
#[must_use]
pub fn part_name(part: u32) -> String {
    format!("part-{part:05}")
}

/// The part of such a name. `None` if it is another name.
#[must_use]
pub fn part_of_name(name: &str) -> Option<u32> {
    name.strip_prefix("part-")?.parse().ok()
}

/// Fails if the folder that a user named for its tables is missing or cannot be read.
pub fn require_folder(root: &Path) -> Result<(), Failure> {
    fs::read_dir(root).map(|_| ()).map_err(|error| {
        let is_other = matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory);
        let hint = if is_other { "; --tables names the folder that ingest wrote" } else { "" };
        Failure::new("folder cannot be read", root, format_args!("{error}{hint}"))
    })
}

/// Fails for a folder without a plan that has other files than tables, so that tables do not mix with them.
pub fn refuse_other_files(folder: &Folder) -> Result<(), Failure> {
    let root = folder.root();
    refuse_place(root)?;
    if folder.plan().exists() || !root.is_dir() {
        return Ok(());
    }
    let listed = fs::read_dir(root).map_err(Failure::at("folder cannot be read", root))?;
    for found in listed {
        let name = found.map_err(Failure::at("folder cannot be read", root))?.file_name();
        let name = name.to_string_lossy();
        if !folder.is_expected(&name) {
            let cause = format_args!("it has {name}; name a new or empty folder, or one that ingest wrote");
            return Err(Failure::new("folder holds other files", root, cause));
        }
    }
    Ok(())
}

/// Fails for a place where no folder of tables can be: below another one, or at a path that DataFusion cannot open.
pub fn refuse_place(root: &Path) -> Result<(), Failure> {
    regular::refuse_below_any(root)?;
    let place = std::path::absolute(root).map_err(Failure::at("folder cannot be made", root))?;
    match place.to_str() {
        Some(place) if !place.contains(|character: char| character.is_ascii_control()) => Ok(()),
        _ => {
            let cause = "its path has a control character, such as a line break, or is not UTF-8; name another folder";
            Err(Failure::new("folder cannot be made", root, cause))
        }
    }
}

/// Creates an empty work folder. Removes files that a killed run left there.
pub fn begin_work(folder: &Folder) -> Result<(), Failure> {
    remove_work(folder)?;
    fs::create_dir_all(folder.work()).map_err(Failure::at("folder cannot be made", &folder.work()))
}

/// Removes the work folder, and returns the outcome of the work. A failure of the work matters more than one of cleaning
/// up.
pub fn end_work<T, E: From<Failure>>(folder: &Folder, done: Result<T, E>) -> Result<T, E> {
    let removed = remove_work(folder);
    let done = done?;
    removed?;
    Ok(done)
}

fn remove_work(folder: &Folder) -> Result<(), Failure> {
    match fs::remove_dir_all(folder.work()) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(Failure::new("folder cannot be removed", &folder.work(), error))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_that_no_command_could_read_are_refused() {
        for name in ["tables", "ü", "a b", "q?s#h%41 [x]*"] {
            assert!(refuse_place(Path::new(name)).is_ok(), "{name:?}");
        }
        for name in ["line\nbreak", "escape\u{1b}", "\u{7f}", "a\tb/tables"] {
            assert!(refuse_place(Path::new(name)).is_err(), "{name:?}");
        }
        #[cfg(unix)]
        assert!(
            refuse_place(Path::new(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"\xff"))).is_err()
        );
    }

    #[test]
    fn names_in_a_folder_of_tables() {
        let folder = Folder::at(Path::new("tables"));
        for expected in ["captures", "sites", "_robocensus", "views.duckdb.sql", ".snapshot", "lost+found"] {
            assert!(folder.is_expected(expected), "{expected}");
        }
        for other in ["others", "capture", "robocensus", "views.sql", "notes.txt"] {
            assert!(!folder.is_expected(other), "{other}");
        }
    }
}
