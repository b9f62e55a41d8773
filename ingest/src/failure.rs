//! Something outside that went wrong: `what: where: cause`.

use std::fmt;
use std::path::{Path, PathBuf};

/// Something that could not be done. Its text may hold names from outside; who prints it makes them safe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What the matter is.
    pub what: &'static str,
    /// Where.
    pub path: PathBuf,
    /// Why, and what can be done about it.
    pub cause: String,
}

impl Failure {
    /// A failure.
    pub fn new(what: &'static str, path: &Path, cause: impl fmt::Display) -> Self {
        Failure { what, path: path.to_path_buf(), cause: cause.to_string() }
    }

    /// Turns an error of a place into a failure there.
    pub(crate) fn at<E: fmt::Display>(what: &'static str, path: &Path) -> impl FnOnce(E) -> Self {
        move |error| Failure::new(what, path, error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}: {}", self.what, self.path.display(), self.cause)
    }
}

impl std::error::Error for Failure {}
