//! `robocensus judge`: whether a crawler may fetch a URL, and which line decides.

mod answer;
pub(crate) mod interpretation;
pub(crate) mod ndjson;

use crate::exit::Exit;
use crate::failures::CommandResult;
use crate::input::RobotsInput;
use crate::print_format::PrintFormat;
use crate::streams::Streams;
use crate::terminal::{Safe, json};
use answer::{VerdictObject, VerdictText};
use folder::Failure;
use interpretation::Interpretation;
use robots::{LineIndex, MatchKind, Reading, Target};
use std::io;
use std::path::Path;

/// The options of `judge`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum JudgeCommand {
    /// Judge URLs by one file.
    Urls {
        robots: RobotsInput,
        agent: String,
        /// The URLs, in the order in which they are judged.
        urls: Vec<String>,
        /// How to read the file.
        interpretation: Interpretation,
        /// How to print.
        format: PrintFormat,
    },
    /// Judge the questions on standard input.
    Questions {
        /// How to read the file of a question without its own dialect or naming.
        interpretation: Interpretation,
    },
}

/// Prints a verdict for each URL or question.
pub(crate) fn run(judge: &JudgeCommand, streams: &mut Streams<'_>) -> CommandResult {
    match judge {
        JudgeCommand::Urls { robots, agent, urls, interpretation, format } => {
            judge_urls(robots, agent, urls, *interpretation, *format, streams)
        }
        JudgeCommand::Questions { interpretation } => Ok(ndjson::run(*interpretation, streams)?),
    }
}

fn judge_urls(
    input: &RobotsInput,
    agent: &str,
    urls: &[String],
    interpretation: Interpretation,
    format: PrintFormat,
    streams: &mut Streams<'_>,
) -> CommandResult {
    for url in urls {
        if let Some(problem) = Target::problem(url) {
            return Err(Failure::new("URL cannot be judged", Path::new(url), problem).into());
        }
    }
    let mut body = Vec::new();
    if input.read(&mut body, streams)? == Exit::Failed {
        return Ok(Exit::Failed);
    }
    let parsed = robots::parse(&body);
    let reading = Reading::new(&parsed, interpretation.dialect);
    let selection = reading.select(agent.as_bytes(), interpretation.naming);
    note_header(agent, [selection.matched], streams)?;
    let lines = LineIndex::new(reading.text());
    for url in urls {
        let verdict = selection.judge(&Target::new(url.as_bytes(), interpretation.dialect));
        match format {
            PrintFormat::Json => json::write_line(streams.out, &VerdictObject::new(url, &verdict, reading.text()))?,
            PrintFormat::Text => {
                VerdictText { input, url, verdict: &verdict, lines: &lines }.write(&streams.screen, streams.out)?;
            }
        }
    }
    Ok(Exit::Good)
}

/// Says so if a name looks like a whole User-Agent header and no file names it. The standard has a crawler look for its
/// product token, so the verdict is probably that for all other crawlers.
pub(crate) fn note_header(
    agent: &str,
    matches: impl IntoIterator<Item = MatchKind>,
    streams: &mut Streams<'_>,
) -> io::Result<()> {
    let is_header = agent.starts_with("Mozilla/") || agent.contains(['(', ';']);
    if !is_header || matches.into_iter().any(|matched| matched == MatchKind::Explicit) {
        return Ok(());
    }
    let agent = Safe(agent.as_bytes());
    streams
        .notify(format_args!("agent looks like a whole header: {agent}: its product token is needed, such as GPTBot"))
}
