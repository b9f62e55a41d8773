//! Numbers: as headers write them, and as the tables have them.

/// A count, an offset or a length in a file: always below 2^63.
pub(crate) fn large(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

/// A count, a length or an offset in a body: far below 2^31, since the parser reads 2^24 bytes. So none is truncated.
pub(crate) fn small(number: impl TryInto<i32>) -> i32 {
    number.try_into().unwrap_or(i32::MAX)
}

/// The number in a `Content-Length` of HTTP or WARC, if it has at most 18 digits without leading zeros, so that sums of
/// two do not overflow.
pub(crate) fn content_length(written: &[u8]) -> Option<u64> {
    const MOST_DIGITS: usize = 18;
    let zeros = written.iter().take_while(|digit| **digit == b'0').count();
    let is_number = !written.is_empty() && written.iter().all(u8::is_ascii_digit);
    let digits = written.get(zeros..).filter(|digits| is_number && digits.len() <= MOST_DIGITS)?;
    Some(digits.iter().fold(0, |length, digit| length * 10 + u64::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths() {
        for (written, expected) in [
            ("0", Some(0)),
            ("000", Some(0)),
            ("0000000000000000000005", Some(5)),
            ("999999999999999999", Some(999_999_999_999_999_999)),
            ("1000000000000000000", None),
            ("", None),
            ("+5", None),
            ("5 ", None),
        ] {
            assert_eq!(content_length(written.as_bytes()), expected, "{written:?}");
        }
    }
}
