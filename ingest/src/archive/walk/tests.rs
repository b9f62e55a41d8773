use super::*;
use crate::archive::form::fillers;
use crate::archive::found::Damage;
use crate::archive::inflate::gzip;
use std::io::Cursor;

mod arc;
mod format;
mod wacz;
mod zstd;

pub(in crate::archive) fn record(block: &str) -> Vec<u8> {
    record_of(block.as_bytes())
}

pub(in crate::archive) fn record_of(block: &[u8]) -> Vec<u8> {
    let head = format!("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {}\r\n\r\n", block.len());
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// The description of each record and damage in the order of the file, and the account. Asserts that the account adds up.
pub(in crate::archive) fn describe_each<T>(
    workshop: &mut Workshop,
    file: &[u8],
    describe: impl Fn(RecordOrDamage<'_>) -> T,
) -> (Vec<T>, Account) {
    let mut found = Vec::new();
    let account = read(Cursor::new(file), workshop, |what| {
        found.push(describe(what));
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(account.bytes, file.len() as u64);
    assert_eq!(account.bytes, account.good_bytes + account.damaged_bytes);
    (found, account)
}

/// Blocks and causes, with their places.
pub(in crate::archive) fn walk_with(workshop: &mut Workshop, file: &[u8]) -> (Vec<String>, Account) {
    describe_each(workshop, file, |what| match what {
        RecordOrDamage::Record(record, place) => {
            let block = String::from_utf8_lossy(record.block);
            format!("{block} at {}+{}.{}", place.offset, place.length, place.index)
        }
        RecordOrDamage::Damage(Damage { offset, length, cause }) => format!("{} at {offset}+{length}", cause.name()),
    })
}

fn walk(file: &[u8]) -> (Vec<String>, Account) {
    walk_with(&mut Workshop::default(), file)
}

/// The same without places.
pub(in crate::archive) fn blocks(found: &[String]) -> Vec<&str> {
    found.iter().map(|found| found.split(" at ").next().unwrap()).collect()
}

/// Blocks with their remarks, and causes.
pub(in crate::archive) fn remarked(workshop: &mut Workshop, file: &[u8]) -> Vec<String> {
    let described = describe_each(workshop, file, |what| match what {
        RecordOrDamage::Record(record, _) => format!("{} {:?}", String::from_utf8_lossy(record.block), record.remarks),
        RecordOrDamage::Damage(damage) => damage.cause.name().to_owned(),
    });
    described.0
}

#[test]
fn records_without_members() {
    let (found, account) = walk(&[record("one"), record("two")].concat());
    let length = record("one").len();
    assert_eq!(found, [format!("one at 0+{length}.0"), format!("two at {length}+{length}.0")]);
    assert_eq!((account.members, account.records), (0, 2));
}

#[test]
fn bytes_between_and_before_plain_records() {
    let (one, two, quoted) = (record("one"), record("two"), record("a WARC/1.0\r\nfile"));
    for junk in [&b"\0\0\0\0\0"[..], b"garbage", b"WARC", b"\0WARC/", b"of WARC/1.0 ", b"\n\0", b"junk\r\n"] {
        for step in [32, 64, 1 << 20] {
            let walk = |file: &[&[u8]]| walk_with(&mut Workshop::with(1_000, step), &file.concat()).1;
            let (found, account) = walk_with(&mut Workshop::with(1_000, step), &[&one, junk, &two].concat());
            let (length, damaged) = (one.len() + fillers(junk), junk.len() - fillers(junk));
            assert_eq!(found[0], format!("one at 0+{length}.0"));
            assert_eq!(found[1], format!("garbage at {length}+{damaged}"));
            assert_eq!(found[2], format!("two at {}+{}.0", one.len() + junk.len(), two.len()));
            assert_eq!((found.len(), account.damaged_bytes), (3, damaged as u64));
            let account = walk(&[junk, &one, &two, junk, &one]);
            assert_eq!((account.records, account.damaged_bytes > damaged as u64), (3, true), "{junk:?}");
            assert_eq!(walk(&[&one, junk, &gzip(&two)]).records, 1, "{junk:?}");
            // A block is passed over by its length, also after damage.
            assert_eq!(walk(&[&one, junk, &quoted, junk, &two]).records, 3, "{junk:?}");
        }
        // Members may have such bytes, too.
        let (found, account) = walk(&gzip(&[junk, &one, junk, &two].concat()));
        assert_eq!(blocks(&found), ["stray-bytes", "one", "stray-bytes", "two"], "{junk:?}");
        assert_eq!((account.records, account.damaged_bytes), (2, 0));
        assert_eq!(walk(&[junk, &gzip(&one)].concat()).1.records, 1, "{junk:?}");
    }
}

/// A length after which damage follows, and then a record, counts.
#[test]
fn damage_after_a_block_is_not_part_of_it() {
    let (one, two) = (record("one"), record("two"));
    let unclosed = one.strip_suffix(b"\r\n\r\n").unwrap();
    for between in [&b"*"[..], b"****", b"\x0c\n\r\n", b"\r\x0b\r\n", b"\r\n\x0c\n", b"\r\n\r\x0b"] {
        let file = [unclosed, between, &two].concat();
        assert_eq!(blocks(&walk(&file).0), ["one", "garbage", "two"], "{between:?}");
        let mut found = walk(&gzip(&file)).0;
        found.sort_unstable();
        assert_eq!(blocks(&found), ["one", "stray-bytes", "two"], "{between:?}");
    }
}

/// An answer without a body ends in the empty line of its HTTP head, which does not close the record.
#[test]
fn an_answer_without_a_body_is_whole_without_closing_line_ends() {
    let http = "HTTP/1.1 404 Not Found\r\nServer: x\r\n\r\n";
    let whole = String::from_utf8(record(http)).unwrap();
    let with_length = whole.strip_suffix("\r\n\r\n").unwrap();
    let without_length = &with_length.replace("Content-Length", "X");
    // Without a length, a single line end may be the body.
    let with_line_end = &[http, "\r\n"].concat();
    for (record, end, block) in [
        (with_length, "", http),
        (with_length, "\r\n", http),
        (with_length, "\r\n\r\n", http),
        (without_length, "", http),
        (without_length, "\r\n", with_line_end),
        (without_length, "\r\n\r\n", http),
    ] {
        let file = [record, end].concat().repeat(3);
        for stored in [file.as_bytes(), &gzip(file.as_bytes())] {
            assert_eq!(blocks(&walk(stored).0), [block; 3], "{record:?} {end:?}");
        }
    }
}

/// A record of which a part is missing must not pass for one without a body, or with the body or status of another.
#[test]
fn a_broken_record_is_damage_and_costs_no_other() {
    let http = "HTTP/1.1 200 OK\r\n\r\n";
    let named = |name: &str| {
        let uri = format!("WARC-Target-URI: http://{name}.example/robots.txt\r\nContent-Length: ");
        String::from_utf8(record(&[http, name].concat())).unwrap().replace("Content-Length: ", &uri)
    };
    let (one, two, three) = (named("one"), named("two"), named("three"));
    let (head, _) = two.split_once("\r\n\r\n").unwrap();
    let (fields, _) = head.rsplit_once("\r\n").unwrap();
    let claiming = |length: &str| format!("{fields}\r\nContent-Length: {length}\r\n\r\n");
    let mut broken: Vec<String> = (10..head.len()).map(|at| head[..at].to_owned()).collect();
    broken.extend(["1", "66", "150", "200", "1000", "1000000", "1000000000"].map(claiming));
    broken.extend([
        two.replace("response", &"\0".repeat(64)),
        two.replace("WARC-Type: response", "line").replace("22", "999"),
    ]);
    broken.extend(["", "HTTP/1.1 200 OK\r\n"].map(|rest| [fields, "\r\n\r\n", rest].concat()));
    let check = |file: &str, expected: &[&str]| {
        let members: Vec<u8> = file.as_bytes().chunks(50).flat_map(gzip).collect();
        for stored in [file.as_bytes(), &gzip(file.as_bytes()), &members] {
            for step in [32, 64, 1 << 20] {
                let (found, _) = walk_with(&mut Workshop::with(2_000, step), stored);
                let (texts, damages): (Vec<_>, _) =
                    blocks(&found).into_iter().partition(|found| found.starts_with(http));
                assert_eq!(texts, expected, "{file:?}: {damages:?}");
                assert_eq!(damages.len(), 1, "{file:?}: {damages:?}");
            }
        }
    };
    let blocks = ["one", "three"].map(|name| [http, name].concat());
    for broken in broken {
        check(&[&*one, &broken, &three].concat(), &[&*blocks[0], &blocks[1]]);
        check(&[&*one, &broken].concat(), &[&*blocks[0]]);
    }
    for at in 10..head.len() + 20 {
        check(&[&one, &two[..at]].concat(), &[&*blocks[0]]);
    }
    // The first that breaks off in its block claims an end within the next.
    for at in head.len() + 4..two.len() {
        let file = [&one, &two[..at], &three].concat();
        for stored in [file.as_bytes(), &gzip(file.as_bytes())] {
            for step in [32, 64, 1 << 20] {
                let (found, _) = walk_with(&mut Workshop::with(2_000, step), stored);
                let found = super::tests::blocks(&found);
                let is_start = |found: &str| found == "stray-bytes" || found == "record-cut" || two.contains(found);
                assert!(found.len() == 3 && found[2] == blocks[1] && is_start(found[1]), "{at}: {found:?}");
            }
        }
    }
}

/// Some crawlers may pad a value with NUL bytes.
#[test]
fn nul_bytes_in_a_value_cost_no_record() {
    for bytes in [1, 2, 46] {
        let one = String::from_utf8(record("one")).unwrap();
        let padded =
            one.replace("Content-Length", &format!("WARC-IP-Address: ::1{}\r\nContent-Length", "\0".repeat(bytes)));
        let file = [one, padded].concat();
        for stored in [file.as_bytes(), &gzip(file.as_bytes())] {
            let (found, account) = walk(stored);
            assert_eq!((&*blocks(&found), account.damaged_bytes), (&["one", "one"][..], 0), "{bytes}");
        }
    }
}

#[test]
fn members_without_records_and_files_that_are_not_archives() {
    let (found, account) = walk(&gzip(b"hello"));
    assert_eq!((found.len(), account.records, account.good_bytes), (1, 0, 0));
    assert!(found[0].starts_with("no-record"), "{found:?}");
    assert_eq!(walk(b"").0.len(), 0);
    assert_eq!(walk(b"hello").0, ["garbage at 0+5"]);
}

#[test]
fn nothing_is_passed_on_after_a_break() {
    let file = [gzip(&record("one")), gzip(&record("two"))].concat();
    let mut calls = 0;
    read(Cursor::new(&file), &mut Workshop::default(), |_| {
        calls += 1;
        ControlFlow::Break(())
    })
    .unwrap();
    assert_eq!(calls, 1);
}
