//! The prompt: reads statements and prints their answers.

use super::complete::{PromptHelper, is_command, is_complete};
use crate::answer::{self, OpenSession, QueryOptions};
use crate::exit::Exit;
use crate::failures::{self, CommandResult};
use crate::streams::Streams;
use crate::terminal::window::LineWindow;
use crate::terminal::{Safe, shown_path};
use analyze::did_you_mean;
use analyze::output::TableLayout;
use analyze::statement::parse_statements;
use folder::Failure;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{CompletionType, Config, Editor};
use std::env;
use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

const PROMPT: &str = "robocensus> ";

/// The prompt within a statement.
const CONTINUED: &str = "       ...> ";

const HELP: &str = r"A statement ends with a semicolon and may take several lines. Tab completes
names of tables, columns and functions.
  \d        list tables
  \d NAME   list the columns of a table, with their meaning
  \x        switch between one value per line and one row per line
  \?        show this help
  \q        leave (also quit, exit and Ctrl-D)
You can type these commands between the lines of a statement. Long lines are
cut to the width of the window; after \x they are whole. Ctrl-C discards the
typed statement, or stops a running one. EXPLAIN shows how a statement would be
run.
";

/// Answers statements until the user quits.
pub(super) fn run(options: &QueryOptions, streams: &mut Streams<'_>) -> CommandResult {
    let mut opened = answer::open(options, streams)?;
    // The prompt shows how many rows an answer has.
    opened.reports_empty = false;
    let config = Config::builder().completion_type(CompletionType::List).history_ignore_space(true).build();
    let mut editor = Editor::<PromptHelper, FileHistory>::with_config(config).map_err(io::Error::other)?;
    editor.set_helper(Some(PromptHelper::new(&opened.session)));
    let history = history();
    if let Some(history) = &history {
        // The prompt works without a history.
        let _ = editor.load_history(history);
    }
    if !streams.is_quiet() {
        let tables = shown_path(&options.tables);
        writeln!(streams.out, "{tables}: {} tables; \\? for help, \\q to leave", opened.session.described().len())?;
    }
    let mut rows = RowsShown::InLines;
    let mut typed = String::new();
    loop {
        streams.out.flush()?;
        if let Some(helper) = editor.helper_mut() {
            helper.lines_before.clone_from(&typed);
        }
        let line = match editor.readline(if typed.is_empty() { PROMPT } else { CONTINUED }) {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => {
                typed.clear();
                continue;
            }
            Err(ReadlineError::Eof) => return Ok(Exit::Good),
            Err(ReadlineError::Io(error)) => return Err(error.into()),
            Err(error) => return Err(io::Error::other(error).into()),
        };
        let entered = if is_command(&line, &typed) {
            line
        } else {
            typed.push_str(&line);
            if !is_complete(&typed) {
                typed.push('\n');
                continue;
            }
            std::mem::take(&mut typed)
        };
        let _ = editor.add_history_entry(entered.as_str());
        opened.forget_interrupt();
        opened.layout = rows.layout(&opened);
        let wants_to_quit = run_typed(entered.trim(), &mut rows, &mut opened, streams)?;
        // Ctrl-C was meant for this statement and must not end the prompt.
        opened.forget_interrupt();
        if let Some(history) = &history {
            let _ = editor.append_history(history);
        }
        // The statement may have created a table.
        editor.set_helper(Some(PromptHelper::new(&opened.session)));
        if wants_to_quit {
            return Ok(Exit::Good);
        }
    }
}

/// How rows are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RowsShown {
    /// One row per line.
    InLines,
    /// One value per line.
    InValues,
}

impl RowsShown {
    fn layout(self, opened: &OpenSession) -> TableLayout {
        let window = terminal_size::terminal_size().filter(|_| opened.is_on_screen() && io::stdout().is_terminal());
        match (self, window) {
            (RowsShown::InValues, _) => TableLayout::Values,
            (RowsShown::InLines, Some((columns, _))) => TableLayout::CutLines(columns.0.into()),
            (RowsShown::InLines, None) => TableLayout::Lines,
        }
    }
}

/// Runs a command or statements. Returns whether the user wants to quit.
fn run_typed(
    typed: &str,
    rows: &mut RowsShown,
    opened: &mut OpenSession,
    streams: &mut Streams<'_>,
) -> io::Result<bool> {
    let bare = typed.trim_end_matches(';').trim_end();
    match bare {
        "" => return Ok(false),
        r"\q" | "quit" | "exit" => return Ok(true),
        r"\?" | "help" => streams.out.write_all(HELP.as_bytes())?,
        r"\d" => tables(opened, streams)?,
        r"\x" => {
            let (shown, what) = match rows {
                RowsShown::InLines => (RowsShown::InValues, "one value per line"),
                RowsShown::InValues => (RowsShown::InLines, "one row per line"),
            };
            *rows = shown;
            writeln!(streams.out, "{what}")?;
        }
        _ => match bare.strip_prefix(r"\d ") {
            Some(name) => columns(name.trim(), opened, streams)?,
            None if bare.starts_with('\\') => {
                failures::print(
                    &[Failure::new("command is unknown", Path::new(bare), r"\? lists all commands")],
                    streams,
                )?;
            }
            None => {
                let answered = opened.answer_all(parse_statements(typed), Path::new("statement"), streams);
                failures::print_end(answered.map(|()| Exit::Good), streams)?;
            }
        },
    }
    Ok(false)
}

fn tables(opened: &OpenSession, streams: &mut Streams<'_>) -> io::Result<()> {
    let tables = opened.session.described();
    let width = tables.iter().map(|table| table.name.len()).max().unwrap_or_default();
    tables.iter().try_for_each(|table| {
        let line = format!("{:<width$}  {}", table.name, table.grain);
        write_line(&line, opened, streams)
    })
}

fn columns(name: &str, opened: &OpenSession, streams: &mut Streams<'_>) -> io::Result<()> {
    let tables = opened.session.described();
    match tables.iter().find(|table| table.name == name) {
        None => {
            let meant = did_you_mean(name, tables.iter().map(|table| table.name.as_str()));
            let cause = format!(r"\d lists all tables{meant}");
            failures::print(&[Failure::new("table is unknown", Path::new(name), cause)], streams)
        }
        // The columns of a view are unknown until it is planned.
        Some(table) if table.columns.is_empty() => match asked_columns(name, opened) {
            Ok(lines) => lines.iter().try_for_each(|line| write_line(line, opened, streams)),
            Err(failure) => failures::print(&[failure], streams),
        },
        Some(table) => {
            let names = table.columns.iter().map(|column| column.name.len()).max().unwrap_or_default();
            let kinds = table.columns.iter().map(|column| column.data_type.len()).max().unwrap_or_default();
            write_line(&table.grain, opened, streams)?;
            table.columns.iter().try_for_each(|column| {
                let null = if column.is_nullable { "null" } else { "" };
                let line = format!(
                    "  {:<names$}  {:<kinds$}  {null:<4}  {}",
                    column.name, column.data_type, column.description
                );
                write_line(&line, opened, streams)
            })
        }
    }
}

/// Writes a line of `\d`. Like a row, it is cut to the window.
fn write_line(line: &str, opened: &OpenSession, streams: &mut Streams<'_>) -> io::Result<()> {
    let line = line.trim_end().as_bytes();
    match opened.layout {
        TableLayout::CutLines(columns) => writeln!(streams.out, "{}", LineWindow::new(line, 0..0, columns).text),
        TableLayout::Lines | TableLayout::Values => writeln!(streams.out, "{}", Safe(line)),
    }
}

fn asked_columns(name: &str, opened: &OpenSession) -> Result<Vec<String>, Failure> {
    let schema = opened.schema(name)?;
    let width = schema.fields().iter().map(|field| field.name().len()).max().unwrap_or_default();
    Ok(schema.fields().iter().map(|field| format!("  {:<width$}  {}", field.name(), field.data_type())).collect())
}

/// The file of the history, in the state folder of the XDG Base Directory Specification.
fn history() -> Option<PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = absolute("XDG_STATE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".local/state")))?;
    let folder = state.join("robocensus");
    fs::create_dir_all(&folder).ok()?;
    Some(folder.join("history"))
}
