//! User-agent lines and their groups, RFC 9309 § 2.2.1.

use super::Reader;
use super::content::{Directive, LineContent};
use crate::byte::{self, class};
use crate::limits;
use crate::parsed::Agent;
use crate::span::Span;
use crate::token::{self, Anatomy};
use crate::violation::Code;

impl Reader<'_, '_> {
    pub(super) fn agent(&mut self, line: Directive) {
        let content = line.content(self.text);
        let LineContent { value, span, .. } = content;
        let anatomy = token::anatomy(value);
        let cause = if anatomy.is_valid(value) { None } else { Some((cause_of_agent(value), span)) };
        self.close_directive(line, cause, &content);
        let (name, span) = content.first_bytes(limits::NAME_BYTES);
        self.push_agent(span, if name.len() < value.len() { token::anatomy(name) } else { anatomy });
    }

    /// Adds a user-agent line to the open head, or starts a group.
    ///
    /// § 2.1: "The group is terminated by a user-agent line or end of file", once it has a rule. § 2.2.4: "Parsing of
    /// other records MUST NOT interfere", so a record between two user-agent lines does not separate them.
    #[inline]
    pub(super) fn push_agent(&mut self, value: Span, anatomy: Anatomy) {
        let agent_no = self.lists.agents.len() as u32;
        let splits_head = self.head_is_open && self.head_is_split;
        if !self.head_is_open {
            self.paths.clear();
        }
        let Anatomy { token_len, product_len, is_star } = anatomy;
        let written = value.slice(self.text);
        let token = written.get(..token_len).unwrap_or_default();
        let token = token::write_token(token, self.facts.encoding, &mut self.lists.tokens);
        let agent = Agent {
            line_no: self.line_no,
            value,
            token,
            first_of_token: agent_no,
            product_len: product_len as u32,
            is_star,
            token_is_valid: anatomy.is_valid(written),
            splits_head,
            ..Agent::default()
        };
        self.lists.push_agent(agent, !self.head_is_open);
        self.head_is_open = true;
        self.head_is_split = false;
        if splits_head {
            self.note(Code::GroupHeadSplitByOther, self.line_no, value);
        }
        self.note_repeated_token(agent_no);
    }

    /// § 2.2.1: "If there is more than one group matching the user-agent, the matching groups' rules MUST be combined".
    #[inline]
    fn note_repeated_token(&mut self, agent_no: u32) {
        let Some((agent, before)) = self.lists.agents.split_last_mut() else { return };
        let tokens = &self.lists.tokens;
        let token_of = |other: u32| before.get(other as usize).map_or(&b""[..], |other| other.token.slice(tokens));
        if let Some((first, _)) = self.names.note(agent.token.slice(tokens), agent_no, 0, token_of) {
            agent.first_of_token = first;
            let is_elsewhere = before.get(first as usize).is_some_and(|first| first.group != agent.group);
            let value = agent.value;
            if is_elsewhere && value.len > 0 {
                self.note(Code::GroupDuplicateAgent, self.line_no, value);
            }
        }
    }
}

/// Why the ABNF does not derive a name, § 2.2: `product-token = identifier / "*"`. Returns the most specific of several
/// causes.
fn cause_of_agent(value: &[u8]) -> Code {
    let classes = value.iter().fold(0, |classes, &byte| classes | class(byte));
    let has = |wanted: u16| classes & wanted != 0;
    let is_header = || {
        let is_mozilla = value.get(..8).is_some_and(|start| start.eq_ignore_ascii_case(b"mozilla/"));
        is_mozilla || (has(byte::OTHER) && value.contains(&b'('))
    };
    match () {
        () if value.is_empty() => Code::UaEmpty,
        () if is_header() => Code::UaFullHeader,
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
