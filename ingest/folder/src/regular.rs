//! Opens only regular files, and follows no link below a folder of tables.
//!
//! A folder of tables may come from someone else. A link in it could lead a reader out of the folder, and a writer to a
//! file of the user. Opening a named pipe waits for another process, and reading a device may never end.

use crate::failure::{Failure, lower};
use crate::layout::Folder;
use crate::mounts::StoredFile;
use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

/// How to treat a link in place of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Follow,
    Refuse,
}

/// Opens a file that the user names. Follows links.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(File::options().read(true), path, Links::Follow)
}

/// The metadata of a file that the user names. Follows links. Fails for everything that [`open`] refuses.
pub fn metadata(path: &Path) -> io::Result<Metadata> {
    let found = fs::metadata(path)?;
    if is_file(found.file_type()) { Ok(found) } else { Err(not_a_file(found.file_type())) }
}

/// Asks the system to read the first bytes of a file that will be opened soon. A failure shows when it is opened.
pub fn read_ahead(path: &Path, bytes: u64) {
    // Opening a pipe, as tests use in place of an archive, would wait.
    #[cfg(target_os = "linux")]
    if fs::metadata(path).is_ok_and(|found| found.is_file())
        && let Ok(file) = open(path)
    {
        let _ = rustix::fs::fadvise(file, 0, std::num::NonZero::new(bytes), rustix::fs::Advice::WillNeed);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (path, bytes);
}

/// Opens a file below a folder of tables. For a file in a store, opens a copy.
pub fn open_below(path: &Path) -> io::Result<File> {
    if let Some(stored) = StoredFile::find(path) {
        return stored.open_whole();
    }
    open_with(File::options().read(true), path, Links::Refuse)
}

/// The bytes of a file below a folder of tables.
pub fn read_below(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_below(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens a file below a folder of tables for reading and writing, and creates it if it is missing. Fails if the file
/// has a second hard link, since that could be anywhere.
pub(crate) fn open_or_make(path: &Path) -> io::Result<File> {
    let file = open_with(File::options().read(true).write(true).create(true).truncate(false), path, Links::Refuse)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        if file.metadata()?.nlink() > 1 {
            return Err(io::Error::other("it also has another name and would change there"));
        }
    }
    Ok(file)
}

#[cfg_attr(not(unix), expect(unused_variables, reason = "the flags are those of Unix"))]
fn open_with(options: &mut OpenOptions, path: &Path, links: Links) -> io::Result<File> {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt as _;
        // So that opening a pipe does not wait. It has no effect on regular files.
        let mut flags = if takes_pipes() { OFlags::empty() } else { OFlags::NONBLOCK };
        flags.set(OFlags::NOFOLLOW, links == Links::Refuse);
        options.custom_flags(flags.bits().cast_signed());
    }
    // Otherwise the error of `O_NOFOLLOW` for a link would be "too many levels of symbolic links".
    if links == Links::Refuse {
        match fs::symlink_metadata(path) {
            Ok(found) if !found.is_file() => return Err(not_a_file(found.file_type())),
            _ => {}
        }
    }
    let file = options.open(path)?;
    let kind = file.metadata()?.file_type();
    if is_file(kind) { Ok(file) } else { Err(not_a_file(kind)) }
}

/// Whether this is the type of a regular file.
#[must_use]
pub fn is_file(kind: FileType) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if kind.is_fifo() {
            return takes_pipes();
        }
    }
    kind.is_file()
}

/// Whether pipes are accepted: tests pause a run with a pipe in place of an archive. Only debug builds do this.
fn takes_pipes() -> bool {
    cfg!(debug_assertions) && std::env::var_os("ROBOCENSUS_TEST_PIPES").is_some()
}

/// The error for a path that is not a regular file.
#[must_use]
pub fn not_a_file(kind: FileType) -> io::Error {
    io::Error::other(format!("it is {}, not a file", name(kind)))
}

/// A file type in words.
fn name(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if kind.is_fifo() {
            return "a named pipe";
        } else if kind.is_socket() {
            return "a socket";
        } else if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    if kind.is_file() {
        "a file"
    } else if kind.is_dir() {
        "a folder"
    } else if kind.is_symlink() {
        "a link"
    } else {
        "something else"
    }
}

/// The contents of a folder below a folder of tables, sorted by name. Empty if it is missing. Fails if it contains
/// anything but files and folders, or is a link.
pub fn list_below(folder: &Path) -> Result<Listed, Failure> {
    let cannot = |error: io::Error| Failure::new("folder cannot be read", folder, error);
    match fs::symlink_metadata(folder) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Listed::default());
        }
        Err(error) => return Err(cannot(error)),
        Ok(found) if found.is_dir() => {}
        Ok(found) => return Err(refused(folder, found.file_type())),
    }
    let mut listed = Listed::default();
    for found in fs::read_dir(folder).map_err(cannot)? {
        let found = found.map_err(cannot)?;
        let kind = found.file_type().map_err(cannot)?;
        if kind.is_dir() {
            listed.folders.push(found.path());
        } else if kind.is_file() {
            listed.files.push(found.path());
        } else {
            return Err(refused(&found.path(), kind));
        }
    }
    listed.files.sort();
    listed.folders.sort();
    Ok(listed)
}

/// The contents of a folder.
#[derive(Debug, Default)]
pub struct Listed {
    /// Its files.
    pub files: Vec<PathBuf>,
    /// Its folders.
    pub folders: Vec<PathBuf>,
}

fn refused(path: &Path, kind: FileType) -> Failure {
    let should =
        if kind.is_file() { "should be a folder" } else { "a folder of tables must have only files and folders" };
    Failure::new("folder of tables is refused", path, format_args!("it is {}, but {should}", name(kind)))
}

/// Failures for everything but files and folders in the folders of the tables and in `_robocensus`.
#[must_use]
pub fn others(folder: &Folder) -> Vec<Failure> {
    let mut folders: Vec<PathBuf> = folder.table_folders().chain([folder.records()]).collect();
    let mut others = Vec::new();
    while let Some(folder) = folders.pop() {
        match list_below(&folder) {
            Ok(listed) => folders.extend(listed.folders),
            Err(failure) => others.push(failure),
        }
    }
    others
}

/// Fails if a path that a user wants written is below this folder of tables, also through links.
pub fn refuse_below(path: &Path, tables: &Path) -> Result<(), Failure> {
    match (existing_part(path), fs::canonicalize(tables)) {
        (Some((found, _)), Ok(tables)) if found.starts_with(&tables) => Err(is_below(path, &tables)),
        _ => Ok(()),
    }
}

/// Fails if a path that a user wants written is below any folder of tables, which its records show, also through links.
/// The path itself may be such a folder.
pub fn refuse_below_any(path: &Path) -> Result<(), Failure> {
    let Some((found, is_whole)) = existing_part(path) else { return Ok(()) };
    let above = if is_whole { found.parent() } else { Some(found.as_path()) };
    let mut folders = above.into_iter().flat_map(Path::ancestors);
    match folders.find(|above| Folder::at(above).records().is_dir()) {
        Some(tables) => Err(is_below(path, tables)),
        None => Ok(()),
    }
}

/// A path that a user wants written, with links resolved, so that a link is followed and not replaced. Fails for a link
/// that leads nowhere.
pub fn resolve_output(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Err(error) if path.is_symlink() => {
            let error = lower(error.to_string());
            let cause = format!("it is a link that cannot be followed: {error}; remove it or name another path");
            Err(io::Error::other(cause))
        }
        found => Ok(found.unwrap_or_else(|_| path.to_path_buf())),
    }
}

/// Fails if a path that a user wants written is a file that the same command reads, also under another name.
pub fn refuse_input<'i>(path: &Path, inputs: impl IntoIterator<Item = &'i Path>) -> Result<(), Failure> {
    let Some(input) = inputs.into_iter().find(|input| is_same_file(path, input)) else { return Ok(()) };
    let cause = match input == path {
        true => "the same command reads it; name another file".to_owned(),
        false => format!("it is {}, which the same command reads; name another file", input.display()),
    };
    Err(Failure::new("file cannot be written", path, cause))
}

/// What tells a file apart from all others. Links give it several names.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct FileId(#[cfg(unix)] (u64, u64), #[cfg(not(unix))] PathBuf);

/// The file that a path leads to. `None` if it is not a regular file.
#[must_use]
pub fn file_id(path: &Path) -> Option<FileId> {
    #[cfg(unix)]
    let id = |found: fs::Metadata| {
        use std::os::unix::fs::MetadataExt as _;
        Some((found.dev(), found.ino()))
    };
    #[cfg(not(unix))]
    let id = |_| fs::canonicalize(path).ok();
    fs::metadata(path).ok().filter(fs::Metadata::is_file).and_then(id).map(FileId)
}

/// Whether two paths lead to one regular file.
#[must_use]
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    file_id(one).is_some_and(|file| file_id(other) == Some(file))
}

/// The part of a path that exists, with links resolved, and whether that is all of it. Missing parts will be created,
/// so they are not links.
fn existing_part(path: &Path) -> Option<(PathBuf, bool)> {
    let resolve = |above: &Path| fs::canonicalize(if above.as_os_str().is_empty() { Path::new(".") } else { above });
    path.ancestors().zip(0..).find_map(|(above, missing)| Some((resolve(above).ok()?, missing == 0)))
}

fn is_below(path: &Path, tables: &Path) -> Failure {
    let cause = format_args!("it is below the folder of tables {}; name a path outside of it", tables.display());
    Failure::new("file cannot be written", path, cause)
}
