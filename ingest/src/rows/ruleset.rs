//! The digest of the groups and rules of a body. Comments, other records, white space and the spelling of keys do not
//! change it.

use data_encoding::BASE32_NOPAD;
use robots::Parsed;
use sha1::{Digest, Sha1};

/// A SHA-1 in base32, as in WARC files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sha1Base32([u8; 32]);

impl Sha1Base32 {
    /// The SHA-1 of bytes.
    #[must_use]
    pub fn digest(bytes: &[u8]) -> Self {
        Sha1Base32::from(Sha1::new_with_prefix(bytes))
    }

    fn from(digest: Sha1) -> Self {
        let mut text = [0; 32];
        // RFC 4648 § 6: five octets are eight digits, so the twenty octets of a SHA-1 need no padding.
        BASE32_NOPAD.encode_mut(&digest.finalize(), &mut text);
        Sha1Base32(text)
    }

    /// The 32 digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// The first 16 digits: half the size, and still enough to distinguish all bodies that were ever crawled.
    pub(super) fn first_80_bits(&self) -> &str {
        self.as_str().get(..16).unwrap_or_default()
    }
}

/// How many bytes are gathered before they are digested. Line by line would be slow, and all lines together take
/// memory.
const GATHERED_BYTES: usize = 64 << 10;

/// The digest of a body's groups: a line for each token and each rule, in the order of the file. Rules before the first
/// group apply to no agent and are left out.
pub(super) fn digest(parsed: &Parsed<'_>, gathered: &mut Vec<u8>) -> Sha1Base32 {
    let mut digest = Sha1::new();
    gathered.clear();
    lines(parsed, |key, value| {
        if gathered.len() + value.len() > GATHERED_BYTES {
            digest.update(&gathered);
            gathered.clear();
        }
        gathered.push(key);
        gathered.extend_from_slice(value);
        // Neither a token nor a pattern contains a line end.
        gathered.push(b'\n');
    });
    digest.update(gathered);
    Sha1Base32::from(digest)
}

fn lines(parsed: &Parsed<'_>, mut each: impl FnMut(u8, &[u8])) {
    for group in parsed.groups() {
        for agent in parsed.agents_of(group) {
            each(b'u', parsed.token(agent));
        }
        for rule in parsed.rules_of(group) {
            each(if rule.allow { b'a' } else { b'd' }, parsed.normal(rule));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_as_archives_have_them() {
        assert_eq!(Sha1Base32::digest(b"").as_str(), "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
        assert_eq!(Sha1Base32::digest(b"abc").as_str(), "VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5");
    }

    fn ruleset(body: &str) -> String {
        let mut text = String::new();
        let parsed = robots::parse(body.as_bytes());
        lines(&parsed, |key, value| {
            text.push_str(&format!("{}{}\n", char::from(key), String::from_utf8_lossy(value)));
        });
        assert_eq!(digest(&parsed, &mut Vec::new()), Sha1Base32::digest(text.as_bytes()));
        text
    }

    #[test]
    fn long_values_and_many_lines_are_digested_unchanged() {
        let long = "x".repeat(GATHERED_BYTES);
        let many = "Disallow: /y\nAllow: /z\n".repeat(20_000);
        let text = ruleset(&format!("User-agent: a\nDisallow: /{long}\n{many}Disallow: /{long}{long}\nAllow: /w\n"));
        assert!(text.len() > 4 * GATHERED_BYTES);
    }

    #[test]
    fn comments_other_records_and_spelling_make_no_difference() {
        let plain = "User-agent: FooBot\nDisallow: /x\n";
        assert_eq!(ruleset(plain), "ufoobot\nd/x\n");
        for same in [
            "# hello\nuser-agent:foobot/2.0 # there\r\nDISALLOW:/%78\r\n",
            "Disallow: /before\nuseragent: FooBot\nSitemap: https://a.example/s\n\nDisalow /x",
        ] {
            assert_eq!(ruleset(same), ruleset(plain), "{same:?}");
        }
        for other in ["User-agent: FooBot\nAllow: /x\n", "User-agent: BarBot\nDisallow: /x\n", ""] {
            assert_ne!(ruleset(other), ruleset(plain), "{other:?}");
        }
    }
}
