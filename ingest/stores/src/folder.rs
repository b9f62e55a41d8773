//! Lists, reads, writes and deletes the objects below a URL.

use crate::fetch::{PANICKED, Span};
use crate::host::Host;
use crate::location::ObjectUrl;
use crate::pace::backoff;
use crate::refusal::{FetchError, Next, Refusal, describe, is_final};
use crate::service::Note;
use crate::stores::Stores;
use bytes::Bytes;
use futures_util::TryStreamExt as _;
use object_store::path::Path as ObjectPath;
use object_store::{
    Error, ObjectMeta, ObjectStore as _, ObjectStoreExt as _, PutMode, PutMultipartOptions, PutOptions, PutResult,
    UpdateVersion, WriteMultipart,
};
use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;

/// An object below a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedObject {
    /// Its path relative to that URL, without `..`.
    pub path: PathBuf,
    /// Its URL.
    pub url: ObjectUrl,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its ETag, if it has one.
    pub etag: Option<String>,
}

impl Stores {
    /// The objects below a URL. Fails for HTTP servers, which cannot list.
    pub fn list(&self, below: &ObjectUrl) -> Result<Vec<ListedObject>, FetchError> {
        if !below.can_be_listed() {
            let cause = "an HTTP server cannot list its files; name the folder as s3://, gs:// or az://";
            return Err(FetchError::unread(cause));
        }
        let prefix = below.path();
        let (tries, waits) = self.tries();
        let mut failures = 0;
        let found = loop {
            let asked = prefix.clone();
            let found = self.wait(below, async move |host: Arc<Host>, _| {
                host.pace.wait_for_turn().await;
                host.store.list(Some(&asked)).try_collect::<Vec<ObjectMeta>>().await
            });
            match found.map_err(FetchError::unread)? {
                Err(error) if !is_final(&error) && failures + 1 < tries => {
                    failures += 1;
                    std::thread::sleep(backoff(failures, waits.first, waits.longest));
                }
                found => break found,
            }
        };
        let found = found.map_err(|error| {
            FetchError::unread(format_args!("it cannot be listed: {}", describe(below.kind(), &error)))
        })?;
        // The consoles of some stores mark a folder by an empty object with its name.
        let is_marker = |object: &ObjectMeta| object.size == 0 && object.location.extension().is_none();
        found.into_iter().filter(|object| !is_marker(object)).map(|object| listed(below, &prefix, &object)).collect()
    }

    /// The bytes of spans of an object, which are fetched concurrently. Fails if the object has another size than when
    /// it was listed, and if `stop` is set.
    pub fn spans(&self, object: &ListedObject, spans: &[Range<u64>], stop: &AtomicBool) -> io::Result<Vec<Vec<u8>>> {
        let start = |wanted: &Range<u64>| {
            let span = Span { from: wanted.start, to: Some(wanted.end), known: None };
            (!wanted.is_empty()).then(|| self.fetch(&object.url, span, true))
        };
        let started: Vec<_> = spans.iter().map(start).collect();
        (started.into_iter().zip(spans))
            .map(|(pending, wanted)| {
                let mut bytes = Vec::with_capacity(usize::try_from(wanted.end - wanted.start).unwrap_or_default());
                let Some(pending) = pending else { return Ok(bytes) };
                let found = pending.read_span(stop, &mut bytes)?;
                if found != object.bytes {
                    let cause = format!("the object has {found} bytes, but had {} when it was listed", object.bytes);
                    return Err(io::Error::other(cause));
                }
                Ok(bytes)
            })
            .collect()
    }

    /// All bytes of each object. Several objects are fetched concurrently.
    pub fn whole(&self, objects: &[ListedObject], stop: &AtomicBool) -> io::Result<Vec<Vec<u8>>> {
        let started: Vec<_> = objects.iter().map(|object| self.start(&object.url)).collect();
        (started.into_iter())
            .map(|pending| {
                let mut bytes = Vec::new();
                pending.open(stop)?.read_to_end(&mut bytes)?;
                Ok(bytes)
            })
            .collect()
    }
}

/// What a new object may replace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Replaces {
    /// Any object.
    Anything,
    /// No object: an existing one is an error.
    Nothing,
    /// The object with this ETag.
    Version(String),
}

/// An object up to this size is put with one request, and a larger one in pieces of this size.
const PIECE_BYTES: usize = 16 << 20;

/// How many pieces are sent concurrently.
const PIECES: usize = 4;

impl Stores {
    /// Puts a file as an object, whole or not at all, and returns its ETag. If an object with other bytes exists that
    /// must not be replaced, the error is of the kind `AlreadyExists`.
    pub fn put(&self, url: &ObjectUrl, file: &Path, replaces: &Replaces) -> io::Result<Option<String>> {
        let (tries, waits) = self.tries();
        let host = self.host(url)?;
        let is_large = file.metadata()?.len() > PIECE_BYTES as u64;
        let mut failures = 0;
        loop {
            let note = Arc::new(Note::default());
            let sent = if is_large && *replaces == Replaces::Anything {
                self.put_in_pieces(url, File::open(file)?, &note)?
            } else {
                let bytes = Bytes::from(std::fs::read(file)?);
                match self.put_in_one_request(url, bytes.clone(), replaces, &note)? {
                    // An earlier try may have succeeded without its response arriving.
                    Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => {
                        let taken =
                            || io::Error::new(ErrorKind::AlreadyExists, "another process has written it meanwhile");
                        return self.find(url, &bytes)?.map(Some).ok_or_else(taken);
                    }
                    sent => sent,
                }
            };
            let error = match sent {
                Ok(put) => return Ok(put.e_tag),
                Err(error) => error,
            };
            let Refusal { text, hint, next } = Refusal::judge(&note, host.kind, &error);
            failures += 1;
            let wait = backoff(failures, waits.first, waits.longest);
            match next {
                Next::Fail | Next::FailChanged => return Err(io::Error::other(format!("{text}{hint}"))),
                _ if failures >= tries => {
                    return Err(io::Error::other(format!("{text}, after {tries} tries in a row{hint}")));
                }
                // The next request then waits like all others to this host.
                Next::SlowDown(asked) => host.pace.slow_down(asked.unwrap_or(wait).max(wait)),
                Next::Retry => std::thread::sleep(wait),
            }
        }
    }

    fn put_in_one_request(
        &self,
        url: &ObjectUrl,
        bytes: Bytes,
        replaces: &Replaces,
        note: &Arc<Note>,
    ) -> io::Result<Result<PutResult, Error>> {
        let mut options = PutOptions::default();
        options.extensions.insert(Arc::clone(note));
        options.mode = match replaces {
            Replaces::Anything => PutMode::Overwrite,
            Replaces::Nothing => PutMode::Create,
            Replaces::Version(etag) => PutMode::Update(UpdateVersion { e_tag: Some(etag.clone()), version: None }),
        };
        self.wait(url, async move |host: Arc<Host>, path| {
            host.pace.wait_for_turn().await;
            host.store.put_opts(&path, bytes.into(), options).await
        })
    }

    fn put_in_pieces(&self, url: &ObjectUrl, mut file: File, note: &Arc<Note>) -> io::Result<Result<PutResult, Error>> {
        let mut options = PutMultipartOptions::default();
        options.extensions.insert(Arc::clone(note));
        self.wait(url, async move |host: Arc<Host>, path| {
            host.pace.wait_for_turn().await;
            let upload = host.store.put_multipart_opts(&path, options).await?;
            let mut upload = WriteMultipart::new_with_chunk_size(upload, PIECE_BYTES);
            let mut piece = vec![0; PIECE_BYTES];
            loop {
                let unread = |error: io::Error| Error::Generic { store: "file", source: error.into() };
                let read = file.read(&mut piece).map_err(unread)?;
                let Some(bytes) = piece.get(..read).filter(|bytes| !bytes.is_empty()) else { break };
                upload.wait_for_capacity(PIECES).await?;
                upload.write(bytes);
            }
            upload.finish().await
        })
    }

    /// The ETag of an object, if it has these bytes.
    fn find(&self, url: &ObjectUrl, bytes: &Bytes) -> io::Result<Option<String>> {
        let found = self.wait(url, async |host: Arc<Host>, path| {
            let found = host.store.get(&path).await?;
            let etag = found.meta.e_tag.clone();
            Ok((etag, found.bytes().await?))
        })?;
        Ok(found.ok().filter(|(_, found)| found == bytes).and_then(|(etag, _)| etag))
    }

    /// Deletes an object. It is no error if there is none.
    pub fn delete(&self, url: &ObjectUrl) -> io::Result<()> {
        let deleted = self.wait(url, async |host: Arc<Host>, path| {
            host.pace.wait_for_turn().await;
            host.store.delete(&path).await
        })?;
        match deleted {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(io::Error::other(describe(url.kind(), &error))),
        }
    }

    /// Runs work on an object and waits for it. The caller may be a thread of another runtime.
    fn wait<T, W>(&self, url: &ObjectUrl, work: impl FnOnce(Arc<Host>, ObjectPath) -> W) -> io::Result<Result<T, Error>>
    where
        T: Send + 'static,
        W: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let work = work(self.host(url)?, url.path());
        let (done, waiting) = channel();
        self.runtime()?.spawn(async move {
            let _ = done.send(work.await);
        });
        waiting.recv().map_err(|_| io::Error::other(PANICKED))
    }
}

/// Turns a listed object into one below `below`. Fails for a name that is not a plain path below `prefix`.
fn listed(below: &ObjectUrl, prefix: &ObjectPath, object: &ObjectMeta) -> Result<ListedObject, FetchError> {
    let refused = |cause: &dyn std::fmt::Display| {
        FetchError::unread(format_args!("it has an object that is not a file of tables: {}: {cause}", object.location))
    };
    let parts = object.location.prefix_match(prefix).ok_or_else(|| refused(&"it is not below the folder"))?;
    let path: PathBuf = parts.map(|part| part.as_ref().to_owned()).collect();
    let is_plain = |part: std::path::Component<'_>| matches!(part, std::path::Component::Normal(_));
    if path.as_os_str().is_empty() || !path.components().all(is_plain) {
        return Err(refused(&"its name leads out of the folder"));
    }
    let url = below.at(&object.location).map_err(|refusal| refused(&refusal.cause))?;
    Ok(ListedObject { path, url, bytes: object.size, etag: object.e_tag.clone() })
}
