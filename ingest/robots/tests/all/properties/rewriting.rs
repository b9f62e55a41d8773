//! Changes to a file, or to how it is read, that do not change its meaning.

use crate::question::{body, groups, plain_path, question, text_of};
use crate::text::{config, near_conforming};
use proptest::prelude::*;
use robots::{Dialect, MatchKind, judge, parse};

/// A verdict without its line numbers and offsets.
fn verdict(body: &[u8], (agent, path): (&str, &str), dialect: Dialect) -> (bool, Option<u32>, MatchKind) {
    let verdict = judge(&parse(body), agent, path, dialect);
    (verdict.allowed, verdict.line, verdict.matched)
}

fn have_same_verdicts(
    one: &[u8],
    other: &[u8],
    asked: (&str, &str),
    dialects: &[Dialect],
) -> Result<(), TestCaseError> {
    for &dialect in dialects {
        prop_assert_eq!(
            verdict(one, asked, dialect),
            verdict(other, asked, dialect),
            "{} of {:?} and {:?}",
            dialect.name(),
            one.escape_ascii().to_string(),
            other.escape_ascii().to_string()
        );
    }
    Ok(())
}

fn is_utf16(body: &[u8]) -> bool {
    body.starts_with(b"\xff\xfe") || body.starts_with(b"\xfe\xff")
}

/// The lines with their ends.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    let is_end = |at: &usize| text[*at] == b'\n' || (text[*at] == b'\r' && text.get(at + 1) != Some(&b'\n'));
    let ends = (0..text.len()).filter(is_end).map(|at| at + 1).chain([text.len()]);
    let mut start = 0;
    ends.map(|end| &text[std::mem::replace(&mut start, end)..end]).filter(|line| !line.is_empty()).collect()
}

/// Adds a comment to each line that has content and no comment. Blank lines do not change: with a comment, a line would
/// no longer separate two records in the dialect of 1996.
fn with_comments(text: &[u8]) -> Vec<u8> {
    let line = |line: &[u8]| {
        let content = line.trim_ascii_end();
        match content.is_empty() || content.contains(&b'#') {
            true => line.to_vec(),
            false => [content, b" # a comment: /", &line[content.len()..]].concat(),
        }
    };
    lines(text).into_iter().flat_map(line).collect()
}

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn a_comment_at_the_end_of_the_file_changes_no_verdict(body in body(), (agent, path) in question()) {
        prop_assume!(!is_utf16(&body));
        let end: &[u8] = if body.is_empty() || body.ends_with(b"\n") || body.ends_with(b"\r") { b"" } else { b"\n" };
        let with_comment = [&body, end, b"# Disallow: /\n"].concat();
        have_same_verdicts(&body, &with_comment, (agent, &path), &Dialect::ALL)?;
    }

    #[test]
    fn a_comment_after_a_line_changes_no_verdict(body in near_conforming(), (agent, path) in question()) {
        have_same_verdicts(&body, &with_comments(&body), (agent, &path), &Dialect::ALL)?;
    }

    #[test]
    fn the_kind_of_line_ends_changes_no_verdict(body in body(), (agent, path) in question()) {
        prop_assume!(!is_utf16(&body));
        let lf: Vec<u8> = body.into_iter().filter(|byte| *byte != b'\r').collect();
        let ended = |end: &[u8]| lf.split(|byte| *byte == b'\n').collect::<Vec<_>>().join(end);
        have_same_verdicts(&lf, &ended(b"\r\n"), (agent, &path), &Dialect::ALL)?;
        have_same_verdicts(&lf, &ended(b"\r"), (agent, &path), &Dialect::ALL)?;
    }

    #[test]
    fn the_case_of_the_crawler_changes_no_verdict(body in body(), (agent, path) in question()) {
        let parsed = parse(&body);
        for dialect in Dialect::ALL {
            let lower = judge(&parsed, &agent.to_ascii_lowercase(), &path, dialect);
            prop_assert_eq!(lower, judge(&parsed, &agent.to_ascii_uppercase(), &path, dialect), "{}", dialect.name());
        }
    }

    /// RFC 9309 § 2.2.1 and § 2.2.2: groups are combined, and the longest rule decides, wherever it stands.
    #[test]
    fn the_order_of_groups_changes_no_verdict(
        (written, shuffled) in groups().prop_flat_map(|groups| (Just(groups.clone()), Just(groups).prop_shuffle())),
        path in plain_path(),
    ) {
        let (written, shuffled) = (text_of(&written), text_of(&shuffled));
        for dialect in [Dialect::Rfc9309, Dialect::Draft12, Dialect::Google] {
            for agent in ["foobot", "barbot", "otherbot"] {
                let octets = |text: &str| {
                    let parsed = parse(text.as_bytes());
                    let verdict = judge(&parsed, agent, &path, dialect);
                    (verdict.allowed, verdict.matched, verdict.rule.map(|rule| parsed.bytes(rule.pattern).len()))
                };
                prop_assert_eq!(octets(&written), octets(&shuffled), "{} of {:?}", dialect.name(), shuffled);
            }
        }
    }

    #[test]
    fn a_file_that_is_cut_after_a_line_keeps_the_lines_before(body in body()) {
        prop_assume!(!is_utf16(&body));
        let whole = parse(&body);
        let mut end = 0;
        for line in lines(&body) {
            end += line.len();
            let cut = parse(&body[..end]);
            prop_assert!(whole.rules().starts_with(cut.rules()));
            prop_assert!(whole.agents().starts_with(cut.agents()));
            prop_assert!(whole.records().starts_with(cut.records()));
            let normals = |parsed: &robots::Parsed<'_>, count: usize| {
                parsed.rules()[..count].iter().map(|rule| parsed.normal(rule).to_vec()).collect::<Vec<_>>()
            };
            prop_assert_eq!(normals(&whole, cut.rules().len()), normals(&cut, cut.rules().len()));
        }
    }

    /// § 2.2.2: "Implementors MAY bridge encoding mismatches". Google's parser does not.
    #[test]
    fn utf_16_means_the_same_as_utf_8(body in near_conforming(), (agent, path) in question()) {
        let Ok(text) = std::str::from_utf8(&body) else { return Ok(()) };
        prop_assume!(!text.starts_with('\u{feff}'));
        let little = [0xfeffu16].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect::<Vec<_>>();
        let big = [0xfeffu16].into_iter().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect::<Vec<_>>();
        let others = Dialect::ALL.into_iter().filter(|dialect| *dialect != Dialect::Google).collect::<Vec<_>>();
        have_same_verdicts(&body, &little, (agent, &path), &others)?;
        have_same_verdicts(&body, &big, (agent, &path), &others)?;
    }

    #[test]
    fn a_reused_parser_gives_the_same_result(first in body(), second in body()) {
        let mut parser = robots::Parser::default();
        let parsed = parser.parse(&first);
        parser.recycle(parsed);
        let again = parser.parse(&second);
        prop_assert_eq!(format!("{again:?}"), format!("{:?}", parse(&second)));
    }
}
