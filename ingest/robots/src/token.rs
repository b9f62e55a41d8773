//! The name of a crawler, in a user-agent line and as the crawler gives it.
//!
//! Three things are kept apart, because mixing them up changes the results of a study:
//!
//! - the *value* of the line, as written: `FooBot/2.1`;
//! - its *token*, the normal form under which a census counts it. It is the value up to the first of `/ , ; (`,
//!   without blanks and `*` at its end, in lower case. This removes versions and keeps digits, dots and blanks
//!   between words: `FooBot/2.1` is `foobot`, `Sogou web spider` stays three words, `MJ12bot` keeps its digits,
//!   `Mediapartners-Google*` loses its `*`. The token of `*`, alone or before a blank and more text, is `*`. Bytes that
//!   are not UTF-8 are percent-encoded, so a token is text, and two tokens differ if their texts do;
//! - its *product token*, the longest start of the value that is an `identifier` of RFC 9309 § 2.2.1. It is what a
//!   crawler can use of the line (§ 2.3.1.5). That of `MJ12bot` is `MJ`.

use crate::body::Encoding;
use crate::byte::{self, class, is_blank};
use crate::pattern::percent_encoded;
use crate::span::Span;
use std::borrow::Cow;

/// The parts of the value of a user-agent line. All of them start where the value starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Anatomy {
    /// Length of the token.
    pub(crate) token_len: usize,
    /// Length of the product token; 0 if there is none.
    pub(crate) product_len: usize,
    /// The token is `*`.
    pub(crate) is_star: bool,
}

impl Anatomy {
    /// Whether the value, which has these parts, is a `product-token` of the ABNF, § 2.2: `identifier / "*"`.
    #[inline]
    pub(crate) fn is_valid(self, value: &[u8]) -> bool {
        value.len() == if self.is_star { 1 } else { self.product_len } && !value.is_empty()
    }
}

/// Splits a value into its parts.
#[inline]
pub(crate) fn anatomy(value: &[u8]) -> Anatomy {
    if let [b'*', rest @ ..] = value
        && rest.first().is_none_or(|&next| is_blank(next))
    {
        return Anatomy { token_len: 1, product_len: 0, is_star: true };
    }
    let product_len = value.iter().take_while(|&&byte| class(byte) == byte::TOKEN).count();
    if product_len == value.len() {
        return Anatomy { token_len: product_len, product_len, is_star: false };
    }
    let is_cut = |byte: u8| matches!(byte, b'/' | b',' | b';' | b'(');
    let is_end = |byte: u8| is_blank(byte) || byte == b'*';
    let mut end = 0;
    for (at, &byte) in value.iter().enumerate() {
        match byte {
            cut if is_cut(cut) => break,
            last if is_end(last) => {}
            _ => end = at + 1,
        }
    }
    // If nothing is left, the whole value is the token.
    let token_len = if end == 0 { value.len() } else { end };
    Anatomy { token_len, product_len, is_star: false }
}

/// The token of a name: the form under which a census counts user-agent lines.
///
/// ```
/// assert_eq!(&*robots::token(b"FooBot/2.1"), b"foobot");
/// assert_eq!(&*robots::token(b"Sogou web spider"), b"sogou web spider");
/// assert_eq!(&*robots::token(b"* everyone"), b"*");
/// assert_eq!(&*robots::token(b"Bot\xe9"), b"bot%e9");
/// ```
#[must_use]
pub fn token(name: &[u8]) -> Cow<'_, [u8]> {
    let name = byte::trim(name);
    let token = name.get(..anatomy(name).token_len).unwrap_or_default();
    match percent_encoded(token) {
        Cow::Borrowed(_) => lower(token),
        Cow::Owned(text) => text.to_ascii_lowercase().into_bytes().into(),
    }
}

/// The product token at the start of a name, in lower case; empty if there is none. A user-agent line with this name
/// also names the crawler with this product token, § 2.2.1.
///
/// ```
/// assert_eq!(&*robots::product_token(b"GPTBot Foo"), b"gptbot");
/// assert_eq!(&*robots::product_token(b"MJ12bot"), b"mj");
/// assert_eq!(&*robots::product_token(b"*"), b"");
/// ```
#[must_use]
pub fn product_token(name: &[u8]) -> Cow<'_, [u8]> {
    let name = byte::trim(name);
    lower(name.get(..anatomy(name).product_len).unwrap_or_default())
}

fn lower(name: &[u8]) -> Cow<'_, [u8]> {
    if name.iter().any(u8::is_ascii_uppercase) { name.to_ascii_lowercase().into() } else { name.into() }
}

/// Appends the token that a value starts with, in the form of [`token`]. Only a file with [`Encoding::Other`] has bytes
/// that are not UTF-8.
#[inline]
pub(crate) fn write_token(token: &[u8], encoding: Encoding, tokens: &mut Vec<u8>) -> Span {
    let start = tokens.len();
    match encoding {
        Encoding::Other => tokens.extend_from_slice(percent_encoded(token).as_bytes()),
        _ => tokens.extend_from_slice(token),
    }
    tokens.get_mut(start..).unwrap_or_default().make_ascii_lowercase();
    Span::new(start, tokens.len())
}

/// Whether a name is a product token, § 2.2.1: "The product token MUST contain only uppercase and lowercase letters
/// ("a-z" and "A-Z"), underscores ("_"), and hyphens ("-")."
#[must_use]
pub fn is_product_token(name: &[u8]) -> bool {
    !name.is_empty() && name.iter().all(|&byte| class(byte) == byte::TOKEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: &str, expected_token: &str, expected_product: &str) {
        let anatomy = anatomy(value.as_bytes());
        assert_eq!(String::from_utf8_lossy(&token(value.as_bytes())), expected_token, "token of {value:?}");
        assert_eq!(&value[..anatomy.product_len], expected_product, "product token of {value:?}");
    }

    #[test]
    fn versions_blanks_stars_and_digits() {
        check("GPTBot", "gptbot", "GPTBot");
        check("FooBot/2.1", "foobot", "FooBot");
        check("Sogou web spider/4.0", "sogou web spider", "Sogou");
        check("MJ12bot", "mj12bot", "MJ");
        check("008", "008", "");
        check("archive.org_bot", "archive.org_bot", "archive");
        check("Mediapartners-Google*", "mediapartners-google", "Mediapartners-Google");
        check("One, Two", "one", "One");
        check("Mozilla/4.0 (compatible; Foo)", "mozilla", "Mozilla");
        check("*", "*", "");
        check("* Disallow: /x", "*", "");
        check("*bot", "*bot", "");
        check("**", "**", "");
        check("/x", "/x", "");
        check("\u{fffd}", "\u{fffd}", "");
        check("Xenu\u{2019}s", "xenu\u{2019}s", "Xenu");
        check("", "", "");
    }
}
