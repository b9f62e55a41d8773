//! Writing files so that they survive a power cut: sync the file, rename it, sync the folder.
//!
//! Without the first sync, a file that was reported as written can be lost. Without the second, some file systems lose it,
//! too.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

/// Writes a file completely or not at all; once this returns, the file survives a crash. The draft lies in another folder,
/// from which drafts that a crash left are removed.
pub fn write(draft: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(draft)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    publish(draft, path)
}

/// Gives a draft its name, which replaces what had that name, and makes sure that it is there after a crash. The draft has
/// to be whole and synced; it lies in the same file system.
pub fn publish(draft: &Path, path: &Path) -> io::Result<()> {
    fs::rename(draft, path)?;
    sync_folder(folder_of(path))
}

/// Removes a file, so that it is gone after a crash. Succeeds where there is none.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(()) => sync_folder(folder_of(path)),
    }
}

/// Syncs a folder, so that renames in it survive a crash.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Makes a folder and its parents, so that they survive a crash.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let above = folder_of(folder);
    make_folder(above)?;
    match fs::create_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        Err(_) if !folder.is_dir() => return Err(io::ErrorKind::NotADirectory.into()),
        _ => {}
    }
    sync_folder(above)
}

/// The folder that a path lies in: the working directory, for a bare name.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
