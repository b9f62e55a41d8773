//! A representative part of the real archives; all of them with `ROBOCENSUS_FULL=1`.

use crate::full::is_full;
use crate::real;
use std::path::{Path, PathBuf};

/// An archive of each crawl: the first of the first crawl, the second of the second. `None`, with a message, if there is
/// no corpus.
pub(crate) fn archives() -> Option<Vec<PathBuf>> {
    let archives = real::archives()?;
    if is_full() {
        return Some(archives);
    }
    let crawl = |path: &Path| path.ancestors().nth(4).unwrap().to_owned();
    let crawls = archives.chunk_by(|one, next| crawl(one) == crawl(next));
    Some(crawls.enumerate().map(|(nth, crawl)| crawl[nth % crawl.len()].clone()).collect())
}
