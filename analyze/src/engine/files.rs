//! The store through which statements read and write files. It verifies what it reads from the folder of tables by the
//! digests of the ledger, and writes nothing there and to no file that the session reads.
//!
//! A statement that may write names its files itself: in `COPY`, or as the location of an external table.

use super::options::SessionOptions;
use super::writes::{KeptUpload, WriteFailures};
use async_trait::async_trait;
use bytes::Bytes;
use datafusion::object_store::local::LocalFileSystem;
use datafusion::object_store::path::Path as Location;
use datafusion::object_store::{
    CopyOptions, Error, GetOptions, GetResult, GetResultPayload, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use folder::Failure;
use folder::blocks::BLOCK_BYTES;
use folder::verified::{KnownFile, KnownFiles, VerifiedFile};
use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::task::spawn_blocking;

/// The local files. Writing below the folder of tables fails.
#[derive(Debug)]
pub(super) struct StatementFiles {
    files: LocalFileSystem,
    /// The folder of tables.
    tables: PathBuf,
    /// They name the files of the user that the session reads.
    options: SessionOptions,
    /// The digests of the files of its open tables.
    known: Arc<KnownFiles>,
    failures: Arc<WriteFailures>,
}

impl StatementFiles {
    pub(super) fn new(
        tables: &Path,
        options: &SessionOptions,
        known: Arc<KnownFiles>,
        failures: Arc<WriteFailures>,
    ) -> Self {
        let (tables, options) = (tables.to_path_buf(), options.clone());
        StatementFiles { files: LocalFileSystem::new(), tables, options, known, failures }
    }

    /// The path and the digests of a file of the folder; `None` for any other file.
    fn find_known(&self, location: &Location) -> Result<Option<(PathBuf, Arc<KnownFile>)>> {
        let path = self.files.path_to_filesystem(location)?;
        Ok(self.known.find(&path).map(|known| (path, known)))
    }

    /// The path of a file to write. Fails if it is below the folder of tables, or a file that the session reads, also
    /// through links.
    fn path_to_write(&self, location: &Location) -> Result<PathBuf> {
        let path = self.files.path_to_filesystem(location)?;
        self.failures.keep(&path, self.options.refuse_to_write(&path, &self.tables).map_err(failed))?;
        Ok(path)
    }
}

/// The error of what no statement does.
fn unsupported(operation: &str) -> Error {
    Error::NotImplemented { operation: operation.to_owned(), implementer: "StatementFiles".to_owned() }
}

fn failed(failure: Failure) -> Error {
    Error::Generic { store: "files", source: Box::new(failure) }
}

/// Reads ranges of a file of the folder, and verifies them. It runs on a thread that may block.
async fn read_known(path: PathBuf, known: Arc<KnownFile>, wanted: Vec<Range<u64>>) -> Result<Vec<Bytes>> {
    let read = spawn_blocking(move || read_ranges(&VerifiedFile::open(&path, Some(known))?, &wanted)).await;
    match read {
        Ok(read) => read.map_err(failed),
        Err(error) => Err(Error::Generic { store: "files", source: Box::new(error) }),
    }
}

/// Reads ranges of a file. Ranges that share a block are read together.
pub(crate) fn read_ranges(file: &VerifiedFile, wanted: &[Range<u64>]) -> std::result::Result<Vec<Bytes>, Failure> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by_key(|at| wanted.get(*at).map(|range| range.start));
    let mut order = order.into_iter().filter_map(|at| Some((at, wanted.get(at)?))).peekable();
    let (mut spans, mut members) = (Vec::new(), Vec::new());
    while let Some((first, range)) = order.next() {
        let mut together = range.clone();
        members.push((first, range, spans.len()));
        while let Some((next, range)) = order.next_if(|(_, next)| shares_block(&together, next)) {
            together.end = together.end.max(range.end);
            members.push((next, range, spans.len()));
        }
        spans.push(together);
    }
    let found: Vec<(u64, Bytes)> =
        file.read_each(&spans)?.into_iter().map(|read| (read.start, Bytes::from(read.bytes))).collect();
    let mut read = vec![Bytes::new(); wanted.len()];
    for (at, range, span) in members {
        if let (Some(bytes), Some((start, all))) = (read.get_mut(at), found.get(span)) {
            // Each span contains the whole range.
            *bytes = all.slice((range.start - start) as usize..(range.end.max(range.start) - start) as usize);
        }
    }
    Ok(read)
}

/// Whether a range starts in the block where another ends, or in an earlier block.
fn shares_block(before: &Range<u64>, range: &Range<u64>) -> bool {
    range.start / BLOCK_BYTES <= before.end / BLOCK_BYTES
}

impl fmt::Display for StatementFiles {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.files.fmt(formatter)
    }
}

#[async_trait]
impl ObjectStore for StatementFiles {
    async fn put_opts(&self, location: &Location, payload: PutPayload, options: PutOptions) -> Result<PutResult> {
        let path = self.path_to_write(location)?;
        self.failures.keep(&path, self.files.put_opts(location, payload, options).await)
    }

    async fn put_multipart_opts(
        &self,
        location: &Location,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        let path = self.path_to_write(location)?;
        let upload = self.failures.keep(&path, self.files.put_multipart_opts(location, options).await)?;
        Ok(Box::new(KeptUpload { upload, path, failures: Arc::clone(&self.failures) }))
    }

    async fn get_opts(&self, location: &Location, options: GetOptions) -> Result<GetResult> {
        let is_head = options.head;
        let mut found = self.files.get_opts(location, options).await?;
        if let Some((path, known)) = self.find_known(location)?.filter(|_| !is_head) {
            let read = read_known(path, known, vec![found.range.clone()]).await?;
            found.payload = GetResultPayload::Stream(stream::iter(read.into_iter().map(Ok)).boxed());
        }
        Ok(found)
    }

    async fn get_ranges(&self, location: &Location, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        match self.find_known(location)? {
            Some((path, known)) => read_known(path, known, ranges.to_vec()).await,
            None => self.files.get_ranges(location, ranges).await,
        }
    }

    fn delete_stream(&self, _locations: BoxStream<'static, Result<Location>>) -> BoxStream<'static, Result<Location>> {
        stream::iter([Err(unsupported("delete"))]).boxed()
    }

    fn list(&self, prefix: Option<&Location>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.files.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Location>) -> Result<ListResult> {
        self.files.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, _from: &Location, _to: &Location, _options: CopyOptions) -> Result<()> {
        Err(unsupported("copy"))
    }
}
