//! Turns a body into rows of seven tables: what it says, and how it departs from the grammar.
//!
//! The rows depend only on the bytes of the body, so a repeated body needs no rows of its own.

mod ruleset;
#[cfg(test)]
mod tests;
mod text;

use crate::number::{large, small};
use robots::{Code, Extension, NoEffect, Parsed, PreferenceProblem, Rule, Stated, Tier, Violation};
use tables::{
    BatchSink, ParquetError, RowWriter, Table, bodies, groups, policies, preferences, records, rules, violations,
};
use text::TextBuffer;

pub use ruleset::Sha1Base32;

/// The maximum length of an excerpt, in bytes.
const EXCERPT_BYTES: usize = 120;

/// The tables whose rows belong to bodies.
#[derive(Debug)]
pub struct BodyTables<S: BatchSink> {
    /// `bodies`.
    pub bodies: RowWriter<bodies::Batch, S>,
    /// `groups`.
    pub groups: RowWriter<groups::Batch, S>,
    /// `rules`.
    pub rules: RowWriter<rules::Batch, S>,
    /// `records`.
    pub records: RowWriter<records::Batch, S>,
    /// `preferences`.
    pub preferences: RowWriter<preferences::Batch, S>,
    /// `violations`.
    pub violations: RowWriter<violations::Batch, S>,
    /// `policies`.
    pub policies: RowWriter<policies::Batch, S>,
}

/// Scratch memory for turning bodies into rows, reused between bodies.
#[derive(Debug, Default)]
pub struct BodyRows {
    text: TextBuffer,
    token: TextBuffer,
    ruleset: Vec<u8>,
}

/// Whether `bodies.text` has the text of a body.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum KeepText {
    /// It has the text.
    Yes,
    /// It is null.
    #[default]
    No,
}

impl From<bool> for KeepText {
    fn from(keeps: bool) -> Self {
        if keeps { KeepText::Yes } else { KeepText::No }
    }
}

impl<S: BatchSink> BodyTables<S> {
    /// Tables without rows, each with its sink.
    pub fn new(mut sink: impl FnMut(Table) -> S) -> Self {
        BodyTables {
            bodies: RowWriter::new(sink(bodies::table())),
            groups: RowWriter::new(sink(groups::table())),
            rules: RowWriter::new(sink(rules::table())),
            records: RowWriter::new(sink(records::table())),
            preferences: RowWriter::new(sink(preferences::table())),
            violations: RowWriter::new(sink(violations::table())),
            policies: RowWriter::new(sink(policies::table())),
        }
    }

    /// Hands on all rows.
    pub fn flush(&mut self) -> Result<(), ParquetError> {
        self.bodies.flush()?;
        self.groups.flush()?;
        self.rules.flush()?;
        self.records.flush()?;
        self.preferences.flush()?;
        self.violations.flush()?;
        self.policies.flush()
    }
}

impl BodyRows {
    /// Adds all rows of a body. `digest` is the SHA-1 of the part that was kept.
    pub fn push<S: BatchSink>(
        &mut self,
        body_id: i64,
        digest: &Sha1Base32,
        parsed: &Parsed<'_>,
        keep_text: KeepText,
        tables: &mut BodyTables<S>,
    ) -> Result<(), ParquetError> {
        let mut body = BodyToWrite { body_id, parsed, scratch: self, tables };
        body.body(digest, keep_text)?;
        body.groups()?;
        body.rules()?;
        body.records()?;
        body.preferences()?;
        body.violations()?;
        body.policies()?;
        self.text.shrink();
        self.token.shrink();
        Ok(())
    }
}

/// A body that becomes rows.
struct BodyToWrite<'b, 'p, S: BatchSink> {
    body_id: i64,
    parsed: &'b Parsed<'p>,
    scratch: &'b mut BodyRows,
    tables: &'b mut BodyTables<S>,
}

impl<S: BatchSink> BodyToWrite<'_, '_, S> {
    fn body(&mut self, digest: &Sha1Base32, keep_text: KeepText) -> Result<(), ParquetError> {
        let parsed = self.parsed;
        let facts = &parsed.facts;
        let ruleset_digest = ruleset::digest(parsed, &mut self.scratch.ruleset);
        let sitemaps = parsed.records().iter().filter(|record| record.extension == Extension::Sitemap).count();
        let rules = parsed.rules().len();
        self.tables.bodies.push(bodies::Row {
            body_id: self.body_id,
            content_digest: digest.as_str(),
            body_bytes: large(facts.body_bytes),
            exceeds_500_kib: facts.exceeds_500_kib(),
            parsed_bytes: large(facts.parsed_bytes),
            kind: facts.kind.name(),
            may_be_robots: facts.kind.may_be_robots(),
            encoding: facts.encoding.name(),
            has_bom: facts.has_bom,
            is_utf8: facts.is_utf8(),
            line_endings: facts.line_endings.name(),
            line_count: small(facts.line_count),
            blank_lines: small(facts.blank_lines),
            comment_lines: small(facts.comment_lines),
            longest_line_bytes: small(facts.longest_line_bytes),
            group_count: small(parsed.groups().len()),
            agent_count: small(parsed.agents().len()),
            rule_count: small(rules),
            allow_count: small(facts.allow_count),
            disallow_count: small(rules) - small(facts.allow_count),
            record_count: small(parsed.records().len()),
            sitemap_count: small(sitemaps),
            violation_count: small(parsed.violations().len()),
            violations_tier_a: small(facts.violations(Tier::A)),
            violations_tier_b: small(facts.violations(Tier::B)),
            violations_tier_c: small(facts.violations(Tier::C)),
            conforms: facts.conforms,
            rules_beyond_500_kib: small(facts.rules_beyond_500_kib),
            ruleset_digest: ruleset_digest.first_80_bits(),
            text: match keep_text {
                KeepText::Yes => Some(self.scratch.text.decode(parsed.text())),
                KeepText::No => None,
            },
        })
    }

    fn groups(&mut self) -> Result<(), ParquetError> {
        let parsed = self.parsed;
        let agents = parsed.groups().iter().flat_map(|group| {
            let root = parsed.root_weight(group);
            parsed.agents_of(group).iter().map(move |agent| (agent, root))
        });
        for ((agent, root), agent_no) in agents.zip(0..) {
            self.tables.groups.push(groups::Row {
                body_id: self.body_id,
                group_no: small(agent.group),
                agent_no,
                line_no: small(agent.line_no),
                // As in a token, names that differ have different texts.
                agent: &robots::percent_encoded(parsed.bytes(agent.value)),
                token: self.scratch.text.decode(parsed.token(agent)),
                // A product token is ASCII.
                product_token: parsed.other_product_token(agent).and_then(|token| str::from_utf8(token).ok()),
                token_is_valid: agent.token_is_valid,
                splits_head: agent.splits_head,
                root_allowed: root.allows(),
                root_weight: small(root.to_number()),
            })?;
        }
        Ok(())
    }

    fn rules(&mut self) -> Result<(), ParquetError> {
        let parsed = self.parsed;
        let no_effects = robots::find_rules_without_effect(parsed);
        for ((rule, no_effect), rule_no) in parsed.rules().iter().zip(no_effects).zip(0..) {
            let Rule { line_no, group, pattern, wildcards, allow, anchored, beyond_500_kib, key_is_misspelt, .. } =
                *rule;
            let (written, normal) = (parsed.bytes(pattern), parsed.normal(rule));
            let written_text = robots::percent_encoded(written);
            let normal_text = (normal != written).then(|| robots::percent_encoded(normal));
            self.tables.rules.push(rules::Row {
                body_id: self.body_id,
                rule_no,
                group_no: group.map(small),
                line_no: small(line_no),
                byte_offset: small(pattern.start),
                allow,
                pattern: &written_text,
                pattern_normal: normal_text.as_deref().filter(|normal| *normal != written_text),
                octets: small(normal.len()),
                wildcards: small(wildcards),
                anchored,
                matches_root: parsed.matches_root(rule),
                no_effect: no_effect.map(NoEffect::name),
                beyond_500_kib,
                key_is_misspelt,
            })?;
        }
        Ok(())
    }

    fn records(&mut self) -> Result<(), ParquetError> {
        let parsed = self.parsed;
        for record in parsed.records() {
            let key = parsed.bytes(record.key).to_ascii_lowercase();
            self.tables.records.push(records::Row {
                body_id: self.body_id,
                line_no: small(record.line_no),
                group_no: record.group.map(small),
                key: &String::from_utf8_lossy(&key),
                record: record.extension.name(),
                value: self.scratch.text.decode(parsed.bytes(record.value)),
            })?;
        }
        Ok(())
    }

    fn preferences(&mut self) -> Result<(), ParquetError> {
        let parsed = self.parsed;
        for preference in parsed.preferences() {
            self.tables.preferences.push(preferences::Row {
                body_id: self.body_id,
                line_no: small(preference.line_no),
                group_no: preference.group.map(small),
                signal: preference.signal.name(),
                path: &robots::percent_encoded(parsed.bytes(preference.path)),
                place: small(preference.place),
                member: self.scratch.text.decode(parsed.bytes(preference.member)),
                label: self.scratch.token.decode(&preference.label(parsed.text())),
                value: &String::from_utf8_lossy(&preference.value(parsed.text())),
                stated: preference.stated.map(Stated::name),
                problem: preference.problem.map(PreferenceProblem::name),
                effect: preference.effect().name(),
            })?;
        }
        Ok(())
    }

    fn violations(&mut self) -> Result<(), ParquetError> {
        let parsed = self.parsed;
        for Violation { code, line_no, span } in parsed.violations().iter().copied() {
            self.tables.violations.push(violations::Row {
                body_id: self.body_id,
                line_no: Some(small(line_no)).filter(|line_no| *line_no > 0),
                byte_offset: small(span.start),
                tier: code.tier().name(),
                code: Code::name(code),
                severity: code.severity().name(),
                effect: code.effect().name(),
                excerpt: self.scratch.text.decode(robots::first_bytes(parsed.bytes(span), EXCERPT_BYTES)),
            })?;
        }
        Ok(())
    }

    fn policies(&mut self) -> Result<(), ParquetError> {
        let parsed = self.parsed;
        for policy in robots::policies(parsed) {
            let terms = policy.terms;
            self.tables.policies.push(policies::Row {
                body_id: self.body_id,
                token: self.scratch.text.decode(policy.token),
                is_written: policy.is_written,
                merged_groups: small(policy.merged_groups),
                allow_rules: small(terms.allow_rules),
                disallow_rules: small(terms.disallow_rules),
                crawl_delay_s: terms.crawl_delay_s,
                root_allowed: terms.root_allowed,
                access: terms.access.name(),
                has_disallow_root: terms.has_disallow_root,
                is_only_disallow_root: terms.is_only_disallow_root,
                is_only_allow_all: terms.is_only_allow_all,
                rules_beyond_500_kib: small(terms.rules_beyond_500_kib),
                root_allowed_within_500_kib: policy.root_allowed_within_500_kib,
                access_within_500_kib: policy.access_within_500_kib.name(),
                deciding_line: terms.deciding_line.map(small),
                gain: policy.gain.map(|gain| gain.kind.name()),
                gained_paths: policy.gain.map(|gain| small(gain.paths)),
            })?;
        }
        Ok(())
    }
}
