//! Lists of paths, as Common Crawl publishes them for each crawl and kind of archive: `robotstxt.paths.gz`.

use crate::member::member;
use std::collections::BTreeMap;

/// The lists of these archives, with the path of each list. The archive
/// `crawl-data/CRAWL/segments/SEGMENT/KIND/NAME` is listed in `crawl-data/CRAWL/KIND.paths.gz`.
pub(crate) fn lists<'p>(paths: impl Iterator<Item = &'p str>) -> Vec<(String, Vec<u8>)> {
    let mut lists = BTreeMap::<String, Vec<&str>>::new();
    for path in paths {
        if let Some(list) = list_of(path) {
            lists.entry(list).or_default().push(path);
        }
    }
    let text = |mut paths: Vec<&str>| {
        paths.sort_unstable();
        paths.join("\n") + "\n"
    };
    lists.into_iter().map(|(list, paths)| (list, member(text(paths).as_bytes()))).collect()
}

fn list_of(path: &str) -> Option<String> {
    let (crawl, below) = path.split_once("/segments/")?;
    let kind = below.split('/').nth(1)?;
    Some(format!("{crawl}/{kind}.paths.gz"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_for_each_crawl_and_kind() {
        let paths = [
            "crawl-data/A/segments/1/robotstxt/b",
            "crawl-data/A/segments/1/robotstxt/a",
            "crawl-data/A/segments/2/warc/c",
        ];
        let names: Vec<String> = lists(paths.into_iter()).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["crawl-data/A/robotstxt.paths.gz", "crawl-data/A/warc.paths.gz"]);
    }
}
