use super::*;
use crate::archive::codec::Gzip;
use crate::archive::found::RecordOrDamage;
use crate::archive::inflate::gzip;
use crate::archive::walk::Workshop;
use crate::archive::walk::tests::{blocks, record, remarked, walk_with};
use std::io::Cursor;

/// With small limits: members of more than 1,000 bytes are large, and a read takes 64 bytes.
fn walk(file: &[u8]) -> (Vec<String>, crate::archive::Account) {
    walk_with(&mut Workshop::with(1_000, 64), file)
}

#[test]
fn a_record_too_large_is_skipped_within_its_member() {
    let records = [record("one"), record(&"2".repeat(5_000)), record("three")].concat();
    let (member, last) = (gzip(&records), gzip(&record("last")));
    let (found, account) = walk(&[&member[..], &last].concat());
    let length = member.len();
    assert_eq!(found[..2], [format!("one at 0+{length}.0"), "too-large at 0+0".to_owned()]);
    assert_eq!(found[2..], [format!("three at 0+{length}.2"), format!("last at {length}+{}.0", last.len())]);
    assert_eq!((account.large_records, account.records, account.damaged_bytes), (1, 3, 0));
}

#[test]
fn large_members_without_records() {
    let zeros = gzip(&vec![0; 1 << 20]);
    let large = gzip(&(0..1_000).flat_map(|number| record(&format!("block {number}"))).collect::<Vec<u8>>());
    let (found, account) = walk(&[&zeros[..], &large].concat());
    assert_eq!((found.len(), account.damaged_bytes), (1_001, zeros.len() as u64));
    assert_eq!(found[0], format!("no-record at 0+{}", zeros.len()));
    // Compressed twice: reported, and not read.
    for twice in [gzip(&large), gzip(&gzip(&record("one")))] {
        assert_eq!(walk(&twice).0, [format!("compressed-twice at 0+{}", twice.len())]);
    }
}

#[test]
fn a_file_compressed_as_a_whole() {
    let block = "Disallow: /a/b/c\n".repeat(4_000);
    let (records, large) = (record(&block).repeat(1_000), record(&"0".repeat(65 << 20)));
    let members = [gzip(&[&records[..], &large, &record("one")].concat()), gzip(&record("two"))];
    let mut workshop = Workshop::default();
    let (found, account) = walk_with(&mut workshop, &members.concat());
    assert!(records.len() > 64 << 20 && account.damaged_bytes == 0);
    assert_eq!((account.records, account.large_records, found.len()), (1_002, 1, 1_003));
    assert_eq!(found[1_001], format!("one at 0+{}.1001", members[0].len()));
    let (found, account) = walk_with(&mut workshop, &members.concat()[1..]);
    assert_eq!((account.records, found.len()), (1, 2));
}

#[test]
fn stepwise_reading_gives_what_fast_reading_does() {
    let texts: [&[u8]; 9] = [
        b"",
        b"\r\n",
        b"hello",
        b"WARC/1.0",
        b"WARC/1.0\nContent-Length: 9\n\nab\n\n",
        b"junk\nWARC/1.0\nContent-Length: 1\n\na\n\n\r\n\r\nWARC/1.0\nContent-Length: 1\n\nb\n\njunk",
        b"WARC/1.0\n\nabc\nWARC/1.0\nContent-Length: 1\n\na\n\n",
        b"WARC/1.0\nContent-Length: 999999999\n\nabc\nWARC/1.0\nContent-Length: 1\n\na\n\n",
        b"WARC/1.0\nContent-Length: 10\n\nabc\nWARC/1.0\nContent-Length: 1\n\na\n\n",
    ];
    for text in texts {
        let member = gzip(text);
        let [fast, stepwise] = [true, false].map(|is_fast| {
            let mut found = Vec::new();
            let mut each = |what: RecordOrDamage<'_>| {
                found.push(format!("{what:?}"));
                ControlFlow::Continue(())
            };
            let mut report = WalkReport::new(&mut each);
            let (mut buffer, mut budget) = (Vec::new(), RetryBudget::default());
            let mut reader = MemberReader::<Gzip>::default();
            let mut window = Window::new(Cursor::new(&member), &mut buffer, if is_fast { 4_096 } else { 16 });
            window.fill(1).unwrap();
            let start = Start { offset: 0, skip: 0, index: 0 };
            let flow = match is_fast {
                true => match read_fast(&mut window, &mut reader, 4_096, &budget, &mut report).unwrap() {
                    FastRead::Done(flow) => Some(flow),
                    FastRead::Continues(start) => {
                        joined(&mut window, &mut reader, 4_096, start, true, &mut budget, &mut report).unwrap()
                    }
                    FastRead::Failed => None,
                },
                false => joined(&mut window, &mut reader, 4_096, start, false, &mut budget, &mut report).unwrap(),
            };
            assert_eq!(flow, Some(ControlFlow::Continue(())), "{text:?}");
            assert_eq!(window.offset(), member.len() as u64);
            let account = report.account;
            (found, account)
        });
        assert_eq!(fast, stepwise, "{:?}", String::from_utf8_lossy(text));
    }
}

/// The content in members of `bytes` bytes each.
fn split(content: &[u8], bytes: usize) -> Vec<u8> {
    content.chunks(bytes).flat_map(gzip).collect()
}

#[test]
fn records_that_continue_in_the_next_members() {
    let large = record(&"2".repeat(5_000));
    let records = [record("one"), large, record("three"), record("WARC/"), record("")].concat();
    let expected = ["one", "too-large", "three", "WARC/", ""];
    for bytes in (1..200).chain([500, 5_200, 10_000]) {
        let (found, account) = walk(&split(&records, bytes));
        assert_eq!(blocks(&found), expected, "{bytes} bytes a member");
        assert_eq!(account.damaged_bytes, 0, "{bytes} bytes a member");
        assert_eq!(account.members, records.chunks(bytes).len() as u64, "{bytes} bytes a member");
    }
}

/// A damaged head loses its record and not the others of the member. What is lost is said, wherever it stood.
#[test]
fn bytes_of_a_member_that_belong_to_no_record_are_reported() {
    let (one, two, three) = (record("one"), record("two"), gzip(&record("three")));
    let broken = [b"X", &record("lost")[1..]].concat();
    let junk = b"J".repeat(1 << 20);
    for stray in [&broken[..], &junk, b"\0"] {
        let member = gzip(&[&one[..], &two, stray].concat());
        for mut workshop in [Workshop::default(), Workshop::with(5_000, 64)] {
            let (found, account) = walk_with(&mut workshop, &[&member[..], &three].concat());
            let (length, last) = (member.len(), three.len());
            let expected = [
                format!("one at 0+{length}.0"),
                format!("two at 0+{length}.1"),
                "stray-bytes at 0+0".to_owned(),
                format!("three at {length}+{last}.0"),
            ];
            assert_eq!(found, expected);
            assert_eq!((account.damaged_bytes, account.records), (0, 3));
        }
    }
}

/// A body must not be able to add a record to an archive, wherever a member ends in it.
#[test]
fn a_record_forged_in_a_body_is_no_record_wherever_members_end() {
    let forged = "\nWARC/1.0\r\nContent-Length: 3\r\n\r\ntwo\r\n\r\n".repeat(3) + "end";
    let content = [record("one"), record(&forged), record("three")].concat();
    for at in 1..content.len() {
        let file = [gzip(&content[..at]), gzip(&content[at..])].concat();
        for mut workshop in [Workshop::default(), Workshop::with(1_000, 64)] {
            let (found, account) = walk_with(&mut workshop, &file);
            assert_eq!((found.len(), account.records), (3, 3), "{at}: {found:?}");
        }
    }
}

#[test]
fn wrong_lengths_before_members_take_bounded_time() {
    // Each record claims to end 60 MiB later, where a member of large content is.
    let large = gzip(&record(&"2".repeat(10 << 20)));
    let short = gzip(b"WARC/1.0\r\nContent-Length: 60000000\r\n\r\nshort");
    let (found, account) = walk_with(&mut Workshop::default(), &[short.repeat(2_000), large.repeat(6)].concat());
    assert_eq!((found.len(), account.records), (2_006, 2_006));
}

#[test]
fn the_place_of_a_record_spans_its_members() {
    let (one, two) = (record("one"), record("two"));
    let first = gzip(&[&one[..], &two[..10]].concat());
    let (middle, last) = (gzip(&two[10..20]), gzip(&two[20..]));
    let three = gzip(&record("three"));
    let (found, _) = walk(&[&first[..], &middle, &gzip(b""), &last, &three].concat());
    let whole = first.len() + middle.len() + gzip(b"").len() + last.len();
    let expected = [
        format!("one at 0+{}.0", first.len()),
        format!("two at 0+{whole}.1"),
        format!("three at {whole}+{}.0", three.len()),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_record_that_does_not_continue_is_short() {
    // The next member starts with a record, is damaged, or is missing.
    let short = b"WARC/1.0\r\nContent-Length: 100\r\n\r\nshort".to_vec();
    let mut damaged = gzip(&record("damaged"));
    let at = damaged.len() - 1;
    damaged[at] ^= 1;
    for (after, others) in [(gzip(&record("two")), 1), (damaged, 1), (b"no member".to_vec(), 1), (Vec::new(), 0)] {
        let (found, _) = walk(&[gzip(&short), after].concat());
        assert_eq!(found[0], format!("short at 0+{}.0", gzip(&short).len()));
        assert_eq!(found.len(), 1 + others, "{found:?}");
    }
}

#[test]
fn a_member_found_within_a_damaged_one_is_marked() {
    // A body that is itself an archive is stored in its member uncompressed, since deflate cannot make it smaller.
    let inner = [gzip(&record("inner")), gzip(&record("inner two"))].concat();
    let block = [b"WARC/1.0\r\nContent-Length: ", inner.len().to_string().as_bytes(), b"\r\n\r\n"].concat();
    let mut outer = Vec::new();
    let mut encoder = flate2::write::GzEncoder::new(&mut outer, flate2::Compression::none());
    std::io::Write::write_all(&mut encoder, &[&block[..], &inner, b"\r\n\r\n"].concat()).unwrap();
    encoder.finish().unwrap();
    let at = outer.len() - 5;
    outer[at] ^= 1;
    let last = gzip(&record("last"));
    let expected = ["member-damaged", "inner {\"after-damage\"}", "inner two {\"after-damage\"}", "garbage", "last {}"];
    assert_eq!(remarked(&mut Workshop::default(), &[&outer[..], &last].concat()), expected);
    // Members that follow a damaged one up to the end of the file are members of the archive.
    let mut damaged = gzip(&record("damaged"));
    let at = damaged.len() - 5;
    damaged[at] ^= 1;
    let found = remarked(&mut Workshop::default(), &[damaged, last.clone(), last].concat());
    assert_eq!(found, ["member-damaged", "last {}", "last {}"]);
}

#[test]
fn overlapping_starts_take_bounded_time() {
    // Each header is followed by a stored block that ends where the block of the first does. So all of them share
    // one chain of blocks, which ends without a checksum.
    let mut hostile = Vec::new();
    while hostile.len() + 15 <= 60_000 {
        let left = (60_000 - hostile.len() - 15) as u16;
        hostile.extend(b"\x1f\x8b\x08\0\0\0\0\0\0\xff\0");
        hostile.extend([left.to_le_bytes(), (!left).to_le_bytes()].concat());
    }
    // A block follows that inflates from 64 KiB to 64 MiB: 4,000 times as much is 250 GiB.
    let zeros = gzip(&vec![0; 64 << 20]);
    hostile.extend(&zeros[10..zeros.len() - 8]);
    hostile.extend(b"no checksum");
    hostile.extend(gzip(&record("lost or found")));
    let (_, account) = walk_with(&mut Workshop::default(), &hostile);
    assert_eq!(account.bytes, hostile.len() as u64);
}
