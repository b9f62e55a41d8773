//! The walk over an archive: member by member, record by record. Every byte is counted.

use super::codec::{Gzip, MemberCodec, Zstd};
use super::first_content::{FirstContent, first_content, form_of};
use super::form::RecordForm;
use super::found::{Account, Cause, Place, RecordOrDamage};
use super::members::{MemberReader, members};
use super::other_format::{DAMAGED_START_BYTES, OtherFormat, SHOWING_BYTES};
use super::records::{Piece, records};
use super::report::WalkReport;
use super::retry_budget::RetryBudget;
use super::stored::Stored;
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
/// as a WACZ with such archives. Fails if the source cannot be read; what was passed on before stays valid. A file in
/// another format, such as tar, is not read, and the error says so.
///
/// A member may contain any number of records and bytes, and a record may span several members. A member of more than
/// 64 MiB is inflated several times, for which the source goes back. If the file was compressed twice, its members
/// contain members instead of records, and are damage with [`Cause::CompressedTwice`].
pub fn read(
    mut source: impl Read + Seek,
    workshop: &mut Workshop,
    mut each: impl FnMut(RecordOrDamage<'_>) -> ControlFlow<()>,
) -> Result<Account, Unfinished> {
    let mut report = WalkReport::new(&mut each);
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

fn any<R: Read + Seek>(
    source: &mut R,
    workshop: &mut Workshop,
    report: &mut WalkReport<'_>,
) -> io::Result<ControlFlow<()>> {
    if let Some(flow) = one(&mut *source, workshop, Zip::Unread, report)? {
        return Ok(flow);
    }
    source.seek(SeekFrom::Start(0))?;
    if let Some(packed) = wacz::archives(source)? {
        if packed.is_empty() {
            return Err(OtherFormat::ZIP.into());
        }
        return all_packed(source, &packed, workshop, report);
    }
    // The ZIP directory is damaged or cut off. The walk finds members all the same.
    source.seek(SeekFrom::Start(0))?;
    Ok(one(source, workshop, Zip::AsMembers, report)?.unwrap_or(ControlFlow::Continue(())))
}

/// How to read a ZIP file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Zip {
    /// Do not read it.
    Unread,
    /// Search it for members.
    AsMembers,
}

/// Reads the archives of a WACZ, and the stretches that its directory does not list. All other bytes count as good:
/// they are the directory and files without records.
///
/// An archive is read twice, since its checksum shows only at its end whether its records have to be marked.
fn all_packed<R: Read + Seek>(
    source: &mut R,
    packed: &[Packed],
    workshop: &mut Workshop,
    report: &mut WalkReport<'_>,
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
            one(&mut section, workshop, Zip::AsMembers, report)?.unwrap_or(ControlFlow::Continue(()))
        };
        if flow.is_break() {
            return Ok(flow);
        }
        passed = stretch.end();
    }
    report.account.good_bytes += io::copy(source, &mut io::sink())?;
    Ok(ControlFlow::Continue(()))
}

/// Reads one archive that is not a WACZ. `None` for a ZIP file that is not to be read.
fn one<S: WindowSource>(
    source: S,
    workshop: &mut Workshop,
    zip: Zip,
    report: &mut WalkReport<'_>,
) -> io::Result<Option<ControlFlow<()>>> {
    let Workshop { buffer, gzip, zstd, most, step } = workshop;
    let mut window = Window::new(source, buffer, *step);
    window.fill(SHOWING_BYTES)?;
    // A part of a ZIP file may start with anything, and the other parts are read all the same.
    let mut stored = match (Stored::recognise(first_bytes(&window)), zip) {
        (Ok(Some(Stored::Zip)) | Err(_), Zip::AsMembers) => Stored::after_damage(first_bytes(&window)),
        (Ok(stored), _) => stored,
        (Err(format), Zip::Unread) => return Err(format.into()),
    };
    while stored.is_none() && window.bytes().len() >= DAMAGED_START_BYTES {
        // What shows the format may start in the other half and end after it.
        const HALF: usize = DAMAGED_START_BYTES / 2;
        report.damage(window.offset(), HALF as u64, Cause::Garbage);
        window.skip(HALF);
        window.fill(SHOWING_BYTES)?;
        stored = Stored::after_damage(first_bytes(&window));
    }
    let flow = match stored.unwrap_or(Stored::Gzip) {
        Stored::Zip => return Ok(None),
        Stored::Plain(form) => plain(&mut window, form, *most, report),
        Stored::Zstd => {
            zstd.codec.open(&mut window)?;
            in_members(&mut window, zstd, *most, zip, report)
        }
        Stored::Gzip => in_members(&mut window, gzip, *most, zip, report),
    };
    flow.map(Some)
}

/// The bytes that show how an archive is stored if the first of them are damaged.
fn first_bytes<'w, S: WindowSource>(window: &'w Window<'_, S>) -> &'w [u8] {
    window.bytes().get(..SHOWING_BYTES).unwrap_or(window.bytes())
}

/// Reads a file of members, unless their content has another format.
fn in_members<S: WindowSource, C: MemberCodec>(
    window: &mut Window<'_, S>,
    reader: &mut MemberReader<C>,
    most: usize,
    zip: Zip,
    report: &mut WalkReport<'_>,
) -> io::Result<ControlFlow<()>> {
    let FirstContent { bytes, is_after_damage } = first_content(window, &mut reader.codec)?;
    let form = form_of(&bytes);
    if form.is_none() && is_after_damage {
        // It may be a body in gzip, in a record without compression.
        window.fill(SHOWING_BYTES)?;
        let first = first_bytes(window);
        if let Some(form) = Stored::plain_before(first, first.len()) {
            return plain(window, form, most, report);
        }
    } else if zip == Zip::Unread
        && let Some(format) = OtherFormat::recognise(&bytes, Some(C::NAME))
    {
        return Err(format.into());
    }
    (reader.form, reader.is_form_known) = (form.unwrap_or_default(), form.is_some());
    members(window, reader, most, report)
}

/// Reads a file of uncompressed records.
fn plain<S: WindowSource>(
    window: &mut Window<'_, S>,
    form: RecordForm,
    most: usize,
    report: &mut WalkReport<'_>,
) -> io::Result<ControlFlow<()>> {
    let flow = records(window, form, most, &mut RetryBudget::default(), |_, offset, length, piece| {
        let (record, is_cut) = match piece {
            Piece::Record(record) => (record, record.is_broken),
            Piece::Cut(record) => (record, true),
            Piece::TooLarge => return report.too_large(offset, length),
            Piece::Garbage(_) => {
                report.damage(offset, length, Cause::Garbage);
                return ControlFlow::Continue(());
            }
        };
        let preceding = record.preceding as u64;
        if preceding > 0 {
            report.damage(offset, preceding, Cause::Garbage);
        }
        let (offset, length) = (offset + preceding, length - preceding);
        if is_cut {
            report.damage(offset, length, Cause::RecordCut);
            return ControlFlow::Continue(());
        }
        report.end_damage()?;
        report.account.good_bytes += length;
        report.record(record, Place { offset, length, index: 0 })
    })?;
    Ok(if flow.is_break() { flow } else { report.end_damage() })
}

#[cfg(test)]
mod properties;
#[cfg(test)]
pub(super) mod tests;
