//! Whether `conforms` agrees with the grammar. RFC 9309 § 2.2 is translated rule by rule into a regular expression, and
//! compared with the parser, which reads line by line without a grammar.

use crate::text::{bytes, config, fragments, near_conforming};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use regex::bytes::Regex;
use std::sync::LazyLock;

/// The ABNF. Names are those of its rules; words in quotes match in any case, RFC 5234 § 2.3.
static ROBOTSTXT: LazyLock<Regex> = LazyLock::new(|| {
    let utf8_tail = r"[\x80-\xBF]";
    let utf8_4 =
        format!(r"(?:\xF0[\x90-\xBF]{utf8_tail}{{2}}|[\xF1-\xF3]{utf8_tail}{{3}}|\xF4[\x80-\x8F]{utf8_tail}{{2}})");
    let utf8_3 = format!(
        r"(?:\xE0[\xA0-\xBF]{utf8_tail}|[\xE1-\xEC]{utf8_tail}{{2}}|\xED[\x80-\x9F]{utf8_tail}|[\xEE-\xEF]{utf8_tail}{{2}})"
    );
    let utf8_2 = format!(r"[\xC2-\xDF]{utf8_tail}");
    let utf8_1_noctl = r"[\x21\x22\x24-\x7F]";
    let utf8_char_noctl = format!("(?:{utf8_1_noctl}|{utf8_2}|{utf8_3}|{utf8_4})");
    let ws = r"[\x20\x09]";
    let nl = r"(?:\x0D|\x0A|\x0D\x0A)";
    let comment = format!("#(?:{utf8_char_noctl}|{ws}|#)*");
    let eol = format!("{ws}*(?:{comment})?{nl}");
    let emptyline = eol.clone();
    let identifier = r"[\x2D\x41-\x5A\x5F\x61-\x7A]+";
    let empty_pattern = format!("{ws}*");
    let path_pattern = format!("/{utf8_char_noctl}*");
    let product_token = format!(r"(?:{identifier}|\*)");
    let rule = format!("{ws}*(?i:allow|disallow){ws}*:{ws}*(?:{path_pattern}|{empty_pattern}){eol}");
    let startgroupline = format!("{ws}*(?i:user-agent){ws}*:{ws}*{product_token}{eol}");
    let group = format!("(?:{startgroupline}(?:{startgroupline}|{emptyline})*(?:{rule}|{emptyline})*)");
    Regex::new(&format!(r"(?-u)\A(?:{group}|{emptyline})*\z")).expect("the grammar is a regular expression")
});

fn agrees(body: &[u8]) -> bool {
    robots::parse(body).facts.conforms == ROBOTSTXT.is_match(body)
}

fn check(body: &[u8], expected: bool) {
    assert_eq!(ROBOTSTXT.is_match(body), expected, "the grammar on {:?}", body.escape_ascii().to_string());
    assert!(agrees(body), "the parser on {:?}", body.escape_ascii().to_string());
}

#[test]
fn by_hand() {
    check(b"", true);
    check(b"\n", true);
    check(b" ", false);
    check(b"User-agent: *\n", true);
    check(b"User-agent: *", false);
    check(b"User-agent: *\r", true);
    check(b"User-agent: *\r\n\r\n", true);
    check(b"User-agent: foobot1\n", false);
    check(b"User-agent: foo bot\n", false);
    check(b"User-agent: **\n", false);
    check(b"User-agent:\n", false);
    check(b"User-agent : foo#bar\n", true);
    check(b"User-agent foo\n", false);
    check(b"Disallow: /\n", false);
    check(b"\n# a\nUser-agent: a\nUser-agent: b\n\nAllow:\nDisallow:/ #\n\nUser-agent: c\n", true);
    check(b"User-agent: a\nDisallow: x\n", false);
    check(b"User-agent: a\nDisallow: *\n", false);
    check(b"User-agent: a\nDisallow: /x y\n", false);
    check(b"User-agent: a\nDisallow: /x#y\n", true);
    check(b"User-agent: a\nSitemap: /x\n", false);
    check(b"User-agent: a\nDisallow: /\xc3\xa9\x7f\xc2\x80\n", true);
    check(b"User-agent: a\nDisallow: /\xe9\n", false);
    check(b"# \xef\xbb\xbf\n", true);
    check(b"\xef\xbb\xbf# a\n", false);
    check(b"# a\0\n", false);
    check(b"# a\x0bb\n", false);
    check(b"\x0b\n", false);
    check("User-agent: a\u{2028}Disallow: /\n".as_bytes(), false);
    check(b"User-agent: a\n\x00", false);
    check(b"\xff\xfea\0\n\0", false);
}

/// Texts before and after each place where a byte can be inserted.
const PLACES: [(&[u8], &[u8]); 9] = [
    (b"", b"User-agent: a\nDisallow: /\n"),
    (b"Us", b"er-agent: a\nDisallow: /\n"),
    (b"User-agent", b": a\nDisallow: /\n"),
    (b"User-agent:", b"a\nDisallow: /\n"),
    (b"User-agent: a", b"\nDisallow: /\n"),
    (b"User-agent: a\nDisallow:", b"/\n"),
    (b"User-agent: a\nDisallow: /a", b"b\n"),
    (b"User-agent: a\nDisallow: / # ", b"\n"),
    (b"User-agent: a\nDisallow: /\n", b""),
];

#[test]
fn one_or_two_bytes_in_every_place() {
    for (before, after) in PLACES {
        for first in 0..=255u8 {
            let one = [before, &[first], after].concat();
            assert!(agrees(&one), "{:?}", one.escape_ascii().to_string());
            for second in 0..=255u8 {
                let two = [before, &[first, second], after].concat();
                assert!(agrees(&two), "{:?}", two.escape_ascii().to_string());
            }
        }
    }
}

#[test]
fn every_first_byte_of_a_character_with_bytes_at_range_limits() {
    const EDGES: [u8; 9] = [b'a', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0];
    for first in 0x80..=0xffu8 {
        for rest in (0..9usize.pow(3)).map(|n| [EDGES[n % 9], EDGES[n / 9 % 9], EDGES[n / 81]]) {
            let path = [&b"User-agent: a\nDisallow: /"[..], &[first], &rest, b"\n"].concat();
            assert!(agrees(&path), "{:?}", path.escape_ascii().to_string());
        }
    }
}

/// If the generator made only one kind of text, the properties below would prove little.
#[test]
fn about_half_of_the_generated_texts_conform() {
    let mut runner = proptest::test_runner::TestRunner::new(config(1));
    let conforming =
        (0..1_000).filter(|_| ROBOTSTXT.is_match(&near_conforming().new_tree(&mut runner).unwrap().current())).count();
    assert!((250..750).contains(&conforming), "{conforming} of 1,000 conform");
}

proptest! {
    #![proptest_config(config(6_000))]

    #[test]
    fn texts_near_the_grammar(body in near_conforming()) {
        prop_assert!(agrees(&body), "{:?}", body.escape_ascii().to_string());
    }

    #[test]
    fn pieces_of_files(body in fragments()) {
        prop_assert!(agrees(&body), "{:?}", body.escape_ascii().to_string());
    }

    #[test]
    fn any_bytes(body in bytes()) {
        prop_assert!(agrees(&body), "{:?}", body.escape_ascii().to_string());
    }
}
