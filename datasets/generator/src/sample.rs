//! The sample: small archives, built from sources that a person can read. Each record has one purpose.
//!
//! A source is a TOML file that describes one archive, record by record; [`SampleSource`] is its format. Sources
//! describe irregular and damaged archives on purpose, so nothing here corrects them.

mod archive;
mod built;
mod coding;
mod escape;
mod page;
mod record;
mod source;

pub use built::{Archive, Sample};
pub use page::page;
pub use source::{
    BodyPiece, BodySource, EntryCoding, EntryDamage, EntryEncoding, Eol, Layout, LineEnds, Member, SampleEntry,
    SampleSource, What,
};

use std::path::{Path, PathBuf};

/// Reads the sources in a folder, in the order of their names, and builds their archives.
pub fn read(folder: &Path) -> Result<Sample, String> {
    let unread =
        |path: &Path, error: &dyn std::fmt::Display| format!("source cannot be read: {}: {error}", path.display());
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
        .map_err(|error| unread(folder, &error))?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort_unstable();
    let mut archives = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).map_err(|error| unread(&path, &error))?;
        let source: SampleSource = toml::from_str(&text).map_err(|error| unread(&path, &error))?;
        let bytes = archive::build(&source).map_err(|error| unread(&path, &error))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        archives.push(Archive { name, source, bytes });
    }
    Ok(Sample { archives })
}

/// Writes the built files to a folder.
pub fn write(sample: &Sample, folder: &Path) -> Result<(), String> {
    sample.files().iter().try_for_each(|(path, bytes)| crate::write(&folder.join(path), bytes))
}
