//! Folders for temporary files, such as those that statements write when memory is full. A folder is removed when its
//! session is dropped, and by [`remove_spilled`] before the process exits. A killed process leaves its folders; a later
//! process removes them. A process holds a lock beside each of its folders, so that the others see that it is running.

use folder::{Failure, regular};
use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::fs::{self, File, Metadata, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The folders of this process, also those of earlier sessions.
static FOLDERS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The temporary folder of a session or another owner. It is created when it is first needed.
#[derive(Debug)]
pub struct SpillFolder {
    path: PathBuf,
    /// Shows that this process is running. `None` if no file can be made or locked; then no other process removes the
    /// folder.
    _lock: Option<File>,
}

impl SpillFolder {
    /// A path in the folder `above`. Its name cannot be guessed, since others may write to `above`, too. Removes
    /// folders of killed processes from there.
    pub fn in_folder(above: &Path) -> Result<Self, Failure> {
        loop {
            let mut random = [0; 16];
            getrandom::fill(&mut random).map_err(Failure::at("folder for temporary files cannot be named", above))?;
            let path = above.join(format!("{NAME}{:032x}", u128::from_ne_bytes(random)));
            let lock = match make_lock(&lock_of(&path)) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => continue,
                made => made.ok(),
            };
            FOLDERS.lock().insert(path.clone());
            if let Some(owner) = lock.as_ref().and_then(|lock| lock.metadata().ok()).as_ref().map(owner) {
                remove_left(above, owner);
            }
            return Ok(SpillFolder { path, _lock: lock });
        }
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// How the names of all folders start.
const NAME: &str = "robocensus-";

/// The lock of a folder.
fn lock_of(folder: &Path) -> PathBuf {
    folder.with_extension(LOCK)
}

const LOCK: &str = "lock";

/// Creates a file and locks it. The error is `WouldBlock` if another process took it for one that a killed process
/// left.
fn make_lock(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let lock = options.open(path)?;
    match lock.try_lock() {
        Ok(()) if is_unlinked(&lock.metadata()?) => Err(ErrorKind::WouldBlock.into()),
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(ErrorKind::WouldBlock.into()),
        Err(TryLockError::Error(error)) => {
            let _ = fs::remove_file(path);
            Err(error)
        }
    }
}

/// Removes the folders of a user whose processes were killed.
fn remove_left(above: &Path, user: u32) {
    for found in fs::read_dir(above).into_iter().flatten().flatten() {
        let path = found.path();
        let name = found.file_name();
        let digits = name.to_str().and_then(|name| name.strip_prefix(NAME)?.strip_suffix(LOCK)?.strip_suffix('.'));
        let is_lock =
            digits.is_some_and(|digits| digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        // Opens no link and no pipe.
        let Some(lock) = is_lock.then(|| regular::open_below(&path).ok()).flatten() else { continue };
        let folder = path.with_extension("");
        let is_users = |found: io::Result<Metadata>| found.is_ok_and(|found| owner(&found) == user);
        let has_other_owner = fs::symlink_metadata(&folder).is_ok_and(|found| owner(&found) != user);
        // Held until the folder is removed.
        if is_users(lock.metadata()) && !has_other_owner && lock.try_lock().is_ok() {
            remove(&folder);
        }
    }
}

#[cfg(unix)]
fn owner(found: &Metadata) -> u32 {
    std::os::unix::fs::MetadataExt::uid(found)
}

#[cfg(not(unix))]
fn owner(_: &Metadata) -> u32 {
    0
}

#[cfg(unix)]
fn is_unlinked(found: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(found) == 0
}

#[cfg(not(unix))]
fn is_unlinked(_: &Metadata) -> bool {
    false
}

impl Drop for SpillFolder {
    /// It stays listed: a statement that was stopped may create it a moment later.
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// Removes the temporary files of all statements. Running statements fail.
pub fn remove_spilled() {
    for folder in &*FOLDERS.lock() {
        remove(folder);
    }
}

/// Removes a folder, in which a statement may still create files, and its lock. Follows no links.
fn remove(folder: &Path) {
    const MOST_ATTEMPTS: usize = 10;
    // Usually it was never created.
    let is_gone = || fs::remove_dir_all(folder).map_or_else(|error| error.kind() == ErrorKind::NotFound, |()| true);
    if (0..MOST_ATTEMPTS).any(|_| is_gone()) {
        let _ = fs::remove_file(lock_of(folder));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[cfg(unix)]
    #[test]
    fn folders_of_killed_processes_are_removed() {
        let above = std::env::temp_dir().join(format!("robocensus-left-{}", std::process::id()));
        let elsewhere = above.join("elsewhere");
        fs::create_dir_all(&elsewhere).unwrap();
        fs::write(elsewhere.join("kept"), "").unwrap();
        let name = |digit: char| format!("robocensus-{}", String::from(digit).repeat(32));
        let folder = |name: &str| {
            fs::create_dir_all(above.join(name).join("inner")).unwrap();
            std::os::unix::fs::symlink(&elsewhere, above.join(name).join("link")).unwrap();
        };
        // Of a killed process, of a running one, one without a lock, and one of another name.
        for digit in ['1', '2', '3'] {
            folder(&name(digit));
        }
        folder("robocensus-mine");
        fs::write(above.join("robocensus-mine.lock"), "").unwrap();
        fs::write(above.join(name('1') + ".lock"), "").unwrap();
        let running = make_lock(&above.join(name('2') + ".lock")).unwrap();
        // Links in place of a folder and of a lock.
        std::os::unix::fs::symlink(&elsewhere, above.join(name('4'))).unwrap();
        fs::write(above.join(name('4') + ".lock"), "").unwrap();
        folder(&name('5'));
        std::os::unix::fs::symlink(elsewhere.join("kept"), above.join(name('5') + ".lock")).unwrap();

        drop(SpillFolder::in_folder(&above).unwrap());
        let listed = fs::read_dir(&above).unwrap().map(|found| found.unwrap().file_name().into_string().unwrap());
        let mut left: Vec<String> = listed.collect();
        left.sort();
        let expected = [
            "elsewhere".to_owned(),
            name('2'),
            name('2') + ".lock",
            name('3'),
            name('5'),
            name('5') + ".lock",
            "robocensus-mine".to_owned(),
            "robocensus-mine.lock".to_owned(),
        ];
        assert_eq!(left, expected);
        assert!(elsewhere.join("kept").exists());
        // Once that process is killed, its folder is removed, too.
        drop(running);
        let spill = SpillFolder::in_folder(&above).unwrap();
        assert!(!above.join(name('2')).exists());
        // Two sessions of a process do not disturb each other.
        fs::create_dir(spill.path()).unwrap();
        drop(SpillFolder::in_folder(&above).unwrap());
        assert!(spill.path().exists());
        drop(spill);
        fs::remove_dir_all(above).unwrap();
    }

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
