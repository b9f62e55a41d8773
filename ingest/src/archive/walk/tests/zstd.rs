//! Frames of zstd.

use super::*;
use std::io::Write as _;

pub(super) fn frame(content: &[u8], dictionary: &[u8]) -> Vec<u8> {
    let mut encoder = ::zstd::Encoder::with_dictionary(Vec::new(), 3, dictionary).unwrap();
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
    assert_eq!(walk(&frames.concat()).0, expected);
    let whole = frame(&blocks.map(record).concat(), b"");
    let (found, account) = walk_with(&mut Workshop::with(1_000, 64), &whole);
    assert_eq!((found.len(), account.members, account.good_bytes), (3, 1, whole.len() as u64));
    let split: Vec<u8> = blocks.map(record).concat().chunks(11).flat_map(|part| frame(part, b"")).collect();
    assert_eq!(super::blocks(&walk(&split).0), blocks);
}

#[test]
fn a_dictionary_before_the_frames() {
    let dictionary = record(&"a text that many records share ".repeat(20));
    let one = frame(&record("one a text that many records share"), &dictionary);
    for (written, length) in [(dictionary.clone(), 0), (::zstd::encode_all(&dictionary[..], 3).unwrap(), 1)] {
        let file = [&skippable(13, &written)[..], &one, &skippable(1, b"of a program"), &one].concat();
        let (found, account) = walk(&file);
        assert_eq!((found.len(), account.records, account.damaged_bytes), (2, 2, 0), "{length}: {found:?}");
        let found = walk_with(&mut Workshop::with(1_000, 64), &file).0;
        assert_eq!(found.len(), 2, "{length}: {found:?}");
    }
    // Without the dictionary, its frames are damage.
    let found = walk(&one).0;
    assert!(found[0].starts_with("member-damaged"), "{found:?}");
}

/// A frame without a checksum that asks for a window of `1 << log` bytes, and has one block without compression.
fn frame_with_window(log: u8, content: &[u8]) -> Vec<u8> {
    let block = ((content.len() as u32) << 3 | 1).to_le_bytes();
    [b"\x28\xb5\x2f\xfd\0", &[(log - 10) << 3][..], &block[..3], content].concat()
}

#[test]
fn large_windows() {
    let last = frame(&record("last"), b"");
    for (log, expected) in [(20, "one"), (25, "one"), (26, "window-too-large"), (41, "window-too-large")] {
        let one = frame_with_window(log, &record("one"));
        for workshop in [&mut Workshop::default(), &mut Workshop::with(1_000, 64)] {
            let (found, _) = walk_with(workshop, &[&one[..], &last].concat());
            assert_eq!(super::blocks(&found), [expected, "last"], "{log}: {found:?}");
        }
    }
    // The window of a frame with the flag Single_Segment is its content.
    let mut single = frame(&record("one"), b"");
    single.splice(4..6, [&[0xa4][..], &(200_u32 << 20).to_le_bytes()].concat());
    let (found, account) = walk(&[&single[..], &frame(&record("two"), b"")].concat());
    assert_eq!((super::blocks(&found), account.damaged_bytes), (vec!["window-too-large", "two"], single.len() as u64));
}

#[test]
fn a_damaged_frame_affects_no_other() {
    let frames = ["one", "two", "three"].map(|block| frame(&record(block), b""));
    let file = frames.concat();
    let undamaged = walk(&file).0;
    for at in 0..file.len() {
        let mut damaged = file.clone();
        damaged[at] ^= 1 << (at % 8);
        let (found, account) = walk(&damaged);
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
        assert_eq!(walk(&file[..length]).1.records, whole, "cut at {length}");
    }
}
