//! The rows of a body: what it says, and how it departs from the grammar, on their way to six tables.
//!
//! All of them are functions of the body's bytes alone, so that a body which occurs again needs none of this.

mod ruleset;
mod text;

use robots::{Code, Extension, Facts, Parsed, Rule, Span, Tier, Violation};
use tables::{bodies, groups, policies, records, rules, violations};
use text::{Text, percent_encoded};

pub use ruleset::Sha1Base32;

/// An excerpt is no longer than this, in bytes.
const EXCERPT_BYTES: usize = 120;

/// Rows that hang off bodies, on their way to their files.
#[derive(Debug, Default)]
pub struct BodyRows {
    /// Rows of `bodies`.
    pub bodies: bodies::Batch,
    /// Rows of `groups`.
    pub groups: groups::Batch,
    /// Rows of `rules`.
    pub rules: rules::Batch,
    /// Rows of `records`.
    pub records: records::Batch,
    /// Rows of `violations`.
    pub violations: violations::Batch,
    /// Rows of `policies`.
    pub policies: policies::Batch,
    text: Text,
    ruleset: Vec<u8>,
}

/// Whether the text of a body is kept beside what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeepText {
    /// In `bodies.text`.
    Yes,
    /// That column is null.
    No,
}

impl BodyRows {
    /// Adds all rows of a body.
    ///
    /// `digest` is the SHA-1 of its bytes in base32, which who asks has computed already to know whether it is new.
    pub fn push(&mut self, body_id: i64, digest: &str, parsed: &Parsed<'_>, keep_text: KeepText) {
        self.body(body_id, digest, parsed, keep_text);
        self.groups(body_id, parsed);
        self.rules(body_id, parsed);
        self.records(body_id, parsed);
        self.violations(body_id, parsed);
        self.policies(body_id, parsed);
    }

    fn body(&mut self, body_id: i64, digest: &str, parsed: &Parsed<'_>, keep_text: KeepText) {
        let Facts { body_bytes, parsed_bytes, line_count, .. } = parsed.facts;
        let facts = &parsed.facts;
        ruleset::write(parsed, &mut self.ruleset);
        let ruleset_digest = Sha1Base32::of(&self.ruleset);
        let sitemaps = parsed.records().iter().filter(|record| record.extension == Extension::Sitemap).count();
        let rules = parsed.rules().len();
        self.bodies.push(bodies::Row {
            body_id,
            content_digest: digest,
            body_bytes: large(body_bytes),
            exceeds_500_kib: facts.exceeds_500_kib(),
            parsed_bytes: large(parsed_bytes),
            kind: facts.kind.name(),
            encoding: facts.encoding.name(),
            has_bom: facts.has_bom,
            is_utf8: facts.is_utf8(),
            line_endings: facts.line_endings.name(),
            line_count: small(line_count),
            blank_lines: small(facts.blank_lines),
            comment_lines: small(facts.comment_lines),
            longest_line_bytes: small(facts.longest_line_bytes),
            group_count: count(parsed.groups().len()),
            agent_count: count(parsed.agents().len()),
            rule_count: count(rules),
            allow_count: small(facts.allow_count),
            disallow_count: count(rules) - small(facts.allow_count),
            record_count: count(parsed.records().len()),
            sitemap_count: count(sitemaps),
            violation_count: count(parsed.violations().len()),
            violations_tier_a: small(facts.violations(Tier::A)),
            violations_tier_b: small(facts.violations(Tier::B)),
            violations_tier_c: small(facts.violations(Tier::C)),
            conforms: facts.conforms,
            rules_beyond_500_kib: small(facts.rules_beyond_500_kib),
            ruleset_digest: ruleset_digest.as_str(),
            text: match keep_text {
                KeepText::Yes => Some(self.text.of(parsed.text())),
                KeepText::No => None,
            },
        });
    }

    fn groups(&mut self, body_id: i64, parsed: &Parsed<'_>) {
        for (agent, agent_no) in parsed.agents().iter().zip(0..) {
            let mut token = Text::default();
            self.groups.push(groups::Row {
                body_id,
                group_no: small(agent.group),
                agent_no,
                line_no: small(agent.line_no),
                agent: self.text.of(parsed.bytes(agent.value)),
                token: token.of(parsed.token(agent)),
                token_is_valid: agent.token_is_valid,
                splits_head: agent.splits_head,
            });
        }
    }

    fn rules(&mut self, body_id: i64, parsed: &Parsed<'_>) {
        for (rule, rule_no) in parsed.rules().iter().zip(0..) {
            let Rule { line_no, group, pattern, wildcards, allow, anchored, beyond_500_kib, key_is_misspelt, .. } =
                *rule;
            let normal = parsed.normal(rule);
            self.rules.push(rules::Row {
                body_id,
                rule_no,
                group_no: group.map(small),
                line_no: small(line_no),
                byte_offset: small(pattern.start),
                allow,
                pattern: &percent_encoded(parsed.bytes(pattern)),
                pattern_normal: &percent_encoded(normal),
                octets: count(normal.len()),
                wildcards: small(wildcards),
                anchored,
                beyond_500_kib,
                key_is_misspelt,
            });
        }
    }

    fn records(&mut self, body_id: i64, parsed: &Parsed<'_>) {
        for record in parsed.records() {
            let key = parsed.bytes(record.key).to_ascii_lowercase();
            self.records.push(records::Row {
                body_id,
                line_no: small(record.line_no),
                group_no: record.group.map(small),
                key: &String::from_utf8_lossy(&key),
                value: self.text.of(parsed.bytes(record.value)),
            });
        }
    }

    fn violations(&mut self, body_id: i64, parsed: &Parsed<'_>) {
        for Violation { code, line_no, span } in parsed.violations().iter().copied() {
            self.violations.push(violations::Row {
                body_id,
                line_no: Some(small(line_no)).filter(|line_no| *line_no > 0),
                byte_offset: small(span.start),
                tier: code.tier().name(),
                code: Code::name(code),
                severity: code.severity().name(),
                effect: code.effect().name(),
                excerpt: self.text.of(excerpt(parsed, span)),
            });
        }
    }

    fn policies(&mut self, body_id: i64, parsed: &Parsed<'_>) {
        for policy in robots::policies(parsed) {
            let terms = policy.terms;
            self.policies.push(policies::Row {
                body_id,
                token: self.text.of(policy.token),
                merged_groups: small(policy.merged_groups),
                allow_rules: small(terms.allow_rules),
                disallow_rules: small(terms.disallow_rules),
                crawl_delay_s: terms.crawl_delay_s,
                root_allowed: terms.root_allowed,
                access: terms.access.name(),
                has_disallow_root: terms.has_disallow_root,
                is_only_disallow_root: terms.is_only_disallow_root,
                deciding_line: terms.deciding_line.map(small),
            });
        }
    }

    /// About how many bytes of memory the rows take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bodies.bytes()
            + self.groups.bytes()
            + self.rules.bytes()
            + self.records.bytes()
            + self.violations.bytes()
            + self.policies.bytes()
    }
}

/// The beginning of a place, in whole characters where it is UTF-8.
fn excerpt<'p>(parsed: &'p Parsed<'_>, span: Span) -> &'p [u8] {
    let whole = parsed.bytes(span);
    let Some(cut) = whole.get(..EXCERPT_BYTES) else { return whole };
    let is_tail = |byte: &u8| (0x80..0xc0).contains(byte);
    if !whole.get(EXCERPT_BYTES).is_some_and(is_tail) {
        return cut;
    }
    let start = cut.iter().rposition(|byte| !is_tail(byte)).unwrap_or_default();
    cut.get(..start).unwrap_or_default()
}

/// All counts and places of a body are below 2^24, to which the parser reads, so that none is ever cut.
fn small(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

fn count(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

fn large(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::RecordBatch;
    use arrow_array::cast::AsArray;
    use arrow_array::types::Int32Type;

    const BODY: &[u8] =
        b"User-agent: GPTBot/1.0\nUser-agent: *\nDisallow: /caf\xe9\nAllow: /$x*\nSITEMAP: https://a.example/s\n";

    fn rows() -> BodyRows {
        let mut rows = BodyRows::default();
        rows.push(5, "DIGEST", &robots::parse(BODY), KeepText::No);
        rows
    }

    fn texts(batch: &RecordBatch, column: &str) -> Vec<Option<String>> {
        batch[column].as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect()
    }

    fn check(batch: &RecordBatch, column: &str, expected: &[&str]) {
        let expected: Vec<Option<String>> = expected.iter().map(|text| Some((*text).to_owned())).collect();
        assert_eq!(texts(batch, column), expected, "{column}");
    }

    #[test]
    fn every_table_gets_its_rows() {
        let mut rows = rows();
        let groups = rows.groups.finish().unwrap();
        check(&groups, "agent", &["GPTBot/1.0", "*"]);
        check(&groups, "token", &["gptbot", "*"]);
        let rules = rows.rules.finish().unwrap();
        check(&rules, "pattern", &["/caf%E9", "/$x*"]);
        check(&rules, "pattern_normal", &["/caf%E9", "/%24x*"]);
        assert_eq!(rules["octets"].as_primitive::<Int32Type>().values(), &[7, 6]);
        let records = rows.records.finish().unwrap();
        check(&records, "key", &["sitemap"]);
        check(&records, "value", &["https://a.example/s"]);
        let policies = rows.policies.finish().unwrap();
        check(&policies, "token", &["gptbot", "*"]);
        check(&policies, "access", &["part", "part"]);
        let violations = rows.violations.finish().unwrap();
        check(
            &violations,
            "code",
            &[
                "ua-version",
                "path-invalid-utf8",
                "path-non-ascii",
                "path-dollar-inside",
                "path-star-trailing",
                "ext-sitemap",
                "file-not-utf8",
            ],
        );
        check(&violations, "excerpt", &["GPTBot/1.0", "/caf\u{fffd}", "\u{fffd}", "$", "*", "SITEMAP", ""]);
        assert_eq!(violations["line_no"].null_count(), 1);
        let bodies = rows.bodies.finish().unwrap();
        check(&bodies, "encoding", &["other"]);
        assert_eq!(texts(&bodies, "text"), [None]);
        assert_eq!(bodies["disallow_count"].as_primitive::<Int32Type>().values(), &[1]);
    }

    #[test]
    fn text_is_kept_if_it_is_asked_for() {
        let mut rows = BodyRows::default();
        rows.push(5, "DIGEST", &robots::parse(BODY), KeepText::Yes);
        let text = texts(&rows.bodies.finish().unwrap(), "text");
        assert_eq!(text, [Some(String::from_utf8_lossy(BODY).into_owned())]);
    }

    #[test]
    fn excerpts_are_bounded_and_cut_no_character() {
        let body = format!("User-agent: {}{}\n", "a".repeat(EXCERPT_BYTES - 1), "\u{20ac}".repeat(50));
        let parsed = robots::parse(body.as_bytes());
        let violation = parsed.violations()[0];
        assert_eq!(excerpt(&parsed, violation.span), "a".repeat(EXCERPT_BYTES - 1).as_bytes());
    }
}
