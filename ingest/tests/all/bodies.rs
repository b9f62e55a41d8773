//! Real bodies, from the archives below the folder that `ROBOCENSUS_CORPUS` names. Each parses, its facts equal a recount
//! that is independent of the parser, and the shares of facts match those known for the collection. Without
//! `ROBOCENSUS_FULL`, some of the bodies are compared.

mod archive;
mod recount;
#[path = "../../robots/tests/all/slow.rs"]
mod slow;

use committed::full::step;
use ingest::rows::Sha1Base32;
use recount::Recount;
use robots::{BodyKind, Encoding, LineEndings, Parser};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn every_body_parses_and_its_facts_are_those_of_a_recount() {
    let mut parser = Parser::default();
    let (mut seen, mut bodies) = (0_usize, 0);
    archive::each_body("", |archive, url, body| {
        seen += 1;
        if !is_compared(archive, seen) {
            return;
        }
        let parsed = parser.parse(body);
        let expected = Recount::new(body);
        let found = Recount {
            has_bom: parsed.facts.has_bom,
            encoding: parsed.facts.encoding,
            line_endings: parsed.facts.line_endings,
            lines: parsed.facts.line_count,
            blank_lines: parsed.facts.blank_lines,
            comment_lines: parsed.facts.comment_lines,
            longest_line_bytes: parsed.facts.longest_line_bytes,
            plain_rules: expected.plain_rules.clone(),
        };
        assert_eq!(found, expected, "{url} in {archive}");
        // Lines that a recount recognises without the parser's tolerance must be rules.
        let rules: Vec<u32> = parsed.rules().iter().map(|rule| rule.line_no).collect();
        assert!(
            expected.plain_rules.iter().all(|line_no| rules.binary_search(line_no).is_ok()),
            "{url} in {archive}: a rule is missing"
        );
        bodies += 1;
        parser.recycle(parsed);
    });
    if bodies > 0 {
        eprintln!("{bodies} bodies");
        match step(8) {
            1 => assert_eq!(bodies, 27_017, "README.md has the number of bodies, too"),
            step => assert!(bodies > 20_000 / step, "the corpus is cut short: {bodies} bodies"),
        }
    }
}

/// Whether this body is compared: in the full run each, otherwise those of the set with awkward bodies, and every eighth
/// of the others.
fn is_compared(archive: &str, number: usize) -> bool {
    archive.contains("/small/") || number.is_multiple_of(step(8))
}

/// Calls `each` with the archive's path, the target and the body of each response with status 200, but with each body
/// once.
fn each_distinct_body(mut each: impl FnMut(&str, &str, &[u8])) {
    let mut seen = BTreeSet::new();
    archive::each_body("", |archive, url, body| {
        if seen.insert(Sha1Base32::digest(body).as_str().to_owned()) && is_compared(archive, seen.len()) {
            each(archive, url, body);
        }
    });
}

/// The slow implementation takes quadratic time in the rules, so the largest bodies are left out.
#[test]
fn every_policy_equals_that_of_the_slow_implementation() {
    let mut parser = Parser::default();
    let (mut policies, mut left_out) = (0, 0);
    each_distinct_body(|archive, url, body| {
        let parsed = parser.parse(body);
        for policy in robots::policies(&parsed) {
            let rules = policy.terms.allow_rules + policy.terms.disallow_rules;
            if rules > 300 {
                left_out += 1;
                continue;
            }
            let expected = slow::policy(&parsed, policy.token);
            let is_equal = policy == expected || slow::has_split_encoding(&parsed);
            assert!(is_equal, "{url} in {archive}: {policy:?} instead of {expected:?}");
            policies += 1;
        }
        parser.recycle(parsed);
    });
    if policies > 0 {
        eprintln!("{policies} policies, {left_out} left out");
    }
}

/// The archives of 2017 below `bench` are a sample of 10 % of a collection. Of its 92,749 captures that are not empty,
/// it is known how many have each fact. Shares may differ by chance: by four standard deviations and one capture. Empty
/// bodies are left out, since the archives have fewer of them on purpose.
#[test]
fn shares_match_those_of_the_collection() {
    let (crawl, captures) = ("bench/crawl-data/LAB-MAIN-2017-35", 92_749);
    let known = [
        ("byte order mark", 1_945),
        ("UTF-16", 23),
        ("NUL", 204),
        ("not UTF-8", 899),
        ("LF", 62_247),
        ("CR LF", 23_774),
        ("CR", 106),
        ("mixed", 5_593),
        ("over 500 KiB", 79),
    ];
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let mut bodies = 0;
    let mut parser = Parser::default();
    archive::each_body(crawl, |_, _, body| {
        let parsed = parser.parse(body);
        let facts = parsed.facts;
        if facts.kind == BodyKind::Empty {
            return parser.recycle(parsed);
        }
        let is_utf16 = matches!(facts.encoding, Encoding::Utf16Le | Encoding::Utf16Be);
        let line_endings = match facts.line_endings {
            LineEndings::None => "no end of line",
            LineEndings::Lf => "LF",
            LineEndings::CrLf => "CR LF",
            LineEndings::Cr => "CR",
            LineEndings::Mixed => "mixed",
        };
        let so = [
            ("byte order mark", facts.has_bom && !is_utf16),
            ("UTF-16", is_utf16),
            ("not UTF-8", facts.encoding == Encoding::Other),
            (line_endings, true),
            ("NUL", body.contains(&0) && !is_utf16),
            ("over 500 KiB", facts.exceeds_500_kib()),
        ];
        for (name, _) in so.into_iter().filter(|(_, is_so)| *is_so) {
            *counts.entry(name).or_default() += 1;
        }
        bodies += 1;
        parser.recycle(parsed);
    });
    if bodies == 0 {
        return;
    }
    for (name, known) in known {
        let share = f64::from(known) / f64::from(captures);
        let expected = share * f64::from(bodies);
        let chance = 4.0 * (expected * (1.0 - share)).sqrt() + 1.0;
        let found = f64::from(counts.get(name).copied().unwrap_or_default());
        eprintln!("{crawl}: {name}: {found} of {bodies}, expected {expected:.1} ± {chance:.1}");
        assert!((found - expected).abs() <= chance, "{crawl}: {name}: {found}, expected {expected} ± {chance}");
    }
}
