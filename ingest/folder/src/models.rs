//! The sources of a derived table of a crawl. They show whether it is out of date.

use crate::crawl;
use crate::durable;
use crate::failure::Failure;
use crate::layout::Folder;
use crate::ledger::WrittenFile;
use crate::regular;
use crate::seal::{self, Unread};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The part number of a derived table, which has one file for each crawl.
pub const PART: u32 = 0;

/// A derived table of a crawl.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Made {
    /// Its crawl.
    pub crawl: String,
    /// Its file.
    pub file: WrittenFile,
    /// The digests of its sources: of the tables, by name, and of the statement.
    pub of: BTreeMap<String, String>,
    /// The values of the statement's parameters.
    pub parameters: BTreeMap<String, String>,
    /// The program that made it, with its version.
    pub made_by: String,
    /// How many seconds it took.
    pub seconds: f64,
}

/// Writes an entry, so that it survives a crash.
pub fn write(folder: &Folder, made: &Made) -> Result<(), Failure> {
    let path = entry(folder, &made.file.table, &made.crawl);
    let cannot = || Failure::at("entry of a derived table cannot be written", &path);
    durable::make_folder(&folder.model(&made.file.table)).map_err(cannot())?;
    seal::write(&folder.draft(&path), &path, made).map_err(cannot())
}

/// The entry of a derived table of a crawl. `None` if it was never made.
pub fn read(folder: &Folder, table: &str, crawl: &str) -> Result<Option<Made>, Failure> {
    parse(&entry(folder, table, crawl))
}

/// The entry of a derived table of a crawl, as [`read`] returns it. `None` also if it is not as it was written: then its
/// table must be made again.
pub fn read_unless_changed(folder: &Folder, table: &str, crawl: &str) -> Result<Option<Made>, Failure> {
    if seal::is_changed(&entry(folder, table, crawl)) { Ok(None) } else { read(folder, table, crawl) }
}

fn parse(path: &Path) -> Result<Option<Made>, Failure> {
    const WHAT: &str = "entry of a derived table cannot be read";
    let unread = Unread { what: WHAT, remedy: "if you remove it, robocensus models makes the table again" };
    let made: Option<Made> = seal::read(unread, path)?;
    if let Some(made) = &made {
        crawl::check(&made.crawl).map_err(Failure::at(WHAT, path))?;
    }
    Ok(made)
}

/// A file with the entry of a derived table, or why the entry cannot be read.
pub type FoundModel = (PathBuf, Result<Made, Failure>);

/// All entries of a derived table, by crawl.
pub fn each(folder: &Folder, table: &str) -> Result<Vec<FoundModel>, Failure> {
    let listed = regular::list_below(&folder.model(table))?;
    let found = listed.files.into_iter().chain(listed.folders);
    Ok(found.filter_map(|path| Some((path.clone(), parse(&path).transpose()?))).collect())
}

/// The file of the entry of a derived table of a crawl.
#[must_use]
pub fn entry(folder: &Folder, table: &str, crawl: &str) -> PathBuf {
    folder.model(table).join(format!("{crawl}.json"))
}
