//! An error from outside the program: `what: where: cause`.

use crate::mounts;
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Something that could not be done. Its text may contain untrusted names: escape them before you print them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The fault, in a few words.
    pub what: &'static str,
    /// In which file or folder.
    pub path: PathBuf,
    /// At which byte of the file.
    pub offset: Option<u64>,
    /// Why, and what can be done about it.
    pub cause: String,
}

impl Failure {
    /// A failure at a path. The cause starts in lower case, unless it is an abbreviation.
    pub fn new(what: &'static str, path: &Path, cause: impl fmt::Display) -> Self {
        let cause = lower(cause.to_string());
        // A store is never full. Files on their way to it wait in the folder for temporary files.
        if let Some((what, advice)) = error_at_end(&cause).and_then(|error| obstacle_of_writing(error.kind()))
            && let Some(path) = mounts::temporary_of(path)
        {
            return Failure { what, path, offset: None, cause: format!("{cause}; {advice}") };
        }
        Failure { what, path: mounts::shown(path).into_owned(), offset: None, cause }
    }

    /// The same failure at a byte of the file.
    #[must_use]
    pub fn with_offset(self, offset: u64) -> Self {
        Failure { offset: Some(offset), ..self }
    }

    /// The error of the system at the end of the cause, if it says nothing about the file: the process has too few open
    /// files, too little memory or no permission, or was interrupted. Readers of Parquet keep no more than its text.
    #[must_use]
    pub fn obstacle(&self) -> Option<&str> {
        #[cfg(unix)]
        {
            use rustix::io::Errno;
            let obstacles = [Errno::MFILE, Errno::NFILE, Errno::NOMEM, Errno::ACCESS, Errno::PERM, Errno::INTR];
            let code = error_at_end(&self.cause)?.raw_os_error();
            if obstacles.iter().any(|obstacle| Some(obstacle.raw_os_error()) == code) {
                return self.cause.rsplit(": ").next();
            }
        }
        None
    }

    /// For `map_err`: the system does not start threads. `which` is their number or their work.
    pub fn of_threads<E: fmt::Display>(which: impl fmt::Display) -> impl FnOnce(E) -> Self {
        move |error| Failure::new("threads cannot be started", Path::new(&which.to_string()), error)
    }

    /// For `map_err`: turns an error into a failure at a path.
    pub fn at<E: fmt::Display>(what: &'static str, path: &Path) -> impl FnOnce(E) -> Self {
        move |error| Failure::new(what, path, error)
    }
}

/// The message and the advice if a folder for temporary files takes no more bytes.
#[must_use]
pub fn obstacle_of_writing(kind: ErrorKind) -> Option<(&'static str, &'static str)> {
    match kind {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            Some(("folder for temporary files is full", ANOTHER_FOLDER))
        }
        ErrorKind::FileTooLarge => Some(("file is too large for the folder for temporary files", FILE_LIMITS)),
        _ => None,
    }
}

/// How the user can choose another folder for temporary files.
pub const ANOTHER_FOLDER: &str = "TMPDIR names another";

/// What limits the size of a file.
const FILE_LIMITS: &str = "ulimit -f limits files, and so do some file systems; TMPDIR names another folder";

/// The error of the system that a cause ends with.
fn error_at_end(cause: &str) -> Option<io::Error> {
    let (_, code) = cause.strip_suffix(')')?.rsplit_once("(os error ")?;
    code.parse().ok().map(io::Error::from_raw_os_error)
}

/// A cause with its first letter in lower case, as in messages, unless it is an abbreviation.
#[must_use]
pub fn lower(cause: String) -> String {
    let mut characters = cause.chars();
    match (characters.next(), characters.next()) {
        (Some(first), Some(second)) if first.is_ascii_uppercase() && second.is_ascii_lowercase() => {
            cause.replacen(first, &first.to_ascii_lowercase().to_string(), 1)
        }
        _ => cause,
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // An empty argument would be invisible.
        let path = if self.path.as_os_str().is_empty() { Path::new("''") } else { &self.path };
        write!(formatter, "{}: {}", self.what, path.display())?;
        if let Some(offset) = self.offset {
            write!(formatter, " at offset {offset}")?;
        }
        write!(formatter, ": {}", self.cause)
    }
}

impl std::error::Error for Failure {}

/// For functions that return several failures.
impl From<Failure> for Vec<Failure> {
    fn from(failure: Failure) -> Self {
        vec![failure]
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use rustix::io::Errno;
    use std::io;

    #[test]
    fn obstacles_say_nothing_about_a_file() {
        let check = |cause: String, expected: Option<&str>| {
            let failure = Failure::new("file is not a table", Path::new("f"), cause);
            assert_eq!(failure.obstacle(), expected, "{failure}");
        };
        let text = |error: Errno| io::Error::from(error).to_string();
        for error in [Errno::MFILE, Errno::NFILE, Errno::NOMEM, Errno::ACCESS, Errno::PERM, Errno::INTR] {
            check(format!("External: {}", text(error)), Some(&text(error)));
        }
        check(text(Errno::IO), None);
        check(text(Errno::NOENT), None);
        check(format!("{}; and more", text(Errno::MFILE)), None);
        check("it is a folder, not a file".to_owned(), None);
    }
}
