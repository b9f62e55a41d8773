//! The options and the progress of a report.

use std::path::PathBuf;
use std::sync::atomic::AtomicUsize;

/// The contents and options of a report.
#[derive(Debug, Clone, Default)]
pub struct ReportOptions {
    /// The title; `None` for the default one.
    pub title: Option<String>,
    /// The names of the sections; all sections if empty.
    pub only: Vec<String>,
    /// The crawl that figures of one crawl show; `None` for the last one.
    pub crawl: Option<String>,
    /// The format of the page.
    pub format: ReportFormat,
    /// The names of the user's own tables, such as `ranks`.
    pub own: Vec<String>,
    /// The file with the user's own list of agents, if there is one.
    pub agents: Option<PathBuf>,
    /// The number of threads. A report asks up to as many questions at a time, at most 4, and half as many if the crawl is
    /// large.
    pub jobs: usize,
    /// A folder with answers that another engine computed.
    pub answers: Option<PathBuf>,
}

/// The format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReportFormat {
    /// An HTML page.
    #[default]
    Html,
    /// A Markdown page, with its charts as SVG files.
    Markdown,
}

/// The progress of a report, counted in figures.
#[derive(Debug, Default)]
pub struct ReportProgress {
    /// Figures whose question was answered. All other work is short in comparison.
    pub figures: AtomicUsize,
    /// All figures of the report; 0 until the crawls are known.
    pub figures_in_all: AtomicUsize,
    /// Questions that found too little memory even alone, and were asked again in a way that takes longer.
    pub asked_again: AtomicUsize,
}
