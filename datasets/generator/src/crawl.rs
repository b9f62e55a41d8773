//! Archives of any size from a seed, shaped like Common Crawl's archives of robots.txt files.
//!
//! A file depends only on the seed and its number. So any number of threads write the same files, and the first 10 of
//! 1,000 files equal those of a crawl of 10. Random choices use integers, which are the same on every machine.

mod agents;
mod answer;
mod body;
mod file;
mod host;
mod moment;
mod page;
mod plan;
mod random;
mod rules;
mod shape;
mod template;
mod words;

pub use crate::member::LEVEL;
pub use plan::CrawlPlan;

use crate::list::lists;
use crate::member::Members;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

impl CrawlPlan {
    /// The bytes of an archive.
    #[must_use]
    pub fn archive(&self, number: u32) -> Vec<u8> {
        let mut archive = Vec::new();
        file::write(self, number, &mut Members::new(self.level), &mut archive);
        archive
    }
}

/// The number of threads that the machine runs at once.
#[must_use]
pub fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, Into::into)
}

/// Writes a crawl to a folder, and returns how many bytes its archives have.
///
/// Memory has one archive per thread, and the list of all paths.
pub fn write(plan: &CrawlPlan, folder: &Path, threads: usize) -> Result<u64, String> {
    let (next, bytes, failure) = (AtomicU32::new(0), AtomicU64::new(0), OnceLock::new());
    let work = || {
        let (mut members, mut archive) = (Members::new(plan.level), Vec::new());
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= plan.files {
                return;
            }
            archive.clear();
            file::write(plan, number, &mut members, &mut archive);
            bytes.fetch_add(archive.len() as u64, Ordering::Relaxed);
            if let Err(error) = crate::write(&folder.join(plan.path(number)), &archive) {
                next.store(plan.files, Ordering::Relaxed);
                // The first failure counts.
                let _ = failure.set(error);
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(work);
        }
    });
    if let Some(error) = failure.into_inner() {
        return Err(error);
    }
    let paths: Vec<String> = (0..plan.files).map(|number| plan.path(number)).collect();
    for (list, bytes) in lists(paths.iter().map(String::as_str)) {
        crate::write(&folder.join(list), &bytes)?;
    }
    Ok(bytes.into_inner())
}
