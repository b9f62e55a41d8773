//! The walk over a file of members.
//!
//! A member that is in memory as a whole, fits the room of the fast inflater, and holds whole records is read at once.
//! From any other, the walk goes on over members as over one stream, to the next border between members that is one
//! between records.

use super::arc;
use super::codec::{MemberCodec, MemberStep};
use super::form::RecordForm;
use super::found::{Cause, Place, RecordOrDamage};
use super::joined::{Border, DamagedFirst, Joined, MemberSums, Start};
use super::patience::Patience;
use super::record::Record;
use super::records::{Piece, records};
use super::report::WalkReport;
use super::window::{STEP_BYTES, Window, WindowSource};
use std::io;
use std::ops::ControlFlow;

/// How far members have to follow each other behind a damaged one, in bytes of the file, to be taken for the archive's own.
const TRUSTED_BYTES: u64 = STEP_BYTES as u64;

/// What a file of members is read with.
#[derive(Debug, Default)]
pub(super) struct MemberRooms<C> {
    /// Inflates members.
    pub(super) codec: C,
    /// The form of the records in them.
    pub(super) form: RecordForm,
    /// Records of members that are read as one stream.
    pub(super) joined: Vec<u8>,
}

impl<C: MemberCodec> MemberRooms<C> {
    /// Frees memory that only a large archive needs.
    pub(super) fn shrink(&mut self) {
        self.codec.shrink();
        self.joined = Vec::new();
    }
}

/// Walks over a file of members, with records of up to `most` bytes.
pub(super) fn members<S: WindowSource, C: MemberCodec, E: FnMut(RecordOrDamage<'_>) -> ControlFlow<()>>(
    window: &mut Window<'_, S>,
    rooms: &mut MemberRooms<C>,
    most: usize,
    report: &mut WalkReport<E>,
) -> io::Result<ControlFlow<()>> {
    let mut patience = Patience::default();
    let mut is_behind_damage = false;
    loop {
        window.fill(C::SIGNATURE.len() + 1)?;
        if window.bytes().is_empty() {
            return Ok(report.end_damage());
        }
        let mut cause = Cause::Garbage;
        if C::begins(window.bytes()) && patience.is_left(window.offset()) {
            if is_behind_damage {
                report.doubt_until(doubtful_end(window, &mut rooms.codec, most, &mut patience)?);
            }
            let start = Start { offset: window.offset(), skip: 0, index: 0 };
            let flow = match at_once(window, rooms, most, &patience, report)? {
                AtOnce::Told(flow) => Some(flow),
                AtOnce::GoesOn(start) => joined(window, rooms, most, start, true, &mut patience, report)?,
                AtOnce::Unread => joined(window, rooms, most, start, false, &mut patience, report)?,
            };
            is_behind_damage = flow.is_none();
            match flow {
                Some(ControlFlow::Continue(())) => continue,
                Some(flow) => return Ok(flow),
                None => cause = Cause::MemberDamaged,
            }
        }
        window.fill(C::SIGNATURE.len() + 1)?;
        let skipped = up_to_signature::<C>(window.bytes(), window.is_at_end());
        report.damage(window.offset(), skipped as u64, cause);
        window.skip(skipped);
    }
}

/// What became of a member that was to be inflated at once.
enum AtOnce {
    /// All its records are told.
    Told(ControlFlow<()>),
    /// All but the last one are told, which may go on in the next member. The window stands at the member still.
    GoesOn(Start),
    /// It cannot be inflated so, which tells nothing of it.
    Unread,
}

/// The member at which the window stands, at once.
fn at_once<S: WindowSource, C: MemberCodec, E: FnMut(RecordOrDamage<'_>) -> ControlFlow<()>>(
    window: &mut Window<'_, S>,
    rooms: &mut MemberRooms<C>,
    most: usize,
    patience: &Patience,
    report: &mut WalkReport<E>,
) -> io::Result<AtOnce> {
    while patience.has_fast() {
        let offset = window.offset();
        let Ok(taken) = rooms.codec.at_once(window.bytes(), most) else {
            // The member may only go on behind what is in memory.
            if window.fill_a_step()? {
                continue;
            }
            break;
        };
        let place = Place { offset, length: taken as u64, index: 0 };
        if report.end_damage().is_break() {
            return Ok(AtOnce::Told(ControlFlow::Break(())));
        }
        let held = rooms.codec.held();
        let (found, rest, may_go_on) = match all_but_last(rooms.form, held, place, report) {
            ControlFlow::Continue(told) => told,
            ControlFlow::Break(()) => return Ok(AtOnce::Told(ControlFlow::Break(()))),
        };
        if may_go_on {
            let skip = (held.len() - rest.len()) as u64;
            return Ok(AtOnce::GoesOn(Start { offset, skip, index: found }));
        }
        let content = Content { stray: rest.len() as u64, ..Content::of::<C>(held) };
        window.skip(taken);
        let sums = MemberSums { members: 1, empty_members: u64::from(content.kind == ContentKind::Empty) };
        return Ok(AtOnce::Told(tell_sums(place, sums, found, content, report)));
    }
    Ok(AtOnce::Unread)
}

/// Passes on the records of a member but the last one, if that may go on in the next. Returns how many they are, what
/// stands behind them, and whether that may go on.
fn all_but_last<'h, E: FnMut(RecordOrDamage<'_>) -> ControlFlow<()>>(
    form: RecordForm,
    held: &'h [u8],
    place: Place,
    report: &mut WalkReport<E>,
) -> ControlFlow<(), (u32, &'h [u8], bool)> {
    let mut rest = held;
    let mut index = 0;
    while let Some((record, taken)) = Record::read_as(form, rest) {
        if taken == rest.len() && record.has_open_end() {
            return ControlFlow::Continue((index, rest, true));
        }
        report.record(record, Place { index, ..place })?;
        index += 1;
        rest = rest.get(taken..).unwrap_or_default();
    }
    ControlFlow::Continue((index, rest, !rest.is_empty() && form.may_begin(rest)))
}

/// What members hold.
#[derive(Debug, Clone, Copy)]
struct Content {
    kind: ContentKind,
    /// Bytes that belong to no record.
    stray: u64,
}

/// What members begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ContentKind {
    Empty,
    Members,
    Other,
}

impl Content {
    fn of<C: MemberCodec>(held: &[u8]) -> Self {
        let kind = match held {
            [] => ContentKind::Empty,
            _ if C::begins(held) => ContentKind::Members,
            _ => ContentKind::Other,
        };
        Content { kind, stray: 0 }
    }
}

/// Adds up members whose records are told. Their bytes are good if a record is in them, even if one is too large to be
/// handed out.
fn tell_sums<E: FnMut(RecordOrDamage<'_>) -> ControlFlow<()>>(
    place: Place,
    sums: MemberSums,
    found: u32,
    content: Content,
    report: &mut WalkReport<E>,
) -> ControlFlow<()> {
    report.account.members += sums.members;
    report.account.empty_members += sums.empty_members;
    let cause = match content.kind {
        _ if found > 0 => None,
        ContentKind::Empty => None,
        ContentKind::Members => Some(Cause::CompressedTwice),
        ContentKind::Other => Some(Cause::NoRecord),
    };
    match cause {
        Some(cause) => {
            report.damage(place.offset, place.length, cause);
            report.end_damage()
        }
        None => {
            report.account.good_bytes += place.length;
            report.account.stray_bytes += content.stray;
            ControlFlow::Continue(())
        }
    }
}

/// All records from a start on, up to the next border between members that is one between records. `None` if the first
/// member is damaged. `is_fast` tells whether members are worth to be tried at once.
fn joined<S: WindowSource, C: MemberCodec, E: FnMut(RecordOrDamage<'_>) -> ControlFlow<()>>(
    window: &mut Window<'_, S>,
    rooms: &mut MemberRooms<C>,
    most: usize,
    start: Start,
    is_fast: bool,
    patience: &mut Patience,
    report: &mut WalkReport<E>,
) -> io::Result<Option<ControlFlow<()>>> {
    let stream = match Joined::new(window, &mut rooms.codec, rooms.form, start, most, is_fast)? {
        Ok(stream) => stream,
        Err(DamagedFirst { bytes }) => {
            patience.fast_failure();
            patience.spend(bytes);
            return Ok(None);
        }
    };
    if report.end_damage().is_break() {
        return Ok(Some(ControlFlow::Break(())));
    }
    let mut content = Content { kind: ContentKind::Empty, stray: 0 };
    let mut found = start.index;
    let mut last = Place { offset: start.offset, length: 0, index: start.index };
    let mut end = None;
    let mut held = Window::new(stream, &mut rooms.joined, STEP_BYTES.min(most));
    let flow = records(&mut held, rooms.form, most, patience, |stream, at, length, piece| {
        let place = stream.place(at, length);
        last = Place { index: if place.offset == last.offset { last.index } else { 0 }, ..place };
        let flow = match piece {
            Piece::Record(record) | Piece::Cut(record) => report.record(record, last),
            Piece::TooLarge => report.too_large(place.offset, 0),
            Piece::Garbage(bytes) => {
                if at == 0 && start.skip == 0 {
                    content = Content::of::<C>(bytes);
                }
                content.stray += length;
                return ControlFlow::Continue(());
            }
        };
        flow?;
        last.index = last.index.saturating_add(1);
        found = found.saturating_add(1);
        end = stream.border(at + length);
        if end.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if flow.is_break() && end.is_none() {
        return Ok(Some(flow));
    }
    let Border { offset, sums } = end.unwrap_or(held.source().end());
    let place = Place { offset: start.offset, length: offset - start.offset, index: 0 };
    window.back_to(offset)?;
    Ok(Some(tell_sums(place, sums, found, content, report)))
}

/// Up to where members found behind a damaged one are doubtful, since they may be a part of it: the data that it holds
/// may be members, and may stand in it as they are. The archive's own follow each other up to its end; those within a
/// member end before it does.
fn doubtful_end<S: WindowSource, C: MemberCodec>(
    window: &mut Window<'_, S>,
    codec: &mut C,
    most: usize,
    patience: &mut Patience,
) -> io::Result<u64> {
    let offset = window.offset();
    if !patience.has_fast() {
        // So much is damaged that nothing is tried twice.
        return Ok(offset + TRUSTED_BYTES);
    }
    let mut is_trusted = false;
    while !is_trusted {
        window.fill(C::SIGNATURE.len() + 1)?;
        is_trusted = window.bytes().is_empty() || window.offset() - offset >= TRUSTED_BYTES;
        if is_trusted || !C::begins(window.bytes()) {
            break;
        }
        match codec.at_once(window.bytes(), most) {
            Ok(taken) => window.skip(taken),
            Err(_) if window.fill_a_step()? => {}
            Err(_) => break,
        }
    }
    let end = window.offset();
    patience.spend(window.back_to(offset)?);
    Ok(if is_trusted { offset } else { end })
}

/// The form of the records in members, by what the first of them holds.
pub(super) fn form_of_members<S: WindowSource, C: MemberCodec>(
    window: &mut Window<'_, S>,
    codec: &mut C,
) -> io::Result<RecordForm> {
    let offset = window.offset();
    const MOST_MEMBERS: usize = 64;
    let (mut first, mut filled, mut members) = ([0; arc::FIRST_URL.len()], 0, 0);
    codec.begin();
    while let Some(room) = first.get_mut(filled..).filter(|room| !room.is_empty()) {
        match codec.step(window, room)? {
            MemberStep::Bytes(bytes) => filled += bytes,
            // It may go on in the next, behind a dictionary of zstd, or behind members that are empty.
            MemberStep::End if members < MOST_MEMBERS => {
                members += 1;
                codec.begin();
            }
            MemberStep::End | MemberStep::Damaged => break,
        }
    }
    window.back_to(offset)?;
    Ok(if first == arc::FIRST_URL { RecordForm::Arc } else { RecordForm::Warc })
}

/// How much to pass over, at least one byte, to the next place where a member may begin, or to where one may begin that
/// goes on behind what is in memory.
fn up_to_signature<C: MemberCodec>(bytes: &[u8], is_at_end: bool) -> usize {
    let behind = bytes.get(1..).unwrap_or_default();
    let mut found = memchr::memmem::find_iter(behind, C::SIGNATURE).map(|at| at + 1);
    let kept = if is_at_end { 0 } else { C::SIGNATURE.len() };
    let none = || bytes.len().saturating_sub(kept).max(1);
    found
        .find(|at| bytes.get(*at..).is_some_and(|bytes| C::begins(bytes) || bytes.len() == C::SIGNATURE.len()))
        .unwrap_or_else(none)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::codec::Gzip;
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
        for twice in [gzip(&large(0..1_000)), gzip(&gzip(&record("one")))] {
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
            let [at_once, stepwise] = [true, false].map(|is_at_once| {
                let mut found = Vec::new();
                let mut report = WalkReport::new(|what: RecordOrDamage<'_>| {
                    found.push(format!("{what:?}"));
                    ControlFlow::Continue(())
                });
                let (mut buffer, mut patience) = (Vec::new(), Patience::default());
                let mut rooms = MemberRooms::<Gzip>::default();
                let mut window = Window::new(Cursor::new(&member), &mut buffer, if is_at_once { 4_096 } else { 16 });
                window.fill(1).unwrap();
                let start = Start { offset: 0, skip: 0, index: 0 };
                let flow = match is_at_once {
                    true => match at_once(&mut window, &mut rooms, 4_096, &patience, &mut report).unwrap() {
                        AtOnce::Told(flow) => Some(flow),
                        AtOnce::GoesOn(start) => {
                            joined(&mut window, &mut rooms, 4_096, start, true, &mut patience, &mut report).unwrap()
                        }
                        AtOnce::Unread => None,
                    },
                    false => joined(&mut window, &mut rooms, 4_096, start, false, &mut patience, &mut report).unwrap(),
                };
                assert_eq!(flow, Some(ControlFlow::Continue(())), "{text:?}");
                assert_eq!(window.offset(), member.len() as u64);
                let account = report.account;
                (found, account)
            });
            assert_eq!(at_once, stepwise, "{:?}", String::from_utf8_lossy(text));
        }
    }

    /// Members of so many bytes each.
    fn split(content: &[u8], bytes: usize) -> Vec<u8> {
        content.chunks(bytes).flat_map(gzip).collect()
    }

    #[test]
    fn records_that_go_on_in_the_next_members() {
        let large = record(&"2".repeat(5_000));
        let records = [record("one"), large, record("three"), record("WARC/"), record("")].concat();
        let expected = ["one", "too-large", "three", "WARC/", ""];
        for bytes in (1..200).chain([500, 5_200, 10_000]) {
            let (found, account) = walk(&split(&records, bytes));
            let blocks: Vec<&str> = found.iter().map(|found| found.split(" at ").next().unwrap()).collect();
            assert_eq!(blocks, expected, "{bytes} bytes a member");
            assert_eq!((account.damaged_bytes, account.stray_bytes), (0, 0), "{bytes} bytes a member");
            assert_eq!(account.members, records.chunks(bytes).len() as u64, "{bytes} bytes a member");
        }
    }

    #[test]
    fn a_record_stands_from_its_first_member_to_its_last() {
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
    fn a_record_that_does_not_go_on_is_short() {
        // The next member begins with a record, or is damaged, or is none.
        let short = b"WARC/1.0\r\nContent-Length: 100\r\n\r\nshort".to_vec();
        let mut damaged = gzip(&record("damaged"));
        let at = damaged.len() - 1;
        damaged[at] ^= 1;
        for (behind, others) in [(gzip(&record("two")), 1), (damaged, 1), (b"no member".to_vec(), 1), (Vec::new(), 0)] {
            let (found, account) = walk(&[gzip(&short), behind].concat());
            assert_eq!(found[0], format!("short at 0+{}.0", gzip(&short).len()));
            assert_eq!((found.len(), account.stray_bytes), (1 + others, 0), "{found:?}");
        }
    }

    #[test]
    fn a_member_found_within_a_damaged_one_is_marked() {
        // A body that is an archive itself stands in its member as it is, since deflate cannot make it smaller.
        let remarks = |file: &[u8]| {
            let mut remarks = Vec::new();
            crate::archive::read(Cursor::new(file), &mut Workshop::default(), |what| {
                if let RecordOrDamage::Record(record, _) = what {
                    remarks.push(format!("{} {:?}", String::from_utf8_lossy(record.block), record.remarks));
                }
                ControlFlow::Continue(())
            })
            .unwrap();
            remarks
        };
        let inner = [gzip(&record("inner")), gzip(&record("inner two"))].concat();
        let block = [b"WARC/1.0\r\nContent-Length: ", inner.len().to_string().as_bytes(), b"\r\n\r\n"].concat();
        let mut outer = Vec::new();
        let mut encoder = flate2::write::GzEncoder::new(&mut outer, flate2::Compression::none());
        std::io::Write::write_all(&mut encoder, &[&block[..], &inner, b"\r\n\r\n"].concat()).unwrap();
        encoder.finish().unwrap();
        let at = outer.len() - 5;
        outer[at] ^= 1;
        let last = gzip(&record("last"));
        let expected = ["inner {\"behind-damage\"}", "inner two {\"behind-damage\"}", "last {}"];
        assert_eq!(remarks(&[&outer[..], &last].concat()), expected);
        // What follows a damaged member up to the end is the archive's own.
        let mut damaged = gzip(&record("damaged"));
        let at = damaged.len() - 5;
        damaged[at] ^= 1;
        assert_eq!(remarks(&[damaged, last.clone(), last].concat()), ["last {}", "last {}"]);
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
