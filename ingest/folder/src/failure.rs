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
    /// Where in that.
    pub offset: Option<u64>,
    /// Why, and what can be done about it.
    pub cause: String,
}

impl Failure {
    /// A failure.
    pub fn new(what: &'static str, path: &Path, cause: impl fmt::Display) -> Self {
        Failure { what, path: path.to_path_buf(), offset: None, cause: lower(cause.to_string()) }
    }

    /// The same at a place in the file.
    #[must_use]
    pub fn with_offset(self, offset: u64) -> Self {
        Failure { offset: Some(offset), ..self }
    }

    /// Turns an error of a place into a failure there.
    pub fn at<E: fmt::Display>(what: &'static str, path: &Path) -> impl FnOnce(E) -> Self {
        move |error| Failure::new(what, path, error)
    }
}

/// A cause as the end of a message: in lower case, as messages are here, unless it begins with a name.
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
        write!(formatter, "{}: {}", self.what, self.path.display())?;
        if let Some(offset) = self.offset {
            write!(formatter, " at offset {offset}")?;
        }
        write!(formatter, ": {}", self.cause)
    }
}

impl std::error::Error for Failure {}

/// One failure, where there might have been several.
impl From<Failure> for Vec<Failure> {
    fn from(failure: Failure) -> Self {
        vec![failure]
    }
}
