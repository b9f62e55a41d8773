//! How the format of a file is recognised.

use super::arc::{arc_record, arc_records};
use super::wacz::zip;
use super::zstd::frame;
use super::*;

#[test]
fn a_record_with_the_signature_of_tar_is_no_tar_file() {
    let url = "http://a.example/robots.txt";
    let warc =
        |padding: usize| format!("WARC/1.0\r\nX: {}ustar\r\nContent-Length: 3\r\n\r\none\r\n\r\n", "x".repeat(padding));
    let arc = |padding: usize| {
        let block = format!("{}ustar", "x".repeat(padding));
        arc_record(url, &block)
    };
    for padding in 150..260 {
        for text in [warc(padding).into_bytes(), arc(padding)] {
            assert_eq!(walk(&gzip(&text)).1.records, 1, "{padding}");
            assert_eq!(walk(&text.repeat(2)).1.records, 2, "{padding}");
        }
    }
}

#[test]
fn damage_at_the_start_costs_no_other_record() {
    let body = |name: &str| format!("User-agent: *\nDisallow: /{name}\n").repeat(9);
    let plain: Vec<Vec<u8>> = ["a", "b", "c"].map(|name| record(&body(name))).to_vec();
    let with_coding: Vec<Vec<u8>> = ["a", "b", "c"].map(|name| record_of(&gzip(body(name).as_bytes()))).to_vec();
    let records = |file: &[u8]| walk(file).1.records;
    // One bit of the first byte.
    for records_of_file in [&plain, &with_coding] {
        let mut file = records_of_file.concat();
        file[0] ^= 1;
        assert_eq!(records(&file), 2);
    }
    // Records are larger than what is searched at once, and the damage looks like a member.
    for body in [b"User-agent: *\n".to_vec(), gzip(b"User-agent: *\n")] {
        let whole = record_of(&[body, vec![b'x'; 1_500_000]].concat()).repeat(3);
        for start in [&b"V"[..], b"\x1f\x8b\x08\0", b"V\x1f\x8b\x08\0", b"\x28\xb5\x2f\xfd"] {
            assert_eq!(records(&[start, &whole[start.len()..]].concat()), 2, "{start:?}");
        }
    }
    // The start is missing, and the rest starts within a body.
    let file = plain.concat();
    let at = memchr::memmem::find(&file, b"User-agent").unwrap();
    assert_eq!(records(&file[at..]), 2);
    // The first of the members is damaged, and the second starts within a body.
    let mut first = gzip(&file[..at]);
    let last = first.len() - 5;
    first[last] ^= 1;
    assert_eq!(records(&[&first[..], &gzip(&file[at..])].concat()), 2);
    // The same in ARC, cut anywhere: a member that has the first line of a record shows the format.
    let content = arc_records().concat();
    let has_line =
        |member: &[u8]| member.split(|byte| *byte == b'\n').rev().skip(1).any(|line| line.starts_with(b"http:"));
    for at in 1..content.len() - 1 {
        let (first, rest) = content.split_at(at);
        let (second, third) = rest.split_at(rest.len() / 2);
        let mut first = gzip(first);
        let last = first.len() - 5;
        first[last] ^= 1;
        let found = records(&[first, gzip(second), gzip(third)].concat());
        assert!(found > 0 || !has_line(second) && !has_line(third), "cut at {at}");
    }
    // Much is destroyed.
    let arc = arc_records();
    let stored = [file.clone(), arc.concat(), gzip(&file), frame(&file, b"")];
    for (stored, expected) in stored.iter().zip([3, arc.len() as u64, 3, 3]) {
        for bytes in [1 << 19, (1 << 20) - 100, 1 << 20, (3 << 20) + 7, (9 << 20) - 1] {
            let (_, account) = walk(&[&vec![0; bytes - 1], &b"\n"[..], stored].concat());
            assert_eq!((account.records, account.damaged_bytes), (expected, bytes as u64), "{bytes}");
        }
    }
    // The directory of a WACZ is missing.
    let whole = zip(&[("archive/a.warc", &file, true)]);
    assert_eq!(records(&whole[..whole.len() - 30]), 3);
}

#[test]
fn files_in_other_formats_are_not_read() {
    let tar = [&b"a.warc.gz"[..], &[0; 248], b"ustar\x0000", &[0; 248], &gzip(&record("one"))].concat();
    let readme = zip(&[("readme.txt", b"text", true)]);
    let page = b"<!DOCTYPE html><title>Not found</title>";
    let check = |file: &[u8], expected: &str| {
        let failed = read(Cursor::new(file), &mut Workshop::default(), |found| panic!("{found:?}")).unwrap_err();
        let expected = format!("{expected} are not supported; ingest reads WARC, ARC and WACZ");
        assert_eq!((failed.error.to_string(), failed.account.bytes), (expected, 0));
    };
    check(&tar, "tar files");
    check(&gzip(&tar), "tar files in gzip");
    check(&frame(&tar, b""), "tar files in zstd");
    check(b"BZh91AY&SY", "bzip2 files");
    check(&readme, "ZIP files without a folder archive/");
    check(page, "HTML files");
    check(&gzip(page), "HTML files in gzip");
    // A file in a WACZ does not keep the others from being read.
    let mixed = zip(&[("archive/a.html", page, true), ("archive/b.warc", &record("two"), true)]);
    assert_eq!(blocks(&walk(&mixed).0), ["garbage", "two"]);
}
