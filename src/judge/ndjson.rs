//! Questions in, answers out, one JSON object a line, in order, in bounded memory.

mod line;
mod question;

use super::interpretation::Interpretation;
use crate::exit::Exit;
use crate::streams::Streams;
use crate::terminal::json;
use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use folder::failure::lower;
use line::{LineReader, Outcome};
use question::Question;
use robots::{Parser, Reading, Target};
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, Write};

/// Answers the questions on standard input.
///
/// A file is decoded, parsed and read once for all questions on it that follow one another.
pub(crate) fn run(interpretation: Interpretation, streams: &mut Streams<'_>) -> io::Result<Exit> {
    let mut session =
        Session { input: LineReader::new(streams.input), out: streams.out, interpretation, exit: Exit::Good };
    let (mut line, mut robots_base64, mut body) = (Vec::new(), String::new(), Vec::new());
    let mut parser = Parser::default();
    let mut asked = session.ask(&mut line)?;
    loop {
        let question = match asked {
            Asked::Question(question) => question,
            Asked::Nothing => {
                asked = session.ask(&mut line)?;
                continue;
            }
            Asked::NoMore => break,
        };
        body.clear();
        if let Err(cause) = BASE64.decode_vec(&*question.robots_base64, &mut body) {
            session.refuse(format_args!("robots_base64 is not valid base64: {cause}"))?;
            asked = Asked::Nothing;
            continue;
        }
        // The line that holds the question is about to be overwritten.
        robots_base64.clear();
        robots_base64.push_str(&question.robots_base64);
        let dialect = question.interpretation.dialect;
        let parsed = parser.parse(&body);
        let reading = Reading::new(&parsed, dialect);
        session.answer(&question, &reading)?;
        drop(question);
        asked = loop {
            match session.ask(&mut line)? {
                Asked::Nothing => {}
                Asked::Question(next)
                    if next.interpretation.dialect == dialect && next.robots_base64 == robots_base64 =>
                {
                    session.answer(&next, &reading)?;
                }
                other => break other,
            }
        };
        drop(reading);
        parser.recycle(parsed);
    }
    let Session { input, exit, .. } = session;
    if let Some(error) = input.failure {
        streams.complain(format_args!("questions cannot be read: standard input: {}", lower(error.to_string())))?;
        return Ok(Exit::Failed);
    }
    Ok(exit)
}

/// Base64 of RFC 4648 § 4, padded or not.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A conversation: lines come in, a line goes out for each.
struct Session<'s> {
    input: LineReader<'s>,
    out: &'s mut dyn Write,
    interpretation: Interpretation,
    exit: Exit,
}

impl Session<'_> {
    /// Reads a line, and answers it if it is no question.
    fn ask<'l>(&mut self, line: &'l mut Vec<u8>) -> io::Result<Asked<'l>> {
        match self.input.read(line, self.out)? {
            Outcome::End => return Ok(Asked::NoMore),
            Outcome::TooLong => self.refuse(format_args!("it is longer than {} bytes", line::LINE_BYTES))?,
            Outcome::Line if line.trim_ascii().is_empty() => {}
            Outcome::Line => match Question::read(line, self.interpretation) {
                Ok(question) => return Ok(Asked::Question(question)),
                Err(cause) => self.refuse(cause)?,
            },
        }
        Ok(Asked::Nothing)
    }

    fn answer(&mut self, question: &Question<'_>, reading: &Reading<'_>) -> io::Result<()> {
        let selection = reading.select(question.agent.as_bytes(), question.interpretation.naming);
        let (allowed, rule) = selection.decide(&Target::new(question.url.as_bytes(), question.interpretation.dialect));
        let answer = Answer { allowed, line: rule.map(|rule| rule.line_no), r#match: selection.matched.name() };
        json::write_line(self.out, &answer)
    }

    /// Answers a line that is no question.
    fn refuse(&mut self, cause: impl Display) -> io::Result<()> {
        self.exit = Exit::Flawed;
        let error = format!("question cannot be read: line {}: {cause}", self.input.line_no);
        json::write_line(self.out, &Refusal { error })
    }
}

/// What a line asks.
enum Asked<'l> {
    Question(Question<'l>),
    /// Nothing that is left to be answered.
    Nothing,
    /// The input is at its end.
    NoMore,
}

/// The answer to a question.
#[derive(Serialize)]
struct Answer {
    allowed: bool,
    line: Option<u32>,
    r#match: &'static str,
}

/// The answer to a line that is no question.
#[derive(Serialize)]
struct Refusal {
    error: String,
}
