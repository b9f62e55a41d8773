//! Cuts a list of inputs into parts.

use crate::inputs::Input;

/// How many archives a part has in a large crawl: few enough to read them again after a crash, and enough to find
/// repeated bodies. A crawl of 100,000 archives becomes 1,563 files per table. (64 archives of Common Crawl have 150
/// MB.)
const MOST_INPUTS: usize = 64;

/// A small crawl is cut into this many parts, so that all cores have work.
const FEWEST_PARTS: usize = 16;

/// A part may have this many archives even if there are then fewer parts, since repeated bodies are found only within a
/// part.
const FEWEST_INPUTS: usize = 16;

/// A part has at most this many bytes, or one larger archive, since archives are never cut. The sizes of objects are
/// unknown. This limits only large archives: those of robots.txt files have 2 MB, so 64 of them fit.
const MOST_BYTES: u64 = 256 << 20;

/// Cuts inputs, which are sorted by crawl, into parts of one crawl each. The result depends only on the list.
pub(super) fn cut(inputs: Vec<Input>) -> Vec<Vec<Input>> {
    let mut parts: Vec<Vec<Input>> = Vec::new();
    let mut crawls: Vec<Vec<Input>> = Vec::new();
    for input in inputs {
        match crawls.last_mut().filter(|crawl| crawl.first().is_some_and(|first| first.crawl == input.crawl)) {
            Some(crawl) => crawl.push(input),
            None => crawls.push(vec![input]),
        }
    }
    for crawl in crawls {
        let most = crawl.len().div_ceil(FEWEST_PARTS).clamp(FEWEST_INPUTS, MOST_INPUTS);
        // Parts of equal size: 17 inputs become 9 and 8, not 16 and 1.
        let most = crawl.len().div_ceil(crawl.len().div_ceil(most));
        let mut bytes = 0;
        let mut part: Vec<Input> = Vec::new();
        for input in crawl {
            let more = input.stamp.map_or(0, |stamp| stamp.bytes);
            if part.len() == most || (!part.is_empty() && bytes + more > MOST_BYTES) {
                parts.push(std::mem::take(&mut part));
                bytes = 0;
            }
            bytes += more;
            part.push(input);
        }
        parts.push(part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use folder::Stamp;

    #[track_caller]
    fn check(crawls: &[(usize, u64)], expected: &[usize]) {
        let input = |crawl: usize, bytes| Input {
            crawl: format!("C-{crawl}"),
            warc_filename: String::new(),
            path: stores::Location::File(std::path::PathBuf::new()),
            stamp: Some(Stamp { bytes, modified_ns: 0 }),
        };
        let inputs = crawls.iter().enumerate().flat_map(|(crawl, (count, bytes))| vec![input(crawl, *bytes); *count]);
        let parts = cut(inputs.collect());
        assert_eq!(parts.iter().map(Vec::len).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn parts_of_small_and_large_crawls() {
        check(&[], &[]);
        check(&[(1, 5)], &[1]);
        check(&[(8, 5), (9, 5)], &[8, 9]);
        check(&[(17, 5)], &[9, 8]);
        check(&[(160, 5)], &[16; 10]);
        check(&[(512, 5)], &[32; 16]);
        check(&[(1_024, 2 << 20)], &[64; 16]);
        let many = [vec![64; 1_562], vec![32]].concat();
        check(&[(100_000, 2 << 20)], &many);
    }

    #[test]
    fn large_archives_get_their_own_parts() {
        check(&[(3, 1 << 30)], &[1, 1, 1]);
        check(&[(5, 100 << 20)], &[2, 2, 1]);
    }
}
