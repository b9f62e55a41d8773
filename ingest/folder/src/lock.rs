//! The lock of a folder of tables.

use crate::durable;
use crate::failure::Failure;
use crate::layout::Folder;
use crate::regular;
use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Read as _, Seek as _, Write as _};

/// The right to write to a folder alone, or to read it while nobody writes. The system releases it when the process ends,
/// however it ends.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Locks a folder for writing, and makes it where it is missing. Fails where another process writes or reads, and where
    /// something in it could lead a writer out of it.
    pub fn take(folder: &Folder) -> Result<Self, Failure> {
        regular::list_below(&folder.records())?;
        durable::make_folder(&folder.records()).map_err(Failure::at("folder cannot be made", folder.root()))?;
        let path = folder.lock();
        let cannot = || Failure::at("folder cannot be locked", &path);
        let mut file = regular::open_or_make(&path).map_err(|error| match error.kind() {
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                Failure::new("folder cannot be written to", folder.root(), error)
            }
            _ => cannot()(error),
        })?;
        match file.try_lock() {
            Ok(()) => {}
            // Readers share the lock, and do not write their process number.
            Err(TryLockError::WouldBlock) if file.try_lock_shared().is_ok() => {
                return Err(Failure::new("folder is in use", folder.root(), "another process checks it"));
            }
            Err(TryLockError::WouldBlock) => return Err(in_use(folder, &mut file)),
            Err(TryLockError::Error(error)) => return Err(cannot()(error)),
        }
        let write = |file: &mut File| {
            file.set_len(0)?;
            file.rewind()?;
            write!(file, "{}", std::process::id())
        };
        write(&mut file).map_err(cannot())?;
        match regular::others(folder).into_iter().next() {
            Some(other) => Err(other),
            None => Ok(Lock { _file: file }),
        }
    }

    /// Locks a folder for reading. Returns none where the folder has no lock, as a copy of the tables has none. Fails where
    /// another process writes.
    pub fn share(folder: &Folder) -> Result<Option<Self>, Failure> {
        let path = folder.lock();
        let mut file = match regular::open_below(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(Failure::at("folder cannot be locked", &path))?,
        };
        match file.try_lock_shared() {
            Ok(()) => Ok(Some(Lock { _file: file })),
            Err(TryLockError::WouldBlock) => Err(in_use(folder, &mut file)),
            // Where the file system has no locks, nobody writes, since `take` fails.
            Err(TryLockError::Error(_)) => Ok(None),
        }
    }
}

fn in_use(folder: &Folder, lock: &mut File) -> Failure {
    let mut holder = String::new();
    // The holder writes its number right after it locks. If that is not there yet, the message does without it.
    let _ = lock.read_to_string(&mut holder);
    let holder = holder.trim();
    let holder = if holder.is_empty() { "another process".to_owned() } else { format!("process {holder}") };
    Failure::new("folder is in use", folder.root(), format_args!("{holder} writes to it"))
}
