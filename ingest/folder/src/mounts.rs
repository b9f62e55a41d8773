//! Folders of tables in object stores, mounted in a folder of this machine.
//!
//! The folder has the records of the ledger as they are, and each file of a table with its length and without its bytes.
//! Whoever lists files, or asks for their lengths, does not see a difference. Bytes of such a file are read from its store,
//! by those who read below a folder of tables: [`crate::verified`] and [`crate::regular::open_below`].
//!
//! What gets a name in the folder is put into the store first, by [`crate::durable::publish`]. So the store has the order of
//! the disk: the files of a part, its captures last, and then its entry in the ledger.

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::{self, Seek as _, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

/// The files of tables in a store, by their paths from the folder of tables on.
pub trait StoredFiles: fmt::Debug + Send + Sync {
    /// The length of a file; none if it is not in the store, or is a copy in the folder.
    fn length(&self, path: &Path) -> Option<u64>;

    /// The bytes of each range, which are all fetched at once.
    fn read(&self, path: &Path, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>>;

    /// Puts a file into the store, whole or not at all. A record that another process has put meanwhile is not replaced.
    fn put(&self, path: &Path, draft: &Path) -> io::Result<()>;

    /// Removes a file from the store, if it is there.
    fn remove(&self, path: &Path) -> io::Result<()>;
}

/// What is mounted where.
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

/// A folder is no longer a mount.
pub fn unmount(root: &Path) {
    MOUNTS.write().unwrap_or_else(PoisonError::into_inner).retain(|mount| mount.root != root);
}

/// Whether a folder, or what is below, is in a store.
#[must_use]
pub fn is_mounted(path: &Path) -> bool {
    find(path).is_some()
}

/// Where other programs find a folder: its URL, or its path from the root of the file system on.
pub fn location(folder: &Path) -> io::Result<PathBuf> {
    match find(folder) {
        Some(_) => Ok(shown(folder).into_owned()),
        None => std::fs::canonicalize(folder),
    }
}

/// Puts a draft of a file that is in a store there, before it gets its name here.
pub(crate) fn put(draft: &Path, path: &Path) -> io::Result<()> {
    find(path).map_or(Ok(()), |(mount, relative)| mount.files.put(&relative, draft))
}

/// Removes a file that is in a store from there.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    find(path).map_or(Ok(()), |(mount, relative)| mount.files.remove(&relative))
}

/// What a reader calls a path: the URL of a file that is in a store.
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

/// How much of a file is fetched at a time, where it is copied.
const COPIED_BYTES: u64 = 8 << 20;

impl StoredFile {
    /// The file of this path, if it is in a store.
    pub(crate) fn find(path: &Path) -> Option<Self> {
        let (mount, path) = find(path)?;
        let bytes = mount.files.length(&path)?;
        Some(StoredFile { path, files: mount.files, bytes })
    }

    pub(crate) fn read(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        self.files.read(&self.path, ranges)
    }

    /// A copy of the whole file, in a file that `make` opens.
    pub(crate) fn copy(&self, make: impl FnOnce() -> io::Result<File>) -> io::Result<File> {
        let mut file = make()?;
        let mut start = 0;
        while start < self.bytes {
            let end = self.bytes.min(start + COPIED_BYTES);
            for bytes in self.read(std::slice::from_ref(&(start..end)))? {
                file.write_all(&bytes)?;
            }
            start = end;
        }
        file.rewind()?;
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{durable, regular};
    use std::fs;
    use std::io::Read as _;
    use std::sync::Mutex;

    /// A store with one file of a table, which notes what is asked of it.
    #[derive(Debug, Default)]
    struct Noting(Mutex<Vec<String>>);

    const FILE: &str = "captures/crawl=C-1/part-00000.parquet";

    /// More than is copied at a time.
    const BYTES: u64 = 2 * COPIED_BYTES + 5;

    impl StoredFiles for Noting {
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
    }

    #[test]
    fn a_mounted_folder_has_what_is_in_its_store() {
        let root = std::env::temp_dir().join(format!("robocensus-mounts-{}", std::process::id()));
        let (here, elsewhere) = (root.join("here"), root.join("elsewhere"));
        let file = here.join(FILE);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::create_dir_all(&elsewhere).unwrap();
        File::create(&file).unwrap().set_len(BYTES).unwrap();
        let store = Arc::new(Noting::default());
        mount(&here, "s3://bucket/tables/", Arc::clone(&store) as Arc<dyn StoredFiles>);
        let asked = || std::mem::take(&mut *store.0.lock().unwrap());

        assert!(is_mounted(&file) && is_mounted(&here) && !is_mounted(&elsewhere));
        assert_eq!(shown(&here), Path::new("s3://bucket/tables"));
        assert_eq!(shown(&file), Path::new("s3://bucket/tables").join(FILE));
        assert_eq!(shown(&elsewhere), elsewhere);
        assert_eq!(location(&here).unwrap(), Path::new("s3://bucket/tables"));
        assert_eq!(location(&elsewhere).unwrap(), fs::canonicalize(&elsewhere).unwrap());

        let mut bytes = Vec::new();
        regular::open_below(&file).unwrap().read_to_end(&mut bytes).unwrap();
        assert!(bytes.len() as u64 == BYTES && bytes.iter().zip(0..).all(|(byte, at)| *byte == (at % 251) as u8));
        assert_eq!(asked().len(), 3);
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1, "the copy has no name");

        // The store has a file before it has its name here, and does not get one whose name is elsewhere.
        let draft = elsewhere.join("draft");
        durable::write(&draft, &here.join("record"), b"text").unwrap();
        assert_eq!(asked(), ["put record text"]);
        let refused = durable::write(&draft, &here.join("refused"), b"text");
        assert_eq!(refused.unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(asked(), ["put refused text"]);
        assert!(!here.join("refused").exists() && here.join("record").exists());
        durable::write(&draft, &elsewhere.join("other"), b"text").unwrap();
        durable::remove(&elsewhere.join("other")).unwrap();
        assert_eq!(asked(), Vec::<String>::new());
        durable::remove(&here.join("record")).unwrap();
        assert_eq!(asked(), ["remove record"]);
        assert!(!here.join("record").exists());

        unmount(&here);
        assert!(!is_mounted(&file) && shown(&file) == file);
        fs::remove_dir_all(root).unwrap();
    }
}
