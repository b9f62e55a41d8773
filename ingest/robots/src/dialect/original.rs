//! draft-koster-robots-00, "A Method for Web Robots Control", 4 December 1996: records, prefixes, and the first match.
//! robots.txt files followed it for twenty years.

use crate::byte::{is_blank, strip, trim};
use crate::line::LineSpans;
use crate::lists::Lists;
use crate::parsed::{Agent, Rule};
use crate::pattern::normal::{encoded, push_encoded};
use crate::span::Span;

/// The state of the current record.
#[derive(PartialEq, Eq, Clone, Copy)]
enum RecordState {
    /// No record is open.
    Closed,
    /// It has only user-agent lines so far.
    Agents,
    /// It has at least one line with another field.
    Rules,
}

/// Reads a text as records, § 3.2: "The format logically consists of a non-empty set or records, separated by blank
/// lines."
///
/// A record has at least one line after its user-agent lines (§ 3.3, `1*ruleline`), so user-agent lines alone are not a
/// record. A user-agent line after a rule starts a record, as if a blank line stood before it.
pub(crate) fn read(text: &[u8], start: usize) -> Lists {
    let mut lists = Lists::default();
    let mut record = RecordState::Closed;
    let rest = text.get(start..).unwrap_or_default();
    for (line, line_no) in LineSpans::new(rest).zip(1u32..) {
        let at = start + line.start;
        let whole = rest.get(line).unwrap_or_default();
        if trim(whole).is_empty() {
            // § 3.3: a line with only a comment is not a blank line and does not separate records.
            drop_head(&mut lists, record);
            record = RecordState::Closed;
            continue;
        }
        let content = whole.get(..memchr::memchr(b'#', whole).unwrap_or(whole.len())).unwrap_or_default();
        let Some(colon) = memchr::memchr(b':', content) else { continue };
        let field = trim(content.get(..colon).unwrap_or_default());
        let after_colon = content.get(colon + 1..).unwrap_or_default();
        let (blanks, value) = strip(after_colon, is_blank);
        let value_at = at + colon + 1 + blanks;
        let span = Span::new(value_at, value_at + value.len());
        if field.eq_ignore_ascii_case(b"user-agent") {
            lists.push_agent(agent(line_no, span, value), record != RecordState::Agents);
            record = RecordState::Agents;
            continue;
        }
        // § 3.3: "extension = token : *space value [comment] CRLF", and a token is not empty. So a line that starts with
        // its colon does not belong to a record.
        if record == RecordState::Closed || field.is_empty() {
            continue;
        }
        record = RecordState::Rules;
        let is_allow = field.eq_ignore_ascii_case(b"allow");
        if is_allow && value.is_empty() {
            continue;
        }
        if is_allow || field.eq_ignore_ascii_case(b"disallow") {
            let start = lists.normals.len();
            decode(value, &mut lists.normals);
            let normal = Span::new(start, lists.normals.len());
            // The first text, of 1994, says that an empty disallow value means that all URLs can be retrieved. The
            // empty prefix matches every path, so this is an allow rule.
            lists.push_rule(rule(line_no, is_allow || value.is_empty(), span, normal));
        }
    }
    drop_head(&mut lists, record);
    lists
}

/// Removes the last record if it has only user-agent lines.
fn drop_head(lists: &mut Lists, record: RecordState) {
    if record == RecordState::Agents
        && let Some(group) = lists.groups.pop()
    {
        lists.agents.truncate(group.first_agent as usize);
    }
}

fn agent(line_no: u32, span: Span, value: &[u8]) -> Agent {
    Agent { line_no, value: span, product_len: span.len, is_star: value == b"*", ..Agent::default() }
}

fn rule(line_no: u32, allow: bool, span: Span, normal: Span) -> Rule {
    let beyond_500_kib = span.end() > crate::limits::FIVE_HUNDRED_KIB;
    Rule { line_no, pattern: span, normal: Some(normal), allow, beyond_500_kib, ..Rule::default() }
}

/// § 3.2.1: "The robot must obey the first record in /robots.txt that contains a User-Agent line whose value contains
/// the name token of the robot as a substring. The name comparisons are case-insensitive."
pub(crate) fn names(value: &[u8], robot: &[u8]) -> bool {
    !robot.is_empty() && value.windows(robot.len()).any(|part| part.eq_ignore_ascii_case(robot))
}

/// § 3.2.2: "The matching process compares every octet in the path portion of the URL and the path from the record. If
/// a %xx encoded octet is encountered it is unencoded prior to comparison, unless it is the "/" character". Appends
/// the decoded path.
pub(crate) fn decode(path: &[u8], out: &mut Vec<u8>) {
    let mut at = 0;
    while let Some(&byte) = path.get(at) {
        let octet = encoded(path, at);
        match octet {
            Some(b'/') => push_encoded(b'/', out),
            octet => out.push(octet.unwrap_or(byte)),
        }
        at += if octet.is_some() { 3 } else { 1 };
    }
}
