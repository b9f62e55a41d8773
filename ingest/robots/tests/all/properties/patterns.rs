//! The matching of patterns, compared with a simple implementation.

use crate::text::config;
use proptest::prelude::*;
use robots::{Dialect, MatchKind, Naming, Parsed, Pattern, Reading, Target, judge, parse};

/// RFC 9309 § 2.2.3 as a recursion: `*` matches nothing, or one character and then the same again.
fn matches(pattern: &[u8], path: &[u8]) -> bool {
    match (pattern, path) {
        ([], _) => true,
        ([b'$'], path) => path.is_empty(),
        ([b'*', rest @ ..], path) => matches(rest, path) || (!path.is_empty() && matches(pattern, &path[1..])),
        ([first, pattern @ ..], [same, path @ ..]) if first == same => matches(pattern, path),
        _ => false,
    }
}

/// All texts over an alphabet, up to a length.
fn texts(alphabet: &str, longest: usize) -> Vec<String> {
    let mut texts = vec![String::new()];
    let mut start = 0;
    for _ in 0..longest {
        let end = texts.len();
        for text in start..end {
            let longer = alphabet.chars().map(|char| format!("{}{char}", texts[text])).collect::<Vec<_>>();
            texts.extend(longer);
        }
        start = end;
    }
    texts
}

fn blocks(parsed: &Parsed<'_>, target: &Target) -> bool {
    let reading = Reading::new(parsed, Dialect::Rfc9309);
    !reading.select(b"a", Naming::default()).decide(target).0
}

/// Special characters of a rule are ordinary in a path, so both alphabets have them.
#[test]
fn every_short_pattern_on_every_short_path() {
    let paths: Vec<String> = texts("/a$*", 4).into_iter().map(|rest| format!("/{rest}")).collect();
    let targets: Vec<Target> = paths.iter().map(|path| Target::new(path.as_bytes(), Dialect::Rfc9309)).collect();
    for pattern in texts("/a*$", 5).into_iter().filter(|pattern| !pattern.is_empty()) {
        let text = format!("User-agent: a\nDisallow: {pattern}\n");
        let parsed = parse(text.as_bytes());
        for (path, target) in paths.iter().zip(&targets) {
            assert_eq!(
                blocks(&parsed, target),
                matches(pattern.as_bytes(), path.as_bytes()),
                "{pattern:?} on {path:?}"
            );
            assert_eq!(
                Pattern::is_match(pattern.as_bytes(), target),
                Pattern::new(pattern.as_bytes()).matches(target),
                "{pattern:?} on {path:?}"
            );
        }
    }
}

proptest! {
    #![proptest_config(config(10_000))]

    #[test]
    fn longer_patterns_on_longer_paths(pattern in "[/*][ab/*]{0,12}\\$?", path in "/[ab/]{0,20}") {
        let text = format!("User-agent: a\nDisallow: {pattern}\n");
        let target = Target::new(path.as_bytes(), Dialect::Rfc9309);
        prop_assert_eq!(blocks(&parse(text.as_bytes()), &target), matches(pattern.as_bytes(), path.as_bytes()));
    }

    /// `is_match` returns early if the first octets differ, and gives the same result, however they are encoded.
    #[test]
    fn an_early_return_gives_the_same_result(
        pattern in "[/*]([ab/*$]|%61|%2[Ff]|%|\u{e9}|%C3%A9|[ \t\x01]){0,6}",
        path in "/([ab/*$]|%61|%2[Ff]|%|\u{e9}|%c3%a9|[ \t\x01]){0,6}",
    ) {
        let target = Target::new(path.as_bytes(), Dialect::Rfc9309);
        let pattern = pattern.as_bytes();
        prop_assert_eq!(Pattern::is_match(pattern, &target), Pattern::new(pattern).matches(&target));
    }

    /// A rule without special characters matches the same path, as written and with all unreserved and non-ASCII octets
    /// encoded.
    #[test]
    fn a_path_matches_itself(path in "/[^#*$\\s\\x00-\\x1f%]{0,8}") {
        let text = format!("User-agent: a\nDisallow: {path}$\n");
        let parsed = parse(text.as_bytes());
        let is_reserved = |byte: u8| b":/?#[]@!$&'()*+,;=".contains(&byte);
        let is_kept = |byte: u8| is_reserved(byte) || b"\"<>\\^`{|}\x7f".contains(&byte);
        let octet = |byte: u8| if is_kept(byte) { (byte as char).to_string() } else { format!("%{byte:02x}") };
        let encoded: String = path.bytes().map(octet).collect();
        for dialect in [Dialect::Rfc9309, Dialect::Draft00, Dialect::Draft12] {
            prop_assert!(!judge(&parsed, "a", &path, dialect).allowed, "{:?}", path);
            prop_assert!(!judge(&parsed, "a", &encoded, dialect).allowed, "{:?} on {:?}", path, encoded);
        }
    }

    /// The match with the most octets decides, § 2.2.2, found by trying all rules.
    #[test]
    fn the_longest_rule_decides(
        rules in proptest::collection::vec((any::<bool>(), "[/*][ab/*]{0,3}\\$?"), 0..8),
        path in "/[ab/]{0,5}",
    ) {
        let key = |allow| if allow { "Allow" } else { "Disallow" };
        let lines: String = rules.iter().map(|(allow, pattern)| format!("{}: {pattern}\n", key(*allow))).collect();
        let text = format!("User-agent: a\n{lines}");
        let matching = rules.iter().filter(|(_, pattern)| matches(pattern.as_bytes(), path.as_bytes()));
        let expected = matching.map(|(allow, pattern)| (pattern.len(), *allow)).max();
        let verdict = judge(&parse(text.as_bytes()), "a", &path, Dialect::Rfc9309);
        prop_assert_eq!(verdict.allowed, expected.is_none_or(|(_, allow)| allow), "{:?} on {:?}", text, path);
        prop_assert_eq!(verdict.rule.map(|rule| rule.pattern.len as usize), expected.map(|(octets, _)| octets));
        prop_assert_eq!(verdict.matched, MatchKind::Explicit);
    }
}
