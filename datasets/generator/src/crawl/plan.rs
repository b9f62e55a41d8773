//! The options that determine a crawl.

/// The parameters that determine all bytes of a crawl.
#[derive(Debug, Clone)]
pub struct CrawlPlan {
    /// Its name, which is in the names of its folder and files.
    pub crawl: String,
    /// The seed.
    pub seed: u64,
    /// The year of its dates. A seed gives the same sites in each year. Only dates differ, which files block crawlers
    /// that train models, and which crawlers files before 2024 name.
    pub year: u32,
    /// The number of archives.
    pub files: u32,
    /// The number of captures in each: pairs of a request and its response.
    pub captures_per_file: u32,
    /// The level of compression, from 0 to 9.
    pub level: u32,
}

/// The number of files in a segment, so that no folder has 100,000 files.
const FILES_PER_SEGMENT: u32 = 1_000;

impl CrawlPlan {
    /// The path of an archive.
    #[must_use]
    pub fn path(&self, number: u32) -> String {
        let (crawl, segment) = (&self.crawl, 1 + number / FILES_PER_SEGMENT);
        format!("crawl-data/{crawl}/segments/{segment}/robotstxt/{crawl}-{number:05}.warc.gz")
    }
}
