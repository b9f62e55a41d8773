//! Verdicts without the file: from all of its user-agent lines and rules, and from only those that matter.

use crate::question::{body, question};
use crate::text::config;
use proptest::prelude::*;
use robots::{Dialect, MatchKind, Naming, Parsed, Pattern, Reading, Target, Transcript, Verdict, Weight};

/// A transcript of the wanted lines, as text. Bytes that are not UTF-8 are replaced in names and percent-encoded in
/// patterns.
fn transcript(parsed: &Parsed<'_>, agents: impl Fn(&[u8]) -> bool, rules: impl Fn(&[u8]) -> bool) -> Transcript {
    let mut transcript = Transcript::default();
    transcript.push_agent(7, 7, b"of another file");
    transcript.clear();
    for agent in parsed.agents().iter().filter(|agent| agents(parsed.bytes(agent.value))) {
        let name = String::from_utf8_lossy(parsed.bytes(agent.value));
        transcript.push_agent(agent.group, agent.line_no, name.as_bytes());
    }
    for rule in parsed.rules().iter().filter(|rule| rules(parsed.bytes(rule.pattern))) {
        let Some(group) = rule.group else { continue };
        transcript.push_rule(
            group,
            rule.line_no,
            rule.allow,
            robots::percent_encoded(parsed.bytes(rule.pattern)).as_bytes(),
        );
    }
    transcript
}

fn facts(verdict: &Verdict) -> (bool, Option<u32>, MatchKind) {
    (verdict.allowed, verdict.line, verdict.matched)
}

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn a_transcript_has_the_verdicts_of_its_file(body in body(), questions in proptest::collection::vec(question(), 1..6)) {
        let parsed = robots::parse(&body);
        let whole = transcript(&parsed, |_| true, |_| true);
        for dialect in Dialect::ALL {
            prop_assert_eq!(whole.reading(dialect).is_some(), dialect.has_lines_of_rfc_9309());
            let Some(reading) = whole.reading(dialect) else { continue };
            for (crawler, path) in &questions {
                let expected = robots::judge(&parsed, crawler, path, dialect);
                let target = Target::new(path.as_bytes(), dialect);
                let found = reading.select(crawler.as_bytes(), Naming::default()).judge(&target);
                prop_assert_eq!(facts(&found), facts(&expected), "{:?} {} {}", dialect, crawler, path);
                prop_assert_eq!(&found.group_lines, &expected.group_lines);

                let names = |agent: &[u8]| {
                    let mut one = Transcript::default();
                    one.push_agent(0, 1, agent);
                    let reading = one.reading(dialect).unwrap();
                    reading.select(crawler.as_bytes(), Naming::default()).matched != MatchKind::None
                };
                let matches = |pattern: &[u8]| Pattern::new(robots::percent_encoded(pattern).as_bytes()).matches(&target);
                let part = transcript(&parsed, names, matches);
                let reading = part.reading(dialect).unwrap();
                let found = reading.select(crawler.as_bytes(), Naming::default()).judge(&target);
                prop_assert_eq!(facts(&found), facts(&expected), "{:?} {} {}", dialect, crawler, path);
            }
        }
    }

    #[test]
    fn the_greatest_weight_decides(body in body(), questions in proptest::collection::vec(question(), 1..6)) {
        let parsed = robots::parse(&body);
        let reading = Reading::new(&parsed, Dialect::Rfc9309);
        for (crawler, path) in questions.iter().chain([&("a", "/robots.txt".to_owned())]) {
            let target = Target::new(path.as_bytes(), Dialect::Rfc9309);
            let selection = reading.select(crawler.as_bytes(), Naming::default());
            let weights = selection.rules().map(|rule| {
                Weight::of_rule(rule.allow, &Pattern::new(parsed.bytes(rule.pattern)), &target)
            });
            let greatest = weights.max().unwrap_or_default();
            prop_assert_eq!(Weight::from_number(greatest.to_number()), greatest);
            prop_assert_eq!(greatest.allows(), selection.decide(&target).0, "{} {}", crawler, path);
        }
    }
}
