//! The walk over a file of members.
//!
//! A member of whole records that fits in memory and in the buffer of the fast inflater is inflated in one call. From
//! any other member on, the walk reads members as one stream, up to the next place where a member and a record end
//! together.

use super::arc;
use super::codec::{MemberCodec, MemberStep};
use super::form::RecordForm;
use super::found::{Cause, Place, RecordOrDamage};
use super::joined::{Border, DamagedFirst, Joined, MemberSums, Start};
use super::record::Record;
use super::records::{Piece, records};
use super::report::WalkReport;
use super::retry_budget::RetryBudget;
use super::window::{STEP_BYTES, Window, WindowSource};
use std::io;
use std::ops::ControlFlow;

/// How many bytes of the file a sequence of members after a damaged one must span to be trusted: they are then members
/// of the archive, not content of the damaged one.
const TRUSTED_BYTES: u64 = STEP_BYTES as u64;

/// Reads the members of one compression. Its buffers are reused between archives.
#[derive(Debug, Default)]
pub(super) struct MemberReader<C> {
    pub(super) codec: C,
    /// The format of the records in the members.
    pub(super) form: RecordForm,
    /// Buffer for records of members that are read as one stream.
    pub(super) joined: Vec<u8>,
}

impl<C: MemberCodec> MemberReader<C> {
    /// Frees memory that only large archives need.
    pub(super) fn shrink(&mut self) {
        self.codec.shrink();
        self.joined = Vec::new();
    }
}

/// Walks over a file of members. Records of more than `most` bytes count as too large.
pub(super) fn members<S: WindowSource, C: MemberCodec, E: FnMut(RecordOrDamage<'_>) -> ControlFlow<()>>(
    window: &mut Window<'_, S>,
    reader: &mut MemberReader<C>,
    most: usize,
    report: &mut WalkReport<E>,
) -> io::Result<ControlFlow<()>> {
    let mut budget = RetryBudget::default();
    let mut is_after_damage = false;
    loop {
        window.fill(C::SIGNATURE.len() + 1)?;
        if window.bytes().is_empty() {
            return Ok(report.end_damage());
        }
        let mut cause = Cause::Garbage;
        if C::is_start(window.bytes()) && budget.is_left(window.offset()) {
            if is_after_damage {
                report.doubt_until(end_of_doubt(window, &mut reader.codec, most, &mut budget)?);
            }
            let start = Start { offset: window.offset(), skip: 0, index: 0 };
            let flow = match read_fast(window, reader, most, &budget, report)? {
                FastRead::Done(flow) => Some(flow),
                FastRead::Continues(start) => joined(window, reader, most, start, true, &mut budget, report)?,
                FastRead::Failed => joined(window, reader, most, start, false, &mut budget, report)?,
            };
            is_after_damage = flow.is_none();
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

/// The outcome of inflating a member in one call.
enum FastRead {
    /// All its records were passed on.
    Done(ControlFlow<()>),
    /// All records but the last were passed on. The last may continue in the next member. The window is still at this
    /// member.
    Continues(Start),
    /// The fast inflater failed: the member may be damaged, or too large for it.
    Failed,
}

/// Reads the member at the window with the fast inflater.
fn read_fast<S: WindowSource, C: MemberCodec, E: FnMut(RecordOrDamage<'_>) -> ControlFlow<()>>(
    window: &mut Window<'_, S>,
    reader: &mut MemberReader<C>,
    most: usize,
    budget: &RetryBudget,
    report: &mut WalkReport<E>,
) -> io::Result<FastRead> {
    while budget.allows_fast() {
        let offset = window.offset();
        let Ok(taken) = reader.codec.inflate_whole(window.bytes(), most) else {
            // The member may only be incomplete in memory.
            if window.fill_a_step()? {
                continue;
            }
            break;
        };
        let place = Place { offset, length: taken as u64, index: 0 };
        if report.end_damage().is_break() {
            return Ok(FastRead::Done(ControlFlow::Break(())));
        }
        let held = reader.codec.held();
        let (found, rest, may_go_on) = match report_all_but_last(reader.form, held, place, report) {
            ControlFlow::Continue(passed_on) => passed_on,
            ControlFlow::Break(()) => return Ok(FastRead::Done(ControlFlow::Break(()))),
        };
        if may_go_on {
            let skip = (held.len() - rest.len()) as u64;
            return Ok(FastRead::Continues(Start { offset, skip, index: found }));
        }
        let content = FoundContent { stray: rest.len() as u64, ..FoundContent::recognise::<C>(held) };
        window.skip(taken);
        let sums = MemberSums { members: 1, empty_members: u64::from(content.kind == ContentKind::Empty) };
        return Ok(FastRead::Done(report_members(place, sums, found, content, report)));
    }
    Ok(FastRead::Failed)
}

/// Passes on the records of a member, except a last one that may continue in the next member. Returns how many were
/// passed on, the bytes after them, and whether those may continue.
fn report_all_but_last<'h, E: FnMut(RecordOrDamage<'_>) -> ControlFlow<()>>(
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
    ControlFlow::Continue((index, rest, !rest.is_empty() && form.may_start(rest)))
}

/// What members contain besides the records that were passed on.
#[derive(Debug, Clone, Copy)]
struct FoundContent {
    kind: ContentKind,
    /// Bytes that belong to no record.
    stray: u64,
}

/// What the content of members starts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ContentKind {
    Empty,
    Members,
    Other,
}

impl FoundContent {
    fn recognise<C: MemberCodec>(held: &[u8]) -> Self {
        let kind = match held {
            [] => ContentKind::Empty,
            _ if C::is_start(held) => ContentKind::Members,
            _ => ContentKind::Other,
        };
        FoundContent { kind, stray: 0 }
    }
}

/// Adds members to the account after their records were passed on. Their bytes are good if they contain a record, even
/// one that is too large.
fn report_members<E: FnMut(RecordOrDamage<'_>) -> ControlFlow<()>>(
    place: Place,
    sums: MemberSums,
    found: u32,
    content: FoundContent,
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

/// Passes on all records from a start to the next place where a member and a record end together. Returns `None` if the
/// first member is damaged. `is_fast` says whether to try the fast inflater.
fn joined<S: WindowSource, C: MemberCodec, E: FnMut(RecordOrDamage<'_>) -> ControlFlow<()>>(
    window: &mut Window<'_, S>,
    reader: &mut MemberReader<C>,
    most: usize,
    start: Start,
    is_fast: bool,
    budget: &mut RetryBudget,
    report: &mut WalkReport<E>,
) -> io::Result<Option<ControlFlow<()>>> {
    let stream = match Joined::new(window, &mut reader.codec, reader.form, start, most, is_fast)? {
        Ok(stream) => stream,
        Err(DamagedFirst { bytes }) => {
            budget.count_fast_failure();
            budget.spend(bytes);
            return Ok(None);
        }
    };
    if report.end_damage().is_break() {
        return Ok(Some(ControlFlow::Break(())));
    }
    let mut content = FoundContent { kind: ContentKind::Empty, stray: 0 };
    let mut found = start.index;
    let mut last = Place { offset: start.offset, length: 0, index: start.index };
    let mut end = None;
    let mut held = Window::new(stream, &mut reader.joined, STEP_BYTES.min(most));
    let flow = records(&mut held, reader.form, most, budget, |stream, at, length, piece| {
        let place = stream.place(at, length);
        last = Place { index: if place.offset == last.offset { last.index } else { 0 }, ..place };
        let flow = match piece {
            Piece::Record(record) | Piece::Cut(record) => report.record(record, last),
            Piece::TooLarge => report.too_large(place.offset, 0),
            Piece::Garbage(bytes) => {
                if at == 0 && start.skip == 0 {
                    content = FoundContent::recognise::<C>(bytes);
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
    Ok(Some(report_members(place, sums, found, content, report)))
}

/// The end of the members after a damaged one that may be part of it: a damaged member may contain members, stored
/// uncompressed. Members of the archive follow each other up to its end; those inside a member end earlier.
fn end_of_doubt<S: WindowSource, C: MemberCodec>(
    window: &mut Window<'_, S>,
    codec: &mut C,
    most: usize,
    budget: &mut RetryBudget,
) -> io::Result<u64> {
    let offset = window.offset();
    if !budget.allows_fast() {
        // With so much damage, nothing is inflated twice.
        return Ok(offset + TRUSTED_BYTES);
    }
    let mut is_trusted = false;
    while !is_trusted {
        window.fill(C::SIGNATURE.len() + 1)?;
        is_trusted = window.bytes().is_empty() || window.offset() - offset >= TRUSTED_BYTES;
        if is_trusted || !C::is_start(window.bytes()) {
            break;
        }
        match codec.inflate_whole(window.bytes(), most) {
            Ok(taken) => window.skip(taken),
            Err(_) if window.fill_a_step()? => {}
            Err(_) => break,
        }
    }
    let end = window.offset();
    budget.spend(window.back_to(offset)?);
    Ok(if is_trusted { offset } else { end })
}

/// The format of the records in members, by the content of the first.
pub(super) fn form_of_members<S: WindowSource, C: MemberCodec>(
    window: &mut Window<'_, S>,
    codec: &mut C,
) -> io::Result<RecordForm> {
    let offset = window.offset();
    const MOST_MEMBERS: usize = 64;
    let (mut first, mut filled, mut members) = ([0; arc::FIRST_URL.len()], 0, 0);
    codec.start();
    while let Some(buffer) = first.get_mut(filled..).filter(|buffer| !buffer.is_empty()) {
        match codec.step(window, buffer)? {
            MemberStep::Bytes(bytes) => filled += bytes,
            // The first record may continue in the next member, or follow a zstd dictionary or empty members.
            MemberStep::End if members < MOST_MEMBERS => {
                members += 1;
                codec.start();
            }
            MemberStep::End | MemberStep::Damaged => break,
        }
    }
    window.back_to(offset)?;
    Ok(if first == arc::FIRST_URL { RecordForm::Arc } else { RecordForm::Warc })
}

/// How many bytes to skip, at least one, to the next possible start of a member. A signature that the end of memory
/// cuts off is a possible start.
fn up_to_signature<C: MemberCodec>(bytes: &[u8], is_at_end: bool) -> usize {
    let after = bytes.get(1..).unwrap_or_default();
    let mut found = memchr::memmem::find_iter(after, C::SIGNATURE).map(|at| at + 1);
    let kept = if is_at_end { 0 } else { C::SIGNATURE.len() };
    let none = || bytes.len().saturating_sub(kept).max(1);
    found
        .find(|at| bytes.get(*at..).is_some_and(|bytes| C::is_start(bytes) || bytes.len() == C::SIGNATURE.len()))
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

    /// With small limits: members of more than 1,000 bytes are large, and a read takes 64 bytes.
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
        // Compressed twice: reported, and not read.
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
                let mut report = WalkReport::new(|what: RecordOrDamage<'_>| {
                    found.push(format!("{what:?}"));
                    ControlFlow::Continue(())
                });
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
        // The next member starts with a record, is damaged, or is missing.
        let short = b"WARC/1.0\r\nContent-Length: 100\r\n\r\nshort".to_vec();
        let mut damaged = gzip(&record("damaged"));
        let at = damaged.len() - 1;
        damaged[at] ^= 1;
        for (after, others) in [(gzip(&record("two")), 1), (damaged, 1), (b"no member".to_vec(), 1), (Vec::new(), 0)] {
            let (found, account) = walk(&[gzip(&short), after].concat());
            assert_eq!(found[0], format!("short at 0+{}.0", gzip(&short).len()));
            assert_eq!((found.len(), account.stray_bytes), (1 + others, 0), "{found:?}");
        }
    }

    #[test]
    fn a_member_found_within_a_damaged_one_is_marked() {
        // A body that is itself an archive is stored in its member uncompressed, since deflate cannot make it smaller.
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
        // Members that follow a damaged one up to the end of the file are members of the archive.
        let mut damaged = gzip(&record("damaged"));
        let at = damaged.len() - 5;
        damaged[at] ^= 1;
        assert_eq!(remarks(&[damaged, last.clone(), last].concat()), ["last {}", "last {}"]);
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
}
