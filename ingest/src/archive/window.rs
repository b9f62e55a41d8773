//! A part of a file in memory, which moves on as the file is read.

use std::io::{self, ErrorKind, Read};

/// How much is asked for at once. Nearly all archives of robots.txt files are smaller, and so are read at one go.
const STEP_BYTES: usize = 8 << 20;

/// A part of a file.
#[derive(Debug)]
pub(super) struct Window<'b, R> {
    source: R,
    buffer: &'b mut Vec<u8>,
    /// Where the part begins in the buffer.
    start: usize,
    /// Where it begins in the file.
    offset: u64,
    is_at_end: bool,
}

impl<'b, R: Read> Window<'b, R> {
    /// A window on a source, with a buffer that serves one source after another.
    pub(super) fn new(source: R, buffer: &'b mut Vec<u8>) -> Self {
        buffer.clear();
        Window { source, buffer, start: 0, offset: 0, is_at_end: false }
    }

    /// What is in memory of the file, from where the window stands.
    pub(super) fn bytes(&self) -> &[u8] {
        self.buffer.get(self.start..).unwrap_or_default()
    }

    /// Where the window stands in the file.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Whether [`Self::bytes`] go on to the end of the file.
    pub(super) fn is_at_end(&self) -> bool {
        self.is_at_end
    }

    /// Moves on.
    pub(super) fn skip(&mut self, bytes: usize) {
        let bytes = bytes.min(self.bytes().len());
        self.start += bytes;
        self.offset += bytes as u64;
    }

    /// Reads until so many bytes are in memory, or the file is at its end.
    pub(super) fn fill(&mut self, wanted: usize) -> io::Result<()> {
        if self.is_at_end || self.bytes().len() >= wanted {
            return Ok(());
        }
        self.buffer.drain(..self.start);
        self.start = 0;
        while self.buffer.len() < wanted && !self.is_at_end {
            let length = self.buffer.len();
            let more = STEP_BYTES.max(wanted - length) as u64;
            match self.source.by_ref().take(more).read_to_end(self.buffer) {
                Ok(read) => self.is_at_end = (read as u64) < more,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_moves_over_a_file() {
        let file: Vec<u8> = (0..=255).cycle().take(20 << 20).collect();
        let mut buffer = b"of another file".to_vec();
        let mut window = Window::new(&file[..], &mut buffer);
        assert!(window.bytes().is_empty() && !window.is_at_end());
        window.fill(1).unwrap();
        assert_eq!((window.bytes().len(), window.is_at_end()), (STEP_BYTES, false));
        window.skip(1_000);
        window.fill(STEP_BYTES + 1).unwrap();
        assert_eq!(window.offset(), 1_000);
        assert!(window.bytes().len() > STEP_BYTES && file[1_000..].starts_with(window.bytes()));
        window.fill(usize::MAX).unwrap();
        assert_eq!((window.bytes(), window.is_at_end()), (&file[1_000..], true));
        window.skip(usize::MAX);
        assert_eq!((window.bytes().len(), window.offset()), (0, file.len() as u64));
    }
}
