//! Folders of tables in object stores, mounted in a folder of this machine.
//!
//! The folder has copies of the ledger and other records, and for each file of a table a sparse file of the same
//! length. So listing files and reading their lengths works as usual. [`crate::verified`] and
//! [`crate::regular::open_below`] read the bytes of such a file from its store.
//!
//! [`crate::durable::publish`] puts a file into the store before it gets its name in the folder. So files appear in the
//! store in the same order as on disk: the files of a part, its captures last, and then its ledger entry.

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::{self, Seek as _, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

/// The files of tables in a store, by their paths relative to the folder of tables.
pub trait StoredFiles: fmt::Debug + Send + Sync {
    /// The length of a file. `None` if it is not in the store, or the folder has a copy.
    fn length(&self, path: &Path) -> Option<u64>;

    /// The bytes of each range. All ranges are fetched together.
    fn read(&self, path: &Path, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>>;

    /// Puts a file into the store, completely or not at all. Does not replace a record that another process has put
    /// meanwhile.
    fn put(&self, path: &Path, draft: &Path) -> io::Result<()>;

    /// Removes a file from the store, if it existed when the store was listed.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Notes that the folder has a copy of a file now, so that [`StoredFiles::length`] returns `None`.
    fn keep(&self, path: &Path);

    /// Copies files within the store, and replaces files of the new names.
    fn copy(&self, pairs: &[(PathBuf, PathBuf)]) -> io::Result<()>;

    /// The files that are now below a path in the store.
    fn list(&self, below: &Path) -> io::Result<Vec<PathBuf>>;

    /// Removes files from the store. It is no error if they do not exist.
    fn remove_all(&self, paths: &[PathBuf]) -> io::Result<()>;
}

/// A store that is mounted in a folder.
#[derive(Debug, Clone)]
struct Mount {
    root: PathBuf,
    shown: String,
    files: Arc<dyn StoredFiles>,
}

static MOUNTS: RwLock<Vec<Mount>> = RwLock::new(Vec::new());

/// Mounts files of a store in a folder. Messages show the URL in place of the folder.
pub fn mount(root: &Path, url: &str, files: Arc<dyn StoredFiles>) {
    let mount = Mount { root: root.to_path_buf(), shown: url.trim_end_matches('/').to_owned(), files };
    MOUNTS.write().unwrap_or_else(PoisonError::into_inner).push(mount);
}

/// Ends the mount in a folder.
pub fn unmount(root: &Path) {
    MOUNTS.write().unwrap_or_else(PoisonError::into_inner).retain(|mount| mount.root != root);
}

/// Whether a path is in a mounted folder, or is one.
#[must_use]
pub fn is_mounted(path: &Path) -> bool {
    find(path).is_some()
}

/// Where other programs find a folder: its URL or its absolute path.
pub fn location(folder: &Path) -> io::Result<PathBuf> {
    match find(folder) {
        Some(_) => Ok(shown(folder).into_owned()),
        None => std::fs::canonicalize(folder),
    }
}

/// Puts a draft into the store, if its final path is in a mounted folder. The draft keeps its name.
pub fn put(draft: &Path, path: &Path) -> io::Result<()> {
    let Some((mount, relative)) = find(path) else { return Ok(()) };
    mount.files.put(&relative, draft)?;
    // A store has no folders, so this one may be missing here.
    std::fs::create_dir_all(path.parent().unwrap_or(path))
}

/// Removes a file from the store, if its path is in a mounted folder.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    find(path).map_or(Ok(()), |(mount, relative)| mount.files.remove(&relative))
}

/// Copies files within the store of a mounted folder. The new ones get placeholders.
pub fn copy(pairs: &[(PathBuf, PathBuf)]) -> io::Result<()> {
    let Some((mount, _)) = pairs.first().and_then(|(_, to)| find(to)) else { return Ok(()) };
    let relative = |path: &Path| path.strip_prefix(&mount.root).map(Path::to_path_buf).map_err(io::Error::other);
    let each = pairs.iter().map(|(from, to)| Ok((relative(from)?, relative(to)?)));
    mount.files.copy(&each.collect::<io::Result<Vec<_>>>()?)?;
    pairs.iter().try_for_each(|(from, to)| make_placeholder(to, std::fs::metadata(from)?.len()))
}

/// The files that are now below a folder in the store of a mounted folder, whether or not they have placeholders.
pub fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let Some((mount, below)) = find(folder) else { return Ok(Vec::new()) };
    Ok(mount.files.list(&below)?.into_iter().map(|path| mount.root.join(path)).collect())
}

/// Removes files of one mounted folder from its store, and their placeholders.
pub fn remove_all(paths: &[PathBuf]) -> io::Result<()> {
    let Some((mount, _)) = paths.first().and_then(|path| find(path)) else { return Ok(()) };
    let relative = paths.iter().filter_map(|path| path.strip_prefix(&mount.root).ok().map(Path::to_path_buf));
    mount.files.remove_all(&relative.collect::<Vec<_>>())?;
    paths.iter().try_for_each(|path| match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    })
}

/// Makes a file that stands in for a file in the store.
pub fn make_placeholder(path: &Path, bytes: u64) -> io::Result<()> {
    std::fs::create_dir_all(path.parent().unwrap_or(path))?;
    File::create(path)?.set_len(bytes)
}

/// The path to show in messages: the URL for a file in a store.
#[must_use]
pub fn shown(path: &Path) -> Cow<'_, Path> {
    match find(path) {
        Some((mount, relative)) if relative.as_os_str().is_empty() => Cow::Owned(PathBuf::from(mount.shown)),
        Some((mount, relative)) => Cow::Owned(PathBuf::from(format!("{}/{}", mount.shown, relative.display()))),
        None => Cow::Borrowed(path),
    }
}

fn find(path: &Path) -> Option<(Mount, PathBuf)> {
    let mounts = MOUNTS.read().unwrap_or_else(PoisonError::into_inner);
    let found =
        mounts.iter().find_map(|mount| Some((mount.clone(), path.strip_prefix(&mount.root).ok()?.to_path_buf())));
    drop(mounts);
    found
}

/// A file whose bytes are in a store.
#[derive(Debug)]
pub(crate) struct StoredFile {
    path: PathBuf,
    files: Arc<dyn StoredFiles>,
    pub(crate) bytes: u64,
}

/// How many bytes are fetched at a time when a file is copied.
const COPIED_BYTES: u64 = 8 << 20;

impl StoredFile {
    /// The file at a path, if it is in a store.
    pub(crate) fn find(path: &Path) -> Option<Self> {
        let (mount, path) = find(path)?;
        let bytes = mount.files.length(&path)?;
        Some(StoredFile { path, files: mount.files, bytes })
    }

    pub(crate) fn read(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        self.files.read(&self.path, ranges)
    }

    /// Opens a copy of the whole file in its folder. The copy replaces the placeholder, so that the file is fetched
    /// only once, unless the disk is nearly full: then it has no name.
    pub(crate) fn open_copy(&self, path: &Path) -> io::Result<File> {
        let draft = path.with_extension("copy");
        let mut file = File::options().read(true).write(true).create_new(true).open(&draft)?;
        let is_kept = has_room(&draft, self.bytes);
        if !is_kept {
            std::fs::remove_file(&draft)?;
        }
        let mut start = 0;
        while start < self.bytes {
            let end = self.bytes.min(start + COPIED_BYTES);
            for bytes in self.read(std::slice::from_ref(&(start..end)))? {
                file.write_all(&bytes)?;
            }
            start = end;
        }
        file.rewind()?;
        if is_kept {
            std::fs::rename(&draft, path)?;
            self.files.keep(&self.path);
        }
        Ok(file)
    }
}

/// Whether a tenth of the disk would stay free if a file of this size is written.
fn has_room(path: &Path, bytes: u64) -> bool {
    #[cfg(unix)]
    if let Ok(disk) = rustix::fs::statvfs(path) {
        return leaves_a_tenth(disk.f_bavail * disk.f_frsize, disk.f_blocks * disk.f_frsize, bytes);
    }
    let _ = (path, bytes);
    false
}

#[cfg(unix)]
fn leaves_a_tenth(free: u64, all: u64, bytes: u64) -> bool {
    free.saturating_sub(bytes) > all / 10
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{durable, regular};
    use std::fs;
    use std::io::Read as _;
    use std::sync::Mutex;

    /// A store with one file of a table. It records the calls.
    #[derive(Debug, Default)]
    struct RecordingStore(Mutex<Vec<String>>);

    const FILE: &str = "captures/crawl=C-1/part-00000.parquet";

    /// More than one copy step takes.
    const BYTES: u64 = 2 * COPIED_BYTES + 5;

    impl StoredFiles for RecordingStore {
        fn length(&self, path: &Path) -> Option<u64> {
            (path == Path::new(FILE)).then_some(BYTES)
        }

        fn read(&self, path: &Path, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
            self.0.lock().unwrap().push(format!("read {} {ranges:?}", path.display()));
            Ok(ranges.iter().map(|range| range.clone().map(|at| (at % 251) as u8).collect()).collect())
        }

        fn put(&self, path: &Path, draft: &Path) -> io::Result<()> {
            self.0.lock().unwrap().push(format!("put {} {}", path.display(), fs::read_to_string(draft)?));
            if path.ends_with("refused") { Err(io::ErrorKind::AlreadyExists.into()) } else { Ok(()) }
        }

        fn remove(&self, path: &Path) -> io::Result<()> {
            self.0.lock().unwrap().push(format!("remove {}", path.display()));
            Ok(())
        }

        fn keep(&self, path: &Path) {
            self.0.lock().unwrap().push(format!("keep {}", path.display()));
        }

        fn copy(&self, pairs: &[(PathBuf, PathBuf)]) -> io::Result<()> {
            self.0.lock().unwrap().push(format!("copy {pairs:?}"));
            Ok(())
        }

        fn list(&self, below: &Path) -> io::Result<Vec<PathBuf>> {
            Ok(vec![below.join("one"), below.join("two")])
        }

        fn remove_all(&self, paths: &[PathBuf]) -> io::Result<()> {
            self.0.lock().unwrap().push(format!("remove all {paths:?}"));
            Ok(())
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_tenth_of_the_disk_stays_free() {
        let cases = [(31, 100, 20, true), (30, 100, 20, false), (29, 100, 20, false), (9, 100, 20, false)];
        for (free, all, bytes, has_room) in cases {
            assert_eq!(leaves_a_tenth(free, all, bytes), has_room, "{free} of {all}, {bytes}");
        }
    }

    #[test]
    fn a_mounted_folder_has_what_is_in_its_store() {
        let root = std::env::temp_dir().join(format!("robocensus-mounts-{}", std::process::id()));
        let (here, elsewhere) = (root.join("here"), root.join("elsewhere"));
        let file = here.join(FILE);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::create_dir_all(&elsewhere).unwrap();
        File::create(&file).unwrap().set_len(BYTES).unwrap();
        let store = Arc::new(RecordingStore::default());
        mount(&here, "s3://bucket/tables/", Arc::clone(&store) as Arc<dyn StoredFiles>);
        let calls = || std::mem::take(&mut *store.0.lock().unwrap());

        assert!(is_mounted(&file) && is_mounted(&here) && !is_mounted(&elsewhere));
        assert_eq!(shown(&here).to_str(), Some("s3://bucket/tables"));
        assert_eq!(shown(&file), Path::new("s3://bucket/tables").join(FILE));
        assert_eq!(shown(&elsewhere), elsewhere);
        assert_eq!(location(&here).unwrap(), Path::new("s3://bucket/tables"));
        assert_eq!(location(&elsewhere).unwrap(), fs::canonicalize(&elsewhere).unwrap());

        // On a disk that is nearly full, the copy is not kept.
        let is_kept = has_room(&file, BYTES);
        let mut bytes = Vec::new();
        regular::open_below(&file).unwrap().read_to_end(&mut bytes).unwrap();
        assert!(bytes.len() as u64 == BYTES && bytes.iter().zip(0..).all(|(byte, at)| *byte == (at % 251) as u8));
        let made = calls();
        assert_eq!(made.iter().filter(|call| call.starts_with("read")).count(), 3);
        assert_eq!(made.contains(&format!("keep {FILE}")), is_kept);
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1, "the copy replaces the placeholder");

        // Copies within the store have placeholders of the same length.
        copy(&[(file.clone(), here.join("copies/one"))]).unwrap();
        assert_eq!(calls(), [format!("copy {:?}", [(FILE, "copies/one")])]);
        assert_eq!(fs::metadata(here.join("copies/one")).unwrap().len(), BYTES);
        let listed = list(&here.join("copies")).unwrap();
        assert_eq!(listed, [here.join("copies/one"), here.join("copies/two")]);
        remove_all(&listed).unwrap();
        assert_eq!(calls(), [format!("remove all {:?}", ["copies/one", "copies/two"])]);
        assert!(!here.join("copies/one").exists());
        assert!(remove_all(&[here.join("copies")]).is_err(), "it is a folder");
        calls();

        // A file is put into the store before it gets its name in the folder. Files elsewhere are not put.
        let draft = elsewhere.join("draft");
        durable::write(&draft, &here.join("record"), b"text").unwrap();
        assert_eq!(calls(), ["put record text"]);
        let refused = durable::write(&draft, &here.join("refused"), b"text");
        assert_eq!(refused.unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(calls(), ["put refused text"]);
        assert!(!here.join("refused").exists() && here.join("record").exists());
        durable::write(&draft, &elsewhere.join("other"), b"text").unwrap();
        durable::remove(&elsewhere.join("other")).unwrap();
        assert_eq!(calls(), Vec::<String>::new());
        durable::remove(&here.join("record")).unwrap();
        assert_eq!(calls(), ["remove record"]);
        assert!(!here.join("record").exists());

        unmount(&here);
        assert!(!is_mounted(&file) && shown(&file) == file);
        fs::remove_dir_all(root).unwrap();
    }
}
