//! The colours of the output.

use anstyle::{AnsiColor, Style};
use robots::Severity;

/// The styles of the output. Without colours, each style prints nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Palette {
    error: Style,
    warning: Style,
    info: Style,
    /// Messages and headings.
    pub(crate) message: Style,
    /// The frame around a line of a file: its number, its place and the bar.
    pub(crate) margin: Style,
    /// The verdict allowed.
    pub(crate) allowed: Style,
    /// The verdict disallowed.
    pub(crate) disallowed: Style,
}

impl Palette {
    /// The colours of rustc.
    pub(crate) fn coloured() -> Self {
        let bold = |colour: AnsiColor| colour.on_default().bold();
        Palette {
            error: bold(AnsiColor::BrightRed),
            warning: bold(AnsiColor::Yellow),
            info: bold(AnsiColor::BrightGreen),
            message: Style::new().bold(),
            margin: bold(AnsiColor::BrightBlue),
            allowed: bold(AnsiColor::BrightGreen),
            disallowed: bold(AnsiColor::BrightRed),
        }
    }

    /// The style of a severity, for its name and for the carets.
    pub(crate) fn severity(&self, severity: Severity) -> Style {
        match severity {
            Severity::Info => self.info,
            Severity::Warning => self.warning,
            Severity::Error => self.error,
        }
    }
}
