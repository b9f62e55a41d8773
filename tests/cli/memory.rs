//! Archives that are designed to take much memory. Only the full run reads them.

use crate::crawls::{TIME, record};
use crate::run::TestFolder;
use committed::full::is_full_or_skipped;
use std::fs;

/// The most bytes of a body that are parsed.
const BODY_BYTES: usize = 16 << 20;

/// The memory limit for two jobs.
const MAX_KIB: u64 = 512 << 10;

/// The lines whose rows take the most memory, measured by `benches/load.sh`.
const LINES: [&str; 3] = ["a:/\n", "User-agent:a\n", "User-agent:a\nAllow:/\n"];

/// Writes two archives of two crawls, and reads them with two jobs. Fails if that takes too much memory.
fn fits_into_512_mib(what: &str, folder: &TestFolder, records: impl Fn(&str) -> String) {
    for crawl in ["LOAD-1", "LOAD-2"] {
        folder.write(&format!("crawl-data/{crawl}/robotstxt/a.warc"), records(crawl));
    }
    let ingest = ["ingest", "crawl-data", "--out", "tables", "--jobs", "2", "--quiet"];
    let mut child = folder.command(&ingest).spawn().expect("the binary starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().expect("a process can be waited for").is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let kib = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        peak = peak.max(kib.unwrap_or(0));
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert_eq!(child.wait().expect("it ends").code(), Some(0), "{what}");
    assert!(peak > 0 && peak < MAX_KIB, "{what} took {} MiB", peak >> 10);
}

#[test]
fn two_archives_of_the_worst_lines_fit_into_512_mib() {
    if !is_full_or_skipped() {
        return;
    }
    for line in LINES {
        let folder = TestFolder::new("memory");
        fits_into_512_mib(line, &folder, |crawl| {
            let body = |number: usize| {
                // The first line differs, because equal bodies are parsed only once.
                let first = format!("# {crawl} {number}\n");
                let lines = line.repeat((BODY_BYTES - first.len()) / line.len());
                record(&format!("https://h{number}.example/robots.txt"), TIME, 200, "", &(first + &lines))
            };
            (0..2).map(body).collect()
        });
    }
}

/// Texts that do not compress stay in memory until a row group ends.
#[test]
fn two_archives_of_long_random_urls_fit_into_512_mib() {
    if !is_full_or_skipped() {
        return;
    }
    let folder = TestFolder::new("memory_of_urls");
    fits_into_512_mib("random URLs", &folder, |_| {
        let mut state = 1_u64;
        let mut letter = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            char::from(b'a' + (state >> 59) as u8 % 26)
        };
        let mut url = |number: usize| {
            let path: String = (0..60_000).map(|_| letter()).collect();
            record(
                &format!("https://h{number}.example/{path}/robots.txt"),
                TIME,
                200,
                "",
                "User-agent: *\nDisallow: /\n",
            )
        };
        (0..4_000).map(&mut url).collect()
    });
}
