//! Policies against the judge: each figure found once more by asking about every path that it is said to rest on.

use crate::text::config;
use proptest::prelude::*;
use robots::{AccessClass, Dialect, Extension, Match, Naming, Parsed, Policy, Reading, Rule, Selection, Target};
use std::collections::BTreeSet;

/// A file of groups whose names share tokens and product tokens, with rules and delays.
fn file() -> impl Strategy<Value = String> {
    const NAMES: [&str; 10] = ["*", "a", "A", "a/1.0", "a2", "a2/3", "b c", "b", "*x", "* all"];
    const PATHS: [&str; 18] = [
        "",
        "/",
        "/*",
        "*",
        "/$",
        "/a",
        "/ab",
        "/a*",
        "/a$",
        "/*b",
        "/*b$",
        "x",
        "/a/b",
        "/%61",
        "/caf\u{e9}",
        "$",
        "**",
        "/a*b*",
    ];
    let path = || proptest::sample::select(&PATHS[..]);
    let line = prop_oneof![
        3 => proptest::sample::select(&NAMES[..]).prop_map(|name| format!("User-agent: {name}\n")),
        3 => path().prop_map(|path| format!("Disallow: {path}\n")),
        3 => path().prop_map(|path| format!("Allow: {path}\n")),
        1 => (0..9u32).prop_map(|seconds| format!("Crawl-delay: {seconds}\n")),
        1 => Just("Crawl-delay: soon\n".to_owned()),
    ];
    proptest::collection::vec(line, 0..14).prop_map(|lines| lines.concat())
}

/// The groups with a line that names this token, or begins with it as a product token.
fn groups_of(parsed: &Parsed<'_>, token: &[u8]) -> BTreeSet<u32> {
    let is_letter = |byte: &&u8| byte.is_ascii_alphabetic() || b"-_".contains(byte);
    let names = |agent: &&robots::Agent| {
        let value = parsed.bytes(agent.value);
        let product: Vec<u8> = value.iter().take_while(is_letter).copied().collect();
        parsed.token(agent) == token || (token != b"*" && product.eq_ignore_ascii_case(token))
    };
    parsed.agents().iter().filter(names).map(|agent| agent.group).collect()
}

/// The documented witnesses: `/`, a path that no rule speaks of, and of each rule that can match a path with its stars
/// left out, which goes on where no anchor ends it.
fn witnesses(parsed: &Parsed<'_>, rules: &[&Rule]) -> Vec<Vec<u8>> {
    let mut paths = vec![b"/".to_vec(), b"/-robocensus-witness".to_vec()];
    for rule in rules {
        let pattern = parsed.normal(rule);
        if !pattern.starts_with(b"/") && !pattern.starts_with(b"*") {
            continue;
        }
        let bare: Vec<u8> = pattern.iter().filter(|byte| !b"*$".contains(byte)).copied().collect();
        let path = if bare.starts_with(b"/") { bare } else { [b"/", &bare[..]].concat() };
        if !pattern.ends_with(b"$") {
            paths.push([&path[..], b"-robocensus-witness"].concat());
        }
        paths.push(path);
    }
    paths
}

fn access(selection: &Selection<'_, '_>, paths: &[Vec<u8>]) -> AccessClass {
    let is_allowed = |path: &Vec<u8>| selection.decide(&Target::new(path, Dialect::Rfc9309)).0;
    match (paths.iter().any(is_allowed), paths.iter().all(is_allowed)) {
        (_, true) => AccessClass::All,
        (false, _) => AccessClass::None,
        (true, false) => AccessClass::Part,
    }
}

fn agrees(parsed: &Parsed<'_>, policy: &Policy<'_>) -> Result<(), TestCaseError> {
    let token = policy.token;
    let terms = policy.terms;
    let reading = Reading::new(parsed, Dialect::Rfc9309);
    let selection = reading.select(token, Naming::Named);
    let rules: Vec<&Rule> = selection.rules().collect();
    let disallow: Vec<&[u8]> = rules.iter().filter(|rule| !rule.allow).map(|rule| parsed.normal(rule)).collect();
    let roots = disallow.iter().filter(|pattern| **pattern == b"/").count();
    let groups = groups_of(parsed, token);
    let (root_allowed, root) = selection.decide(&Target::new(b"/", Dialect::Rfc9309));

    prop_assert_eq!(selection.matched, if token == b"*" { Match::Wildcard } else { Match::Explicit });
    prop_assert_eq!(policy.merged_groups as usize, groups.len());
    prop_assert_eq!(
        rules.len(),
        parsed.rules().iter().filter(|r| r.group.is_some_and(|g| groups.contains(&g))).count()
    );
    prop_assert_eq!(terms.allow_rules as usize, rules.len() - disallow.len());
    prop_assert_eq!(terms.disallow_rules as usize, disallow.len());
    prop_assert_eq!(terms.root_allowed, root_allowed);
    prop_assert_eq!(terms.deciding_line, root.map(|rule| rule.line_no));
    prop_assert_eq!(terms.access, access(&selection, &witnesses(parsed, &rules)));
    prop_assert_eq!(terms.has_disallow_root, roots > 0);
    prop_assert_eq!(terms.is_only_disallow_root, roots > 0 && roots == rules.len());
    let delay = parsed.records().iter().filter(|record| record.extension == Extension::CrawlDelay).find_map(|record| {
        let is_meant = record.group.is_some_and(|group| groups.contains(&group));
        std::str::from_utf8(parsed.bytes(record.value)).ok()?.parse::<f64>().ok().filter(|_| is_meant)
    });
    prop_assert_eq!(terms.crawl_delay_s, delay);
    Ok(())
}

/// What all crawlers may always fetch tells nothing of what a file allows.
#[test]
fn the_robots_txt_itself_is_no_witness() {
    let check = |rules: &str, expected: AccessClass| {
        let text = format!("User-agent: a\n{rules}");
        let parsed = robots::parse(text.as_bytes());
        assert_eq!(robots::policies(&parsed)[0].terms.access, expected, "{rules:?}");
    };
    check("Disallow: /\nDisallow: /robots.txt$\n", AccessClass::None);
    check("Disallow: /\nDisallow: /robots.txt$\nAllow: /q\nDisallow: /q*\n", AccessClass::None);
    check("Disallow: /\nAllow: /robots.txt$\n", AccessClass::None);
}

proptest! {
    #![proptest_config(config(6_000))]

    #[test]
    fn every_figure_of_a_policy_is_that_of_the_judge(text in file()) {
        let parsed = robots::parse(text.as_bytes());
        for policy in robots::policies(&parsed) {
            agrees(&parsed, &policy)?;
        }
    }

    #[test]
    fn every_token_has_one_policy_in_the_order_of_the_file(text in file()) {
        let parsed = robots::parse(text.as_bytes());
        let mut tokens: Vec<Vec<u8>> = Vec::new();
        for token in parsed.agents().iter().map(|agent| parsed.token(agent).to_vec()) {
            if !tokens.contains(&token) {
                tokens.push(token);
            }
        }
        let named: Vec<Vec<u8>> = robots::policies(&parsed).into_iter().map(|policy| policy.token.to_vec()).collect();
        prop_assert_eq!(named, tokens);
    }
}
