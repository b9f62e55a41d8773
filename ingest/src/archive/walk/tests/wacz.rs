//! WACZ, and its ZIP directory.

use super::*;

fn marked(file: &[u8]) -> Vec<String> {
    remarked(&mut Workshop::default(), file)
}

/// A ZIP file with entries that are stored uncompressed, or marked as compressed.
pub(super) fn zip(entries: &[(&str, &[u8], bool)]) -> Vec<u8> {
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
    let (found, account) = walk(&file);
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
        walk(&damaged).0[..2],
        [format!("entry-differs at {at}+0"), format!("member-damaged at {at}+{}", one.len())]
    );
    let compressed = zip(&[("archive/a.warc.gz", &one, false), ("archive/b.warc.gz", &two, true)]);
    let found = walk(&compressed).0;
    assert!(found[0].starts_with("entry-compressed at") && found[1].starts_with("two at"), "{found:?}");
    let (found, account) = walk(&file[..file.len() - 30]);
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
    // A compression or an encryption of which the header knows nothing.
    for (offset, bits) in [(8, 1), (10, 8)] {
        let mut wrong = file.clone();
        wrong[second + offset] ^= bits;
        assert_eq!(marked(&wrong)[2..], ["entry-differs", "three {\"entry-doubtful\"}"], "{offset}");
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
