//! The lock of a folder of tables.

use crate::durable;
use crate::failure::Failure;
use crate::layout::Folder;
use crate::regular;
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Read as _, Seek as _, Write as _};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// An exclusive lock for writing to a folder, a shared lock for reading it, or a lock for writing the derived tables of
/// one crawl. The system releases it when the process ends, even if it is killed.
#[derive(Debug)]
pub struct Lock {
    files: Vec<File>,
}

/// While a process starts another one, both have the files. The other has them until its program begins, so closing
/// them here would not release the lock yet.
impl Drop for Lock {
    fn drop(&mut self) {
        for file in &self.files {
            // A lock that cannot be released here ends with the last copy of its file.
            let _ = file.unlock();
        }
    }
}

impl Lock {
    /// Locks a folder for writing, and creates it if it is missing. A folder for the task of one crawl is locked for
    /// that crawl only. Fails if another process writes or reads, or if something in the folder could lead a writer out
    /// of it.
    pub fn take(folder: &Folder) -> Result<Self, Failure> {
        regular::list_below(&folder.records())?;
        durable::make_folder(&folder.records()).map_err(Failure::at("folder cannot be made", folder.root()))?;
        let mut whole = open(folder, &folder.lock())?;
        let files = match folder.crawl() {
            None => {
                hold(folder, &mut whole)?;
                vec![whole]
            }
            Some(crawl) => {
                share(folder, &mut whole)?.ok_or_else(|| no_lock(folder))?;
                let work = folder.all_work();
                durable::make_folder(&work).map_err(Failure::at("folder cannot be made", &work))?;
                let mut own = open(folder, &folder.task_lock(crawl))?;
                hold(folder, &mut own)?;
                // A reader that comes later sees the task's lock.
                refuse_readers(folder)?;
                vec![whole, own]
            }
        };
        match regular::others(folder).into_iter().next() {
            Some(other) => Err(other),
            None => Ok(Lock { files }),
        }
    }

    /// Locks a folder for reading. Returns `None` if the folder has no lock file, such as a copy of the tables. Fails
    /// if another process writes.
    pub fn share(folder: &Folder) -> Result<Option<Self>, Failure> {
        let mut files: Vec<File> = share_file(folder, &folder.lock())?.into_iter().collect();
        // A task that comes later sees the lock of the plan.
        if let Some(mut plan) = open_plan(folder)? {
            files.extend(share(folder, &mut plan)?.map(|()| plan));
        }
        let tasks = regular::list_below(&folder.all_work())?.files;
        for task in tasks.iter().filter(|path| folder.is_task_lock(path)) {
            files.extend(share_file(folder, task)?);
        }
        Ok(if files.is_empty() { None } else { Some(Lock { files }) })
    }
}

/// Shares the lock of a file, if it is there. On a file system without locks, no process writes, since
/// [`Lock::take`] fails.
fn share_file(folder: &Folder, path: &Path) -> Result<Option<File>, Failure> {
    let Some(mut file) = open_if_there(path)? else { return Ok(None) };
    Ok(share(folder, &mut file)?.map(|()| file))
}

/// Opens the plan. `None` if it is missing or no file: readers of the plan report that, and what to do.
fn open_plan(folder: &Folder) -> Result<Option<File>, Failure> {
    match fs::symlink_metadata(folder.plan()) {
        Ok(found) if !found.is_file() => Ok(None),
        _ => open_if_there(&folder.plan()),
    }
}

fn open_if_there(path: &Path) -> Result<Option<File>, Failure> {
    match regular::open_below(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        opened => opened.map(Some).map_err(Failure::at("folder cannot be locked", path)),
    }
}

/// How long a lock may take that other tasks hold for a moment, to see whether a process reads.
const MOMENT: Duration = Duration::from_millis(200);

/// Tries a lock until it is free or a moment has passed.
fn within_a_moment(lock: impl Fn() -> Result<(), TryLockError>) -> Result<(), TryLockError> {
    let start = Instant::now();
    loop {
        match lock() {
            Err(TryLockError::WouldBlock) if start.elapsed() < MOMENT => thread::sleep(Duration::from_millis(1)),
            ended => return ended,
        }
    }
}

/// Fails if another process reads the folder. Readers lock the plan. They share the lock of the folder with tasks, so
/// that lock does not show them.
fn refuse_readers(folder: &Folder) -> Result<(), Failure> {
    let Some(plan) = open_plan(folder)? else { return Ok(()) };
    match within_a_moment(|| plan.try_lock()) {
        Err(TryLockError::WouldBlock) => {
            Err(Failure::new("folder is in use", folder.root(), "another process reads it"))
        }
        _ => plan.unlock().map_err(Failure::at("folder cannot be unlocked", folder.root())),
    }
}

fn open(folder: &Folder, path: &Path) -> Result<File, Failure> {
    regular::open_or_make(path).map_err(|error| match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            Failure::new("folder cannot be written to", folder.root(), error)
        }
        _ => Failure::new("folder cannot be locked", path, error),
    })
}

/// Locks a file exclusively, and writes the number of this process to it.
fn hold(folder: &Folder, file: &mut File) -> Result<(), Failure> {
    match file.try_lock() {
        Ok(()) => {}
        // Holders of a shared lock do not write their process number.
        Err(TryLockError::WouldBlock) if file.try_lock_shared().is_ok() => {
            let cause = "another process reads it, or makes the derived tables of one crawl";
            return Err(Failure::new("folder is in use", folder.root(), cause));
        }
        Err(TryLockError::WouldBlock) => return Err(in_use(folder, file)),
        Err(TryLockError::Error(error)) => return Err(Failure::new("folder cannot be locked", folder.root(), error)),
    }
    let write = |file: &mut File| {
        file.set_len(0)?;
        file.rewind()?;
        write!(file, "{}", std::process::id())
    };
    write(file).map_err(Failure::at("folder cannot be locked", folder.root()))
}

/// Takes a shared lock on a file. Returns `None` if the file system has no locks.
fn share(folder: &Folder, file: &mut File) -> Result<Option<()>, Failure> {
    match within_a_moment(|| file.try_lock_shared()) {
        Ok(()) => Ok(Some(())),
        Err(TryLockError::WouldBlock) => Err(in_use(folder, file)),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

fn no_lock(folder: &Folder) -> Failure {
    Failure::new("folder cannot be locked", folder.root(), "its file system has no locks")
}

fn in_use(folder: &Folder, lock: &mut File) -> Failure {
    let mut holder = String::new();
    // The holder writes its number right after it locks. If the number is not there yet, the message omits it.
    let _ = lock.read_to_string(&mut holder);
    let holder = holder.trim();
    let holder = if holder.is_empty() { "another process".to_owned() } else { format!("process {holder}") };
    Failure::new("folder is in use", folder.root(), format_args!("{holder} writes to it"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by it")]

    use super::*;

    #[test]
    fn a_copy_of_its_file_does_not_keep_a_lock() {
        let root = std::env::temp_dir().join(format!("robocensus-lock-{}", std::process::id()));
        let folder = Folder::at(&root);
        let lock = Lock::take(&folder).unwrap();
        let copies: Vec<File> = lock.files.iter().map(|file| file.try_clone().unwrap()).collect();
        assert!(Lock::take(&folder).is_err());
        drop(lock);
        assert!(Lock::take(&folder).is_ok());
        drop(copies);
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn readers_and_tasks_refuse_each_other() {
        let root = std::env::temp_dir().join(format!("robocensus-readers-{}", std::process::id()));
        let whole = Folder::at(&root);
        drop(Lock::take(&whole).unwrap());
        std::fs::write(whole.plan(), "").unwrap();
        let [one, other] = ["A", "B"].map(|crawl| Folder::at(&root).of_crawl(Some(crawl)));
        let readers = [Lock::share(&whole).unwrap(), Lock::share(&whole).unwrap()];
        let refused = Lock::take(&one).unwrap_err().to_string();
        assert!(refused.ends_with("another process reads it"), "{refused}");
        drop(readers);
        let tasks = [Lock::take(&one).unwrap(), Lock::take(&other).unwrap()];
        let refused = Lock::share(&whole).unwrap_err().to_string();
        assert!(refused.ends_with("writes to it"), "{refused}");
        drop(tasks);
        assert!(Lock::share(&whole).is_ok());
        std::fs::remove_dir_all(root).unwrap();
    }
}
