//! `robocensus explain`: why a crawler may or may not fetch a URL, in words for a webmaster.

use crate::exit::Exit;
use crate::failures::CommandResult;
use crate::judge;
use crate::print_format::PrintFormat;
use crate::streams::Streams;
use crate::terminal::AGENT_LINES;
use crate::terminal::screen::Screen;
use crate::unfinished;
use analyze::explain::{self, ExplainedCapture, ExplainedLine, ExplainedRule, ExplainedSite, Explanation};
use analyze::{Session, SessionOptions};
use robots::limits::REDIRECTS;
use robots::{Dialect, MatchKind, RedirectEnd, SiteOutcome, Target};
use std::io::{self, Write};
use std::path::PathBuf;
use visible::{Safe, json};

/// The options of `explain`.
#[derive(Debug)]
pub(crate) struct ExplainCommand {
    /// The folder of tables.
    pub(crate) tables: PathBuf,
    /// The URL that the crawler would fetch.
    pub(crate) url: String,
    /// The product token of the crawler.
    pub(crate) agent: String,
    /// How to print.
    pub(crate) format: PrintFormat,
}

/// Prints the verdict and its reason for each crawl. Returns `Flawed` if no crawl has a robots.txt for the site.
pub(crate) fn run(command: &ExplainCommand, streams: &mut Streams<'_>) -> CommandResult {
    let options = SessionOptions::default();
    let runtime = analyze::runtime(options.jobs)?;
    let session = runtime.block_on(Session::open(&command.tables, &options))?;
    let explanations = runtime.block_on(explain::explain(&session, &command.url, &command.agent))?;
    let is_known = explanations.iter().any(|explanation| explanation.site.is_some());
    unfinished::warn(&command.tables, &session, streams)?;
    let sites = explanations.iter().filter_map(|explanation| explanation.site.as_ref());
    judge::note_header(&command.agent, sites.map(|site| site.match_kind), streams)?;
    match command.format {
        PrintFormat::Json => {
            explanations.iter().try_for_each(|explanation| json::write_line(streams.out, explanation))?;
        }
        PrintFormat::Text => {
            writeln!(streams.out, "{} for {}", Safe(command.url.as_bytes()), Safe(command.agent.as_bytes()))?;
            explanations
                .iter()
                .try_for_each(|explanation| write(explanation, &command.url, &streams.screen, streams.out))?;
        }
    }
    if !is_known {
        let meant = runtime.block_on(explain::neighbours(&session, &command.url));
        let mut cause = "no crawl has a robots.txt of this protocol, host and port".to_owned();
        if !meant.is_empty() {
            cause.push_str(&format!("; the folder has {}", meant.join(", ")));
        }
        let cause = Safe(cause.as_bytes());
        streams.complain(format_args!("site is unknown: {}: {cause}", Safe(command.url.as_bytes())))?;
    }
    Ok(if is_known { Exit::Good } else { Exit::Flawed })
}

fn write(explanation: &Explanation, url: &str, screen: &Screen, out: &mut dyn Write) -> io::Result<()> {
    let crawl = Safe(explanation.crawl.as_bytes());
    let Some(site) = &explanation.site else {
        return writeln!(out, "\n{crawl}: no robots.txt of this site was captured");
    };
    let (style, verdict) = match site.allowed {
        Some(true) => (screen.palette.allowed, "allowed"),
        Some(false) => (screen.palette.disallowed, "disallowed"),
        None => (screen.palette.margin, "not known"),
    };
    writeln!(out, "\n{crawl}: {style}{verdict}{style:#}")?;
    for (place, capture) in site.chain.iter().enumerate() {
        write_capture(if place == 0 { "robots.txt" } else { "leads to" }, capture, out)?;
    }
    if let Some(end) = &site.dead_end {
        let url = end.url.as_deref().unwrap_or("nowhere");
        writeln!(out, "  leads to    {}, {}", Safe(url.as_bytes()), meaning(end.reason))?;
    }
    if site.captures > 1 {
        writeln!(out, "  captures    {}; this one was chosen", site.captures)?;
    }
    for ExplainedLine { line_no, value } in site.agents.iter().take(AGENT_LINES) {
        writeln!(out, "  group       line {line_no}: User-agent: {}", Safe(value.as_bytes()))?;
    }
    if let Some(more) = site.agents.len().checked_sub(AGENT_LINES).filter(|more| *more > 0) {
        writeln!(out, "  group       {more} more lines")?;
    }
    if let Some(ExplainedRule { line_no, allow, pattern, .. }) = &site.rule {
        let key = if *allow { "Allow" } else { "Disallow" };
        writeln!(out, "  rule        line {line_no}: {key}: {}", Safe(pattern.as_bytes()))?;
    }
    writeln!(out, "  why         {}", why(site, url))
}

fn write_capture(label: &str, capture: &ExplainedCapture, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "  {label:<11} {}", Safe(capture.url.as_bytes()))?;
    if let Some(time) = &capture.fetch_time {
        write!(out, ", fetched {}", Safe(time.as_bytes()))?;
    }
    match capture.fetch_status {
        Some(status) => writeln!(out, ", status {status}"),
        None => writeln!(out, ", without a status"),
    }
}

/// Why a chain of redirects ends without a robots.txt; continues a sentence that ends in the last URL.
fn meaning(reason: RedirectEnd) -> String {
    let meaning = match reason {
        RedirectEnd::Loop => "which leads back to an earlier URL",
        RedirectEnd::TooMany => {
            return format!("and further; a crawler need not follow more than {REDIRECTS} redirects");
        }
        RedirectEnd::NotCaptured => "which is not among the captures",
        RedirectEnd::NotHttp => "which is not an http or https URL",
        RedirectEnd::UnusableLocation => "because the location in the response cannot be resolved to a URL",
        RedirectEnd::NoLocation => "because the response has no location",
    };
    meaning.to_owned()
}

/// The reason for the verdict, in one sentence.
fn why(site: &ExplainedSite, url: &str) -> String {
    let last_status = site.chain.last().and_then(|capture| capture.fetch_status);
    match (site.outcome, &site.rule) {
        (_, None) if Target::new(url.as_bytes(), Dialect::Rfc9309).is_robots_txt() => {
            "/robots.txt itself is always allowed (RFC 9309 section 2.2.2)".to_owned()
        }
        (SiteOutcome::RedirectUnresolved, _) => {
            "the redirects lead to no robots.txt that was captured, so its rules are not known".to_owned()
        }
        (SiteOutcome::NoCapture, _) => {
            "no capture has the file: the response was stored without its body, repeats one that is not here, or its record \
             is doubtful"
                .to_owned()
        }
        (SiteOutcome::Unavailable, _) => {
            "robots.txt is unavailable, so everything may be fetched (RFC 9309 section 2.3.1.3)".to_owned()
        }
        (SiteOutcome::Unreachable, _) if last_status.is_some_and(|status| !(200..600).contains(&status)) => {
            "by draft-koster-rep-00 section 2.3.1.4, nothing may be fetched; RFC 9309 does not mention this status"
                .to_owned()
        }
        (SiteOutcome::Unreachable, _) => {
            "robots.txt is unreachable, so nothing may be fetched (RFC 9309 section 2.3.1.4)".to_owned()
        }
        (_, None) if site.match_kind == MatchKind::None => {
            "no group names this crawler, and there is no wildcard group".to_owned()
        }
        (_, None) => {
            "no rule of these groups matches the path, so it may be fetched (RFC 9309 section 2.2.2)".to_owned()
        }
        (_, Some(rule)) if site.matching_rules > 1 => format!(
            "{} rules match; the longest decides ({} octets), and of equally long ones allow (RFC 9309 section 2.2.2)",
            site.matching_rules, rule.octets
        ),
        (_, Some(_)) => "it is the only rule of these groups that matches the path".to_owned(),
    }
}
