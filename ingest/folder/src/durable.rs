//! Writes files so that they survive a power cut: sync the file, rename it, sync the folder.
//!
//! Without the first sync, a file that was reported as written can be lost. Without the second, some file systems lose
//! it too.

use crate::mounts;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Writes a file completely or not at all; once this returns, the file survives a crash. The draft must be in a folder
/// from which drafts are removed after a crash.
pub fn write(draft: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(draft)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    publish(draft, path)
}

/// Gives a draft its final name, replacing any file of that name, so that it survives a crash. The draft must be
/// complete, synced, and in the same file system.
pub fn publish(draft: &Path, path: &Path) -> io::Result<()> {
    mounts::put(draft, path)?;
    fs::rename(draft, path)?;
    sync_folder(folder_of(path))
}

/// Exchanges the names of a draft folder and a folder. If the file system can exchange two names, the path exists at
/// every moment. Otherwise the earlier folder is renamed first.
pub fn exchange_folder(draft: &Path, path: &Path) -> io::Result<()> {
    if exchange(draft, path).is_err() {
        let aside = draft_beside(path, "old")?;
        fs::rename(path, &aside)?;
        if let Err(error) = fs::rename(draft, path) {
            let _ = fs::rename(&aside, path);
            return Err(error);
        }
        fs::rename(&aside, draft)?;
    }
    sync_folder(folder_of(path))
}

#[cfg(target_os = "linux")]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(target_os = "linux"))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// A draft that was not modified for this long was left by a killed process, on this or another machine.
const LEFT_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// A name beside a path, for a draft that gets the path's name once it is complete. Removes drafts that killed
/// processes left under such names.
pub fn draft_beside(path: &Path, kind: &str) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?.to_string_lossy().into_owned();
    let folder = folder_of(path);
    let start = format!(".{name}.{kind}.");
    for found in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_draft = found.file_name().to_str().is_some_and(|name| name.starts_with(&start));
        let touched = found.metadata().and_then(|found| found.modified());
        let is_left = touched.is_ok_and(|touched| touched.elapsed().is_ok_and(|since| since > LEFT_AFTER));
        if is_draft && is_left {
            // If permissions forbid this, the draft is kept.
            let _ = fs::remove_file(found.path()).or_else(|_| fs::remove_dir_all(found.path()));
        }
    }
    Ok(folder.join(format!("{start}{}", std::process::id())))
}

/// Removes a file, so that the removal survives a crash. Succeeds if there is none.
pub fn remove(path: &Path) -> io::Result<()> {
    mounts::remove(path)?;
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

/// Creates a folder and its parents, so that they survive a crash.
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

/// The folder that contains a path: the working directory for a bare name.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::SystemTime;

    fn fresh(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("robocensus-durable-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn an_exchanged_folder_exists_at_every_moment() {
        let folder = fresh("exchange");
        let (draft, path) = (folder.join("draft"), folder.join("path"));
        fs::create_dir(&draft).unwrap();
        fs::create_dir(&path).unwrap();
        fs::write(draft.join("new"), "").unwrap();
        let is_done = AtomicBool::new(false);
        let missing = std::thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                let mut missing = 0;
                while !is_done.load(Ordering::Relaxed) {
                    missing += u32::from(!path.exists());
                }
                missing
            });
            for _ in 0..501 {
                exchange_folder(&draft, &path).unwrap();
            }
            is_done.store(true, Ordering::Relaxed);
            watcher.join().unwrap()
        });
        assert_eq!(missing, 0);
        assert!(path.join("new").exists() && !draft.join("new").exists());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_folder_is_not_removed_as_a_file() {
        let folder = fresh("remove");
        assert!(remove(&folder).is_err() && folder.is_dir());
        remove(&folder.join("nothing")).unwrap();
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn what_cannot_be_a_folder_is_an_error() {
        let folder = fresh("link");
        std::os::unix::fs::symlink(folder.join("nowhere"), folder.join("link")).unwrap();
        let made = make_folder(&folder.join("link/below"));
        assert_eq!(made.unwrap_err().kind(), io::ErrorKind::NotADirectory);
        let made = make_folder(&folder.join("x".repeat(300)));
        assert_eq!(made.unwrap_err().kind(), io::ErrorKind::InvalidFilename);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn drafts_of_killed_processes_are_removed() {
        let folder = fresh("drafts");
        let path = folder.join("report");
        let old = SystemTime::now() - LEFT_AFTER - Duration::from_secs(60);
        for (name, is_old) in
            [(".report.draft.1", true), (".report.draft.2", false), (".other.draft.1", true), ("report.draft.1", true)]
        {
            fs::create_dir(folder.join(name)).unwrap();
            fs::write(folder.join(name).join("index.html"), "").unwrap();
            if is_old {
                File::open(folder.join(name)).unwrap().set_modified(old).unwrap();
            }
        }
        fs::write(folder.join(".report.draft.3"), "").unwrap();
        File::options().write(true).open(folder.join(".report.draft.3")).unwrap().set_modified(old).unwrap();
        let draft = draft_beside(&path, "draft").unwrap();
        assert_eq!(draft, folder.join(format!(".report.draft.{}", std::process::id())));
        let mut left: Vec<String> =
            fs::read_dir(&folder).unwrap().map(|found| found.unwrap().file_name().into_string().unwrap()).collect();
        left.sort();
        assert_eq!(left, [".other.draft.1", ".report.draft.2", "report.draft.1"]);
        fs::remove_dir_all(folder).unwrap();
    }
}
