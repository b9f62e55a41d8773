//! Reads an object like a file.

use crate::buffer::WHOLE_BYTES;
use crate::fetch::ByteSpan;
use crate::location::ObjectUrl;
use crate::request::ObjectRequest;
use crate::stores::{ObjectStamp, Stores};
use bytes::{Buf as _, Bytes};
use object_store::ObjectMeta;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::sync::atomic::AtomicBool;

/// How many bytes to request after a seek in a large object. The directory of a WACZ is read with seeks.
const AFTER_SEEK_BYTES: u64 = 256 << 10;

/// An object that is being fetched. Dropping it aborts the request.
#[derive(Debug)]
pub struct Pending {
    stores: Stores,
    url: ObjectUrl,
    request: ObjectRequest,
}

impl Stores {
    /// Starts to fetch an object.
    #[must_use]
    pub fn start(&self, url: &ObjectUrl) -> Pending {
        let request = self.fetch(url, ByteSpan::default(), false);
        Pending { stores: self.clone(), url: url.clone(), request }
    }
}

impl Pending {
    /// Waits for the object, and for all bytes of a small one. Fails if it cannot be fetched, and if `stop` is set.
    pub fn open(self, stop: &AtomicBool) -> io::Result<ObjectReader<'_>> {
        let known = self.request.wait_for_object(stop)?;
        let content = if known.size <= WHOLE_BYTES {
            let mut bytes = Vec::with_capacity(usize::try_from(known.size).unwrap_or_default());
            self.request.read_rest(stop, &mut bytes)?;
            ObjectContent::Whole(bytes)
        } else {
            let end = known.size;
            ObjectContent::Streamed(Stream { pending: self, chunk: Bytes::new(), at: 0, end })
        };
        Ok(ObjectReader { content, known, at: 0, stop })
    }
}

/// An object that is read like a file. In a large object, a seek makes a new request, unless the bytes are there or come
/// soon.
#[derive(Debug)]
pub struct ObjectReader<'s> {
    content: ObjectContent,
    known: ObjectMeta,
    at: u64,
    stop: &'s AtomicBool,
}

#[derive(Debug)]
enum ObjectContent {
    Whole(Vec<u8>),
    Streamed(Stream),
}

/// A span of a large object.
#[derive(Debug)]
struct Stream {
    pending: Pending,
    /// The last bytes that arrived. They are kept, since seeks are often short.
    chunk: Bytes,
    /// The offset of the chunk in the object.
    at: u64,
    end: u64,
}

impl Stream {
    /// The bytes from `at` on that are there. Fetches more if there are none.
    fn bytes_from(&mut self, at: u64, known: &ObjectMeta, stop: &AtomicBool) -> io::Result<Bytes> {
        loop {
            let next = self.at + self.chunk.len() as u64;
            if (self.at..next).contains(&at) {
                return Ok(self.chunk.slice((at - self.at) as usize..));
            }
            if at == next && next == self.end {
                self.fetch(known, at, known.size);
            } else if at < next || at >= self.end || at - next > AFTER_SEEK_BYTES {
                self.fetch(known, at, known.size.min(at + AFTER_SEEK_BYTES));
            } else {
                let chunk = self.pending.request.next(stop)?;
                (self.chunk, self.at) = (chunk.ok_or(ErrorKind::UnexpectedEof)?, next);
            }
        }
    }

    /// Fetches the same object from `at` to `end` instead.
    fn fetch(&mut self, known: &ObjectMeta, at: u64, end: u64) {
        let Pending { stores, url, request } = &mut self.pending;
        let span = ByteSpan { from: at, to: Some(end), known: Some(known.clone()) };
        *request = stores.fetch(url, span, true);
        (self.chunk, self.at, self.end) = (Bytes::new(), at, end);
    }
}

impl ObjectReader<'_> {
    /// The size and version of the object.
    #[must_use]
    pub fn stamp(&self) -> ObjectStamp {
        ObjectStamp { bytes: self.known.size, etag: self.known.e_tag.clone() }
    }
}

impl Read for ObjectReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let ObjectReader { content, known, at, stop } = self;
        let length = match content {
            ObjectContent::Whole(bytes) => {
                let start = usize::try_from(*at).unwrap_or(usize::MAX);
                bytes.get(start..).unwrap_or_default().read(out)?
            }
            ObjectContent::Streamed(stream) => {
                if *at >= known.size || out.is_empty() {
                    return Ok(0);
                }
                stream.bytes_from(*at, known, stop)?.reader().read(out)?
            }
        };
        *at += length as u64;
        Ok(length)
    }
}

impl Seek for ObjectReader<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.known.size.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = target.ok_or(ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
