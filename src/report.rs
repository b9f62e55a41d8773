//! `robocensus report`: a page of what the tables answer.

use crate::answer::{self, Asking, Whither};
use crate::exit::Exit;
use crate::failures;
use crate::progress::{self, Look, Watcher};
use crate::streams::Streams;
use crate::terminal::Safe;
use ::report::{Progress, Wanted};
use analyze::Options;
use analyze::output::{Format, Text};
use folder::{Failure, Folder, Lock};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;

/// What is to be done.
#[derive(Debug)]
pub(crate) struct ReportCommand {
    /// Where the tables are.
    pub(crate) tables: PathBuf,
    /// Where the report goes.
    pub(crate) out: PathBuf,
    /// How the tables are opened.
    pub(crate) options: Options,
    /// What is wanted.
    pub(crate) wanted: Wanted,
    /// Whether only what went wrong is said.
    pub(crate) is_quiet: bool,
}

/// Does it.
pub(crate) fn run(report: &ReportCommand, streams: &mut Streams<'_>) -> io::Result<Exit> {
    let ReportCommand { tables, out, options, wanted, is_quiet } = report;
    // Of tables that change while they are read, figures would not fit together.
    let _lock = match Lock::share(&Folder::at(tables)) {
        Ok(lock) => lock,
        Err(failure) => return failures::fail(failure, streams),
    };
    if let Err(failure) = ::report::may_be_written(out) {
        return failures::fail(failure, streams);
    }
    let whither = Whither { format: Format::Table, text: Text::Neutralised, out: None };
    let asking = Asking { tables: tables.clone(), options: options.clone(), whither };
    let Some(asked) = answer::open(&asking, streams)? else { return Ok(Exit::Failed) };
    let progress = Progress::default();
    let watcher = if *is_quiet { Watcher::Nobody } else { streams.watcher };
    let made = progress::while_looked_at(watcher, &|_| look(&progress), || {
        asked.wait(::report::make(&asked.session, wanted, &progress))
    });
    let made = match made {
        None => return failures::fail(Failure::new("stopped", Path::new("report"), "by Ctrl-C"), streams),
        Some(Err(failure)) => return failures::fail(failure, streams),
        Some(Ok(made)) => made,
    };
    if let Err(failure) = made.write(out) {
        return failures::fail(failure, streams);
    }
    if !is_quiet {
        let page = out.join(made.page);
        let page = Safe(page.as_os_str().as_encoded_bytes());
        writeln!(streams.out, "{page}: {} figures, {} not shown", made.figures, made.left_out)?;
    }
    Ok(Exit::Good)
}

fn look(progress: &Progress) -> Look {
    let [done, in_all] = [&progress.figures, &progress.figures_in_all].map(|sum| sum.load(Relaxed));
    let line = format!("{done} of {in_all} figures");
    Look { done: done as u64, in_all: in_all as u64, beside_bar: line.clone(), line }
}
