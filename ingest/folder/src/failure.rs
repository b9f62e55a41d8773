//! An error from outside the program: `what: where: cause`.

use crate::mounts;
use std::fmt;
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
        Failure { what, path: mounts::shown(path).into_owned(), offset: None, cause: lower(cause.to_string()) }
    }

    /// The same failure at a byte of the file.
    #[must_use]
    pub fn with_offset(self, offset: u64) -> Self {
        Failure { offset: Some(offset), ..self }
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
