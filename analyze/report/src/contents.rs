//! The sections and figures of a report.
//!
//! A figure is the answer to a question in `queries/questions`, with values for some of its parameters. It declares
//! which columns are drawn, how, and with which caption. The report computes no numbers of its own.

mod figure_spec;
mod figures;

pub use figure_spec::{ChartKind, CrawlScope, FigureSpec, Plot, ReportSection, Series};
pub use figures::SECTIONS;

/// The figures of all sections, in the order of the page.
pub fn figures() -> impl Iterator<Item = &'static FigureSpec> {
    SECTIONS.iter().flat_map(|section| section.figures)
}

#[cfg(test)]
pub(crate) fn figure(id: &str) -> &'static FigureSpec {
    figures().find(|figure| figure.id == id).unwrap()
}

/// The names that `--only` takes, each with the heading of its section.
pub fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    SECTIONS.iter().map(|section| (section.id, section.title))
}
