//! Opens the inputs of parts in their order, and has objects fetched before their turn, so that inflating does not wait for
//! the network.

use crate::plan::{Part, Planned};
use folder::{Stamp, regular};
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::atomic::AtomicBool;
use stores::{Location, ObjectReader, ObjectStamp, Pending, Stores};

/// How many objects are asked for ahead: 32 MB of archives of Common Crawl. The stores limit connections and memory.
const MOST_ASKED: usize = 16;

/// What was asked for: the part and the place in it, and what comes.
type Asked = (u32, usize, Pending);

/// The parts of a line, with the objects in them that are being fetched.
pub(super) struct Ahead<'p, 's, N> {
    next: N,
    stores: &'s Stores,
    /// The part that is being read, and the next one if something was asked for in it.
    parts: VecDeque<&'p Part>,
    asked: VecDeque<Asked>,
    /// The part and place of the next input to ask for.
    cursor: (u32, usize),
}

/// An input that was opened.
pub(super) enum Source<'s> {
    File(File),
    Object(Box<ObjectReader<'s>>),
}

/// Why an input was not opened.
pub(super) enum Unopened {
    /// It is another one than when it was listed.
    Changed,
    Failed(io::Error),
}

impl<'p, 's, N: FnMut() -> Option<&'p Part>> Ahead<'p, 's, N> {
    pub(super) fn new(next: N, stores: &'s Stores) -> Self {
        Ahead { next, stores, parts: VecDeque::new(), asked: VecDeque::new(), cursor: (0, 0) }
    }

    /// The next part.
    pub(super) fn part(&mut self) -> Option<&'p Part> {
        self.parts.pop_front();
        if self.parts.is_empty() {
            self.asked.clear();
            let part = (self.next)()?;
            self.cursor = (part.part, 0);
            self.parts.push_back(part);
        }
        self.parts.front().copied()
    }

    /// Forgets what was asked for, since the part begins anew.
    pub(super) fn begin_anew(&mut self) {
        self.asked.clear();
        if let Some(part) = self.parts.front() {
            self.cursor = (part.part, 0);
        }
    }

    /// Opens an input of the part. An object is waited for, unless `stop` is set.
    pub(super) fn open(
        &mut self,
        part: u32,
        at: usize,
        planned: &Planned,
        stop: &'s AtomicBool,
    ) -> Result<Source<'s>, Unopened> {
        match &planned.path {
            Location::File(path) => {
                let opened = regular::open(path).and_then(|file| Ok((Stamp::read(&file.metadata()?), file)));
                let (now, file) = opened.map_err(Unopened::Failed)?;
                if planned.stamp.is_some_and(|then| then != now) {
                    return Err(Unopened::Changed);
                }
                Ok(Source::File(file))
            }
            Location::Object(url) => {
                // Inputs that are left out are not opened.
                let is_passed = |asked: &Asked| asked.0 == part && asked.1 < at;
                while self.asked.front().is_some_and(is_passed) {
                    self.asked.pop_front();
                }
                if self.cursor.0 == part {
                    self.cursor.1 = self.cursor.1.max(at);
                }
                self.ask();
                let asked = self.asked.pop_front_if(|asked| (asked.0, asked.1) == (part, at));
                let pending = asked.map_or_else(|| self.stores.start(url), |(.., pending)| pending);
                pending.open(stop).map(|object| Source::Object(Box::new(object))).map_err(Unopened::Failed)
            }
        }
    }

    /// Asks for objects, in this part and at its end in the next.
    fn ask(&mut self) {
        while self.asked.len() < MOST_ASKED {
            let (number, at) = self.cursor;
            let mut parts = self.parts.iter().skip_while(|part| part.part != number);
            let (Some(part), behind) = (parts.next(), parts.next()) else { return };
            match (part.inputs.get(at), behind) {
                (Some(planned), _) => {
                    if let Location::Object(url) = &planned.path {
                        self.asked.push_back((number, at, self.stores.start(url)));
                    }
                    self.cursor = (number, at + 1);
                }
                (None, Some(behind)) => self.cursor = (behind.part, 0),
                (None, None) if self.parts.len() > 1 => return,
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
    /// What the object is, if it is one.
    pub(super) fn object(&self) -> Option<ObjectStamp> {
        match self {
            Source::File(_) => None,
            Source::Object(object) => Some(object.stamp()),
        }
    }
}

impl Read for Source<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        match self {
            Source::File(file) => file.read(room),
            Source::Object(object) => object.read(room),
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
