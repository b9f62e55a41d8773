//! Archives that are damaged at every byte. Their tables have exactly the rows of the undamaged members, and all damage
//! is counted.

use crate::answer::gzip;
use crate::tables_of::{TableRow, each_row, inputs, make, response, write_archive};
use arrow_array::types::Int32Type;
use std::collections::BTreeMap;
use std::io::Read as _;
use std::num::NonZeroUsize;

/// A record with its own response.
fn record(number: usize) -> Vec<u8> {
    let body = format!("User-agent: bot-{number}\nDisallow: /{number}\n");
    let block = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    response(&format!("site-{number}.example"), &block).into_bytes()
}

fn member(number: usize) -> Vec<u8> {
    gzip(&record(number))
}

/// The row of a capture, with the one rule of its body.
type ExpectedCapture = (String, i32, i64, i64, String);

fn capture(number: usize, offset: usize, length: usize) -> ExpectedCapture {
    let url = format!("https://site-{number}.example/robots.txt");
    (url, 200, offset as i64, length as i64, format!("/{number}"))
}

/// The rows of an archive in the tables.
#[derive(Debug, Default)]
struct ArchiveRows {
    captures: Vec<ExpectedCapture>,
    good_bytes: i64,
    damaged_bytes: i64,
    damages: i64,
}

/// Makes tables of archives. Returns the rows of each, in the order of the archives.
fn found(archives: &[Vec<u8>]) -> Vec<ArchiveRows> {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (number, archive) in archives.iter().enumerate() {
        write_archive(folder, &format!("{number:06}.warc.gz"), archive);
    }
    let out = folder.join("tables");
    let report = make(inputs(&folder.join("crawl-data")), &out, NonZeroUsize::MIN);
    assert_eq!((report.parts_left, report.sums.inputs), (0, archives.len() as u64));
    let number_of = |row: &TableRow<'_>| {
        let filename = row.text("warc_filename").unwrap();
        filename.rsplit('/').next().unwrap()[..6].parse::<usize>().unwrap()
    };
    let mut found: Vec<ArchiveRows> = archives.iter().map(|_| ArchiveRows::default()).collect();
    let mut patterns = BTreeMap::new();
    each_row(&out, "rules", None, |row| {
        let before = patterns.insert(row.large("body_id").unwrap(), row.text("pattern").unwrap());
        assert_eq!(before, None, "a body has two rules");
    });
    each_row(&out, "captures", None, |row| {
        found[number_of(row)].captures.push((
            row.text("url").unwrap(),
            row.number::<Int32Type>("fetch_status").unwrap(),
            row.large("warc_record_offset").unwrap(),
            row.large("warc_record_length").unwrap(),
            row.large("body_id").map_or("no body".to_owned(), |body_id| patterns[&body_id].clone()),
        ));
    });
    each_row(&out, "inputs", None, |row| {
        let at = number_of(row);
        let sum = |column| row.large(column).unwrap();
        (found[at].good_bytes, found[at].damaged_bytes) = (sum("good_bytes"), sum("damaged_bytes"));
        assert_eq!(sum("bytes"), archives[at].len() as i64, "{at}");
        assert_eq!(sum("good_bytes") + sum("damaged_bytes"), archives[at].len() as i64, "{at}");
        assert_eq!(sum("captures"), found[at].captures.len() as i64, "{at}");
    });
    each_row(&out, "skips", None, |row| {
        if row.text("kind").unwrap() == "damaged" {
            found[number_of(row)].damages += row.large("occurrences").unwrap();
        }
    });
    found
}

#[test]
fn three_records_cut_at_every_byte() {
    let members = [member(0), member(1), member(2)];
    let file = members.concat();
    let cuts: Vec<Vec<u8>> = (1..=file.len()).map(|length| file[..length].to_vec()).collect();
    for (found, cut) in found(&cuts).iter().zip(&cuts) {
        let mut expected = Vec::new();
        let mut end = 0;
        for (number, member) in members.iter().enumerate() {
            if end + member.len() > cut.len() {
                break;
            }
            expected.push(capture(number, end, member.len()));
            end += member.len();
        }
        assert_eq!(found.captures, expected, "cut at {}", cut.len());
        assert_eq!((found.good_bytes, found.damages), (end as i64, i64::from(end < cut.len())), "cut at {}", cut.len());
    }
}

#[test]
fn fifty_members_with_a_bit_flipped() {
    let members: Vec<Vec<u8>> = (0..50).map(member).collect();
    let file = members.concat();
    let mut whole = Vec::new();
    let mut offset = 0;
    for (number, member) in members.iter().enumerate() {
        whole.push(capture(number, offset, member.len()));
        offset += member.len();
    }
    let flips: Vec<usize> = (0..file.len()).step_by(11).collect();
    let flipped = |at: &usize| {
        let mut damaged = file.clone();
        damaged[*at] ^= 1 << (at % 8);
        damaged
    };
    let archives: Vec<Vec<u8>> = flips.iter().map(flipped).collect();
    for (found, at) in found(&archives).iter().zip(&flips) {
        // Bits of a gzip header that do not affect the data, such as its time, may be flipped without loss.
        let is_lost = found.captures.len() < whole.len();
        assert_eq!((is_lost, i64::from(is_lost)), (found.damages > 0, found.damages), "flipped in {at}");
        let hit = whole.iter().position(|(_, _, offset, length, _)| (*offset..offset + length).contains(&(*at as i64)));
        let mut expected = whole.clone();
        if is_lost {
            expected.remove(hit.unwrap());
        }
        assert_eq!(found.captures, expected, "flipped in {at}");
    }
}

#[test]
fn bytes_between_members() {
    let (one, two) = (member(0), member(1));
    let empty = gzip(b"");
    let noise: Vec<u8> = (0..10_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let betweens: [(&[u8], i64); 7] = [
        (b"", 0),
        (&empty, 0),
        (&[0; 513], 1),
        (b"garbage", 1),
        (&noise, 1),
        (b"\x1f\x8b\x08\0 a false start", 1),
        (&one[..one.len() - 3], 1),
    ];
    let archives: Vec<Vec<u8>> = betweens.iter().map(|(between, _)| [&one[..], between, &two].concat()).collect();
    for (found, (between, damages)) in found(&archives).iter().zip(betweens) {
        let expected = [capture(0, 0, one.len()), capture(1, one.len() + between.len(), two.len())];
        assert_eq!(found.captures, expected, "{} bytes between", between.len());
        let damaged_bytes = if damages == 0 { 0 } else { between.len() as i64 };
        assert_eq!((found.damages, found.damaged_bytes), (damages, damaged_bytes), "{} bytes between", between.len());
    }
}

#[test]
fn members_that_start_within_records() {
    let records: Vec<Vec<u8>> = (0..20).map(record).collect();
    let content = records.concat();
    let lengths = [1, 3, 100, 187, 1_000, content.len()];
    let archives: Vec<Vec<u8>> =
        lengths.iter().map(|length| content.chunks(*length).flat_map(gzip).collect()).collect();
    for ((found, archive), length) in found(&archives).iter().zip(&archives).zip(lengths) {
        assert_eq!((found.damages, found.good_bytes), (0, archive.len() as i64), "{length} bytes a member");
        assert_eq!(found.captures.len(), records.len(), "{length} bytes a member");
        for (number, (url, status, offset, bytes, pattern)) in found.captures.iter().enumerate() {
            let expected = capture(number, 0, 0);
            assert_eq!((url, status, pattern), (&expected.0, &expected.1, &expected.4), "{length} bytes a member");
            // The bytes at the place in the row contain the record.
            let named = &archive[*offset as usize..(offset + bytes) as usize];
            let mut held = Vec::new();
            flate2::bufread::MultiGzDecoder::new(named).read_to_end(&mut held).unwrap();
            assert!(held.windows(records[number].len()).any(|window| window == records[number]), "{length}: {number}");
        }
    }
}

#[test]
fn empty_archives() {
    let archives = [Vec::new(), gzip(b""), [gzip(b""), gzip(b"")].concat(), member(0)];
    let damages: Vec<_> = found(&archives).iter().map(|found| found.damages).collect();
    assert_eq!(damages, [1, 1, 1, 0]);
}

#[test]
fn rules_that_may_belong_to_another_site_are_dropped() {
    // The length of the first record includes the second, and the line ends of the second are missing.
    let (first, second) = (record(0), record(1));
    let second = &second[..second.len() - 4];
    let text = String::from_utf8(first).unwrap();
    let (head, block) = text.split_once("\r\n\r\n").unwrap();
    let (head, length) = head.rsplit_once(' ').unwrap();
    let length = length.parse::<usize>().unwrap() + 4 + second.len();
    let file = [format!("{head} {length}\r\n\r\n{block}").as_bytes(), second].concat();
    for archive in [gzip(&file), file] {
        let found = found(&[archive]).remove(0);
        let captures: Vec<_> = found.captures.iter().map(|(url, .., pattern)| (&**url, &**pattern)).collect();
        assert_eq!(captures, [("https://site-0.example/robots.txt", "no body")]);
    }
}

/// A crash or a lost block can cut a head. Once, the address of the first record had the rules of the second, then its
/// status. The second record must not be lost, either.
#[test]
fn a_head_that_the_next_record_continues() {
    let (first, second) = (record(0), record(1));
    let text = String::from_utf8(first).unwrap();
    let target = text.find("WARC-Target-URI").unwrap();
    let ends = target + text[target..].find("\r\n").unwrap();
    for cut in [ends + 2, ends + 7] {
        let file = [&text.as_bytes()[..cut], &second].concat();
        for archive in [gzip(&file), file] {
            let found = found(&[archive]).remove(0);
            let captures: Vec<_> = found.captures.iter().map(|(url, .., pattern)| (&**url, &**pattern)).collect();
            assert_eq!(captures, [("https://site-1.example/robots.txt", "/1")]);
        }
    }
}
