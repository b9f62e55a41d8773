//! A slow and simple computation of a policy: each figure comes from the judge's verdicts on all witness paths.

use robots::{
    AccessClass, Agent, Dialect, Extension, Gain, MatchKind, Naming, Parsed, PathGain, Policy, Reading, Rule,
    Selection, Target, Terms, parse,
};
use std::collections::BTreeSet;

/// The policy of a token that a file names.
pub(crate) fn policy<'p>(parsed: &Parsed<'_>, token: &'p [u8]) -> Policy<'p> {
    let reading = Reading::new(parsed, Dialect::Rfc9309);
    let selection = reading.select(token, Naming::Named);
    let rules: Vec<&Rule> = selection.rules().collect();
    let disallow: Vec<&[u8]> = rules.iter().filter(|rule| !rule.allow).map(|rule| parsed.normal(rule)).collect();
    let roots = disallow.iter().filter(|pattern| **pattern == b"/").count();
    let groups = groups_of(parsed, token);
    let root = Target::new(b"/", Dialect::Rfc9309);
    let (root_allowed, deciding) = selection.decide(&root);
    assert_eq!(selection.matched, if token == b"*" { MatchKind::Wildcard } else { MatchKind::Explicit });
    assert_eq!(
        rules.len(),
        parsed.rules().iter().filter(|rule| rule.group.is_some_and(|group| groups.contains(&group))).count()
    );
    let terms = Terms {
        allow_rules: (rules.len() - disallow.len()) as u32,
        disallow_rules: disallow.len() as u32,
        rules_beyond_500_kib: rules.iter().filter(|rule| rule.beyond_500_kib).count() as u32,
        crawl_delay_s: crawl_delay(parsed, &groups),
        root_allowed,
        deciding_line: deciding.map(|rule| rule.line_no),
        access: access(&selection, root_allowed, &witnesses(parsed, &rules)),
        has_disallow_root: roots > 0,
        is_only_disallow_root: roots > 0 && roots == rules.len(),
        is_only_allow_all: !rules.is_empty() && rules.iter().all(|rule| allows_all(parsed, rule)),
    };
    let is_written = parsed.agents().iter().any(|agent| parsed.token(agent) == token);
    let kept = within_500_kib(parsed);
    let selection = Reading::new(&kept, Dialect::Rfc9309);
    let selection = selection.select(token, Naming::Named);
    let root_allowed = selection.decide(&root).0;
    let rules: Vec<&Rule> = selection.rules().collect();
    Policy {
        token,
        is_written,
        merged_groups: groups.len() as u32,
        terms,
        root_allowed_within_500_kib: root_allowed,
        access_within_500_kib: access(&selection, root_allowed, &witnesses(&kept, &rules)),
        gain: gain(parsed, token),
    }
}

/// The rules that Common Crawl's experiments count as allowing all.
fn allows_all(parsed: &Parsed<'_>, rule: &Rule) -> bool {
    let pattern = parsed.bytes(rule.pattern);
    pattern.is_empty() || rule.allow && [&b"/"[..], b"*", b"/*"].contains(&pattern)
}

/// The gain of a token by being named: each path of the wildcard group is compared with each path of the token.
fn gain(parsed: &Parsed<'_>, token: &[u8]) -> Option<Gain> {
    let reading = Reading::new(parsed, Dialect::Rfc9309);
    let is_special = |pattern: &[u8]| pattern.contains(&b'*') || pattern.ends_with(b"$");
    let disallowed = |token: &[u8]| {
        let selection = reading.select(token, Naming::Named);
        let rules: Vec<&Rule> = selection.rules().collect();
        let root = Target::new(b"/", Dialect::Rfc9309);
        let access = access(&selection, selection.decide(&root).0, &witnesses(parsed, &rules));
        let patterns = |allow| {
            let of_kind = rules.iter().filter(move |rule| rule.allow == allow).map(|rule| parsed.normal(rule).to_vec());
            of_kind.filter(|pattern| pattern.starts_with(b"/") || pattern.starts_with(b"*")).collect::<BTreeSet<_>>()
        };
        let disallowed: BTreeSet<Vec<u8>> = patterns(false).difference(&patterns(true)).cloned().collect();
        (access == AccessClass::Part).then_some(disallowed)
    };
    let is_named = |token: &[u8]| parsed.agents().iter().any(|agent| parsed.token(agent) == token);
    if token == b"*" || !is_named(b"*") {
        return None;
    }
    let (own, hidden) = (disallowed(token)?, disallowed(b"*")?);
    let covers = |path: &[u8]| own.iter().any(|own| !is_special(own) && path.starts_with(own));
    let paths = hidden.iter().filter(|path| !is_special(path) && !covers(path)).count() as u32;
    let kind = match own.iter().any(|own| is_special(own)) {
        _ if paths == 0 => PathGain::Nothing,
        true => PathGain::Undecided,
        false => PathGain::Paths,
    };
    Some(Gain { kind, paths })
}

/// The file before the first line of a rule or user agent that ends beyond 500 KiB.
fn within_500_kib<'p>(parsed: &'p Parsed<'_>) -> Parsed<'p> {
    let rule = parsed.rules().iter().find(|rule| rule.beyond_500_kib).map(|rule| rule.line_no);
    let agent = parsed.agents().iter().find(|agent| agent.value.end() > robots::limits::FIVE_HUNDRED_KIB);
    let lost = rule.into_iter().chain(agent.map(|agent| agent.line_no)).min();
    let kept_lines = lost.map_or(usize::MAX, |line_no| line_no as usize - 1);
    let lines = parsed.text().split_inclusive(|byte| *byte == b'\n').take(kept_lines);
    parse(parsed.text().get(..lines.map(<[u8]>::len).sum()).unwrap_or_default())
}

/// The groups with a line that has this token, or starts with it as its product token.
fn groups_of(parsed: &Parsed<'_>, token: &[u8]) -> BTreeSet<u32> {
    let is_letter = |byte: &&u8| byte.is_ascii_alphabetic() || b"-_".contains(byte);
    let names = |agent: &&Agent| {
        let value = parsed.bytes(agent.value);
        let product: Vec<u8> = value.iter().take_while(is_letter).copied().collect();
        parsed.token(agent) == token || (token != b"*" && product.eq_ignore_ascii_case(token))
    };
    parsed.agents().iter().filter(names).map(|agent| agent.group).collect()
}

/// The first crawl delay of these groups that is a number of seconds. Numbers are parsed by the standard library,
/// without the forms that only it accepts.
fn crawl_delay(parsed: &Parsed<'_>, groups: &BTreeSet<u32>) -> Option<f64> {
    parsed.records().iter().filter(|record| record.extension == Extension::CrawlDelay).find_map(|record| {
        let is_wanted = record.group.is_some_and(|group| groups.contains(&group));
        let value = parsed.bytes(record.value);
        let is_plain = value.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
        let has_both_ends = !value.starts_with(b".") && !value.ends_with(b".");
        let number = std::str::from_utf8(value).ok()?.parse::<f64>().ok();
        number.filter(|_| is_wanted && is_plain && has_both_ends)
    })
}

/// The documented witnesses: `/`, a path that no rule mentions, and paths made from each rule's pattern, without
/// wildcards and with text in their place, each with a longer one if the pattern has no anchor.
fn witnesses(parsed: &Parsed<'_>, rules: &[&Rule]) -> Vec<Vec<u8>> {
    let is_mentioned = |octet: &u8| rules.iter().any(|rule| parsed.normal(rule).contains(octet));
    let other = [b"~!,;QXZ".iter().copied().find(|octet| !is_mentioned(octet)).unwrap_or(b'~')];
    let mut paths = vec![b"/".to_vec(), [b"/", &other[..]].concat()];
    for rule in rules {
        let pattern = parsed.normal(rule);
        if !pattern.starts_with(b"/") && !pattern.starts_with(b"*") {
            continue;
        }
        let parts: Vec<&[u8]> = pattern.strip_suffix(b"$").unwrap_or(pattern).split(|byte| *byte == b'*').collect();
        for filling in [&b""[..], &other] {
            let bare = parts.join(filling);
            let path = if bare.starts_with(b"/") { bare } else { [b"/", &bare[..]].concat() };
            if !pattern.ends_with(b"$") {
                paths.push([&path[..], &other].concat());
            }
            paths.push(path);
        }
    }
    // It is always allowed, so its verdict does not depend on the rules.
    paths.retain(|path| path != b"/robots.txt");
    paths
}

/// Whether a wildcard in a pattern splits a percent-encoding, as in `%4*1`. Without it, the witness is another path than
/// the pattern says, because the judge reads the encoding. The computation here is then no measure.
pub(crate) fn has_split_encoding(parsed: &Parsed<'_>) -> bool {
    parsed.rules().iter().any(|rule| {
        let bare: Vec<u8> = parsed.normal(rule).iter().filter(|byte| !b"*$".contains(byte)).copied().collect();
        let file = [b"User-agent: *\nAllow: ", &bare[..]].concat();
        let again = parse(&file);
        again.rules().first().is_some_and(|rule| again.normal(rule) != bare)
    })
}

/// How much of the paths is allowed. They are in normal form, like patterns, so their percent-encoding does not change.
fn access(selection: &Selection<'_, '_>, root_allowed: bool, paths: &[Vec<u8>]) -> AccessClass {
    let is_allowed = |path: &Vec<u8>| selection.decide(&Target::new(path, Dialect::Rfc9309)).0;
    match (root_allowed, paths.iter().all(|path| is_allowed(path) == root_allowed)) {
        (_, false) => AccessClass::Part,
        (true, true) => AccessClass::All,
        (false, true) => AccessClass::None,
    }
}
