//! The width and colours of standard output.

use super::palette::Palette;
use clap::ValueEnum;
use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _};
use std::ops::RangeInclusive;

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal that supports colours, unless `NO_COLOR` is set.
    Auto,
    /// Always, even into a pipe or a file.
    Always,
    /// Never.
    Never,
}

/// The width and colours of standard output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    /// The maximum width of a line that can be shortened, in columns.
    pub(crate) columns: usize,
    pub(crate) palette: Palette,
}

/// The limits of the width: a narrower line shows too little, and a wider one is hard to read.
const COLUMNS: RangeInclusive<usize> = 40..=120;

impl Screen {
    /// Detects the width and colours of this process's standard output.
    pub(crate) fn detect(color: Color) -> Self {
        let is_terminal = io::stdout().is_terminal();
        let terminal = if is_terminal { terminal_size::terminal_size() } else { None };
        let has_colours = is_terminal && allows_colours(env::var_os("NO_COLOR"), env::var_os("TERM"));
        Screen {
            columns: terminal
                .map_or(*COLUMNS.end(), |(width, _)| width.0.into())
                .clamp(*COLUMNS.start(), *COLUMNS.end()),
            palette: match color {
                Color::Always => Palette::coloured(),
                Color::Auto if has_colours => Palette::coloured(),
                Color::Auto | Color::Never => Palette::default(),
            },
        }
    }
}

/// <https://no-color.org>: "Command-line software which adds ANSI color to its output by default should check for a
/// NO_COLOR environment variable that, when present and not an empty string (regardless of its value), prevents the
/// addition of ANSI color."
fn allows_colours(no_color: Option<OsString>, term: Option<OsString>) -> bool {
    no_color.is_none_or(|value| value.is_empty()) && term.is_none_or(|value| value != "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_by_environment() {
        let check = |no_color: Option<&str>, term: Option<&str>, expected| {
            let found = allows_colours(no_color.map(Into::into), term.map(Into::into));
            assert_eq!(found, expected, "NO_COLOR={no_color:?} TERM={term:?}");
        };
        check(None, Some("xterm-256color"), true);
        check(Some(""), Some("xterm"), true);
        check(Some("1"), Some("xterm"), false);
        check(Some("0"), None, false);
        check(None, Some("dumb"), false);
    }
}
