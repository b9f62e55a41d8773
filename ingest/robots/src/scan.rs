//! Finds the end of plain text, eight bytes at a time. Most lines are a known key and a plain value, and most of the
//! parser's time goes into finding the end of that value.

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x8080_8080_8080_8080;

/// Sets the top bit of each byte that is below `limit` (at most 0x80) or above 0x7F. The lowest set bit is exact;
/// higher bits may be wrong.
#[inline(always)]
fn below_or_high(bytes: u64, limit: u8) -> u64 {
    (bytes.wrapping_sub(ONES * limit as u64) | bytes) & TOPS
}

/// The end of the plain text that starts at `at`, and whether it has a character from `$` to `*`. Of these, only `$`,
/// `%` and `*` matter to the caller.
///
/// Plain text ends before the first byte up to `#` (which includes white space, controls and ends of lines), before the
/// first byte outside ASCII, or at the end of `text`.
#[inline(always)]
pub(crate) fn plain_end(text: &[u8], at: usize) -> (usize, bool) {
    let mut at = at;
    let mut special = 0;
    while let Some(chunk) = text.get(at..).and_then(|rest| rest.first_chunk::<16>()) {
        let bytes = u128::from_le_bytes(*chunk);
        let (low, high) = (bytes as u64, (bytes >> 64) as u64);
        let (end_low, end_high) = (below_or_high(low, b'#' + 1), below_or_high(high, b'#' + 1));
        let (special_low, special_high) = (below_or_high(low, b'*' + 1), below_or_high(high, b'*' + 1));
        if end_low | end_high == 0 {
            special |= special_low | special_high;
            at += 16;
            continue;
        }
        let is_low = end_low != 0;
        let end = if is_low { end_low } else { end_high };
        let here = if is_low { special_low } else { special_high };
        special |= if is_low { 0 } else { special_low };
        at += if is_low { 0 } else { 8 };
        // The bits below the lowest set bit belong to the bytes before the end.
        let before = (end & end.wrapping_neg()) - 1;
        return (at + end.trailing_zeros() as usize / 8, special | (here & before) != 0);
    }
    let rest = text.get(at..).unwrap_or_default();
    let length = rest.iter().position(|byte| *byte <= b'#' || *byte >= 0x80).unwrap_or(rest.len());
    (at + length, special != 0 || rest.iter().take(length).any(|byte| *byte <= b'*'))
}

/// Which special characters a pattern has.
#[derive(Clone, Copy, Default)]
pub(crate) struct Specials {
    pub(crate) stars: u32,
    pub(crate) has_dollar: bool,
    pub(crate) has_percent: bool,
}

/// Counts `*` in a pattern and looks for `$` and `%`.
#[inline(always)]
pub(crate) fn specials(pattern: &[u8]) -> Specials {
    // Sets the top bit of each byte that equals `wanted`. No carry passes from byte to byte.
    let equal = |bytes: u64, wanted: u8| {
        let differs = bytes ^ (ONES * wanted as u64);
        !((differs & !TOPS).wrapping_add(!TOPS) | differs) & TOPS
    };
    let (mut stars, mut dollars, mut percents) = (0, 0, 0);
    // Each of the eight counters is one byte. With 31 chunks, their sum stays below 256.
    for chunks in pattern.chunks(31 * 8) {
        let mut lanes = 0;
        let mut count = |bytes: u64| {
            lanes += equal(bytes, b'*') >> 7;
            dollars |= equal(bytes, b'$');
            percents |= equal(bytes, b'%');
        };
        let (chunks, rest) = chunks.as_chunks::<8>();
        chunks.iter().for_each(|chunk| count(u64::from_le_bytes(*chunk)));
        if !rest.is_empty() {
            count(rest.iter().fold(0, |bytes, &byte| bytes << 8 | u64::from(byte)));
        }
        stars += (lanes.wrapping_mul(ONES) >> 56) as u32;
    }
    Specials { stars, has_dollar: dollars != 0, has_percent: percents != 0 }
}

/// Whether a text consists of tabs and ASCII from the space on. Such a text conforms to the grammar of a comment.
#[inline]
pub(crate) fn is_printing_ascii(text: &[u8]) -> bool {
    // Sets the top bit of each other byte. No carry passes from byte to byte, since the top bits are masked out first.
    let other = |bytes: u64| {
        let low = bytes & !TOPS;
        let is_space_or_above = low.wrapping_add(ONES * (0x80 - b' ') as u64);
        let is_not_tab = (low ^ (ONES * b'\t' as u64)).wrapping_add(!TOPS);
        ((!is_space_or_above & is_not_tab) | bytes) & TOPS
    };
    let (chunks, rest) = text.as_chunks::<8>();
    let all = chunks.iter().fold(0, |all, chunk| all | other(u64::from_le_bytes(*chunk)));
    all == 0 && rest.iter().all(|byte| (b' '..0x80).contains(byte) || *byte == b'\t')
}

/// Offset of the end of the line at `at`: of its LF or CR, or the end of the text.
#[inline]
pub(crate) fn line_end(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_after_an_offset() {
        assert_eq!(plain_end(b"/wp-admin/", 1), (10, false));
        assert_eq!(plain_end(b"a$ b", 2), (2, false));
        assert_eq!(plain_end(b"a", 5), (5, false));
    }

    /// So many overflow a counter of one byte.
    #[test]
    fn many_stars_are_counted() {
        for stars in [255, 256, 1_001] {
            assert_eq!(specials(&vec![b'*'; stars]).stars as usize, stars);
        }
    }

    /// Compares all scans of a text with scans of one byte at a time.
    fn check_scans(text: &[u8]) {
        let count = |wanted: u8| text.iter().filter(|byte| **byte == wanted).count();
        let found = specials(text);
        let expected = (count(b'*') as u32, count(b'$') > 0, count(b'%') > 0);
        assert_eq!((found.stars, found.has_dollar, found.has_percent), expected, "{text:?}");
        let is_printing = text.iter().all(|byte| (b' '..0x80).contains(byte) || *byte == b'\t');
        assert_eq!(is_printing_ascii(text), is_printing, "{text:?}");
        let end = text.iter().position(|byte| !(b'$'..0x80).contains(byte)).unwrap_or(text.len());
        let is_special = text[..end].iter().any(|byte| *byte <= b'*');
        assert_eq!(plain_end(text, 0), (end, is_special), "{text:?}");
    }

    /// The two places may be the same place of two chunks.
    #[test]
    fn each_byte_in_one_place_or_in_two() {
        for byte in 0..=255 {
            for first in 0..40 {
                for second in [first, first + 1, first + 8, first + 16] {
                    let mut text = [b'a'; 60];
                    (text[first], text[second]) = (byte, byte);
                    check_scans(&text);
                    // With an end in the third chunk.
                    text[45] = b'\n';
                    check_scans(&text);
                    // In a text that ends within a chunk, or after one.
                    check_scans(&text[..=second]);
                }
            }
        }
    }

    /// What follows the end of plain text does not count, in the same chunk and in the next.
    #[test]
    fn each_byte_before_the_end_of_plain_text() {
        for odd in (0..=b'#').chain(0x80..=0xff) {
            for length in 0..20 {
                let text = [&vec![b'~'; length], &[odd][..], b"/a$*\x7f+) \n*#"].concat();
                check_scans(&text);
            }
        }
    }
}
