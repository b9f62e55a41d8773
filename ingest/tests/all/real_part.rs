//! A representative part of the real archives; all of them with `ROBOCENSUS_FULL=1`.

use crate::real;
use committed::full::is_full;
use ingest::archive::Workshop;
use ingest::reread::{Reread, SecondRecord, compare};
use std::fs::File;
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

/// Calls `each` with each response in these archives and the path of its archive, as the reader sees it that this project
/// did not write. Returns how many there are. `None`, with a message, if there is no corpus.
pub(crate) fn each_response(mut each: impl FnMut(&Path, &SecondRecord<'_>)) -> Option<u32> {
    let (mut responses, mut workshop) = (0, Workshop::default());
    for path in archives()? {
        let comparison = compare(File::open(&path).unwrap(), &mut workshop, |reread| {
            if let Reread::Record(record) = reread
                && record.record_type == "response"
            {
                each(&path, &record);
                responses += 1;
            }
        });
        assert_eq!(comparison.unwrap().unreadable.len(), 0, "{}", path.display());
    }
    Some(responses)
}
