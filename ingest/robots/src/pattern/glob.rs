//! Matches a pattern against a path. RFC 9309 § 2.2.2: "The matching MUST start with the first octet of the path", and
//! § 2.2.3: "* Designates 0 or more instances of any character", "$ Designates the end of the match pattern".

/// Whether a pattern matches a path, both in normal form. `*` is a wildcard everywhere; `$` is an anchor at the end of
/// the pattern only.
///
/// Each piece between two wildcards is searched once, from the end of the piece before it, since the leftmost match is
/// as good as a later one. Each search is linear and starts where the last one ended. So the time is at most
/// proportional to the sum of the lengths, whatever the number of wildcards.
#[must_use]
#[inline]
pub(crate) fn matches(pattern: &[u8], path: &[u8]) -> bool {
    // Most patterns have no wildcard.
    match memchr::memchr(b'*', pattern) {
        Some(star) => matches_from(pattern, star, path),
        None => match pattern {
            [exact @ .., b'$'] => path == exact,
            _ => path.starts_with(pattern),
        },
    }
}

fn matches_from(pattern: &[u8], first_star: usize, path: &[u8]) -> bool {
    let (pattern, is_anchored) = match pattern {
        [pattern @ .., b'$'] => (pattern, true),
        _ => (pattern, false),
    };
    let (Some(head), Some(tail)) = (pattern.get(..first_star), pattern.get(first_star + 1..)) else { return false };
    let Some(mut rest) = path.strip_prefix(head) else { return false };
    let mut pieces = tail.split(|&byte| byte == b'*');
    let last = pieces.next_back().unwrap_or_default();
    for piece in pieces {
        match find(rest, piece) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    if is_anchored { rest.ends_with(last) } else { find(rest, last).is_some() }
}

/// The part of a path after the leftmost occurrence of `piece`; `None` if there is none.
fn find<'p>(path: &'p [u8], piece: &[u8]) -> Option<&'p [u8]> {
    if piece.is_empty() {
        return Some(path);
    }
    let at = memchr::memmem::find(path, piece)?;
    path.get(at + piece.len()..)
}
