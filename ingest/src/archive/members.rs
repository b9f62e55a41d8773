//! The walk over a file of members.
//!
//! A member of whole records that fits in memory and in the buffer of the fast inflater is inflated in one call. From
//! any other member on, the walk reads members as one stream, up to the next place where a member and a record end
//! together.

#[cfg(test)]
mod tests;

use super::codec::{MOST_HEAD_BYTES, MemberCodec};
use super::form::{RecordForm, fillers};
use super::found::{Cause, Place};
use super::joined::{Border, DamagedMember, Joined, Start};
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
    /// Whether a record of that format was seen.
    pub(super) is_form_known: bool,
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
pub(super) fn members<S: WindowSource, C: MemberCodec>(
    window: &mut Window<'_, S>,
    reader: &mut MemberReader<C>,
    most: usize,
    report: &mut WalkReport<'_>,
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
                None => {
                    window.fill(MOST_HEAD_BYTES)?;
                    cause = C::cause_of_damage(window.bytes());
                }
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
fn read_fast<S: WindowSource, C: MemberCodec>(
    window: &mut Window<'_, S>,
    reader: &mut MemberReader<C>,
    most: usize,
    budget: &RetryBudget,
    report: &mut WalkReport<'_>,
) -> io::Result<FastRead> {
    let offset = window.offset();
    let taken = if budget.allows_fast() { reader.codec.inflate_at(window, most)? } else { None };
    let Some(taken) = taken else { return Ok(FastRead::Failed) };
    let place = Place { offset, length: taken as u64, index: 0 };
    if report.end_damage().is_break() {
        return Ok(FastRead::Done(ControlFlow::Break(())));
    }
    let held = reader.codec.held();
    if !reader.is_form_known {
        // The first whole member starts within a record.
        let mut forms = [RecordForm::Warc, RecordForm::Arc].into_iter();
        let form = forms.find(|form| form.is_start(held) || form.next(held).is_some());
        (reader.form, reader.is_form_known) = (form.unwrap_or_default(), form.is_some());
    }
    // A damaged member before this one may have contained a member with ARC.
    if RecordForm::Warc.is_start(held) {
        reader.form = RecordForm::Warc;
    }
    let (found, rest, may_go_on) = match report_all_but_last(reader.form, held, place, report) {
        ControlFlow::Continue(passed_on) => passed_on,
        ControlFlow::Break(()) => return Ok(FastRead::Done(ControlFlow::Break(()))),
    };
    if may_go_on {
        let skip = (held.len() - rest.len()) as u64;
        return Ok(FastRead::Continues(Start { offset, skip, index: found }));
    }
    let content = FoundContent { has_stray: is_stray(rest), ..FoundContent::recognise::<C>(held) };
    window.skip(taken);
    Ok(FastRead::Done(report_members(place, 1, found, content, report)))
}

/// Passes on the records of a member, except a last one that may continue in the next member. Returns how many were
/// passed on, the bytes after them, and whether those may continue.
fn report_all_but_last<'h>(
    form: RecordForm,
    held: &'h [u8],
    place: Place,
    report: &mut WalkReport<'_>,
) -> ControlFlow<(), (u32, &'h [u8], bool)> {
    let mut rest = held;
    let mut index = 0;
    while let Some((record, taken)) = Record::read_as(form, rest) {
        let may_go_on = || taken == rest.len() || Record::has_unknown_end(form, rest);
        if record.is_broken || record.has_open_end() && may_go_on() {
            return ControlFlow::Continue((index, rest, true));
        }
        if record.preceding > 0 {
            report.stray(place.offset)?;
        }
        report.record(record, Place { index, ..place })?;
        index += 1;
        rest = rest.get(taken..).unwrap_or_default();
    }
    ControlFlow::Continue((index, rest, !rest.is_empty() && form.may_start(rest)))
}

/// Bytes and damage of members besides the records that were passed on.
#[derive(Debug, Clone, Copy)]
struct FoundContent {
    kind: ContentKind,
    /// Whether bytes after the last record belong to none.
    has_stray: bool,
}

/// The format that the first bytes of members show.
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
        FoundContent { kind, has_stray: false }
    }
}

/// Whether bytes that belong to no record are more than the line ends that may stand between records.
fn is_stray(bytes: &[u8]) -> bool {
    fillers(bytes) < bytes.len()
}

/// Adds members to the account after their records were passed on. Their bytes are good if they contain a record, even
/// one that is too large.
fn report_members(
    place: Place,
    members: u64,
    found: u32,
    content: FoundContent,
    report: &mut WalkReport<'_>,
) -> ControlFlow<()> {
    report.account.members += members;
    let damage = match content.kind {
        _ if found > 0 && content.has_stray => Some((0, Cause::Stray)),
        _ if found > 0 => None,
        ContentKind::Empty => None,
        ContentKind::Members => Some((place.length, Cause::CompressedTwice)),
        ContentKind::Other => Some((place.length, Cause::NoRecord)),
    };
    let Some((length, cause)) = damage else {
        report.account.good_bytes += place.length;
        return ControlFlow::Continue(());
    };
    report.account.good_bytes += place.length - length;
    report.own_stretch(place.offset, length, cause)
}

/// Passes on all records from a start to the next place where a member and a record end together. Returns `None` if the
/// first member is damaged. `is_fast` says whether to try the fast inflater.
fn joined<S: WindowSource, C: MemberCodec>(
    window: &mut Window<'_, S>,
    reader: &mut MemberReader<C>,
    most: usize,
    start: Start,
    is_fast: bool,
    budget: &mut RetryBudget,
    report: &mut WalkReport<'_>,
) -> io::Result<Option<ControlFlow<()>>> {
    let stream = match Joined::new(window, &mut reader.codec, reader.form, start, most, is_fast)? {
        Ok(stream) => stream,
        Err(DamagedMember { bytes }) => {
            budget.count_fast_failure();
            budget.spend(bytes);
            return Ok(None);
        }
    };
    if report.end_damage().is_break() {
        return Ok(Some(ControlFlow::Break(())));
    }
    let mut content = FoundContent { kind: ContentKind::Empty, has_stray: false };
    let mut found = start.index;
    let mut last = Place { offset: start.offset, length: 0, index: start.index };
    let mut end = None;
    let mut held = Window::new(stream, &mut reader.joined, STEP_BYTES.min(most));
    let flow = records(&mut held, reader.form, most, budget, |stream, at, length, piece| {
        let preceding = match piece {
            Piece::Record(record) | Piece::Cut(record) => record.preceding as u64,
            _ => 0,
        };
        let place = stream.place(at + preceding, length - preceding);
        last = Place { index: if place.offset == last.offset { last.index } else { 0 }, ..place };
        let flow = match piece {
            Piece::Record(record) | Piece::Cut(record) if !record.is_broken => {
                if std::mem::take(&mut content.has_stray) || preceding > 0 {
                    report.stray(place.offset)?;
                }
                report.record(record, last)
            }
            Piece::Record(_) | Piece::Cut(_) => {
                content = FoundContent { kind: ContentKind::Other, has_stray: true };
                end = stream.border(at + length);
                return if end.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            }
            Piece::TooLarge => report.too_large(place.offset, 0),
            Piece::Garbage(bytes) => {
                if at == 0 && start.skip == 0 {
                    content = FoundContent::recognise::<C>(bytes);
                }
                content.has_stray |= is_stray(bytes);
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
    let Border { offset, members } = end.unwrap_or(held.source().end());
    let place = Place { offset: start.offset, length: offset - start.offset, index: 0 };
    window.back_to(offset)?;
    Ok(Some(report_members(place, members, found, content, report)))
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
        let Some(taken) = codec.inflate_at(window, most)? else { break };
        window.skip(taken);
    }
    let end = window.offset();
    budget.spend(window.back_to(offset)?);
    Ok(if is_trusted { offset } else { end })
}

/// How many bytes to skip, at least one, to the next possible start of a member. A signature that the end of memory
/// cuts off is a possible start.
pub(super) fn up_to_signature<C: MemberCodec>(bytes: &[u8], is_at_end: bool) -> usize {
    let after = bytes.get(1..).unwrap_or_default();
    let mut found = memchr::memmem::find_iter(after, C::SIGNATURE).map(|at| at + 1);
    let kept = if is_at_end { 0 } else { C::SIGNATURE.len() };
    let none = || bytes.len().saturating_sub(kept).max(1);
    found
        .find(|at| bytes.get(*at..).is_some_and(|bytes| C::is_start(bytes) || bytes.len() == C::SIGNATURE.len()))
        .unwrap_or_else(none)
}
