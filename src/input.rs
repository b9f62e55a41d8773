//! A robots.txt to read: a file, or `-` for standard input.

use crate::exit::Exit;
use crate::streams::Streams;
use crate::terminal::shown_path;
use folder::failure::lower;
use robots::limits::HARD_CAP_BYTES;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Where a robots.txt is read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RobotsInput {
    /// Standard input.
    Stdin,
    /// A file, or anything else that opens under this path.
    File(PathBuf),
}

impl RobotsInput {
    /// Clears `body` and reads the input into it. If that fails, prints the failure and returns `Failed`.
    pub(crate) fn read(&self, body: &mut Vec<u8>, streams: &mut Streams<'_>) -> io::Result<Exit> {
        body.clear();
        if let Err(error) = self.read_up_to_cap(body, streams.input) {
            let is_url = self.path().to_str().is_some_and(|path| path.contains("://"));
            let hint = if is_url { "; a URL is not fetched: download the file first, or pipe it to -" } else { "" };
            streams.complain(format_args!("file cannot be read: {self}: {}{hint}", lower(error.to_string())))?;
            return Ok(Exit::Failed);
        }
        if body.len() > HARD_CAP_BYTES {
            streams.notify(format_args!(
                "file is read in part: {self}: it is longer than {HARD_CAP_BYTES} bytes, and the rest is ignored"
            ))?;
        }
        Ok(Exit::Good)
    }

    /// Reads one byte more than the parser uses, so that the parser notices a longer file. This also bounds the memory
    /// for an endless input.
    fn read_up_to_cap(&self, body: &mut Vec<u8>, stdin: &mut dyn Read) -> io::Result<()> {
        let cap = HARD_CAP_BYTES as u64 + 1;
        match self {
            RobotsInput::Stdin => stdin.take(cap).read_to_end(body)?,
            RobotsInput::File(path) => File::open(path)?.take(cap).read_to_end(body)?,
        };
        Ok(())
    }

    /// The name as typed.
    pub(crate) fn path(&self) -> &Path {
        match self {
            RobotsInput::Stdin => Path::new("-"),
            RobotsInput::File(path) => path,
        }
    }
}

impl From<PathBuf> for RobotsInput {
    fn from(typed: PathBuf) -> Self {
        if typed.as_os_str() == "-" { RobotsInput::Stdin } else { RobotsInput::File(typed) }
    }
}

/// The name for messages, safe to print.
impl fmt::Display for RobotsInput {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RobotsInput::Stdin => formatter.write_str("<stdin>"),
            RobotsInput::File(path) => formatter.write_str(&shown_path(path)),
        }
    }
}
