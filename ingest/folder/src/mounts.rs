//! Folders of tables in object stores, mounted in a folder of this machine.
//!
//! The folder has copies of the ledger and other records, and for each file of a table a sparse file of the same
//! length, the placeholder. So listing files and reading their lengths works as usual. [`crate::verified`] and
//! [`crate::regular::open_below`] read the bytes of such a file from its store, and keep them in the placeholder.
//!
//! [`crate::durable::publish`] puts a file into the store before it gets its name in the folder. So files appear in the
//! store in the same order as on disk: the files of a part, its captures last, and then its ledger entry.

mod stored;

pub(crate) use stored::StoredFile;

use parking_lot::{Mutex, RwLock};
use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stored::KeptBlocks;

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
    kept: Arc<Mutex<KeptBlocks>>,
}

static MOUNTS: RwLock<Vec<Mount>> = RwLock::new(Vec::new());

/// Mounts files of a store in a folder. Messages show the URL in place of the folder.
pub fn mount(root: &Path, url: &str, files: Arc<dyn StoredFiles>) {
    let mount =
        Mount { root: root.to_path_buf(), shown: url.trim_end_matches('/').to_owned(), files, kept: Arc::default() };
    MOUNTS.write().push(mount);
}

/// Ends the mount in a folder.
pub fn unmount(root: &Path) {
    MOUNTS.write().retain(|mount| mount.root != root);
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
    let each = each.collect::<io::Result<Vec<_>>>()?;
    mount.files.copy(&each)?;
    each.iter().for_each(|(_, to)| mount.kept.lock().forget(to));
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

/// The local folder in which the store of a path is mounted.
pub(crate) fn temporary_of(path: &Path) -> Option<PathBuf> {
    find(path)?.0.root.parent().map(Path::to_path_buf)
}

fn find(path: &Path) -> Option<(Mount, PathBuf)> {
    let mounts = MOUNTS.read();
    let found =
        mounts.iter().find_map(|mount| Some((mount.clone(), path.strip_prefix(&mount.root).ok()?.to_path_buf())));
    drop(mounts);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::BLOCK_BYTES;
    use crate::{durable, regular};
    use std::fs;
    use std::io::Read as _;

    /// A store with one file of a table. It records the calls.
    #[derive(Debug, Default)]
    struct RecordingStore(Mutex<Vec<String>>);

    const FILE: &str = "captures/crawl=C-1/part-00000.parquet";

    /// More than two pieces of a whole file.
    const BYTES: u64 = (16 << 20) + 5;

    impl StoredFiles for RecordingStore {
        fn length(&self, path: &Path) -> Option<u64> {
            (path == Path::new(FILE)).then_some(BYTES)
        }

        fn read(&self, path: &Path, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
            self.0.lock().push(format!("read {} {ranges:?}", path.display()));
            Ok(ranges.iter().map(|range| range.clone().map(|at| (at % 251) as u8).collect()).collect())
        }

        fn put(&self, path: &Path, draft: &Path) -> io::Result<()> {
            self.0.lock().push(format!("put {} {}", path.display(), fs::read_to_string(draft)?));
            if path.ends_with("refused") { Err(io::ErrorKind::AlreadyExists.into()) } else { Ok(()) }
        }

        fn remove(&self, path: &Path) -> io::Result<()> {
            self.0.lock().push(format!("remove {}", path.display()));
            Ok(())
        }

        fn copy(&self, pairs: &[(PathBuf, PathBuf)]) -> io::Result<()> {
            self.0.lock().push(format!("copy {pairs:?}"));
            Ok(())
        }

        fn list(&self, below: &Path) -> io::Result<Vec<PathBuf>> {
            Ok(vec![below.join("one"), below.join("two")])
        }

        fn remove_all(&self, paths: &[PathBuf]) -> io::Result<()> {
            self.0.lock().push(format!("remove all {paths:?}"));
            Ok(())
        }
    }

    #[expect(clippy::single_range_in_vec_init, reason = "a store takes a list of ranges, here of one")]
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
        let calls = || std::mem::take(&mut *store.0.lock());

        assert!(is_mounted(&file) && is_mounted(&here) && !is_mounted(&elsewhere));
        assert_eq!(shown(&here).to_str(), Some("s3://bucket/tables"));
        assert_eq!(shown(&file), Path::new("s3://bucket/tables").join(FILE));
        assert_eq!(shown(&elsewhere), elsewhere);
        assert_eq!(location(&here).unwrap(), Path::new("s3://bucket/tables"));
        assert_eq!(location(&elsewhere).unwrap(), fs::canonicalize(&elsewhere).unwrap());

        // Each block is fetched once, with the end of the file in one request.
        let is_right = |start: u64, bytes: &[u8]| bytes.iter().zip(start..).all(|(byte, at)| *byte == (at % 251) as u8);
        let read = |ranges: &[Range<u64>]| {
            let read = StoredFile::find(&file).unwrap().read(ranges).unwrap();
            for (range, bytes) in ranges.iter().zip(&read) {
                assert!(bytes.len() as u64 == range.end - range.start && is_right(range.start, bytes), "{range:?}");
            }
            calls()
        };
        let block = BLOCK_BYTES;
        let (end, tail) = (BYTES, 254 * block);
        assert_eq!(read(&[end - 8..end]), [format!("read {FILE} [{tail}..{end}]")]);
        assert_eq!(read(&[end - block..end - 8, end..end]), [""; 0]);
        let apart = [block + 1..block + 2, 5 * block..7 * block];
        assert_eq!(read(&apart), [format!("read {FILE} {:?}", [block..2 * block, 5 * block..7 * block])]);
        assert_eq!(read(&[0..8 * block]), [format!("read {FILE} {:?}", [0..8 * block])]);
        assert_eq!(read(&[0..block, block..9 * block]), [format!("read {FILE} {:?}", [8 * block..9 * block])]);
        assert_eq!(read(&apart), [""; 0]);
        for _ in 0..2 {
            let mut bytes = Vec::new();
            regular::open_below(&file).unwrap().read_to_end(&mut bytes).unwrap();
            assert!(bytes.len() as u64 == BYTES && is_right(0, &bytes));
        }
        let rest = [9 * block..128 * block, 128 * block..tail].map(|range| format!("read {FILE} [{range:?}]"));
        assert_eq!(calls(), rest);
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1, "no copy is left");

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
