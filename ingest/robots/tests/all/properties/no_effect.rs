//! Removing rules without effect changes no verdict.

use crate::text::config;
use proptest::prelude::*;
use proptest::sample::select;
use robots::{Dialect, Naming, Parsed, Reading, Target, find_rules_without_effect};
use std::collections::BTreeSet;

const NAMES: [&str; 6] = ["a", "a/1.0", "a2", "b c", "b.d", "*"];

/// A file of groups whose names share tokens and product tokens, with rules above and below each other.
fn file() -> impl Strategy<Value = String> {
    let path = || prop_oneof![8 => "/[ab]{0,4}", 2 => "[/*][ab*]{0,3}", 1 => "/[ab*]{0,3}\\$", 1 => select(&["", "x", "$"][..]).prop_map(str::to_owned)];
    let line = prop_oneof![
        1 => select(&NAMES[..]).prop_map(|name| format!("User-agent: {name}\n")),
        4 => path().prop_map(|path| format!("Disallow: {path}\n")),
        4 => path().prop_map(|path| format!("Allow: {path}\n")),
    ];
    proptest::collection::vec(line, 0..14).prop_map(|lines| format!("User-agent: a\n{}", lines.concat()))
}

/// Whether each crawler may fetch each path.
fn verdicts(parsed: &Parsed<'_>, targets: &[Target]) -> Vec<bool> {
    let reading = Reading::new(parsed, Dialect::Rfc9309);
    let crawlers = NAMES.iter().chain(&["b", "other"]);
    let selections: Vec<_> = crawlers.map(|name| reading.select(name.as_bytes(), Naming::Named)).collect();
    selections.iter().flat_map(|selection| targets.iter().map(|target| selection.decide(target).0)).collect()
}

fn without(text: &str, is_removed: impl Fn(usize) -> bool) -> String {
    text.lines().zip(1..).filter(|(_, line_no)| !is_removed(*line_no)).map(|(line, _)| format!("{line}\n")).collect()
}

proptest! {
    #![proptest_config(config(1_500))]

    #[test]
    fn rules_without_effect_can_be_removed(text in file(), paths in proptest::collection::vec("/[ab]{0,6}", 30)) {
        let targets: Vec<Target> = paths.iter().map(|path| Target::new(path.as_bytes(), Dialect::Rfc9309)).collect();
        let parsed = robots::parse(text.as_bytes());
        let expected = verdicts(&parsed, &targets);
        let reasons = find_rules_without_effect(&parsed);
        prop_assert_eq!(reasons.len(), parsed.rules().len());
        let lines = parsed.rules().iter().map(|rule| rule.line_no as usize);
        let found: BTreeSet<usize> = lines.zip(reasons).filter_map(|(line, reason)| reason.map(|_| line)).collect();
        // Remove all together, and each alone.
        let shorter = without(&text, |line| found.contains(&line));
        prop_assert!(verdicts(&robots::parse(shorter.as_bytes()), &targets) == expected, "{}", shorter);
        for one in &found {
            let shorter = without(&text, |line| line == *one);
            prop_assert!(verdicts(&robots::parse(shorter.as_bytes()), &targets) == expected, "{}", shorter);
        }
    }
}
