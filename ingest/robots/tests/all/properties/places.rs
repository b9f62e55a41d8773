//! Lines, offsets and counts, compared with a second reading of the text.

use crate::question::body;
use crate::text::config;
use proptest::prelude::*;
use robots::{Dialect, Naming, Reading, Span, Tier, Violation, is_product_token, parse};

/// The start of each line, and its end before the NL.
fn lines(text: &[u8]) -> Vec<(usize, usize)> {
    let mut lines = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < text.len() {
        let length = match (text[at], text.get(at + 1)) {
            (b'\r', Some(b'\n')) => 2,
            (b'\r' | b'\n', _) => 1,
            _ => 0,
        };
        if length > 0 {
            lines.push((start, at));
            start = at + length;
        }
        at += length.max(1);
    }
    if start < text.len() {
        lines.push((start, text.len()));
    }
    lines
}

/// The length of a UTF-8 text in a UTF-16 body with its byte order mark.
fn in_utf16(text: &[u8]) -> usize {
    2 + 2 * String::from_utf8_lossy(text).encode_utf16().count()
}

proptest! {
    #![proptest_config(config(3_000))]

    #[test]
    fn every_span_is_on_its_line(body in body()) {
        let parsed = parse(&body);
        let lines = lines(parsed.text());
        let check = |what: &str, line_no: u32, span: Span| {
            prop_assert!(span.end() <= parsed.text().len(), "{} {:?} of {}", what, span, parsed.text().len());
            let Some((start, end)) = (line_no as usize).checked_sub(1).and_then(|line| lines.get(line)) else {
                prop_assert_eq!((line_no, span), (0, Span::default()), "{}", what);
                return Ok(());
            };
            prop_assert!(*start <= span.start as usize && span.end() <= *end, "{} {:?} of {}..{}", what, span, start, end);
            prop_assert_eq!(parsed.line_at(span.start as usize), (*start, &parsed.text()[*start..*end]));
            Ok(())
        };
        for agent in parsed.agents() {
            check("agent", agent.line_no, agent.value)?;
        }
        for rule in parsed.rules() {
            check("rule", rule.line_no, rule.pattern)?;
            prop_assert!(!parsed.bytes(rule.pattern).iter().any(|byte| b"\r\n#".contains(byte)));
        }
        for record in parsed.records() {
            check("key", record.line_no, record.key)?;
            check("value", record.line_no, record.value)?;
        }
        for violation in parsed.violations() {
            check(violation.code.name(), violation.line_no, violation.span)?;
        }
    }

    /// Tables have their rows in this order, and are joined by it.
    #[test]
    fn groups_are_in_the_order_of_lines(body in body()) {
        let parsed = parse(&body);
        prop_assert!(parsed.agents().iter().is_sorted_by_key(|agent| agent.group));
        prop_assert!(parsed.rules().iter().is_sorted_by_key(|rule| rule.group));
        prop_assert!(parsed.records().iter().is_sorted_by_key(|record| record.group));
        prop_assert!(parsed.preferences().iter().is_sorted_by_key(|preference| preference.group));
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

    #[test]
    fn counts_agree_with_a_second_count(body in body()) {
        let parsed = parse(&body);
        let facts = parsed.facts;
        let text = parsed.text();
        let after_mark = if text.starts_with(b"\xef\xbb\xbf") && body.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let lines: Vec<&[u8]> = lines(&text[after_mark..]).into_iter().map(|(start, end)| &text[after_mark..][start..end]).collect();
        let bare = |line: &&[u8]| line.iter().find(|byte| !b" \t".contains(byte)).copied();
        let count = |counts: &dyn Fn(&&[u8]) -> bool| lines.iter().filter(|line| counts(line)).count() as u32;
        prop_assert_eq!(facts.line_count as usize, lines.len());
        prop_assert_eq!(facts.blank_lines, count(&|line| bare(line).is_none()));
        prop_assert_eq!(facts.comment_lines, count(&|line| bare(line) == Some(b'#')));
        prop_assert_eq!(facts.longest_line_bytes as usize, lines.iter().map(|line| line.len()).max().unwrap_or(0));
        prop_assert_eq!(facts.allow_count as usize, parsed.rules().iter().filter(|rule| rule.allow).count());
        prop_assert_eq!((facts.body_bytes, facts.parsed_bytes), (body.len(), body.len()));
        let marks = [&b"\xef\xbb\xbf"[..], b"\xff\xfe", b"\xfe\xff"];
        prop_assert_eq!(facts.has_bom, marks.iter().any(|mark| body.starts_with(mark)));
        for agent in parsed.agents() {
            let name = parsed.bytes(agent.value);
            prop_assert_eq!(agent.token_is_valid, name == b"*" || is_product_token(name));
        }
        for rule in parsed.rules() {
            let pattern = parsed.bytes(rule.pattern);
            prop_assert_eq!(rule.wildcards as usize, pattern.iter().filter(|byte| **byte == b'*').count());
            prop_assert_eq!(rule.anchored, pattern.ends_with(b"$"));
        }
        for tier in [Tier::A, Tier::B, Tier::C] {
            let named = parsed.violations().iter().filter(|violation| violation.code.tier() == tier).count();
            prop_assert_eq!(facts.violations(tier) as usize, named);
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

    /// Groups contain every user-agent line and every rule below the first such line, each once and in order.
    #[test]
    fn groups_contain_all_lines_of_the_file(body in body()) {
        let parsed = parse(&body);
        let agents: Vec<_> = parsed.groups().iter().flat_map(|group| parsed.agents_of(group)).collect();
        prop_assert_eq!(agents, parsed.agents().iter().collect::<Vec<_>>());
        let rules: Vec<_> = parsed.groups().iter().flat_map(|group| parsed.rules_of(group)).collect();
        prop_assert_eq!(rules, parsed.rules().iter().filter(|rule| rule.group.is_some()).collect::<Vec<_>>());
        for (group_no, group) in parsed.groups().iter().enumerate() {
            prop_assert!(group.agents > 0);
            prop_assert!(parsed.agents_of(group).iter().all(|agent| agent.group as usize == group_no));
            prop_assert!(parsed.rules_of(group).iter().all(|rule| rule.group == Some(group_no as u32)));
        }
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
