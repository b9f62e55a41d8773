//! A manual page: the page that clap_mangen makes for a command, plus the text after its options as sections.

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use std::io;

/// The name of a page without its section.
pub(super) fn name(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

/// The page of a command in roff.
pub(super) fn render(command: &Command) -> io::Result<String> {
    // clap_mangen would put this text into one section EXTRA, without its headings.
    let after_help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let bare = command.clone().after_help(None::<&str>);
    let mut page = Vec::new();
    Man::new(bare)
        .title(name(command))
        .source(concat!("robocensus ", env!("CARGO_PKG_VERSION")))
        .manual("robocensus")
        .render(&mut page)?;
    let mut more = Roff::new();
    sections(&after_help, &mut more);
    questions(command, &mut more);
    if command.get_name() != env!("CARGO_PKG_NAME") {
        more.control("SH", ["SEE ALSO"]).text([bold(env!("CARGO_PKG_NAME")), roman("(1)")]);
    }
    let mut rest = Vec::new();
    more.to_writer(&mut rest)?;
    let rest = String::from_utf8_lossy(&rest);
    let page = String::from_utf8_lossy(&page);
    Ok(with_synopsis(&page, command)? + without_preamble(&rest))
}

/// The page with the usage of `--help` as its synopsis. That of clap_mangen has no values of options, and does not show
/// that an argument may be repeated.
fn with_synopsis(page: &str, command: &Command) -> io::Result<String> {
    const START: &str = ".SH SYNOPSIS\n";
    let usage = command.clone().render_usage().to_string();
    let mut synopsis = Roff::new();
    synopsis.control("nf", []);
    for line in usage.strip_prefix("Usage:").unwrap_or(&usage).lines() {
        synopsis.text([roman(line.trim())]);
    }
    synopsis.control("fi", []);
    let mut text = Vec::new();
    synopsis.to_writer(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    let lines = text.find(".nf").and_then(|at| text.get(at..)).unwrap_or_default();
    let Some((before, after)) = page.split_once(START) else { return Ok(page.to_owned()) };
    let rest = after.find(".SH ").and_then(|at| after.get(at..)).unwrap_or_default();
    Ok(format!("{before}{START}{lines}{rest}"))
}

/// The text from its first section on. The page already has the definitions before it.
fn without_preamble(text: &str) -> &str {
    text.find(".SH").and_then(|at| text.get(at..)).unwrap_or_default()
}

/// Writes a text as sections. A line that is not indented and ends in a colon is a heading. Indented lines keep their
/// line breaks; others are prose.
fn sections(text: &str, roff: &mut Roff) {
    let mut is_kept = false;
    for line in text.lines() {
        let is_inner = line.starts_with(' ');
        if is_inner != is_kept && !line.is_empty() {
            roff.control(if is_inner { "nf" } else { "fi" }, []);
            is_kept = is_inner;
        }
        match line.strip_suffix(':').filter(|_| !is_inner) {
            Some("Exit code") => roff.control("SH", ["EXIT STATUS"]),
            Some(heading) => roff.control("SH", [heading.to_uppercase().as_str()]),
            None if line.is_empty() => roff.control("PP", []),
            None => roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]),
        };
    }
    if is_kept {
        roff.control("fi", []);
    }
}

/// Writes the list of questions. They are hidden in `query --help`, since there are many.
fn questions(command: &Command, roff: &mut Roff) {
    let mut questions = command.get_subcommands().filter(|question| question.is_hide_set()).peekable();
    if questions.peek().is_some() {
        roff.control("SH", ["QUESTIONS"]);
    }
    for question in questions {
        roff.control("TP", []).text([bold(question.get_name())]);
        roff.text([roman(question.get_about().map(ToString::to_string).unwrap_or_default())]);
    }
}
