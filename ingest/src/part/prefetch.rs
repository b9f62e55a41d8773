//! Opens the inputs of parts in order, and starts to fetch objects and to read files before their turn, so inflating
//! does not wait for the network or the disk.

use crate::archive::STEP_BYTES;
use crate::plan::{Part, Planned};
use folder::{Stamp, regular};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::atomic::AtomicBool;
use stores::{Location, ObjectReader, ObjectStamp, Pending, Stores};

/// How many inputs are requested ahead: 32 MB of Common Crawl's archives. The stores limit connections and memory.
const MOST_REQUESTS: usize = 16;

/// How many bytes of a file the system is asked to read before its turn. It reads ahead in the rest by itself.
const AHEAD_BYTES: u64 = STEP_BYTES as u64;

/// An input that was requested: its part, its position in the part, and the pending fetch of an object.
type Request = (u32, usize, Option<Pending>);

/// The parts of a pipeline, with the inputs of them that were requested.
pub(super) struct Prefetch<'p, 's, N> {
    next: N,
    stores: &'s Stores,
    /// The part that is being read, and the next one if an input of it was requested.
    parts: VecDeque<&'p Part>,
    requests: VecDeque<Request>,
    /// The part and position of the next input to request.
    cursor: (u32, usize),
}

/// An opened input.
pub(super) enum Source<'s> {
    File(File),
    Object(Box<ObjectReader<'s>>),
}

/// Why an input was not opened.
pub(super) enum OpenFailure {
    /// The file has changed since it was listed.
    Changed,
    Failed(io::Error),
}

impl<'p, 's, N: FnMut() -> Option<&'p Part>> Prefetch<'p, 's, N> {
    pub(super) fn new(next: N, stores: &'s Stores) -> Self {
        Prefetch { next, stores, parts: VecDeque::new(), requests: VecDeque::new(), cursor: (0, 0) }
    }

    /// The next part.
    pub(super) fn part(&mut self) -> Option<&'p Part> {
        if let Some(done) = self.parts.pop_front() {
            // Its last inputs may have been left out.
            self.requests.retain(|request| request.0 != done.part);
        }
        if self.parts.is_empty() {
            self.requests.clear();
            let part = (self.next)()?;
            self.cursor = (part.part, 0);
            self.parts.push_back(part);
        }
        self.parts.front().copied()
    }

    /// Drops all requests, since the part is read again from its start.
    pub(super) fn restart(&mut self) {
        self.requests.clear();
        if let Some(part) = self.parts.front() {
            self.cursor = (part.part, 0);
        }
    }

    /// Opens an input of the part. Waits for an object until `stop` is set.
    pub(super) fn open(
        &mut self,
        part: u32,
        at: usize,
        planned: &Planned,
        stop: &'s AtomicBool,
    ) -> Result<Source<'s>, OpenFailure> {
        // Drop requests for inputs that were left out.
        let is_passed = |request: &Request| request.0 == part && request.1 < at;
        while self.requests.front().is_some_and(is_passed) {
            self.requests.pop_front();
        }
        if self.cursor.0 == part {
            self.cursor.1 = self.cursor.1.max(at);
        }
        self.request_more();
        let request = self.requests.pop_front_if(|request| (request.0, request.1) == (part, at));
        match &planned.path {
            Location::File(path) => {
                let opened = regular::open(path).and_then(|file| Ok((Stamp::read(&file.metadata()?), file)));
                let (now, file) = opened.map_err(OpenFailure::Failed)?;
                if planned.stamp.is_some_and(|then| then != now) {
                    return Err(OpenFailure::Changed);
                }
                Ok(Source::File(file))
            }
            Location::Object(url) => {
                let pending = request.and_then(|(.., pending)| pending).unwrap_or_else(|| self.stores.start(url));
                pending.open(stop).map(|object| Source::Object(Box::new(object))).map_err(OpenFailure::Failed)
            }
        }
    }

    /// Requests inputs of this part, and then of the next.
    fn request_more(&mut self) {
        while self.requests.len() < MOST_REQUESTS {
            let (number, at) = self.cursor;
            let mut parts = self.parts.iter().skip_while(|part| part.part != number);
            let (Some(part), next) = (parts.next(), parts.next()) else { return };
            match (part.inputs.get(at), next) {
                (Some(planned), _) => {
                    let pending = match &planned.path {
                        Location::Object(url) => Some(self.stores.start(url)),
                        Location::File(path) => {
                            regular::read_ahead(path, AHEAD_BYTES);
                            None
                        }
                    };
                    self.requests.push_back((number, at, pending));
                    self.cursor = (number, at + 1);
                }
                (None, Some(next)) => self.cursor = (next.part, 0),
                (None, None) if self.parts.len() > 1 => return,
                // Files are near, and another pipeline may have no part to read.
                (None, None) if !part.has_objects() => return,
                (None, None) => {
                    let Some(part) = (self.next)() else { return };
                    self.cursor = (part.part, 0);
                    self.parts.push_back(part);
                }
            }
        }
    }
}

impl Source<'_> {
    /// The size and time of a file now; `None` for an object.
    pub(super) fn file_stamp(&self) -> io::Result<Option<Stamp>> {
        match self {
            Source::File(file) => Ok(Some(Stamp::read(&file.metadata()?))),
            Source::Object(_) => Ok(None),
        }
    }

    /// The size and version of an object; `None` for a file.
    pub(super) fn object(&self) -> Option<ObjectStamp> {
        match self {
            Source::File(_) => None,
            Source::Object(object) => Some(object.stamp()),
        }
    }
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Source::File(file) => file.read(buffer),
            Source::Object(object) => object.read(buffer),
        }
    }
}

impl Seek for Source<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Source::File(file) => file.seek(to),
            Source::Object(object) => object.seek(to),
        }
    }
}
