//! Conversions to the signed numbers of the tables.

/// A count, an offset or a length in a file: always below 2^63.
pub(crate) fn large(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

/// A count or an offset in a body: at most 2^24, since the parser reads no further. So none is ever truncated.
pub(crate) fn small(number: impl TryInto<i32>) -> i32 {
    number.try_into().unwrap_or(i32::MAX)
}
