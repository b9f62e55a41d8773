//! The chunks of a body, as long as they come fast enough.

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _};
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// A connection that brings fewer bytes per second than this counts as broken. Otherwise, a byte now and then would
/// keep a run waiting for days.
const SLOWEST_RECEIVED_PER_SECOND: u128 = 2 << 10;

/// The chunks of a body. Only waiting for them counts as time, so a slow reader does not make a connection slow.
#[derive(Debug)]
pub(crate) struct Chunks<S> {
    stream: S,
    /// How long to wait for a chunk, and how much waiting shows how fast the connection is.
    stall: Duration,
    waited: Duration,
    /// How many bytes came while this waited.
    bytes: u128,
}

impl<S, E> Chunks<S>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin,
{
    pub(crate) fn new(stream: S, stall: Duration) -> Self {
        Chunks { stream, stall, waited: Duration::ZERO, bytes: 0 }
    }

    /// The next chunk; `None` at the end. Fails with the cause if the connection is too slow.
    pub(crate) async fn next(&mut self) -> Result<Option<Result<Bytes, E>>, String> {
        if self.waited >= self.stall {
            if self.bytes * 1000 < self.waited.as_millis() * SLOWEST_RECEIVED_PER_SECOND {
                return Err(format!("only {} bytes came in {:.1?}", self.bytes, self.waited));
            }
            (self.waited, self.bytes) = (Duration::ZERO, 0);
        }
        let start = Instant::now();
        let next = timeout(self.stall, self.stream.next()).await;
        let next = next.map_err(|_| format!("nothing came for {:?}", self.stall))?;
        self.waited += start.elapsed();
        if let Some(Ok(bytes)) = &next {
            self.bytes += bytes.len() as u128;
        }
        Ok(next)
    }
}
