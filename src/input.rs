//! What a user names to be read: a file, or `-` for standard input.

use crate::exit::Exit;
use crate::streams::Streams;
use crate::terminal::Safe;
use folder::failure::lower;
use robots::limits::HARD_CAP_BYTES;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Something to read a robots.txt from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// Standard input.
    Stdin,
    /// A file, or whatever else opens under a path.
    File(PathBuf),
}

impl Input {
    /// Reads the input into `body`, which is emptied first. If it cannot be read, that is said, and the run has failed
    /// in part.
    pub(crate) fn read(&self, body: &mut Vec<u8>, streams: &mut Streams<'_>) -> io::Result<Exit> {
        body.clear();
        if let Err(error) = self.read_up_to_cap(body, streams.input) {
            streams.complain(format_args!("file cannot be read: {self}: {}", lower(error.to_string())))?;
            return Ok(Exit::Failed);
        }
        if body.len() > HARD_CAP_BYTES {
            streams.complain(format_args!(
                "file is read in part: {self}: it is longer than {HARD_CAP_BYTES} bytes, and the rest is ignored"
            ))?;
        }
        Ok(Exit::Good)
    }

    /// What the parser would not look at is not read, so that an input without an end costs no more memory than a
    /// large file. One byte more lets the parser know that there is more.
    fn read_up_to_cap(&self, body: &mut Vec<u8>, stdin: &mut dyn Read) -> io::Result<()> {
        let cap = HARD_CAP_BYTES as u64 + 1;
        match self {
            Input::Stdin => stdin.take(cap).read_to_end(body)?,
            Input::File(path) => File::open(path)?.take(cap).read_to_end(body)?,
        };
        Ok(())
    }

    /// Its name as it was typed.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Input::Stdin => Path::new("-"),
            Input::File(path) => path,
        }
    }
}

impl From<PathBuf> for Input {
    fn from(typed: PathBuf) -> Self {
        if typed.as_os_str() == "-" { Input::Stdin } else { Input::File(typed) }
    }
}

/// Its name as a reader should see it.
impl fmt::Display for Input {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Stdin => formatter.write_str("<stdin>"),
            Input::File(path) => Safe(path.as_os_str().as_encoded_bytes()).fmt(formatter),
        }
    }
}
