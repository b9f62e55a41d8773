//! The bodies of a part, each of which becomes rows once.

use super::files::DigestedFile;
use super::seen::Seen;
use crate::answer::Body;
use crate::number::large;
use crate::rows::{BodyFiles, BodyRows, KeepText, Sha1Base32, WholeBody};
use std::sync::Mutex;
use tables::ParquetError;

/// A body as long as this one may take twenty times its length while it is made rows: a line of four bytes has a row of
/// its own, and so has what is wrong with it. One in ten thousand real bodies is longer.
const LARGE_BYTES: usize = 1 << 20;

/// Large bodies are made rows one at a time, whatever the number of workers, so that memory is bounded. What the lock
/// guards is nothing but the turn, and who fails while it is held has left nothing behind.
static LARGE: Mutex<()> = Mutex::new(());

/// What bodies are made rows with.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    parser: robots::Parser,
    rows: BodyRows,
    seen: Seen,
    /// The number of the next body.
    next: i64,
}

impl Bodies {
    /// Begins a part, whose numbers begin there.
    pub(super) fn begin(&mut self, base: i64) {
        self.seen.clear();
        self.next = base;
    }

    /// The number of a body, which becomes rows if it is new.
    pub(super) fn id(
        &mut self,
        body: &Body<'_>,
        keep_text: KeepText,
        files: &mut BodyFiles<DigestedFile>,
    ) -> Result<i64, ParquetError> {
        let id = self.seen.id(body.bytes, body.total_bytes, self.next);
        if id == self.next {
            self.next += 1;
            let _turn = (body.bytes.len() > LARGE_BYTES).then(|| LARGE.lock());
            let parsed = self.parser.parse(body.bytes);
            let digest = Sha1Base32::digest(body.bytes);
            let whole = WholeBody { digest: &digest, bytes: large(body.total_bytes) };
            self.rows.push(id, whole, &parsed, keep_text, files)?;
            self.parser.recycle(parsed);
        }
        Ok(id)
    }
}
