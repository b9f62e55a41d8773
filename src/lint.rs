//! `robocensus lint`: shows where a file departs from the grammar, as a compiler would.

mod diagnostic;
mod explain;
mod row;
mod summary;

use crate::exit::Exit;
use crate::failures::CommandResult;
use crate::input::RobotsInput;
use crate::print_format::PrintFormat;
use crate::streams::Streams;
use crate::terminal::json;
use diagnostic::Diagnostic;
use folder::Failure;
use ingest::inputs::READ_ONCE;
use robots::{Parsed, Parser, Severity, Violation};
use row::ViolationObject;
use std::path::Path;
use summary::file_summary;

/// The options of `lint`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum LintCommand {
    /// Show the violations of files.
    Files {
        /// The files, in the order of the output.
        inputs: Vec<RobotsInput>,
        /// How to print.
        format: PrintFormat,
        /// The lowest severity to print.
        least: Severity,
    },
    /// Explain a code.
    Explain { code: String },
}

/// Prints violations, or the explanation of a code.
pub(crate) fn run(lint: &LintCommand, streams: &mut Streams<'_>) -> CommandResult {
    match lint {
        LintCommand::Files { inputs, format, least } => files(inputs, *format, *least, streams),
        LintCommand::Explain { code } => explain::run(code, streams),
    }
}

/// Lints each file. If a file cannot be read, prints the failure and continues.
fn files(inputs: &[RobotsInput], format: PrintFormat, least: Severity, streams: &mut Streams<'_>) -> CommandResult {
    if inputs.iter().filter(|input| **input == RobotsInput::Stdin).count() > 1 {
        return Err(Failure::new("input is named twice", Path::new("-"), READ_ONCE).into());
    }
    let mut parser = Parser::default();
    let mut body = Vec::new();
    let mut exit = Exit::Good;
    for (nth, input) in inputs.iter().enumerate() {
        if input.read(&mut body, streams)? == Exit::Failed {
            exit = Exit::Failed;
            continue;
        }
        let parsed = parser.parse(&body);
        let violations = by_place(&parsed);
        if violations.iter().any(|violation| violation.code.severity() == Severity::Error) {
            exit = exit.max(Exit::Flawed);
        }
        let shown = violations.iter().filter(|violation| violation.code.severity() >= least);
        match format {
            PrintFormat::Json => {
                for violation in shown {
                    json::write_line(streams.out, &ViolationObject::new(input, &parsed, violation))?;
                }
            }
            PrintFormat::Text => {
                if nth > 0 {
                    writeln!(streams.out)?;
                }
                for violation in shown {
                    Diagnostic { input, parsed: &parsed, violation }.write(&streams.screen, streams.out)?;
                }
                writeln!(streams.out, "{}", file_summary(input, &parsed))?;
            }
        }
        parser.recycle(parsed);
    }
    Ok(exit)
}

/// The violations by line and column, those of the whole file last. The sort is stable: of two violations at one place,
/// the cause stays first, as the parser reports it.
fn by_place(parsed: &Parsed<'_>) -> Vec<Violation> {
    let mut violations = parsed.violations().to_vec();
    violations.sort_by_key(|violation| (violation.line_no == 0, violation.line_no, violation.span.start));
    violations
}
