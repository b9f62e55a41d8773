//! A violation in the format of rustc.

use crate::input::RobotsInput;
use crate::terminal::palette::Palette;
use crate::terminal::screen::Screen;
use crate::terminal::window::LineWindow;
use robots::{Code, Effect, Parsed, Violation};
use std::io::{self, Write};
use std::ops::Range;

/// A violation, and the file that it is in.
pub(crate) struct Diagnostic<'d> {
    pub(crate) input: &'d RobotsInput,
    pub(crate) parsed: &'d Parsed<'d>,
    pub(crate) violation: &'d Violation,
}

impl Diagnostic<'_> {
    /// Prints the violation and a blank line.
    ///
    /// ```text
    /// error[ua-empty]: a user-agent line has no value and matches no crawler; write a product token or `*`
    ///  --> robots.txt:3:12
    ///   |
    /// 3 | User-agent:
    ///   |            ^
    ///   = RFC 9309 § 2.2; the line is lost
    /// ```
    pub(crate) fn write(&self, screen: &Screen, out: &mut dyn Write) -> io::Result<()> {
        let Violation { code, line_no, .. } = *self.violation;
        let Palette { message, margin, .. } = screen.palette;
        let severity = screen.palette.severity(code.severity());
        let gutter = line_no.checked_ilog10().unwrap_or_default() as usize + 1;
        write!(out, "{severity}{}[{}]{severity:#}", code.severity().name(), code.name())?;
        writeln!(out, "{message}: {}{message:#}", code.text())?;
        write!(out, "{:gutter$}{margin}-->{margin:#} {}", "", self.input)?;
        if line_no == 0 {
            writeln!(out)?;
        } else {
            let (line, span) = line_and_span(self.parsed, self.violation);
            writeln!(out, ":{line_no}:{}", column(line, span.start))?;
            // Before the line come its number and " | "; after it, there may be a caret.
            let columns = screen.columns.saturating_sub(gutter + 4);
            let LineWindow { text, caret_at, carets } = LineWindow::new(line, span, columns);
            writeln!(out, "{:gutter$} {margin}|{margin:#}", "")?;
            writeln!(out, "{margin}{line_no} |{margin:#} {text}")?;
            write!(out, "{:gutter$} {margin}|{margin:#} ", "")?;
            writeln!(out, "{:caret_at$}{severity}{:^<carets$}{severity:#}", "", "")?;
        }
        writeln!(out, "{:gutter$} {margin}={margin:#} {}", "", note(self.violation))?;
        writeln!(out)
    }
}

/// The line of a violation, and the byte range of the violation on it.
pub(crate) fn line_and_span<'p>(parsed: &'p Parsed<'_>, violation: &Violation) -> (&'p [u8], Range<usize>) {
    let (line_at, line) = parsed.line_at(violation.span.start as usize);
    let start = (violation.span.start as usize).saturating_sub(line_at);
    (line, start..violation.span.end().saturating_sub(line_at))
}

/// The column of an offset, from 1. It counts characters, and bytes that are not UTF-8. A byte order mark does not
/// count, because editors do not show it.
pub(crate) fn column(line: &[u8], offset: usize) -> usize {
    let before = line.get(..offset).unwrap_or(line);
    let before = before.strip_prefix("\u{feff}".as_bytes()).unwrap_or(before);
    1 + before.utf8_chunks().map(|chunk| chunk.valid().chars().count() + chunk.invalid().len()).sum::<usize>()
}

/// The section of the standard, and the effect.
fn note(violation: &Violation) -> String {
    let Violation { code, line_no, .. } = *violation;
    let what = match line_no {
        0 => "file",
        // The other preferences on the line may count, unless it has a syntax error.
        _ if code.name().starts_with("preference-") && code != Code::PreferenceVoid => "preference",
        _ => "line",
    };
    match code.effect() {
        Effect::None => citation(code),
        effect @ (Effect::KeptByTolerance | Effect::Lost) => {
            format!("{}; the {what} is {}", citation(code), effect.name())
        }
    }
}

/// The section that a code refers to. RFC 9309 is added to a section without a document.
pub(super) fn citation(code: Code) -> String {
    let section = code.section();
    let text = if section.starts_with('\u{a7}') { "RFC 9309 " } else { "" };
    format!("{text}{section}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_stray_bytes() {
        let check = |line: &[u8], offset, expected| assert_eq!(column(line, offset), expected, "{line:?} at {offset}");
        check(b"", 0, 1);
        check(b"Disallow: /x", 10, 11);
        check("/caf\u{e9}/x".as_bytes(), 6, 6);
        check(b"/caf\xe9/x", 5, 6);
        check(b"a\tb", 2, 3);
        check("\u{feff}User-agent: *".as_bytes(), 3, 1);
        check("\u{feff}User-agent: *".as_bytes(), 0, 1);
        check(b"ab", 9, 3);
    }
}
