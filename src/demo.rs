//! `robocensus demo`: makes tables and a report from the sample, with the commands that a user would type.

mod sample;

use crate::exit::Exit;
use crate::failures::CommandResult;
use crate::ingest::IngestCommand;
use crate::report::ReportCommand;
use crate::streams::Streams;
use crate::terminal::shown_path;
use crate::{ingest, report};
use folder::{Failure, Folder, Lock, ledger};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use visible::shell_word;

/// A file of this name marks the folder of a demo, which a later demo may replace.
const MARKER: &str = "made-by-robocensus-demo";

/// Questions to try next: what the answer shows, and the name.
const QUESTIONS: [(&str, &str); 3] = [
    ("who is blocked, by ten definitions", "definition_sensitivity"),
    ("how files break the grammar", "violation_overview"),
    ("what changed between the two crawls", "policy_flips"),
];

/// The options of `demo`.
#[derive(Debug)]
pub(crate) struct DemoCommand {
    /// The folder to write to.
    pub(crate) out: PathBuf,
    /// The program as it was called, for the commands that are printed.
    pub(crate) program: PathBuf,
    /// How to make the tables. Its `inputs` are below `out`.
    pub(crate) ingest: IngestCommand,
    /// How to make the report.
    pub(crate) report: ReportCommand,
}

/// Runs the steps, and prints the command of each.
pub(crate) fn run(demo: &DemoCommand, streams: &mut Streams<'_>) -> CommandResult {
    let DemoCommand { out, program, ingest, report } = demo;
    let page_folder = report.out.clone().unwrap_or_default();
    prepare(out, &ingest.out, &page_folder, &ingest.inputs)?;
    let program = quoted(program);
    let (archives, tables, page) = (quoted_list(&ingest.inputs), quoted(&ingest.out), quoted(&page_folder));
    writeln!(streams.out, "$ {program} ingest {archives} --out {tables}")?;
    // Not its exit code: the sample has two damaged archives on purpose.
    ingest::run(ingest, streams)?;
    writeln!(streams.out, "\n$ {program} report {tables} --out {page}")?;
    report::run(report, streams)?;
    writeln!(streams.out, "\nThe archives are an invented sample; two are damaged on purpose. Next, try:\n")?;
    for (what, question) in QUESTIONS {
        writeln!(streams.out, "{what}:\n  {program} query {question} --tables {tables}")?;
    }
    let index = fs::canonicalize(page_folder.join(::report::PAGE)).unwrap_or_else(|_| page_folder.join(::report::PAGE));
    writeln!(streams.out, "\nOpen the report in a browser:\n  {}", quoted(&index))?;
    Ok(Exit::Good)
}

/// Writes the archives to an empty folder. Replaces an earlier demo; fails if the folder has other files.
fn prepare(out: &Path, tables: &Path, page_folder: &Path, archives: &[PathBuf]) -> Result<(), Failure> {
    folder::refuse_place(out)?;
    let cannot = Failure::at("demo cannot be written", out);
    match fs::read_dir(out).map(|mut entries| entries.next().is_none()) {
        Ok(true) => {}
        Ok(false) if out.join(MARKER).is_file() => {
            // Another demo may be writing there.
            let _lock = Lock::take(&Folder::at(tables))?;
            refuse_other_files(out, tables, page_folder, archives)?;
            clear(out).map_err(cannot)?;
        }
        Ok(false) => {
            let cause = "it is not a demo; name a new or empty folder with --out";
            return Err(Failure::new("folder is not empty", out, cause));
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(cannot(error)),
    }
    let write = || {
        fs::create_dir_all(out)?;
        fs::write(out.join(MARKER), "This folder may be removed.\n")?;
        archives.iter().try_for_each(|folder| sample::write(folder))
    };
    write().map_err(Failure::at("demo cannot be written", out))
}

/// Fails if an earlier demo has files, crawls or a report that no demo made.
fn refuse_other_files(demo: &Path, tables: &Path, page_folder: &Path, archives: &[PathBuf]) -> Result<(), Failure> {
    let refused = |what: &str| {
        let cause = format_args!("it contains {what}, which a new demo would remove; name another folder with --out");
        Failure::new("demo cannot be replaced", demo, cause)
    };
    for entry in fs::read_dir(demo).map_err(Failure::at("demo cannot be written", demo))? {
        let path = entry.map_err(Failure::at("demo cannot be written", demo))?.path();
        let is_ours = path == tables || path == page_folder || archives.contains(&path);
        if !is_ours && path.file_name() != Some(MARKER.as_ref()) {
            return Err(refused(&shown_path(path.strip_prefix(demo).unwrap_or(&path))));
        }
    }
    // A ledger that cannot be read is one of an interrupted demo.
    let entries = ledger::read(&Folder::at(tables)).unwrap_or_default();
    match ledger::crawls(&entries).into_iter().find(|crawl| !sample::has(crawl)) {
        Some(crawl) => Err(refused(&format!("tables of {crawl}"))),
        None => ::report::may_be_written(page_folder),
    }
}

/// Removes what an earlier demo made. The folder stays, since it may be the current one or a link. The marker stays, so
/// that the rest is still a demo if this is interrupted.
fn clear(demo: &Path) -> io::Result<()> {
    for entry in fs::read_dir(demo)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else if entry.file_name() != MARKER {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn quoted_list(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| quoted(path)).collect::<Vec<_>>().join(" ")
}

/// A path with quotes where a shell needs them, safe to print.
fn quoted(path: &Path) -> String {
    shell_word(&shown_path(path))
}
