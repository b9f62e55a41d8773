//! What a report holds: its sections and their figures, declared once.
//!
//! A figure is the answer to a question of `queries/questions` with values for some of its parameters. Nothing is computed
//! of it; what is declared here is which columns are drawn, in which way, and what is said beside them.

mod figures;

use crate::answer_table::{AnswerCell, AnswerTable};
use crate::formatting;
pub(crate) use figures::SECTIONS;

/// Some figures under a heading.
#[derive(Debug)]
pub(crate) struct Section {
    /// Its name, by which `--only` asks for it.
    pub(crate) id: &'static str,
    /// Its heading.
    pub(crate) title: &'static str,
    /// What a reader should know before the figures.
    pub(crate) lead: &'static str,
    /// What it shows.
    pub(crate) figures: &'static [FigureSpec],
}

/// The answer to a question, drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FigureSpec {
    /// What its files are called, and where links to it lead.
    pub(crate) id: &'static str,
    /// The question.
    pub(crate) question: &'static str,
    /// The subject of what is found.
    pub(crate) title: &'static str,
    /// What is set of the question, beside the crawl.
    pub(crate) set: &'static [(&'static str, &'static str)],
    /// Which crawls it is about.
    pub(crate) crawls: CrawlScope,
    /// How it is drawn.
    pub(crate) plot: Plot,
    /// The columns of its table; all, if none is named.
    pub(crate) columns: &'static [&'static str],
    /// The columns of the denominator, and what is counted in it. The words are those of the parameter `denominator` if
    /// there are none.
    pub(crate) counted: (&'static str, &'static str),
    /// What the numbers mean, in one sentence or two.
    pub(crate) definition: &'static str,
    /// The table of the user's own that it needs.
    pub(crate) needs: Option<&'static str>,
    /// So many rows of its table stand in the page.
    pub(crate) rows: usize,
}

/// Which crawls a figure is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CrawlScope {
    /// All there are.
    All,
    /// The one that the report is about.
    One,
    /// Two or more, and nothing if there are fewer.
    Several,
}

/// How numbers are drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plot {
    /// In what form.
    pub(crate) kind: ChartKind,
    /// The columns of the categories, with blanks between them.
    pub(crate) x: &'static str,
    /// What is told apart within a category, and the numbers.
    pub(crate) series: Series,
    /// The column of which each value has a panel.
    pub(crate) panel: &'static str,
    /// What the numbers are, as the axis has it.
    pub(crate) axis: &'static str,
    /// So many categories are drawn.
    pub(crate) most: usize,
    /// Of this column only rows with these values are drawn.
    pub(crate) only: (&'static str, &'static [&'static str]),
    /// Of this column rows with these values are not drawn.
    pub(crate) not: (&'static str, &'static [&'static str]),
}

/// The form of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChartKind {
    /// None: the table tells.
    Table,
    /// A bar for each category.
    Bars,
    /// A bar for each category, of the parts of a whole.
    Stacked,
    /// Bands one upon the other, of the parts of a whole, over crawls.
    Areas,
    /// Marks on a line for each category.
    Dots,
    /// A line for each series, over crawls or strata.
    Lines,
    /// A column for each bin.
    Histogram,
    /// A field for each category and series.
    Heat,
    /// A bar to the left or to the right of a line at 1.
    Ratio,
}

/// What is told apart within a category, and the numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Series {
    /// Nothing; the column of the numbers.
    One(&'static str),
    /// The values of a column; the column of the numbers.
    By(&'static str, &'static str),
    /// Columns of numbers, each with what it is called.
    Wide(&'static [(&'static str, &'static str)]),
}

impl Plot {
    /// Whether a row of an answer is drawn.
    pub(crate) fn shows(&self, answer: &AnswerTable, row: &[AnswerCell]) -> bool {
        let is_among = |(column, values): (&str, &[&str])| {
            let found = answer.column_index(column).and_then(|place| row.get(place)).unwrap_or(&AnswerCell::Null);
            values.contains(&formatting::format_cell(column, found).as_str())
        };
        (self.only.0.is_empty() || is_among(self.only)) && (self.not.0.is_empty() || !is_among(self.not))
    }
}

/// The sections, by the names that `--only` takes.
pub fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    SECTIONS.iter().map(|section| (section.id, section.title))
}
