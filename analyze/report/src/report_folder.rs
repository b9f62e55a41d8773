//! The folder of a report. It is written under another name and renamed once it is complete.

use crate::contents::figures;
use crate::{markdown, page};
use folder::{Failure, durable, regular};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// The text that marks a page as written by robocensus.
pub(crate) const MARK: &str = "robocensus report";

/// The mark is within this number of bytes of the start of a page.
const HEAD_BYTES: u64 = 4096;

/// The names of the files and folders in a report.
const OURS: [&str; 5] = [page::NAME, markdown::NAME, "charts", "data", "sql"];

/// The path of the answer of a figure.
pub(crate) fn data_file(figure: &str) -> String {
    format!("data/{figure}.csv")
}

/// The path of the statement of a figure.
pub(crate) fn sql_file(figure: &str) -> String {
    format!("sql/{figure}.sql")
}

/// The path of a chart. A figure can have several: the name of the figure, a dash and a number.
pub(crate) fn chart_file(name: &str) -> String {
    format!("charts/{name}.svg")
}

/// Writes files to a folder. Replaces an earlier report.
pub(crate) fn write(files: &BTreeMap<String, Vec<u8>>, out: &Path) -> Result<(), Failure> {
    let cannot = |error: io::Error| Failure::new("report cannot be written", out, error);
    let out = &regular::resolve_output(out).map_err(cannot)?;
    let exists = is_ours(out)?;
    durable::make_folder(durable::folder_of(out)).map_err(cannot)?;
    let draft = durable::draft_beside(out, "draft").map_err(cannot)?;
    let written = fill(&draft, files).and_then(|()| match exists {
        true => durable::exchange_folder(&draft, out).and_then(|()| fs::remove_dir_all(&draft)),
        false => durable::publish(&draft, out),
    });
    if written.is_err() {
        let _ = fs::remove_dir_all(&draft);
    }
    written.map_err(cannot)
}

/// Fails if `out` is a file, or a folder with anything but an earlier report, or if nothing can be written beside it.
/// Makes the folders above it.
pub fn may_be_written(out: &Path) -> Result<(), Failure> {
    regular::refuse_below_any(out)?;
    let cannot = |error: io::Error| Failure::new("report cannot be written", out, error);
    let out = &regular::resolve_output(out).map_err(cannot)?;
    is_ours(out)?;
    let name = out.file_name().ok_or_else(|| cannot(ErrorKind::InvalidInput.into()))?.to_string_lossy().into_owned();
    let above = durable::folder_of(out);
    durable::make_folder(above).map_err(cannot)?;
    let attempt = above.join(format!(".{name}.attempt.{}", std::process::id()));
    fs::create_dir(&attempt).and_then(|()| fs::remove_dir(&attempt)).map_err(cannot)
}

/// Writes files to a new folder, which replaces an existing one.
fn fill(folder: &Path, files: &BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => fs::create_dir(folder)?,
    }
    for (name, bytes) in files {
        let path = folder.join(name);
        if let Some(below) = path.parent() {
            fs::create_dir_all(below)?;
        }
        let mut file = File::create(&path)?;
        file.write_all(bytes)?;
        file.sync_all()?;
    }
    for found in fs::read_dir(folder)? {
        let path = found?.path();
        if path.is_dir() {
            durable::sync_folder(&path)?;
        }
    }
    durable::sync_folder(folder)
}

/// Whether a path in the folder can be one of a report.
fn is_of_report(path: &Path) -> bool {
    let Some(path) = path.to_str() else { return false };
    let is_chart = |name: &str| {
        let figure = name.rsplit_once('-').map_or(name, |(figure, _)| figure);
        path == chart_file(name) && figures().any(|known| known.id == name || known.id == figure)
    };
    OURS.contains(&path)
        || figures().any(|figure| path == data_file(figure.id) || path == sql_file(figure.id))
        || Path::new(path).file_stem().and_then(OsStr::to_str).is_some_and(is_chart)
}

/// Whether the folder exists and contains a report. Fails if it contains anything else.
fn is_ours(out: &Path) -> Result<bool, Failure> {
    let not_a_report = |cause: String| Failure::new("folder is not a report", out, cause);
    let cannot = |error: io::Error| Failure::new("folder cannot be read", out, error);
    let listed = match fs::read_dir(out) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            return Err(not_a_report("it is a file; --out takes a folder".to_owned()));
        }
        listed => listed.map_err(cannot)?,
    };
    let paths: Vec<PathBuf> =
        listed.map(|found| found.map(|found| found.path())).collect::<Result<_, _>>().map_err(cannot)?;
    let mut found = paths.clone();
    for below in paths.iter().filter(|path| path.is_dir()) {
        for path in fs::read_dir(below).map_err(cannot)? {
            found.push(path.map_err(cannot)?.path());
        }
    }
    found.sort();
    if let Some(other) = found.iter().filter_map(|path| path.strip_prefix(out).ok()).find(|path| !is_of_report(path)) {
        let name = other.display();
        return Err(not_a_report(format!(
            "it contains {name}, which the report would replace; --out takes a folder of its own"
        )));
    }
    let mut is_marked = false;
    for path in paths.iter().filter(|path| path.is_file()) {
        let mut head = Vec::new();
        File::open(path).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head)).map_err(cannot)?;
        is_marked |= String::from_utf8_lossy(&head).contains(MARK);
    }
    if !paths.is_empty() && !is_marked {
        return Err(not_a_report("robocensus did not write its page".to_owned()));
    }
    Ok(true)
}
