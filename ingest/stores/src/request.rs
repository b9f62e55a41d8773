//! A request for an object, whose bytes arrive in a buffer.

use crate::buffer::Buffer;
use bytes::Bytes;
use object_store::ObjectMeta;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tokio::task::AbortHandle;

/// A request. Dropping it aborts it.
#[derive(Debug)]
pub(crate) struct ObjectRequest {
    buffer: Arc<Buffer>,
    task: Option<AbortHandle>,
}

impl ObjectRequest {
    /// A request whose task fills the buffer; without a task, the buffer has the error.
    pub(crate) fn new(buffer: Arc<Buffer>, task: Option<AbortHandle>) -> Self {
        ObjectRequest { buffer, task }
    }

    /// Waits for the object, ahead of requests that no reader waits for.
    pub(crate) fn wait_for_object(&self, stop: &AtomicBool) -> io::Result<ObjectMeta> {
        self.buffer.set_awaited();
        Ok(self.buffer.wait_for_object(stop)?)
    }

    /// Waits for the next bytes; `None` at the end.
    pub(crate) fn next(&self, stop: &AtomicBool) -> io::Result<Option<Bytes>> {
        Ok(self.buffer.next(stop)?)
    }

    /// Waits for all bytes that are left, and appends them to `bytes`.
    pub(crate) fn read_rest(&self, stop: &AtomicBool, bytes: &mut Vec<u8>) -> io::Result<()> {
        while let Some(chunk) = self.next(stop)? {
            bytes.extend_from_slice(&chunk);
        }
        Ok(())
    }

    /// Waits for the bytes of a span, appends them to `bytes`, and returns the size of the object.
    pub(crate) fn read_span(self, stop: &AtomicBool, bytes: &mut Vec<u8>) -> io::Result<u64> {
        let known = self.wait_for_object(stop)?;
        self.read_rest(stop, bytes)?;
        Ok(known.size)
    }
}

impl Drop for ObjectRequest {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
        self.buffer.close();
    }
}
