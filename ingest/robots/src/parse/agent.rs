//! User-agent lines, RFC 9309 § 2.2.1, and the groups that they head.

use super::{Directive, Reader, bare};
use crate::byte::{self, class, trim};
use crate::parsed::{Agent, Group};
use crate::span::Span;
use crate::token::{self, Anatomy};
use crate::violation::Code;

impl Reader<'_, '_> {
    #[inline]
    pub(super) fn agent(&mut self, line: Directive) {
        let Directive { value_at, end, key_cause } = line;
        let Some(rest) = self.text.get(value_at..end) else { return };
        let (mut classes, mut content_len) = (0, rest.len());
        for (at, &byte) in rest.iter().enumerate() {
            let class = class(byte);
            if class == byte::HASH {
                content_len = at;
                break;
            }
            classes |= class;
        }
        let content = rest.get(..content_len).unwrap_or_default();
        let value = if classes & byte::NUL == 0 { trim(content) } else { bare(content) };
        let skipped = content.iter().take_while(|&&byte| byte == b' ' || byte == b'\t' || byte == 0).count();
        let start = value_at + skipped.min(content_len - value.len());
        let span = Span::new(start, start + value.len());
        let Anatomy { token_len, product_len, is_star } = token::anatomy(value);
        let token_is_valid = !value.is_empty() && (product_len == value.len() || (is_star && value.len() == 1));
        let cause = if token_is_valid { None } else { Some((cause_of_agent(value), span)) };
        let nul = || classes & byte::NUL != 0;
        let cause = cause.or(key_cause).or_else(|| nul().then_some((Code::NulByte, Span::new(value_at, end))));
        self.close(cause, content_len, value_at, end);
        self.open_head(span);
        let group = self.lists.groups.len() as u32 - 1;
        let agent = Agent {
            line_no: self.line_no,
            group,
            value: span,
            token_len: token_len as u32,
            product_len: product_len as u32,
            is_star,
            token_is_valid,
            splits_head: self.head_is_split,
        };
        self.lists.agents.push(agent);
        self.head_is_split = false;
        self.note_if_named(value.get(..token_len).unwrap_or_default(), &agent);
    }

    /// § 2.1: "The group is terminated by a user-agent line or end of file", once it has a rule. § 2.2.4: "Parsing of
    /// other records MUST NOT interfere", so that a record between two user-agent lines does not part them.
    #[inline]
    fn open_head(&mut self, span: Span) {
        match self.lists.groups.last_mut() {
            Some(group) if self.head_is_open => {
                group.agents += 1;
                if self.head_is_split {
                    self.note(Code::GroupHeadSplitByOther, self.line_no, span);
                }
            }
            _ => {
                self.head_is_open = true;
                self.head_is_split = false;
                self.parser.paths.clear();
                self.lists.groups.push(Group {
                    first_agent: self.lists.agents.len() as u32,
                    agents: 1,
                    first_rule: self.lists.rules.len() as u32,
                    rules: 0,
                });
            }
        }
    }

    /// § 2.2.1: "If there is more than one group matching the user-agent, the matching groups' rules MUST be combined".
    #[inline]
    fn note_if_named(&mut self, token: &[u8], agent: &Agent) {
        if token.is_empty() {
            return;
        }
        let name = &mut self.parser.name;
        name.clear();
        name.extend(token.iter().map(u8::to_ascii_lowercase));
        let (text, agents) = (self.text, &self.lists.agents);
        let is_same = |other: u32| {
            agents.get(other as usize).is_some_and(|other| {
                let value = other.value.of(text);
                value.get(..other.token_len as usize).is_some_and(|other| other.eq_ignore_ascii_case(token))
            })
        };
        let place = agents.len() as u32 - 1;
        let seen = self.parser.names.note(name, place, 1, is_same);
        let earlier = seen.and_then(|(first, _)| agents.get(first as usize));
        if earlier.is_some_and(|earlier| earlier.group != agent.group) {
            self.note(Code::GroupDuplicateAgent, self.line_no, agent.value);
        }
    }
}

/// Why the ABNF does not derive a name, § 2.2: `product-token = identifier / "*"`. The most telling reason comes first.
#[cold]
fn cause_of_agent(value: &[u8]) -> Code {
    let classes = value.iter().fold(0, |classes, &byte| classes | class(byte));
    let has = |wanted: u16| classes & wanted != 0;
    let is_header =
        value.contains(&b'(') || value.get(..8).is_some_and(|start| start.eq_ignore_ascii_case(b"mozilla/"));
    match () {
        () if value.is_empty() => Code::UaEmpty,
        () if is_header => Code::UaFullHeader,
        () if has(byte::COMMA) => Code::UaList,
        () if has(byte::STAR) => Code::UaStarMixed,
        () if has(byte::HIGH) => Code::UaNonAscii,
        () if has(byte::SLASH) => Code::UaVersion,
        () if has(byte::BLANK) => Code::UaSpace,
        () if has(byte::OTHER | byte::UNSAFE | byte::DOLLAR | byte::PERCENT | byte::CONTROL) => Code::UaBadChar,
        () if has(byte::DOT) => Code::UaDot,
        () if has(byte::DIGIT) => Code::UaDigit,
        () => Code::NulByte,
    }
}
