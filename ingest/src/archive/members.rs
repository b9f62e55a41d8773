//! The walk over a file of gzip members.
//!
//! A member that is in memory as a whole, and fits the room of the fast inflater, is inflated at once. Any other is
//! inflated twice, piece by piece: first to know that it is whole and where it ends, then to hand out what it holds. So
//! no record is handed out before the checksum behind it was compared, however large the member is, and memory holds no
//! more than one record of it.

use super::found::{Cause, Place, RecordOrDamage};
use super::inflate::Inflater;
use super::patience::Patience;
use super::record::Record;
use super::records::{Piece, records};
use super::report::WalkReport;
use super::stream::{MemberStep, SIGNATURE, Stream, begins_member};
use super::window::{STEP_BYTES, Window, WindowSource};
use flate2::Decompress;
use std::io;
use std::ops::ControlFlow;

/// What members are inflated with.
#[derive(Debug)]
pub(super) struct Inflaters {
    /// Inflates a member at once.
    pub(super) fast: Inflater,
    /// Inflates piece by piece.
    pub(super) stepwise: Decompress,
}

/// Walks over a file of members, with records of up to `most` bytes.
pub(super) fn members<S: WindowSource, E: FnMut(RecordOrDamage<'_>) -> ControlFlow<()>>(
    window: &mut Window<'_, S>,
    inflaters: &mut Inflaters,
    most: usize,
    report: &mut WalkReport<E>,
) -> io::Result<ControlFlow<()>> {
    let mut patience = Patience::default();
    loop {
        window.fill(SIGNATURE.len() + 1)?;
        if window.bytes().is_empty() {
            return Ok(report.end_damage());
        }
        let cause = if begins_member(window.bytes()) && patience.is_left(window.offset()) {
            let flow = match fast(window, &mut inflaters.fast, &patience, report)? {
                Some(flow) => Some(flow),
                None => stepwise(window, inflaters, most, &mut patience, report)?,
            };
            match flow {
                Some(ControlFlow::Continue(())) => continue,
                Some(flow) => return Ok(flow),
                None => Cause::MemberDamaged,
            }
        } else {
            Cause::Garbage
        };
        window.fill(SIGNATURE.len() + 1)?;
        let skipped = up_to_signature(window.bytes(), window.is_at_end());
        report.damage(window.offset(), skipped as u64, cause);
        window.skip(skipped);
    }
}

/// The member at which the window stands, at once. `None` if it cannot be inflated so, which tells nothing of it.
fn fast<S: WindowSource, E: FnMut(RecordOrDamage<'_>) -> ControlFlow<()>>(
    window: &mut Window<'_, S>,
    inflater: &mut Inflater,
    patience: &Patience,
    report: &mut WalkReport<E>,
) -> io::Result<Option<ControlFlow<()>>> {
    while patience.has_fast() {
        let place = Place { offset: window.offset(), length: 0, index: 0 };
        if let Ok((held, taken)) = inflater.member(window.bytes()) {
            let flow = member(held, Place { length: taken as u64, ..place }, report);
            window.skip(taken);
            return Ok(Some(flow));
        }
        // The member may only go on behind what is in memory.
        if !window.fill_a_step()? {
            break;
        }
    }
    Ok(None)
}

/// All records of a member that was inflated at once.
fn member<E: FnMut(RecordOrDamage<'_>) -> ControlFlow<()>>(
    held: &[u8],
    place: Place,
    report: &mut WalkReport<E>,
) -> ControlFlow<()> {
    report.end_damage()?;
    report.account.members += 1;
    if held.is_empty() {
        report.account.empty_members += 1;
        report.account.good_bytes += place.length;
        return ControlFlow::Continue(());
    }
    let mut rest = held;
    let mut index = 0;
    while let Some((record, taken)) = Record::read(rest) {
        if index == 0 {
            report.account.good_bytes += place.length;
        }
        report.record(record, Place { index, ..place })?;
        index += 1;
        rest = rest.get(taken..).unwrap_or_default();
    }
    if index == 0 {
        report.damage(place.offset, place.length, Cause::NoRecord);
        return report.end_damage();
    }
    report.account.stray_bytes += rest.len() as u64;
    ControlFlow::Continue(())
}

/// The member at which the window stands, piece by piece and twice. `None` if it is damaged.
fn stepwise<S: WindowSource, E: FnMut(RecordOrDamage<'_>) -> ControlFlow<()>>(
    window: &mut Window<'_, S>,
    inflaters: &mut Inflaters,
    most: usize,
    patience: &mut Patience,
    report: &mut WalkReport<E>,
) -> io::Result<Option<ControlFlow<()>>> {
    let Inflaters { fast, stepwise } = inflaters;
    let offset = window.offset();
    let mut stream = Stream::new(window, stepwise);
    let is_whole = loop {
        match stream.next(fast.room())? {
            MemberStep::Bytes(_) => {}
            MemberStep::End => break true,
            MemberStep::Damaged => break false,
        }
    };
    let (length, inflated) = stream.lengths();
    window.back_to(offset)?;
    if !is_whole {
        patience.fast_failure();
        patience.spend(length + inflated);
        return Ok(None);
    }
    let place = Place { offset, length, index: 0 };
    fast.lend_room(|room| large_member(Stream::new(window, stepwise), place, room, most, patience, report)).map(Some)
}

/// All records of a member that was found whole. The bytes of the file that it takes are good if a record is in it, even
/// if one of its records is too large to be handed out.
fn large_member<S: WindowSource, E: FnMut(RecordOrDamage<'_>) -> ControlFlow<()>>(
    stream: Stream<'_, '_, S>,
    place: Place,
    room: &mut Vec<u8>,
    most: usize,
    patience: &mut Patience,
    report: &mut WalkReport<E>,
) -> io::Result<ControlFlow<()>> {
    if report.end_damage().is_break() {
        return Ok(ControlFlow::Break(()));
    }
    report.account.members += 1;
    let mut index = 0;
    let mut stray = 0;
    let mut held = Window::new(stream, room, STEP_BYTES.min(most));
    let flow = records(&mut held, most, patience, |_, length, piece| {
        if matches!(piece, Piece::Garbage) {
            stray += length;
            return ControlFlow::Continue(());
        }
        if index == 0 {
            report.account.good_bytes += place.length;
        }
        let place = Place { index, ..place };
        index = index.saturating_add(1);
        match piece {
            Piece::Record(record) | Piece::Cut(record) => report.record(record, place),
            Piece::TooLarge | Piece::Garbage => report.too_large(place.offset, 0),
        }
    })?;
    if flow.is_break() {
        return Ok(flow);
    }
    match (index, held.offset()) {
        (0, 0) => {
            report.account.empty_members += 1;
            report.account.good_bytes += place.length;
        }
        (0, _) => {
            report.damage(place.offset, place.length, Cause::NoRecord);
            return Ok(report.end_damage());
        }
        _ => report.account.stray_bytes += stray,
    }
    Ok(ControlFlow::Continue(()))
}

/// How much to pass over, at least one byte, to the next place where a member may begin, or to where one may begin that
/// goes on behind what is in memory.
fn up_to_signature(bytes: &[u8], is_at_end: bool) -> usize {
    let behind = bytes.get(1..).unwrap_or_default();
    let mut found = memchr::memmem::find_iter(behind, SIGNATURE).map(|at| at + 1);
    let kept = if is_at_end { 0 } else { SIGNATURE.len() };
    let none = || bytes.len().saturating_sub(kept).max(1);
    found
        .find(|at| bytes.get(*at..).is_some_and(|bytes| begins_member(bytes) || bytes.len() == SIGNATURE.len()))
        .unwrap_or_else(none)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::inflate::gzip;
    use crate::archive::walk::Workshop;
    use crate::archive::walk::tests::{record, walk_with};
    use std::io::Cursor;

    /// Members of more than a kilobyte are large, and little is read at once.
    fn walk(file: &[u8]) -> (Vec<String>, crate::archive::Account) {
        walk_with(&mut Workshop::with(1_000, 64), file)
    }

    fn large(numbers: std::ops::Range<u32>) -> Vec<u8> {
        gzip(&numbers.flat_map(|number| record(&format!("block {number}"))).collect::<Vec<u8>>())
    }

    #[test]
    fn large_members_between_small_ones() {
        let (one, two, three, four) = (gzip(&record("one")), large(0..1_000), large(0..500), gzip(&record("four")));
        let (found, account) = walk(&[&one[..], &two, &three, &four].concat());
        assert_eq!((found.len(), account.members, account.damaged_bytes), (1_502, 4, 0));
        assert_eq!(found[0], format!("one at 0+{}.0", one.len()));
        assert_eq!(found[1], format!("block 0 at {}+{}.0", one.len(), two.len()));
        assert_eq!(found[1_000], format!("block 999 at {}+{}.999", one.len(), two.len()));
        assert_eq!(found[1_500], format!("block 499 at {}+{}.499", one.len() + two.len(), three.len()));
        assert!(found[1_501].starts_with("four"));
    }

    #[test]
    fn damage_to_a_large_member_costs_it_alone() {
        let (one, two, three) = (gzip(&record("one")), large(0..1_000), gzip(&record("three")));
        let cost = |damaged: &[u8]| {
            let (found, account) = walk(&[&one[..], damaged, &three].concat());
            assert_eq!((found.len(), account.records), (3, 2), "{found:?}");
            assert_eq!(found[1], format!("member-damaged at {}+{}", one.len(), damaged.len()));
        };
        for length in [4, 9, 10, 11, two.len() / 2, two.len() - 9, two.len() - 8, two.len() - 1] {
            cost(&two[..length]);
        }
        for at in [12, two.len() / 3, two.len() - 8, two.len() - 1] {
            let mut damaged = two.clone();
            damaged[at] ^= 1;
            cost(&damaged);
        }
    }

    #[test]
    fn a_record_too_large_is_passed_over_within_its_member() {
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
        let (found, account) = walk(&[zeros.clone(), large(0..100)].concat());
        assert_eq!((found.len(), account.damaged_bytes), (101, zeros.len() as u64));
        assert_eq!(found[0], format!("no-record at 0+{}", zeros.len()));
        // Compressed twice: named, and not read.
        let twice = gzip(&large(0..1_000));
        assert_eq!(walk(&twice).0, [format!("no-record at 0+{}", twice.len())]);
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
    fn piece_by_piece_gives_what_at_once_does() {
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
            let [at_once, stepwise] = [true, false].map(|at_once| {
                let mut found = Vec::new();
                let mut report = WalkReport::new(|what: RecordOrDamage<'_>| {
                    found.push(format!("{what:?}"));
                    ControlFlow::Continue(())
                });
                let (mut buffer, mut patience) = (Vec::new(), Patience::default());
                let mut inflaters = Inflaters { fast: Inflater::new(4_096), stepwise: Decompress::new(false) };
                let mut window = Window::new(Cursor::new(&member), &mut buffer, if at_once { 4_096 } else { 16 });
                let flow = match at_once {
                    true => fast(&mut window, &mut inflaters.fast, &patience, &mut report),
                    false => stepwise(&mut window, &mut inflaters, 4_096, &mut patience, &mut report),
                };
                assert_eq!(flow.unwrap(), Some(ControlFlow::Continue(())), "{text:?}");
                assert_eq!(window.offset(), member.len() as u64);
                let account = report.account;
                (found, account)
            });
            assert_eq!(at_once, stepwise, "{:?}", String::from_utf8_lossy(text));
        }
    }

    #[test]
    fn beginnings_that_run_into_each_other_end_soon() {
        // Each header is followed by a stored block that ends where the block of the first does, so that all of them go
        // on as one chain, which ends without a checksum.
        let mut hostile = Vec::new();
        while hostile.len() + 15 <= 60_000 {
            let left = (60_000 - hostile.len() - 15) as u16;
            hostile.extend(b"\x1f\x8b\x08\0\0\0\0\0\0\xff\0");
            hostile.extend([left.to_le_bytes(), (!left).to_le_bytes()].concat());
        }
        // A block of 64 MiB in 64 KiB behind it: 4,000 times as much is 250 GiB.
        let zeros = gzip(&vec![0; 64 << 20]);
        hostile.extend(&zeros[10..zeros.len() - 8]);
        hostile.extend(b"no checksum");
        hostile.extend(gzip(&record("lost or found")));
        let (_, account) = walk_with(&mut Workshop::default(), &hostile);
        assert_eq!(account.bytes, hostile.len() as u64);
    }
}
