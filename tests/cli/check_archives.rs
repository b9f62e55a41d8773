//! `robocensus check --archives`: tables that agree with their archives, and each kind of difference.

use crate::questions::corpus;
use crate::run::TestFolder;
use crate::sample;
use crate::tables::{self, TablesPart};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs::{self, File};
use std::io::Write as _;

const ARCHIVE: &str = "crawl-data/TEST-1/robotstxt/a.warc.gz";

/// The offsets of the three members of the archive.
const FIRST: usize = 0;
const SECOND: usize = 172;
const THIRD: usize = 638;

/// A member with stored, uncompressed bytes, so that its length does not depend on their values.
fn member(records: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(records).expect("memory can be written to");
    encoder.finish().expect("memory can be written to")
}

fn record(kind: &str, host: &str, lines: &str, status: u16) -> String {
    let block = format!("HTTP/1.1 {status} X\r\n\r\nUser-agent: *\nDisallow: /{host}\n");
    format!(
        "WARC/1.0\r\n{lines}WARC-Type: {kind}\r\nWARC-Target-URI: https://{host}.example/robots.txt\r\n\
         Content-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    )
}

/// Three members with four captures. The second has two of them, with a request between them.
fn archive(status: u16) -> Vec<u8> {
    let second = [record("response", "b", "", 200), record("request", "b", "", 0), record("revisit", "c", "", status)];
    let members = [record("response", "a", "", 200), second.concat(), record("response", "d", "", 200)];
    members.iter().flat_map(|records| member(records.as_bytes())).collect()
}

/// A folder with an archive and its tables.
fn ingested(test: &str, archive: &[u8]) -> TestFolder {
    let folder = TestFolder::new(&format!("check_archives_{test}"));
    folder.write(ARCHIVE, archive);
    folder.run(&["ingest", "crawl-data", "--out", "tables", "--quiet"]).exits_with(0);
    folder
}

/// Replaces the archive by one of the same size and time.
fn replace(folder: &TestFolder, archive: &[u8]) {
    let path = folder.path().join(ARCHIVE);
    let before = path.metadata().expect("it exists");
    assert_eq!(archive.len() as u64, before.len());
    fs::write(&path, archive).expect("it can be written");
    let file = File::options().write(true).open(&path).expect("it can be opened");
    file.set_modified(before.modified().expect("it has a time")).expect("it can be set");
}

/// Damages an archive or its tables, and compares the whole output of `check`.
#[track_caller]
fn check_of(test: &str, archive: &[u8], damage: impl FnOnce(&TablesPart<'_>), expected: &[&str]) {
    let folder = ingested(test, archive);
    damage(&TablesPart { folder: &folder, crawl: "TEST-1", number: 0 });
    let run = folder.run(&["check", "tables", "--archives", "--quiet"]);
    let shorten = [
        ("tables/_robocensus/ledger/part-00000.json", "LEDGER"),
        ("/crawl=TEST-1/part-00000.parquet", ""),
        ("crawl-data/TEST-1/", ""),
    ];
    run.exits_with(1).prints("").complains_in_lines(&shorten, expected);
}

#[track_caller]
fn check(test: &str, damage: impl FnOnce(&TablesPart<'_>), expected: &[&str]) {
    check_of(test, &archive(304), damage, expected);
}

#[test]
fn tables_that_agree_with_their_archive_pass() {
    let folder = ingested("whole", &archive(304));
    let run = folder.run(&["check", "tables", "--archives"]);
    run.exits_with(0).complains("").prints_among_others("tables: complete and undamaged: 1 part, 10 files, ");
    run.prints_among_others(
        " 4 captures, 1 crawl without derived tables\n\
         second reader: 5 records agree in 1 archive, none unreadable\n",
    );
    let run = folder.run(&["check", "tables", "--archives", "--quick", "--jobs", "1"]);
    run.exits_with(0)
        .complains("")
        .prints_among_others("tables: complete and undamaged, without digests and queries: 1 part, ");
    folder.run(&["check", "tables", "--archives", "--quiet"]).exits_with(0).complains("").prints("");
    fs::remove_dir_all(folder.path().join("crawl-data")).expect("it can be removed");
    folder.run(&["check", "tables"]).exits_with(0).complains("");
}

#[test]
fn the_sample_agrees_with_its_archives() {
    let folder = sample::ingested("check_archives_sample");
    let run = folder.run(&["check", "tables", "--archives"]);
    let archive = "crawl-data/SAMPLE-2025-10/segments/1/robotstxt/SAMPLE-2025-10-00002.warc.gz";
    let plain = "crawl-data/SAMPLE-2025-10/segments/2/robotstxt/SAMPLE-2025-10-00003.warc";
    let stdout = run.exits_with(0).complains("").stdout.replace(archive, "DAMAGE").replace(plain, "PLAIN");
    let expected = "\
second reader: 241 records agree in 12 archives, 8 unreadable
  1 block-short (first: DAMAGE at offset 2905)
  1 end-differs (first: DAMAGE at offset 3157)
  1 folded-line (first: DAMAGE at offset 1258)
  1 length-invalid (first: DAMAGE at offset 2650)
  1 length-missing (first: DAMAGE at offset 2408)
  1 lf-only (first: DAMAGE at offset 2113)
  1 preceded (first: DAMAGE at offset 3453)
  1 record-cut (first: PLAIN at offset 794)
queries: ";
    assert!(stdout.contains(expected), "{run}");
    assert!(stdout.starts_with("tables: complete and undamaged: 2 parts, 20 files, "), "{run}");
}

#[test]
fn real_archives_agree_with_their_tables() {
    let Some(small) = corpus("small") else { return };
    let folder = TestFolder::new("check_archives_real");
    folder.run(&["ingest", &small, "--out", "tables", "--quiet"]).exits_with(0);
    let run = folder.run(&["check", "tables", "--archives"]);
    run.exits_with(0).prints_among_others("\nsecond reader: ").prints_among_others(" archives, none unreadable\n");
}

#[test]
fn a_replaced_archive_is_reported() {
    let status = format!("robotstxt/a.warc.gz at offset {SECOND}: row 3: fetch_status is 304, but 404 in the archive");
    check(
        "replaced",
        |part| replace(part.folder, &archive(404)),
        &["input has changed: robotstxt/a.warc.gz: its XXH3 is …", &format!("capture differs: {status}")],
    );
    check(
        "grown",
        |part| _ = part.folder.write(ARCHIVE, [archive(304), archive(304)].concat()),
        &["input has changed: robotstxt/a.warc.gz: it has 1620 bytes and had 810 when it was read"],
    );
    check(
        "touched",
        |part| _ = part.folder.write(ARCHIVE, archive(304)),
        &["input has changed: robotstxt/a.warc.gz: its modification time has changed since it was read"],
    );
    check(
        "missing",
        |part| fs::remove_file(part.folder.path().join(ARCHIVE)).unwrap(),
        &["input is missing: robotstxt/a.warc.gz: it was read from this path (relative to where ingest was run)"],
    );
    check(
        "folder",
        |part| {
            fs::remove_file(part.folder.path().join(ARCHIVE)).unwrap();
            fs::create_dir(part.folder.path().join(ARCHIVE)).unwrap();
        },
        &["input is missing: robotstxt/a.warc.gz: the path is not a file"],
    );
}

#[test]
fn rows_with_other_values_are_reported() {
    let differs =
        |offset: usize, text: &str| format!("capture differs: robotstxt/a.warc.gz at offset {offset}: {text}");
    check(
        "url",
        |part| part.set_text("captures", "url", 0, "https://\u{e9}/robots.txt"),
        &[&differs(
            FIRST,
            r#"row 1: url is "https://\xc3\xa9/robots.txt", but "https://a.example/robots.txt" in the archive"#,
        )],
    );
    check(
        "status",
        |part| part.set_int("captures", "fetch_status", 3, Some(404)),
        &[&differs(THIRD, "row 4: fetch_status is 404, but 200 in the archive")],
    );
    check(
        "status_less",
        |part| part.set_int("captures", "fetch_status", 1, None),
        &[&differs(SECOND, "row 2: fetch_status is null, but 200 in the archive")],
    );
    check(
        "length",
        |part| part.edit_number("captures", "warc_record_length", 1, |length| length + 1),
        &[&differs(SECOND, "row 2: warc_record_length is 467, but 466 in the archive")],
    );
    check(
        "type",
        |part| part.set_text("captures", "warc_record_type", 2, "response"),
        &[&differs(SECOND, r#"row 3: warc_record_type is "response", but "revisit" in the archive"#)],
    );
    check(
        "other_values",
        |part| {
            part.set_int("captures", "fetch_status", 0, None);
            part.set_text("captures", "url", 0, "x");
            part.set_int("captures", "fetch_status", 3, None);
        },
        &[&differs(
            FIRST,
            r#"row 1: url is "x", but "https://a.example/robots.txt" in the archive; fetch_status is null, but 200 in the archive; and 1 more"#,
        )],
    );
}

#[test]
fn rows_with_other_offsets_are_reported() {
    check(
        "offset",
        |part| part.edit_number("captures", "warc_record_offset", 0, |offset| offset + 1),
        &[
            r#"record has no capture: robotstxt/a.warc.gz at offset 0: response of "https://a.example/robots.txt""#,
            r#"capture has no record: robotstxt/a.warc.gz at offset 1: row 1 has "https://a.example/robots.txt""#,
        ],
    );
    check(
        "order",
        |part| part.edit_number("captures", "warc_record_offset", 0, |_| 9_999),
        &[
            "rows are out of order: tables/captures: row 2 is at offset 172 of robotstxt/a.warc.gz, but the one before it at \
           offset 9999 of robotstxt/a.warc.gz",
        ],
    );
    check(
        "row_less",
        |part| part.remove_row("captures", 3),
        &[
            "body has no capture: tables/bodies: body 2 has none",
            "captures are miscounted: tables/inputs: robotstxt/a.warc.gz has 4, but 3 rows in captures",
            "ledger has another sum: LEDGER: 108 bytes of bodies, but 81 in the tables",
            r#"record has no capture: robotstxt/a.warc.gz at offset 638: response of "https://d.example/robots.txt""#,
        ],
    );
    // One of two captures in a member: the next row is compared in its place.
    check(
        "row_less_in_member",
        |part| part.remove_row("captures", 1),
        &[
            "captures are misnumbered: tables/captures: row 2 is capture 2, not 1",
            "body has no capture: tables/bodies: body 1 has none before the first of body 2",
            "captures are miscounted: tables/inputs: robotstxt/a.warc.gz has 4, but 3 rows in captures",
            "ledger has another sum: LEDGER: 108 bytes of bodies, but 81 in the tables",
            r#"capture differs: robotstxt/a.warc.gz at offset 172: row 2: url is "https://c.example/robots.txt", but "https://b.example/robots.txt" in the archive; warc_record_type is "revisit", but "response" in the archive; fetch_status is 304, but 200 in the archive"#,
            r#"record has no capture: robotstxt/a.warc.gz at offset 172: revisit of "https://c.example/robots.txt""#,
        ],
    );
    check(
        "row_more",
        |part| part.edit_rows("captures", |batch| vec![batch.clone(), batch.slice(3, 1)]),
        &[
            "captures are misnumbered: tables/captures: row 5 is capture 3, not 4",
            "captures are miscounted: tables/inputs: robotstxt/a.warc.gz has 4, but 5 rows in captures",
            "ledger has another sum: LEDGER: 108 bytes of bodies, but 135 in the tables",
            r#"capture has no record: robotstxt/a.warc.gz at offset 638: row 5 has "https://d.example/robots.txt""#,
        ],
    );
}

/// The other archives of the part are still compared.
#[test]
fn a_missing_archive_is_reported() {
    let folder = tables::ingested("check_archives_several");
    let run = folder.run(&["check", "tables", "--archives"]);
    run.exits_with(0)
        .complains("")
        .prints_among_others("second reader: 35 records agree in 3 archives, none unreadable");
    fs::remove_file(folder.path().join("crawl-data/TEST-1/robotstxt/a.warc.gz")).expect("it exists");
    let part = TablesPart { folder: &folder, crawl: "TEST-1", number: 0 };
    part.set_int("captures", "fetch_status", 6, Some(500));
    let run = folder.run(&["check", "tables", "--archives"]);
    run.exits_with(1).prints_among_others("tables: 2 faults: 2 parts, ").complains(
        "\
input is missing: crawl-data/TEST-1/robotstxt/a.warc.gz: it was read from this path (relative to where ingest was run)
capture differs: crawl-data/TEST-1/robotstxt/b.warc.gz at offset 154: row 7: fetch_status is 500, but 200 in the archive
",
    );
    run.prints_among_others("second reader: 23 records agree in 2 archives, none unreadable");
}

/// A record that the second reader cannot read is not damage. Its row is still compared.
#[test]
fn records_that_the_second_reader_cannot_read_are_counted() {
    let folded = [
        record("response", "a", "X: a\r\n b\r\n", 200),
        record("request", "a", "X: a\r\n b\r\n", 200),
        record("response", "b", "", 200),
    ];
    let archive: Vec<u8> = folded.iter().flat_map(|record| member(record.as_bytes())).collect();
    let folder = ingested("unreadable", &archive);
    let run = folder.run(&["check", "tables", "--archives"]);
    run.exits_with(0).prints_among_others(&format!(
        "\nsecond reader: 1 record agrees in 1 archive, 2 unreadable\n  2 folded-line (first: {ARCHIVE} at offset 0)\n"
    ));
    check_of(
        "unreadable_status",
        &archive,
        |part| part.set_int("captures", "fetch_status", 0, Some(404)),
        &["capture differs: robotstxt/a.warc.gz at offset 0: row 1: fetch_status is 404, but 200 in the archive"],
    );
}

/// The second reader gets no zstd frames. The damage in them is counted by cause, however much there is.
#[test]
fn damage_in_archives_of_other_forms_is_counted_by_cause() {
    // A zstd frame with one raw block of 4 bytes. The other has a block of the reserved type.
    let (empty, damaged) = (b"\x28\xb5\x2f\xfd\x20\x04\x21\0\0junk", b"\x28\xb5\x2f\xfd\x20\x04\x27\0\0junk");
    let archive = [empty.repeat(25), [&damaged[..], empty].concat().repeat(3)].concat();
    let folder = TestFolder::new("check_archives_other_form");
    folder.write(ARCHIVE, &archive);
    folder.run(&["ingest", "crawl-data", "--out", "tables", "--quiet"]).exits_with(1);
    let run = folder.run(&["check", "tables", "--archives"]);
    run.exits_with(0).prints_among_others(&format!(
        "\nsecond reader: 0 records agree in 1 archive, 31 unreadable\n  3 member-damaged (first: {ARCHIVE} at offset 325)\n  \
         28 no-record (first: {ARCHIVE} at offset 0)\n"
    ));
}

/// The header of a member has a wrong checksum (RFC 1952 § 2.3.1), which the first reader does not check.
#[test]
fn a_member_that_only_one_reader_accepts_is_reported() {
    let mut archive = archive(304);
    archive[3] |= 2;
    archive.splice(10..10, [0, 0]);
    check_of(
        "differ",
        &archive,
        |_| {},
        &["readers differ: robotstxt/a.warc.gz at offset 0: member: ours a whole member, theirs …"],
    );
}

/// An input that was missing when the tables were made need not exist now.
#[test]
fn an_input_that_was_not_read_is_not_compared() {
    let folder = TestFolder::new("check_archives_unread").with("all.paths", format!("{ARCHIVE}\nb.warc.gz\n"));
    folder.write(ARCHIVE, archive(304));
    folder.run(&["ingest", "all.paths", "--crawl", "TEST-1", "--out", "tables", "--quiet"]).exits_with(1);
    let run = folder.run(&["check", "tables", "--archives"]);
    run.exits_with(0).complains("").prints_among_others("second reader: 5 records agree in 1 archive, none unreadable");
}
