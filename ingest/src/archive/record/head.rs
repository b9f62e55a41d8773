//! The head of a record, and the record when its block is found.

use super::block::CLOSING;
use super::{MAGIC, Record, RecordForm, RecordRemark, line_ends};
use crate::archive::arc;
use crate::archive::form::fillers;
use crate::fold::continues;

/// NUL bytes where a part of a head was lost, as where a disk lost a sector of 512 bytes. Fewer may be padding of a value.
const LOST_BYTES: &[u8] = &[0; 64];

/// The head of a record whose block is not found yet.
///
/// A WARC head is whole if an empty line ends it and it has neither a run of NUL bytes nor the version line of another
/// record. Such a line starts the next record, even within a line of the head, where damage took the line end.
pub(in crate::archive) struct RecordHead<'b> {
    form: RecordForm,
    record: Record<'b>,
    /// Where the block starts: at the end of the bytes if the head does not end.
    pub(in crate::archive) block: usize,
    /// The length of the block that the head claims.
    length: Option<usize>,
}

impl<'b> RecordHead<'b> {
    /// The first head in the bytes.
    // Inlined, since this runs for every record: moving the head instead takes 1 % of all reading time.
    #[inline(always)]
    pub(in crate::archive) fn read(form: RecordForm, bytes: &'b [u8]) -> Option<Self> {
        let (start, preceding) = start(form, bytes)?;
        let mut record = Record { preceding, ..Record::default() };
        record.remarks.add_if(preceding > 0, RecordRemark::Preceded);
        if form == RecordForm::Arc {
            let line = arc::Line::read(bytes.get(start..)?)?;
            // Whoever chooses a URL can make it look like a line that breaks off, and so like the record of another site.
            let line_start =
                bytes.get(..start).and_then(|before| memchr::memrchr(b'\n', before)).map_or(0, |end| end + 1);
            let is_in_line = line_start < start && arc::Line::of_one_or_two(bytes.get(line_start..)?).is_some();
            record.remarks.add_if(is_in_line, RecordRemark::HeadDoubtful);
            record.record_type = line.record_type();
            record.target_uri = Some(line.url);
            record.date = Some(line.date);
            record.ip_address = Some(line.ip_address).filter(|address| *address != arc::NO_ADDRESS);
            let length = record.block_length(Some(line.length));
            return Some(RecordHead { form, record, block: start + line.end, length });
        }
        let mut lines = HeadLines { rest: bytes.get(start..)? };
        record.version = lines.next()?.strip_prefix(MAGIC)?;
        let mut length = None;
        let rest = loop {
            let from = lines.rest;
            let Some(line) = lines.next() else { break lines.rest };
            if let Some(at) = version_at(line) {
                (record.is_broken, length) = (true, None);
                break from.get(at..)?;
            }
            match continues(lines.rest) || continues(line) {
                false => record.field(line, &mut length),
                true => record.folded_field(lines.folded(from), &mut length),
            }
        };
        let mut block = bytes.len() - rest.len();
        let head = bytes.get(start..block)?;
        if record.remarks.has(RecordRemark::HeadDoubtful)
            && let Some(at) = RecordForm::Warc.next_after_damage(head.get(MAGIC.len()..)?)
        {
            (record.is_broken, length, block) = (true, None, start + MAGIC.len() + at);
        }
        record.is_broken |= memchr::memchr(0, head).is_some() && memchr::memmem::find(head, LOST_BYTES).is_some()
            || rest.is_empty() && !ends_in_empty_line(head);
        let length = record.block_length(length);
        Some(RecordHead { form, record, block, length })
    }

    /// How many bytes before the head belong to no record.
    pub(in crate::archive) fn preceding(&self) -> usize {
        self.record.preceding
    }

    /// Where the block ends: by the length in the head, even beyond the bytes, or else before the next line that starts
    /// a record.
    pub(in crate::archive) fn end(&self, bytes: &[u8]) -> Option<usize> {
        match self.length {
            Some(length) => Some(self.block.saturating_add(length)),
            None => Some(self.block + self.form.next_in_block(bytes.get(self.block..)?)?),
        }
    }

    /// The end that a complete head claims, if it is beyond the bytes.
    #[cold]
    pub(in crate::archive) fn end_beyond(&self, bytes: &[u8]) -> Option<usize> {
        self.end(bytes).filter(|end| !self.record.is_broken && *end > bytes.len())
    }

    /// The whole record and its length.
    #[inline(always)]
    pub(in crate::archive) fn record(self, bytes: &'b [u8]) -> (Record<'b>, usize) {
        let RecordHead { form, mut record, block, length, .. } = self;
        let rest = bytes.get(block..).unwrap_or_default();
        let head = |bytes: &'b [u8]| bytes.get(..block).unwrap_or_default();
        let (block, after) = match length.and_then(|length| rest.split_at_checked(length)) {
            Some((block, after)) if form.is_border(after) => {
                let is_closed = form != RecordForm::Warc || line_ends(after) >= CLOSING.len();
                let kept = if is_closed { block.len() } else { record.without_closing(rest, block.len(), head(bytes)) };
                rest.split_at_checked(kept).unwrap_or((block, after))
            }
            claimed => record.doubtful_block(form, rest, length, claimed, head(bytes)),
        };
        record.block = block;
        let ends = line_ends(after);
        if after.iter().take(ends).filter(|byte| **byte == b'\n').count() < form.closing_ends() {
            record.remarks.add(RecordRemark::EndMissing);
            if form.next_in_block(block).is_some() {
                record.remarks.add(RecordRemark::BlockDoubtful);
            }
        }
        record.is_broken |= record.has_open_end() && record.breaks_off();
        (record, bytes.len() - after.len() + ends)
    }
}

/// Where the record starts: after line ends and a byte order mark, or else after bytes that belong to no record. Returns
/// how many of these there are, too.
fn start(form: RecordForm, bytes: &[u8]) -> Option<(usize, usize)> {
    let filler = fillers(bytes);
    if form.is_start(bytes.get(filler..)?) {
        return Some((filler, 0));
    }
    let found = form.next_after_damage(bytes)?;
    Some((found, found))
}

/// Where a version line starts in a line of a head. A line with a colon is a field instead: a URL may end like that.
#[inline]
fn version_at(line: &[u8]) -> Option<usize> {
    let digits = line.iter().rev().take_while(|byte| matches!(byte, b'0'..=b'9' | b'.')).count();
    let before = line.get(..line.len() - digits).filter(|_| digits > 0)?.strip_suffix(MAGIC)?;
    (!before.contains(&b':')).then_some(before.len())
}

/// Whether an empty line ends a head.
fn ends_in_empty_line(head: &[u8]) -> bool {
    let mut before = head.strip_suffix(b"\n").unwrap_or_default();
    while let [shorter @ .., b'\r'] = before {
        before = shorter;
    }
    before.ends_with(b"\n")
}

/// The lines of a head, up to an empty one. A line ends in LF, and all CRs before it belong to its end.
struct HeadLines<'b> {
    rest: &'b [u8],
}

impl<'b> HeadLines<'b> {
    /// The line that was just read, which starts at `from`, with the lines that continue it.
    #[cold]
    fn folded(&mut self, from: &'b [u8]) -> &'b [u8] {
        while continues(self.rest) && self.next().is_some() {}
        from.get(..from.len() - self.rest.len()).unwrap_or_default()
    }
}

impl<'b> Iterator for HeadLines<'b> {
    type Item = &'b [u8];

    #[inline]
    fn next(&mut self) -> Option<&'b [u8]> {
        let end = memchr::memchr(b'\n', self.rest).unwrap_or(self.rest.len());
        let mut line = self.rest.get(..end)?;
        while let [shorter @ .., b'\r'] = line {
            line = shorter;
        }
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        (!line.is_empty()).then_some(line)
    }
}
