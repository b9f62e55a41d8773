//! Properties of any archive of members, small, large or damaged. The seed is fixed, so each run is the same.

use super::Workshop;
use super::tests::{describe_each, record, remarked, walk_with};
use crate::archive::found::{Damage, RecordOrDamage};
use crate::archive::inflate::gzip;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// The limit for a record here, in bytes.
const MOST: usize = 2_000;

/// The two line ends after a block, which are not counted.
const ENDS_BYTES: usize = 4;

/// A piece of an archive: a member with records of the given sizes in bytes, or bytes that start no member.
#[derive(Debug, Clone)]
enum MemberPiece {
    Member(Vec<usize>),
    /// A member with one bit flipped, and where, in percent of its length.
    Flipped(Vec<usize>, usize),
    /// A member that is cut short, and where, in percent of its length.
    Cut(Vec<usize>, usize),
    Garbage(Vec<u8>),
}

/// A false start of a member, or part of one. Other bytes must not be valid flags: the false start could otherwise read
/// the header of the next member as its file name.
fn fragment() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        Just(b"\x1f\x8b\x08\0".to_vec()),
        Just(b"\x1f\x8b".to_vec()),
        Just(b"\x1f".to_vec()),
        vec(b' '..=255, 1..20),
    ]
}

fn pieces() -> impl Strategy<Value = Vec<MemberPiece>> {
    let sizes = || vec(prop_oneof![8 => 0..300usize, 3 => 300..1_900usize, 1 => 1_900..6_000usize], 1..12);
    let piece = prop_oneof![
        4 => sizes().prop_map(MemberPiece::Member),
        1 => (sizes(), 0..100usize).prop_map(|(sizes, at)| MemberPiece::Flipped(sizes, at)),
        1 => (sizes(), 0..100usize).prop_map(|(sizes, at)| MemberPiece::Cut(sizes, at)),
        1 => vec(fragment(), 1..40).prop_map(|fragments| MemberPiece::Garbage(fragments.concat())),
    ];
    vec(piece, 0..12)
}

/// Distinct records of letters that deflate can hardly compress.
fn records(sizes: &[usize], state: &mut u32) -> Vec<Vec<u8>> {
    let letter = |state: &mut u32| {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(b'!' + (*state >> 26) as u8)
    };
    sizes.iter().map(|size| record(&(0..*size).map(|_| letter(state)).collect::<String>())).collect()
}

fn is_whole(member: &[u8], records: &[Vec<u8>]) -> bool {
    let mut buffer = vec![0; records.concat().len()];
    libdeflater::Decompressor::new().gzip_decompress(member, &mut buffer).is_ok_and(|held| held == buffer.len())
}

/// The archive, and what must be found in it, as [`describe`] formats it.
fn archive(pieces: &[MemberPiece]) -> (Vec<u8>, Vec<String>) {
    let (mut file, mut expected) = (Vec::new(), Vec::new());
    let mut damage: Option<(usize, usize)> = None;
    let mut state = 1;
    for piece in pieces {
        let (bytes, records) = match piece {
            MemberPiece::Garbage(bytes) => (bytes.clone(), Vec::new()),
            MemberPiece::Member(sizes) | MemberPiece::Flipped(sizes, _) | MemberPiece::Cut(sizes, _) => {
                let records = records(sizes, &mut state);
                let mut member = gzip(&records.concat());
                let length = member.len();
                match piece {
                    // The ten bytes of the header do not affect the data.
                    MemberPiece::Flipped(_, at) => member[10 + (length - 10) * at / 100] ^= 1 << (at % 8),
                    MemberPiece::Cut(_, at) => member.truncate(length * at / 100),
                    _ => {}
                }
                let records = if is_whole(&member, &records) { records } else { Vec::new() };
                (member, records)
            }
        };
        let (offset, length) = (file.len(), bytes.len());
        file.extend(bytes);
        if records.is_empty() {
            damage.get_or_insert((offset, 0)).1 += length;
            continue;
        }
        expected.extend(damage.take().filter(|(_, length)| *length > 0).map(|damage| format!("damage {damage:?}")));
        for (index, record) in records.iter().enumerate() {
            expected.push(match record.len() - ENDS_BYTES > MOST {
                true => format!("damage {:?}", (offset, 0)),
                false => format!("record {:?} {record:?}", (offset, length, index)),
            });
        }
    }
    expected.extend(damage.filter(|(_, length)| *length > 0).map(|damage| format!("damage {damage:?}")));
    (file, expected)
}

fn describe(found: RecordOrDamage<'_>) -> String {
    match found {
        RecordOrDamage::Record(found, place) => {
            let text = record(std::str::from_utf8(found.block).unwrap());
            format!("record {:?} {text:?}", (place.offset, place.length, place.index))
        }
        RecordOrDamage::Damage(Damage { offset, length, .. }) => format!("damage {:?}", (offset, length)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300, rng_seed: RngSeed::Fixed(1952), failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn all_records_of_whole_members_and_no_other(pieces in pieces(), step in prop_oneof![Just(64usize), 64..5_000usize]) {
        let (file, expected) = archive(&pieces);
        let (found, account) = describe_each(&mut Workshop::with(MOST, step), &file, describe);
        prop_assert_eq!(&found, &expected);
        let count = |kind: &str| expected.iter().filter(|expected| expected.starts_with(kind)).count() as u64;
        let large = expected.iter().filter(|expected| expected.ends_with(", 0)")).count() as u64;
        prop_assert_eq!((account.records, account.large_records), (count("record"), large));
    }

    #[test]
    fn members_may_start_anywhere(
        sizes in vec(prop_oneof![8 => 0..300usize, 3 => 300..1_900usize, 1 => 1_900..6_000usize], 1..12),
        members in vec(prop_oneof![2 => 1..30usize, 2 => 30..500usize, 1 => 500..5_000usize], 1..50),
        step in prop_oneof![Just(64usize), 64..5_000usize],
    ) {
        let content = records(&sizes, &mut 1).concat();
        let (mut file, mut rest) = (Vec::new(), &content[..]);
        for bytes in members {
            let (member, after) = rest.split_at(bytes.min(rest.len()));
            file.extend(gzip(member));
            rest = after;
        }
        file.extend(gzip(rest));
        let [found, expected] = [&file, &content].map(|file| remarked(&mut Workshop::with(MOST, step), file));
        prop_assert_eq!(found, expected);
        prop_assert_eq!(walk_with(&mut Workshop::with(MOST, step), &file).1.damaged_bytes, 0);
    }
}
