//! Both readers see the same damage.

use super::walk::{HEAD, both, record};
use crate::answer::gzip;
use proptest::prelude::*;

fn file() -> (Vec<u8>, usize) {
    let members: Vec<Vec<u8>> =
        (0..3).map(|n| gzip(&record("", &format!("HTTP/1.1 200 OK\r\n\r\nblock {n}")))).collect();
    (members.concat(), members[0].len())
}

#[test]
fn a_file_of_three_cut_at_every_byte() {
    let (file, member) = file();
    for length in 0..file.len() {
        let (comparison, _) = both(&file[..length]);
        assert!(comparison.is_same(), "cut at {length}: {comparison:?}");
        assert_eq!(comparison.agreed, (length / member) as u64, "cut at {length}");
        assert_eq!(comparison.damaged, u64::from(length % member > 0), "cut at {length}");
    }
}

#[test]
fn a_plain_file_cut_at_every_byte() {
    let file = [record("", "one"), record("", "two")].concat();
    for length in 0..file.len() {
        let (comparison, seen) = both(&file[..length]);
        assert!(comparison.is_same(), "cut at {length}: {comparison:?}, {seen:?}");
    }
}

/// The start of such a file may pass for that of a file of members.
#[test]
fn a_plain_file_of_coded_bodies_with_a_damaged_start() {
    let block = [b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", &*gzip(b"User-agent: *\n")].concat();
    let head = format!("{HEAD}Content-Length: {}\r\n\r\n", block.len());
    let mut file = [head.as_bytes(), &block, b"\r\n\r\n"].concat().repeat(3);
    file[0] ^= 1;
    let (comparison, seen) = both(&file);
    assert!(comparison.is_same(), "{comparison:?}");
    assert_eq!((seen.len(), comparison.agreed), (2, 2), "{comparison:?}");
}

/// The second reader loses the length after such a line, and takes the line ends of the block for those of the record.
#[test]
fn a_plain_record_cut_behind_a_lost_length() {
    for line in ["no colon\r\n", "X: a\r\n b\r\n", "a name: x\r\n", "X: a\rb\r\n"] {
        let file = record(line, "\r\n\r\nblock");
        for length in 0..file.len() {
            let (comparison, seen) = both(&file[..length]);
            assert!(comparison.is_same(), "{line:?} cut at {length}: {comparison:?}, {seen:?}");
        }
    }
}

#[test]
fn any_flipped_bit_is_seen_by_both() {
    let (file, member) = file();
    for bit in 0..member * 8 {
        let mut damaged = file.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        let (comparison, _) = both(&damaged);
        // The first reader does not compare the checksum of a header, and this bit says that there is one.
        let announces_checksum = bit == 3 * 8 + 1;
        assert!(comparison.is_same() || announces_checksum, "bit {bit}: {comparison:?}");
        assert!(comparison.agreed >= 2, "bit {bit}: {comparison:?}");
    }
}

/// Pieces of records, in any order.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just("WARC/1.0\r\n"),
        Just("WARC/1.0\n"),
        Just("Content-Length: 4\r\n"),
        Just("Content-Length: 18446744073709551615\r\n"),
        Just("Content-Length: 18446744073709551611\r\n"),
        Just("content-length:0\r\n"),
        Just("WARC-Type: response\r\n"),
        Just("WARC-Type: request\r\n"),
        Just("WARC-Target-URI: <a>\r\n"),
        Just("X: a\r\n"),
        Just(" b\r\n"),
        Just("HTTP/1.1 200 OK\r\n"),
        Just("\r\n"),
        Just("\r\n\r\n"),
        Just("\n"),
        Just("\r"),
        Just("abcd"),
        Just("\0"),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat().into_bytes())
}

proptest! {
    #[test]
    fn readers_agree_on_any_pieces_except_for_known_obstacles(bytes in pieces()) {
        let begun = [b"WARC/1.0\r\n", &bytes[..]].concat();
        for file in [gzip(&begun), begun] {
            let (comparison, _) = both(&file);
            prop_assert!(comparison.is_same(), "{comparison:?}");
        }
    }

    #[test]
    fn readers_agree_on_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        // Other formats have signatures, the shortest of two bytes, and are refused.
        prop_assume!([b"\x1f\x9d", b"{\""].iter().all(|signature| !bytes.starts_with(*signature)));
        for file in [gzip(&bytes), [b"WARC/", &bytes[..]].concat(), bytes] {
            both(&file);
        }
    }
}
