//! Eight bytes at a time: where does plain text end. Most lines of most files are a known key and a plain value, and
//! finding the end of that value is most of the work.

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x8080_8080_8080_8080;

/// The top bit of each byte that is below `limit` (at most 0x80) or above 0x7F. Bits above the lowest that is set may
/// be wrong; the lowest is right, and so is whether there is any.
#[inline(always)]
fn below_or_high(bytes: u64, limit: u8) -> u64 {
    (bytes.wrapping_sub(ONES * limit as u64) | bytes) & TOPS
}

/// Where the plain text that begins at `at` ends, and whether anything from `$` to `*` is in it, of which the dollar
/// sign, the percent sign and the star matter.
///
/// What ends it is any byte up to `#`, which takes in white space, controls and ends of lines, or one outside ASCII;
/// or the end of the text.
#[inline(always)]
pub(crate) fn plain_end(text: &[u8], at: usize) -> (usize, bool) {
    let mut at = at;
    let mut special = 0;
    while let Some(chunk) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let bytes = u64::from_le_bytes(*chunk);
        let end = below_or_high(bytes, b'#' + 1);
        let here = below_or_high(bytes, b'*' + 1);
        if end != 0 {
            // What lies below the lowest bit that is set lies before the end.
            let before = (end & end.wrapping_neg()) - 1;
            return (at + end.trailing_zeros() as usize / 8, special | (here & before) != 0);
        }
        special |= here;
        at += 8;
    }
    let rest = text.get(at..).unwrap_or_default();
    let length = rest.iter().position(|byte| *byte <= b'#' || *byte >= 0x80).unwrap_or(rest.len());
    (at + length, special != 0 || rest.iter().take(length).any(|byte| *byte <= b'*'))
}

/// Whether a text holds nothing but printing ASCII and spaces, so that nothing in it can break the grammar of a
/// comment. A tab counts as odd here, which costs a second look and no more.
#[inline]
pub(crate) fn is_printing_ascii(text: &[u8]) -> bool {
    let (chunks, rest) = text.as_chunks::<8>();
    let mut odd = 0;
    for chunk in chunks {
        let bytes = u64::from_le_bytes(*chunk);
        odd |= below_or_high(bytes, b' ');
    }
    odd == 0 && rest.iter().all(|byte| (b' '..0x80).contains(byte))
}

/// Offset of the end of the line that `at` lies on: of its LF or CR, or of the text.
#[inline]
pub(crate) fn line_end(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_ends_at_the_first_odd_byte() {
        for odd in (0..=b'#').chain(0x80..=0xff) {
            for length in 0..20 {
                let mut text = vec![b'~'; length];
                text.push(odd);
                text.extend_from_slice(b"/a$*\x7f+) \n*#");
                assert_eq!(plain_end(&text, 0), (length, false), "{odd:#x} behind {length}");
            }
        }
        assert_eq!(plain_end(b"/wp-admin/", 1), (10, false));
        assert_eq!(plain_end(b"", 0), (0, false));
        assert_eq!(plain_end(b"a", 5), (5, false));
    }

    #[test]
    fn special_characters_count_up_to_the_end() {
        for special in b'$'..=b'*' {
            for at in 0..19 {
                let mut text = *b"/aaaaaaaaaaaaaaaaaa\n/\x25\x24*";
                text[at] = special;
                assert_eq!(plain_end(&text, 0), (19, true), "{special:#x} at {at}");
            }
        }
        assert_eq!(plain_end(b"/aaaaaaaaaaaaaaaaaa\n*$%*$%", 0), (19, false));
        assert_eq!(plain_end(b"/a\n*", 0), (2, false));
    }

    #[test]
    fn printing_ascii() {
        for odd in (0..b' ').chain(0x80..=0xff) {
            for at in 0..17 {
                let mut text = [b' '; 17];
                text[at] = odd;
                assert!(!is_printing_ascii(&text), "{odd:#x} at {at}");
            }
        }
        assert!(is_printing_ascii(b"# every crawler: 1 \x7f ~"));
    }
}
