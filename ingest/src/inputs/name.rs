//! The name of an archive in the tables, and its crawl.

use folder::crawl::is_name_of_folder;

/// The folder at which the names of Common Crawl's archives start.
pub(crate) const CRAWL_DATA: &str = "crawl-data/";

/// The name and crawl of an archive, from its path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedInput {
    /// The crawl, if the path names one.
    pub crawl: Option<String>,
    /// The name in the tables.
    pub warc_filename: String,
}

/// Names an archive by its path.
///
/// The name of a Common Crawl archive starts at `crawl-data/`, as in its index. So copies in different places give
/// equal tables that join that index. The crawl is the folder below `crawl-data`. Any other archive is named by its
/// path as given, and the user names the crawl: file names have a time, but not the week of their crawl.
#[must_use]
pub fn name(path: &str) -> NamedInput {
    let normal = path.replace('\\', "/");
    let at_start = normal.starts_with(CRAWL_DATA).then_some(0);
    let inside = || normal.rfind("/crawl-data/").map(|slash| slash + 1);
    let Some(from) = inside().or(at_start) else {
        return NamedInput { crawl: None, warc_filename: path.strip_prefix("./").unwrap_or(path).to_owned() };
    };
    let warc_filename = normal.get(from..).unwrap_or_default();
    let below = warc_filename.get(CRAWL_DATA.len()..).and_then(|below| below.split_once('/'));
    let is_crawl = |crawl: &&str| is_name_of_folder(crawl);
    NamedInput {
        crawl: below.map(|(crawl, _)| crawl).filter(is_crawl).map(str::to_owned),
        warc_filename: warc_filename.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, crawl: Option<&str>, warc_filename: &str) {
        let expected = NamedInput { crawl: crawl.map(str::to_owned), warc_filename: warc_filename.to_owned() };
        assert_eq!(name(path), expected, "{path:?}");
    }

    #[test]
    fn names() {
        check("crawl-data/CC-MAIN-2024-22/a.warc.gz", Some("CC-MAIN-2024-22"), "crawl-data/CC-MAIN-2024-22/a.warc.gz");
        check("/d/crawl-data/C-1/s/a.warc.gz", Some("C-1"), "crawl-data/C-1/s/a.warc.gz");
        check("/crawl-data/old/crawl-data/C-1/a.warc", Some("C-1"), "crawl-data/C-1/a.warc");
        check("crawl-data/a.warc.gz", None, "crawl-data/a.warc.gz");
        check("crawl-data/../a.warc.gz", None, "crawl-data/../a.warc.gz");
        check("crawl-data/a=b/c.warc.gz", None, "crawl-data/a=b/c.warc.gz");
        check("./mine/a.warc.gz", None, "mine/a.warc.gz");
    }
}
