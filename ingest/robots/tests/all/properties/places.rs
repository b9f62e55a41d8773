//! Lines, offsets and counts, compared with a second reading of the text.

use crate::facts::{self, lines};
use crate::question::body;
use crate::text::config;
use proptest::prelude::*;
use robots::{Dialect, Naming, Reading, Tier, Violation, parse};

/// The length of a UTF-8 text in a UTF-16 body with its byte order mark.
fn in_utf16(text: &[u8]) -> usize {
    2 + 2 * String::from_utf8_lossy(text).encode_utf16().count()
}

proptest! {
    #![proptest_config(config(3_000))]

    #[test]
    fn facts_of_every_file(body in body()) {
        facts::check(&parse(&body), &body);
    }

    /// Dialects with their own parser give the right span of each rule, without the blanks around it.
    #[test]
    fn every_dialect_gives_the_spans_of_its_rules(body in body()) {
        let parsed = parse(&body);
        for dialect in Dialect::ALL {
            let reading = Reading::new(&parsed, dialect);
            let lines = lines(reading.text());
            for crawler in [&b"foobot"[..], b"a", b"*"] {
                for rule in reading.select(crawler, Naming::default()).rules() {
                    let (start, end) = lines[rule.line_no as usize - 1];
                    let place = rule.pattern;
                    prop_assert!(start <= place.start as usize && place.end() <= end, "{}", dialect.name());
                    let pattern = place.slice(reading.text());
                    let is_blank = |byte: Option<&u8>| byte.is_some_and(|byte| b" \t".contains(byte));
                    prop_assert!(!is_blank(pattern.first()) && !is_blank(pattern.last()), "{}", dialect.name());
                }
            }
        }
    }

    /// At most one code of tier A or B for the key of a line and one for its value, not counting codes of the whole
    /// file.
    #[test]
    fn a_key_and_a_value_have_at_most_one_code_each(body in body()) {
        let of_the_file = ["eol-missing-final", "bom-utf8"];
        let parsed = parse(&body);
        let causes = parsed.violations().iter().filter(|violation| {
            violation.code.tier() != Tier::C && !of_the_file.contains(&violation.code.name())
        });
        let is_of_the_key = |violation: &Violation| match violation.code.name() {
            "key-misspelt" | "key-bad-whitespace" | "colon-missing" => true,
            // NULs before the key, or in the value or the comment.
            "nul-byte" => {
                let (start, line) = parsed.line_at(violation.span.start as usize);
                line[..violation.span.start as usize - start].iter().all(|byte| b" \t".contains(byte))
            }
            name => name.starts_with("ext-"),
        };
        let mut parts: Vec<(u32, bool)> =
            causes.map(|violation| (violation.line_no, is_of_the_key(violation))).collect();
        let all = parts.len();
        parts.dedup();
        prop_assert_eq!(parts.len(), all, "{:?}", body.escape_ascii().to_string());
    }
}

proptest! {
    #![proptest_config(config(150))]

    /// § 2.5: 500 kibibytes are 512,000 bytes of the body, before any conversion.
    #[test]
    fn rules_beyond_500_kib_are_found_by_bytes_of_the_body(padding in 511_800usize..512_010, body in "(User-agent: a\n|Disallow: /[ab\u{e9}\u{1f600}]{0,9}( #x)?\r?\n){0,20}") {
        let text = format!("#{}\n{body}", "x".repeat(padding));
        let parsed = parse(text.as_bytes());
        prop_assert_eq!(parsed.facts.exceeds_500_kib(), text.len() > 512_000);
        for rule in parsed.rules() {
            prop_assert_eq!(rule.beyond_500_kib, rule.pattern.end() > 512_000);
        }
        let text = format!("\u{feff}#{}\n{body}", "x".repeat(padding / 2));
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let parsed = parse(&utf16);
        for rule in parsed.rules() {
            prop_assert_eq!(rule.beyond_500_kib, in_utf16(&parsed.text()[..rule.pattern.end()]) > 512_000);
        }
        let marked = parsed.rules().iter().filter(|rule| rule.beyond_500_kib).count();
        prop_assert_eq!(parsed.facts.rules_beyond_500_kib as usize, marked);
    }
}
