//! The pages that are generated from the code: `docs/violations.md`, `docs/dialects.md` and `docs/signals.md`.
//!
//! Each test compares a page with the code, or rewrites it if `ROBOCENSUS_BLESS=1` is set. The examples of a page are
//! parsed and judged here, so no example can be wrong.

mod dialects;
mod examples;
mod signals;
mod tolerance;
mod violations;

use robots::{Code, Dialect};

const BLESS: &str = "ROBOCENSUS_BLESS=1 cargo test -p robots --test all pages";

#[test]
fn the_readme_states_the_number_of_codes() {
    let text = format!("finds {} kinds of violations", Code::ALL.len());
    let readme = std::fs::read_to_string(committed::path("README.md")).unwrap();
    assert!(readme.contains(&text), "README.md has no text {text}");
}

#[test]
fn the_page_of_violations() {
    committed::check("docs/violations.md", &violations::page(), BLESS);
}

#[test]
fn the_page_of_signals() {
    committed::check("docs/signals.md", &signals::page(), BLESS);
}

#[test]
fn the_page_of_dialects() {
    committed::check("docs/dialects.md", &dialects::page(), BLESS);
}

#[test]
fn every_example_has_its_violation() {
    let misses: Vec<String> = Code::ALL
        .iter()
        .filter_map(|&code| {
            let file = examples::file(code);
            let parsed = robots::parse(&file);
            let found: Vec<&str> = parsed.violations().iter().map(|violation| violation.code.name()).collect();
            let start = file.get(..200).unwrap_or(&file).escape_ascii();
            (!found.contains(&code.name())).then(|| format!("{}: {found:?} in \"{start}\"", code.name()))
        })
        .collect();
    assert!(misses.is_empty(), "examples without their violation:\n{}", misses.join("\n"));
}

#[test]
fn google_obeys_what_its_parser_obeyed() {
    for slip in tolerance::SLIPS {
        assert_eq!(slip.is_obeyed(Dialect::Google), slip.was_obeyed_by_google(), "{slip:?}");
        assert_eq!(slip.is_obeyed(Dialect::Rfc9309), slip.is_obeyed(Dialect::Draft00), "{slip:?}");
        assert_eq!(slip.is_obeyed(Dialect::Rfc9309), slip.is_obeyed(Dialect::Draft12), "{slip:?}");
    }
}

/// draft-12 gives the verdicts of RFC 9309, and in each case some other dialect does not.
#[test]
fn each_case_shows_a_difference() {
    for case in dialects::cases() {
        let verdicts = dialects::verdicts(case);
        let of = |dialect| verdicts.iter().find(|(other, _)| *other == dialect).map(|(_, allowed)| *allowed);
        assert_eq!(of(Dialect::Draft12), of(Dialect::Rfc9309), "{case:?}");
        assert!(verdicts.iter().any(|(_, allowed)| Some(*allowed) != of(Dialect::Rfc9309)), "no difference: {case:?}");
    }
    for case in dialects::AGREEMENT.cases {
        let [first, rest @ ..] = dialects::verdicts(case);
        assert!(rest.iter().all(|(_, allowed)| *allowed == first.1), "a difference: {case:?}");
    }
}

/// Text as code in a table cell: invisible characters are escaped as in a Rust string.
fn cell(text: &str) -> String {
    let mut cell = String::from("`");
    for char in text.chars() {
        match char {
            '|' => cell.push_str("\\|"),
            char if char.is_control() || matches!(char, '\u{a0}' | '\u{200e}' | '\u{feff}') => {
                cell.extend(char.escape_unicode());
            }
            char => cell.push(char),
        }
    }
    cell.push('`');
    cell
}
