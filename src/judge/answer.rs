//! A verdict and the lines that decide it, as JSON and as text.

use crate::input::RobotsInput;
use crate::terminal::screen::Screen;
use crate::terminal::window::LineWindow;
use crate::terminal::{AGENT_LINES, Safe};
use robots::{LineIndex, Verdict};
use serde::Serialize;
use std::borrow::Cow;
use std::io::{self, Write};

/// A verdict as a JSON object.
#[derive(Debug, Serialize)]
pub(crate) struct VerdictObject<'a> {
    url: &'a str,
    allowed: bool,
    line: Option<u32>,
    r#match: &'static str,
    /// As in the tables.
    pattern: Option<Cow<'a, str>>,
    group_lines: &'a [u32],
}

impl<'a> VerdictObject<'a> {
    /// `text` is the text that was parsed; the offsets in the verdict refer to it.
    pub(crate) fn new(url: &'a str, verdict: &'a Verdict, text: &'a [u8]) -> Self {
        VerdictObject {
            url,
            allowed: verdict.allowed,
            line: verdict.line,
            r#match: verdict.matched.name(),
            pattern: verdict.rule.map(|rule| robots::percent_encoded(rule.pattern.slice(text))),
            group_lines: &verdict.group_lines,
        }
    }
}

/// A verdict as lines of text.
pub(crate) struct VerdictText<'r> {
    pub(crate) input: &'r RobotsInput,
    pub(crate) url: &'r str,
    pub(crate) verdict: &'r Verdict,
    pub(crate) lines: &'r LineIndex<'r>,
}

impl VerdictText<'_> {
    /// Prints it.
    ///
    /// ```text
    /// disallowed: https://example.com/private/x
    ///   rule:  robots.txt:2: Disallow: /private
    ///   group: robots.txt:1: User-agent: *
    ///   match: wildcard
    /// ```
    pub(crate) fn write(&self, screen: &Screen, out: &mut dyn Write) -> io::Result<()> {
        let Verdict { allowed, line, matched, ref group_lines, .. } = *self.verdict;
        let (style, verdict) = match allowed {
            true => (screen.palette.allowed, "allowed"),
            false => (screen.palette.disallowed, "disallowed"),
        };
        writeln!(out, "{style}{verdict}{style:#}: {}", Safe(self.url.as_bytes()))?;
        match line {
            Some(line_no) => self.write_line("rule: ", line_no, screen, out)?,
            None => writeln!(out, "  rule:  no rule decides")?,
        }
        for &line_no in group_lines.iter().take(AGENT_LINES) {
            self.write_line("group:", line_no, screen, out)?;
        }
        if let Some(more) = group_lines.len().checked_sub(AGENT_LINES).filter(|&more| more > 0) {
            writeln!(out, "  group: and {more} more user-agent lines")?;
        }
        writeln!(out, "  match: {}", matched.name())
    }

    /// A line of the file, shortened if it is wider than the screen.
    fn write_line(&self, label: &str, line_no: u32, screen: &Screen, out: &mut dyn Write) -> io::Result<()> {
        let LineWindow { text, .. } = LineWindow::new(self.lines.line(line_no), 0..0, screen.columns);
        let margin = screen.palette.margin;
        writeln!(out, "  {label} {margin}{}:{line_no}:{margin:#} {text}", self.input)
    }
}
