//! Numbers: as headers write them, and as the tables have them.

/// A count, an offset or a length in a file: always below 2^63.
pub(crate) fn large(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

/// A count, a length or an offset in a body: far below 2^31, since the parser reads 2^24 bytes. So none is truncated.
pub(crate) fn small(number: impl TryInto<i32>) -> i32 {
    number.try_into().unwrap_or(i32::MAX)
}

/// The number in a `Content-Length` of HTTP or WARC, if it has at most 18 digits, so that sums of two do not overflow.
pub(crate) fn content_length(written: &[u8]) -> Option<u64> {
    const MOST_DIGITS: usize = 18;
    let is_number = (1..=MOST_DIGITS).contains(&written.len()) && written.iter().all(u8::is_ascii_digit);
    is_number.then(|| written.iter().fold(0, |length, digit| length * 10 + u64::from(digit - b'0')))
}
