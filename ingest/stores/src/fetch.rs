//! Fetches an object with as many requests as necessary, up to a number of failures in a row.

use crate::buffer::Buffer;
use crate::chunks::Chunks;
use crate::host::Host;
use crate::options::Waits;
use crate::refusal::{AfterRefusal, FetchError, Refusal};
use crate::retry::Failures;
use crate::service::RequestNote;
use crate::store_error::root_cause;
use futures_util::FutureExt as _;
use object_store::path::Path as ObjectPath;
use object_store::{GetOptions, GetRange, ObjectMeta, ObjectStore as _};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use tokio::time::sleep;

/// A request that fetches this many bytes resets the count of failures.
const PROGRESS_BYTES: u64 = 1 << 20;

/// Why a request has no result if the crates below panicked.
pub(crate) const PANICKED: &str =
    "a request to it could not be made; look for mistakes in the settings of the store in the environment";

/// A request for a range of an object, and its limits.
#[derive(Debug)]
pub(crate) struct Fetch {
    pub(crate) host: Arc<Host>,
    pub(crate) path: ObjectPath,
    pub(crate) buffer: Arc<Buffer>,
    pub(crate) waits: Waits,
    pub(crate) tries: u32,
}

/// Which bytes of an object.
#[derive(Debug, Clone, Default)]
pub(crate) struct ByteSpan {
    pub(crate) from: u64,
    /// The end; `None` for the end of the object.
    pub(crate) to: Option<u64>,
    /// The size and version of the object, if an earlier request found it.
    pub(crate) known: Option<ObjectMeta>,
}

impl Fetch {
    /// Fetches a span into the buffer, when a connection is free. Connections are given out in the order of the calls,
    /// so this queues for one before it is spawned. Otherwise later objects could take all connections and wait for
    /// space in the budget until the first object is read, which could not get a connection.
    pub(crate) fn run(self, span: ByteSpan) -> impl Future<Output = ()> + Send + 'static {
        let mut connection = Box::pin(Arc::clone(&self.host.pace.connections).acquire_owned());
        let first = connection.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        async move {
            // The semaphore is never closed.
            let _permit = match first {
                Poll::Ready(permit) => permit,
                Poll::Pending => connection.await,
            };
            self.run_now(span).await;
        }
    }

    /// Fetches a span that a reader waits for, without a permit for a connection.
    pub(crate) async fn run_now(self, span: ByteSpan) {
        // The crates below panic for some settings, such as an endpoint without a scheme. A reader must not wait for
        // ever.
        let fetched = AssertUnwindSafe(self.fetch_span(span)).catch_unwind().await;
        self.buffer.finish(fetched.unwrap_or_else(|_| Err(FetchError::unread(PANICKED))));
    }

    async fn fetch_span(&self, span: ByteSpan) -> Result<(), FetchError> {
        let pace = &self.host.pace;
        let mut left = span.clone();
        let mut failures = Failures::new(self.tries, self.waits);
        loop {
            self.buffer.wait_for_space().await;
            Failures::check(pace)?;
            let before = left.from;
            let Err(refusal) = self.attempt(&mut left).await else { return Ok(()) };
            if left.from - before >= PROGRESS_BYTES {
                failures.forget();
            }
            let text = refusal.text.clone();
            let wait = failures.add(refusal, pace)?;
            if left.from > span.from && left.known.as_ref().is_some_and(|known| !can_resume(known)) {
                if !self.buffer.restart() {
                    let why = "and it cannot be continued, because the server sends no ETag and no time of change";
                    return Err(FetchError::unread(format_args!("{text}, {why}")));
                }
                left = span.clone();
            }
            sleep(wait).await;
        }
    }

    /// Makes one request and reads its response. Reduces `left` to the bytes that are still missing.
    async fn attempt(&self, left: &mut ByteSpan) -> Result<(), Refusal> {
        if let Some(known) = &left.known
            && left.from >= left.to.unwrap_or(known.size)
        {
            return Ok(());
        }
        // Waits before the request is signed, because a signature is valid only for some minutes.
        self.host.pace.wait_for_turn().await;
        let note = Arc::new(RequestNote::of_stream());
        let asked = self.host.store.get_opts(&self.path, options(left, &note)).await;
        let found = asked.map_err(|error| Refusal::judge(&note, self.host.kind, &error))?;
        self.host.pace.succeeded();
        if left.known.as_ref().is_some_and(|known| !is_same(known, &found.meta)) {
            return Err(Refusal::changed());
        }
        let meta = found.meta.clone();
        let end = left.to.unwrap_or(meta.size);
        let mut chunks = Chunks::new(found.into_stream(), self.waits.stall);
        loop {
            let rest = end - left.from;
            // At the end, the stream is polled once more, so that the connection can be reused.
            if rest > 0 {
                self.buffer.wait_for_space().await;
            }
            let next = chunks.next().await;
            let is_page = left.from == 0 && matches!(&next, Ok(Some(Ok(bytes))) if is_page(bytes));
            if is_page {
                return Err(Refusal::new(AfterRefusal::Retry, "a page was sent in its place, as errors are"));
            }
            // Only now: an error page would have another size and ETag.
            if left.known.is_none() && (rest == 0 || matches!(next, Ok(Some(Ok(_))))) {
                self.buffer.set_meta(meta.clone());
                left.known = Some(meta.clone());
            }
            match next {
                Err(_) | Ok(None | Some(Err(_))) if rest == 0 => return Ok(()),
                Err(cause) => return Err(broken(&cause, left, end)),
                Ok(None) => return Err(broken(&"the response ended", left, end)),
                Ok(Some(Err(error))) => return Err(broken(&root_cause(&error), left, end)),
                Ok(Some(Ok(bytes))) if bytes.len() as u64 > rest => {
                    return Err(broken(&"the response is longer than it says", left, end));
                }
                Ok(Some(Ok(bytes))) => {
                    left.from += bytes.len() as u64;
                    self.buffer.push(bytes);
                }
            }
        }
    }
}

fn options(left: &ByteSpan, note: &Arc<RequestNote>) -> GetOptions {
    let range = match (left.from, left.to) {
        (from, Some(to)) => Some(GetRange::Bounded(from..to)),
        (0, None) => None,
        (from, None) => Some(GetRange::Offset(from)),
    };
    let (if_match, if_unmodified_since) = match &left.known {
        Some(ObjectMeta { e_tag: Some(tag), .. }) if is_strong(tag) => (Some(tag.clone()), None),
        Some(known) if has_time(known) => (None, Some(known.last_modified)),
        _ => (None, None),
    };
    let mut options = GetOptions { range, if_match, if_unmodified_since, ..GetOptions::default() };
    options.extensions.insert(Arc::clone(note));
    options
}

fn broken(cause: &dyn std::fmt::Display, left: &ByteSpan, end: u64) -> Refusal {
    Refusal::new(AfterRefusal::Retry, format_args!("the connection broke at byte {} of {end}: {cause}", left.from))
}

/// RFC 9110 § 13.1.1 requires the strong comparison function for `If-Match`. By it, a weak tag never matches.
fn is_strong(tag: &str) -> bool {
    tag.starts_with('"')
}

/// Whether the object has a modification time. Without one, the crate `object_store` gives 1970.
fn has_time(known: &ObjectMeta) -> bool {
    known.last_modified.timestamp() != 0
}

fn can_resume(known: &ObjectMeta) -> bool {
    known.e_tag.is_some() || has_time(known)
}

fn is_same(known: &ObjectMeta, found: &ObjectMeta) -> bool {
    known.size == found.size && known.e_tag == found.e_tag && known.last_modified == found.last_modified
}

/// Whether bytes start like HTML or XML. No archive or list does.
fn is_page(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.trim_ascii_start().starts_with(b"<")
}
