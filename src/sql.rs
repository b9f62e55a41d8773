//! `robocensus sql`: any statement over the tables.

mod complete;
mod prompt;

use crate::answer::{self, Asking, Done};
use crate::exit::Exit;
use crate::failures;
use crate::streams::Streams;
use folder::Failure;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What is to be done.
#[derive(Debug)]
pub(crate) struct SqlCommand {
    /// Where the statements come from.
    pub(crate) source: Source,
    /// What is asked, and where the answers go.
    pub(crate) asking: Asking,
}

/// Where statements come from.
#[derive(Debug)]
pub(crate) enum Source {
    /// The command line.
    Typed(String),
    /// A file.
    File(PathBuf),
    /// Standard input: a person at a prompt, or what is piped in.
    Input,
}

/// Does it.
pub(crate) fn run(sql: &SqlCommand, streams: &mut Streams<'_>) -> io::Result<Exit> {
    let read = match &sql.source {
        Source::Typed(statement) => Ok((statement.clone(), PathBuf::from("statement"))),
        Source::File(path) => {
            fs::read_to_string(path).map(|text| (text, path.clone())).map_err(|error| (error, path.as_path()))
        }
        Source::Input if streams.is_typed => return prompt::run(&sql.asking, streams),
        Source::Input => {
            let mut text = String::new();
            let read = streams.input.read_to_string(&mut text);
            read.map(|_| (text, PathBuf::from("standard input"))).map_err(|error| (error, Path::new("standard input")))
        }
    };
    let (text, place) = match read {
        Ok(read) => read,
        Err((error, path)) => {
            return failures::fail(Failure::new("statements cannot be read", path, error), streams);
        }
    };
    let Some(mut asked) = answer::open(&sql.asking, streams)? else { return Ok(Exit::Failed) };
    Ok(match asked.answer_all(&text, &place, streams)? {
        Done::Failed => Exit::Failed,
        Done::Answered | Done::Silent => Exit::Good,
    })
}
