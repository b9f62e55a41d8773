//! Properties of verdicts in all dialects, and files on which two dialects agree.

use crate::question::{body, groups, plain_path, question, text_of};
use crate::text::config;
use proptest::prelude::*;
use robots::{Dialect, MatchKind, Naming, Reading, Target, judge, parse, policies};

proptest! {
    #![proptest_config(config(4_000))]

    /// Content yields facts, never errors: nothing here panics.
    #[test]
    fn every_body_and_every_question_has_an_answer(
        body in prop_oneof![body(), proptest::collection::vec(any::<u8>(), 0..100)],
        agent in any::<String>(),
        url in any::<String>(),
        place in any::<usize>(),
    ) {
        let parsed = parse(&body);
        let _ = parsed.line_at(place);
        let _ = policies(&parsed);
        for dialect in Dialect::ALL {
            let _ = judge(&parsed, &agent, &url, dialect);
            let reading = Reading::new(&parsed, dialect);
            for naming in Naming::ALL {
                let _ = reading.select(&body, naming).decide(&Target::new(&body, dialect));
            }
        }
    }

    /// The rule, line and groups of a verdict agree with the file.
    #[test]
    fn a_verdict_agrees_with_its_reasons(body in body(), (agent, path) in question()) {
        let parsed = parse(&body);
        for dialect in Dialect::ALL {
            let verdict = judge(&parsed, agent, &path, dialect);
            let reading = Reading::new(&parsed, dialect);
            let selection = reading.select(agent.as_bytes(), Naming::default());
            // In Google's parser an empty `Disallow:` can decide, and disallows nothing.
            let is_empty = |rule: robots::Rule| dialect == Dialect::Google && rule.pattern.len == 0;
            prop_assert_eq!(verdict.allowed, verdict.rule.is_none_or(|rule| rule.allow || is_empty(rule)));
            prop_assert_eq!(verdict.line, verdict.rule.map(|rule| rule.line_no));
            prop_assert!(verdict.rule.is_none_or(|rule| selection.rules().any(|other| *other == rule)));
            prop_assert_eq!(verdict.matched == MatchKind::None, verdict.group_lines.is_empty());
            prop_assert!(verdict.matched != MatchKind::None || verdict.allowed);
        }
    }

    /// If nothing is encoded, misspelt or unusual, Google's parser agrees with the standard.
    #[test]
    fn google_agrees_on_simple_files(groups in groups(), path in plain_path()) {
        let text = text_of(&groups);
        let parsed = parse(text.as_bytes());
        let url = format!("https://example.com{path}");
        for agent in ["foobot", "barbot", "otherbot"] {
            prop_assert_eq!(
                judge(&parsed, agent, &url, Dialect::Google).line,
                judge(&parsed, agent, &url, Dialect::Rfc9309).line,
                "{} on {:?} in {:?}", agent, url, text
            );
        }
    }

    /// draft-12 became RFC 9309, and no verdict changed between them.
    #[test]
    fn the_last_draft_agrees_with_the_standard(body in body(), (agent, path) in question()) {
        let parsed = parse(&body);
        let verdict = |dialect| judge(&parsed, agent, &path, dialect);
        prop_assert_eq!(verdict(Dialect::Draft12), verdict(Dialect::Rfc9309));
    }

    /// draft-00 differs from the standard only in names and in wildcard groups, so the two agree if the name is exact.
    #[test]
    fn the_first_draft_agrees_on_exact_names(groups in groups(), path in plain_path()) {
        let text = text_of(&groups);
        let parsed = parse(text.as_bytes());
        let verdict = |agent, dialect| judge(&parsed, agent, &path, dialect);
        for agent in ["foobot", "barbot", "bazbot"] {
            let standard = verdict(agent, Dialect::Rfc9309);
            if standard.matched == MatchKind::Explicit {
                prop_assert_eq!(verdict(agent, Dialect::Draft00), standard);
            }
        }
    }
}
