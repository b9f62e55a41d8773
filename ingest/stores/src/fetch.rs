//! Fetches an object: as many requests as it takes, up to a number of failures in a row.

use crate::buffer::Buffer;
use crate::host::Host;
use crate::options::Waits;
use crate::pace::backoff;
use crate::refusal::{FetchError, FetchErrorKind, Next, Refusal, deepest};
use crate::service::Note;
use futures_util::StreamExt as _;
use object_store::path::Path as ObjectPath;
use object_store::{GetOptions, GetRange, ObjectMeta, ObjectStore as _};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// A host that has never answered is asked this often, so that a misspelt name is told within seconds.
const FIRST_TRIES: u32 = 3;

/// With so many new bytes, failures are counted from zero again.
const PROGRESS_BYTES: u64 = 1 << 20;

/// A server that asks for more patience than this is not waited for.
const LONGEST_PATIENCE: Duration = Duration::from_secs(15 * 60);

/// What to fetch, and how.
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
pub(crate) struct Span {
    pub(crate) from: u64,
    /// The end, if that is not the end of the object.
    pub(crate) to: Option<u64>,
    /// The object as it was found before.
    pub(crate) known: Option<ObjectMeta>,
}

impl Fetch {
    /// Fetches a span into the buffer, by a connection of its turn. Turns are taken in the order in which objects are asked
    /// for, and so before this is spawned: otherwise all connections could be held by later objects, which wait for room
    /// until the first one is read, and that one would have none.
    pub(crate) fn run(self, span: Span) -> impl Future<Output = ()> + Send + 'static {
        let mut turn = Box::pin(Arc::clone(&self.host.pace.connections).acquire_owned());
        let first = turn.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        async move {
            // The semaphore is never closed.
            let _permit = match first {
                Poll::Ready(permit) => permit,
                Poll::Pending => turn.await,
            };
            self.buffer.end(self.all(span).await);
        }
    }

    /// Fetches a span of an object that somebody reads, and that had a connection before.
    pub(crate) async fn run_now(self, span: Span) {
        self.buffer.end(self.all(span).await);
    }

    async fn all(&self, span: Span) -> Result<(), FetchError> {
        let pace = &self.host.pace;
        let mut left = span.clone();
        let mut failures = 0;
        loop {
            self.buffer.room().await;
            if pace.is_given_up() {
                return Err(FetchError::new(FetchErrorKind::GivenUp, "its host refuses requests; try again later"));
            }
            let before = left.from;
            let Err(Refusal { text, hint, next }) = self.attempt(&mut left).await else { return Ok(()) };
            if left.from - before >= PROGRESS_BYTES {
                failures = 0;
            }
            failures += 1;
            let wait = backoff(failures, self.waits.first, self.waits.longest);
            let most = if pace.has_answered() { self.tries } else { self.tries.min(FIRST_TRIES) };
            let patience = match next {
                Next::Leave => return Err(FetchError::unread(format_args!("{text}{hint}"))),
                Next::LeaveChanged => return Err(FetchError::new(FetchErrorKind::Changed, text)),
                Next::Retry => None,
                Next::SlowDown(asked) => Some(asked.unwrap_or(wait).max(wait)),
            };
            if let Some(patience) = patience.filter(|patience| *patience > LONGEST_PATIENCE) {
                pace.refused();
                return Err(FetchError::unread(format_args!("{text}, and asks to wait for {} s", patience.as_secs())));
            }
            if failures >= most {
                pace.refused();
                let tries = if failures == 1 { "one try".to_owned() } else { format!("{failures} tries in a row") };
                return Err(FetchError::unread(format_args!("{text}, after {tries}{hint}")));
            }
            if left.from > span.from && left.known.as_ref().is_some_and(|known| !can_resume(known)) {
                if !self.buffer.restart() {
                    let why = "and the server names no ETag or time to go on by";
                    return Err(FetchError::unread(format_args!("{text}, {why}")));
                }
                left = span.clone();
            }
            match patience {
                // The next request waits with all others.
                Some(patience) => pace.slow_down(patience),
                None => sleep(wait).await,
            }
        }
    }

    /// One request, and what it answers. `left` becomes what is left.
    async fn attempt(&self, left: &mut Span) -> Result<(), Refusal> {
        if let Some(known) = &left.known
            && left.from >= left.to.unwrap_or(known.size)
        {
            return Ok(());
        }
        // Before it is signed, since a signature is valid for some minutes.
        self.host.pace.turn().await;
        let note = Arc::new(Note::default());
        let asked = self.host.store.get_opts(&self.path, options(left, &note)).await;
        let found = asked.map_err(|error| Refusal::judge(&note, self.host.kind, &error))?;
        self.host.pace.succeeded();
        if left.known.as_ref().is_some_and(|known| !is_same(known, &found.meta)) {
            return Err(Refusal::changed());
        }
        let meta = found.meta.clone();
        let end = left.to.unwrap_or(meta.size);
        let mut stream = found.into_stream();
        loop {
            let rest = end - left.from;
            // At the end, the connection is asked once more, so that it can be used again.
            if rest > 0 {
                self.buffer.room().await;
            }
            let next = timeout(self.waits.stall, stream.next()).await;
            let is_page = left.from == 0 && matches!(&next, Ok(Some(Ok(bytes))) if is_page(bytes));
            if is_page {
                return Err(Refusal::new(Next::Retry, "a page was sent in its place, as errors are"));
            }
            // Only now, since a page has another size and ETag.
            if left.known.is_none() && (rest == 0 || matches!(next, Ok(Some(Ok(_))))) {
                self.buffer.found(meta.clone());
                left.known = Some(meta.clone());
            }
            match next {
                Err(_) | Ok(None | Some(Err(_))) if rest == 0 => return Ok(()),
                Err(_) => return Err(broken(&format_args!("nothing came for {:?}", self.waits.stall), left, end)),
                Ok(None) => return Err(broken(&"the answer ended", left, end)),
                Ok(Some(Err(error))) => return Err(broken(&deepest(&error), left, end)),
                Ok(Some(Ok(bytes))) if bytes.len() as u64 > rest => {
                    return Err(broken(&"the answer is longer than it says", left, end));
                }
                Ok(Some(Ok(bytes))) => {
                    left.from += bytes.len() as u64;
                    self.buffer.push(bytes);
                }
            }
        }
    }
}

fn options(left: &Span, note: &Arc<Note>) -> GetOptions {
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

fn broken(cause: &dyn std::fmt::Display, left: &Span, end: u64) -> Refusal {
    Refusal::new(Next::Retry, format_args!("the connection broke at byte {} of {end}: {cause}", left.from))
}

/// RFC 9110 § 13.1.1: "a client MUST use the strong comparison function" for `If-Match`, by which a weak tag equals none.
fn is_strong(tag: &str) -> bool {
    tag.starts_with('"')
}

/// Whether the object has a time. Without one the crate `object_store` says 1970.
fn has_time(known: &ObjectMeta) -> bool {
    known.last_modified.timestamp() != 0
}

fn can_resume(known: &ObjectMeta) -> bool {
    known.e_tag.is_some() || has_time(known)
}

fn is_same(known: &ObjectMeta, found: &ObjectMeta) -> bool {
    known.size == found.size && known.e_tag == found.e_tag && known.last_modified == found.last_modified
}

/// Whether bytes begin as HTML or XML do. No archive and no list does.
fn is_page(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.trim_ascii_start().starts_with(b"<")
}
