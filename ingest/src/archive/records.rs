//! The walk over consecutive records, in a file or in a stream of members.

use super::form::{RecordForm, line_ends};
use super::record::{Record, RecordHead};
use super::remark::RecordRemark;
use super::retry_budget::RetryBudget;
use super::window::{Window, WindowSource};
use std::io;
use std::ops::{ControlFlow, Range};

/// How many bytes after a record of the largest size to search for the next one.
const LOOK_BYTES: usize = 64;

/// A piece of the bytes that are walked over. The pieces together are all of them.
pub(super) enum Piece<'b> {
    /// A record.
    Record(Record<'b>),
    /// A record whose block is short because the bytes end.
    Cut(Record<'b>),
    /// A record that is larger than the limit.
    TooLarge,
    /// Bytes that start no record.
    Garbage(&'b [u8]),
}

/// Walks over records of up to `most` bytes. `each` gets the source, the offset and length of each piece, and the
/// piece.
pub(super) fn records<S: WindowSource>(
    window: &mut Window<'_, S>,
    form: RecordForm,
    most: usize,
    budget: &mut RetryBudget,
    mut each: impl FnMut(&S, u64, u64, Piece<'_>) -> ControlFlow<()>,
) -> io::Result<ControlFlow<()>> {
    loop {
        window.fill(1)?;
        if window.bytes().is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        let claimed = |bytes: &[u8]| RecordHead::read(form, bytes)?.end_beyond(bytes).filter(|end| *end <= most);
        if window.go_on(claimed, budget)? {
            continue;
        }
        let offset = window.offset();
        let (length, flow) = match next(window.bytes(), window.is_at_end(), form, most) {
            NextPiece::Unknown { needed } => {
                window.fill(needed)?;
                continue;
            }
            NextPiece::Piece(piece, length) => (length, each(window.source(), offset, length as u64, piece)),
            NextPiece::TooLarge { block, end } => {
                let length = pass_over(window, form, block..end, most, budget)?;
                match Record::read_as(form, window.bytes().get(..length).unwrap_or_default()) {
                    Some((record, _)) => (length, each(window.source(), offset, length as u64, Piece::Record(record))),
                    None => (0, each(window.source(), offset, window.offset() - offset, Piece::TooLarge)),
                }
            }
        };
        if flow.is_break() {
            return Ok(flow);
        }
        window.skip(length);
    }
}

/// The first piece of the bytes in memory.
enum NextPiece<'b> {
    /// Undecided until `needed` bytes are in memory.
    Unknown { needed: usize },
    /// A piece and its length.
    Piece(Piece<'b>, usize),
    /// A record that claims an end beyond the limit.
    TooLarge { block: usize, end: usize },
}

fn next(bytes: &[u8], is_at_end: bool, form: RecordForm, most: usize) -> NextPiece<'_> {
    let most_read = most + LOOK_BYTES + form.line_bytes();
    let may_grow = !is_at_end && bytes.len() < most_read;
    let grow = |needed: usize| NextPiece::Unknown { needed: needed.max(bytes.len() * 2).min(most_read) };
    // The first line of a record may be incomplete in memory.
    let all = bytes.len().saturating_sub(if is_at_end { 0 } else { form.line_bytes() - 1 });
    let Some(head) = RecordHead::read(form, bytes) else {
        return if may_grow { grow(0) } else { NextPiece::Piece(Piece::Garbage(bytes), all) };
    };
    let head_is_whole = is_at_end || head.block < bytes.len();
    let end = head.end(bytes).filter(|_| head_is_whole);
    if may_grow {
        // The bytes after the end show whether it is right.
        let after = |end: usize| end.saturating_add(bytes.get(end..).map_or(0, line_ends) + form.line_bytes());
        let needed = end.map_or(usize::MAX, after);
        if needed > bytes.len() {
            return grow(if end.is_some() { needed } else { 0 });
        }
    }
    let there = end.map_or(bytes.len(), |end| end.min(bytes.len()));
    if there <= most && (is_at_end || end.is_some_and(|end| end <= most)) {
        let (record, length) = head.record(bytes);
        let is_beyond = end.is_some_and(|end| end > bytes.len());
        let is_cut = record.remarks.has(RecordRemark::BlockShort) && length == bytes.len() && is_beyond;
        return NextPiece::Piece(if is_cut { Piece::Cut(record) } else { Piece::Record(record) }, length);
    }
    match (head.preceding(), end) {
        (0, Some(end)) => NextPiece::TooLarge { block: head.block, end },
        (0, None) => NextPiece::Piece(Piece::TooLarge, all),
        (preceding, _) => NextPiece::Piece(Piece::Garbage(bytes), preceding),
    }
}

/// Skips a record that claims to be too large. A wrong length must not cost the records after it. So if neither a
/// record nor the end of the bytes follows, but a record starts earlier, the window goes back to the start and the
/// length up to that record is returned. Otherwise, and if that length is still too large, it returns 0 with the window
/// after the record.
fn pass_over<S: WindowSource>(
    window: &mut Window<'_, S>,
    form: RecordForm,
    claimed: Range<usize>,
    most: usize,
    budget: &mut RetryBudget,
) -> io::Result<usize> {
    let start = window.offset();
    let end = start.saturating_add(claimed.end as u64);
    // The line end before the block may be that before a line that starts a record.
    window.skip(claimed.start.saturating_sub(1));
    let mut first = None;
    let is_reached = loop {
        window.fill(form.line_bytes())?;
        let left = usize::try_from(end.saturating_sub(window.offset())).unwrap_or(usize::MAX);
        let bytes = window.bytes().get(..left).unwrap_or(window.bytes());
        first = first.or_else(|| Some(window.offset() - start + form.next(bytes)? as u64));
        if bytes.len() == left || window.is_at_end() {
            let is_reached = bytes.len() == left;
            window.skip(bytes.len());
            break is_reached;
        }
        window.skip(bytes.len() - (form.line_bytes() - 1));
    };
    loop {
        window.fill(LOOK_BYTES + form.line_bytes())?;
        let ends = line_ends(window.bytes());
        if ends == 0 || !is_reached {
            break;
        }
        window.skip(ends);
    }
    let Some(length) = first.filter(|_| !is_reached || !form.is_border(window.bytes())) else { return Ok(0) };
    if !budget.is_left(window.passed()) {
        return Ok(0);
    }
    budget.spend(window.back_to(start)?);
    match usize::try_from(length) {
        Ok(length) if length <= most => {
            window.fill(length)?;
            Ok(length)
        }
        _ => {
            window.pass(length)?;
            Ok(0)
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::archive::walk::tests::{record, walk_with};
    use crate::archive::walk::{Workshop, read};
    use std::io::{self, Cursor, Read, Seek, SeekFrom};
    use std::ops::ControlFlow;

    const MOST: usize = 1_000;

    fn claiming(length: usize, block: &str) -> Vec<u8> {
        format!("WARC/1.0\r\nContent-Length: {length}\r\n\r\n{block}").into_bytes()
    }

    /// Compares what is found, as first word and place. It must not depend on how much is read in one step.
    fn check(file: &[u8], expected: &[(&str, usize, usize)]) {
        let expected: Vec<String> =
            expected.iter().map(|(word, offset, length)| format!("{word} at {offset}+{length}")).collect();
        for step in [32, 64, 100, 1_024, 1 << 20] {
            let (found, _) = walk_with(&mut Workshop::with(MOST, step), file);
            let found: Vec<String> = found
                .iter()
                .map(|found| {
                    let (word, place) = (found.split_whitespace().next().unwrap(), found.rsplit(' ').next().unwrap());
                    format!("{word} at {}", place.trim_end_matches(".0"))
                })
                .collect();
            assert_eq!(found, expected, "{step} bytes in one step");
        }
    }

    #[test]
    fn a_record_too_large_is_passed_over_by_its_length() {
        // Its content does not matter, since a record follows it.
        let large = record(&[&"2".repeat(5_000), "\r\nWARC/1.0\r\nContent-Length: 0\r\n\r\n"].concat());
        let (one, three) = (record("one"), record("three"));
        let (a, b) = (one.len(), one.len() + large.len());
        check(
            &[&one[..], &large, &three].concat(),
            &[("one", 0, a), ("too-large", a, large.len()), ("three", b, three.len())],
        );
        check(&[&one[..], &large].concat(), &[("one", 0, a), ("too-large", a, large.len())]);
        check(
            &[&large[..], &large].concat(),
            &[("too-large", 0, large.len()), ("too-large", large.len(), large.len())],
        );
    }

    #[test]
    fn a_wrong_length_does_not_affect_what_follows() {
        let (one, three) = (record("one"), record("three"));
        for claimed in [20, 60, 500, 5_000, 1_000_000_000] {
            let two = claiming(claimed, "two \r\n\r\n");
            let (a, b) = (one.len(), one.len() + two.len());
            check(
                &[&one[..], &two, &three].concat(),
                &[("one", 0, a), ("two", a, two.len()), ("three", b, three.len())],
            );
        }
        let (large, rest) = (claiming(1_000_000, &"2".repeat(5_000)), [&b"\r\n"[..], &three].concat());
        check(
            &[&large[..], &rest].concat(),
            &[("too-large", 0, large.len() + 2), ("three", large.len() + 2, three.len())],
        );
        let without = b"WARC/1.0\r\n\r\ntwo \r\n\r\n";
        check(&[&without[..], &three].concat(), &[("two", 0, without.len()), ("three", without.len(), three.len())]);
    }

    #[test]
    fn a_length_that_counts_the_closing_line_ends() {
        let (one, three) = (record("one"), record("three"));
        for claimed in 4..=8 {
            let two = claiming(claimed, "two \r\n\r\n");
            let (a, b) = (one.len(), one.len() + two.len());
            let words = [("one", 0, a), ("two", a, two.len()), ("three", b, three.len())];
            check(&[&one[..], &two, &three].concat(), &words);
            check(&[&one[..], &two].concat(), &words[..2]);
        }
    }

    #[test]
    fn garbage_and_ends() {
        let one = record("one");
        let junk = "x".repeat(5_000) + "\n";
        check(&[&one[..], junk.as_bytes()].concat(), &[("one", 0, one.len()), ("garbage", one.len(), junk.len())]);
        // The part of the garbage that is in memory may count as part of the record after it.
        let (found, account) =
            walk_with(&mut Workshop::with(MOST, 64), &[&one[..], junk.as_bytes(), &record("two")].concat());
        assert_eq!((found.len(), account.records), (3, 2), "{found:?}");
        check(&claiming(5_000, "cut"), &[("record-cut", 0, claiming(5_000, "cut").len())]);
        let lines = [&one[..], "\r\n".repeat(3_000).as_bytes(), &record("two")].concat();
        assert_eq!(walk_with(&mut Workshop::with(MOST, 64), &lines).1.records, 2);
    }

    /// A file that is cut off when it is read for the second time.
    struct Shrinking<'f>(Cursor<&'f [u8]>, usize);

    impl Read for Shrinking<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.read(buffer)
        }
    }

    impl Seek for Shrinking<'_> {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            let offset = self.0.seek(to)?;
            let file = *self.0.get_ref();
            *self.0.get_mut() = file.get(..self.1).unwrap_or(file);
            Ok(offset)
        }
    }

    #[test]
    fn a_file_that_shrinks_is_read_to_its_new_end() {
        // More than is in memory after the format was recognised.
        let file = [&claiming(90_000_000, &"2".repeat(20_000_000))[..], b"\r\n", &record("three")].concat();
        for left in [0, 40, 1_000_000] {
            let source = Shrinking(Cursor::new(&file), left);
            let account = read(source, &mut Workshop::with(MOST, 1_024), |_| ControlFlow::Continue(())).unwrap();
            assert_eq!(account.bytes, left as u64);
        }
    }
}
