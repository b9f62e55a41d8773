//! The file `views.duckdb.sql`, with which DuckDB reads a folder of tables, and its digest.

use crate::digest::sha256;
use crate::durable;
use crate::failure::Failure;
use crate::layout::{Folder, VIEWS_FILE};
use crate::regular;
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;
use std::path::PathBuf;

/// The record of the written file.
#[derive(Debug, Serialize, Deserialize)]
struct WrittenViews {
    sha256: String,
}

/// The path of the file.
#[must_use]
pub fn path(folder: &Folder) -> PathBuf {
    folder.root().join(VIEWS_FILE)
}

/// The path of the record of the file.
#[must_use]
pub fn entry(folder: &Folder) -> PathBuf {
    folder.records().join("views.json")
}

/// Writes the file and its digest, so that both survive a crash.
pub fn write(folder: &Folder, text: &str) -> Result<(), Failure> {
    let path = path(folder);
    let cannot = || Failure::at("views cannot be written", &path);
    let entry = entry(folder);
    let mut known =
        serde_json::to_vec(&WrittenViews { sha256: sha256(text) }).map_err(|error| cannot()(error.into()))?;
    known.push(b'\n');
    // The digest comes first: if a crash comes between them, the file is not taken for one of somebody else.
    durable::write(&folder.draft(&entry), &entry, &known).map_err(cannot())?;
    durable::write(&folder.draft(&path), &path, text.as_bytes()).map_err(cannot())
}

/// The digest of the file as it was written. `None` if it was never written.
pub fn digest(folder: &Folder) -> Result<Option<String>, Failure> {
    let entry = entry(folder);
    let cannot = || Failure::at("entry of the views cannot be read", &entry);
    match regular::read_below(&entry) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(cannot()(error)),
        Ok(text) => serde_json::from_slice(&text)
            .map(|known: WrittenViews| Some(known.sha256))
            .map_err(|error| cannot()(error.into())),
    }
}

/// The fault of the file. `None` if it is as it was written, or was never written.
pub fn check(folder: &Folder) -> Option<Failure> {
    let path = path(folder);
    let known = match digest(folder) {
        Ok(known) => known,
        Err(failure) => return Some(failure),
    };
    let found = match regular::read_below(&path) {
        Ok(found) => Some(sha256(found)),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Some(Failure::new("file cannot be read", &path, error)),
    };
    let cause = match (known, found) {
        (known, found) if known == found => return None,
        (None, _) => ("file is foreign", "it was not made by robocensus models"),
        (Some(_), None) => ("file is missing", "robocensus models writes it again"),
        (Some(_), Some(_)) => ("file has changed", "robocensus models writes it again"),
    };
    Some(Failure::new(cause.0, &path, cause.1))
}
