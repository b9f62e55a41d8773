//! Runs statements over a folder of tables and writes the answers to standard output or a file.

pub(crate) mod file;

use crate::failures::{self, CommandError};
use crate::interrupt::Interrupt;
use crate::streams::Streams;
use crate::unfinished;
use analyze::output::{self, AnswerFormat, Ink, Manner, TableLayout, TextEscape};
use analyze::statement::{ParameterValues, ParsedStatement};
use analyze::{AnswerBatches, Session, SessionOptions};
use datafusion::arrow::array::{ArrayRef, AsArray as _, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::error::DataFusionError;
use file::FileDraft;
use folder::{Failure, regular};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::runtime::{Handle, Runtime};

/// Which tables to open, and where to write answers.
#[derive(Debug)]
pub(crate) struct QueryOptions {
    /// The folder of tables.
    pub(crate) tables: PathBuf,
    /// How to open them.
    pub(crate) session: SessionOptions,
    pub(crate) destination: Destination,
}

/// Where an answer goes.
#[derive(Debug, Clone)]
pub(crate) struct Destination {
    pub(crate) format: AnswerFormat,
    /// Whether the extension of the file is that of no format, and no option names the format.
    pub(crate) has_unknown_ending: bool,
    /// Whether text from crawled files is escaped.
    pub(crate) text: TextEscape,
    /// The file; without one, standard output.
    pub(crate) out: Option<PathBuf>,
}

impl Destination {
    /// Fails if nothing says in which format to write the file, or if the format is never changed, so that `--exact` has
    /// no effect.
    pub(crate) fn check_format(&self) -> Result<(), Failure> {
        match &self.out {
            Some(out) if self.has_unknown_ending => {
                let known = AnswerFormat::list_endings();
                let cause = format_args!("its extension is none of {known}; --format names a format for any file");
                Err(Failure::new("answer has no format", out, cause))
            }
            _ if self.text == TextEscape::Exact && !matches!(self.format, AnswerFormat::Csv | AnswerFormat::Tsv) => {
                let cause = format_args!("it is for csv and tsv, and the answer is {}", self.format.name());
                Err(Failure::new("option does not fit", Path::new("--exact"), cause))
            }
            _ => Ok(()),
        }
    }
}

/// An open folder of tables, with the threads that run its statements.
pub(crate) struct OpenSession {
    /// Always there, except while it is dropped.
    runtime: Option<Runtime>,
    /// The handle of `runtime`.
    handle: Handle,
    jobs: NonZeroUsize,
    pub(crate) session: Arc<Session>,
    destination: Destination,
    pub(crate) layout: TableLayout,
    /// Whether an answer was written to the file for answers.
    has_written: bool,
    /// Whether [`Self::answer_all`] says on standard error that an answer has no rows.
    pub(crate) reports_empty: bool,
    interrupt: Interrupt,
}

/// Opens the tables.
pub(crate) fn open(options: &QueryOptions, streams: &mut Streams<'_>) -> Result<OpenSession, CommandError> {
    let QueryOptions { tables, session: options, destination } = options;
    if destination.format == AnswerFormat::Parquet && destination.out.is_none() {
        let cause = "name a file for the answer, such as --out answer.parquet";
        return Err(Failure::new("format needs a file", Path::new("parquet"), cause).into());
    }
    let interrupt = Interrupt::listen()?;
    let runtime = analyze::runtime(options.jobs)?;
    let session = runtime.block_on(Session::open(tables, options))?;
    // A folder without tables is the first thing to say.
    destination.out.as_ref().map_or(Ok(()), |out| regular::refuse_below(out, tables))?;
    unfinished::warn(tables, &session, streams)?;
    Ok(OpenSession {
        handle: runtime.handle().clone(),
        runtime: Some(runtime),
        jobs: options.jobs,
        session: Arc::new(session),
        destination: destination.clone(),
        layout: TableLayout::default(),
        has_written: false,
        reports_empty: !streams.is_quiet(),
        interrupt,
    })
}

impl OpenSession {
    /// Runs the statements of a parsed text up to the first that fails. `place` names the text in messages.
    pub(crate) fn answer_all(
        &mut self,
        parsed: Result<Vec<ParsedStatement>, DataFusionError>,
        place: &Path,
        streams: &mut Streams<'_>,
    ) -> Result<(), CommandError> {
        let statements = parsed.map_err(|error| self.session.failure(&error, place))?;
        let count = statements.len();
        let mut answers = 0;
        for (nth, statement) in statements.into_iter().enumerate() {
            let place = match count {
                1 => place.to_path_buf(),
                _ => PathBuf::from(format!("{}, number {}", place.display(), nth + 1)),
            };
            // Without a blank line, Markdown would have one table with the rows of both.
            if answers > 0 && matches!(self.destination.format, AnswerFormat::Table | AnswerFormat::Markdown) {
                streams.out.write_all(b"\n")?;
            }
            if self.has_written
                && let Some(out) = &self.destination.out
            {
                let cause = "an earlier statement wrote its answer there, and a file can contain only one answer";
                return Err(Failure::new("answer cannot be written", out, cause).into());
            }
            if let Some(rows) = self.answer(&statement, &place, streams)? {
                answers += 1;
                self.has_written = true;
                if rows == 0 && self.reports_empty {
                    let empty = Failure::new("answer is empty", &place, "the statement returned no rows");
                    failures::print(&[empty], streams)?;
                }
            }
        }
        Ok(())
    }

    /// Whether answers go to standard output.
    pub(crate) fn is_on_screen(&self) -> bool {
        self.destination.out.is_none()
    }

    /// Forgets an earlier Ctrl-C, which was meant for the previous statement.
    pub(crate) fn forget_interrupt(&self) {
        self.interrupt.reset();
    }

    /// Runs one statement and writes its answer. Returns the number of rows; `None` if the statement returns no table. A
    /// statement that finds too little memory before its first rows is run again with less.
    pub(crate) fn answer(
        &mut self,
        statement: &ParsedStatement,
        place: &Path,
        streams: &mut Streams<'_>,
    ) -> Result<Option<usize>, CommandError> {
        let opened = Arc::clone(&self.session);
        let mut session = opened.as_ref();
        let mut draft = None;
        loop {
            let error = match self.attempt(session, statement.clone(), place, &mut draft, streams)? {
                AnswerAttempt::Done(rows) => return Ok(rows),
                AnswerAttempt::Failed(error) => error,
            };
            let sparing = match analyze::is_of_memory(&error) {
                true => self.wait(place, session.sparing())??,
                false => None,
            };
            let Some((sparing, how)) = sparing else { return Err(session.failure(&error, place).into()) };
            if !streams.is_quiet() {
                let cause = format_args!("{how}, which takes longer; a larger --memory avoids it");
                failures::print(&[Failure::new("memory is short", place, cause)], streams)?;
            }
            session = sparing;
        }
    }

    /// Runs one statement once. The file for the answer is begun if it is needed, and finished with the last row.
    fn attempt(
        &mut self,
        session: &Session,
        statement: ParsedStatement,
        place: &Path,
        draft: &mut Option<FileDraft>,
        streams: &mut Streams<'_>,
    ) -> Result<AnswerAttempt, CommandError> {
        let is_plan = statement.is_explain() && self.destination.format == AnswerFormat::Table;
        let frame = match self.wait(place, session.answer(statement))? {
            Ok(frame) => frame,
            Err(error) => return Ok(AnswerAttempt::Failed(error)),
        };
        let schema = Arc::new(frame.schema().as_arrow().clone());
        if schema.fields().is_empty() {
            return Ok(AnswerAttempt::Done(None));
        }
        if let Some(name) = self.destination.format.ambiguous_column(&schema) {
            let format = self.destination.format.name();
            let cause =
                format_args!("two columns have the name '{name}', and {format} needs two names; rename one with AS");
            return Err(Failure::new("answer cannot be written", place, cause).into());
        }
        let work = async move { frame.execute_stream().await };
        let mut batches = AnswerBatches::start(&self.handle, work);
        let mut next = || match self.handle.block_on(self.interrupt.unless(batches.next())) {
            None => Err(WriteEnd::Stopped),
            Some(batch) => batch.transpose().map_err(WriteEnd::Failed),
        };
        let manner = Manner {
            format: self.destination.format,
            text: self.destination.text,
            ink: ink(streams),
            layout: self.layout,
        };
        let unwritten =
            |error| Failure::new("answer cannot be written", self.destination.out.as_deref().unwrap_or(place), error);
        if let (None, Some(out)) = (&draft, &self.destination.out) {
            *draft = Some(FileDraft::begin(out).map_err(unwritten)?);
        }
        // A statement that fails before its first rows writes nothing.
        let ended = match next() {
            Err(WriteEnd::Failed(error)) => return Ok(AnswerAttempt::Failed(error)),
            Err(end) => Err(end),
            Ok(first) => {
                let out: &mut dyn Write = match draft {
                    Some(draft) => draft,
                    None => streams.out,
                };
                write(manner, is_plan, &schema, first, out, &mut next)
            }
        };
        drop(batches);
        match (ended, draft.take()) {
            (Ok(rows), draft) => {
                draft.map_or(Ok(()), FileDraft::finish).map_err(unwritten)?;
                Ok(AnswerAttempt::Done(Some(rows)))
            }
            (Err(WriteEnd::Stopped), _) => {
                self.leave_threads();
                Err(failures::stopped(place).into())
            }
            (Err(WriteEnd::Failed(error)), _) => Err(session.failure(&error, place).into()),
            (Err(WriteEnd::Unwritten(error)), None) => Err(error.into()),
            (Err(WriteEnd::Unwritten(error)), Some(_)) => Err(unwritten(error).into()),
        }
    }

    /// Starts other threads for the next statement. Those of a stopped statement end with the function call or the
    /// batch that they compute, which can take hours.
    fn leave_threads(&mut self) {
        // If they cannot be started, the next statement waits.
        if let Ok(runtime) = analyze::runtime(self.jobs) {
            self.handle = runtime.handle().clone();
            if let Some(left) = self.runtime.replace(runtime) {
                left.shutdown_background();
            }
        }
    }

    /// Waits for work with the session. Fails if Ctrl-C comes first. `place` names the work.
    pub(crate) fn wait<T>(&self, place: &Path, work: impl Future<Output = T>) -> Result<T, Failure> {
        self.handle.block_on(self.interrupt.unless(work)).ok_or_else(|| failures::stopped(place))
    }

    /// How many rows a statement returns. `None` if it fails, or Ctrl-C comes first.
    pub(crate) fn count_rows(&self, statement: ParsedStatement) -> Option<usize> {
        self.wait(Path::new("statement"), async { self.session.answer(statement).await?.count().await }).ok()?.ok()
    }

    /// The rows of a statement of this program, which returns few rows, and whose columns are all texts. A null is an
    /// empty text.
    pub(crate) fn texts(&self, sql: &str, values: &ParameterValues) -> Result<Vec<Vec<String>>, Failure> {
        let found = self.handle.block_on(self.session.rows(sql, values));
        let found = found.map_err(|error| self.session.failure(&error, Path::new("statement")))?;
        let rows = |batch: RecordBatch| {
            let columns: Vec<_> =
                batch.columns().iter().filter_map(|column| cast(column, &DataType::Utf8).ok()).collect();
            (0..batch.num_rows())
                .map(|row| {
                    let text = |column: &ArrayRef| column.as_string::<i32>().value(row).to_owned();
                    columns.iter().map(text).collect()
                })
                .collect::<Vec<Vec<String>>>()
        };
        Ok(found.into_iter().flat_map(rows).collect())
    }

    /// The columns of a table or view.
    pub(crate) fn schema(&self, table: &str) -> Result<datafusion::arrow::datatypes::Schema, Failure> {
        let frame = self.handle.block_on(self.session.context().table(table));
        frame
            .map(|frame| frame.schema().as_arrow().clone())
            .map_err(|error| self.session.failure(&error, Path::new(table)))
    }
}

impl Drop for OpenSession {
    /// Does not wait for threads that still compute: nobody needs their result.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The result of running a statement once.
enum AnswerAttempt {
    /// With the number of rows; `None` if the statement returns no table.
    Done(Option<usize>),
    /// It failed before it wrote anything.
    Failed(DataFusionError),
}

/// Why an answer was not written to its end.
enum WriteEnd {
    Stopped,
    Failed(DataFusionError),
    Unwritten(io::Error),
}

impl From<io::Error> for WriteEnd {
    fn from(error: io::Error) -> Self {
        WriteEnd::Unwritten(error)
    }
}

/// Writes batches as they arrive, and returns the number of rows.
fn write(
    manner: Manner,
    is_plan: bool,
    schema: &datafusion::arrow::datatypes::SchemaRef,
    mut first: Option<RecordBatch>,
    mut out: &mut dyn Write,
    next: &mut dyn FnMut() -> Result<Option<RecordBatch>, WriteEnd>,
) -> Result<usize, WriteEnd> {
    let mut rows = 0;
    if is_plan {
        while let Some(batch) = first {
            rows += batch.num_rows();
            output::write_plan(&batch, &mut out)?;
            first = next()?;
        }
        return Ok(rows);
    }
    // The plan has the types before those that must be equal are cast, such as those of the parts of a `UNION`.
    let schema = first.as_ref().map_or_else(|| Arc::clone(schema), RecordBatch::schema);
    let mut answer = output::start_answer(manner, &schema, out)?;
    while let Some(batch) = first {
        rows += batch.num_rows();
        answer.write(&batch)?;
        first = next()?;
    }
    answer.finish()?;
    Ok(rows)
}

fn ink(streams: &Streams<'_>) -> Ink {
    if streams.screen.palette.message == anstyle::Style::default() { Ink::Plain } else { Ink::Coloured }
}
