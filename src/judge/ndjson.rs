//! `judge --ndjson`: reads questions and writes answers, one JSON object per line, in order, in bounded memory.

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
use line::{LineRead, LineReader};
use question::NdjsonQuestion;
use robots::{Parser, Reading, Target};
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, Write};

/// Answers the questions on standard input.
///
/// Consecutive questions about the same robots.txt decode and parse it once.
pub(crate) fn run(interpretation: Interpretation, streams: &mut Streams<'_>) -> io::Result<Exit> {
    let mut conversation =
        Conversation { input: LineReader::new(streams.input), out: streams.out, interpretation, exit: Exit::Good };
    let (mut line, mut robots_base64, mut body) = (Vec::new(), String::new(), Vec::new());
    let mut parser = Parser::default();
    let mut next = conversation.next_question(&mut line)?;
    loop {
        let question = match next {
            NextQuestion::Question(question) => question,
            NextQuestion::Nothing => {
                next = conversation.next_question(&mut line)?;
                continue;
            }
            NextQuestion::End => break,
        };
        body.clear();
        if let Err(cause) = BASE64.decode_vec(&*question.robots_base64, &mut body) {
            conversation.refuse(format_args!("robots_base64 is not valid base64: {cause}"))?;
            next = NextQuestion::Nothing;
            continue;
        }
        // Copied, since the next line overwrites the question.
        robots_base64.clear();
        robots_base64.push_str(&question.robots_base64);
        let dialect = question.interpretation.dialect;
        let parsed = parser.parse(&body);
        let reading = Reading::new(&parsed, dialect);
        conversation.answer(&question, &reading)?;
        drop(question);
        next = loop {
            match conversation.next_question(&mut line)? {
                NextQuestion::Nothing => {}
                NextQuestion::Question(same)
                    if same.interpretation.dialect == dialect && same.robots_base64 == robots_base64 =>
                {
                    conversation.answer(&same, &reading)?;
                }
                other => break other,
            }
        };
        drop(reading);
        parser.recycle(parsed);
    }
    let Conversation { input, exit, .. } = conversation;
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

/// The streams of questions and answers.
struct Conversation<'s> {
    input: LineReader<'s>,
    out: &'s mut dyn Write,
    interpretation: Interpretation,
    exit: Exit,
}

impl Conversation<'_> {
    /// Reads a line. If it is not a valid question, writes the error.
    fn next_question<'l>(&mut self, line: &'l mut Vec<u8>) -> io::Result<NextQuestion<'l>> {
        match self.input.read(line, self.out)? {
            LineRead::End => return Ok(NextQuestion::End),
            LineRead::TooLong => self.refuse(format_args!("it is longer than {} bytes", line::LINE_BYTES))?,
            LineRead::Line if line.trim_ascii().is_empty() => {}
            LineRead::Line => match NdjsonQuestion::read(line, self.interpretation) {
                Ok(question) => return Ok(NextQuestion::Question(question)),
                Err(cause) => self.refuse(cause)?,
            },
        }
        Ok(NextQuestion::Nothing)
    }

    fn answer(&mut self, question: &NdjsonQuestion<'_>, reading: &Reading<'_>) -> io::Result<()> {
        let selection = reading.select(question.agent.as_bytes(), question.interpretation.naming);
        let (allowed, rule) = selection.decide(&Target::new(question.url.as_bytes(), question.interpretation.dialect));
        let answer = AnswerLine { allowed, line: rule.map(|rule| rule.line_no), r#match: selection.matched.name() };
        json::write_line(self.out, &answer)
    }

    /// Writes the answer to an invalid question.
    fn refuse(&mut self, cause: impl Display) -> io::Result<()> {
        self.exit = Exit::Flawed;
        let error = format!("question cannot be read: line {}: {cause}", self.input.line_no);
        json::write_line(self.out, &ErrorLine { error })
    }
}

/// The question in the next line, if it has one.
enum NextQuestion<'l> {
    Question(NdjsonQuestion<'l>),
    /// A blank line, or an invalid one that was answered.
    Nothing,
    /// The input has ended.
    End,
}

/// The answer to a question.
#[derive(Serialize)]
struct AnswerLine {
    allowed: bool,
    line: Option<u32>,
    r#match: &'static str,
}

/// The answer to an invalid question.
#[derive(Serialize)]
struct ErrorLine {
    error: String,
}
