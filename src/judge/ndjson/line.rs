//! Reads a stream line by line, up to a maximum length.

use std::io::{self, BufRead as _, BufReader, ErrorKind, Read, Write};

/// A longer line is skipped. 64 MiB are enough for a robots.txt of 48 MiB in base64, three times what the parser reads.
pub(crate) const LINE_BYTES: usize = 64 * 1024 * 1024;

/// The size of the input buffer.
const BUFFER_BYTES: usize = 256 * 1024;

/// A stream cut into lines.
pub(crate) struct LineReader<'i> {
    input: BufReader<&'i mut dyn Read>,
    /// The number of the last line that was read, from 1.
    pub(crate) line_no: u64,
    /// Why the stream could not be read to its end, if that failed.
    pub(crate) failure: Option<io::Error>,
}

/// The line that was read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum LineRead {
    /// A line, without its end.
    Line,
    /// A line that was skipped.
    TooLong,
    /// The end of the stream.
    End,
}

impl<'i> LineReader<'i> {
    pub(crate) fn new(input: &'i mut dyn Read) -> Self {
        LineReader { input: BufReader::with_capacity(BUFFER_BYTES, input), line_no: 0, failure: None }
    }

    /// Reads the next line into `line`.
    ///
    /// Flushes `out` before it waits for input, so that a program that waits for an answer gets it. Returns an error of
    /// `out`. An error of the stream goes to `failure` and ends the stream.
    pub(crate) fn read(&mut self, line: &mut Vec<u8>, out: &mut dyn Write) -> io::Result<LineRead> {
        line.clear();
        self.line_no += 1;
        let mut read = LineRead::End;
        loop {
            if self.input.buffer().is_empty() {
                out.flush()?;
            }
            let waiting = match self.input.fill_buf() {
                Ok([]) => return Ok(read),
                Ok(waiting) => waiting,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.failure = Some(error);
                    // The rest of the line is unknown.
                    return Ok(LineRead::End);
                }
            };
            let end = memchr::memchr(b'\n', waiting);
            let part = waiting.get(..end.unwrap_or(waiting.len())).unwrap_or_default();
            if read == LineRead::TooLong || line.len() + part.len() > LINE_BYTES {
                read = LineRead::TooLong;
            } else {
                read = LineRead::Line;
                line.extend_from_slice(part);
            }
            let taken = part.len() + usize::from(end.is_some());
            self.input.consume(taken);
            if end.is_some() {
                return Ok(read);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that returns one part per read.
    struct StreamParts<'p> {
        parts: std::vec::IntoIter<io::Result<&'p [u8]>>,
    }

    impl Read for StreamParts<'_> {
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
        let mut stream = StreamParts { parts: parts.into_iter() };
        let mut reader = LineReader::new(&mut stream);
        let (mut line, mut out, mut read) = (Vec::new(), Flushes::default(), Vec::new());
        while reader.read(&mut line, &mut out).unwrap() == LineRead::Line {
            read.push((String::from_utf8(line.clone()).unwrap(), out.0));
        }
        let expected: Vec<_> = expected.iter().map(|&(line, flushes)| (line.to_owned(), flushes)).collect();
        assert_eq!(read, expected);
        assert_eq!(reader.failure.map(|error| error.kind()), expected_failure);
    }

    #[test]
    fn out_is_flushed_before_each_wait_for_input() {
        check(vec![], &[], None);
        check(vec![Ok(b"a\nb\n\nc")], &[("a", 1), ("b", 1), ("", 1), ("c", 2)], None);
        check(vec![Ok(b"a\nb"), Ok(b"c\n"), Ok(b"d\n")], &[("a", 1), ("bc", 2), ("d", 3)], None);
        let broken = || Err(ErrorKind::ConnectionReset.into());
        check(vec![Ok(b"a\nb"), broken()], &[("a", 1)], Some(ErrorKind::ConnectionReset));
        check(vec![Ok(b"a"), Err(ErrorKind::Interrupted.into()), Ok(b"b\n")], &[("ab", 3)], None);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_and_the_next_is_read() {
        let mut stream = io::repeat(b'a').take(LINE_BYTES as u64 + 1).chain(&b"\nb\n"[..]);
        let mut reader = LineReader::new(&mut stream);
        let mut line = Vec::new();
        assert_eq!(reader.read(&mut line, &mut io::sink()).unwrap(), LineRead::TooLong);
        assert_eq!((reader.read(&mut line, &mut io::sink()).unwrap(), &*line), (LineRead::Line, b"b".as_slice()));
        assert_eq!(reader.line_no, 2);
    }
    #[test]
    fn the_help_states_the_longest_line() {
        let help = include_str!("../../arguments/judge.rs");
        assert!(help.contains(&format!("A line over {} MiB is invalid", LINE_BYTES >> 20)));
    }
}
