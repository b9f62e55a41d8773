//! A file rebuilt from its user-agent lines and rules, for callers that have these and not the text.

use crate::body::Encoding;
use crate::dialect::Dialect;
use crate::lists::Lists;
use crate::parsed::{Agent, Rule};
use crate::pattern::normal;
use crate::reading::Reading;
use crate::span::Span;
use crate::token;

/// User-agent lines and rules of one file, as found by RFC 9309. A caller may leave out user-agent lines that do not
/// name the crawler, and rules that do not match the path: they do not change the verdict.
///
/// ```
/// let mut transcript = robots::Transcript::default();
/// transcript.push_agent(0, 1, b"FooBot/2.1");
/// transcript.push_rule(0, 2, false, b"/private");
/// let reading = transcript.reading(robots::Dialect::Rfc9309).unwrap();
/// let target = robots::Target::new(b"/private/x", robots::Dialect::Rfc9309);
/// assert_eq!(reading.select(b"foobot", robots::Naming::default()).judge(&target).line, Some(2));
/// ```
#[derive(Debug, Default)]
pub struct Transcript {
    text: Vec<u8>,
    lists: Lists,
    /// The number of each group in the file. Omitted groups count, too.
    numbers: Vec<u32>,
}

impl Transcript {
    /// Removes everything, for the next file.
    pub fn clear(&mut self) {
        self.text.clear();
        self.lists.clear();
        self.numbers.clear();
    }

    /// Adds a user-agent line: the number of its group, from 0, its line, and the name as written. The caller adds
    /// lines in the order of the file.
    pub fn push_agent(&mut self, group_no: u32, line_no: u32, written: &[u8]) {
        let token::Anatomy { token_len, product_len, is_star } = token::anatomy(written);
        let value = push(&mut self.text, written);
        let token = written.get(..token_len).unwrap_or_default();
        let token = token::write_token(token, Encoding::Other, &mut self.lists.tokens);
        let opens_group = self.numbers.last() != Some(&group_no);
        if opens_group {
            self.numbers.push(group_no);
        }
        let product_len = product_len as u32;
        let agent = Agent { line_no, value, token, product_len, is_star, ..Agent::default() };
        self.lists.push_agent(agent, opens_group);
    }

    /// Adds a rule: the number of its group, its line, and its pattern as written or in normal form. The caller adds
    /// rules in the order of the file, after all user-agent lines. A rule of a group without a user-agent line is
    /// ignored.
    pub fn push_rule(&mut self, group_no: u32, line_no: u32, allow: bool, written: &[u8]) {
        let Lists { groups, rules, normals, .. } = &mut self.lists;
        let Ok(at) = self.numbers.binary_search(&group_no) else { return };
        let Some(group) = groups.get_mut(at) else { return };
        let pattern = push(&mut self.text, written);
        let start = normals.len();
        normal::write_pattern(written, normals);
        if group.rules == 0 {
            group.first_rule = rules.len() as u32;
        }
        group.rules += 1;
        rules.push(Rule {
            line_no,
            group: Some(at as u32),
            pattern,
            normal: Some(Span::new(start, normals.len())),
            wildcards: memchr::memchr_iter(b'*', written).count() as u32,
            allow,
            anchored: written.ends_with(b"$"),
            ..Rule::default()
        });
    }

    /// The file as read by a dialect; `None` for a dialect that needs the text, see
    /// [`Dialect::has_lines_of_rfc_9309`].
    #[must_use]
    pub fn reading(&self, dialect: Dialect) -> Option<Reading<'_>> {
        let reading = || Reading::of_lists(dialect, &self.text, &self.lists);
        dialect.has_lines_of_rfc_9309().then(reading)
    }
}

fn push(text: &mut Vec<u8>, bytes: &[u8]) -> Span {
    let start = text.len();
    text.extend_from_slice(bytes);
    Span::new(start, text.len())
}
