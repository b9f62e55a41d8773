//! The archives of the sample, which are part of the binary.

use std::fs;
use std::io;
use std::path::Path;

macro_rules! archive {
    ($path:literal) => {
        ($path, include_bytes!(concat!("../../datasets/sample/", $path)))
    };
}

/// The archives, by path.
const ARCHIVES: [(&str, &[u8]); 12] = [
    archive!("crawl-data/SAMPLE-2024-10/segments/1/robotstxt/SAMPLE-2024-10-00000.warc.gz"),
    archive!("crawl-data/SAMPLE-2024-10/segments/1/robotstxt/SAMPLE-2024-10-00001.warc.gz"),
    archive!("crawl-data/SAMPLE-2024-10/segments/2/robotstxt/SAMPLE-2024-10-00002.warc.gz"),
    archive!("crawl-data/SAMPLE-2024-10/segments/2/warc/SAMPLE-2024-10-00003.warc.gz"),
    archive!("crawl-data/SAMPLE-2024-10/segments/3/robotstxt/SAMPLE-2024-10-00004.warc.gz"),
    archive!("crawl-data/SAMPLE-2024-10/segments/3/robotstxt/SAMPLE-2024-10-00005.warc.gz"),
    archive!("crawl-data/SAMPLE-2024-10/segments/3/robotstxt/SAMPLE-2024-10-00006.warc.gz"),
    archive!("crawl-data/SAMPLE-2025-10/segments/1/robotstxt/SAMPLE-2025-10-00000.warc.gz"),
    archive!("crawl-data/SAMPLE-2025-10/segments/1/robotstxt/SAMPLE-2025-10-00001.warc.gz"),
    archive!("crawl-data/SAMPLE-2025-10/segments/1/robotstxt/SAMPLE-2025-10-00002.warc.gz"),
    archive!("crawl-data/SAMPLE-2025-10/segments/2/robotstxt/SAMPLE-2025-10-00003.warc"),
    archive!("crawl-data/SAMPLE-2025-10/segments/3/robotstxt/SAMPLE-2025-10-00004.warc.gz"),
];

/// Whether the sample has a crawl of this name.
pub(super) fn has(crawl: &str) -> bool {
    ARCHIVES.iter().any(|(path, _)| path.split('/').nth(1) == Some(crawl))
}

/// Writes the archives below a folder.
pub(super) fn write(folder: &Path) -> io::Result<()> {
    for (path, bytes) in ARCHIVES {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_archives_come_with_the_program() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/sample");
        let mut found = Vec::new();
        let mut folders = vec![folder.join("crawl-data")];
        while let Some(next) = folders.pop() {
            for entry in fs::read_dir(next).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.to_string_lossy().contains(".warc") {
                    found.push(path.strip_prefix(&folder).unwrap().to_owned());
                }
            }
        }
        found.sort_unstable();
        assert_eq!(found, ARCHIVES.map(|(path, _)| Path::new(path).to_owned()));
    }
}
