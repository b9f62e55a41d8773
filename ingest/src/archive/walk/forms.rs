//! Archives in other formats than WARC in gzip members.

use super::tests::{record, record_of, walk_with};
use super::{Workshop, read};
use crate::archive::found::RecordOrDamage;
use crate::archive::inflate::gzip;
use crate::archive::milliseconds;
use std::io::{Cursor, Write as _};
use std::ops::ControlFlow;

fn walk(file: &[u8]) -> Vec<String> {
    walk_with(&mut Workshop::default(), file).0
}

fn blocks(file: &[u8]) -> Vec<String> {
    walk(file).iter().map(|found| found.split(" at ").next().unwrap().to_owned()).collect()
}

fn frame(content: &[u8], dictionary: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::with_dictionary(Vec::new(), 3, dictionary).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// A skippable frame with a number for the kind of its content.
fn skippable(number: u8, content: &[u8]) -> Vec<u8> {
    [&[0x50 + number, 0x2a, 0x4d, 0x18][..], &(content.len() as u32).to_le_bytes(), content].concat()
}

#[test]
fn frames_of_zstd() {
    let blocks = ["one", "two", "three"];
    let frames: Vec<Vec<u8>> = blocks.iter().map(|block| frame(&record(block), b"")).collect();
    let mut offset = 0;
    let mut expected = Vec::new();
    for (frame, block) in frames.iter().zip(blocks) {
        expected.push(format!("{block} at {offset}+{}.0", frame.len()));
        offset += frame.len();
    }
    assert_eq!(walk(&frames.concat()), expected);
    let whole = frame(&blocks.map(record).concat(), b"");
    let (found, account) = walk_with(&mut Workshop::with(1_000, 64), &whole);
    assert_eq!((found.len(), account.members, account.good_bytes), (3, 1, whole.len() as u64));
    let split: Vec<u8> = blocks.map(record).concat().chunks(11).flat_map(|part| frame(part, b"")).collect();
    assert_eq!(self::blocks(&split), blocks);
}

#[test]
fn a_dictionary_before_the_frames() {
    let dictionary = record(&"a text that many records share ".repeat(20));
    let one = frame(&record("one a text that many records share"), &dictionary);
    for (written, length) in [(dictionary.clone(), 0), (zstd::encode_all(&dictionary[..], 3).unwrap(), 1)] {
        let file = [&skippable(13, &written)[..], &one, &skippable(1, b"of a program"), &one].concat();
        let (found, account) = walk_with(&mut Workshop::default(), &file);
        assert_eq!((found.len(), account.records, account.damaged_bytes), (2, 2, 0), "{length}: {found:?}");
        let found = walk_with(&mut Workshop::with(1_000, 64), &file).0;
        assert_eq!(found.len(), 2, "{length}: {found:?}");
    }
    // Without the dictionary, its frames are damage.
    assert!(walk(&one)[0].starts_with("member-damaged"), "{:?}", walk(&one));
}

#[test]
fn a_damaged_frame_affects_no_other() {
    let frames = ["one", "two", "three"].map(|block| frame(&record(block), b""));
    let file = frames.concat();
    let undamaged = walk(&file);
    for at in 0..file.len() {
        let mut damaged = file.clone();
        damaged[at] ^= 1 << (at % 8);
        let (found, account) = walk_with(&mut Workshop::default(), &damaged);
        let records: Vec<&String> = found.iter().filter(|found| undamaged.contains(found)).collect();
        assert!(records.len() >= 2, "flipped in {at}: {found:?}");
        assert_eq!(account.records as usize, records.len(), "flipped in {at}: {found:?}");
    }
    for length in 0..file.len() {
        let whole = frames.iter().scan(0, |end, frame| {
            *end += frame.len();
            Some(*end)
        });
        let whole = whole.filter(|end| *end <= length).count() as u64;
        assert_eq!(walk_with(&mut Workshop::default(), &file[..length]).1.records, whole, "cut at {length}");
    }
}

fn arc_record(url: &str, block: &str) -> Vec<u8> {
    format!("{url} 192.0.2.1 20080430204825 text/plain {}\n{block}\n", block.len()).into_bytes()
}

fn arc_records() -> [Vec<u8>; 3] {
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
    let records = |file: &[&[u8]]| walk_with(&mut Workshop::default(), &file.concat()).1.records;
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
        let found = walk_with(&mut Workshop::default(), &damaged).1.records;
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
    assert_eq!(walk_with(&mut Workshop::default(), &file).1.records, 3);
}

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
            assert_eq!(walk_with(&mut Workshop::default(), &gzip(&text)).1.records, 1, "{padding}");
            assert_eq!(walk_with(&mut Workshop::default(), &text.repeat(2)).1.records, 2, "{padding}");
        }
    }
}

#[test]
fn records_of_arc() {
    let records = arc_records();
    let content = records.concat();
    let mut found = Vec::new();
    read(Cursor::new(&content), &mut Workshop::default(), |what| {
        if let RecordOrDamage::Record(record, place) = what {
            let text = |bytes: Option<&[u8]>| String::from_utf8_lossy(bytes.unwrap()).into_owned();
            let date = milliseconds(record.date.unwrap());
            found.push(format!(
                "{} {} {} {date:?} {} {:?} at {}",
                record.record_type.name(),
                text(record.target_uri),
                text(record.ip_address),
                record.block.len(),
                record.remarks,
                place.offset
            ));
        }
        ControlFlow::Continue(())
    })
    .unwrap();
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
    let plain = blocks(&content);
    let members: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
    assert_eq!(blocks(&members), plain);
    assert_eq!(blocks(&gzip(&content)), plain);
    for bytes in 1..100 {
        let split: Vec<u8> = content.chunks(bytes).flat_map(gzip).collect();
        assert_eq!(blocks(&split), plain, "{bytes} bytes a member");
        assert_eq!(targets(&split), targets(&content), "{bytes} bytes a member");
    }
}

fn targets(file: &[u8]) -> Vec<String> {
    let mut targets = Vec::new();
    read(Cursor::new(file), &mut Workshop::default(), |what| {
        if let RecordOrDamage::Record(record, _) = what {
            targets.push(String::from_utf8_lossy(record.target_uri.unwrap()).into_owned());
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    targets
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

#[test]
fn damage_at_the_start_costs_no_other_record() {
    let body = |name: &str| format!("User-agent: *\nDisallow: /{name}\n").repeat(9);
    let plain: Vec<Vec<u8>> = ["a", "b", "c"].map(|name| record(&body(name))).to_vec();
    let with_coding: Vec<Vec<u8>> = ["a", "b", "c"].map(|name| record_of(&gzip(body(name).as_bytes()))).to_vec();
    let records = |file: &[u8]| walk_with(&mut Workshop::default(), file).1.records;
    // One bit of the first byte.
    for records_of_file in [&plain, &with_coding] {
        let mut file = records_of_file.concat();
        file[0] ^= 1;
        assert_eq!(records(&file), 2);
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
    // The directory of a WACZ is missing.
    let whole = zip(&[("archive/a.warc", &file, true)]);
    assert_eq!(records(&whole[..whole.len() - 30]), 3);
}

/// A ZIP file with entries that are stored uncompressed, or marked as compressed.
fn zip(entries: &[(&str, &[u8], bool)]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for (name, content, is_stored) in entries {
        let (offset, length) = (file.len() as u32, (content.len() as u32).to_le_bytes());
        let method: u16 = if *is_stored { 0 } else { 8 };
        let mut crc = flate2::Crc::new();
        crc.update(content);
        let (method, crc) = (method.to_le_bytes(), crc.sum().to_le_bytes());
        let fields = [&20u16.to_le_bytes()[..], &[0; 2], &method, &[0; 4], &crc, &length, &length].concat();
        let name_length = (name.len() as u16).to_le_bytes();
        file.extend([&b"PK\x03\x04"[..], &fields, &name_length, &[0; 2], name.as_bytes(), content].concat());
        directory.extend([&b"PK\x01\x02\x14\0"[..], &fields, &name_length, &[0; 12]].concat());
        directory.extend([&offset.to_le_bytes()[..], name.as_bytes()].concat());
    }
    let (at, count) = ((file.len() as u32).to_le_bytes(), (entries.len() as u16).to_le_bytes());
    let length = (directory.len() as u32).to_le_bytes();
    [&file[..], &directory, b"PK\x05\x06", &[0; 4], &count, &count, &length, &at, &[0; 2]].concat()
}

#[test]
fn archives_in_a_wacz() {
    let (one, two) = (gzip(&record("one")), gzip(&record("two")));
    let plain = record("three");
    let index = gzip(b"com,example)/robots.txt 2024 {}");
    let file = zip(&[
        ("datapackage.json", b"{}", true),
        ("indexes/index.cdx.gz", &index, true),
        ("archive/data.warc.gz", &[&one[..], &two].concat(), true),
        ("archive/plain.warc", &plain, true),
    ]);
    let (found, account) = walk_with(&mut Workshop::default(), &file);
    assert_eq!((account.records, account.damaged_bytes, account.good_bytes), (3, 0, file.len() as u64), "{found:?}");
    for (found, (block, member)) in found.iter().zip([("one", &one), ("two", &two), ("three", &plain)]) {
        let place = found.rsplit_once(" at ").unwrap().1.trim_end_matches(".0");
        let (offset, length) = place.split_once('+').unwrap();
        let (offset, length): (usize, usize) = (offset.parse().unwrap(), length.parse().unwrap());
        assert!(found.starts_with(block) && file[offset..offset + length] == member[..], "{found}");
    }
    // A damaged member, a compressed archive, and a directory that is cut off.
    let mut damaged = file.clone();
    let at = file.windows(one.len()).position(|window| window == one).unwrap();
    damaged[at + one.len() - 1] ^= 1;
    assert_eq!(
        walk(&damaged)[..2],
        [format!("entry-differs at {at}+0"), format!("member-damaged at {at}+{}", one.len())]
    );
    let compressed = zip(&[("archive/a.warc.gz", &one, false), ("archive/b.warc.gz", &two, true)]);
    let found = walk(&compressed);
    assert!(found[0].starts_with("entry-compressed at") && found[1].starts_with("two at"), "{found:?}");
    let (found, account) = walk_with(&mut Workshop::default(), &file[..file.len() - 30]);
    assert!(account.records >= 2 && account.damaged_bytes > 0, "{found:?}");
}

/// The first entry of a WACZ with two archives, and where the CRC-32 of both stands: in its header and in the
/// directory.
fn two_archives() -> (Vec<u8>, [usize; 2]) {
    let first = [gzip(&record("one")), gzip(&record("two"))].concat();
    let file = zip(&[("archive/a.warc.gz", &first, true), ("archive/b.warc", &record("three"), true)]);
    let directory = file.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    (file, [14, directory + 16])
}

/// The records and damage of a file, and the names of remarks on its records.
fn marked(file: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    let account = read(Cursor::new(file), &mut Workshop::default(), |what| {
        found.push(match what {
            RecordOrDamage::Record(record, _) => format!("{} {:?}", blocked(record.block), record.remarks),
            RecordOrDamage::Damage(damage) => damage.cause.name().to_owned(),
        });
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(account.bytes, file.len() as u64);
    assert_eq!(account.bytes, account.good_bytes + account.damaged_bytes);
    found
}

fn blocked(block: &[u8]) -> String {
    String::from_utf8_lossy(block).into_owned()
}

#[test]
fn a_wrong_directory_of_a_wacz_loses_no_record() {
    let (file, [header, directory]) = two_archives();
    let good = ["one {}", "two {}", "three {}"];
    let doubted = ["entry-differs", "one {\"entry-doubtful\"}", "two {\"entry-doubtful\"}", "three {}"];
    assert_eq!(marked(&file), good);
    // A size that ends at the border of two members, or elsewhere, or within the next entry.
    let sizes = directory + 4;
    let border = gzip(&record("one")).len() as u32;
    let length = border + gzip(&record("two")).len() as u32;
    for size in [border, border - 1, border + 1, 1, length + 20, length + 70, u32::MAX - 1] {
        let mut wrong = file.clone();
        wrong[sizes..sizes + 4].copy_from_slice(&size.to_le_bytes());
        let only_stored = marked(&wrong);
        wrong[sizes + 4..sizes + 8].copy_from_slice(&size.to_le_bytes());
        let with_both = marked(&wrong);
        wrong[header + 4..header + 12].copy_from_slice(&[size.to_le_bytes(), size.to_le_bytes()].concat());
        for found in [only_stored, with_both, marked(&wrong)] {
            assert_eq!(found, doubted, "{size}");
        }
    }
    // A checksum that is wrong in the header, the directory, or both.
    for at in [vec![header], vec![directory], vec![header, directory]] {
        let mut wrong = file.clone();
        at.iter().for_each(|at| wrong[*at] ^= 1);
        assert_eq!(marked(&wrong), doubted, "{at:?}");
    }
}

#[test]
fn other_ways_in_which_a_wacz_disagrees_with_itself() {
    let (file, _) = two_archives();
    let second = file.windows(4).rposition(|window| window == b"PK\x01\x02").unwrap();
    // A bit flip in an archive without checksums of its own.
    let at = file.windows(5).position(|window| window == b"three").unwrap();
    let mut wrong = file.clone();
    wrong[at] ^= 1;
    assert_eq!(marked(&wrong), ["one {}", "two {}", "entry-differs", "uhree {\"entry-doubtful\"}"]);
    // Another name, in the directory or in the header, hides no archive.
    for at in [second + 46, file.windows(14).rposition(|window| window == b"archive/b.warc").unwrap()] {
        let name = file[at..].windows(8).position(|window| window == b"archive/").unwrap() + at;
        let mut wrong = file.clone();
        wrong[name] = b'A';
        assert_eq!(marked(&wrong)[2..], ["entry-differs", "three {\"entry-doubtful\"}"]);
    }
    // An entry that is not listed: the directory has the first entry twice, or one entry less.
    let gzipped = ["one", "two"].map(|block| gzip(&record(block)));
    let file = zip(&[("archive/a.warc.gz", &gzipped[0], true), ("archive/b.warc.gz", &gzipped[1], true)]);
    let [first, second] = [1, 2].map(|which| {
        let mut entries = file.windows(4).enumerate().filter(|(_, window)| *window == b"PK\x01\x02");
        entries.nth(which - 1).unwrap().0
    });
    let doubted = ["one {}", "entry-differs", "garbage", "two {\"entry-doubtful\"}"];
    let mut wrong = file.clone();
    wrong.copy_within(first..second, second);
    assert_eq!(marked(&wrong)[..4], doubted);
    let shorter = ((second - first) as u32).to_le_bytes();
    let end = file.len() - 22;
    let wrong = [&file[..second], b"PK\x05\x06", &[0; 4], &[1, 0, 1, 0], &shorter, &file[end + 16..]].concat();
    assert_eq!(marked(&wrong)[..4], doubted);
    // Sizes in fields of ZIP64, and a data descriptor after the content.
    assert_eq!(marked(&streamed_zip64(&gzipped[0])), ["one {}"]);
}

/// A ZIP file whose sizes stand in a data descriptor and, in the directory, in a field of ZIP64.
fn streamed_zip64(content: &[u8]) -> Vec<u8> {
    let name = b"archive/a.warc.gz";
    let mut crc = flate2::Crc::new();
    crc.update(content);
    let (crc, length) = (crc.sum().to_le_bytes(), (content.len() as u64).to_le_bytes());
    let start = [&45u16.to_le_bytes()[..], &8u16.to_le_bytes(), &[0; 6]].concat();
    let header = [b"PK\x03\x04", &start[..], &[0; 12], &[17, 0, 0, 0], name].concat();
    let descriptor = [b"PK\x07\x08", &crc[..], &length, &length].concat();
    let sizes = [&[0xff; 8][..], &[17, 0, 20, 0], &[0; 14], name, &[1, 0, 16, 0], &length, &length].concat();
    let directory = [b"PK\x01\x02\x2d\0", &start[..], &crc, &sizes].concat();
    let at = ((header.len() + content.len() + descriptor.len()) as u32).to_le_bytes();
    let end = [b"PK\x05\x06", &[0; 4][..], &[1, 0, 1, 0], &(directory.len() as u32).to_le_bytes(), &at, &[0; 2]];
    [&header[..], content, &descriptor, &directory, &end.concat()].concat()
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
    assert_eq!(blocks(&mixed), ["garbage", "two"]);
}
