//! Where a block ends if its length is wrong or missing, and the line ends that close a record.

use super::{Record, RecordForm, RecordRemark, line_ends};
use crate::answer::Head;

impl<'b> Record<'b> {
    /// The block if its length is unknown or doubtful. A length is doubtful if neither a record nor the end of the
    /// bytes follows there. A wrong length must not cost the records after it, so the block ends at the next line that
    /// starts a record. Only if there is no such line before the claimed end does the claimed length count: bytes
    /// after it may be damaged line ends. The line ends that close a record are not part of the block.
    #[cold]
    pub(super) fn doubtful_block(
        &mut self,
        form: RecordForm,
        rest: &'b [u8],
        length: Option<usize>,
        claimed: Option<(&'b [u8], &'b [u8])>,
        head: &[u8],
    ) -> (&'b [u8], &'b [u8]) {
        let within = length.and_then(|length| rest.get(..length.checked_add(form.line_bytes())?)).unwrap_or(rest);
        // A length after which nothing closes the record is wrong: the line end before the next one may be missing, too.
        let is_wrong = length.is_some() && claimed.is_none_or(|(_, after)| !after.starts_with(closing(head)));
        let next = if is_wrong { form.next_after_damage(within) } else { form.next_in_block(within) };
        let next = next.filter(|next| length.is_none_or(|length| *next < length));
        if length.is_some() && (next.is_some() || claimed.is_none()) {
            self.remarks.add(RecordRemark::BlockShort);
        }
        let by_what_follows = next.and_then(|next| rest.split_at_checked(next));
        if let (None, Some(claimed)) = (by_what_follows, claimed) {
            return claimed;
        }
        let (block, after) = by_what_follows.unwrap_or((rest, b""));
        let end: &[u8] = match form {
            RecordForm::Warc => closing(head),
            RecordForm::Arc => b"\n",
        };
        // A length shows that a body is missing. Without one, the head is all that the answer has.
        let is_part = |without: &[u8]| length.is_none() && ends_http_head(without, block);
        match block.strip_suffix(end).filter(|without| !is_part(without)) {
            Some(without) => rest.split_at_checked(without.len()).unwrap_or((block, after)),
            None => (block, after),
        }
    }

    /// The length of a block without the line ends that close its record. A block has some of them if the length in the
    /// head is slightly too large: then those that are left after it are exactly the ones that are missing. Some writers
    /// close records with fewer line ends; the answer in the block may then show that its line ends are its own.
    #[cold]
    pub(super) fn without_closing(&mut self, rest: &[u8], length: usize, head: &[u8]) -> usize {
        let (block, after) = rest.split_at_checked(length).unwrap_or((rest, b""));
        if is_whole_answer(block) {
            return length;
        }
        let after = after.get(..line_ends(after)).unwrap_or_default();
        let closing = closing(head);
        let is_split = |within: &usize| {
            closing.split_at_checked(*within).is_some_and(|(start, end)| {
                after == end && block.strip_suffix(start).is_some_and(|without| !ends_http_head(without, block))
            })
        };
        let within = (1..=closing.len()).find(is_split);
        self.remarks.add_if(within.is_some(), RecordRemark::BlockShort);
        length - within.unwrap_or_default()
    }
}

/// Whether the line ends after a part of a block end its HTTP head. They belong to the block, also if nothing closes the
/// record.
fn ends_http_head(without: &[u8], block: &[u8]) -> bool {
    is_in_http_head(without) && !is_in_http_head(block)
}

/// Whether a block is an HTTP answer whose `Content-Length` is that of its body.
fn is_whole_answer(block: &[u8]) -> bool {
    let (head, body) = Head::read(block);
    head.status.is_some() && head.content_length() == Some(body.len() as u64)
}

/// Whether a block ends within its HTTP head. An answer in HTTP/0.9 has none.
pub(super) fn is_in_http_head(block: &[u8]) -> bool {
    let block = block.trim_ascii_start();
    let has = |end: &[u8]| memchr::memmem::find(block, end).is_some();
    block.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP")) && !has(b"\n\r\n") && !has(b"\n\n")
}

/// The line ends that close a WARC record, WARC/1.1 § 4.
pub(super) const CLOSING: &[u8] = b"\r\n\r\n";

/// The line ends that close a record after a head with the same line ends.
fn closing(head: &[u8]) -> &'static [u8] {
    if head.ends_with(b"\r\n") { CLOSING } else { b"\n\n" }
}
