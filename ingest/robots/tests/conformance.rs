//! The proof that this crate reads a robots.txt as RFC 9309 says, with the cases as data.
//!
//! Each file beside `conformance/case.rs` that ends in `.toml` is a theme: cases with the authority on which they
//! stand. `requirements.toml` names, for each requirement of the standard, the cases that prove it, and
//! `docs/conformance.md` is made from both.

#![expect(clippy::unwrap_used, clippy::panic, reason = "data that cannot be read shall fail the test")]

#[path = "conformance/case.rs"]
mod case;
#[path = "conformance/expectation.rs"]
mod expectation;
#[path = "conformance/page.rs"]
mod page;
#[path = "conformance/requirement.rs"]
mod requirement;

use case::AUTHORITIES;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn every_case_holds() {
    let themes = case::themes();
    let failures: Vec<String> = themes.iter().flat_map(|theme| &theme.cases).flat_map(case::Case::failures).collect();
    assert!(failures.is_empty(), "{} expectations do not hold:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn a_case_has_a_name_of_its_own_an_authority_and_a_reason() {
    let themes = case::themes();
    let mut names = BTreeSet::new();
    for case in themes.iter().flat_map(|theme| &theme.cases) {
        assert!(names.insert(&case.name), "two cases have one name: {}", case.name);
        assert!(AUTHORITIES.contains(&case.authority.as_str()), "{}: no authority: {}", case.name, case.authority);
        assert!(case.reason.ends_with('.'), "{}: the reason is no sentence: {:?}", case.name, case.reason);
        assert!(case.expects_something(), "{}: expects nothing", case.name);
    }
}

#[test]
fn every_violation_of_the_catalogue_is_expected_by_a_case() {
    let themes = case::themes();
    let expected: BTreeSet<&str> =
        themes.iter().flat_map(|theme| &theme.cases).flat_map(case::Case::expected_codes).collect();
    let missing: Vec<&str> =
        robots::Code::ALL.iter().map(|code| code.name()).filter(|name| !expected.contains(name)).collect();
    assert!(missing.is_empty(), "no case expects {missing:?}");
}

/// How often each key word stands in sections 2 and 3 of RFC 9309, and the one in section 5, counted in its text.
const KEY_WORDS: [(&str, usize); 5] = [("MUST", 19), ("MUST NOT", 2), ("SHOULD", 9), ("SHOULD NOT", 1), ("MAY", 9)];

#[test]
fn every_requirement_names_its_cases_or_says_why_it_has_none() {
    let themes = case::themes();
    let names: BTreeSet<&str> = themes.iter().flat_map(|theme| &theme.cases).map(|case| case.name.as_str()).collect();
    let requirements = requirement::requirements();
    let mut by_level: BTreeMap<&str, usize> = BTreeMap::new();
    let mut ids = BTreeSet::new();
    for requirement in &requirements {
        let id = &requirement.id;
        *by_level.entry(requirement.level.as_str()).or_default() += 1;
        assert!(ids.insert(id), "two requirements have one id: {id}");
        for case in &requirement.cases {
            assert!(names.contains(case.as_str()), "requirement {id} names a case that is not there: {case}");
        }
        assert!(
            requirement.cases.is_empty() == requirement.none.is_some(),
            "requirement {id} needs either cases or a reason why it has none"
        );
    }
    for (word, times) in KEY_WORDS {
        assert_eq!(by_level.get(word), Some(&times), "requirements of level {word}");
    }
}

/// Text in backquotes that starts like the name of a case must be one.
#[test]
fn the_prose_names_cases_that_are_there() {
    let themes = case::themes();
    let names: BTreeSet<&str> = themes.iter().flat_map(|theme| &theme.cases).map(|case| case.name.as_str()).collect();
    let prefixes: BTreeSet<&str> =
        names.iter().filter_map(|name| name.split_once('/')).map(|(start, _)| start).collect();
    for quoted in page::prose().split('`').skip(1).step_by(2) {
        let is_meant = quoted.split_once('/').is_some_and(|(start, _)| prefixes.contains(start));
        assert!(!is_meant || names.contains(quoted), "page.md names a case that is not there: {quoted}");
    }
}

#[test]
fn the_page_is_made_of_the_data() {
    let made = page::render(&case::themes(), &requirement::requirements());
    let path = page::path();
    if std::env::var_os("ROBOCENSUS_BLESS").is_some_and(|bless| bless == "1") {
        std::fs::write(&path, made).unwrap();
        return;
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let line = made.lines().zip(committed.lines()).position(|(made, committed)| made != committed);
    assert!(
        made == committed,
        "{}: line {}: it is not what the cases say; `ROBOCENSUS_BLESS=1 cargo test -p robots --test conformance` \
         writes it anew",
        path.display(),
        line.unwrap_or(committed.lines().count()) + 1,
    );
}
