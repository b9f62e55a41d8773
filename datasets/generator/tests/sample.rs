//! The sample agrees with its sources: building it again gives the same bytes, its page lists it, and the readers of
//! this project find in it what the sources say.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

#[path = "sample/found.rs"]
mod found;

use found::{FoundRecord, found};
use generator::sample::{self, Sample, SampleEntry, What};
use std::collections::BTreeSet;
use std::path::PathBuf;

const BLESS: &str = "ROBOCENSUS_BLESS=1 cargo test -p generator --test sample";

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../sample"))
}

fn read() -> Sample {
    sample::read(&folder().join("sources")).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_archives_are_those_of_the_sources() {
    let sample = read();
    if committed::is_blessed() {
        let _ = std::fs::remove_dir_all(folder().join("crawl-data"));
        sample::write(&sample, &folder()).unwrap();
    }
    let mut built = BTreeSet::new();
    for (path, bytes) in sample.files() {
        let there = std::fs::read(folder().join(&path)).unwrap_or_default();
        assert!(there == bytes, "{path} is not what its source says: {BLESS}");
        built.insert(folder().join(path));
    }
    assert_eq!(files_below(folder().join("crawl-data")), built, "files that no source describes: {BLESS}");
}

fn files_below(folder: PathBuf) -> BTreeSet<PathBuf> {
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files_below(path) } else { BTreeSet::from([path]) }).collect()
}

#[test]
fn the_page_lists_them() {
    const START: &str = "<!-- Made from the sources. To write it anew: ";
    const PAGE: &str = "datasets/sample/README.md";
    let written = std::fs::read_to_string(committed::path(PAGE)).unwrap();
    let (above, _) = written.split_once(START).expect("the page says where its list begins");
    let made = format!("{above}{START}{BLESS} -->\n\n{}", sample::page(&read()));
    committed::check(PAGE, &made, BLESS);
}

/// Each record and each stretch of damage is found as its source describes it: type, target, exactly these remarks, and
/// the body, where there are no remarks.
#[test]
fn what_is_read_is_what_the_sources_say() {
    for archive in read().archives {
        let (found, account) = found(&archive.bytes);
        let expected: Vec<FoundRecord> = archive.source.record.iter().filter_map(expected).collect();
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!((&found.what, &found.remarks), (&expected.what, &expected.remarks), "{}", archive.name);
        }
        assert_eq!(found.len(), expected.len(), "{}", archive.name);
        assert_eq!(account.bytes, archive.bytes.len() as u64, "{}", archive.name);
    }
}

/// The facts expected of an entry; none for an empty member.
fn expected(entry: &SampleEntry) -> Option<FoundRecord> {
    let what = match (entry.what, entry.damage) {
        (What::Record, None) => {
            format!("{} {}", entry.record_type, entry.target.as_deref().unwrap_or_default().replace("\\xe9", "%E9"))
        }
        (What::Member, None) if entry.remarks.is_empty() => return None,
        _ => "damage".to_owned(),
    };
    Some(FoundRecord { what, remarks: entry.remarks.iter().cloned().collect(), facts: Vec::new() })
}

#[test]
fn each_record_has_a_reason_of_its_own() {
    let sample = read();
    let entries: Vec<&SampleEntry> = sample.archives.iter().flat_map(|archive| &archive.source.record).collect();
    let reasons: BTreeSet<&str> = entries.iter().map(|entry| entry.reason.as_str()).collect();
    assert_eq!(reasons.len(), entries.len(), "a reason is there twice");
    assert!(reasons.iter().all(|reason| !reason.contains(['|', '\n'])), "a table of Markdown ends there");
}

/// Hosts are names and addresses that RFC 2606, RFC 5737 and RFC 3849 reserve, or names that no registry allows, since
/// they have an underscore below a real suffix.
#[test]
fn no_host_is_one_that_somebody_has() {
    const RESERVED: [&str; 5] = ["example.com", "example.org", "example.net", ".example", "EXAMPLE.COM"];
    for entry in read().archives.iter().flat_map(|archive| &archive.source.record) {
        let Some(target) = &entry.target else { continue };
        let authority = target.trim_start_matches(|character| character != '/' && character != ':');
        let is_reserved = RESERVED.iter().any(|name| target.contains(name))
            || ["http://192.0.2.", "http://[2001:DB8:"].iter().any(|address| target.starts_with(address))
            || host(target).trim_start_matches("www.").starts_with("sample_");
        assert!(is_reserved || authority == ":///", "{target}");
    }
}

fn host(target: &str) -> &str {
    target.split_once("://").map_or(target, |(_, rest)| rest)
}

/// Everything that the readers name occurs in the sample, except what is listed here with the reason.
#[test]
fn all_that_the_readers_name_occurs() {
    const ABSENT: [(&str, &str); 18] = [
        ("body-over-cap", "more than 16 MiB take longer to decode than all of the sample"),
        ("body-over-work", "more than 128 MiB, likewise"),
        ("too-large", "a member of more than 64 MiB, likewise"),
        ("window-too-large", "likewise, as zstd; ingest/src/archive/walk/tests/zstd.rs has it"),
        ("compressed-twice", "archives of other forms than the sample's; ingest/src/archive/walk/tests has them"),
        ("entry-compressed", "likewise"),
        ("entry-differs", "likewise"),
        ("entry-doubtful", "likewise"),
        ("archive-empty", "an archive that is empty is one more input everywhere; ingest/tests/all/damage.rs has it"),
        ("block-doubtful", "a record with two in it; ingest/tests/all/damage.rs has it"),
        ("head-doubtful", "a record whose head is that of two; ingest/tests/all/damage.rs has it"),
        ("date-invalid", "a record without a time is earlier than all others; ingest/tests/all/reasons.rs has it"),
        ("first-segment", "a record that was split; ingest/src/archive/record.rs has it"),
        ("host-is-suffix", "no name that is set aside is a public suffix"),
        (
            "location-empty",
            "a redirect to nowhere is one more site in every question; ingest/tests/all/reasons.rs has it",
        ),
        ("location-too-long", "likewise"),
        ("location-without-base", "likewise"),
        ("location-invalid", "likewise"),
    ];
    let found: BTreeSet<String> = read()
        .archives
        .iter()
        .flat_map(|archive| found(&archive.bytes).0)
        .flat_map(|found| found.remarks.into_iter().chain(found.facts))
        .collect();
    let missing: Vec<&str> = found::all().into_iter().filter(|name| !found.contains(*name)).collect();
    let absent: Vec<&str> = found::all().into_iter().filter(|name| ABSENT.iter().any(|(it, _)| it == name)).collect();
    assert_eq!(missing, absent);
}
