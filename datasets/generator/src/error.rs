//! The error of the generator.

use std::fmt;
use std::path::{Path, PathBuf};

/// `what: where: cause`.
#[derive(Debug)]
pub struct GeneratorError {
    what: &'static str,
    path: PathBuf,
    cause: String,
}

impl GeneratorError {
    pub(crate) fn new(what: &'static str, path: &Path, cause: &dyn fmt::Display) -> Self {
        GeneratorError { what, path: path.to_path_buf(), cause: cause.to_string() }
    }
}

impl fmt::Display for GeneratorError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}: {}", self.what, self.path.display(), self.cause)
    }
}

impl std::error::Error for GeneratorError {}

/// Writes a file, and creates the folders above it.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), GeneratorError> {
    let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    folder
        .and_then(|()| std::fs::write(path, bytes))
        .map_err(|error| GeneratorError::new("file cannot be written", path, &error))
}
