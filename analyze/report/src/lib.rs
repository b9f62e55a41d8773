//! Reports: the answers to questions as one HTML or Markdown page, with their data and SQL.
//!
//! [`make`] asks the questions of the sections that [`names`] lists. It makes one page, and a CSV and the SQL of each
//! figure. Invariants:
//!
//! - Every number comes from the answer to a question in `queries/questions`. Only the places of marks are computed.
//! - The page is self-contained: it loads nothing, and its content security policy forbids loading anything.
//! - Anybody may have written the texts in tables. They are escaped and shortened wherever they appear.
//! - The same tables give the same bytes, at any time, on any machine and with any number of threads.

mod answer_table;
mod answers;
mod captions;
mod caveats;
mod chart;
mod contents;
mod crawl_days;
mod denominators;
mod drawing;
mod elsewhere;
mod figure_text;
mod findings;
mod fingerprint;
mod formatting;
mod general_caveats;
mod glossary;
mod grid;
mod labels;
mod markdown;
mod options;
mod outside;
mod page;
mod question_library;
mod report_folder;
mod report_questions;
mod sentence;

use analyze::portable::Engine;
use analyze::{Session, SessionOptions};
use answers::ReportAnswers;
pub use answers::{KEPT_VIEWS, SHORT_OF_MEMORY};
pub use contents::{ChartKind, CrawlScope, FigureSpec, Plot, ReportSection, SECTIONS, Series, figures, names};
pub use elsewhere::ListedQuestion;
use fingerprint::Fingerprint;
use folder::Failure;
pub use options::{ReportFormat, ReportOptions, ReportProgress};
pub use page::NAME as PAGE;
use question_library::QuestionLibrary;
pub use report_folder::may_be_written;
use report_folder::{data_file, sql_file};
use report_questions::ReportQuestions;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// The files of a report, by path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportFiles {
    files: BTreeMap<String, Vec<u8>>,
    /// The path of the page.
    pub page: &'static str,
    /// The number of figures on the page.
    pub figures: usize,
    /// The number of figures left out.
    pub left_out: usize,
    /// Why figures were left out.
    pub reasons: BTreeSet<&'static str>,
    /// The titles of the figures left out for [`SHORT_OF_MEMORY`].
    pub short_of_memory: Vec<&'static str>,
}

/// Asks all questions and makes the files. Fails if the crawl is unknown or a question cannot be answered.
pub async fn make(
    session: &Arc<Session>,
    options: &ReportOptions,
    progress: &ReportProgress,
) -> Result<ReportFiles, Failure> {
    let fingerprint = Fingerprint::read(session.folder())?;
    if let Some(answers) = &options.answers {
        elsewhere::compare(answers, &fingerprint, session.folder().root())?;
    }
    let asked = ReportAnswers::ask(session, options, progress).await?;
    let cannot = |error: &dyn std::fmt::Display| Failure::new("report cannot be made", session.folder().root(), error);
    let mut files = BTreeMap::new();
    for shown in asked.shown() {
        let csv = shown.answer.csv().map_err(|error| cannot(&error))?;
        files.insert(data_file(shown.figure.id), csv);
        files.insert(sql_file(shown.figure.id), format!("{};\n", shown.sql).into_bytes());
    }
    let page = match options.format {
        ReportFormat::Html => {
            let page = page::render(&asked, &fingerprint).map_err(|error| cannot(&error))?;
            files.insert(page::NAME.to_owned(), page.into_bytes());
            page::NAME
        }
        ReportFormat::Markdown => {
            markdown::write(&asked, &fingerprint, &mut files).map_err(|error| cannot(&error))?;
            markdown::NAME
        }
    };
    let reasons = asked.left_out().map(|(_, why)| why).collect();
    let is_short = |(figure, why): (&FigureSpec, &str)| (why == SHORT_OF_MEMORY).then_some(figure.title);
    let short_of_memory = asked.left_out().filter_map(is_short).collect();
    let (figures, left_out) = (asked.shown().count(), asked.left_out().count());
    Ok(ReportFiles { files, page, figures, left_out, reasons, short_of_memory })
}

/// The questions of a report, for another engine to answer: the line that identifies the tables, and the questions, with
/// their statements for an engine.
pub async fn questions(
    session: &Arc<Session>,
    options: &ReportOptions,
    engine: Option<(Engine, &SessionOptions)>,
) -> Result<(String, Vec<ListedQuestion>), Failure> {
    let header = elsewhere::header(&Fingerprint::read(session.folder())?, session.folder().root())?;
    let (questions, _) = ReportQuestions::read(session, QuestionLibrary::load()?, options).await?;
    Ok((header, questions.list(session, engine).await?))
}

impl ReportFiles {
    /// Writes the files to a folder, which appears once it is complete. Replaces an earlier report.
    pub fn write(&self, out: &Path) -> Result<(), Failure> {
        report_folder::write(&self.files, out)
    }
}
