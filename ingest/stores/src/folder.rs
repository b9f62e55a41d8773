//! Lists, reads, writes, copies and deletes the objects below a URL.

use crate::fetch::{ByteSpan, PANICKED};
use crate::host::Host;
use crate::location::{ObjectUrl, StoreKind};
use crate::refusal::{FetchError, Refusal};
use crate::retry::Failures;
use crate::service::RequestNote;
use crate::store_error::is_conflict;
use crate::stores::Stores;
use bytes::Bytes;
use futures_util::stream::{self, FuturesUnordered};
use futures_util::{StreamExt as _, TryStreamExt as _};
use object_store::list::PaginatedListOptions;
use object_store::path::Path as ObjectPath;
use object_store::{
    Error, GetOptions, MultipartUpload, ObjectMeta, ObjectStore as _, ObjectStoreExt as _, PutMode,
    PutMultipartOptions, PutOptions, PutResult, UpdateVersion,
};
use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;
use tokio::time::sleep;

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
        let prefix = below.path();
        let Some(pages) = self.host(below)?.pages.clone() else {
            let cause = "an HTTP server cannot list its files; name the folder as s3://, gs:// or az://";
            return Err(FetchError::unread(cause));
        };
        let folder = Some(format!("{prefix}/")).filter(|folder| folder != "/");
        let mut found: Vec<ObjectMeta> = Vec::new();
        let mut token = None;
        loop {
            let asked = (Arc::clone(&pages), folder.clone(), token.take());
            let page = self.ask(below, Refusal::judge, move |_, note| {
                let (pages, folder) = (Arc::clone(&asked.0), asked.1.clone());
                let mut options =
                    PaginatedListOptions { page_token: asked.2.clone(), ..PaginatedListOptions::default() };
                options.extensions.insert(note);
                async move { pages.list_paginated(folder.as_deref(), options).await }
            });
            let page = page.map_err(|error| error.because("it cannot be listed"))?;
            found.extend(page.result.objects);
            token = page.page_token;
            if token.is_none() {
                break;
            }
        }
        // The consoles of some stores mark a folder by an empty object with its name.
        let is_marker = |object: &ObjectMeta| object.size == 0 && object.location.extension().is_none();
        found.into_iter().filter(|object| !is_marker(object)).map(|object| listed(below, &prefix, &object)).collect()
    }

    /// The bytes of spans of an object, which are fetched concurrently. Fails if the object has another size than when
    /// it was listed, and if `stop` is set.
    pub fn spans(&self, object: &ListedObject, spans: &[Range<u64>], stop: &AtomicBool) -> io::Result<Vec<Vec<u8>>> {
        let start = |wanted: &Range<u64>| {
            let span = ByteSpan { from: wanted.start, to: Some(wanted.end), known: None };
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

/// Which object a new one may replace.
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

/// How many requests copy or delete objects concurrently.
const CHANGES: usize = 16;

/// How many objects one request deletes: as many as the store and the crate `object_store` support.
fn deleted_together(kind: StoreKind) -> usize {
    match kind {
        StoreKind::S3 => 1000,
        StoreKind::Azure => 256,
        StoreKind::Gcs | StoreKind::Http => 1,
    }
}

impl Stores {
    /// Puts a file as an object, whole or not at all, and returns its ETag. If an object with other bytes exists that
    /// must not be replaced, the error is of the kind `AlreadyExists`.
    pub fn put(&self, url: &ObjectUrl, file: &Path, replaces: &Replaces) -> io::Result<Option<String>> {
        if file.metadata()?.len() > PIECE_BYTES as u64 && *replaces == Replaces::Anything {
            let (file, to) = (file.to_path_buf(), url.path());
            let put =
                self.ask(url, Refusal::judge, move |host, note| put_in_pieces(host, to.clone(), file.clone(), note));
            return Ok(put?.e_tag);
        }
        let bytes = Bytes::from(std::fs::read(file)?);
        let (to, sent, replaces) = (url.path(), bytes.clone(), replaces.clone());
        let judge: RefusalJudge = match replaces {
            Replaces::Anything => Refusal::judge,
            Replaces::Nothing | Replaces::Version(_) => Refusal::judge_conditional,
        };
        let put = self.ask(url, judge, move |host, note| {
            put_in_one_request(host, to.clone(), sent.clone(), replaces.clone(), note)
        });
        if let Some(put) = put? {
            return Ok(put.e_tag);
        }
        // An earlier try may have succeeded without its response arriving.
        let never = AtomicBool::new(false);
        let mut object = self.start(url).open(&never)?;
        let mut found = Vec::new();
        object.read_to_end(&mut found)?;
        if found == bytes {
            return Ok(object.stamp().etag);
        }
        Err(io::Error::new(ErrorKind::AlreadyExists, "another process has written it meanwhile"))
    }

    /// Copies objects within their store, several at the same time, without fetching them. Replaces existing objects.
    pub fn copy(&self, pairs: &[(ObjectUrl, ObjectUrl)]) -> io::Result<()> {
        let Some((first, _)) = pairs.first() else { return Ok(()) };
        let pairs = pairs.iter().map(|(from, to)| (from.path(), to.path())).collect();
        self.change(first, pairs, |host, (from, to)| async move { host.store.copy(&from, &to).await })
    }

    /// Deletes objects of one store. It is no error if they do not exist.
    pub fn delete(&self, urls: &[ObjectUrl]) -> io::Result<()> {
        let Some(first) = urls.first() else { return Ok(()) };
        let together = urls.chunks(deleted_together(first.kind()));
        let together = together.map(|urls| urls.iter().map(ObjectUrl::path).collect::<Vec<_>>()).collect();
        self.change(first, together, |host, paths| async move {
            let mut deleted = host.store.delete_stream(stream::iter(paths.into_iter().map(Ok)).boxed());
            while let Some(one) = deleted.next().await {
                match one {
                    Err(error) if !matches!(error, Error::NotFound { .. }) => return Err(error),
                    _ => {}
                }
            }
            Ok(())
        })
    }

    /// Makes a request for each item, several at the same time. Each waits for its turn.
    fn change<I, W>(&self, url: &ObjectUrl, items: Vec<I>, request: fn(Arc<Host>, I) -> W) -> io::Result<()>
    where
        I: Clone + Send + 'static,
        W: Future<Output = Result<(), Error>> + Send + 'static,
    {
        let host = self.host(url)?;
        let changes: Vec<_> = (items.into_iter())
            .map(|item| {
                let again = move |host: Arc<Host>, _| request(host, item.clone());
                ask_again(Arc::clone(&host), self.failures(), Refusal::judge_unnoted, again)
            })
            .collect();
        let work = async move { stream::iter(changes).buffer_unordered(CHANGES).try_collect::<Vec<()>>().await };
        self.wait(work)?.map(drop).map_err(io::Error::from)
    }

    fn failures(&self) -> Failures {
        let (tries, waits) = self.tries();
        Failures::new(tries, waits)
    }

    /// Makes a request to the store of a URL, again if it fails, and waits for it.
    fn ask<T, W>(
        &self,
        url: &ObjectUrl,
        judge: RefusalJudge,
        request: impl FnMut(Arc<Host>, Arc<RequestNote>) -> W + Send + 'static,
    ) -> Result<T, FetchError>
    where
        T: Send + 'static,
        W: Future<Output = Result<T, Error>> + Send + 'static,
    {
        let asked = ask_again(self.host(url)?, self.failures(), judge, request);
        self.wait(asked).map_err(FetchError::unread)?
    }

    /// Runs work and waits for it. The caller may be a thread of another runtime.
    fn wait<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> io::Result<T> {
        let (done, waiting) = channel();
        self.runtime()?.spawn(async move {
            let _ = done.send(work.await);
        });
        waiting.recv().map_err(|_| io::Error::other(PANICKED))
    }
}

/// How a failed request is judged, by its note and error.
type RefusalJudge = fn(&RequestNote, StoreKind, &Error) -> Refusal;

/// Makes a request until it succeeds, or must not be tried again.
async fn ask_again<T, W: Future<Output = Result<T, Error>>>(
    host: Arc<Host>,
    mut failures: Failures,
    judge: RefusalJudge,
    mut request: impl FnMut(Arc<Host>, Arc<RequestNote>) -> W,
) -> Result<T, FetchError> {
    loop {
        Failures::check(&host.pace)?;
        host.pace.wait_for_turn().await;
        let note = Arc::new(RequestNote::default());
        let error = match request(Arc::clone(&host), Arc::clone(&note)).await {
            Err(error) => error,
            Ok(done) => {
                host.pace.succeeded();
                return Ok(done);
            }
        };
        sleep(failures.add(judge(&note, host.kind, &error), &host.pace)?).await;
    }
}

/// Puts bytes as an object. `None` if another object exists that must not be replaced.
async fn put_in_one_request(
    host: Arc<Host>,
    path: ObjectPath,
    bytes: Bytes,
    replaces: Replaces,
    note: Arc<RequestNote>,
) -> Result<Option<PutResult>, Error> {
    let mut options = PutOptions::default();
    options.extensions.insert(Arc::clone(&note));
    options.mode = match replaces {
        Replaces::Anything => PutMode::Overwrite,
        Replaces::Nothing => PutMode::Create,
        Replaces::Version(etag) => match version_with(&host, &path, &etag, &note).await? {
            Some(version) => PutMode::Update(version),
            None => return Ok(None),
        },
    };
    match host.store.put_opts(&path, bytes.into(), options).await {
        Err(error @ (Error::AlreadyExists { .. } | Error::Precondition { .. })) if !is_conflict(&error) => Ok(None),
        put => put.map(Some),
    }
}

/// The version of an object that has an ETag; `None` if the object has another one by now.
///
/// To put an object, S3 and Azure compare ETags. Google's storage compares only the numbers of generations
/// (cloud.google.com/storage/docs/request-preconditions), which its lists do not have. So this asks for the number.
async fn version_with(
    host: &Host,
    path: &ObjectPath,
    etag: &str,
    note: &Arc<RequestNote>,
) -> Result<Option<UpdateVersion>, Error> {
    let etag = quoted(etag);
    if host.kind != StoreKind::Gcs {
        return Ok(Some(UpdateVersion { e_tag: Some(etag), version: None }));
    }
    let mut options = GetOptions { head: true, ..GetOptions::default() };
    options.extensions.insert(Arc::clone(note));
    let found = host.store.get_opts(path, options).await?.meta;
    if found.e_tag.as_deref().map(quoted).as_ref() != Some(&etag) {
        return Ok(None);
    }
    // The put is another request.
    host.pace.wait_for_turn().await;
    Ok(Some(UpdateVersion { e_tag: Some(etag), version: found.version }))
}

/// An ETag as in a header (RFC 9110 § 8.8.3). The lists of Azure have them without quotes.
fn quoted(etag: &str) -> String {
    match etag.ends_with('"') {
        true => etag.to_owned(),
        false => format!("\"{etag}\""),
    }
}

async fn put_in_pieces(
    host: Arc<Host>,
    path: ObjectPath,
    file: PathBuf,
    note: Arc<RequestNote>,
) -> Result<PutResult, Error> {
    let file = File::open(file).map_err(unread)?;
    let mut options = PutMultipartOptions::default();
    options.extensions.insert(note);
    let mut upload = host.store.put_multipart_opts(&path, options).await?;
    let put = match send_pieces(&host, file, upload.as_mut()).await {
        Ok(()) => {
            host.pace.wait_for_turn().await;
            upload.complete().await
        }
        Err(error) => Err(error),
    };
    if put.is_err() {
        // The store would keep the pieces, and charge for them. If this fails, nothing more can be done.
        host.pace.wait_for_turn().await;
        let _ = upload.abort().await;
    }
    put
}

/// Sends a file in pieces, a few at the same time.
async fn send_pieces(host: &Host, mut file: File, upload: &mut dyn MultipartUpload) -> Result<(), Error> {
    let mut sent = FuturesUnordered::new();
    loop {
        let mut piece = Vec::with_capacity(PIECE_BYTES);
        (&mut file).take(PIECE_BYTES as u64).read_to_end(&mut piece).map_err(unread)?;
        if piece.is_empty() {
            break;
        }
        if sent.len() == PIECES {
            sent.try_next().await?;
        }
        // Each piece is a request.
        host.pace.wait_for_turn().await;
        sent.push(upload.put_part(piece.into()));
    }
    while sent.try_next().await?.is_some() {}
    Ok(())
}

fn unread(error: io::Error) -> Error {
    Error::Generic { store: "file", source: error.into() }
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
