//! ARC.

use super::*;
use crate::archive::milliseconds;

pub(super) fn arc_record(url: &str, block: &str) -> Vec<u8> {
    format!("{url} 192.0.2.1 20080430204825 text/plain {}\n{block}\n", block.len()).into_bytes()
}

pub(super) fn arc_records() -> [Vec<u8>; 3] {
    [
        arc_record(
            "filedesc://a.arc",
            "1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n",
        ),
        arc_record("http://a.example/robots.txt", "HTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /\n"),
        arc_record("http://b.example/robots.txt?a b", "HTTP/1.1 404 Not Found\r\n\r\n"),
    ]
}

#[test]
fn arc_with_damage() {
    let [first, one, two] = arc_records();
    let records = |file: &[&[u8]]| walk(&file.concat()).1.records;
    let mut flipped = first.clone();
    flipped[0] ^= 0x80;
    for damaged in [&flipped[..], &first[20..], b"\0\0\0\0\n", b"junk\n"] {
        assert_eq!(records(&[damaged, &one, &two]), 2, "{damaged:?}");
        // A damaged member may have an uncompressed record in it. Other bytes follow that.
        assert_eq!(records(&[damaged, &gzip(&one), &gzip(&two)]), 2, "{damaged:?}");
    }
    let members = [&gzip(&first)[..], &gzip(&one), &gzip(&two)].concat();
    for at in 0..gzip(&first).len() {
        let mut damaged = members.clone();
        damaged[at] ^= 0xff;
        let found = walk(&damaged).1.records;
        assert!(found == 2 || (found == 3 && at < 10), "{found} records with byte {at} changed");
    }
    for text in ["http://a.example/ 192.0.2.1 20080430204825 text/plain 12345\n", "a list\nof words\n"] {
        assert_eq!(records(&[b"junk\n", text.as_bytes()]), 0, "{text}");
    }
}

/// A body may have a gzip member with an ARC record. After damage it can be the first readable member.
#[test]
fn a_member_of_arc_does_not_hide_those_of_warc() {
    let [_, one, _] = arc_records();
    let file = [b"junk", &gzip(&one)[..], &gzip(&record("two")), &gzip(&record("three"))].concat();
    assert_eq!(walk(&file).1.records, 3);
}

#[test]
fn records_of_arc() {
    let records = arc_records();
    let content = records.concat();
    let (found, _) = describe_each(&mut Workshop::default(), &content, |what| {
        let RecordOrDamage::Record(record, place) = what else { panic!("{what:?}") };
        let text = |bytes: Option<&[u8]>| String::from_utf8_lossy(bytes.unwrap()).into_owned();
        let date = milliseconds(record.date.unwrap());
        format!(
            "{} {} {} {date:?} {} {:?} at {}",
            record.record_type.name(),
            text(record.target_uri),
            text(record.ip_address),
            record.block.len(),
            record.remarks,
            place.offset
        )
    });
    let date = "Some(1209588505000)";
    let second = records[0].len() + records[1].len();
    assert_eq!(
        found,
        [
            format!("warcinfo filedesc://a.arc 192.0.2.1 {date} 76 {{}} at 0"),
            format!("response http://a.example/robots.txt 192.0.2.1 {date} 45 {{}} at {}", records[0].len()),
            format!("response http://b.example/robots.txt?a b 192.0.2.1 {date} 26 {{}} at {second}"),
        ]
    );
    let plain = walk(&content).0;
    let same = |file: &[u8]| blocks(&walk(file).0) == blocks(&plain);
    let members: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
    assert!(same(&members) && same(&gzip(&content)));
    for bytes in 1..100 {
        let split: Vec<u8> = content.chunks(bytes).flat_map(gzip).collect();
        assert!(same(&split), "{bytes} bytes a member");
        assert_eq!(targets(&split), targets(&content), "{bytes} bytes a member");
    }
}

fn targets(file: &[u8]) -> Vec<String> {
    targets_with(&mut Workshop::default(), file)
}

fn targets_with(workshop: &mut Workshop, file: &[u8]) -> Vec<String> {
    let (targets, _) = describe_each(workshop, file, |what| match what {
        RecordOrDamage::Record(record, _) => Some(String::from_utf8_lossy(record.target_uri.unwrap()).into_owned()),
        RecordOrDamage::Damage(_) => None,
    });
    targets.into_iter().flatten().collect()
}

/// Old crawlers wrote other dates than of 14 digits, and blanks in types.
#[test]
fn odd_lines_of_arc_are_no_damage() {
    let [first, one, two] = arc_records().map(|record| String::from_utf8(record).unwrap());
    for odd in [
        "200804302048 text/plain",
        "2008043020 text/plain",
        "200804302048250012 text/plain",
        "20080430204825jpg text/plain",
        "20080430204825 text/html; Charset=iso-8859-1",
        "20080430204825 text/html, application/x-javascript",
    ] {
        let odd = |record: &str| record.replacen("20080430204825 text/plain", odd, 1).into_bytes();
        let records = [odd(&first), odd(&one), odd(&two)];
        let members: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
        for file in [records.concat(), members] {
            let (_, account) = walk(&file);
            assert_eq!((account.records, account.damaged_bytes), (3, 0), "{}", String::from_utf8_lossy(&records[1]));
        }
    }
}

/// Whoever chooses a URL can make it look like a line that breaks off, and so like the record of another site.
#[test]
fn a_url_that_looks_like_two_records_makes_no_rules() {
    let [first, one, _] = arc_records();
    for part in ["192.0.2.1 200804", "192.0.2.1 20080430204825", "192.0"] {
        let record = arc_record(&format!("http://c.example/ {part}http://d.example/robots.txt"), "User-agent: *\n");
        for file in [[&first[..], &one, &record].concat(), [gzip(&first), gzip(&one), gzip(&record)].concat()] {
            let (found, _) = describe_each(&mut Workshop::default(), &file, |what| match what {
                RecordOrDamage::Record(record, _) => record.is_doubtful(),
                RecordOrDamage::Damage(_) => false,
            });
            assert!(found.ends_with(&[true]), "{part}: {found:?}");
        }
    }
}

#[test]
fn a_wrong_length_in_arc_loses_no_other_record() {
    let [first, second, third] = arc_records();
    let text = String::from_utf8(second).unwrap();
    // With 47 to 50, the block ends within `http:` of the next line.
    for length in ["5", "46", "47", "48", "49", "50", "51", "500", "999999999"] {
        let second = text.replacen(" 45\n", &format!(" {length}\n"), 1);
        let file = [&first[..], second.as_bytes(), &third].concat();
        let found = targets(&file);
        assert_eq!(found.last().unwrap(), "http://b.example/robots.txt?a b", "{length}: {found:?}");
    }
}

/// The next record then starts within a line.
#[test]
fn a_record_of_arc_that_breaks_off_costs_no_other() {
    let [first, one, two] = arc_records();
    // A URL may have another one in it, also after a blank: so nothing shows where that breaks off.
    let after_url = "http://a.example/robots.txt 1".len();
    let block = one.iter().position(|byte| *byte == b'\n').unwrap();
    for at in (after_url..one.len()).filter(|at| *at > block || one[at - 1] != b' ') {
        let file = [&first[..], &one[..at], &two, &two].concat();
        for stored in [&file, &gzip(&file)] {
            for step in [32, 64, 1 << 20] {
                let found = targets_with(&mut Workshop::with(20_000, step), stored);
                let rest = found.strip_prefix(&["filedesc://a.arc".to_owned()]).unwrap();
                let rest = rest.strip_prefix(&["http://a.example/robots.txt".to_owned()]).unwrap_or(rest);
                assert_eq!(rest, ["http://b.example/robots.txt?a b"; 2], "{at}");
            }
        }
    }
}
