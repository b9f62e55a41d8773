//! Proves with cases that this crate reads a robots.txt as RFC 9309 says. The cases are data.
//!
//! Each `.toml` file in `conformance` is a theme: cases with the authority for their expected answers. Only
//! `requirements.toml` is not a theme: it names the cases that prove each requirement of the standard.
//! `docs/conformance.md` is generated from these files.

pub(crate) mod case;
mod expectation;
mod page;
mod requirement;

use case::AUTHORITIES;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn every_case_passes() {
    let themes = case::themes();
    let failures: Vec<String> = themes.iter().flat_map(|theme| &theme.cases).flat_map(case::Case::failures).collect();
    assert!(failures.is_empty(), "{} expectations failed:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn each_case_has_a_unique_name_an_authority_and_a_reason() {
    let themes = case::themes();
    let mut names = BTreeSet::new();
    for case in themes.iter().flat_map(|theme| &theme.cases) {
        assert!(names.insert(&case.name), "two cases have the same name: {}", case.name);
        assert!(AUTHORITIES.contains(&case.authority.as_str()), "{}: unknown authority: {}", case.name, case.authority);
        assert!(case.reason.ends_with('.'), "{}: the reason does not end in a full stop: {:?}", case.name, case.reason);
        assert!(case.expects_something(), "{}: the case expects nothing", case.name);
    }
}

#[test]
fn a_case_expects_each_violation() {
    let themes = case::themes();
    let expected: BTreeSet<&str> =
        themes.iter().flat_map(|theme| &theme.cases).flat_map(case::Case::expected_codes).collect();
    let missing: Vec<&str> =
        robots::Code::ALL.iter().map(|code| code.name()).filter(|name| !expected.contains(name)).collect();
    assert!(missing.is_empty(), "no case expects these violations: {missing:?}");
}

/// How often each key word occurs in sections 2, 3 and 5 of RFC 9309.
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
        assert!(ids.insert(id), "two requirements have the same id: {id}");
        for case in &requirement.cases {
            assert!(names.contains(case.as_str()), "requirement {id} names an unknown case: {case}");
        }
        assert!(
            requirement.cases.is_empty() == requirement.none.is_some(),
            "requirement {id} must have either cases or a reason for having none"
        );
    }
    for (word, times) in KEY_WORDS {
        assert_eq!(by_level.get(word), Some(&times), "number of requirements of level {word}");
    }
}

/// Text in backquotes that starts like the name of a case must be the name of a case.
#[test]
fn the_prose_names_existing_cases() {
    let themes = case::themes();
    let names: BTreeSet<&str> = themes.iter().flat_map(|theme| &theme.cases).map(|case| case.name.as_str()).collect();
    let prefixes: BTreeSet<&str> =
        names.iter().filter_map(|name| name.split_once('/')).map(|(start, _)| start).collect();
    for quoted in page::prose().split('`').skip(1).step_by(2) {
        let is_name = quoted.split_once('/').is_some_and(|(start, _)| prefixes.contains(start));
        assert!(!is_name || names.contains(quoted), "page.md names an unknown case: {quoted}");
    }
}

#[test]
fn the_page_is_up_to_date() {
    let made = page::render(&case::themes(), &requirement::requirements());
    committed::check("docs/conformance.md", &made, "ROBOCENSUS_BLESS=1 cargo test -p robots --test all conformance");
}
