//! `docs/reasons.md` is generated from the catalogues, and has all reasons that occur in `skips`.

mod page;

use crate::tables_of::{each_row, inputs, make, response, write_archive};
use arrow_array::types::TimestampMillisecondType;
use ingest::archive::{Cause, MOST_BYTES};
use ingest::capture::{MOST_TARGET_BYTES, Skip};
use ingest::reread::Obstacle;
use page::{KINDS, page};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::Path;

/// An unusable `Location` for each reason, and a response without one.
const LOCATIONS: [(&str, Option<&str>); 6] = [
    ("Location: \r\n", Some("location-empty")),
    ("Location: /{8192}\r\n", Some("location-too-long")),
    ("Location: robots.txt\r\n", Some("location-without-base")),
    ("Location: http://a b/\r\n", Some("location-invalid")),
    ("Location: javascript:void(0)\r\n", Some("location-without-host")),
    ("", None),
];

const BLESS: &str = "ROBOCENSUS_BLESS=1 cargo test -p ingest --test all reasons";

#[test]
fn the_page_of_reasons() {
    committed::check("docs/reasons.md", &page(), BLESS);
}

/// The sample has nearly every remark, so this finds a kind or catalogue that the page lacks.
#[test]
fn every_reason_in_the_sample_is_on_the_page() {
    let of_page: BTreeSet<(&str, &str)> = KINDS
        .iter()
        .flat_map(|kind| kind.catalogues.iter().map(move |catalogue| (kind.name, catalogue)))
        .flat_map(|(kind, catalogue)| (catalogue.reasons)().into_iter().map(move |(reason, _)| (kind, reason)))
        .collect();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets/sample/crawl-data");
    let folder = tempfile::tempdir().unwrap();
    make(inputs(&sample), folder.path(), NonZeroUsize::MIN);
    let mut counted = BTreeSet::new();
    each_row(folder.path(), "skips", None, |row| {
        counted.insert((row.text("kind").unwrap(), row.text("reason").unwrap()));
    });
    for (kind, reason) in &counted {
        assert!(of_page.contains(&(kind.as_str(), reason.as_str())), "{kind} {reason} is not on the page");
    }
    let catalogues = KINDS.iter().flat_map(|kind| kind.catalogues.iter().map(move |catalogue| (kind.name, catalogue)));
    for (kind, catalogue) in catalogues {
        let is_counted = |reason: &str| counted.contains(&(kind.to_owned(), reason.to_owned()));
        assert!((catalogue.reasons)().iter().any(|(reason, _)| is_counted(reason)), "none {} is counted", catalogue.of);
    }
}

/// Sentences are literals, so the number cannot come from the constant.
#[test]
fn sentences_state_the_longest_record_and_target() {
    let stated = format!("{} MiB", MOST_BYTES >> 20);
    for sentence in [Skip::RecordTooLarge.text(), Cause::TooLarge.text(), Obstacle::MemberTooLarge.text()] {
        assert!(sentence.contains(&stated), "{stated}: {sentence}");
    }
    let (stated, sentence) = (format!("{} KiB", MOST_TARGET_BYTES >> 10), Skip::TargetTooLong.text());
    assert!(sentence.contains(&stated), "{stated}: {sentence}");
}

/// The remark distinguishes an unusable location from a missing one.
#[test]
fn an_unusable_location_has_a_remark() {
    let records = LOCATIONS.map(|(header, _)| {
        // A relative location has no base only if the target of the record is not a URL.
        let host = if header.ends_with("robots.txt\r\n") { "[a" } else { "www.example.com" };
        let block = format!("HTTP/1.1 301 Moved\r\n{}\r\n", header.replace("{8192}", &"a".repeat(8_192)));
        response(host, &block)
    });
    let folder = tempfile::tempdir().unwrap();
    let archive = write_archive(folder.path(), "a.warc", records.concat());
    let tables = folder.path().join("tables");
    make(inputs(&archive), &tables, NonZeroUsize::MIN);
    let mut remarks = Vec::new();
    each_row(&tables, "captures", None, |row| {
        assert_eq!(row.text("fetch_redirect"), None);
        remarks.push(row.text("remarks").map(|text| text.rsplit(' ').next().unwrap_or_default().to_owned()));
    });
    let mut counted = Vec::new();
    each_row(&tables, "skips", None, |row| counted.extend(row.text("reason")));
    assert_eq!(remarks, LOCATIONS.map(|(_, remark)| remark.map(str::to_owned)));
    for remark in LOCATIONS.iter().filter_map(|(_, remark)| *remark) {
        assert!(counted.iter().any(|reason| reason == remark), "{remark} is not counted");
    }
}

/// A record without a time is counted, whether it is a capture or not.
#[test]
fn a_date_that_cannot_be_read_has_a_remark() {
    const DATE: &str = "WARC-Date: 2024-03-01T12:00:00Z\r\n";
    let lines = [DATE, "WARC-Date: 2024-03-01T14:00:00+02:00\r\n", "WARC-Date: yesterday\r\n", ""];
    let record = response("www.example.com", "HTTP/1.1 404 Not Found\r\n\r\n");
    let captures = lines.map(|line| record.replacen(DATE, line, 1));
    let skipped = captures.clone().map(|record| record.replacen(": response", ": metadata", 1));
    let folder = tempfile::tempdir().unwrap();
    let archive = write_archive(folder.path(), "a.warc", [captures, skipped].concat().concat());
    let tables = folder.path().join("tables");
    make(inputs(&archive), &tables, NonZeroUsize::MIN);
    let mut found = Vec::new();
    each_row(&tables, "captures", None, |row| {
        found.push((row.number::<TimestampMillisecondType>("fetch_time"), row.text("remarks")));
    });
    let (time, remark) = (Some(1_709_294_400_000), Some("date-invalid".to_owned()));
    assert_eq!(found, [(time, None), (time, None), (None, remark.clone()), (None, remark)]);
    let mut counted = Vec::new();
    each_row(&tables, "skips", None, |row| counted.push((row.text("reason").unwrap(), row.large("occurrences"))));
    assert!(counted.contains(&("date-invalid".to_owned(), Some(4))), "{counted:?}");
}
