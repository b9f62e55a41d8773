//! Keeps why a statement could not write a file. DataFusion 55.2 drops the error that ends a COPY, and says only that an
//! error was encountered.

use super::failure::failure_in;
use async_trait::async_trait;
use datafusion::object_store::{Error, MultipartUpload, PutPayload, PutResult, Result, UploadPart};
use folder::Failure;
use futures_util::FutureExt as _;
use parking_lot::Mutex;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The first failure of a statement to write.
#[derive(Debug, Default)]
pub(super) struct WriteFailures(Mutex<Option<Failure>>);

impl WriteFailures {
    /// Takes the failure, so that the next statement starts without one.
    pub(super) fn take(&self) -> Option<Failure> {
        self.0.lock().take()
    }

    /// Returns the result of writing to a path, and keeps its error.
    pub(super) fn keep<T>(&self, path: &Path, result: Result<T>) -> Result<T> {
        if let Err(error) = &result {
            let failure = failure_in(error).cloned().unwrap_or_else(|| unwritten(path, error));
            self.0.lock().get_or_insert(failure);
        }
        result
    }
}

/// The message for the innermost error, since the outer ones name the path and the store.
fn unwritten(path: &Path, error: &Error) -> Failure {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    Failure::new("file cannot be written", path, innermost)
}

/// A large file that is written in parts.
#[derive(Debug)]
pub(super) struct KeptUpload {
    pub(super) upload: Box<dyn MultipartUpload>,
    pub(super) path: PathBuf,
    pub(super) failures: Arc<WriteFailures>,
}

#[async_trait]
impl MultipartUpload for KeptUpload {
    fn put_part(&mut self, data: PutPayload) -> UploadPart {
        let (part, path, failures) = (self.upload.put_part(data), self.path.clone(), Arc::clone(&self.failures));
        async move { failures.keep(&path, part.await) }.boxed()
    }

    async fn complete(&mut self) -> Result<PutResult> {
        let completed = self.upload.complete().await;
        self.failures.keep(&self.path, completed)
    }

    async fn abort(&mut self) -> Result<()> {
        self.upload.abort().await
    }
}
