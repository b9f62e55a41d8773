//! Compares the aggregate with the judge, and merged parts with the whole.

use super::deciding_weight::{DecidingWeight, DecidingWeights};
use crate::functions::fixture::{column, error, scalar};
use datafusion::arrow::array::{ArrayRef, AsArray, BooleanArray, StringArray};
use datafusion::common::ScalarValue;
use datafusion::logical_expr::{Accumulator, EmitTo, GroupsAccumulator};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use robots::{Dialect, Naming, Reading};
use std::sync::Arc;

/// A row of arguments.
type ArgumentRow = (Option<bool>, Option<&'static str>, Option<&'static str>);

const PATTERNS: [&str; 12] = ["", "/", "/*", "*", "/$", "/a", "/a*", "/a$", "/ab", "/%61b", "/caf\u{e9}", "/caf%C3%A9"];
const PATHS: [&str; 6] = ["/", "/a", "/ab", "https://example.com/caf%c3%a9", "/robots.txt", "/b?a"];

fn arguments(rows: &[ArgumentRow]) -> Vec<ArrayRef> {
    vec![
        Arc::new(rows.iter().map(|(allow, ..)| *allow).collect::<BooleanArray>()),
        Arc::new(rows.iter().map(|(_, pattern, _)| *pattern).collect::<StringArray>()),
        Arc::new(rows.iter().map(|(.., path)| *path).collect::<StringArray>()),
    ]
}

fn whole(rows: &[ArgumentRow]) -> ScalarValue {
    let mut weight = DecidingWeight::default();
    weight.update_batch(&arguments(rows)).unwrap();
    Accumulator::evaluate(&mut weight).unwrap()
}

/// Evaluates each part on its own, then merges the states.
fn in_parts(parts: &[&[ArgumentRow]]) -> ScalarValue {
    let mut all = DecidingWeight::default();
    for part in parts {
        let mut weight = DecidingWeight::default();
        weight.update_batch(&arguments(part)).unwrap();
        let states = Accumulator::state(&mut weight).unwrap();
        all.merge_batch(&states.iter().map(|state| state.to_array().unwrap()).collect::<Vec<_>>()).unwrap();
    }
    Accumulator::evaluate(&mut all).unwrap()
}

/// The value as one of several groups, in three ways: with filtered rows, from a state per row, and as the last group.
fn among_groups(rows: &[ArgumentRow]) -> Vec<ScalarValue> {
    let second = |array: ArrayRef| ScalarValue::try_from_array(&array, 1).unwrap();
    let mut groups = DecidingWeights::default();
    // Each row is followed by one that the filter drops.
    let doubled: Vec<ArgumentRow> =
        rows.iter().flat_map(|row| [*row, (Some(false), Some("/*************"), None)]).collect();
    let filter: BooleanArray = (0..doubled.len()).map(|row| Some(row % 2 == 0)).collect();
    groups.update_batch(&arguments(&doubled), &vec![1; doubled.len()], Some(&filter), 3).unwrap();
    let of_rows = groups.convert_to_state(&arguments(&doubled), Some(&filter)).unwrap();
    let mut merged = DecidingWeights::default();
    merged.merge_batch(&of_rows, &vec![1; doubled.len()], 2).unwrap();
    let mut shifted = DecidingWeights::default();
    shifted.update_batch(&arguments(rows), &vec![2; rows.len()], None, 3).unwrap();
    let first = GroupsAccumulator::evaluate(&mut shifted, EmitTo::First(1)).unwrap();
    assert_eq!(first.as_boolean().iter().collect::<Vec<_>>(), [Some(true)], "a group without rows");
    [&mut groups, &mut merged, &mut shifted]
        .map(|groups| second(GroupsAccumulator::evaluate(groups, EmitTo::All).unwrap()))
        .to_vec()
}

fn row() -> impl Strategy<Value = ArgumentRow> {
    let maybe = |texts: &'static [&'static str]| prop_oneof![19 => select(texts).prop_map(Some), 1 => Just(None)];
    (prop_oneof![19 => any::<bool>().prop_map(Some), 1 => Just(None)], maybe(&PATTERNS), maybe(&PATHS[..3]))
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(9309), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_split_and_any_order_give_the_same(
        rows in proptest::collection::vec(row(), 0..12),
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..4),
    ) {
        let expected = whole(&rows);
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(rows.len() + 1)).chain([0, rows.len()]).collect();
        cuts.sort_unstable();
        let mut parts: Vec<&[ArgumentRow]> = cuts.windows(2).map(|cut| &rows[cut[0]..cut[1]]).collect();
        prop_assert_eq!(&in_parts(&parts), &expected);
        parts.reverse();
        prop_assert_eq!(&in_parts(&parts), &expected);
        let mut backwards = rows.clone();
        backwards.reverse();
        prop_assert_eq!(&whole(&backwards), &expected);
        prop_assert_eq!(among_groups(&rows), vec![expected; 3]);
    }

    #[test]
    fn it_is_what_the_judge_says(
        lines in proptest::collection::vec((select(&["User-agent: a", "User-agent: *", "Allow", "Disallow"][..]), select(&PATTERNS[..])), 0..12),
    ) {
        let line = |(key, path): &(&str, &str)| match key.contains(':') {
            true => format!("{key}\n"),
            false => format!("{key}: {path}\n"),
        };
        let file: String = lines.iter().map(line).collect();
        let parsed = robots::parse(file.as_bytes());
        let reading = Reading::new(&parsed, Dialect::Rfc9309);
        for path in PATHS {
            let selection = reading.select(b"a", Naming::default());
            let pattern = |rule: &robots::Rule| PATTERNS.into_iter().find(|pattern| pattern.as_bytes() == parsed.bytes(rule.pattern));
            let rows: Vec<ArgumentRow> = selection.rules().map(|rule| (Some(rule.allow), pattern(rule), Some(path))).collect();
            let expected = robots::judge(&parsed, "a", path, Dialect::Rfc9309).allowed;
            prop_assert_eq!(whole(&rows), ScalarValue::Boolean(Some(expected)), "{} {}", file, path);
        }
    }
}

#[test]
fn in_sql() {
    let rules = "(VALUES (1, false, '/'), (1, true, '/a'), (2, false, '/a'), (2, true, '/%61'), (3, false, NULL), \
                 (4, false, '/a')) AS rules(body, allow, pattern)";
    let of_bodies = |path: &str| {
        column(&format!("SELECT robots_allowed(allow, pattern, {path}) FROM {rules} GROUP BY body ORDER BY body"))
    };
    assert_eq!(of_bodies("'/a'"), ["true", "true", "true", "false"]);
    assert_eq!(of_bodies("'/b'"), ["false", "true", "true", "true"]);
    assert_eq!(of_bodies("NULL"), ["", "", "", ""]);
    assert_eq!(of_bodies("arrow_cast('/a', 'Dictionary(Int32, Utf8)')"), ["true", "true", "true", "false"]);
    let of = |rest: &str| column(&format!("SELECT robots_allowed(allow, pattern, '/a') {rest}"));
    assert_eq!(of(&format!("FROM {rules} WHERE body = 9")), ["true"]);
    assert_eq!(of(&format!("FILTER (WHERE NOT allow) FROM {rules}")), ["false"]);
    assert_eq!(scalar("robots_allowed(false, arrow_cast('/a', 'Utf8View'), arrow_cast('/ab', 'LargeUtf8'))"), "false");
    let refused = error("SELECT robots_allowed('x', '/', '/')");
    assert!(refused.contains("argument is not a boolean: robots_allowed: allow is of type Utf8"), "{refused}");
}
