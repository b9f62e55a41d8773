//! Where a command reads from and prints to: the streams of the process in `main`, buffers in a test.

use crate::exit::Exit;
use crate::progress::Watcher;
use crate::terminal::screen::Screen;
use folder::failure::lower;
use std::fmt::Display;
use std::io::{self, ErrorKind, Read, Write};

/// The three streams, and what the second one leads to.
pub(crate) struct Streams<'s> {
    /// Standard input.
    pub(crate) input: &'s mut dyn Read,
    /// Standard output, which has a buffer: it is written when that is full and when the run ends.
    pub(crate) out: &'s mut dyn Write,
    /// Standard error.
    pub(crate) err: &'s mut dyn Write,
    /// What standard output leads to.
    pub(crate) screen: Screen,
    /// Who watches standard error.
    pub(crate) watcher: Watcher,
    /// Whether a person types what is read.
    pub(crate) is_typed: bool,
}

impl Streams<'_> {
    /// Says on standard error what went wrong, behind all that was printed before it. The message is to be safe to print.
    pub(crate) fn complain(&mut self, message: impl Display) -> io::Result<()> {
        self.out.flush()?;
        // In one piece, so that lines of two runs into one log stay lines. Whoever closes standard error does not want to
        // hear of it.
        let _ = self.err.write_all(format!("{message}\n").as_bytes());
        Ok(())
    }

    /// Ends a run: prints what is still in the buffer.
    ///
    /// A reader that has seen enough, such as `head`, closes the pipe. That is no failure and worth no message.
    pub(crate) fn close(&mut self, done: io::Result<Exit>) -> Exit {
        match done.and_then(|exit| self.out.flush().map(|()| exit)) {
            Ok(exit) => exit,
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Exit::Good,
            Err(error) => {
                let _ = writeln!(self.err, "output cannot be written: standard output: {}", lower(error.to_string()));
                Exit::Failed
            }
        }
    }
}
