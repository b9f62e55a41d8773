//! The bodies of an archive, read by the crate `warc`, which this project did not write.

use std::path::{Path, PathBuf};
use warc::{RecordType, WarcHeader, WarcReader};

/// Calls `each` with the archive's name, the target and the body of each response with status 200, in all archives
/// whose path has `wanted` in it. Says that it was skipped where there is no corpus.
pub(crate) fn each_body(wanted: &str, mut each: impl FnMut(&str, &str, &[u8])) {
    let Some(corpus) = std::env::var_os("ROBOCENSUS_CORPUS") else {
        eprintln!("skipped: ROBOCENSUS_CORPUS is not set");
        return;
    };
    for path in archives(Path::new(&corpus)) {
        let name = path.to_string_lossy().into_owned();
        if !name.contains(wanted) {
            continue;
        }
        // One crawl has one more end of line between head and body than HTTP, as one of Common Crawl's had.
        let has_extra_eol = name.contains("XCRLF");
        for record in WarcReader::from_path_gzip(&path).unwrap().iter_records() {
            let record = record.unwrap();
            if *record.warc_type() != RecordType::Response {
                continue;
            }
            let url = record.header(WarcHeader::TargetURI).unwrap_or_default().into_owned();
            let Some(head_end) = record.body().windows(4).position(|four| four == b"\r\n\r\n") else { continue };
            let (head, body) = record.body().split_at(head_end + 4);
            let status = head.split(|byte| *byte == b' ').nth(1).unwrap_or_default();
            if status.starts_with(b"200") {
                each(&name, &url, if has_extra_eol { body.strip_prefix(b"\r\n").unwrap_or(body) } else { body });
            }
        }
    }
}

fn archives(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false if path.to_string_lossy().ends_with(".warc.gz") => found.push(path),
                false => {}
            }
        }
    }
    found.sort();
    found
}
