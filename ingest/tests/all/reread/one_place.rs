//! Only one file of the project uses the second reader. It protects the reader from input on which it panics.

use std::path::{Path, PathBuf};

#[test]
fn one_file_names_the_crate() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut naming: Vec<PathBuf> = Vec::new();
    let mut folders: Vec<PathBuf> =
        ["src", "tests", "ingest", "analyze", "datasets"].iter().map(|name| root.join(name)).collect();
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("target") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files += 1;
                if names_the_crate(&std::fs::read_to_string(&path).unwrap()) {
                    naming.push(path.strip_prefix(root).unwrap().to_path_buf());
                }
            }
        }
    }
    assert!(files > 100, "{files} files");
    assert_eq!(naming, [Path::new("ingest/src/reread/second.rs")]);
}

fn names_the_crate(source: &str) -> bool {
    // Split, so that this file does not match.
    let (path, import) = (concat!("warc", "::"), concat!("use ", "warc"));
    let is_of_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let is_word = |at: usize| !source[..at].ends_with(is_of_word);
    source.match_indices(path).any(|(at, _)| is_word(at))
        || source.match_indices(import).any(|(at, _)| !source[at + import.len()..].starts_with(is_of_word))
}

#[test]
fn what_names_it() {
    let check = |source: &str, expected| assert_eq!(names_the_crate(source), expected, "{source}");
    check(concat!("use ", "warc", "::{WarcReader};"), true);
    check(concat!("let reader = ", "warc", "::WarcReader::new(x);"), true);
    check(concat!("use ", "warc", ";"), true);
    check(concat!("fast", "warc", "::Reader"), false);
    check("use warcinfo; // the crate `warc`", false);
}
