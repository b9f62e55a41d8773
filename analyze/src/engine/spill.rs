//! Folders for temporary files, such as those that statements write when memory is full. A folder is removed when its
//! session is dropped, and by [`remove_spilled`] before the process exits.

use folder::Failure;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The folders of this process.
static FOLDERS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The temporary folder of a session or another owner. It is created when it is first needed.
#[derive(Debug)]
pub struct SpillFolder(PathBuf);

impl SpillFolder {
    /// A path in the folder `above`. Its name cannot be guessed, since others may write to `above`, too.
    pub fn in_folder(above: &Path) -> Result<Self, Failure> {
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(Failure::at("folder for temporary files cannot be named", above))?;
        let path = above.join(format!("robocensus-{:032x}", u128::from_ne_bytes(random)));
        FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).insert(path.clone());
        Ok(SpillFolder(path))
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for SpillFolder {
    fn drop(&mut self) {
        // Usually it was never created.
        let _ = fs::remove_dir_all(&self.0);
        FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

/// Removes the temporary files of all statements. Running statements fail.
pub fn remove_spilled() {
    for folder in &*FOLDERS.lock().unwrap_or_else(PoisonError::into_inner) {
        let _ = fs::remove_dir_all(folder);
    }
}
