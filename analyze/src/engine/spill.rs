//! Folders for temporary files, such as those that statements write when memory is full. A folder is removed when its
//! session is dropped, and by [`remove_spilled`] before the process exits.

use folder::Failure;
use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The folders of this process, also those of earlier sessions.
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
    /// It stays listed: a statement that was stopped may create it a moment later.
    fn drop(&mut self) {
        remove(&self.0);
    }
}

/// Removes the temporary files of all statements. Running statements fail.
pub fn remove_spilled() {
    for folder in &*FOLDERS.lock().unwrap_or_else(PoisonError::into_inner) {
        remove(folder);
    }
}

/// Removes a folder, in which a statement may still create files.
fn remove(folder: &Path) {
    const MOST_ATTEMPTS: usize = 10;
    // Usually it was never created.
    let is_left = |_: &usize| fs::remove_dir_all(folder).is_err_and(|error| error.kind() != ErrorKind::NotFound);
    let _ = (0..MOST_ATTEMPTS).find(|attempt| !is_left(attempt));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// A statement that was stopped goes on for a moment.
    #[test]
    fn a_folder_that_is_written_to_is_removed() {
        let spill = SpillFolder::in_folder(&std::env::temp_dir()).unwrap();
        let path = spill.path().to_path_buf();
        let inner = path.join("datafusion");
        fs::create_dir_all(&inner).unwrap();
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut number = 0;
                while !stop.load(Ordering::Relaxed) && fs::write(inner.join(number.to_string()), "rows").is_ok() {
                    number += 1;
                }
            });
            std::thread::sleep(std::time::Duration::from_millis(20));
            drop(spill);
            stop.store(true, Ordering::Relaxed);
        });
        assert!(!path.exists());
    }
}
