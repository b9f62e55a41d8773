//! Lists of paths, as Common Crawl publishes them: one path per line, with or without gzip.

use crate::archive::GZIP_SIGNATURE;
use flate2::bufread::MultiGzDecoder;
use folder::regular;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use stores::{ObjectUrl, Stores};

/// Whether a file is a list, by its name: `robotstxt.paths.gz`, `warc.paths`.
pub(super) fn is_list(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".paths") || name.ends_with(".paths.gz")
}

/// The entries of a list on disk.
pub(super) fn read(path: &Path) -> io::Result<Vec<String>> {
    entries(regular::open(path)?)
}

/// The entries of a list in a store or on a server.
pub(super) fn read_object(stores: &Stores, url: &ObjectUrl) -> io::Result<Vec<String>> {
    // Nothing stops this: while lists are read, Ctrl-C ends the process.
    entries(stores.start(url).open(&AtomicBool::new(false))?)
}

/// The most bytes of a list. Those of Common Crawl have 14 MB. A few bytes of gzip can inflate to any number.
const MOST_BYTES: u64 = 1 << 28;

fn entries(list: impl Read) -> io::Result<Vec<String>> {
    let mut file = BufReader::new(list);
    // The bytes decide, not the name: many tools decompress gzip when they download.
    match file.fill_buf()?.starts_with(GZIP_SIGNATURE) {
        true => up_to(MOST_BYTES, MultiGzDecoder::new(file)),
        false => up_to(MOST_BYTES, file),
    }
}

/// The lines of a text. Fails if it has more than `most` bytes.
fn up_to(most: u64, text: impl Read) -> io::Result<Vec<String>> {
    let mut text = BufReader::new(text.take(most + 1));
    let lines = lines(&mut text);
    match text.get_ref().limit() {
        0 => Err(io::Error::other(format!("it has more than {} MiB", most >> 20))),
        _ => lines,
    }
}

/// The lines of a text, trimmed, without byte order marks and blank lines. Fails for a line that is not UTF-8, since
/// names in tables must be, and for a comment, which would be the name of an archive.
pub(super) fn lines(text: &mut dyn BufRead) -> io::Result<Vec<String>> {
    let mut entries = Vec::new();
    for (line, number) in text.split(b'\n').zip(1..) {
        let line = line?;
        let Ok(entry) = str::from_utf8(&line) else {
            let shown = String::from_utf8_lossy(&line);
            return Err(io::Error::other(format!("line {number} is not UTF-8, but names in tables must be: {shown}")));
        };
        // A byte order mark is in the middle if lists were put together.
        let entry = entry.trim_start_matches('\u{feff}').trim();
        if entry.starts_with('#') {
            return Err(io::Error::other(format!("line {number} starts with #, but a list has no comments: {entry}")));
        }
        entries.extend(Some(entry.to_owned()).filter(|entry| !entry.is_empty()));
    }
    Ok(entries)
}

/// The base of the entries of a list on disk: the folder that contains its `crawl-data`, or else the folder of the
/// list.
pub(super) fn base_of(list: &Path) -> PathBuf {
    let folder = list.parent().unwrap_or(Path::new(""));
    let is_crawl_data = |folder: &&Path| folder.file_name().is_some_and(|name| name == "crawl-data");
    let above = folder.ancestors().find(is_crawl_data).and_then(Path::parent);
    above.unwrap_or(folder).to_path_buf()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_an_end() {
        assert_eq!(up_to(1 << 20, " a\n\nb".as_bytes()).unwrap(), ["a", "b"]);
        assert_eq!(up_to(1 << 20, "\u{feff}a\r\n\u{feff}b".as_bytes()).unwrap(), ["a", "b"]);
        let error = up_to(1 << 20, "a\n # b\n".as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), "line 2 starts with #, but a list has no comments: # b");
        let error = up_to(1 << 20, io::repeat(b'a')).unwrap_err();
        assert_eq!(error.to_string(), "it has more than 1 MiB");
    }

    #[test]
    fn bases() {
        let check = |list: &str, expected: &str| assert_eq!(base_of(Path::new(list)), Path::new(expected), "{list:?}");
        check("/data/crawl-data/CC-MAIN-2024-22/robotstxt.paths.gz", "/data");
        check("crawl-data/CC-MAIN-2024-22/robotstxt.paths.gz", "");
        check("/lists/robotstxt.paths.gz", "/lists");
        check("robotstxt.paths", "");
    }
}
