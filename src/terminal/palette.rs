//! The colours of what is printed.

use anstyle::{AnsiColor, Style};
use robots::Severity;

/// A style for each part of a text that has one. Without colours, each prints as nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Palette {
    error: Style,
    warning: Style,
    info: Style,
    /// What is said about a text.
    pub(crate) message: Style,
    /// What stands around a line of a text: its number, its place, the rule beside it.
    pub(crate) margin: Style,
    /// A verdict that lets a crawler in.
    pub(crate) allowed: Style,
    /// A verdict that does not.
    pub(crate) disallowed: Style,
}

impl Palette {
    /// The colours that rustc prints with.
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
