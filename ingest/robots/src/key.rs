//! The key of a line: what it names, and how it is spelt.

use crate::byte::{is_blank, strip_padding};
use crate::extension::Extension;

/// The record that a key names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// `user-agent`.
    UserAgent,
    /// `allow`.
    Allow,
    /// `disallow`.
    Disallow,
    /// Another record, § 2.2.4.
    Other(Extension),
}

/// How the key is spelt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Spelling {
    /// As in the grammar, in any case (RFC 5234 § 2.3).
    Exact,
    /// With a common mistake, § 2.2.4: "crawlers may accept common misspellings of the record".
    Misspelt,
    /// With white space or an invisible character in it.
    BadWhitespace,
}

/// Keys that are accepted with one mistake, or without their colon. [`MISSPELT`] has further common misspellings.
const TOLERATED: [(&str, Key); 5] = [
    ("user-agent", Key::UserAgent),
    ("disallow", Key::Disallow),
    ("allow", Key::Allow),
    ("sitemap", Key::Other(Extension::Sitemap)),
    ("crawl-delay", Key::Other(Extension::CrawlDelay)),
];
const MISSPELT: [(&str, Key); 3] = [
    ("dissalow", Key::Disallow),
    ("dssalow", Key::Disallow),
    // crawler-commons (#595) reads it as a misspelling of Cloudflare's record.
    ("content-signals", Key::Other(Extension::ContentSignal)),
];

/// Keys that are longer without blanks are not checked for mistakes.
const LONGEST: usize = 24;

/// The record that a key names, and how the key is spelt; `None` if it has characters that no key may have.
///
/// `key` is the text before the colon, without blanks around it.
pub(crate) fn read(key: &[u8]) -> Option<(Key, Spelling)> {
    if key.eq_ignore_ascii_case(b"disallow") {
        return Some((Key::Disallow, Spelling::Exact));
    }
    if key.eq_ignore_ascii_case(b"allow") {
        return Some((Key::Allow, Spelling::Exact));
    }
    if key.eq_ignore_ascii_case(b"user-agent") {
        return Some((Key::UserAgent, Spelling::Exact));
    }
    let extension = Extension::from_key(key);
    if extension != Extension::Unknown {
        return Some((Key::Other(extension), Spelling::Exact));
    }
    let is_plain = key.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
    let mut buffer = [0; LONGEST];
    let bare = if is_plain { Some(key).filter(|key| key.len() <= LONGEST) } else { join_words(key, None, &mut buffer) };
    if let Some(bare) = bare.filter(|bare| may_be_misspelt(bare)) {
        if let Some(key) = find(&TOLERATED, bare) {
            return Some((key, Spelling::BadWhitespace));
        }
        let is_near = |(name, _): &&(&str, Key)| is_one_edit_apart(bare, name.as_bytes());
        let near = || TOLERATED.iter().find(is_near).filter(|_| is_word(bare)).map(|(_, key)| *key);
        if let Some(key) = find(&MISSPELT, bare).or_else(near) {
            // No key has a blank. But Google's parser reads `user agent`, so that is a common misspelling.
            let has_blank = !is_plain && matches!(key, Key::Other(_));
            return Some((key, if has_blank { Spelling::BadWhitespace } else { Spelling::Misspelt }));
        }
    }
    if let Some(bare) = bare.filter(|bare| bare.len() < key.len()) {
        // A blank stands beside a letter or in place of a hyphen.
        let mut buffer = [0; LONGEST];
        for name in [Some(bare), join_words(key, Some(b'-'), &mut buffer)].into_iter().flatten() {
            let known = find(&MISSPELT, name).unwrap_or(Key::Other(Extension::from_key(name)));
            if known != Key::Other(Extension::Unknown) {
                return Some((known, Spelling::BadWhitespace));
            }
        }
    }
    let is_acap = key.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"acap-"));
    let other = if is_acap { Extension::Acap } else { Extension::Unknown };
    (is_plain && !key.is_empty()).then_some((Key::Other(other), Spelling::Exact))
}

/// The key that a list has for a name, in any case.
fn find(list: &[(&str, Key)], name: &[u8]) -> Option<Key> {
    list.iter().find(|(known, _)| name.eq_ignore_ascii_case(known.as_bytes())).map(|(_, key)| *key)
}

/// The key of a line without a colon, and the offset of its value: one of five known keys, blanks, and one word.
///
/// Only one word may follow, as in Google's parser, so that a sentence that starts with "allow" is not a rule. The key
/// may have two words, as in "user agent *". Then it has no other mistake: "allow a" is not a key. NULs around the words
/// are padding.
pub(crate) fn read_without_colon(line: &[u8]) -> Option<(Key, usize)> {
    let (start, line) = strip_padding(line);
    let last_word = line.iter().rposition(|&byte| is_blank(byte))? + 1;
    let key = strip_padding(line.get(..last_word)?).1;
    if key.iter().any(|&byte| is_blank(byte)) && !is_split(key) {
        return None;
    }
    let (key, _) = read(key)?;
    TOLERATED.iter().any(|(_, known)| *known == key).then_some((key, start + last_word))
}

/// Whether a key with blanks in it is a known key without them and without hyphens.
fn is_split(key: &[u8]) -> bool {
    fn joined(text: &[u8]) -> impl Iterator<Item = u8> {
        text.iter().filter(|byte| !matches!(byte, b'-' | b' ' | b'\t')).map(u8::to_ascii_lowercase)
    }
    TOLERATED.iter().any(|(name, _)| joined(key).eq(joined(name.as_bytes())))
}

/// Whether a key has all letters of a known key except at most one, as every misspelling has. The check is fast, since
/// a web page has thousands of lines with a colon.
fn may_be_misspelt(key: &[u8]) -> bool {
    const KNOWN: [u32; 6] = [
        letters(b"useragent"),
        letters(b"disalow"),
        letters(b"alow"),
        letters(b"sitemap"),
        letters(b"crawldelay"),
        letters(b"contentsignal"),
    ];
    let letters = letters(key);
    KNOWN.iter().any(|known| (known & !letters).count_ones() <= 1)
}

/// The set of letters of a text.
const fn letters(text: &[u8]) -> u32 {
    let mut set = 0;
    let mut rest = text;
    while let [first, tail @ ..] = rest {
        let letter = (*first | 0x20).wrapping_sub(b'a');
        if letter < 26 {
            set |= 1 << letter;
        }
        rest = tail;
    }
    set
}

/// The words of a key with `joint` between them. Blanks, no-break spaces and zero-width spaces separate words. `None` if
/// the result is longer than [`LONGEST`].
fn join_words<'k>(key: &[u8], joint: Option<u8>, joined: &'k mut [u8; LONGEST]) -> Option<&'k [u8]> {
    let mut length = 0;
    let mut is_after_blank = false;
    let mut rest = key;
    loop {
        match rest {
            // U+00A0 is a no-break space, and U+200B is a zero-width space.
            [b' ' | b'\t', tail @ ..] | [0xc2, 0xa0, tail @ ..] | [0xe2, 0x80, 0x8b, tail @ ..] => {
                is_after_blank = length > 0;
                rest = tail;
            }
            [first, tail @ ..] => {
                if let Some(joint) = joint.filter(|_| is_after_blank) {
                    *joined.get_mut(length)? = joint;
                    length += 1;
                }
                *joined.get_mut(length)? = *first;
                length += 1;
                is_after_blank = false;
                rest = tail;
            }
            [] => return joined.get(..length),
        }
    }
}

/// Whether a key consists of letters and digits, with hyphens and underscores between them. Other keys do not count as
/// misspellings: no other parser obeys `- disallow`, and only Google's and its ports obey `disallow=`.
/// `docs/dialects.md` lists misspelt keys with their counts in real files.
fn is_word(key: &[u8]) -> bool {
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let ends = [key.first(), key.last()];
    key.iter().all(is_inner) && ends.iter().all(|end| end.is_some_and(u8::is_ascii_alphanumeric))
}

/// Whether one insertion, deletion, replacement or swap of neighbours turns `written` into `meant`, ignoring case.
fn is_one_edit_apart(written: &[u8], meant: &[u8]) -> bool {
    if written.len().abs_diff(meant.len()) > 1 {
        return false;
    }
    let same = written.iter().zip(meant).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
    let (Some(written), Some(meant)) = (written.get(same..), meant.get(same..)) else { return false };
    match (written, meant) {
        ([_, written @ ..], [_, meant @ ..]) if written.eq_ignore_ascii_case(meant) => true,
        ([_, written @ ..], meant) if written.eq_ignore_ascii_case(meant) => true,
        (written, [_, meant @ ..]) if written.eq_ignore_ascii_case(meant) => true,
        ([a, b, written @ ..], [c, d, meant @ ..]) => {
            a.eq_ignore_ascii_case(d) && b.eq_ignore_ascii_case(c) && written.eq_ignore_ascii_case(meant)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Spelling::{BadWhitespace, Exact, Misspelt};

    fn check(key: &str, expected: Option<(Key, Spelling)>) {
        assert_eq!(read(key.as_bytes()), expected, "{key:?}");
    }

    #[test]
    fn keys_in_any_case() {
        check("user-agent", Some((Key::UserAgent, Exact)));
        check("DisAllow", Some((Key::Disallow, Exact)));
        check("ALLOW", Some((Key::Allow, Exact)));
        check("SiteMap", Some((Key::Other(Extension::Sitemap), Exact)));
        check("acap-crawler", Some((Key::Other(Extension::Acap), Exact)));
        check("x-y.z_1", Some((Key::Other(Extension::Unknown), Exact)));
    }

    #[test]
    fn misspellings_of_google_and_of_crawler_commons() {
        for key in ["useragent", "user agent", "useg-agent", "ser-agent", "users-agent", "user-agnet", "user-agents"] {
            check(key, Some((Key::UserAgent, Misspelt)));
        }
        for key in [
            "dissallow",
            "dissalow",
            "disalow",
            "diasllow",
            "disallaw",
            "desallow",
            "dssalow",
            "dsallow",
            "diallow",
            "disallows",
            "disllow",
        ] {
            check(key, Some((Key::Disallow, Misspelt)));
        }
        for key in ["site-map", "sitemaps", "site map"] {
            let spelling = if key.contains(' ') { BadWhitespace } else { Misspelt };
            check(key, Some((Key::Other(Extension::Sitemap), spelling)));
        }
        for key in ["crawl delay", "clawl-delay", "craw-delay", "crawl-deley", "crawldelay"] {
            let spelling = if key.contains(' ') { BadWhitespace } else { Misspelt };
            check(key, Some((Key::Other(Extension::CrawlDelay), spelling)));
        }
    }

    #[test]
    fn white_space_in_a_known_key() {
        check("Dis allow", Some((Key::Disallow, BadWhitespace)));
        check("User-agent\u{a0}", Some((Key::UserAgent, BadWhitespace)));
        check("\u{200b}Allow", Some((Key::Allow, BadWhitespace)));
        check("Content -Signal", Some((Key::Other(Extension::ContentSignal), BadWhitespace)));
        check("Content -Signals", Some((Key::Other(Extension::ContentSignal), BadWhitespace)));
        check("Content-Usage\u{200b}", Some((Key::Other(Extension::ContentUsage), BadWhitespace)));
        check("no index", Some((Key::Other(Extension::Noindex), BadWhitespace)));
        check(&format!("{}User-agent", "\u{a0}".repeat(8)), Some((Key::UserAgent, BadWhitespace)));
        check(&format!("Dis{}allow", " ".repeat(17)), Some((Key::Disallow, BadWhitespace)));
        check(&format!("Host{}", "\u{200b}".repeat(9)), Some((Key::Other(Extension::Host), BadWhitespace)));
        check("\u{feff}user-agent", None);
    }

    #[test]
    fn a_blank_in_place_of_a_hyphen() {
        for (key, extension) in [
            ("Content Signal", Extension::ContentSignal),
            ("Content Signals", Extension::ContentSignal),
            ("\u{a0}Content\u{a0} Usage", Extension::ContentUsage),
            ("Clean param", Extension::CleanParam),
            ("Request rate", Extension::RequestRate),
            ("Visit time", Extension::VisitTime),
            ("Robot version", Extension::RobotVersion),
            ("LLM policy", Extension::Llms),
            ("User agent purpose", Extension::UserAgentPurpose),
        ] {
            check(key, Some((Key::Other(extension), BadWhitespace)));
        }
        // A hyphen without anything in its place is another mistake.
        check("contentsignal", Some((Key::Other(Extension::Unknown), Exact)));
        check("contentsignal\u{a0}", None);
        check("request rate limit", None);
    }

    #[test]
    fn invalid_keys_and_keys_that_look_misspelt() {
        check("", None);
        check("please note", None);
        check("käse", None);
        check("disallowed-here", Some((Key::Other(Extension::Unknown), Exact)));
        check("allowance", Some((Key::Other(Extension::Unknown), Exact)));
        // Two letters are replaced, not swapped.
        check("usxx-agent", Some((Key::Other(Extension::Unknown), Exact)));
        check("usrx-agent", Some((Key::Other(Extension::Unknown), Exact)));
        check("dis                  allow ed", None);
    }

    #[test]
    fn a_misspelt_key_has_only_key_characters() {
        check("user_agent", Some((Key::UserAgent, Misspelt)));
        for key in ["sitemap https", "- disallow", "*disallow", "disallow=", "disallow;", "(allow", "allow)"] {
            check(key, None);
        }
        for key in ["-disallow", "disallow_", "allow."] {
            check(key, Some((Key::Other(Extension::Unknown), Exact)));
        }
        assert_eq!(read_without_colon(b"disallow= /x"), None);
    }

    #[test]
    fn a_missing_colon_needs_a_known_key_and_one_word() {
        let check = |line: &str, expected| assert_eq!(read_without_colon(line.as_bytes()), expected, "{line:?}");
        check("Disallow /admin", Some((Key::Disallow, 9)));
        check("user agent *", Some((Key::UserAgent, 11)));
        check("Crawl delay 5", Some((Key::Other(Extension::CrawlDelay), 12)));
        check("dis allow /x", Some((Key::Disallow, 10)));
        check("disalow /x", Some((Key::Disallow, 8)));
        check("allow us to explain", None);
        check("allow a crawler", None);
        check("disallow 2 /x", None);
        check("crawl-delay 5 6", None);
        check("Disallow", None);
        check("comment this", None);
        check("license MIT", None);
        check("Host example.com", None);
        check("Disallow /x \0", Some((Key::Disallow, 9)));
        check("Disallow \0 /x", Some((Key::Disallow, 11)));
        check("User-agent \0", None);
        check("sitemap http://a.example/s.xml", Some((Key::Other(Extension::Sitemap), 8)));
    }
}
