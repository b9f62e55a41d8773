//! Measures of a crawl by the readers of this project, and their bounds.

use ingest::answer::{AnswerRemark, AnswerRemarks, Decoder};
use ingest::archive::{RecordOrDamage, RecordType, Workshop, read};
use ingest::rows::Sha1Base32;
use robots::{Agent, BodyKind, Encoding, LineEndings, Parsed};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// The digest of bytes, as archives have it.
pub(crate) fn digest(bytes: &[u8]) -> String {
    Sha1Base32::digest(bytes).as_str().to_owned()
}

/// Counts over the archives of a crawl.
#[derive(Default)]
pub(crate) struct Measured {
    archive_bytes: Vec<u64>,
    responses: u64,
    statuses: BTreeMap<u16, u64>,
    /// This field and the next ones count only responses with status 200.
    digests: BTreeSet<String>,
    lengths: Vec<usize>,
    lengths_not_html: Vec<usize>,
    kinds: BTreeMap<&'static str, u64>,
    line_ends: BTreeMap<&'static str, u64>,
    with_bom: u64,
    in_utf16: u64,
    with_nul: u64,
    not_utf8: u64,
    lines: u64,
    agent_lines: u64,
    agents: BTreeSet<Vec<u8>>,
    with_sitemap: u64,
    without_last_end: u64,
    rules: u64,
    other_records: u64,
    violations: u64,
    distinct: DistinctBodies,
}

/// Counts over bodies that are not HTML, each once, however many captures have it.
#[derive(Default)]
struct DistinctBodies {
    bodies: u64,
    rules: u64,
    root_rules: u64,
    /// How many patterns the bodies have, if each counts once in a body.
    body_patterns: u64,
    patterns: BTreeSet<Vec<u8>>,
    pattern_lengths: Vec<usize>,
    with_repeated_agent: u64,
    starts_with_star: u64,
    ends_with_star: u64,
}

impl DistinctBodies {
    fn add(&mut self, parsed: &Parsed<'_>) {
        let patterns: Vec<&[u8]> = parsed.rules().iter().map(|rule| parsed.bytes(rule.pattern)).collect();
        self.bodies += 1;
        self.rules += patterns.len() as u64;
        self.root_rules += patterns.iter().filter(|pattern| **pattern == b"/").count() as u64;
        self.starts_with_star += patterns.iter().filter(|pattern| pattern.starts_with(b"*")).count() as u64;
        self.ends_with_star += patterns.iter().filter(|pattern| pattern.ends_with(b"*")).count() as u64;
        self.pattern_lengths.extend(patterns.iter().map(|pattern| pattern.len()));
        let patterns: BTreeSet<&[u8]> = patterns.into_iter().collect();
        self.body_patterns += patterns.len() as u64;
        self.patterns.extend(patterns.into_iter().map(<[u8]>::to_vec));
        let first = |agent: &Agent| parsed.agents().get(agent.first_of_token as usize).unwrap();
        self.with_repeated_agent += u64::from(parsed.agents().iter().any(|agent| first(agent).group != agent.group));
    }
}

impl Measured {
    /// Reads an archive. Fails for any damage or remark but one.
    pub(crate) fn read(&mut self, archive: &[u8]) {
        let mut decoder = Decoder::default();
        let account = read(std::io::Cursor::new(archive), &mut Workshop::default(), |found| {
            let RecordOrDamage::Record(record, _) = found else { unreachable!("{found:?}") };
            assert!(record.remarks.is_empty(), "{record:?}");
            if record.record_type == RecordType::Response {
                let answer = decoder.answer(record.block);
                // Some servers send 999, and so does the generator.
                let expected = match answer.head.status {
                    Some(999) => AnswerRemarks::only(AnswerRemark::StatusOutOfRange),
                    _ => AnswerRemarks::default(),
                };
                assert_eq!(answer.remarks(), expected, "{record:?}");
                let written = String::from_utf8_lossy(record.payload_digest.unwrap_or_default());
                assert_eq!(written, format!("sha1:{}", digest(answer.body.bytes)));
                self.responses += 1;
                *self.statuses.entry(answer.head.status.unwrap()).or_default() += 1;
                if answer.head.status == Some(200) {
                    self.body(answer.body.bytes);
                }
            }
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(account.damaged_bytes, 0);
        assert_eq!((account.bytes, account.records), (archive.len() as u64, account.members));
        self.archive_bytes.push(account.bytes);
    }

    fn body(&mut self, body: &[u8]) {
        let parsed = robots::parse(body);
        let facts = &parsed.facts;
        let is_new = self.digests.insert(digest(body));
        self.lengths.push(body.len());
        *self.kinds.entry(facts.kind.name()).or_default() += 1;
        *self.line_ends.entry(facts.line_endings.name()).or_default() += 1;
        self.with_bom += u64::from(facts.has_bom);
        let is_utf16 = matches!(facts.encoding, Encoding::Utf16Le | Encoding::Utf16Be);
        self.in_utf16 += u64::from(is_utf16);
        self.with_nul += u64::from(!is_utf16 && body.contains(&0));
        self.not_utf8 += u64::from(!is_utf16 && str::from_utf8(body).is_err());
        if facts.kind == BodyKind::Html {
            return;
        }
        self.lengths_not_html.push(body.len());
        self.lines += u64::from(facts.line_count);
        self.agent_lines += parsed.agents().len() as u64;
        self.agents.extend(parsed.agents().iter().map(|agent| parsed.bytes(agent.value).to_vec()));
        self.rules += parsed.rules().len() as u64;
        self.other_records += parsed.records().len() as u64;
        self.violations += parsed.violations().len() as u64;
        if is_new {
            self.distinct.add(&parsed);
        }
        self.without_last_end += u64::from(!is_utf16 && body.last().is_some_and(|last| !b"\r\n".contains(last)));
        self.with_sitemap +=
            u64::from(parsed.records().iter().any(|record| record.extension == robots::Extension::Sitemap));
    }

    fn captures(&self) -> f64 {
        self.lengths.len() as f64
    }

    /// In percent of the responses with status 200.
    fn percent(&self, count: u64) -> f64 {
        100.0 * count as f64 / self.captures()
    }

    fn kind(&self, kind: BodyKind) -> f64 {
        self.percent(self.kinds.get(kind.name()).copied().unwrap_or_default())
    }

    fn line_ends(&self, ends: LineEndings) -> f64 {
        self.percent(self.line_ends.get(ends.name()).copied().unwrap_or_default())
    }

    fn with_status(&self, is_meant: impl Fn(u16) -> bool) -> f64 {
        self.statuses.iter().filter(|(status, _)| is_meant(**status)).map(|(_, count)| *count).sum::<u64>() as f64
    }

    fn errors(&self) -> f64 {
        self.with_status(|status| status != 200 && status / 100 != 3)
    }
}

fn quantile(lengths: &[usize], share: f64) -> f64 {
    let mut lengths = lengths.to_vec();
    lengths.sort_unstable();
    lengths.get((lengths.len() as f64 * share) as usize).copied().unwrap_or_default() as f64
}

/// A measure, its value in real crawls, and its bounds here.
pub(crate) struct MeasuredRow {
    pub(crate) name: &'static str,
    pub(crate) real: &'static str,
    pub(crate) bounds: (f64, f64),
    pub(crate) value: fn(&Measured) -> f64,
}

const fn row(name: &'static str, real: &'static str, bounds: (f64, f64), value: fn(&Measured) -> f64) -> MeasuredRow {
    MeasuredRow { name, real, bounds, value }
}

/// The real figures are those of 101,698 captures of 2017 and of 23,412 of 2024; those of rules, records,
/// violations, patterns and last lines are of 5 to 11 archives of each year. A single figure is that of both years, or of
/// 2017 alone. Most bounds include both figures, and are wider for rare cases, which vary by chance.
pub(crate) const SHAPE: &[MeasuredRow] = &[
    row("KB an archive", "2,000 to 2,800", (2_000.0, 2_900.0), |m| {
        m.archive_bytes.iter().sum::<u64>() as f64 / 1e3 / m.archive_bytes.len() as f64
    }),
    row("pairs an archive", "800 to 1,700", (1_660.0, 1_660.0), |m| m.responses as f64 / m.archive_bytes.len() as f64),
    row("redirects to a 200 answer", "0.6", (0.56, 0.64), |m| m.with_status(|status| status / 100 == 3) / m.captures()),
    row("errors to a 200 answer", "0.44", (0.41, 0.47), |m| m.errors() / m.captures()),
    row("% of errors: 4xx but the next two", "72", (69.0, 75.0), |m| {
        100.0 * m.with_status(|status| status / 100 == 4 && ![401, 403, 429].contains(&status)) / m.errors()
    }),
    row("% of errors: 401 and 403", "14", (12.0, 16.0), |m| {
        100.0 * m.with_status(|status| matches!(status, 401 | 403)) / m.errors()
    }),
    row("% of errors: 5xx and 429", "12", (10.0, 14.0), |m| {
        100.0 * m.with_status(|status| status / 100 == 5 || status == 429) / m.errors()
    }),
    row("distinct bodies to a 200 answer", "0.64, 0.57", (0.57, 0.64), |m| m.digests.len() as f64 / m.captures()),
    row("bytes, p50", "189, 200", (170.0, 245.0), |m| quantile(&m.lengths, 0.5)),
    row("bytes, p90", "4,291, 2,627", (2_600.0, 4_500.0), |m| quantile(&m.lengths, 0.9)),
    row("bytes, p99", "146,130, 87,759", (80_000.0, 150_000.0), |m| quantile(&m.lengths, 0.99)),
    row("bytes, p50, not HTML", "193, 204", (160.0, 225.0), |m| quantile(&m.lengths_not_html, 0.5)),
    row("bytes, p90, not HTML", "2,189, 2,189", (1_900.0, 2_400.0), |m| quantile(&m.lengths_not_html, 0.9)),
    row("bytes, p99, not HTML", "15,293, 22,069", (12_000.0, 24_000.0), |m| quantile(&m.lengths_not_html, 0.99)),
    row("% HTML", "8.3, 11.7", (8.0, 12.0), |m| m.kind(BodyKind::Html)),
    row("% empty", "8.8, 3.0", (3.0, 9.0), |m| m.kind(BodyKind::Empty)),
    row("% with a byte order mark", "1.9, 1.7", (1.2, 2.4), |m| m.percent(m.with_bom)),
    row("% UTF-16", "0.02, 0", (0.0, 0.15), |m| m.percent(m.in_utf16)),
    row("% with NUL", "0.2, 0.06", (0.02, 0.4), |m| m.percent(m.with_nul)),
    row("% not UTF-8", "0.9, 0", (0.4, 1.2), |m| m.percent(m.not_utf8)),
    row("% lines end in LF", "61, 75", (58.0, 75.0), |m| m.line_ends(LineEndings::Lf)),
    row("% lines end in CR LF", "23, 16", (15.0, 24.0), |m| m.line_ends(LineEndings::CrLf)),
    row("% lines end in CR", "0.10, 0.05", (0.0, 0.4), |m| m.line_ends(LineEndings::Cr)),
    row("% lines end in several ways", "5.5, 2.2", (2.0, 6.0), |m| m.line_ends(LineEndings::Mixed)),
    row("% no end of line", "9.8, 7.0", (6.5, 11.0), |m| m.line_ends(LineEndings::None)),
    row("lines to a body that is not HTML", "36, 59", (30.0, 60.0), |m| {
        m.lines as f64 / m.lengths_not_html.len() as f64
    }),
    row("user-agent lines to a body that is not HTML", "3.3, 5.4", (2.8, 5.5), |m| {
        m.agent_lines as f64 / m.lengths_not_html.len() as f64
    }),
    row("distinct user-agent values to a hundred lines", "3.4, 3.3", (2.5, 6.0), |m| {
        100.0 * m.agents.len() as f64 / m.agent_lines as f64
    }),
    row("% name a sitemap, not HTML", "36, 54", (30.0, 55.0), |m| {
        100.0 * m.with_sitemap as f64 / m.lengths_not_html.len() as f64
    }),
    row("% last line without an end, not HTML", "37, 41", (36.0, 42.0), |m| {
        100.0 * m.without_last_end as f64 / m.lengths_not_html.len() as f64
    }),
    row("rules to a body that is not HTML", "24, 50", (24.0, 50.0), |m| {
        m.rules as f64 / m.lengths_not_html.len() as f64
    }),
    row("other records to a body that is not HTML", "1.3, 1.8", (1.2, 1.9), |m| {
        m.other_records as f64 / m.lengths_not_html.len() as f64
    }),
    row("violations to a body that is not HTML", "5.9, 14", (5.9, 14.0), |m| {
        m.violations as f64 / m.lengths_not_html.len() as f64
    }),
    row("% of rules: / alone, distinct bodies", "11, 8", (4.5, 11.0), |m| {
        100.0 * m.distinct.root_rules as f64 / m.distinct.rules as f64
    }),
    row("% of rules: pattern begins with a star, distinct bodies", "1.7, 2.4", (1.5, 2.6), |m| {
        100.0 * m.distinct.starts_with_star as f64 / m.distinct.rules as f64
    }),
    row("% of rules: pattern ends with a star, distinct bodies", "7.8, 13", (7.5, 14.0), |m| {
        100.0 * m.distinct.ends_with_star as f64 / m.distinct.rules as f64
    }),
    row("% of rules: their body has the pattern before, distinct bodies", "27, 35", (25.0, 42.0), |m| {
        100.0 - 100.0 * m.distinct.body_patterns as f64 / m.distinct.rules as f64
    }),
    row("distinct patterns to a hundred of distinct bodies", "68, 56", (56.0, 70.0), |m| {
        100.0 * m.distinct.patterns.len() as f64 / m.distinct.body_patterns as f64
    }),
    row("bytes of a pattern, p50, distinct bodies", "14, 17", (13.0, 18.0), |m| {
        quantile(&m.distinct.pattern_lengths, 0.5)
    }),
    row("bytes of a pattern, p90, distinct bodies", "41, 71", (40.0, 72.0), |m| {
        quantile(&m.distinct.pattern_lengths, 0.9)
    }),
    row("% have several groups for an agent, distinct bodies", "4.7, 6.2", (4.0, 7.0), |m| {
        100.0 * m.distinct.with_repeated_agent as f64 / m.distinct.bodies as f64
    }),
];
