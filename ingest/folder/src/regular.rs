//! Opens regular files and nothing else, and follows no link below a folder of tables.
//!
//! A folder of tables may come from somebody else. A link in it could lead a reader out of the folder, and a writer to a
//! file of the user. To open a named pipe waits for another process, and a device may never end.

use crate::failure::Failure;
use crate::layout::Folder;
use crate::mounts::StoredFile;
use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

/// What to do with a link in place of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Links {
    Follow,
    Refuse,
}

/// Opens a file that the user names. Links are followed.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(File::options().read(true), path, Links::Follow)
}

/// Opens a file below a folder of tables; of one in a store, a copy that has no name.
pub fn open_below(path: &Path) -> io::Result<File> {
    if let Some(stored) = StoredFile::find(path) {
        return stored.copy(|| {
            let draft = path.with_extension("copy");
            let file = File::options().read(true).write(true).create_new(true).open(&draft)?;
            fs::remove_file(&draft)?;
            Ok(file)
        });
    }
    open_with(File::options().read(true), path, Links::Refuse)
}

/// The bytes of a file below a folder of tables.
pub fn read_below(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_below(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens a file below a folder of tables for reading and writing, and makes it if it is missing. A second name of the file
/// could be anywhere.
pub(crate) fn open_or_make(path: &Path) -> io::Result<File> {
    let file = open_with(File::options().read(true).write(true).create(true).truncate(false), path, Links::Refuse)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        if file.metadata()?.nlink() > 1 {
            return Err(io::Error::other("it has another name, too, and would change there"));
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
        // So that opening a pipe does not wait. Without a meaning for regular files.
        let mut flags = if takes_pipes() { OFlags::empty() } else { OFlags::NONBLOCK };
        flags.set(OFlags::NOFOLLOW, links == Links::Refuse);
        options.custom_flags(flags.bits().cast_signed());
    }
    // Without `O_NOFOLLOW`'s own words for a link, which speak of too many of them.
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

/// Whether there is a regular file.
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

/// Tests hold a run by a pipe in place of an archive. No release build has this.
fn takes_pipes() -> bool {
    cfg!(debug_assertions) && std::env::var_os("ROBOCENSUS_TEST_PIPES").is_some()
}

/// The error for what is no regular file.
#[must_use]
pub fn not_a_file(kind: FileType) -> io::Error {
    io::Error::other(format!("it is {}, and no file", name(kind)))
}

/// What is there, in words.
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

/// What lies in a folder below a folder of tables, sorted by name. Fails if that is anything but files and folders, or if
/// the folder is a link.
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

/// What lies in a folder.
#[derive(Debug, Default)]
pub struct Listed {
    /// Its files.
    pub files: Vec<PathBuf>,
    /// Its folders.
    pub folders: Vec<PathBuf>,
}

fn refused(path: &Path, kind: FileType) -> Failure {
    let should = if kind.is_file() { "should be a folder" } else { "a folder of tables has files and folders only" };
    Failure::new("folder of tables is refused", path, format_args!("it is {}, and {should}", name(kind)))
}

/// What else there is than files and folders, in the folders of the tables and where the program keeps its records.
#[must_use]
pub fn others(folder: &Folder) -> Vec<Failure> {
    let tables = tables::tables().into_iter().chain(tables::derived());
    let mut folders: Vec<PathBuf> = tables.map(|table| folder.root().join(table.name)).collect();
    folders.push(folder.records());
    let mut others = Vec::new();
    while let Some(folder) = folders.pop() {
        match list_below(&folder) {
            Ok(listed) => folders.extend(listed.folders),
            Err(failure) => others.push(failure),
        }
    }
    others
}

/// Fails if a file or folder that a user wants written is below a folder of tables, whatever links lead there.
pub fn refuse_below(path: &Path, tables: &Path) -> Result<(), Failure> {
    // What is missing of the path will be made, and so is no link.
    let is_there = |above: &Path| fs::canonicalize(if above.as_os_str().is_empty() { Path::new(".") } else { above });
    let there = path.ancestors().find_map(|above| is_there(above).ok());
    match (there, fs::canonicalize(tables)) {
        (Some(there), Ok(tables)) if there.starts_with(&tables) => {
            let cause = format_args!(
                "it is below the folder of tables {}, which only ingest and models change",
                tables.display()
            );
            Err(Failure::new("file cannot be written", path, cause))
        }
        _ => Ok(()),
    }
}
