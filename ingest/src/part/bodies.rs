//! The bodies of a part: each distinct body becomes rows once.

use super::files::DigestedFile;
use super::seen::SeenBodies;
use crate::answer::Body;
use crate::number::large;
use crate::rows::{BodyFiles, BodyRows, KeepText, Sha1Base32, WholeBody};
use std::sync::Mutex;
use tables::ParquetError;

/// A body of this length may take twenty times its length in memory while it is turned into rows: a line of four bytes has
/// a row, and so has its violation. One in ten thousand real bodies is longer.
const LARGE_BYTES: usize = 1 << 20;

/// Only one worker at a time turns a large body into rows, so that memory is bounded. The lock guards no data, so that a
/// panic while it is held does no harm.
static LARGE: Mutex<()> = Mutex::new(());

/// The bodies of a part, with memory that is reused between parts.
#[derive(Debug, Default)]
pub(super) struct PartBodies {
    parser: robots::Parser,
    rows: BodyRows,
    seen: SeenBodies,
    /// The number of the next body.
    next: i64,
}

impl PartBodies {
    /// Starts a part, with its first number.
    pub(super) fn begin(&mut self, base: i64) {
        self.seen.clear();
        self.next = base;
    }

    /// The number of a body. A new body is turned into rows.
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
