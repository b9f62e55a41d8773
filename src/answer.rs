//! Asks a folder of tables, and writes what it answers: to standard output, or to a file that is there when it is whole.

mod file;
mod stop;

use crate::streams::Streams;
use crate::{failures, interrupt};
use analyze::output::{self, Format, Ink, Manner, Text};
use analyze::statement::{ParsedStatement, parse_statements};
use analyze::{Options, Session};
use datafusion::arrow::array::RecordBatch;
use datafusion::error::DataFusionError;
use file::Draft;
use folder::Failure;
use futures_util::StreamExt as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stop::Stop;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;

/// What is asked, and where the answer goes.
#[derive(Debug)]
pub(crate) struct Asking {
    /// The folder of tables.
    pub(crate) tables: PathBuf,
    /// How it is opened.
    pub(crate) options: Options,
    /// Where the answer goes.
    pub(crate) whither: Whither,
}

/// Where an answer goes.
#[derive(Debug, Clone)]
pub(crate) struct Whither {
    /// Its format.
    pub(crate) format: Format,
    /// What becomes of text from outside.
    pub(crate) text: Text,
    /// The file, if it is one.
    pub(crate) out: Option<PathBuf>,
}

/// A folder that can be asked, and the threads that work at it.
pub(crate) struct Asked {
    runtime: Option<Runtime>,
    pub(crate) session: Arc<Session>,
    whither: Whither,
    stop: Stop,
}

/// How a statement ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Done {
    /// It was answered, with rows.
    Answered,
    /// It did what it was to do, and has no rows.
    Silent,
    /// It was not, and why was said.
    Failed,
}

/// So many batches wait to be written while the next are computed.
const BATCHES_AHEAD: usize = 4;

/// Opens what is asked. If it cannot be opened, that is said.
pub(crate) fn open(asking: &Asking, streams: &mut Streams<'_>) -> io::Result<Option<Asked>> {
    let Asking { tables, options, whither } = asking;
    if whither.format == Format::Parquet && whither.out.is_none() {
        let cause = "name a file for the answer, such as --out answer.parquet";
        failures::name(&[Failure::new("format needs a file", Path::new("parquet"), cause)], streams)?;
        return Ok(None);
    }
    let stop = Stop::new(interrupt::flag()?);
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(options.jobs.get()).enable_all().build()?;
    let opened = runtime.block_on(Session::open(tables, options));
    match opened {
        Ok(session) => {
            Ok(Some(Asked { runtime: Some(runtime), session: Arc::new(session), whither: whither.clone(), stop }))
        }
        Err(failure) => {
            failures::name(&[told(failure, tables)], streams)?;
            Ok(None)
        }
    }
}

/// What to do where there is no such folder.
fn told(failure: Failure, tables: &Path) -> Failure {
    if failure.path == tables && !tables.exists() {
        let cause = format!("{}; name the folder that ingest wrote with --tables", failure.cause);
        return Failure { cause, ..failure };
    }
    failure
}

impl Asked {
    /// Answers the statements of a text one after another, up to one that fails. Where it stands is told by `place`.
    pub(crate) fn answer_all(&mut self, text: &str, place: &Path, streams: &mut Streams<'_>) -> io::Result<Done> {
        let statements = match parse_statements(text) {
            Ok(statements) => statements,
            Err(error) => return self.fail(&error, place, streams),
        };
        let count = statements.len();
        let mut answers = 0;
        for (nth, statement) in statements.into_iter().enumerate() {
            let place = match count {
                1 => place.to_path_buf(),
                _ => PathBuf::from(format!("{}, number {}", place.display(), nth + 1)),
            };
            if answers > 0 && self.whither.format == Format::Table {
                streams.out.write_all(b"\n")?;
            }
            if answers > 0
                && let Some(out) = &self.whither.out
            {
                let cause = "an earlier statement wrote its answer there, and a file holds one answer";
                failures::name(&[Failure::new("answer cannot be written", out, cause)], streams)?;
                return Ok(Done::Failed);
            }
            match self.answer(statement, &place, streams)? {
                Done::Failed => return Ok(Done::Failed),
                Done::Answered => answers += 1,
                Done::Silent => {}
            }
        }
        Ok(if answers > 0 { Done::Answered } else { Done::Silent })
    }

    /// Forgets a Ctrl-C: it was meant for a statement that has ended.
    pub(crate) fn go_on(&self) {
        self.stop.reset();
    }

    /// Answers one statement.
    pub(crate) fn answer(
        &mut self,
        statement: ParsedStatement,
        place: &Path,
        streams: &mut Streams<'_>,
    ) -> io::Result<Done> {
        let is_plan = statement.is_explain() && self.whither.format == Format::Table;
        let (Some(runtime), session) = (&self.runtime, &self.session) else { return Ok(Done::Failed) };
        let planned = runtime.block_on(self.stop.unless(session.answer(statement)));
        let frame = match planned {
            None => return stopped(place, streams),
            Some(Err(error)) => return self.fail(&error, place, streams),
            Some(Ok(frame)) => frame,
        };
        let schema = Arc::new(frame.schema().as_arrow().clone());
        if schema.fields().is_empty() {
            return Ok(Done::Silent);
        }
        let (sender, mut batches) = mpsc::channel::<Result<RecordBatch, DataFusionError>>(BATCHES_AHEAD);
        // Elsewhere, so that whoever waits here hears of Ctrl-C while a thread computes.
        let work = runtime.spawn(async move {
            match frame.execute_stream().await {
                Err(error) => _ = sender.send(Err(error)).await,
                Ok(mut stream) => {
                    while let Some(batch) = stream.next().await {
                        if sender.send(batch).await.is_err() {
                            break;
                        }
                    }
                }
            }
        });
        let mut next = || runtime.block_on(self.stop.unless(batches.recv()));
        let manner = Manner { format: self.whither.format, text: self.whither.text, ink: ink(streams) };
        let mut draft = match &self.whither.out {
            None => None,
            Some(out) => match Draft::begin(out) {
                Ok(draft) => Some(draft),
                Err(error) => return cannot_write(out, &error, streams),
            },
        };
        let ended = {
            let out: &mut dyn Write = match &mut draft {
                Some(draft) => draft,
                None => streams.out,
            };
            write(manner, is_plan, &schema, out, &mut next)
        };
        work.abort();
        match (ended, draft) {
            (Ok(End::Whole), None) => Ok(Done::Answered),
            (Ok(End::Whole), Some(draft)) => match draft.finish() {
                Ok(()) => Ok(Done::Answered),
                Err(error) => cannot_write(self.whither.out.as_deref().unwrap_or(place), &error, streams),
            },
            (Ok(End::Stopped), _) => stopped(place, streams),
            (Ok(End::Failed(error)), _) => self.fail(&error, place, streams),
            (Err(error), None) => Err(error),
            (Err(error), Some(_)) => cannot_write(self.whither.out.as_deref().unwrap_or(place), &error, streams),
        }
    }

    /// What comes of work with the session; nothing if Ctrl-C is pressed before.
    pub(crate) fn wait<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        self.runtime.as_ref().and_then(|runtime| runtime.block_on(self.stop.unless(work)))
    }

    /// All rows of a statement of this program, which are few.
    pub(crate) fn collect(&self, sql: &str) -> Result<Vec<RecordBatch>, Failure> {
        let Some(runtime) = &self.runtime else { return Ok(Vec::new()) };
        let collected = runtime.block_on(async { self.session.query(sql).await?.collect().await });
        collected.map_err(|error| self.session.failure(&error, Path::new("statement")))
    }

    /// The columns of a table or view.
    pub(crate) fn schema(&self, table: &str) -> Result<datafusion::arrow::datatypes::Schema, Failure> {
        let Some(runtime) = &self.runtime else { return Ok(datafusion::arrow::datatypes::Schema::empty()) };
        let frame = runtime.block_on(self.session.context().table(table));
        frame
            .map(|frame| frame.schema().as_arrow().clone())
            .map_err(|error| self.session.failure(&error, Path::new(table)))
    }

    fn fail(&self, error: &DataFusionError, place: &Path, streams: &mut Streams<'_>) -> io::Result<Done> {
        failures::name(&[self.session.failure(error, place)], streams)?;
        Ok(Done::Failed)
    }
}

impl Drop for Asked {
    /// Threads that still compute are not waited for: nobody wants to know any more.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// How the batches of an answer ended.
enum End {
    Whole,
    Stopped,
    Failed(DataFusionError),
}

/// Writes batches as they come. What fails while they are computed is told apart from what fails while they are written.
fn write(
    manner: Manner,
    is_plan: bool,
    schema: &datafusion::arrow::datatypes::SchemaRef,
    out: &mut dyn Write,
    next: &mut dyn FnMut() -> Option<Option<Result<RecordBatch, DataFusionError>>>,
) -> io::Result<End> {
    // Nothing of an answer is written before there is some of it, so that a statement that fails at once leaves nothing.
    let mut first = next();
    let mut out = out;
    if let Some(Some(Err(_))) = &first
        && let Some(Some(Err(error))) = first.take()
    {
        return Ok(End::Failed(error));
    }
    if is_plan {
        loop {
            match first.take() {
                None => return Ok(End::Stopped),
                Some(None) => return Ok(End::Whole),
                Some(Some(Err(error))) => return Ok(End::Failed(error)),
                Some(Some(Ok(batch))) => output::write_plan(&batch, &mut out)?,
            }
            first = next();
        }
    }
    let mut answer = output::begin(manner, schema, out)?;
    loop {
        match first.take() {
            None => return Ok(End::Stopped),
            Some(None) => break,
            Some(Some(Err(error))) => return Ok(End::Failed(error)),
            Some(Some(Ok(batch))) => answer.write(&batch)?,
        }
        first = next();
    }
    answer.finish()?;
    Ok(End::Whole)
}

fn ink(streams: &Streams<'_>) -> Ink {
    if streams.screen.palette.message == anstyle::Style::default() { Ink::Plain } else { Ink::Coloured }
}

fn stopped(place: &Path, streams: &mut Streams<'_>) -> io::Result<Done> {
    failures::name(&[Failure::new("stopped", place, "by Ctrl-C")], streams)?;
    Ok(Done::Failed)
}

fn cannot_write(out: &Path, error: &io::Error, streams: &mut Streams<'_>) -> io::Result<Done> {
    failures::name(&[Failure::new("answer cannot be written", out, error)], streams)?;
    Ok(Done::Failed)
}
