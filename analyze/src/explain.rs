//! Explains why a crawler may or may not fetch a URL in each crawl: site, captures, redirects, groups and rule.

use crate::engine::failure::engine_failure;
use crate::engine::session::Session;
use crate::statement::{ParameterValue, ParameterValues};
use datafusion::arrow::array::{Array, AsArray as _, RecordBatch};
use datafusion::arrow::datatypes::{Int32Type, Int64Type, TimestampMillisecondType};
use datafusion::common::exec_datafusion_err;
use datafusion::error::DataFusionError;
use folder::Failure;
use robots::{Dialect, MatchKind, Naming, Pattern, RedirectEnd, SiteOutcome, Target, Transcript};
use serde::{Serialize, Serializer};
use std::collections::HashSet;
use std::path::Path;
use url::Url;

/// The verdict of one crawl on a URL and a crawler.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The name of the crawl.
    pub crawl: String,
    /// The site; `None` if its robots.txt was not captured.
    pub site: Option<ExplainedSite>,
}

/// A site in a crawl.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExplainedSite {
    /// Whether the URL may be fetched; `None` if that is not known.
    pub allowed: Option<bool>,
    /// The outcome, as in `sites`.
    #[serde(serialize_with = "outcome_word")]
    pub outcome: SiteOutcome,
    /// The number of captures of its robots.txt.
    pub captures: i64,
    /// The chosen capture, and the capture at the end of its redirects if that is another one.
    pub chain: Vec<ExplainedCapture>,
    /// The redirect that could not be followed, if there is one.
    pub dead_end: Option<DeadEnd>,
    /// Which groups apply.
    #[serde(serialize_with = "match_word")]
    pub match_kind: MatchKind,
    /// The user-agent lines of the groups that apply.
    pub agents: Vec<ExplainedLine>,
    /// The deciding rule, if there is one.
    pub rule: Option<ExplainedRule>,
    /// The number of rules of these groups that match the path.
    pub matching_rules: usize,
}

/// A capture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExplainedCapture {
    /// Its URL.
    pub url: String,
    /// When it was fetched, in UTC.
    pub fetch_time: Option<String>,
    /// Its HTTP status.
    pub fetch_status: Option<i32>,
}

/// A redirect that could not be followed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeadEnd {
    /// The reason, as in `redirect_end` of `sites`.
    #[serde(serialize_with = "end_word")]
    pub reason: RedirectEnd,
    /// Its target, if that is known.
    pub url: Option<String>,
}

fn outcome_word<S: Serializer>(outcome: &SiteOutcome, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(outcome.name())
}

fn match_word<S: Serializer>(kind: &MatchKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

fn end_word<S: Serializer>(end: &RedirectEnd, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(end.name())
}

/// A line of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExplainedLine {
    /// Its number, from 1.
    pub line_no: i32,
    /// Its value.
    pub value: String,
}

/// A rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExplainedRule {
    /// Its line, from 1.
    pub line_no: i32,
    /// Whether it allows.
    pub allow: bool,
    /// Its pattern as written.
    pub pattern: String,
    /// The length of the normalised pattern, in octets; the longest matching pattern decides.
    pub octets: i32,
}

/// The sites of the folder that may be meant by a URL: the same host with or without `www.`, over http or https. Empty
/// if there is none, or the URL is not valid.
pub async fn neighbours(session: &Session, url: &str) -> Vec<String> {
    let Ok(parsed) = Url::parse(url) else { return Vec::new() };
    let Some(host) = parsed.host_str() else { return Vec::new() };
    let bare = host.trim_end_matches('.').trim_start_matches("www.");
    let hosts = vec![bare.to_owned(), format!("www.{bare}")];
    let values = ParameterValues::from([("hosts".to_owned(), ParameterValue::Texts(hosts))]);
    let sites = texts(session, NEIGHBOURS, &values).await.unwrap_or_default();
    // An origin is written without its default port.
    let origin = |site: String| Url::parse(&site).map_or(site, |url| url.origin().ascii_serialization());
    let mut origins: Vec<String> = sites.into_iter().map(origin).collect();
    origins.sort_unstable();
    origins.truncate(MOST_NEIGHBOURS);
    origins
}

/// Explains a URL in each crawl of the folder, in the order in which the crawls started. Fails if the URL is not valid,
/// its path changes when it is parsed, or a table cannot be read.
pub async fn explain(session: &Session, url: &str, agent: &str) -> Result<Vec<Explanation>, Failure> {
    let place = || Path::new(url);
    let parsed = Url::parse(url).map_err(|error| Failure::new("URL cannot be read", place(), whole_url(url, error)))?;
    let (Some(host), Some(port)) = (parsed.host_str(), parsed.port_or_known_default()) else {
        return Err(Failure::new("URL cannot be read", place(), whole_url(url, "it is not a web URL")));
    };
    let [target, parsed_target] = [url, parsed.as_str()].map(|url| Target::new(url.as_bytes(), Dialect::Rfc9309));
    // Parsing removes tabs, outer blanks and `..`, and replaces `\`, so the site would get a verdict on another path. It
    // also encodes characters such as `{`, which rules compare as written.
    if !target.has_same_octets(&parsed_target) {
        let cause = format!("crawlers fetch another path than this; did you mean {parsed}?");
        return Err(Failure::new("URL cannot be read", place(), cause));
    }
    let explainer = Explainer { session, agent, target };
    let values = ParameterValues::from([
        ("protocol".to_owned(), ParameterValue::Text(parsed.scheme().to_owned())),
        ("host".to_owned(), ParameterValue::Text(host.trim_end_matches('.').to_owned())),
        ("port".to_owned(), ParameterValue::Integer(port.into())),
    ]);
    let explained = async {
        let mut explanations = Vec::new();
        for crawl in texts(session, "SELECT crawl FROM crawls ORDER BY crawl_no", &ParameterValues::new()).await? {
            let mut values = values.clone();
            values.insert("crawl".to_owned(), ParameterValue::Text(crawl.clone()));
            explanations.push(Explanation { crawl, site: explainer.site(&values).await? });
        }
        Ok(explanations)
    };
    explained.await.map_err(|error: DataFusionError| engine_failure("URL cannot be explained", place(), &error))
}

/// The cause, with the URL that may be meant: people type `example.com` or `localhost:8080`.
fn whole_url(typed: &str, cause: impl std::fmt::Display) -> String {
    let whole = format!("https://{typed}");
    let is_site = !typed.contains([':', '@']) || typed.split_once(':').is_some_and(|(host, _)| host.contains('.'));
    match Url::parse(&whole) {
        Ok(meant) if is_site && !typed.is_empty() => format!("{cause}; did you mean {meant}?"),
        _ => format!("{cause}; a URL starts with https:// or http://"),
    }
}

const NEIGHBOURS: &str = "SELECT DISTINCT url_protocol || '://' || url_host_name || ':' || CAST(url_port AS varchar) AS site \
    FROM sites WHERE url_host_name IN ($hosts)";
const MOST_NEIGHBOURS: usize = 4;
const SITE: &str = "SELECT outcome, captures, capture_id, final_url, final_capture_id, redirect_end, body_id, final_status \
    FROM sites WHERE crawl = $crawl AND url_protocol = $protocol AND url_host_name = $host AND url_port = $port";
const CAPTURE: &str = "SELECT url, fetch_time, fetch_status FROM captures \
    WHERE crawl = $crawl AND capture_id = $capture_id";
const GROUPS: &str =
    "SELECT group_no, line_no, agent FROM groups WHERE crawl = $crawl AND body_id = $body_id ORDER BY agent_no";
const RULES: &str = "SELECT group_no, line_no, allow, pattern, octets FROM rules \
    WHERE crawl = $crawl AND body_id = $body_id AND group_no IS NOT NULL ORDER BY rule_no";

/// The crawler, the path and the tables.
struct Explainer<'a> {
    session: &'a Session,
    agent: &'a str,
    target: Target,
}

impl Explainer<'_> {
    async fn site(&self, values: &ParameterValues) -> datafusion::error::Result<Option<ExplainedSite>> {
        let batches = self.session.rows(SITE, values).await?;
        let Some(batch) = batches.iter().find(|batch| batch.num_rows() > 0) else { return Ok(None) };
        let outcome = text(batch, 0, 0).unwrap_or_default();
        let outcome =
            SiteOutcome::named(&outcome).ok_or_else(|| exec_datafusion_err!("outcome is unknown: {outcome}"))?;
        let reason = text(batch, 5, 0).and_then(|reason| RedirectEnd::named(&reason));
        let status = number(batch, 7, 0);
        let mut chain = Vec::new();
        let captures = [long(batch, 2, 0), long(batch, 4, 0).filter(|last| Some(*last) != long(batch, 2, 0))];
        for capture_id in captures.into_iter().flatten() {
            chain.extend(self.capture(values, capture_id).await?);
        }
        let mut site = ExplainedSite {
            allowed: outcome.access(status, Dialect::Rfc9309).allows(&self.target),
            outcome,
            captures: long(batch, 1, 0).unwrap_or_default(),
            chain,
            dead_end: reason.map(|reason| DeadEnd { reason, url: text(batch, 3, 0) }),
            match_kind: MatchKind::None,
            agents: Vec::new(),
            rule: None,
            matching_rules: 0,
        };
        if let Some(body_id) = long(batch, 6, 0) {
            self.judge(values, body_id, &mut site).await?;
        }
        Ok(Some(site))
    }

    async fn capture(
        &self,
        values: &ParameterValues,
        capture_id: i64,
    ) -> datafusion::error::Result<Option<ExplainedCapture>> {
        let mut values = values.clone();
        values.insert("capture_id".to_owned(), ParameterValue::Integer(capture_id));
        let batches = self.session.rows(CAPTURE, &values).await?;
        Ok(batches.iter().find(|batch| batch.num_rows() > 0).map(|batch| ExplainedCapture {
            url: text(batch, 0, 0).unwrap_or_default(),
            fetch_time: time(batch, 1, 0),
            fetch_status: number(batch, 2, 0),
        }))
    }

    /// Adds the verdict by the body's user-agent lines and rules to the site.
    async fn judge(
        &self,
        values: &ParameterValues,
        body_id: i64,
        site: &mut ExplainedSite,
    ) -> datafusion::error::Result<()> {
        let mut values = values.clone();
        values.insert("body_id".to_owned(), ParameterValue::Integer(body_id));
        let (groups, rules) = (self.session.rows(GROUPS, &values).await?, self.session.rows(RULES, &values).await?);
        let mut transcript = Transcript::default();
        let mut agents = Vec::new();
        for (batch, row) in each(&groups) {
            let (group_no, line_no) = (number(batch, 0, row).unwrap_or(0), number(batch, 1, row).unwrap_or(0));
            let agent = text(batch, 2, row).unwrap_or_default();
            transcript.push_agent(group_no.cast_unsigned(), line_no.cast_unsigned(), agent.as_bytes());
            agents.push(ExplainedLine { line_no, value: agent });
        }
        let mut lines = Vec::new();
        for (batch, row) in each(&rules) {
            let (group_no, line_no) = (number(batch, 0, row).unwrap_or(0), number(batch, 1, row).unwrap_or(0));
            let allow = batch.column(2).as_boolean().value(row);
            let pattern = text(batch, 3, row).unwrap_or_default();
            transcript.push_rule(group_no.cast_unsigned(), line_no.cast_unsigned(), allow, pattern.as_bytes());
            lines.push(ExplainedRule { line_no, allow, pattern, octets: number(batch, 4, row).unwrap_or(0) });
        }
        let Some(reading) = transcript.reading(Dialect::Rfc9309) else { return Ok(()) };
        let selection = reading.select(self.agent.as_bytes(), Naming::default());
        let verdict = selection.judge(&self.target);
        site.allowed = Some(verdict.allowed);
        site.match_kind = verdict.matched;
        // A file may have hundreds of thousands of lines.
        let group_lines: HashSet<u32> = verdict.group_lines.iter().copied().collect();
        let heads = |line: &ExplainedLine| group_lines.contains(&line.line_no.cast_unsigned());
        site.agents = agents.into_iter().filter(heads).collect();
        let selected: HashSet<u32> = selection.rules().map(|rule| rule.line_no).collect();
        let matches = |rule: &&ExplainedRule| {
            selected.contains(&rule.line_no.cast_unsigned())
                && Pattern::new(rule.pattern.as_bytes()).matches(&self.target)
        };
        site.matching_rules = lines.iter().filter(matches).count();
        site.rule = lines.into_iter().find(|rule| Some(rule.line_no.cast_unsigned()) == verdict.line);
        Ok(())
    }
}

/// The texts in the first column of an answer.
async fn texts(session: &Session, sql: &str, values: &ParameterValues) -> datafusion::error::Result<Vec<String>> {
    Ok(each(&session.rows(sql, values).await?).filter_map(|(batch, row)| text(batch, 0, row)).collect())
}

fn each(batches: &[RecordBatch]) -> impl Iterator<Item = (&RecordBatch, usize)> {
    batches.iter().flat_map(|batch| (0..batch.num_rows()).map(move |row| (batch, row)))
}

fn text(batch: &RecordBatch, column: usize, row: usize) -> Option<String> {
    let column = batch.column(column).as_string_opt::<i32>()?;
    column.is_valid(row).then(|| column.value(row).to_owned())
}

fn long(batch: &RecordBatch, column: usize, row: usize) -> Option<i64> {
    let column = batch.column(column).as_primitive_opt::<Int64Type>()?;
    column.is_valid(row).then(|| column.value(row))
}

fn number(batch: &RecordBatch, column: usize, row: usize) -> Option<i32> {
    let column = batch.column(column).as_primitive_opt::<Int32Type>()?;
    column.is_valid(row).then(|| column.value(row))
}

fn time(batch: &RecordBatch, column: usize, row: usize) -> Option<String> {
    let column = batch.column(column).as_primitive_opt::<TimestampMillisecondType>()?;
    let time = column.is_valid(row).then(|| column.value_as_datetime(row)).flatten()?;
    Some(time.format("%Y-%m-%dT%H:%M:%SZ").to_string())
}
