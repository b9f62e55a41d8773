//! How an answer is written.

use super::format::AnswerFormat;

/// How text from crawled files is written in csv and tsv.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextEscape {
    /// Escaped, so that it acts neither on a terminal nor in a spreadsheet.
    Neutralised,
    /// Unchanged.
    Exact,
}

/// Whether a table has colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// None.
    Plain,
    /// The colours of a terminal.
    Coloured,
}

/// How the rows of a table are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TableLayout {
    /// A line for each row, however long.
    #[default]
    Lines,
    /// A line for each row, cut to this many columns of a terminal, with an ellipsis where it is cut.
    CutLines(usize),
    /// A line for each value, under the number of its row.
    Values,
}

/// How an answer is written: format, escapes, colours and layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manner {
    /// The format.
    pub format: AnswerFormat,
    /// How text is written in csv and tsv.
    pub text: TextEscape,
    /// The colours of a table.
    pub ink: Ink,
    /// The layout of a table.
    pub layout: TableLayout,
}

impl Manner {
    /// A format without colours, and with harmless text.
    #[must_use]
    pub fn plain(format: AnswerFormat) -> Self {
        Manner { format, text: TextEscape::Neutralised, ink: Ink::Plain, layout: TableLayout::default() }
    }
}
