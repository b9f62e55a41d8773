//! Folders of tables in object stores. Commands see a local folder instead. It has copies of the records, such as the
//! ledger, and a placeholder of the right length for each file of a table. Bytes are fetched in ranges and verified when
//! they are read. Files that a command writes go to the store.

use crate::exit::Exit;
use crate::failures::CommandResult;
use crate::interrupt::Interrupt;
use crate::streams::Streams;
use crate::terminal::{Safe, counted};
use analyze::SpillFolder;
use folder::mounts::{self, StoredFiles};
use folder::{Failure, Folder, views_file};
use indicatif::HumanCount;
use parking_lot::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::fs::{self, DirBuilder};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use stores::{ListedObject, Location, ObjectUrl, Replaces, Stores};

/// The stop flag of requests. It is never set: on Ctrl-C the process ends without waiting for them.
static NEVER: AtomicBool = AtomicBool::new(false);

/// A folder of tables in a store, mounted while a command uses it.
struct StoreTables {
    url: String,
    files: Arc<BucketFiles>,
    root: PathBuf,
    /// The temporary folder of `root`, removed on drop.
    _folder: SpillFolder,
}

/// The use that a command makes of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TableAccess {
    /// It reads them.
    Read,
    /// It writes them.
    Write,
    /// It plans shards.
    Plan,
    /// It makes the parts of a shard.
    Shard,
    /// It publishes the parts of all shards.
    Commit,
    /// It looks for shards that are not done.
    Missing,
}

impl TableAccess {
    fn may_write(self) -> bool {
        !matches!(self, TableAccess::Read | TableAccess::Missing)
    }

    /// Whether it needs no table. Then the files of tables are not listed: there may be a million.
    fn needs_only_records(self) -> bool {
        matches!(self, TableAccess::Shard | TableAccess::Missing)
    }

    /// Whether a file is copied at the start. Any other file is fetched when it is read.
    fn copies(self, path: &Path) -> bool {
        let folder = Folder::at(Path::new(""));
        if !path.starts_with(folder.records()) {
            return path == views_file::path(&folder);
        }
        if is_of_table(path) {
            return false;
        }
        match self {
            TableAccess::Read | TableAccess::Write => !path.starts_with(folder.shards()),
            // A shard reads only the entries of its own parts.
            TableAccess::Plan | TableAccess::Shard => !path.starts_with(folder.all_staged()),
            TableAccess::Commit | TableAccess::Missing => true,
        }
    }
}

impl StoreTables {
    /// Opens the tables of a command if they are in a store, and sets `tables` to the local folder that stands in for
    /// them.
    fn open(tables: &mut PathBuf, access: TableAccess, stores: Stores) -> Result<Option<Self>, Failure> {
        let location = Location::parse(tables)
            .map_err(|refusal| Failure::new("tables cannot be read", &refusal.shown, refusal.cause))?;
        let url = match &location {
            Location::Object(url) => url.clone(),
            Location::File(path) => {
                tables.clone_from(path);
                return Ok(None);
            }
        };
        stores.allow(&location);
        let above = std::env::temp_dir();
        // From here on, a signal must remove the folder.
        Interrupt::listen()?;
        let temporary = SpillFolder::in_folder(&above)?;
        let root = fs::canonicalize(&above).unwrap_or(above);
        let root = root.join(temporary.path().file_name().unwrap_or_default());
        let files = mirror(stores, &url, &root, access)?;
        mounts::mount(&root, url.as_str(), Arc::clone(&files) as Arc<dyn StoredFiles>);
        tables.clone_from(&root);
        Ok(Some(StoreTables { url: url.as_str().to_owned(), files, root, _folder: temporary }))
    }

    /// Prints how many requests were made, also for archives; for a command that only reads, how many bytes it read, too.
    fn print_traffic(&self, access: TableAccess, streams: &mut Streams<'_>) -> io::Result<()> {
        let (url, requests) = (Safe(self.url.as_bytes()), counted(self.files.stores.requests(), "request"));
        if access != TableAccess::Read {
            return streams.notify(format_args!("{url}: {requests}"));
        }
        let (read, all) = (HumanCount(self.files.read.load(Relaxed)), HumanCount(self.files.all));
        streams.notify(format_args!("{url}: {read} of {all} bytes of tables were read, in {requests}"))
    }
}

impl Drop for StoreTables {
    fn drop(&mut self) {
        mounts::unmount(&self.root);
    }
}

/// How many records are fetched before they are written. A hundred crawls have a gigabyte of records.
const RECORDS_TOGETHER: usize = 512;

/// Copies the records of a folder, such as the ledger, and makes a placeholder of the right length for each other file.
fn mirror(stores: Stores, url: &ObjectUrl, root: &Path, access: TableAccess) -> Result<Arc<BucketFiles>, Failure> {
    let place = PathBuf::from(url.as_str());
    let unread = || Failure::at("tables cannot be read", &place);
    let listed = list(&stores, url, access).map_err(unread())?;
    let folder = Folder::at(Path::new(""));
    let is_in_table = |object: &&ListedObject| is_of_table(&object.path) && !object.path.starts_with(folder.records());
    let has_tables = listed.iter().any(|object| is_in_table(&object));
    // A run that is continued may have written only its plan.
    let (may_be_new, needed) =
        if access.may_write() { (listed.is_empty(), folder.records()) } else { (false, folder.ledger()) };
    let needed = if access == TableAccess::Missing { folder.records() } else { needed };
    if !may_be_new && !listed.iter().any(|object| object.path.starts_with(&needed)) {
        let is_planned = listed.iter().any(|object| object.path == folder.plan());
        let cause = match has_tables {
            _ if is_planned => "no part is finished yet; run the same robocensus ingest or commit again",
            false => analyze::NO_TABLES,
            true => "it has tables but no _robocensus/ledger, which verifies them; copy that folder, too",
        };
        return Err(Failure::new(folder::WITHOUT_TABLES, &place, cause));
    }
    let cannot = |error: io::Error| Failure::new("folder for temporary files cannot be written", root, error);
    private_folder(root).map_err(cannot)?;
    let (records, others): (Vec<_>, Vec<_>) = listed.into_iter().partition(|object| access.copies(&object.path));
    for some in records.chunks(RECORDS_TOGETHER) {
        let contents = stores.whole(some, &NEVER).map_err(unread())?;
        for (object, content) in some.iter().zip(contents) {
            let path = root.join(&object.path);
            fs::create_dir_all(path.parent().unwrap_or(root))
                .and_then(|()| fs::write(&path, content))
                .map_err(cannot)?;
        }
    }
    for object in &others {
        mounts::make_placeholder(&root.join(&object.path), object.bytes).map_err(cannot)?;
    }
    let all = others.iter().filter(is_in_table).map(|object| object.bytes).sum();
    let stored = others.into_iter().map(|object| (object.path.clone(), Arc::new(object))).collect();
    let records = records.into_iter().map(|object| (object.path, object.etag)).collect();
    Ok(Arc::new(BucketFiles {
        stores,
        url: url.clone(),
        may_write: access.may_write(),
        stored: Mutex::new(stored),
        records: Mutex::new(records),
        all,
        read: AtomicU64::new(0),
    }))
}

/// The files of a folder, by their paths in it.
fn list(stores: &Stores, url: &ObjectUrl, access: TableAccess) -> io::Result<Vec<ListedObject>> {
    match access.needs_only_records() {
        true => list_below(stores, url, &Folder::at(Path::new("")).records()),
        false => Ok(stores.list(url)?),
    }
}

/// The files of a folder below a path, by their paths in the folder.
fn list_below(stores: &Stores, url: &ObjectUrl, path: &Path) -> io::Result<Vec<ListedObject>> {
    let below = url.below(&path.to_string_lossy()).map_err(|refusal| io::Error::other(refusal.cause))?;
    let listed = stores.list(&below)?.into_iter();
    Ok(listed.map(|object| ListedObject { path: path.join(&object.path), ..object }).collect())
}

/// A folder that nobody else can read.
fn private_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// The files of a folder of tables in a store.
#[derive(Debug)]
struct BucketFiles {
    stores: Stores,
    url: ObjectUrl,
    may_write: bool,
    /// The files whose bytes are only in the store.
    stored: Mutex<HashMap<PathBuf, Arc<ListedObject>>>,
    /// The ETags of the records, of which the folder has copies.
    records: Mutex<HashMap<PathBuf, Option<String>>>,
    /// The size of all files of tables in bytes.
    all: u64,
    /// How many of these bytes were fetched.
    read: AtomicU64,
}

impl BucketFiles {
    fn stored(&self) -> MutexGuard<'_, HashMap<PathBuf, Arc<ListedObject>>> {
        self.stored.lock()
    }

    /// The URL of a file that is written.
    fn writable(&self, path: &Path) -> io::Result<ObjectUrl> {
        let url = self.url.below(&path.to_string_lossy()).ok().filter(|_| self.may_write);
        url.ok_or_else(|| io::ErrorKind::ReadOnlyFilesystem.into())
    }

    fn records(&self) -> MutexGuard<'_, HashMap<PathBuf, Option<String>>> {
        self.records.lock()
    }
}

/// Whether a path is a file of a table.
fn is_of_table(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "parquet")
}

impl StoredFiles for BucketFiles {
    fn length(&self, path: &Path) -> Option<u64> {
        self.stored().get(path).map(|object| object.bytes)
    }

    fn put(&self, path: &Path, draft: &Path) -> io::Result<()> {
        let url = self.writable(path)?;
        // Every process makes the same file of a table. Another file may only replace the version that was read before.
        let replaces = match self.records().get(path) {
            _ if is_of_table(path) => Replaces::Anything,
            None => Replaces::Nothing,
            Some(Some(etag)) => Replaces::Version(etag.clone()),
            Some(None) => Replaces::Anything,
        };
        let etag = self.stores.put(&url, draft, &replaces)?;
        if is_of_table(path) {
            // From now on the local file has its bytes.
            self.stored().remove(path);
        } else {
            self.records().insert(path.to_path_buf(), etag);
        }
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let is_there = self.stored().remove(path).is_some() | self.records().remove(path).is_some();
        match self.url.below(&path.to_string_lossy()) {
            Ok(url) if is_there && self.may_write => self.stores.delete(std::slice::from_ref(&url)),
            _ => Ok(()),
        }
    }

    fn copy(&self, pairs: &[(PathBuf, PathBuf)]) -> io::Result<()> {
        let mut urls = Vec::new();
        let mut copies = Vec::new();
        for (from, to) in pairs {
            let original = self.stored().get(from).cloned().ok_or(io::ErrorKind::NotFound)?;
            let url = self.writable(to)?;
            urls.push((original.url.clone(), url.clone()));
            copies.push(ListedObject { path: to.clone(), url, bytes: original.bytes, etag: None });
        }
        self.stores.copy(&urls)?;
        self.stored().extend(copies.into_iter().map(|object| (object.path.clone(), Arc::new(object))));
        Ok(())
    }

    fn list(&self, below: &Path) -> io::Result<Vec<PathBuf>> {
        Ok(list_below(&self.stores, &self.url, below)?.into_iter().map(|object| object.path).collect())
    }

    fn remove_all(&self, paths: &[PathBuf]) -> io::Result<()> {
        let urls = paths.iter().map(|path| self.writable(path)).collect::<io::Result<Vec<_>>>()?;
        self.stores.delete(&urls)?;
        for path in paths {
            self.stored().remove(path);
            self.records().remove(path);
        }
        Ok(())
    }

    fn read(&self, path: &Path, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        let Some(object) = self.stored().get(path).cloned() else { return Err(io::ErrorKind::NotFound.into()) };
        self.read.fetch_add(ranges.iter().map(|range| range.end - range.start).sum(), Relaxed);
        self.stores.spans(&object, ranges, &NEVER)
    }
}

/// Runs a command that reads or writes tables, on disk or in a store. `tables` is its field with the typed folder, which
/// becomes the local folder to read from or to write to. `stores` has the limits on requests.
pub(crate) fn with_tables<C>(
    mut command: C,
    tables: fn(&mut C) -> &mut PathBuf,
    access: TableAccess,
    stores: Stores,
    streams: &mut Streams<'_>,
    run: impl FnOnce(&C, &mut Streams<'_>) -> CommandResult,
) -> CommandResult {
    let opened = StoreTables::open(tables(&mut command), access, stores)?;
    let exit = run(&command, streams)?;
    // The shards that are missing are for a scheduler, which needs no more.
    if let Some(opened) = opened.filter(|_| access != TableAccess::Missing && exit < Exit::Failed) {
        opened.print_traffic(access, streams)?;
    }
    Ok(exit)
}

/// Whether tables may exist, as far as is known without a request.
pub(crate) fn may_exist(tables: &Path) -> bool {
    !matches!(Location::parse(tables), Ok(Location::File(path)) if !path.is_dir())
}

/// Whether tables are in a store.
pub(crate) fn is_in_store(tables: &Path) -> bool {
    matches!(Location::parse(tables), Ok(Location::Object(_)))
}
