//! The streams that a command reads from and prints to: those of the process, or a file in place of standard output.

use crate::exit::Exit;
use crate::progress::Watcher;
use crate::terminal::screen::Screen;
use folder::failure::lower;
use std::fmt::Display;
use std::io::{self, ErrorKind, Read, Write};

/// The three standard streams and their properties.
pub(crate) struct Streams<'s> {
    /// Standard input.
    pub(crate) input: &'s mut dyn Read,
    /// Standard output, buffered until the buffer is full or the run ends, or the file of `--out`.
    pub(crate) out: &'s mut dyn Write,
    /// Standard error.
    pub(crate) err: &'s mut dyn Write,
    /// The width and colours of standard output.
    pub(crate) screen: Screen,
    /// Who watches standard error.
    pub(crate) watcher: Watcher,
    /// Whether standard input is a terminal.
    pub(crate) is_typed: bool,
}

impl Streams<'_> {
    /// Whether only failures are printed on standard error.
    pub(crate) fn is_quiet(&self) -> bool {
        self.watcher == Watcher::Nobody
    }

    /// Prints a message on standard error, after flushing standard output. The message must be safe to print.
    pub(crate) fn complain(&mut self, message: impl Display) -> io::Result<()> {
        // A message is for standard error, even if nobody reads standard output any more.
        unless_closed(self.out.flush(), ())?;
        // In one write, so that two runs can share a log. A closed standard error is ignored.
        let _ = self.err.write_all(format!("{message}\n").as_bytes());
        Ok(())
    }

    /// Prints a message that is not a failure on standard error, unless the user wants failures only.
    pub(crate) fn notify(&mut self, message: impl Display) -> io::Result<()> {
        if self.is_quiet() { Ok(()) } else { self.complain(message) }
    }

    /// Flushes standard output and returns the exit code of the run.
    ///
    /// A reader such as `head` closes the pipe when it has seen enough. That is not a failure.
    pub(crate) fn close(&mut self, done: io::Result<Exit>) -> Exit {
        let flushed = |exit| unless_closed(self.out.flush(), ()).map(|()| exit);
        match done.and_then(flushed) {
            Ok(exit) => exit,
            // It was stopped before the exit code was known.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Exit::Good,
            Err(error) => {
                let _ = writeln!(self.err, "output cannot be written: standard output: {}", lower(error.to_string()));
                Exit::Failed
            }
        }
    }
}

/// The standard output of a command that does more than print. The command goes on if the pipe is closed.
pub(crate) struct OutOfWork<'o>(pub(crate) &'o mut dyn Write);

impl Write for OutOfWork<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        unless_closed(self.0.write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        unless_closed(self.0.flush(), ())
    }
}

/// `closed` in place of the error that the pipe is closed.
fn unless_closed<T>(done: io::Result<T>, closed: T) -> io::Result<T> {
    match done {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(closed),
        done => done,
    }
}
