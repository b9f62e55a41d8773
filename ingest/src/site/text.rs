//! The bytes of a target as text.

use super::remark::{TargetRemark, TargetRemarks};
use crate::fold::unfolded;
use std::borrow::Cow;

/// A target without blanks and angle brackets around it, and with a blank for each fold. Octets that are not UTF-8 are
/// percent-encoded.
pub(super) fn decode_target(target: &[u8]) -> (Cow<'_, str>, TargetRemarks) {
    let mut remarks = TargetRemarks::default();
    let mut inner = trimmed(target);
    // WARC 1.0, § 4: `uri = "<" <'URI' per RFC3986> ">"`. Some versions of Wget follow that; WARC 1.1 removed it.
    if let Some(between) = inner.strip_prefix(b"<").and_then(|rest| rest.strip_suffix(b">")) {
        remarks.add(TargetRemark::AngleBrackets);
        inner = trimmed(between);
    }
    let has_blank = target.iter().any(|byte| is_control_or_blank(*byte));
    remarks.add_if(has_blank, TargetRemark::ControlOrBlank);
    let unfolded = unfolded(inner);
    remarks.add_if(std::str::from_utf8(&unfolded).is_err(), TargetRemark::NotUtf8);
    let text = match unfolded {
        Cow::Borrowed(inner) => robots::percent_encoded(inner),
        Cow::Owned(inner) => Cow::Owned(robots::percent_encoded(&inner).into_owned()),
    };
    (text, remarks)
}

/// Removes what the URL Standard drops at both ends: "any leading and trailing C0 control or space".
pub(super) fn trimmed(bytes: &[u8]) -> &[u8] {
    let is_kept = |byte: &u8| *byte > b' ';
    let start = bytes.iter().position(is_kept).unwrap_or(bytes.len());
    let end = bytes.iter().rposition(is_kept).map_or(start, |last| last + 1);
    bytes.get(start..end).unwrap_or_default()
}

fn is_control_or_blank(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7f
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(target: &[u8], expected: &str, remarks: &[TargetRemark]) {
        let (text, found) = decode_target(target);
        assert_eq!((text.as_ref(), found.iter().collect::<Vec<_>>().as_slice()), (expected, remarks), "{target:?}");
    }

    #[test]
    fn bytes_as_text() {
        use TargetRemark::{AngleBrackets, ControlOrBlank, NotUtf8};
        check(b"", "", &[]);
        check(b"http://a/", "http://a/", &[]);
        check(b"<http://a/>", "http://a/", &[AngleBrackets]);
        check(b" < http://a/ >\r\n", "http://a/", &[AngleBrackets, ControlOrBlank]);
        check(b"<http://a/", "<http://a/", &[]);
        check(b"<>", "", &[AngleBrackets]);
        check(b"<", "<", &[]);
        check(b" \t\0", "", &[ControlOrBlank]);
        check(b"http://a/b\r\n\tc", "http://a/b c", &[ControlOrBlank]);
        check(b"http://a/b c", "http://a/b c", &[ControlOrBlank]);
        check(b"http://a/\x7f", "http://a/\u{7f}", &[ControlOrBlank]);
        check("http://é/".as_bytes(), "http://é/", &[]);
        check(b"http://a/caf\xe9", "http://a/caf%E9", &[NotUtf8]);
        check(b"\xff\xc3\xa9\xc3", "%FFé%C3", &[NotUtf8]);
    }
}
