//! Finds a crawl among those of a folder, and says why there is none.

use crate::nearest::did_you_mean;
use folder::{Failure, Folder};
use std::collections::BTreeSet;
use std::path::Path;

/// Fails if the folder has no such crawl. The failure lists the crawls of the folder.
pub(crate) fn find(crawl: &str, crawls: &BTreeSet<&str>) -> Result<(), Failure> {
    if crawls.contains(crawl) {
        return Ok(());
    }
    let cause = match crawls.iter().copied().collect::<Vec<_>>().as_slice() {
        [] => "the folder has no crawl yet".to_owned(),
        known => format!("the folder has {}{}", known.join(", "), did_you_mean(crawl, crawls.iter().copied())),
    };
    Err(Failure::new("crawl is unknown", Path::new(crawl), cause))
}

/// The failure of a folder whose ledger has no part.
pub(crate) fn without_parts(what: &'static str, folder: &Folder) -> Failure {
    let cause = if folder.shards().exists() {
        "the ledger has no part; robocensus commit publishes what shards have made"
    } else {
        "the ledger has no part; robocensus ingest writes them"
    };
    Failure::new(what, folder.root(), cause)
}
