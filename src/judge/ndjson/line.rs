//! Lines of a stream, one at a time, none longer than it may be.

use std::io::{self, BufRead as _, BufReader, ErrorKind, Read, Write};

/// A line longer than this is skipped: 64 MiB, in which a robots.txt of 48 MiB goes as base64, three times what the
/// parser looks at.
pub(crate) const LINE_BYTES: usize = 64 * 1024 * 1024;

/// As much as a read takes at once.
const BUFFER_BYTES: usize = 256 * 1024;

/// A stream cut into lines.
pub(crate) struct LineReader<'i> {
    input: BufReader<&'i mut dyn Read>,
    /// The number of the last line that was read, from 1.
    pub(crate) line_no: u64,
    /// Why the stream ended before its end, if it did.
    pub(crate) failure: Option<io::Error>,
}

/// What was read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// A line, without its end.
    Line,
    /// A line that was skipped.
    TooLong,
    /// There is none.
    End,
}

impl<'i> LineReader<'i> {
    pub(crate) fn new(input: &'i mut dyn Read) -> Self {
        LineReader { input: BufReader::with_capacity(BUFFER_BYTES, input), line_no: 0, failure: None }
    }

    /// Reads the next line into `line`.
    ///
    /// Before it waits for more, it has written what is in the buffer of `out`, so that who asks a question and waits
    /// for the answer gets it. While questions lie waiting, nothing is flushed. An error is one of `out`; one of the
    /// stream is kept, and ends it.
    pub(crate) fn read(&mut self, line: &mut Vec<u8>, out: &mut dyn Write) -> io::Result<Outcome> {
        line.clear();
        self.line_no += 1;
        let mut outcome = Outcome::End;
        loop {
            if self.input.buffer().is_empty() {
                out.flush()?;
            }
            let waiting = match self.input.fill_buf() {
                Ok([]) => return Ok(outcome),
                Ok(waiting) => waiting,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.failure = Some(error);
                    // Half a line is no line.
                    return Ok(Outcome::End);
                }
            };
            let end = memchr::memchr(b'\n', waiting);
            let part = waiting.get(..end.unwrap_or(waiting.len())).unwrap_or_default();
            if outcome == Outcome::TooLong || line.len() + part.len() > LINE_BYTES {
                outcome = Outcome::TooLong;
            } else {
                outcome = Outcome::Line;
                line.extend_from_slice(part);
            }
            let taken = part.len() + usize::from(end.is_some());
            self.input.consume(taken);
            if end.is_some() {
                return Ok(outcome);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that gives its parts one by one, and notes what had been written before each.
    struct Parts<'p> {
        parts: std::vec::IntoIter<io::Result<&'p [u8]>>,
    }

    impl Read for Parts<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let part = self.parts.next().transpose()?.unwrap_or_default();
            buffer[..part.len()].copy_from_slice(part);
            Ok(part.len())
        }
    }

    /// A buffer that counts how often it is flushed.
    #[derive(Default)]
    struct Flushes(usize);

    impl Write for Flushes {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            self.0 += 1;
            Ok(())
        }
    }

    fn check(parts: Vec<io::Result<&[u8]>>, expected: &[(&str, usize)], expected_failure: Option<ErrorKind>) {
        let mut stream = Parts { parts: parts.into_iter() };
        let mut reader = LineReader::new(&mut stream);
        let (mut line, mut out, mut read) = (Vec::new(), Flushes::default(), Vec::new());
        while reader.read(&mut line, &mut out).unwrap() == Outcome::Line {
            read.push((String::from_utf8(line.clone()).unwrap(), out.0));
        }
        let expected: Vec<_> = expected.iter().map(|&(line, flushes)| (line.to_owned(), flushes)).collect();
        assert_eq!(read, expected);
        assert_eq!(reader.failure.map(|error| error.kind()), expected_failure);
    }

    #[test]
    fn lines_and_how_often_was_flushed_before_them() {
        check(vec![], &[], None);
        check(vec![Ok(b"a\nb\n\nc")], &[("a", 1), ("b", 1), ("", 1), ("c", 2)], None);
        check(vec![Ok(b"a\nb"), Ok(b"c\n"), Ok(b"d\n")], &[("a", 1), ("bc", 2), ("d", 3)], None);
        let broken = || Err(ErrorKind::ConnectionReset.into());
        check(vec![Ok(b"a\nb"), broken()], &[("a", 1)], Some(ErrorKind::ConnectionReset));
        check(vec![Ok(b"a"), Err(ErrorKind::Interrupted.into()), Ok(b"b\n")], &[("ab", 3)], None);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_and_costs_no_other() {
        let mut stream = io::repeat(b'a').take(LINE_BYTES as u64 + 1).chain(&b"\nb\n"[..]);
        let mut reader = LineReader::new(&mut stream);
        let mut line = Vec::new();
        assert_eq!(reader.read(&mut line, &mut io::sink()).unwrap(), Outcome::TooLong);
        assert_eq!((reader.read(&mut line, &mut io::sink()).unwrap(), &*line), (Outcome::Line, b"b".as_slice()));
        assert_eq!(reader.line_no, 2);
    }
}
