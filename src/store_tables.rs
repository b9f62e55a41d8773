//! Folders of tables in object stores. Commands that read tables see a local folder. It has a copy of the ledger, and a
//! placeholder of the right length for each file of a table. Bytes are fetched in ranges and verified when they are
//! read.

use crate::exit::Exit;
use crate::failures;
use crate::streams::Streams;
use crate::terminal::Safe;
use analyze::SpillFolder;
use folder::mounts::{self, StoredFiles};
use folder::{Failure, Folder};
use indicatif::HumanCount;
use std::collections::{HashMap, VecDeque};
use std::fs::{self, DirBuilder, File};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use stores::{ListedObject, Location, ObjectUrl, Replaces, StoreOptions, Stores};

/// The end of a file is fetched in one request: it has the Parquet footer, which is read in several steps.
const TAIL_BYTES: u64 = 128 << 10;

/// How many bytes of file ends to keep in memory.
const KEPT_BYTES: usize = 64 << 20;

/// The stop flag of requests. It is never set: on Ctrl-C the process ends without waiting for them.
static NEVER: AtomicBool = AtomicBool::new(false);

/// A folder of tables in a store, mounted while a command reads it.
struct StoreTables {
    url: String,
    files: Arc<BucketFiles>,
    root: PathBuf,
    /// The temporary folder of `root`, removed on drop.
    _folder: SpillFolder,
}

impl StoreTables {
    /// Opens the tables of a command if they are in a store, and sets `tables` to the local folder that stands in for
    /// them.
    fn open(tables: &mut PathBuf, may_write: bool) -> Result<Option<Self>, Failure> {
        let location = Location::parse(tables)
            .map_err(|refusal| Failure::new("tables cannot be read", &refusal.shown, refusal.cause))?;
        let url = match &location {
            Location::Object(url) => url.clone(),
            Location::File(path) => {
                tables.clone_from(path);
                return Ok(None);
            }
        };
        let stores = Stores::new(StoreOptions::default());
        stores.allow(&location);
        let above = std::env::temp_dir();
        let temporary = SpillFolder::in_folder(&above)?;
        let root = fs::canonicalize(&above).unwrap_or(above);
        let root = root.join(temporary.path().file_name().unwrap_or_default());
        let files = mirror(&stores, &url, &root, may_write)?;
        mounts::mount(&root, url.as_str(), Arc::clone(&files) as Arc<dyn StoredFiles>);
        tables.clone_from(&root);
        Ok(Some(StoreTables { url: url.as_str().to_owned(), files, root, _folder: temporary }))
    }

    /// Prints how many bytes were read.
    fn print_traffic(&self, streams: &mut Streams<'_>) -> io::Result<()> {
        let (read, all) = (self.files.read.load(Relaxed), self.files.all);
        let url = Safe(self.url.as_bytes());
        writeln!(
            streams.err,
            "{url}: {} of {} bytes of tables were read, in {} requests",
            HumanCount(read),
            HumanCount(all),
            self.files.stores.requests()
        )
    }
}

impl Drop for StoreTables {
    fn drop(&mut self) {
        mounts::unmount(&self.root);
    }
}

/// Copies the small files of a folder, such as the ledger, and makes a file of the right length for each file of a
/// table.
fn mirror(stores: &Stores, url: &ObjectUrl, root: &Path, may_write: bool) -> Result<Arc<BucketFiles>, Failure> {
    let place = PathBuf::from(url.as_str());
    let listed = stores.list(url).map_err(Failure::at("tables cannot be read", &place))?;
    let (parts, records): (Vec<_>, Vec<_>) = listed.into_iter().partition(|object| is_of_table(&object.path));
    let folder = Folder::at(Path::new(""));
    // A run that is continued may have written only its plan.
    let is_new = parts.is_empty() && records.is_empty();
    let (may_be_new, needed) = if may_write { (is_new, folder.records()) } else { (false, folder.ledger()) };
    if !may_be_new && !records.iter().any(|object| object.path.starts_with(&needed)) {
        let cause = match parts.is_empty() {
            true => "it has none of the folders of tables; name one that robocensus ingest wrote",
            false => "it has tables but no _robocensus/ledger, which verifies them; copy that folder, too",
        };
        return Err(Failure::new("folder has no tables", &place, cause));
    }
    let cannot = |error: io::Error| Failure::new("folder for temporary files cannot be written", root, error);
    private_folder(root).map_err(cannot)?;
    let contents = stores.whole(&records, &NEVER).map_err(Failure::at("tables cannot be read", &place))?;
    for (object, content) in records.iter().zip(contents) {
        let path = root.join(&object.path);
        fs::create_dir_all(path.parent().unwrap_or(root)).and_then(|()| fs::write(&path, content)).map_err(cannot)?;
    }
    for object in &parts {
        let path = root.join(&object.path);
        fs::create_dir_all(path.parent().unwrap_or(root))
            .and_then(|()| File::create(&path)?.set_len(object.bytes))
            .map_err(cannot)?;
    }
    let all = parts.iter().map(|object| object.bytes).sum();
    let parts = parts.into_iter().map(|object| (object.path.clone(), Arc::new(object))).collect();
    let records = records.into_iter().map(|object| (object.path, object.etag)).collect();
    Ok(Arc::new(BucketFiles {
        stores: stores.clone(),
        url: url.clone(),
        may_write,
        parts: Mutex::new(parts),
        records: Mutex::new(records),
        all,
        read: AtomicU64::new(0),
        tails: Mutex::default(),
    }))
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
    /// The files of tables whose bytes are only in the store.
    parts: Mutex<HashMap<PathBuf, Arc<ListedObject>>>,
    /// The ETags of all other files in the store.
    records: Mutex<HashMap<PathBuf, Option<String>>>,
    /// The total size of `parts` in bytes.
    all: u64,
    /// How many of these bytes were fetched.
    read: AtomicU64,
    tails: Mutex<Tails>,
}

/// The ends of the files that were read last.
#[derive(Debug, Default)]
struct Tails {
    by_path: HashMap<PathBuf, Arc<Vec<u8>>>,
    in_order: VecDeque<PathBuf>,
    bytes: usize,
}

impl Tails {
    fn add(&mut self, path: &Path, tail: Arc<Vec<u8>>) {
        self.bytes += tail.len();
        if let Some(before) = self.by_path.insert(path.to_path_buf(), tail) {
            self.bytes -= before.len();
        } else {
            self.in_order.push_back(path.to_path_buf());
        }
        while self.bytes > KEPT_BYTES
            && let Some(oldest) = self.in_order.pop_front()
        {
            self.bytes -= self.by_path.remove(&oldest).map_or(0, |tail| tail.len());
        }
    }
}

impl BucketFiles {
    fn parts(&self) -> MutexGuard<'_, HashMap<PathBuf, Arc<ListedObject>>> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn records(&self) -> MutexGuard<'_, HashMap<PathBuf, Option<String>>> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a path is a file of a table.
fn is_of_table(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "parquet")
}

impl StoredFiles for BucketFiles {
    fn length(&self, path: &Path) -> Option<u64> {
        self.parts().get(path).map(|object| object.bytes)
    }

    fn put(&self, path: &Path, draft: &Path) -> io::Result<()> {
        let Some(url) = self.url.below(&path.to_string_lossy()).ok().filter(|_| self.may_write) else {
            return Err(io::ErrorKind::ReadOnlyFilesystem.into());
        };
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
            self.parts().remove(path);
        } else {
            self.records().insert(path.to_path_buf(), etag);
        }
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let is_there = self.parts().remove(path).is_some() | self.records().remove(path).is_some();
        match self.url.below(&path.to_string_lossy()) {
            Ok(url) if is_there && self.may_write => self.stores.delete(std::slice::from_ref(&url)),
            _ => Ok(()),
        }
    }

    fn read(&self, path: &Path, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        let Some(object) = self.parts().get(path).cloned() else { return Err(io::ErrorKind::NotFound.into()) };
        let tail_start = object.bytes.saturating_sub(TAIL_BYTES);
        let is_in_tail = |range: &Range<u64>| range.start >= tail_start && range.end <= object.bytes;
        let kept = || self.tails.lock().unwrap_or_else(PoisonError::into_inner);
        let tail = kept().by_path.get(path).cloned();
        // Fetched are the spans that start before the tail, and the tail if it is needed and not in memory.
        let is_fetched = |range: &&Range<u64>| !is_in_tail(range);
        let mut spans: Vec<Range<u64>> = ranges.iter().filter(is_fetched).cloned().collect();
        let needs_tail = tail.is_none() && ranges.iter().any(is_in_tail);
        if needs_tail {
            spans.push(tail_start..object.bytes);
        }
        self.read.fetch_add(spans.iter().map(|span| span.end - span.start).sum(), Relaxed);
        let mut fetched = self.stores.spans(&object, &spans, &NEVER)?;
        let tail = match fetched.pop_if(|_| needs_tail) {
            Some(bytes) => {
                let tail = Arc::new(bytes);
                kept().add(path, Arc::clone(&tail));
                Some(tail)
            }
            None => tail,
        };
        let mut fetched = fetched.into_iter();
        let bytes_of = |range: &Range<u64>| {
            if !is_in_tail(range) {
                return fetched.next();
            }
            let (start, end) = (range.start - tail_start, range.end - tail_start);
            Some(tail.as_ref()?.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)?.to_vec())
        };
        let read = ranges.iter().map(bytes_of).collect::<Option<Vec<_>>>();
        read.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

/// Runs a command that reads tables, on disk or in a store, with the local folder to read from.
pub(crate) fn with_tables(
    typed: &Path,
    is_quiet: bool,
    streams: &mut Streams<'_>,
    run: impl FnOnce(PathBuf, &mut Streams<'_>) -> io::Result<Exit>,
) -> io::Result<Exit> {
    with(typed, false, is_quiet, streams, run)
}

/// Runs a command that writes tables, on disk or in a store, with the local folder to write to.
pub(crate) fn with_written_tables(
    typed: &Path,
    streams: &mut Streams<'_>,
    run: impl FnOnce(PathBuf, &mut Streams<'_>) -> io::Result<Exit>,
) -> io::Result<Exit> {
    with(typed, true, true, streams, run)
}

fn with(
    typed: &Path,
    may_write: bool,
    is_quiet: bool,
    streams: &mut Streams<'_>,
    run: impl FnOnce(PathBuf, &mut Streams<'_>) -> io::Result<Exit>,
) -> io::Result<Exit> {
    let mut tables = typed.to_path_buf();
    let opened = match StoreTables::open(&mut tables, may_write) {
        Ok(opened) => opened,
        Err(failure) => return failures::fail(failure, streams),
    };
    let exit = run(tables, streams)?;
    if let Some(opened) = opened.filter(|_| !is_quiet && exit != Exit::Failed) {
        streams.out.flush()?;
        opened.print_traffic(streams)?;
    }
    Ok(exit)
}

/// The failure for shards that share tables in a store; `None` if the tables are on a file system.
pub(crate) fn refuse_store(tables: &Path) -> Option<Failure> {
    let shown = match Location::parse(tables) {
        Ok(Location::File(_)) => return None,
        Ok(Location::Object(url)) => PathBuf::from(url.as_str()),
        Err(refusal) => refusal.shown,
    };
    let cause =
        "shards share a file system, because they need its renames; name a folder there, and copy it after the commit";
    Some(Failure::new("tables are in a store", &shown, cause))
}
