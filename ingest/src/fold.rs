//! Folded values: fields of HTTP and WARC may continue on lines that start with white space.

use std::borrow::Cow;

/// Whether a line continues the one before it. RFC 9112 § 5.2: `obs-fold = OWS CRLF RWS`. WARC/1.1 § 4:
/// `LWS = [CRLF] 1*( SP | HT )`.
#[inline]
pub(crate) fn continues(line: &[u8]) -> bool {
    matches!(line, [b' ' | b'\t', ..])
}

/// A value with a space in place of each fold. RFC 9112 § 5.2: "replace each received obs-fold with one or more SP
/// octets prior to interpreting the field value". WARC/1.1 § 4: "All linear white space, including folding, has the same
/// semantics as SP."
pub(crate) fn unfolded(value: &[u8]) -> Cow<'_, [u8]> {
    let is_fold = |end: usize| value.get(end + 1..).is_some_and(continues);
    if !memchr::memchr_iter(b'\n', value).any(is_fold) {
        return Cow::Borrowed(value);
    }
    let mut lines = value.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let mut joined = lines.next().unwrap_or_default().to_vec();
    for line in lines.filter(|line| !line.is_empty()) {
        if !joined.is_empty() {
            joined.push(b' ');
        }
        joined.extend_from_slice(line);
    }
    Cow::Owned(joined)
}
