//! A file that gets its name only when it is complete. Until then, readers see the earlier file.

use crate::interrupt::RemovedAtEnd;
use folder::{durable, regular};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::os::fd::AsFd as _;
use std::path::{Path, PathBuf};

/// A file that is being written.
#[derive(Debug)]
pub(crate) struct FileDraft {
    writer: Option<BufWriter<File>>,
    /// The temporary path. It equals `path` if that is a pipe, a device or a stream.
    draft: PathBuf,
    path: PathBuf,
    _removed: Option<RemovedAtEnd>,
}

impl FileDraft {
    pub(crate) fn begin(path: &Path) -> io::Result<Self> {
        if let Some(stream) = open_stream(path) {
            let (draft, path) = (path.to_path_buf(), path.to_path_buf());
            return Ok(FileDraft { writer: Some(BufWriter::new(stream?)), draft, path, _removed: None });
        }
        regular::refuse_below_any(path).map_err(|failure| io::Error::other(failure.cause))?;
        let path = regular::resolve_output(path)?;
        let is_special = fs::metadata(&path).is_ok_and(|found| !found.is_file());
        if is_special {
            let file = File::options().write(true).open(&path)?;
            return Ok(FileDraft { writer: Some(BufWriter::new(file)), draft: path.clone(), path, _removed: None });
        }
        let draft = durable::draft_beside(&path, "draft")?;
        let removed = Some(RemovedAtEnd::new(&draft));
        Ok(FileDraft { writer: Some(BufWriter::new(File::create(&draft)?)), draft, path, _removed: removed })
    }

    /// Syncs the file to disk and renames it to its final name.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        let file = writer.into_inner().map_err(io::IntoInnerError::into_error);
        if self.draft == self.path {
            return file.map(|_| ());
        }
        let named = file.and_then(|file| file.sync_all()).and_then(|()| durable::publish(&self.draft, &self.path));
        if named.is_err() {
            let _ = fs::remove_file(&self.draft);
        }
        named
    }
}

/// A stream that is open, such as `/dev/stdout`. It may lead to a file that other programs write to, too. A new file
/// must not replace that file.
fn open_stream(path: &Path) -> Option<io::Result<File>> {
    let number = ["/dev/fd/", "/proc/self/fd/"].iter().find_map(|folder| path.to_str()?.strip_prefix(folder));
    Some(match (path.to_str()?, number) {
        ("/dev/stdout", _) | (_, Some("1")) => io::stdout().as_fd().try_clone_to_owned().map(File::from),
        ("/dev/stderr", _) | (_, Some("2")) => io::stderr().as_fd().try_clone_to_owned().map(File::from),
        (_, Some(_)) => File::options().append(true).open(path),
        _ => return None,
    })
}

impl Drop for FileDraft {
    /// Removes a file that is not complete.
    fn drop(&mut self) {
        if self.writer.take().is_some() && self.draft != self.path {
            let _ = fs::remove_file(&self.draft);
        }
    }
}

impl Write for FileDraft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.as_mut().map_or(Ok(0), |writer| writer.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.as_mut().map_or(Ok(()), Write::flush)
    }
}
