//! Patterns: their normal form, and whether they match a path.

pub(crate) mod glob;
pub(crate) mod normal;

pub use normal::percent_encoded;

use crate::byte::class;
use crate::target::Target;
use std::borrow::Cow;

/// The pattern of a rule in normal form, as in RFC 9309 and its drafts, for callers that have rules without their file.
///
/// ```
/// let target = robots::Target::new(b"https://example.com/caf%C3%A9?x", robots::Dialect::Rfc9309);
/// assert!(robots::Pattern::new("/caf\u{e9}*x$".as_bytes()).matches(&target));
/// assert_eq!(robots::Pattern::new("/caf\u{e9}".as_bytes()).octets(), 10);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern<'p> {
    normal: Cow<'p, [u8]>,
}

impl<'p> Pattern<'p> {
    /// Takes the pattern as written or in normal form.
    #[must_use]
    #[inline]
    pub fn new(written: &'p [u8]) -> Self {
        let classes = written.iter().fold(0, |classes, &byte| classes | class(byte));
        if !normal::may_differ(classes) {
            return Pattern { normal: Cow::Borrowed(written) };
        }
        let mut normal = Vec::with_capacity(written.len() + 8);
        normal::write_pattern(written, &mut normal);
        Pattern { normal: Cow::Owned(normal) }
    }

    /// Its normal form, which is compared with paths.
    pub(crate) fn normal(&self) -> &[u8] {
        &self.normal
    }

    /// Its length in octets, which decides the most specific match.
    #[must_use]
    pub fn octets(&self) -> usize {
        self.normal.len()
    }

    /// Whether the pattern matches a path. An empty pattern matches no path.
    #[must_use]
    #[inline]
    pub fn matches(&self, target: &Target) -> bool {
        !self.normal.is_empty() && glob::matches(&self.normal, &target.path)
    }

    /// Returns what `Pattern::new(written).matches(target)` returns. It is faster if most patterns do not match, since
    /// they mostly differ from the path in one of their first octets.
    #[must_use]
    #[inline]
    pub fn is_match(written: &[u8], target: &Target) -> bool {
        let mut path = target.path.iter();
        for &byte in written {
            // From here on, an octet may stand for something other than itself.
            if byte == b'*' || normal::may_differ(class(byte)) {
                break;
            }
            if path.next() != Some(&byte) {
                return false;
            }
        }
        Pattern::new(written).matches(target)
    }
}
