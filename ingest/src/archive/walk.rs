//! The walk over an archive: member by member, record by record, with every byte accounted for.

use super::found::{Account, Cause, Damage, Found, Place};
use super::inflate::{Failure, Inflater};
use super::record::{Oddity, Record};
use super::window::Window;
use std::io::{self, Read};
use std::ops::ControlFlow;

/// What a member may hold, and a record of a file without members: far above what any crawler stores at once.
pub const MOST_BYTES: usize = 64 << 20;

/// How often a file may look as if a member began and prove otherwise. In compressed data it does so by chance once in
/// a hundred million bytes; a file that goes on is built for it, and the rest of it is given up.
const FALSE_STARTS: u32 = 1 << 16;

/// The signature of a member, RFC 1952 § 2.3, with deflate as its method.
const SIGNATURE: &[u8] = b"\x1f\x8b\x08";

/// What an archive is read with: memory that serves one archive after another.
#[derive(Debug)]
pub struct Workshop {
    buffer: Vec<u8>,
    inflater: Inflater,
}

impl Default for Workshop {
    fn default() -> Self {
        Workshop { buffer: Vec::new(), inflater: Inflater::new(MOST_BYTES) }
    }
}

/// Walks over an archive and calls `each` with all that it finds, in the order of the file, until it breaks off.
///
/// The kind of archive is told by its bytes and not by its name: gzip members, or records as they are. An error is one of
/// the source; what was handed out before it stands.
pub fn read(
    source: impl Read,
    workshop: &mut Workshop,
    each: impl FnMut(Found<'_>) -> ControlFlow<()>,
) -> io::Result<Account> {
    let Workshop { buffer, inflater } = workshop;
    let mut window = Window::new(source, buffer);
    let mut report = Report { each, account: Account::default(), damage: None };
    window.fill(1)?;
    let is_plain = Record::read(window.bytes()).is_some_and(|(record, _)| !record.oddities.has(Oddity::Preceded));
    // Who breaks off wants no more, and what is left is not accounted for.
    let _ = match is_plain {
        true => records(&mut window, &mut report)?,
        false => members(&mut window, inflater, &mut report)?,
    };
    let Account { good_bytes, damaged_bytes, .. } = report.account;
    Ok(Account { bytes: good_bytes + damaged_bytes, ..report.account })
}

/// A file of members.
fn members<R: Read, E: FnMut(Found<'_>) -> ControlFlow<()>>(
    window: &mut Window<'_, R>,
    inflater: &mut Inflater,
    report: &mut Report<E>,
) -> io::Result<ControlFlow<()>> {
    let mut false_starts = 0;
    loop {
        window.fill(SIGNATURE.len() + 1)?;
        if window.bytes().is_empty() {
            return Ok(report.end_damage());
        }
        let cause = match begins_member(window.bytes()) {
            false => Cause::Garbage,
            true if false_starts >= FALSE_STARTS => Cause::Garbage,
            true => match inflater.member(window.bytes()) {
                Ok((held, taken)) => {
                    let place = Place { offset: window.offset(), length: taken as u64, index: 0 };
                    let flow = report.end_damage();
                    if flow.is_break() || report.member(held, place).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                    window.skip(taken);
                    continue;
                }
                // The member may only go on behind what is in memory.
                Err(Failure::Damaged) if !window.is_at_end() && window.bytes().len() < MOST_BYTES => {
                    window.fill(window.bytes().len() * 2)?;
                    continue;
                }
                Err(Failure::Damaged) => Cause::MemberDamaged,
                Err(Failure::TooLarge) => Cause::TooLarge,
            },
        };
        false_starts += u32::from(cause != Cause::Garbage);
        let skipped = up_to_signature(window.bytes(), window.is_at_end());
        report.damage(window.offset(), skipped as u64, cause);
        window.skip(skipped);
    }
}

/// A file of records as they are.
fn records<R: Read, E: FnMut(Found<'_>) -> ControlFlow<()>>(
    window: &mut Window<'_, R>,
    report: &mut Report<E>,
) -> io::Result<ControlFlow<()>> {
    loop {
        window.fill(1)?;
        let bytes = window.bytes();
        if bytes.is_empty() {
            return Ok(report.end_damage());
        }
        let found = Record::read(bytes);
        let may_go_on = found.is_none_or(|(_, length)| length == bytes.len());
        if may_go_on && !window.is_at_end() && bytes.len() < MOST_BYTES {
            window.fill(bytes.len() * 2)?;
            continue;
        }
        let offset = window.offset();
        let length = found.map_or(bytes.len(), |(_, length)| length);
        let flow = match found {
            Some((record, _)) if !record.oddities.has(Oddity::BlockShort) => {
                let flow = report.end_damage();
                report.account.good_bytes += length as u64;
                if flow.is_break() {
                    flow
                } else {
                    report.record(record, Place { offset, length: length as u64, index: 0 })
                }
            }
            found => {
                let cause = match (found, window.is_at_end()) {
                    (None, _) => Cause::Garbage,
                    (Some(_), true) => Cause::RecordCut,
                    (Some(_), false) => Cause::TooLarge,
                };
                report.damage(offset, length as u64, cause);
                ControlFlow::Continue(())
            }
        };
        if flow.is_break() {
            return Ok(flow);
        }
        window.skip(length);
    }
}

/// What is handed out, and the sums of it.
struct Report<E> {
    each: E,
    account: Account,
    /// Damage that may go on.
    damage: Option<Damage>,
}

impl<E: FnMut(Found<'_>) -> ControlFlow<()>> Report<E> {
    /// All records of a member that is whole.
    fn member(&mut self, held: &[u8], place: Place) -> ControlFlow<()> {
        self.account.members += 1;
        if held.is_empty() {
            self.account.empty_members += 1;
            self.account.good_bytes += place.length;
            return ControlFlow::Continue(());
        }
        let mut rest = held;
        let mut index = 0;
        while let Some((record, taken)) = Record::read(rest) {
            if index == 0 {
                self.account.good_bytes += place.length;
            }
            self.record(record, Place { index, ..place })?;
            index += 1;
            rest = rest.get(taken..).unwrap_or_default();
        }
        if index == 0 {
            self.damage(place.offset, place.length, Cause::NoRecord);
            return self.end_damage();
        }
        self.account.stray_bytes += rest.len() as u64;
        ControlFlow::Continue(())
    }

    fn record(&mut self, record: Record<'_>, place: Place) -> ControlFlow<()> {
        self.account.records += 1;
        (self.each)(Found::Record(record, place))
    }

    /// Adds to the damage that goes on, which is named by what it began with.
    fn damage(&mut self, offset: u64, length: u64, cause: Cause) {
        let damage = self.damage.get_or_insert(Damage { offset, length: 0, cause });
        damage.length += length;
        self.account.damaged_bytes += length;
    }

    fn end_damage(&mut self) -> ControlFlow<()> {
        match self.damage.take() {
            Some(damage) => (self.each)(Found::Damage(damage)),
            None => ControlFlow::Continue(()),
        }
    }
}

/// Whether a member may begin here: its signature, and none of the flags that RFC 1952 § 2.3.1.2 reserves ("Reserved
/// FLG bits must be zero").
fn begins_member(bytes: &[u8]) -> bool {
    bytes.starts_with(SIGNATURE) && bytes.get(SIGNATURE.len()).is_some_and(|flags| flags & 0xe0 == 0)
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

    fn record(block: &str) -> Vec<u8> {
        format!("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n", block.len())
            .into_bytes()
    }

    /// The blocks and the causes in the order of the file, and the account, which adds up.
    fn walk(file: &[u8]) -> (Vec<String>, Account) {
        let mut found = Vec::new();
        let account = read(file, &mut Workshop::default(), |what| {
            found.push(match what {
                Found::Record(record, place) => {
                    let block = String::from_utf8_lossy(record.block);
                    format!("{block} at {}+{}.{}", place.offset, place.length, place.index)
                }
                Found::Damage(Damage { offset, length, cause }) => format!("{} at {offset}+{length}", cause.name()),
            });
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(account.bytes, file.len() as u64);
        assert_eq!(account.bytes, account.good_bytes + account.damaged_bytes);
        (found, account)
    }

    #[test]
    fn members_with_a_record_each_and_with_several() {
        let (one, two) = (gzip(&record("one")), gzip(&[record("two"), record("three")].concat()));
        let (found, account) = walk(&[one.clone(), two.clone()].concat());
        let (first, second) = (one.len(), two.len());
        let expected = [
            format!("one at 0+{first}.0"),
            format!("two at {first}+{second}.0"),
            format!("three at {first}+{second}.1"),
        ];
        assert_eq!(found, expected);
        assert_eq!((account.members, account.records, account.stray_bytes), (2, 3, 0));
    }

    #[test]
    fn records_without_members() {
        let (found, account) = walk(&[record("one"), record("two")].concat());
        let length = record("one").len();
        assert_eq!(found, [format!("one at 0+{length}.0"), format!("two at {length}+{length}.0")]);
        assert_eq!((account.members, account.records), (0, 2));
    }

    #[test]
    fn what_lies_between_members() {
        let (one, two) = (gzip(&record("one")), gzip(&record("two")));
        for between in
            [&b"\0\0\0\0\0"[..], b"garbage", b"\x1f\x8b\x08", b"\x1f\x8b\x08\0 false start", b"\x1f\x8b", b"\x1f"]
        {
            let (found, account) = walk(&[&one[..], between, &two].concat());
            assert_eq!(found.len(), 3, "{between:?}: {found:?}");
            assert!(found[1].ends_with(&format!("at {}+{}", one.len(), between.len())), "{found:?}");
            assert_eq!(account.damaged_bytes, between.len() as u64);
        }
        let (found, account) = walk(&[one, gzip(b""), two].concat());
        assert_eq!((found.len(), account.empty_members, account.damaged_bytes), (2, 1, 0));
    }

    #[test]
    fn a_file_of_three_cut_at_every_byte() {
        let members: Vec<Vec<u8>> = ["one", "two", "three"].map(|block| gzip(&record(block))).to_vec();
        let file = members.concat();
        for length in 0..file.len() {
            let (found, account) = walk(&file[..length]);
            let mut whole = 0;
            let mut end = 0;
            while whole < 3 && end + members[whole].len() <= length {
                end += members[whole].len();
                whole += 1;
            }
            assert_eq!(account.records, whole as u64, "cut at {length}");
            assert_eq!(account.good_bytes, end as u64, "cut at {length}");
            assert_eq!(found.len(), whole + usize::from(end < length), "cut at {length}: {found:?}");
        }
    }

    #[test]
    fn a_flipped_bit_costs_its_member_alone() {
        let members: Vec<Vec<u8>> = (0..50).map(|n| gzip(&record(&format!("block {n}")))).collect();
        let file = members.concat();
        let (undamaged, _) = walk(&file);
        for at in (0..file.len()).step_by(7) {
            let mut damaged = file.clone();
            damaged[at] ^= 1 << (at % 8);
            let (found, _) = walk(&damaged);
            let records: Vec<&String> = found.iter().filter(|found| found.starts_with("block")).collect();
            // A bit of a head that says nothing of the data may be flipped without loss; no record is ever another.
            assert!(records.len() >= 49, "flipped in {at}: {found:?}");
            assert!(records.iter().all(|record| undamaged.contains(record)), "flipped in {at}: {found:?}");
            assert!(
                records.len() == 50 || found.len() == 50,
                "flipped in {at}: the damage is not told once: {found:?}"
            );
        }
    }

    #[test]
    fn a_plain_file_that_ends_within_a_record() {
        let file = [record("one"), record("two")].concat();
        let (found, account) = walk(&file[..file.len() - 6]);
        assert_eq!((found.len(), account.records), (2, 1));
        assert!(found[1].starts_with("record-cut"), "{found:?}");
    }

    #[test]
    fn members_that_hold_no_record_and_files_that_are_none() {
        let (found, account) = walk(&gzip(b"hello"));
        assert_eq!((found.len(), account.records, account.good_bytes), (1, 0, 0));
        assert!(found[0].starts_with("no-record"), "{found:?}");
        assert_eq!(walk(b"").0.len(), 0);
        assert_eq!(walk(b"hello").0, ["garbage at 0+5"]);
    }

    #[test]
    fn who_breaks_off_gets_no_more() {
        let file = [gzip(&record("one")), gzip(&record("two"))].concat();
        let mut calls = 0;
        read(&file[..], &mut Workshop::default(), |_| {
            calls += 1;
            ControlFlow::Break(())
        })
        .unwrap();
        assert_eq!(calls, 1);
    }

    #[test]
    fn false_starts_end() {
        let hostile = b"\x1f\x8b\x08\0".repeat(400_000);
        let (found, account) = walk(&[hostile, gzip(&record("one"))].concat());
        assert!(found.len() <= 2 && account.damaged_bytes >= 1_600_000, "{}", found.len());
    }

    #[test]
    fn a_large_file_is_read_in_steps() {
        // Data that deflate cannot make smaller, so that members cross the steps in which the file is read.
        let mut state = 1u32;
        let mut noise = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8 as char
        };
        let blocks: Vec<String> = (0..24).map(|_| (0..900_000).map(|_| noise()).collect()).collect();
        let file: Vec<u8> = blocks.iter().flat_map(|block| gzip(&record(block))).collect();
        assert!(file.len() > 16 << 20, "{}", file.len());
        assert_eq!(walk(&file).1.records, 24);
        let plain: Vec<u8> = blocks.iter().flat_map(|block| record(block)).collect();
        assert_eq!(walk(&plain).1.records, 24);
    }
}
