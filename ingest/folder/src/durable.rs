//! What is to survive a power cut: a file that is synced before it gets its name, and a folder that is synced after.
//!
//! A rename without either loses files that were acknowledged; a synced file whose folder was not synced can be lost on
//! some file systems, too.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

/// Writes a file under its name, all of it or nothing, so that it is there after a crash. The draft lies elsewhere, where
/// one that a crash leaves is cleared away.
pub fn write(draft: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(draft)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    fs::rename(draft, path)?;
    path.parent().map_or(Ok(()), sync_folder)
}

/// Removes a file, for good; that it is not there is as good.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(()) => path.parent().map_or(Ok(()), sync_folder),
    }
}

/// Makes sure that what was renamed into a folder stays there.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Makes a folder and those above it, each of which is there after a crash.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let above = folder.parent().filter(|above| !above.as_os_str().is_empty());
    if let Some(above) = above {
        make_folder(above)?;
    }
    match fs::create_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        Err(_) if !folder.is_dir() => return Err(io::ErrorKind::NotADirectory.into()),
        _ => {}
    }
    sync_folder(above.unwrap_or(Path::new(".")))
}
