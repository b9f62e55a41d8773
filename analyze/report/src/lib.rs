//! Answers as a page that people read.
//!
//! [`make`] asks the questions that [`names`] lists by section, and lays their answers out as one page, with a CSV and the
//! SQL of each. What holds here:
//!
//! - Every number is one of an answer to a question of `queries/questions`. Nothing is computed but where it stands.
//! - The page needs nothing but itself: no network, script, font or style from elsewhere, and its policy allows none.
//! - What a table holds was written by anybody: it is escaped, shown and short wherever it stands, and only as text.
//! - The same tables give the same bytes: there is no clock, no machine and no thread in them.

mod answer_table;
mod answers;
mod captions;
mod cautions;
mod chart;
mod contents;
mod crawl_days;
mod drawing;
mod fingerprint;
mod formatting;
mod grid;
mod labels;
mod markdown;
mod page;
mod report_folder;

use analyze::Session;
use answers::ReportAnswers;
pub use contents::names;
use fingerprint::Fingerprint;
use folder::Failure;
pub use page::NAME as PAGE;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

/// What is wanted of a report.
#[derive(Debug, Clone, Default)]
pub struct ReportOptions {
    /// Its title, if not the usual one.
    pub title: Option<String>,
    /// The sections that are wanted; all if none is named.
    pub only: Vec<String>,
    /// The crawl that figures of one crawl are about; the last, by name, if it is not said.
    pub crawl: Option<String>,
    /// What it is written as.
    pub format: ReportFormat,
    /// The tables of the user's own that there are.
    pub own: Vec<String>,
    /// So many questions are worked at at a time.
    pub jobs: usize,
}

/// What a report is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReportFormat {
    /// A page for browsers.
    #[default]
    Html,
    /// A page of Markdown, and its charts beside it.
    Markdown,
}

/// How far the work is, for whoever watches.
#[derive(Debug, Default)]
pub struct ReportProgress {
    /// Figures that were asked for; the rest of the work is nothing beside that.
    pub figures: AtomicUsize,
    /// Figures that there are to ask for; known once the sections are.
    pub figures_in_all: AtomicUsize,
}

/// A report: its files by their paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFiles {
    files: BTreeMap<String, Vec<u8>>,
    /// The page among them.
    pub page: &'static str,
    /// How many figures there are.
    pub figures: usize,
    /// How many figures were left out.
    pub left_out: usize,
}

/// Asks, and lays out what is answered.
pub async fn make(
    session: &Arc<Session>,
    options: &ReportOptions,
    progress: &ReportProgress,
) -> Result<ReportFiles, Failure> {
    let asked = ReportAnswers::ask(session, options, progress).await?;
    let fingerprint = Fingerprint::read(session.folder())?;
    let cannot = |error: &dyn std::fmt::Display| Failure::new("report cannot be made", session.folder().root(), error);
    let mut files = BTreeMap::new();
    for shown in asked.shown() {
        let csv = shown.answer.csv().map_err(|error| cannot(&error))?;
        files.insert(format!("data/{}.csv", shown.figure.id), csv);
        files.insert(format!("sql/{}.sql", shown.figure.id), format!("{};\n", shown.sql).into_bytes());
    }
    let page = match options.format {
        ReportFormat::Html => {
            let page = page::html(&asked, &fingerprint).map_err(|error| cannot(&error))?;
            files.insert(page::NAME.to_owned(), page.into_bytes());
            page::NAME
        }
        ReportFormat::Markdown => {
            markdown::write(&asked, &fingerprint, &mut files).map_err(|error| cannot(&error))?;
            markdown::NAME
        }
    };
    Ok(ReportFiles { files, page, figures: asked.shown().count(), left_out: asked.left_out().count() })
}

/// Makes sure that a report may be written to a folder, before it is made.
pub fn may_be_written(out: &Path) -> Result<(), Failure> {
    report_folder::may_be_written(out)
}

impl ReportFiles {
    /// Writes it to a folder, which is there when it is whole. One of an earlier report is replaced.
    pub fn write(&self, out: &Path) -> Result<(), Failure> {
        report_folder::write(&self.files, out)
    }
}
