use super::*;
use crate::archive::form::fillers;
use crate::archive::found::Damage;
use crate::archive::inflate::gzip;
use std::io::Cursor;

pub(in crate::archive) fn record(block: &str) -> Vec<u8> {
    record_of(block.as_bytes())
}

pub(in crate::archive) fn record_of(block: &[u8]) -> Vec<u8> {
    let head = format!("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {}\r\n\r\n", block.len());
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// Blocks and causes in the order of the file, and the account. Asserts that the account adds up.
fn walk(file: &[u8]) -> (Vec<String>, Account) {
    walk_with(&mut Workshop::default(), file)
}

pub(in crate::archive) fn walk_with(workshop: &mut Workshop, file: &[u8]) -> (Vec<String>, Account) {
    let mut found = Vec::new();
    let account = read(Cursor::new(file), workshop, |what| {
        found.push(match what {
            RecordOrDamage::Record(record, place) => {
                let block = String::from_utf8_lossy(record.block);
                format!("{block} at {}+{}.{}", place.offset, place.length, place.index)
            }
            RecordOrDamage::Damage(Damage { offset, length, cause }) => {
                format!("{} at {offset}+{length}", cause.name())
            }
        });
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(account.bytes, file.len() as u64);
    assert_eq!(account.bytes, account.good_bytes + account.damaged_bytes);
    (found, account)
}

#[test]
fn members_with_a_record_each_and_with_several() {
    let (one, two) = (gzip(&record("one")), gzip(&[record("two"), record("three")].concat()));
    let (found, account) = walk(&[one.clone(), two.clone()].concat());
    let (first, second) = (one.len(), two.len());
    let expected =
        [format!("one at 0+{first}.0"), format!("two at {first}+{second}.0"), format!("three at {first}+{second}.1")];
    assert_eq!(found, expected);
    assert_eq!((account.members, account.records), (2, 3));
}

#[test]
fn records_without_members() {
    let (found, account) = walk(&[record("one"), record("two")].concat());
    let length = record("one").len();
    assert_eq!(found, [format!("one at 0+{length}.0"), format!("two at {length}+{length}.0")]);
    assert_eq!((account.members, account.records), (0, 2));
}

#[test]
fn bytes_between_members() {
    let (one, two) = (gzip(&record("one")), gzip(&record("two")));
    for between in
        [&b"\0\0\0\0\0"[..], b"garbage", b"\x1f\x8b\x08", b"\x1f\x8b\x08\0 false start", b"\x1f\x8b", b"\x1f"]
    {
        let (found, account) = walk(&[&one[..], between, &two].concat());
        assert_eq!(found.len(), 3, "{between:?}: {found:?}");
        assert!(found[1].ends_with(&format!("at {}+{}", one.len(), between.len())), "{found:?}");
        assert_eq!(account.damaged_bytes, between.len() as u64);
    }
    let (found, account) = walk(&[one, gzip(b""), two].concat());
    assert_eq!((found.len(), account.members, account.damaged_bytes), (2, 3, 0));
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
        let found: Vec<&str> = found.iter().map(|found| found.split(" at ").next().unwrap()).collect();
        assert_eq!(found, ["stray-bytes", "one", "stray-bytes", "two"], "{junk:?}");
        assert_eq!((account.records, account.damaged_bytes), (2, 0));
        assert_eq!(walk(&[junk, &gzip(&one)].concat()).1.records, 1, "{junk:?}");
    }
}

#[test]
fn a_file_of_three_cut_at_every_byte() {
    let members: Vec<Vec<u8>> = ["one", "two", "three"].map(|block| gzip(&record(block))).to_vec();
    let file = members.concat();
    for length in 0..file.len() {
        let (found, account) = walk(&file[..length]);
        let mut whole = 0;
        let mut end = 0;
        while whole < 3 && end + members[whole].len() <= length {
            end += members[whole].len();
            whole += 1;
        }
        assert_eq!(account.records, whole as u64, "cut at {length}");
        assert_eq!(account.good_bytes, end as u64, "cut at {length}");
        assert_eq!(found.len(), whole + usize::from(end < length), "cut at {length}: {found:?}");
    }
}

#[test]
fn a_flipped_bit_affects_only_its_member() {
    let members: Vec<Vec<u8>> = (0..50).map(|n| gzip(&record(&format!("block {n}")))).collect();
    let file = members.concat();
    let (undamaged, _) = walk(&file);
    for at in (0..file.len()).step_by(7) {
        let mut damaged = file.clone();
        damaged[at] ^= 1 << (at % 8);
        let (found, _) = walk(&damaged);
        let records: Vec<&String> = found.iter().filter(|found| found.starts_with("block")).collect();
        // A flipped bit in a header may leave the data unchanged. No record may ever be changed.
        assert!(records.len() >= 49, "flipped in {at}: {found:?}");
        assert!(records.iter().all(|record| undamaged.contains(record)), "flipped in {at}: {found:?}");
        assert!(
            records.len() == 50 || found.len() == 50,
            "flipped in {at}: the damage is not reported exactly once: {found:?}"
        );
    }
}

#[test]
fn a_plain_file_that_ends_within_a_record() {
    let file = [record("one"), record("two")].concat();
    let (found, account) = walk(&file[..file.len() - 6]);
    assert_eq!((found.len(), account.records), (2, 1));
    assert!(found[1].starts_with("record-cut"), "{found:?}");
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

#[test]
fn false_starts_take_bounded_time() {
    let hostile = b"\x1f\x8b\x08\0".repeat(400_000);
    let (found, account) = walk(&[hostile, gzip(&record("one"))].concat());
    assert!(found.len() <= 2 && account.damaged_bytes >= 1_600_000, "{}", found.len());
}

#[test]
fn a_large_file_is_read_in_steps() {
    // Data that deflate cannot make smaller, so members cross the steps in which the file is read.
    let mut state = 1u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8 as char
    };
    let blocks: Vec<String> = (0..24).map(|_| (0..900_000).map(|_| noise()).collect()).collect();
    let file: Vec<u8> = blocks.iter().flat_map(|block| gzip(&record(block))).collect();
    assert!(file.len() > 16 << 20, "{}", file.len());
    assert_eq!(walk(&file).1.records, 24);
    let plain: Vec<u8> = blocks.iter().flat_map(|block| record(block)).collect();
    assert_eq!(walk(&plain).1.records, 24);
}
