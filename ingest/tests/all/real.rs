//! Real archives, from the folder that `ROBOCENSUS_CORPUS` names.

use ingest::inputs::{InputNaming, expand};
use std::io;
use std::path::PathBuf;

/// The archives of all sets. Sets are listed separately, since archives of two sets may have the same name. `None`,
/// with a message, if there is no corpus.
pub(crate) fn archives() -> Option<Vec<PathBuf>> {
    let Some(corpus) = std::env::var_os("ROBOCENSUS_CORPUS") else {
        committed::skipped("ROBOCENSUS_CORPUS is not set");
        return None;
    };
    let mut sets: Vec<PathBuf> = std::fs::read_dir(corpus)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("crawl-data").is_dir())
        .collect();
    sets.sort();
    let list = |set: PathBuf| expand(&[set], &InputNaming::default(), &mut io::empty()).unwrap().inputs;
    Some(sets.into_iter().flat_map(list).map(|input| PathBuf::from(input.path)).collect())
}
