//! Archives whose bodies are designed to take much memory. Only the full run reads them.

#![expect(clippy::expect_used, reason = "called by tests, which fail by it")]

use crate::full::is_full;
use crate::run::TestFolder;
use std::fs;

/// The most bytes of a body that are parsed.
const BODY_BYTES: usize = 16 << 20;

/// The memory limit for two jobs.
const MAX_KIB: u64 = 512 << 10;

/// The lines whose rows take the most memory, measured by `benches/load.sh`.
const LINES: [&str; 3] = ["a:/\n", "User-agent:a\n", "User-agent:a\nAllow:/\n"];

/// Writes an archive with bodies that repeat a line.
fn write(folder: &TestFolder, crawl: &str, line: &str, bodies: usize) {
    let mut archive = Vec::new();
    for number in 0..bodies {
        // The first line differs, because equal bodies are parsed only once.
        let mut body = format!("# {crawl} {number}\n");
        body.push_str(&line.repeat((BODY_BYTES - body.len()) / line.len()));
        let http = format!("HTTP/1.1 200 OK\r\n\r\n{body}");
        let head = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://h{number}.example/robots.txt\r\n\
             WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Length: {}\r\n\r\n",
            http.len()
        );
        archive.extend([head.as_bytes(), http.as_bytes(), b"\r\n\r\n"].concat());
    }
    let path = folder.path().join(format!("crawl-data/{crawl}/robotstxt/a.warc"));
    fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a folder can be made");
    fs::write(path, archive).expect("an archive can be written");
}

#[test]
fn two_archives_of_the_worst_lines_fit_into_512_mib() {
    if !is_full() {
        return;
    }
    for line in LINES {
        let folder = TestFolder::new("memory");
        write(&folder, "LOAD-1", line, 2);
        write(&folder, "LOAD-2", line, 2);
        let ingest = ["ingest", "crawl-data", "--out", "tables", "--jobs", "2", "--quiet"];
        let mut child = folder.command(&ingest).spawn().expect("the binary starts");
        let status = format!("/proc/{}/status", child.id());
        let mut peak = 0;
        while child.try_wait().expect("a process can be waited for").is_none() {
            let text = fs::read_to_string(&status).unwrap_or_default();
            let kib =
                text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
            peak = peak.max(kib.unwrap_or(0));
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        assert_eq!(child.wait().expect("it ends").code(), Some(0), "{line:?}");
        println!("{line:?}: {} MiB", peak >> 10);
        assert!(peak > 0 && peak < MAX_KIB, "{line:?} took {} MiB", peak >> 10);
    }
}
