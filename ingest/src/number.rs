//! Numbers as the tables have them, which know no unsigned ones.

/// A count, an offset or a length of a file: below 2^63, whatever the file.
pub(crate) fn large(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

/// A count or a place in a body: below 2^24, to which the parser reads, so that none is ever cut.
pub(crate) fn small(number: impl TryInto<i32>) -> i32 {
    number.try_into().unwrap_or(i32::MAX)
}
