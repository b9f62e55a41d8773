//! The declaration of a figure.

use crate::answer_table::{AnswerCell, AnswerTable};
use crate::formatting;

/// Figures under a heading.
#[derive(Debug)]
pub struct ReportSection {
    /// The name that `--only` takes.
    pub id: &'static str,
    /// The heading.
    pub title: &'static str,
    /// An introduction for readers of the figures.
    pub lead: &'static str,
    /// The figures.
    pub figures: &'static [FigureSpec],
}

/// A figure: which question it asks, and how it draws the answer.
#[derive(Debug, Clone, Copy)]
pub struct FigureSpec {
    /// The name of its files, and its anchor on the page.
    pub id: &'static str,
    /// The name of the question.
    pub question: &'static str,
    /// The title.
    pub title: &'static str,
    /// Values for parameters of the question, besides the crawl.
    pub set: &'static [(&'static str, &'static str)],
    /// Which crawls it shows.
    pub crawls: CrawlScope,
    /// The chart.
    pub plot: Plot,
    /// The columns of its table.
    pub columns: &'static [&'static str],
    /// The column of the denominator, and what it counts. If the text is empty, the parameter `denominator` determines
    /// it.
    pub counted: (&'static str, &'static str),
    /// The caption: what the numbers mean.
    pub definition: &'static str,
    /// The sentence if every number is zero, without the full stop.
    pub zero: &'static str,
    /// The sentence if the answer has no rows, without the full stop. If the text is empty, `zero` is true then, too.
    pub empty: &'static str,
    /// Why the figure is left out if the answer has no rows. If the text is empty, it is shown without data.
    pub absent: &'static str,
    /// The user's own table that the question needs.
    pub needs: Option<&'static str>,
    /// The greatest number of rows of its table on the page.
    pub rows: usize,
}

impl FigureSpec {
    /// Whether both figures ask the same question, and are left out for the same reasons.
    pub(crate) fn asks_like(&self, other: &FigureSpec) -> bool {
        let asks = |figure: &FigureSpec| (figure.question, figure.set, figure.crawls, figure.needs, figure.absent);
        asks(self) == asks(other)
    }

    /// Whether its numbers count hosts.
    pub(crate) fn counts_hosts(&self) -> bool {
        self.counted.1.starts_with("hosts ")
    }

    /// The column of the denominator of a share.
    #[must_use]
    pub fn denominator(&self, share: &str) -> &'static str {
        let is_it = |(question, column, _): &&(&str, &str, &str)| *question == self.question && *column == share;
        OTHER_DENOMINATORS.iter().find(is_it).map_or(self.counted.0, |(.., column)| column)
    }
}

/// Shares with another denominator than the one that their figure declares: the question, the column of the share and
/// that of the denominator.
const OTHER_DENOMINATORS: &[(&str, &str, &str)] = &[
    ("ai_agents_named", "share", "sites_counted"),
    ("ai_agents_named", "share_all_majors", "sites_counted"),
    ("sitemaps", "share_of_lines", "lines_counted"),
    ("status_vs_rules", "share_of_captured_again", "hosts_captured_again"),
    ("train_no_search_yes", "share_search_allowed", "sites"),
    ("train_no_search_yes", "share_fetching_allowed", "sites"),
    ("violation_overview", "share_of_bodies", "bodies_counted"),
];

/// Which crawls a figure shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrawlScope {
    /// All crawls.
    All,
    /// The crawl of the report.
    One,
    /// All crawls; the figure is left out if there is only one.
    Several,
}

/// How a chart draws an answer.
#[derive(Debug, Clone, Copy)]
pub struct Plot {
    /// The kind of chart.
    pub kind: ChartKind,
    /// The columns that form the category, separated by spaces.
    pub x: &'static str,
    /// The series and their numbers.
    pub series: Series,
    /// The column with a panel for each of its values; no panels if empty.
    pub panel: &'static str,
    /// The heading of the axis.
    pub axis: &'static str,
    /// Whether the categories have an order of their own. Otherwise charts of bars sort them by their numbers.
    pub is_ordinal: bool,
    /// Columns whose texts are shown below the name of a category, each with its heading.
    pub notes: &'static [(&'static str, &'static str)],
    /// The greatest number of categories that are drawn.
    pub most: usize,
    /// A column, and the labels of its values that are drawn; all if empty.
    pub only: (&'static str, &'static [&'static str]),
    /// A column, and the labels of its values that are not drawn.
    pub not: (&'static str, &'static [&'static str]),
}

/// The kind of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChartKind {
    /// A table and no chart.
    Table,
    /// A bar for each category.
    Bars,
    /// A bar for each category, divided into the parts of a whole.
    Stacked,
    /// Stacked bands of the parts of a whole, over crawls.
    Areas,
    /// Marks on a line for each category.
    Dots,
    /// A line for each series, over crawls or strata.
    Lines,
    /// A column for each bin.
    Histogram,
    /// A cell for each category and series.
    Heat,
    /// A bar from a line at 1 to the left or to the right.
    Ratio,
}

/// The series within a category, and the columns of their numbers.
#[derive(Debug, Clone, Copy)]
pub enum Series {
    /// One series: the column of its numbers.
    One(&'static str),
    /// A series for each value of the first column; the column of the numbers.
    By(&'static str, &'static str),
    /// A series for each column, with its label.
    Wide(&'static [(&'static str, &'static str)]),
}

impl Plot {
    /// Whether a row of an answer is drawn.
    pub(crate) fn shows(&self, answer: &AnswerTable, row: &[AnswerCell]) -> bool {
        let is_among = |(column, values): (&str, &[&str])| {
            values.contains(&formatting::format_cell(column, answer.cell(row, column)).as_str())
        };
        (self.only.0.is_empty() || is_among(self.only)) && (self.not.0.is_empty() || !is_among(self.not))
    }
}
