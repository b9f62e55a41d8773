//! The walk over an archive: member by member, record by record. Every byte is counted.

use super::arc;
use super::codec::{Gzip, MemberCodec, Zstd};
use super::form::{RecordForm, fillers};
use super::found::{Account, Cause, Place, RecordOrDamage};
use super::members::{MemberReader, form_of_members, members};
use super::records::{Piece, records};
use super::report::WalkReport;
use super::retry_budget::RetryBudget;
use super::wacz::{self, ListedAs, Packed, Section};
use super::window::{STEP_BYTES, Window, WindowSource};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;

/// The largest record in bytes, inflated: far above what crawlers store.
pub const MOST_BYTES: usize = 64 << 20;

/// How many bytes of memory are kept for the next archive: enough for nearly all archives.
const KEPT_BYTES: usize = 2 * STEP_BYTES;

/// Memory for reading archives, reused between them. It grows to at most 120 MiB while an archive is read, whatever the
/// archive holds, and is at most 32 MiB between archives.
#[derive(Debug)]
pub struct Workshop {
    buffer: Vec<u8>,
    gzip: MemberReader<Gzip>,
    zstd: MemberReader<Zstd>,
    most: usize,
    step: usize,
}

impl Default for Workshop {
    fn default() -> Self {
        Workshop::with(MOST_BYTES, STEP_BYTES)
    }
}

impl Workshop {
    /// For records and members of up to `most` inflated bytes, reading `step` bytes in one step.
    pub(super) fn with(most: usize, step: usize) -> Self {
        Workshop { buffer: Vec::new(), gzip: MemberReader::default(), zstd: MemberReader::default(), most, step }
    }
}

/// Walks over an archive and calls `each` with records and damage in the order of the file, until `each` breaks.
///
/// The bytes decide how the archive is read, not its name: as members of gzip or zstd, as plain WARC or ARC records, or
/// as a WACZ with such archives. Fails if the source cannot be read; what was passed on before stays valid.
///
/// A member may contain any number of records and bytes, and a record may span several members. A member of more than
/// 64 MiB is inflated twice, for which the source goes back. If the file was compressed twice, its members contain
/// members instead of records, and are damage with [`Cause::CompressedTwice`].
pub fn read(
    mut source: impl Read + Seek,
    workshop: &mut Workshop,
    each: impl FnMut(RecordOrDamage<'_>) -> ControlFlow<()>,
) -> Result<Account, Unfinished> {
    let mut report = WalkReport::new(each);
    let flow = any(&mut source, workshop, &mut report);
    workshop.buffer.clear();
    workshop.buffer.shrink_to(KEPT_BYTES);
    workshop.gzip.shrink();
    workshop.zstd.shrink();
    let Account { good_bytes, damaged_bytes, .. } = report.account;
    let account = Account { bytes: good_bytes + damaged_bytes, ..report.account };
    // If `each` breaks, the rest is neither read nor counted.
    flow.map(|_| account).map_err(|error| Unfinished { account, error })
}

/// A walk that ended early because the source could not be read.
#[derive(Debug)]
pub struct Unfinished {
    /// The sums up to the error.
    pub account: Account,
    /// The read error.
    pub error: io::Error,
}

impl From<Unfinished> for io::Error {
    fn from(unfinished: Unfinished) -> Self {
        unfinished.error
    }
}

fn any<R: Read + Seek, E: FnMut(RecordOrDamage<'_>) -> ControlFlow<()>>(
    source: &mut R,
    workshop: &mut Workshop,
    report: &mut WalkReport<E>,
) -> io::Result<ControlFlow<()>> {
    if let Walked::All(flow) = one(&mut *source, workshop, Zip::Unread, report)? {
        return Ok(flow);
    }
    source.seek(SeekFrom::Start(0))?;
    if let Some(packed) = wacz::archives(source)? {
        return all_packed(source, &packed, workshop, report);
    }
    // The ZIP directory is damaged or cut off. The walk finds members all the same.
    source.seek(SeekFrom::Start(0))?;
    match one(source, workshop, Zip::AsMembers, report)? {
        Walked::All(flow) => Ok(flow),
        Walked::Zip => Ok(ControlFlow::Continue(())),
    }
}

/// How to read a ZIP file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Zip {
    /// Return [`Walked::Zip`] without reading it.
    Unread,
    /// Search it for members.
    AsMembers,
}

/// The outcome of a walk over a file.
enum Walked {
    /// All of it was read, or `each` broke.
    All(ControlFlow<()>),
    /// It is a ZIP file; nothing was passed on.
    Zip,
}

/// Reads the archives of a WACZ, and the stretches that its directory does not list. All other bytes count as good:
/// they are the directory and files without records.
///
/// An archive is read twice, since its checksum shows only at its end whether its records have to be marked.
fn all_packed<R: Read + Seek, E: FnMut(RecordOrDamage<'_>) -> ControlFlow<()>>(
    source: &mut R,
    packed: &[Packed],
    workshop: &mut Workshop,
    report: &mut WalkReport<E>,
) -> io::Result<ControlFlow<()>> {
    let mut passed = 0;
    let mut packed = packed.iter().copied().peekable();
    while let Some(mut stretch) = packed.next() {
        report.account.good_bytes += io::copy(&mut source.by_ref().take(stretch.offset - passed), &mut io::sink())?;
        let is_compressed = stretch.listed == ListedAs::Compressed;
        let differs = !is_compressed && !stretch.is_as_listed(source)?;
        // Its size may be wrong, so a record may continue after its end.
        while differs
            && let Some(rest) =
                packed.next_if(|next| next.offset == stretch.end() && next.listed != ListedAs::Compressed)
        {
            stretch.length += rest.length;
        }
        source.seek(SeekFrom::Start(stretch.offset))?;
        report.set_base(stretch.offset, differs);
        let mut section = Section::new(source, stretch.offset, stretch.length);
        let flow = if is_compressed {
            report.damage(0, io::copy(&mut section, &mut io::sink())?, Cause::EntryCompressed);
            report.end_damage()
        } else if differs && report.entry_differs().is_break() {
            ControlFlow::Break(())
        } else {
            match one(&mut section, workshop, Zip::AsMembers, report)? {
                Walked::All(flow) => flow,
                Walked::Zip => ControlFlow::Continue(()),
            }
        };
        if flow.is_break() {
            return Ok(flow);
        }
        passed = stretch.end();
    }
    report.account.good_bytes += io::copy(source, &mut io::sink())?;
    Ok(ControlFlow::Continue(()))
}

/// Reads one archive that is not a WACZ.
fn one<S: WindowSource, E: FnMut(RecordOrDamage<'_>) -> ControlFlow<()>>(
    source: S,
    workshop: &mut Workshop,
    zip: Zip,
    report: &mut WalkReport<E>,
) -> io::Result<Walked> {
    let Workshop { buffer, gzip, zstd, most, step } = workshop;
    let mut window = Window::new(source, buffer, *step);
    window.fill(Zstd::SIGNATURE.len() + 1)?;
    let start = window.bytes().get(fillers(window.bytes())..).unwrap_or_default();
    let flow = if window.bytes().starts_with(wacz::SIGNATURE) && zip == Zip::Unread {
        return Ok(Walked::Zip);
    } else if RecordForm::Warc.is_start(start) {
        plain(&mut window, RecordForm::Warc, *most, report)
    } else if start.starts_with(arc::FIRST_URL) {
        plain(&mut window, RecordForm::Arc, *most, report)
    } else if !Gzip::is_start(window.bytes())
        && first_member::<Zstd>(window.bytes()) < first_member::<Gzip>(window.bytes())
    {
        zstd.codec.open(&mut window)?;
        zstd.form = form_of_members(&mut window, &mut zstd.codec)?;
        members(&mut window, zstd, *most, report)
    } else {
        gzip.form = form_of_members(&mut window, &mut gzip.codec)?;
        members(&mut window, gzip, *most, report)
    };
    flow.map(Walked::All)
}

/// The offset of the first possible start of a member; the length of the bytes if there is none.
fn first_member<C: MemberCodec>(bytes: &[u8]) -> usize {
    if C::is_start(bytes) {
        return 0;
    }
    memchr::memmem::find_iter(bytes, C::SIGNATURE)
        .find(|at| bytes.get(*at..).is_some_and(C::is_start))
        .unwrap_or(bytes.len())
}

/// Reads a file of uncompressed records.
fn plain<S: WindowSource, E: FnMut(RecordOrDamage<'_>) -> ControlFlow<()>>(
    window: &mut Window<'_, S>,
    form: RecordForm,
    most: usize,
    report: &mut WalkReport<E>,
) -> io::Result<ControlFlow<()>> {
    let flow = records(window, form, most, &mut RetryBudget::default(), |_, offset, length, piece| {
        let cause = match piece {
            Piece::Record(record) => {
                report.end_damage()?;
                report.account.good_bytes += length;
                return report.record(record, Place { offset, length, index: 0 });
            }
            Piece::TooLarge => return report.too_large(offset, length),
            Piece::Cut(_) => Cause::RecordCut,
            Piece::Garbage(_) => Cause::Garbage,
        };
        report.damage(offset, length, cause);
        ControlFlow::Continue(())
    })?;
    Ok(if flow.is_break() { flow } else { report.end_damage() })
}

#[cfg(test)]
mod forms;
#[cfg(test)]
mod properties;

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::archive::found::Damage;
    use crate::archive::inflate::gzip;
    use std::io::Cursor;

    pub(in crate::archive) fn record(block: &str) -> Vec<u8> {
        format!("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n", block.len())
            .into_bytes()
    }

    /// Blocks and causes in the order of the file, and the account. Asserts that the account adds up.
    fn walk(file: &[u8]) -> (Vec<String>, Account) {
        walk_with(&mut Workshop::default(), file)
    }

    pub(in crate::archive) fn walk_with(workshop: &mut Workshop, file: &[u8]) -> (Vec<String>, Account) {
        let mut found = Vec::new();
        let account = read(Cursor::new(file), workshop, |what| {
            found.push(match what {
                RecordOrDamage::Record(record, place) => {
                    let block = String::from_utf8_lossy(record.block);
                    format!("{block} at {}+{}.{}", place.offset, place.length, place.index)
                }
                RecordOrDamage::Damage(Damage { offset, length, cause }) => {
                    format!("{} at {offset}+{length}", cause.name())
                }
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
    fn bytes_between_members() {
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
    fn a_flipped_bit_affects_only_its_member() {
        let members: Vec<Vec<u8>> = (0..50).map(|n| gzip(&record(&format!("block {n}")))).collect();
        let file = members.concat();
        let (undamaged, _) = walk(&file);
        for at in (0..file.len()).step_by(7) {
            let mut damaged = file.clone();
            damaged[at] ^= 1 << (at % 8);
            let (found, _) = walk(&damaged);
            let records: Vec<&String> = found.iter().filter(|found| found.starts_with("block")).collect();
            // A flipped bit in a header may leave the data unchanged. No record may ever be changed.
            assert!(records.len() >= 49, "flipped in {at}: {found:?}");
            assert!(records.iter().all(|record| undamaged.contains(record)), "flipped in {at}: {found:?}");
            assert!(
                records.len() == 50 || found.len() == 50,
                "flipped in {at}: the damage is not reported exactly once: {found:?}"
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
    fn members_without_records_and_files_that_are_not_archives() {
        let (found, account) = walk(&gzip(b"hello"));
        assert_eq!((found.len(), account.records, account.good_bytes), (1, 0, 0));
        assert!(found[0].starts_with("no-record"), "{found:?}");
        assert_eq!(walk(b"").0.len(), 0);
        assert_eq!(walk(b"hello").0, ["garbage at 0+5"]);
    }

    #[test]
    fn nothing_is_passed_on_after_a_break() {
        let file = [gzip(&record("one")), gzip(&record("two"))].concat();
        let mut calls = 0;
        read(Cursor::new(&file), &mut Workshop::default(), |_| {
            calls += 1;
            ControlFlow::Break(())
        })
        .unwrap();
        assert_eq!(calls, 1);
    }

    #[test]
    fn false_starts_take_bounded_time() {
        let hostile = b"\x1f\x8b\x08\0".repeat(400_000);
        let (found, account) = walk(&[hostile, gzip(&record("one"))].concat());
        assert!(found.len() <= 2 && account.damaged_bytes >= 1_600_000, "{}", found.len());
    }

    #[test]
    fn a_large_file_is_read_in_steps() {
        // Data that deflate cannot make smaller, so members cross the steps in which the file is read.
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
