//! Crafted members, each with one obstacle. The readers agree on what the second can read; for the rest, the obstacle
//! is named.

use super::walk::{HEAD, both, record};
use crate::answer::gzip;
use ingest::archive::Cause;
use ingest::reread::{ComparedField, Comparison, Obstacle};

const BLOCK: &str = "HTTP/1.1 200 OK\r\n\r\nUser-agent: *\n";

/// Compares the records in one member, and as plain records if those are an archive. Nothing may differ.
#[track_caller]
fn check(records: &[Vec<u8>], expected: &[&str]) -> Comparison {
    let bytes = records.concat();
    let (comparison, seen) = both(&gzip(&bytes));
    assert!(comparison.is_same(), "{comparison:?}");
    assert_eq!(seen, expected, "{:?}", String::from_utf8_lossy(&bytes));
    if let [record] = records
        && record.starts_with(b"WARC/")
    {
        let (comparison, seen) = both(record);
        assert!(comparison.is_same() && comparison.members == 0, "{comparison:?}");
        // In such a file, a record that is cut by the end is damage.
        let is_cut = comparison.damaged == 1;
        assert_eq!(seen, if is_cut { &[] } else { expected }, "{:?}", String::from_utf8_lossy(record));
    }
    comparison
}

fn raw(head: &str, block: &str) -> Vec<u8> {
    format!("{head}\r\n{block}\r\n\r\n").into_bytes()
}

#[test]
fn plain_records() {
    check(&[record("", BLOCK)], &["33"]);
    check(&[record("", "")], &["0"]);
    check(&[record("", "\r\n\r\n")], &["4"]);
    check(&[record("", "\n"), record("", BLOCK), record("", "x")], &["1", "33", "1"]);
    let comparison = check(&[record("", BLOCK), record("", BLOCK)], &["33", "33"]);
    assert_eq!((comparison.members, comparison.records, comparison.agreed), (1, 2, 2));
}

#[test]
fn records_that_continue_in_the_next_members() {
    let bytes = [record("", "\n"), record("", BLOCK), record("", "x"), record("", "")].concat();
    for length in [1, 2, 7, 50, 100, 150, 200] {
        let file: Vec<u8> = bytes.chunks(length).flat_map(gzip).collect();
        let (comparison, seen) = both(&file);
        assert!(comparison.is_same(), "{length} bytes a member: {comparison:?}");
        assert_eq!((seen.concat(), comparison.agreed), ("13310".to_owned(), 4), "{length} bytes a member");
    }
}

#[test]
fn versions_names_and_values() {
    let lower = "warc-type: RESPONSE\r\nwarc-target-uri: <http://a.example/>\r\ncontent-length: 1\r\n";
    for version in ["WARC/0.18", "WARC/1.0", "WARC/1.1", "WARC/2.0-draft", "WARC/"] {
        check(&[raw(&format!("{version}\r\n{lower}"), "a")], &["1"]);
    }
    check(&[raw("WARC/1.0\r\nWARC-Type:response\r\nContent-Length:  \t 1\r\n", "a")], &["1"]);
    check(&[raw("WARC/1.0\r\nWARC-Type : response \r\nContent-Length\t: 1\r\n", "a")], &["1"]);
    check(&[raw("WARC/1.0\r\nWARC-Type: nonesuch\r\nContent-Length: 1\r\n", "a")], &["1"]);
    check(&[raw("WARC/1.0\r\nContent-Length: 1\r\n", "a")], &["1"]);
    let mut bytes = record("X: \u{e9}\r\n", "a");
    let at = bytes.iter().position(|byte| *byte == 0xc3).unwrap();
    bytes[at] = 0xff;
    check(&[bytes], &["1"]);
    let mut bytes = record("", "a");
    bytes[HEAD.len() - 4] = 0xff;
    check(&[bytes], &["1"]);
    let mut bytes = record("", "a");
    bytes[6] = 0xff;
    check(&[bytes], &["version-invalid"]);
}

#[test]
fn headers_after_an_invalid_line() {
    let length = "Content-Length: 1\r\n";
    // The lost headers are not needed.
    check(&[raw(&format!("{HEAD}{length}X: a\r\n b\r\n"), "a")], &["1"]);
    check(&[raw(&format!("{HEAD}{length}no colon\r\n"), "a")], &["1"]);
    // A lost header is needed.
    check(&[record("X: a\r\n b\r\n", "a")], &["folded-line"]);
    check(&[record("X: a\r\n\tb\r\n", "a")], &["folded-line"]);
    check(&[record("no colon\r\n", "a")], &["line-without-colon"]);
    check(&[record(": no name\r\n", "a")], &["name-invalid"]);
    check(&[record("X/Y: a\r\n", "a")], &["name-invalid"]);
    check(&[record("X: a\rb\r\n", "a")], &["carriage-return"]);
    check(&[record("X: a\r\r\n", "a")], &["carriage-return"]);
    // It takes other bytes for the block, as many as the length says.
    let later = format!("{HEAD}Content-Length: 4\r\n\r\r\n\r\nX: a\r\n\r\n");
    let (comparison, seen) = both(&gzip(later.as_bytes()));
    assert!(comparison.is_same() && seen == ["head-end"], "{comparison:?}, {seen:?}");
    let late = format!("WARC/1.0\r\n{length}X: a\r\n b\r\nWARC-Target-URI: http://a.example/\r\n");
    check(&[raw(&late, "a")], &["folded-line"]);
    check(&[raw(&late.replace("WARC-Target-URI: http://a.example/", "WARC-Type: request"), "a")], &["folded-line"]);
    // A folded field is needed.
    for fold in ["Type: response", "Target-URI: http://a.example/", "Target-URI: http:"] {
        let (name, value) = fold.split_once(' ').unwrap();
        let folded = HEAD.replace(fold, &format!("{name}\r\n {value}"));
        check(&[raw(&format!("{folded}{length}"), "a")], &["folded-line"]);
        let late = HEAD.replace(fold, &format!("{fold}\r\n "));
        check(&[raw(&format!("{late}{length}"), "a")], &["folded-line"]);
    }
    check(&[raw(&format!("{HEAD}Content-Length:\r\n 1\r\n"), "a")], &["folded-line"]);
    // The first line alone is another type.
    let other = HEAD.replace("Type: response", "Type: response\r\n b");
    check(&[raw(&format!("{other}{length}"), "a")], &["folded-line"]);
    // If the length is lost, it reads an empty block, provided that the bytes there end a record.
    check(&[record("X: a\r\n b\r\n", "\r\n\r\nb")], &["folded-line"]);
}

#[test]
fn repeated_headers() {
    check(&[record("WARC-Type: response\r\nWARC-Type: response\r\n", "a")], &["1"]);
    check(&[record("WARC-Type: request\r\n", "a")], &["header-repeated"]);
    check(&[record("WARC-Target-URI: http://b.example/\r\n", "a")], &["header-repeated"]);
    check(&[record("Content-Length: 1\r\nContent-Length: 9\r\n", "a")], &["1"]);
    check(&[record("WARC-Concurrent-To: <a>\r\nWARC-Concurrent-To: <b>\r\n", "a")], &["1"]);
}

#[test]
fn line_ends() {
    check(&[format!("{HEAD}Content-Length: 1\r\n\r\na\r\n\r\n").replace("\r\n", "\n").into_bytes()], &["lf-only"]);
    check(&[format!("{HEAD}Content-Length: 1\n\r\na\r\n\r\n").into_bytes()], &["1"]);
    check(&[format!("{HEAD}Content-Length: 1\r\n\na\r\n\r\n").into_bytes()], &["lf-only"]);
    for end in ["", "\r\n", "\n\n", "\r\n\n", "\n\r\n"] {
        check(&[format!("{HEAD}Content-Length: 1\r\n\r\na{end}").into_bytes()], &["end-differs"]);
    }
    // With more line ends than that, it loses the next records.
    let many = format!("{HEAD}Content-Length: 1\r\n\r\na\r\n\r\n\r\n").into_bytes();
    check(std::slice::from_ref(&many), &["1"]);
    check(&[many, record("", "b"), record("", "c")], &["1", "preceded", "after-unreadable"]);
}

#[test]
fn lengths() {
    let with = |length: &str| raw(&format!("{HEAD}Content-Length:{length}\r\n"), BLOCK);
    check(&[raw(HEAD, BLOCK)], &["length-missing"]);
    check(&[with(" 33 ")], &["length-blank"]);
    check(&[with(" 33\t")], &["length-blank"]);
    check(&[with("\u{c} 33")], &["length-blank"]);
    check(&[with(" +33")], &["33"]);
    check(&[with(" -33")], &["length-invalid"]);
    check(&[with("")], &["length-invalid"]);
    check(&[with(" one")], &["length-invalid"]);
    check(&[with(" 0000000000000000000033")], &["33"]);
    check(&[with(" 0000000000000000000034")], &["block-short"]);
    check(&[with(" 41")], &["block-short"]);
    check(&[with(" 1000000000000000")], &["block-short"]);
    // An answer in HTTP/0.9 has no head.
    check(&[raw(HEAD, "a")], &["length-missing"]);
    // The line ends that close it seem to end the HTTP head.
    check(&[raw(HEAD, "HTTP/1.1 200 OK\r\n")], &["length-missing"]);
    // The block is missing, too.
    check(&[raw(HEAD, "")], &[]);
    for length in [u64::MAX, u64::MAX - 3, u64::MAX - 4, u64::MAX - 5, u64::MAX / 2, u64::MAX / 2 + 1] {
        check(&[with(&format!(" {length}"))], &["length-invalid"]);
        check(&[with(&format!(" {length}0"))], &["length-invalid"]);
    }
}

/// What they lack is no difference between the readers, but the count says that nobody compared them.
#[test]
fn broken_records_are_counted_as_not_compared() {
    let (good, broken) = (record("", BLOCK), raw(HEAD, ""));
    for (before, broken_records, after) in [(1, 1, 0), (0, 1, 1), (1, 2, 1), (0, 2, 0)] {
        let file = [good.repeat(before), broken.repeat(broken_records), good.repeat(after)].concat();
        for stored in [gzip(&file), file] {
            let (comparison, seen) = both(&stored);
            assert!(comparison.is_same(), "{comparison:?}");
            assert_eq!((seen.len(), comparison.agreed), (before + after, (before + after) as u64), "{comparison:?}");
            let uncompared: Vec<_> =
                comparison.uncompared.iter().map(|(cause, places)| (*cause, places.count)).collect();
            assert_eq!(uncompared, [(Cause::RecordCut, broken_records as u64)]);
        }
    }
}

#[test]
fn bytes_before_and_after() {
    check(&[b"\r\n".to_vec(), record("", "a")], &["preceded"]);
    check(&["\u{feff}".into(), record("", "a")], &["preceded"]);
    for junk in ["junk\n", "junk", "\0\0\0"] {
        check(&[junk.into(), record("", "a")], &["preceded"]);
        let (plain, seen) = both(&[record("", "a"), junk.into(), record("", "bc")].concat());
        assert!(plain.is_same() && seen == ["1", "2"], "{junk:?}: {plain:?} {seen:?}");
        let (plain, seen) = both(&[junk.into(), record("", "a"), record("", "bc")].concat());
        assert!(plain.is_same() && seen == ["1", "2"], "{junk:?}: {plain:?} {seen:?}");
    }
    check(&[record("", "a"), b"junk\n".to_vec(), record("", "b")], &["1", "preceded"]);
    check(&[record("", "a"), b"junk\n".to_vec()], &["1"]);
    check(&[record("", "a"), b"WARC".to_vec()], &["1"]);
    check(&[record("X: a\r\n b\r\n", "a"), record("", "b")], &["folded-line", "after-unreadable"]);
}

#[test]
fn an_unreadable_member_does_not_affect_others() {
    let odd = gzip(&record("X: a\r\n b\r\n", BLOCK));
    let good = gzip(&record("", BLOCK));
    let file = [&odd[..], &good, &gzip(b""), &odd, &good].concat();
    let (comparison, seen) = both(&file);
    assert_eq!(seen, ["folded-line", "33", "folded-line", "33"]);
    let (obstacle, places) = comparison.unreadable.first_key_value().unwrap();
    assert_eq!((obstacle.name(), places.count, comparison.unreadable.len()), ("folded-line", 2, 1));
    assert_eq!(places.first.offset, 0);
}

#[test]
fn statuses() {
    for status in ["HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\nHTTP/2 404\n\n", "ICY 200 OK\r\n", "", "x"]
    {
        let (comparison, _) = both(&gzip(&record("", status)));
        assert_eq!((comparison.agreed, comparison.differing), (1, 0), "{status:?}: {comparison:?}");
    }
}

#[test]
fn a_member_too_large_for_either_is_not_compared() {
    let records = record("", &"a".repeat(1 << 20)).repeat(65);
    let (comparison, _) = both(&gzip(&records));
    assert_eq!((comparison.records, comparison.unreadable[&Obstacle::MemberTooLarge].count), (65, 65));
    assert!(comparison.is_same());
    let (comparison, seen) = both(&gzip(&record("", &"a".repeat(64 << 20))));
    assert_eq!((comparison.uncompared[&Cause::TooLarge].count, comparison.uncompared.len()), (1, 1));
    assert_eq!(seen.len(), 0);
    assert!(comparison.is_same());
}

/// RFC 1952 § 2.3.1: the checksum of a member's header, which the first reader does not compare.
#[test]
fn a_real_difference_is_reported() {
    let mut member = gzip(&record("", BLOCK));
    member[3] |= 2;
    member.splice(10..10, [0, 0]);
    let (comparison, _) = both(&[member, gzip(&record("", BLOCK))].concat());
    assert_eq!((comparison.records, comparison.agreed, comparison.differing), (2, 1, 1));
    assert!(!comparison.is_same());
    let difference = comparison.differences.unwrap().first;
    assert_eq!((difference.field, difference.place.offset), (ComparedField::Member, 0), "{difference:?}");
}
