//! Archives for the tests that kill runs: many archives with few captures, because runs are resumed by part.

use crate::run::TestFolder;
use generator::crawl::{self, CrawlPlan, LEVEL};

/// Writes a crawl below `crawl-data` in a folder. For up to 256 archives, a part has at most sixteen.
pub(crate) fn write(folder: &TestFolder, crawl: &str, files: u32, captures_per_file: u32) {
    crawl::write(&plan(crawl, files, captures_per_file), folder.path(), 1).expect("archives can be written");
}

/// The path of an archive in the folder.
pub(crate) fn path(crawl: &str, number: u32) -> String {
    plan(crawl, 0, 0).path(number)
}

/// The bytes of an archive.
pub(crate) fn archive(captures: u32) -> Vec<u8> {
    plan("SYNTH-2024-10", 1, captures).archive(0)
}

fn plan(crawl: &str, files: u32, captures_per_file: u32) -> CrawlPlan {
    CrawlPlan { crawl: crawl.to_owned(), seed: 9309, year: 2024, files, captures_per_file, level: LEVEL }
}
