//! `robocensus report`: writes a page of figures.

use crate::answer::{self, Destination, OpenSession, QueryOptions};
use crate::exit::Exit;
use crate::failures::CommandResult;
use crate::own_tables::{self, OwnTableReader};
use crate::progress::{self, ProgressView};
use crate::streams::Streams;
use crate::terminal::shown_path;
use ::report::{ListedQuestion, ReportOptions, ReportProgress, SHORT_OF_MEMORY};
use analyze::SessionOptions;
use analyze::output::{AnswerFormat, TextEscape};
use analyze::portable::Engine;
use folder::{Folder, Lock, regular};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;

/// The options of `report`.
#[derive(Debug)]
pub(crate) struct ReportCommand {
    /// The folder of tables.
    pub(crate) tables: PathBuf,
    /// The folder to write the report to. Without one, its questions are listed.
    pub(crate) out: Option<PathBuf>,
    /// The engine whose statements are listed with the questions.
    pub(crate) engine: Option<Engine>,
    /// How to open the tables.
    pub(crate) options: SessionOptions,
    /// The content and format of the report.
    pub(crate) wanted: ReportOptions,
}

/// Makes the report and writes it.
pub(crate) fn run(report: &ReportCommand, streams: &mut Streams<'_>) -> CommandResult {
    let ReportCommand { tables, out, engine, options, wanted } = report;
    // If the tables changed during the run, the figures would contradict each other.
    let _lock = Lock::share(&Folder::at(tables))?;
    let known = ::report::figures().filter_map(|figure| figure.needs).collect();
    own_tables::check(&options.own, &known, OwnTableReader::Report)?;
    let destination = Destination {
        format: AnswerFormat::Table,
        has_unknown_ending: false,
        text: TextEscape::Neutralised,
        out: None,
    };
    let options = QueryOptions { tables: tables.clone(), session: options.clone(), destination };
    let opened = answer::open(&options, streams)?;
    let Some(out) = out else {
        return list(&opened, wanted, engine.map(|engine| (engine, &options.session)), streams);
    };
    // After the folder is known to have tables: otherwise, that is what to say.
    regular::refuse_below(out, tables)?;
    ::report::may_be_written(out)?;
    let progress = ReportProgress::default();
    let made = progress::with_progress(streams.watcher, &|_| view(&progress), || {
        opened.wait(Path::new("report"), ::report::make(&opened.session, wanted, &progress))
    })??;
    made.write(out)?;
    let page = shown_path(&out.join(made.page));
    writeln!(streams.out, "{page}: {} figures, {} not shown", made.figures, made.left_out)?;
    for reason in made.reasons.iter().filter(|_| made.figures == 0) {
        streams.notify(format_args!("no figure is shown: {page}: {reason}"))?;
    }
    match progress.asked_again.load(Relaxed) {
        0 => {}
        questions => streams.notify(format_args!(
            "memory is short: {page}: {questions} of its questions took longer for that; a larger --memory avoids it"
        ))?,
    }
    for title in &made.short_of_memory {
        streams.complain(format_args!("figure is not shown: {title}: {SHORT_OF_MEMORY}"))?;
    }
    Ok(if made.short_of_memory.is_empty() { Exit::Good } else { Exit::Flawed })
}

/// Prints the questions of a report, and their statements for an engine.
fn list(
    opened: &OpenSession,
    wanted: &ReportOptions,
    engine: Option<(Engine, &SessionOptions)>,
    streams: &mut Streams<'_>,
) -> CommandResult {
    let (header, questions) =
        opened.wait(Path::new("report"), ::report::questions(&opened.session, wanted, engine))??;
    writeln!(streams.out, "{header}")?;
    for ListedQuestion { id, arguments, sql } in questions {
        let line = match engine {
            Some(_) => serde_json::json!({ "id": id, "arguments": arguments, "sql": sql }),
            None => serde_json::json!({ "id": id, "arguments": arguments }),
        };
        writeln!(streams.out, "{line}")?;
    }
    Ok(Exit::Good)
}

fn view(progress: &ReportProgress) -> ProgressView {
    let ReportProgress { figures, figures_in_all, asked_again } = progress;
    let [done, in_all, asked_again] = [figures, figures_in_all, asked_again].map(|sum| sum.load(Relaxed));
    let short = if asked_again > 0 { ", memory is short" } else { "" };
    let line = format!("{done} of {in_all} figures{short}");
    ProgressView { done: done as u64, in_all: in_all as u64, beside_bar: line.clone(), line }
}
