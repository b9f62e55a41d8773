//! Real archives, from the folder that `ROBOCENSUS_CORPUS` names.

use crate::full::is_full;
use ingest::inputs::{InputNaming, expand};
use std::io;
use std::path::{Path, PathBuf};

/// The archives of all sets. Sets are listed separately, since archives of two sets may have the same name. `None`,
/// with a message, if there is no corpus.
pub(crate) fn archives() -> Option<Vec<PathBuf>> {
    let Some(corpus) = std::env::var_os("ROBOCENSUS_CORPUS") else {
        eprintln!("skipped: ROBOCENSUS_CORPUS is not set");
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

/// All archives in the full run, otherwise one of each crawl: the first of the first crawl, the second of the second.
pub(crate) fn some_archives() -> Option<Vec<PathBuf>> {
    let archives = archives()?;
    if is_full() {
        return Some(archives);
    }
    let crawl = |path: &Path| path.ancestors().nth(4).unwrap().to_owned();
    let crawls = archives.chunk_by(|one, next| crawl(one) == crawl(next));
    Some(crawls.enumerate().map(|(nth, crawl)| crawl[nth % crawl.len()].clone()).collect())
}
