//! A window: the part of a file that is in memory. It moves forward as the file is read.

use super::retry_budget::RetryBudget;
use std::io::{self, ErrorKind, Read, Seek};

/// How many bytes are read in one step. Nearly all archives of robots.txt files are smaller, so one step reads them.
pub(crate) const STEP_BYTES: usize = 8 << 20;

/// The bytes that a window moves over: a file, or the inflated content of a member.
pub(super) trait WindowSource: Read {
    /// Goes back by `bytes`. Returns the cost: how many bytes have to be read again.
    fn back(&mut self, bytes: u64) -> io::Result<u64>;

    /// The offset in the file that belongs to an offset in the source.
    fn passed(&self, offset: u64) -> u64;

    /// Goes on after the end, if the source ended before what may be the next record, and the record before it turns
    /// out to end only there where it claims. Returns whether it goes on.
    fn go_on(&mut self, _claimed: impl FnOnce() -> Option<u64>, _budget: &mut RetryBudget) -> io::Result<bool> {
        Ok(false)
    }
}

impl<R: Read + Seek> WindowSource for R {
    fn back(&mut self, bytes: u64) -> io::Result<u64> {
        let distance = i64::try_from(bytes).map_err(io::Error::other)?;
        self.seek_relative(-distance)?;
        Ok(bytes)
    }

    fn passed(&self, offset: u64) -> u64 {
        offset
    }
}

/// The part of a source that is in memory.
#[derive(Debug)]
pub(super) struct Window<'b, S> {
    source: S,
    buffer: &'b mut Vec<u8>,
    step: usize,
    /// Where the window starts in the buffer.
    start: usize,
    /// Where it starts in the source.
    offset: u64,
    is_at_end: bool,
}

impl<'b, S: WindowSource> Window<'b, S> {
    /// A window at the start of a source. The buffer is reused between sources; `step` is how many bytes to read in one
    /// step.
    pub(super) fn new(source: S, buffer: &'b mut Vec<u8>, step: usize) -> Self {
        buffer.clear();
        Window { source, buffer, step, start: 0, offset: 0, is_at_end: false }
    }

    /// The bytes in memory from the offset of the window on.
    pub(super) fn bytes(&self) -> &[u8] {
        self.buffer.get(self.start..).unwrap_or_default()
    }

    /// The offset of the window in its source.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// The offset of the window in the file. It differs from [`Self::offset`] if the source is the content of members.
    pub(super) fn passed(&self) -> u64 {
        self.source.passed(self.offset)
    }

    /// Whether [`Self::bytes`] reach the end of the source.
    pub(super) fn is_at_end(&self) -> bool {
        self.is_at_end
    }

    /// Moves forward by `bytes`, at most to the end of the bytes in memory.
    pub(super) fn skip(&mut self, bytes: usize) {
        let bytes = bytes.min(self.bytes().len());
        self.start += bytes;
        self.offset += bytes as u64;
    }

    /// Moves forward by `bytes`, in memory or not. Returns false if the source ends before.
    pub(super) fn pass(&mut self, bytes: u64) -> io::Result<bool> {
        let end = self.offset.saturating_add(bytes);
        while self.offset < end {
            self.fill(1)?;
            if self.bytes().is_empty() {
                return Ok(false);
            }
            self.skip(usize::try_from(end - self.offset).unwrap_or(usize::MAX));
        }
        Ok(true)
    }

    /// Takes the next `LENGTH` bytes, or returns `None` if fewer are left.
    pub(super) fn chunk<const LENGTH: usize>(&mut self) -> io::Result<Option<[u8; LENGTH]>> {
        self.fill(LENGTH)?;
        let taken = self.bytes().first_chunk::<LENGTH>().copied();
        if taken.is_some() {
            self.skip(LENGTH);
        }
        Ok(taken)
    }

    /// The source.
    pub(super) fn source(&self) -> &S {
        &self.source
    }

    /// Goes back to an earlier offset. Returns the cost, as [`WindowSource::back`] does.
    pub(super) fn back_to(&mut self, offset: u64) -> io::Result<u64> {
        let back = self.offset.saturating_sub(offset);
        match usize::try_from(back).ok().and_then(|back| self.start.checked_sub(back)) {
            Some(start) => {
                self.start = start;
                self.offset -= back;
                Ok(0)
            }
            None => {
                let cost = self.source.back(back + self.bytes().len() as u64)?;
                self.buffer.clear();
                self.start = 0;
                self.offset -= back;
                self.is_at_end = false;
                Ok(cost)
            }
        }
    }

    /// Lets the source go on after its end, see [`WindowSource::go_on`]. `claimed` gets the bytes in memory and returns
    /// where their first record claims to end, if it is after them. Returns whether the source goes on.
    pub(super) fn go_on(
        &mut self,
        claimed: impl FnOnce(&[u8]) -> Option<usize>,
        budget: &mut RetryBudget,
    ) -> io::Result<bool> {
        if !self.is_at_end {
            return Ok(false);
        }
        let (offset, bytes) = (self.offset, self.buffer.get(self.start..).unwrap_or_default());
        let goes_on = self.source.go_on(|| Some(offset + claimed(bytes)? as u64), budget)?;
        self.is_at_end = !goes_on;
        Ok(goes_on)
    }

    /// Reads until at least one step is in memory. Returns whether it read anything.
    pub(super) fn fill_a_step(&mut self) -> io::Result<bool> {
        let before = self.bytes().len();
        self.fill(self.step)?;
        Ok(self.bytes().len() > before)
    }

    /// Reads until `wanted` bytes are in memory, or the source ends.
    pub(super) fn fill(&mut self, wanted: usize) -> io::Result<()> {
        if self.is_at_end || self.bytes().len() >= wanted {
            return Ok(());
        }
        self.buffer.drain(..self.start);
        self.start = 0;
        while self.buffer.len() < wanted && !self.is_at_end {
            let length = self.buffer.len();
            let more = self.step.max(wanted - length);
            // Doubling the vector would waste much memory for the largest records.
            self.buffer.reserve_exact(more);
            match self.source.by_ref().take(more as u64).read_to_end(self.buffer) {
                Ok(read) => self.is_at_end = read < more,
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
    use std::io::Cursor;

    #[test]
    fn a_window_moves_over_a_file() {
        let file: Vec<u8> = (0..=255).cycle().take(20 << 20).collect();
        let mut buffer = b"of another file".to_vec();
        let mut window = Window::new(Cursor::new(&file), &mut buffer, STEP_BYTES);
        assert!(window.bytes().is_empty() && !window.is_at_end());
        window.fill(1).unwrap();
        assert_eq!((window.bytes().len(), window.is_at_end()), (STEP_BYTES, false));
        window.skip(1_000);
        window.fill(STEP_BYTES + 1).unwrap();
        assert_eq!(window.offset(), 1_000);
        assert!(window.bytes().len() > STEP_BYTES && file[1_000..].starts_with(window.bytes()));
        window.fill(file.len() + 1).unwrap();
        assert_eq!((window.bytes(), window.is_at_end()), (&file[1_000..], true));
        window.skip(usize::MAX);
        assert_eq!((window.bytes().len(), window.offset()), (0, file.len() as u64));
    }

    #[test]
    fn a_window_goes_back() {
        let file: Vec<u8> = (0..100).collect();
        let mut buffer = Vec::new();
        let mut window = Window::new(Cursor::new(&file), &mut buffer, 10);
        for (on, back_to, is_in_memory) in [(5, 2, true), (7, 0, true), (30, 7, false), (100, 98, true), (2, 0, false)]
        {
            for _ in 0..on {
                window.fill(1).unwrap();
                window.skip(1);
            }
            let cost = window.back_to(back_to).unwrap();
            assert_eq!((window.offset(), cost == 0), (back_to, is_in_memory), "{on} on, back to {back_to}");
            window.fill(1).unwrap();
            assert!(!window.bytes().is_empty() && file[back_to as usize..].starts_with(window.bytes()));
        }
    }
}
