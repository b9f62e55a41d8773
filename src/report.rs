//! `robocensus report`: writes a page of figures.

use crate::answer::{self, Destination, OpenSession, QueryOptions};
use crate::exit::Exit;
use crate::failures;
use crate::own_tables::{self, OwnTableReader};
use crate::progress::{self, ProgressView};
use crate::streams::Streams;
use crate::terminal::shown_path;
use ::report::{ListedQuestion, ReportOptions, ReportProgress};
use analyze::SessionOptions;
use analyze::output::{AnswerFormat, TextEscape};
use analyze::portable::Engine;
use folder::{Folder, Lock, regular};
use std::io;
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
pub(crate) fn run(report: &ReportCommand, streams: &mut Streams<'_>) -> io::Result<Exit> {
    let ReportCommand { tables, out, engine, options, wanted } = report;
    // If the tables changed during the run, the figures would contradict each other.
    let _lock = match Lock::share(&Folder::at(tables)) {
        Ok(lock) => lock,
        Err(failure) => return failures::fail(failure, streams),
    };
    let known = ::report::figures().filter_map(|figure| figure.needs).collect();
    if let Err(failures) = own_tables::check(&options.own, &known, OwnTableReader::Report) {
        return failures::fail(failures, streams);
    }
    let destination =
        Destination { format: AnswerFormat::Table, is_unknown: false, text: TextEscape::Neutralised, out: None };
    let options = QueryOptions { tables: tables.clone(), session: options.clone(), destination };
    let Some(opened) = answer::open(&options, streams)? else { return Ok(Exit::Failed) };
    // After the folder is known to have tables: otherwise, that is what to say.
    let may_be_written =
        |out: &PathBuf| regular::refuse_below(out, tables).and_then(|()| ::report::may_be_written(out));
    if let Some(Err(failure)) = out.as_ref().map(may_be_written) {
        return failures::fail(failure, streams);
    }
    let Some(out) = out else {
        return list(&opened, wanted, engine.map(|engine| (engine, &options.session)), streams);
    };
    let progress = ReportProgress::default();
    let made = progress::with_progress(streams.watcher, &|_| view(&progress), || {
        opened.wait(::report::make(&opened.session, wanted, &progress))
    });
    let made = match made {
        None => return failures::fail(failures::stopped(Path::new("report")), streams),
        Some(Err(failure)) => return failures::fail(failure, streams),
        Some(Ok(made)) => made,
    };
    if let Err(failure) = made.write(out) {
        return failures::fail(failure, streams);
    }
    let page = shown_path(&out.join(made.page));
    writeln!(streams.out, "{page}: {} figures, {} not shown", made.figures, made.left_out)?;
    for reason in made.reasons.iter().filter(|_| made.figures == 0) {
        streams.notify(format_args!("no figure is shown: {page}: {reason}"))?;
    }
    Ok(Exit::Good)
}

/// Prints the questions of a report, and their statements for an engine.
fn list(
    opened: &OpenSession,
    wanted: &ReportOptions,
    engine: Option<(Engine, &SessionOptions)>,
    streams: &mut Streams<'_>,
) -> io::Result<Exit> {
    match opened.wait(::report::questions(&opened.session, wanted, engine)) {
        None => failures::fail(failures::stopped(Path::new("report")), streams),
        Some(Err(failure)) => failures::fail(failure, streams),
        Some(Ok((header, questions))) => {
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
    }
}

fn view(progress: &ReportProgress) -> ProgressView {
    let [done, in_all] = [&progress.figures, &progress.figures_in_all].map(|sum| sum.load(Relaxed));
    let line = format!("{done} of {in_all} figures");
    ProgressView { done: done as u64, in_all: in_all as u64, beside_bar: line.clone(), line }
}
