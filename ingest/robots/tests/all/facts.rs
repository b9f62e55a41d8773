//! Facts that agree in every parsed file. Lines and counts are compared with a second reading of the text. The fuzz
//! targets use this file, too.

use robots::{Parsed, Span, Tier, is_product_token};

/// Checks all facts of a file.
pub(crate) fn check(parsed: &Parsed<'_>, body: &[u8]) {
    check_places(parsed);
    check_groups(parsed);
    check_counts(parsed, body);
    for agent in parsed.agents() {
        let name = parsed.bytes(agent.value);
        assert_eq!(agent.token_is_valid, name == b"*" || is_product_token(name));
        assert!(agent.product_len as usize <= parsed.token(agent).len());
    }
    for rule in parsed.rules() {
        let pattern = parsed.bytes(rule.pattern);
        assert!(!pattern.iter().any(|byte| b"\r\n#".contains(byte)));
        assert_eq!(rule.wildcards as usize, pattern.iter().filter(|byte| **byte == b'*').count());
        assert_eq!(rule.anchored, pattern.ends_with(b"$"));
        // A normal form is its own normal form.
        let normal = parsed.normal(rule);
        let again = [b"User-agent: *\nAllow: ", normal].concat();
        let again = robots::parse(&again);
        assert_eq!(again.rules().first().map(|rule| again.normal(rule)), Some(normal));
    }
}

/// The start of each line, and its end before the NL.
pub(crate) fn lines(text: &[u8]) -> Vec<(usize, usize)> {
    let mut lines = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < text.len() {
        let length = match (text[at], text.get(at + 1)) {
            (b'\r', Some(b'\n')) => 2,
            (b'\r' | b'\n', _) => 1,
            _ => 0,
        };
        if length > 0 {
            lines.push((start, at));
            start = at + length;
        }
        at += length.max(1);
    }
    if start < text.len() {
        lines.push((start, text.len()));
    }
    lines
}

/// Every span is on its line.
fn check_places(parsed: &Parsed<'_>) {
    let lines = lines(parsed.text());
    let check = |what: &str, line_no: u32, span: Span| {
        let Some((start, end)) = (line_no as usize).checked_sub(1).and_then(|line| lines.get(line)) else {
            return assert_eq!((line_no, span), (0, Span::default()), "{what}");
        };
        assert!(*start <= span.start as usize && span.end() <= *end, "{what} {span:?} of {start}..{end}");
        assert_eq!(parsed.line_at(span.start as usize), (*start, &parsed.text()[*start..*end]));
    };
    parsed.agents().iter().for_each(|agent| check("agent", agent.line_no, agent.value));
    parsed.rules().iter().for_each(|rule| check("rule", rule.line_no, rule.pattern));
    for record in parsed.records() {
        check("key", record.line_no, record.key);
        check("value", record.line_no, record.value);
    }
    for violation in parsed.violations() {
        check(violation.code.name(), violation.line_no, violation.span);
    }
}

/// Groups contain every user-agent line and every rule below the first such line, each once and in order. Tables have
/// their rows in this order, and are joined by it.
fn check_groups(parsed: &Parsed<'_>) {
    assert!(parsed.agents().iter().is_sorted_by_key(|agent| agent.group));
    assert!(parsed.rules().iter().is_sorted_by_key(|rule| rule.group));
    assert!(parsed.records().iter().is_sorted_by_key(|record| record.group));
    assert!(parsed.preferences().iter().is_sorted_by_key(|preference| preference.group));
    let agents: Vec<_> = parsed.groups().iter().flat_map(|group| parsed.agents_of(group)).collect();
    assert_eq!(agents, parsed.agents().iter().collect::<Vec<_>>());
    let rules: Vec<_> = parsed.groups().iter().flat_map(|group| parsed.rules_of(group)).collect();
    assert_eq!(rules, parsed.rules().iter().filter(|rule| rule.group.is_some()).collect::<Vec<_>>());
    for (group, group_no) in parsed.groups().iter().zip(0..) {
        assert!(group.agents > 0);
        assert!(parsed.agents_of(group).iter().all(|agent| agent.group == group_no));
        assert!(parsed.rules_of(group).iter().all(|rule| rule.group == Some(group_no)));
    }
}

fn check_counts(parsed: &Parsed<'_>, body: &[u8]) {
    let (facts, text) = (parsed.facts, parsed.text());
    let after_mark = if text.starts_with(b"\xef\xbb\xbf") && body.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let text = &text[after_mark..];
    let lines: Vec<&[u8]> = lines(text).into_iter().map(|(start, end)| &text[start..end]).collect();
    let bare = |line: &&[u8]| line.iter().find(|byte| !b" \t".contains(byte)).copied();
    let count = |counts: &dyn Fn(&&[u8]) -> bool| lines.iter().filter(|line| counts(line)).count() as u32;
    assert_eq!(facts.line_count as usize, lines.len());
    assert_eq!(facts.blank_lines, count(&|line| bare(line).is_none()));
    assert_eq!(facts.comment_lines, count(&|line| bare(line) == Some(b'#')));
    assert_eq!(facts.longest_line_bytes as usize, lines.iter().map(|line| line.len()).max().unwrap_or(0));
    assert_eq!(facts.allow_count as usize, parsed.rules().iter().filter(|rule| rule.allow).count());
    assert_eq!((facts.body_bytes, facts.parsed_bytes), (body.len(), body.len()));
    let marks = [&b"\xef\xbb\xbf"[..], b"\xff\xfe", b"\xfe\xff"];
    assert_eq!(facts.has_bom, marks.iter().any(|mark| body.starts_with(mark)));
    for tier in Tier::ALL {
        let found = parsed.violations().iter().filter(|violation| violation.code.tier() == tier).count();
        assert_eq!(facts.violations(tier) as usize, found);
    }
    assert!(!facts.conforms || facts.violations(Tier::A) + facts.violations(Tier::B) == 0);
}
