//! Reads archives a second time, with a reader that this project did not write.
//!
//! [`compare`] walks over an archive as [`archive::read`](crate::archive::read) does, and gives each member to the
//! crate `warc`, inflated by zlib-rs instead of libdeflate. Both readers must find the same records, with the same
//! types, targets, lengths, blocks and statuses. The crate cannot read all records. For each that it cannot read, an
//! [`Obstacle`] says why; everything else is a [`Difference`].
//!
//! The crate gets one member at a time, since after an obstacle it loses the rest. It never gets a length that exceeds
//! the member, since it panics on some of them. The first bytes of each record or damage decide how it gets them. This
//! does not depend on how the first reader recognised the format of the archive.

mod compare;
mod comparison;
mod field;
mod member;
mod obstacle;
mod second;
mod status;

pub(crate) use comparison::text;
pub use comparison::{Comparison, CountAndFirst, Difference};
pub use field::ComparedField;
pub use obstacle::{Obstacle, Obstacles};
pub use second::SecondRecord;

use crate::archive::{Cause, Damage, Place, Record, RecordOrDamage, Workshop, read};
use compare::Fields;
use member::{ArchiveForm, Inflated, SharedSource};
use second::{Raw, ReadRefusal};
use std::cell::RefCell;
use std::io::{self, Read, Seek};
use std::ops::ControlFlow;

/// A record in the second reading.
#[derive(Debug, Clone, Copy)]
pub enum Reread<'b> {
    /// The second reader read it, and may differ from the first.
    Record(SecondRecord<'b>),
    /// Only the first reader read it, because of the obstacle. Without an obstacle, the readers differ.
    First(&'b Record<'b>, Place, Option<Obstacle>),
}

/// Reads an archive with both readers and compares them. `each` gets every record of the second reading, in the order
/// of the file. Fails if the source cannot be read.
///
/// Comparing takes up to 384 MiB, six times the largest member, in addition to the memory for reading.
pub fn compare<R: Read + Seek>(
    source: R,
    workshop: &mut Workshop,
    each: impl FnMut(Reread<'_>),
) -> io::Result<Comparison> {
    let source = RefCell::new(source);
    let mut readers = Readers {
        source: &source,
        archived: Vec::new(),
        inflated: Vec::new(),
        read_bytes: 0,
        fetched: 0,
        last: Place { offset: 0, length: 0, index: 0 },
        alignment: Alignment::Lost,
        comparison: Comparison::default(),
        each,
    };
    let mut failure = None;
    let account = read(SharedSource::new(&source), workshop, |found| match readers.take(found) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            failure = Some(error);
            ControlFlow::Break(())
        }
    })?;
    if let Some(error) = failure {
        return Err(error);
    }
    readers.end_member();
    Ok(Comparison { account, ..readers.comparison })
}

/// Whether the second reader is at the same record of a member as the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Alignment {
    /// It is at the same record.
    Aligned,
    /// It did not read a record to its end, so it does not know where the next one starts.
    Lost,
    /// It has nothing to read, since the second inflater failed.
    NotInflated,
    /// It has nothing to read, since the member is too large to be inflated a second time.
    TooLarge,
    /// It has nothing to read, since the record has another format.
    OtherForm,
}

/// Both readers and their comparison.
struct Readers<'s, R, E> {
    source: &'s RefCell<R>,
    /// A member or record as in the archive.
    archived: Vec<u8>,
    /// The same, inflated.
    inflated: Vec<u8>,
    /// How many bytes of `inflated` the second reader has read.
    read_bytes: usize,
    /// The offset in the file up to which members were fetched.
    fetched: u64,
    last: Place,
    alignment: Alignment,
    comparison: Comparison,
    each: E,
}

impl<R: Read + Seek, E: FnMut(Reread<'_>)> Readers<'_, R, E> {
    fn take(&mut self, found: RecordOrDamage<'_>) -> io::Result<()> {
        match found {
            RecordOrDamage::Record(record, place) => {
                let end = place.offset + place.length;
                if place.offset >= self.fetched {
                    self.end_member();
                    self.start_member(place)?;
                    self.fetched = end;
                } else if end > self.fetched {
                    self.fetch_continuation(place)?;
                    self.fetched = end;
                }
                self.record(&record, place);
                self.last = place;
                Ok(())
            }
            // The member goes on, and what the second reader finds in those bytes shows at its next record.
            RecordOrDamage::Damage(Damage { cause: Cause::Stray, .. }) => {
                self.comparison.damaged += 1;
                Ok(())
            }
            RecordOrDamage::Damage(damage) => {
                self.end_member();
                self.damage(damage)
            }
        }
    }

    fn start_member(&mut self, place: Place) -> io::Result<()> {
        self.alignment = Alignment::Aligned;
        let form = self.load(place.offset, place.length)?;
        self.comparison.members += u64::from(form == ArchiveForm::Members);
        if form == ArchiveForm::Other {
            self.alignment = Alignment::OtherForm;
            return Ok(());
        }
        match self.inflate(form) {
            Inflated::Whole { .. } => {}
            Inflated::TooLarge => self.alignment = Alignment::TooLarge,
            Inflated::Failed(why) => {
                self.alignment = Alignment::NotInflated;
                self.comparison.differ(place, ComparedField::Member, "a whole member".to_owned(), why);
            }
        }
        Ok(())
    }

    /// Fetches more members, in which a record continues.
    fn fetch_continuation(&mut self, place: Place) -> io::Result<()> {
        if self.alignment != Alignment::Aligned {
            return Ok(());
        }
        let left = self.inflated.split_off(self.read_bytes.min(self.inflated.len()));
        let length = place.offset + place.length - self.fetched;
        let form = self.load(self.fetched, length)?;
        match self.inflate(form) {
            Inflated::Whole { .. } => drop(self.inflated.splice(..0, left)),
            Inflated::TooLarge => self.alignment = Alignment::TooLarge,
            Inflated::Failed(why) => {
                self.alignment = Alignment::NotInflated;
                self.comparison.differ(place, ComparedField::Member, "whole members".to_owned(), why);
            }
        }
        Ok(())
    }

    /// Loads a member or record, or adjacent members.
    fn load(&mut self, offset: u64, length: u64) -> io::Result<ArchiveForm> {
        member::bytes(&mut *self.source.borrow_mut(), offset, length, &mut self.archived)?;
        Ok(ArchiveForm::recognise(&self.archived))
    }

    /// Inflates what was loaded. Members are whole only if nothing follows them.
    fn inflate(&mut self, form: ArchiveForm) -> Inflated {
        self.read_bytes = 0;
        if form == ArchiveForm::Plain {
            std::mem::swap(&mut self.archived, &mut self.inflated);
            return Inflated::Whole { rest: 0 };
        }
        match member::inflate(&self.archived, &mut self.inflated) {
            Inflated::Whole { rest: rest @ 1.. } => {
                Inflated::Failed(format!("a member that ends {rest} bytes earlier"))
            }
            inflated => inflated,
        }
    }

    /// Ends a member. Records that are left are those that the first reader did not find.
    fn end_member(&mut self) {
        while self.alignment == Alignment::Aligned {
            let place = Place { index: self.last.index.saturating_add(1), ..self.last };
            self.skip_broken(place);
            let Ok(Some(theirs)) = self.next() else { break };
            self.surplus(place, &theirs);
        }
        self.alignment = Alignment::Lost;
    }

    /// The next record of the second reader.
    fn next(&mut self) -> Result<Option<Raw>, ReadRefusal> {
        let mut rest = self.inflated.get(self.read_bytes..).unwrap_or_default();
        let record = second::next(&mut rest);
        self.read_bytes = self.inflated.len() - rest.len();
        record
    }

    /// Skips records that the first reader counts as damage, and counts them as not compared: the second reader would
    /// not notice what they lack. Returns whether there were any.
    fn skip_broken(&mut self, place: Place) -> bool {
        let start = self.read_bytes;
        while let Some(rest) = self.inflated.get(self.read_bytes..)
            && let Some((Record { is_broken: true, .. }, length)) = Record::read(rest)
        {
            self.read_bytes += length;
            self.comparison.uncompared(Cause::RecordCut, place);
        }
        self.read_bytes > start
    }

    fn record(&mut self, ours: &Record<'_>, place: Place) {
        self.comparison.records += 1;
        match self.alignment {
            Alignment::Aligned => {}
            Alignment::Lost => return self.unreadable(ours, place, Obstacle::AfterUnreadable),
            Alignment::NotInflated => {
                self.comparison.differing += 1;
                return (self.each)(Reread::First(ours, place, None));
            }
            Alignment::TooLarge => return self.unreadable(ours, place, Obstacle::MemberTooLarge),
            Alignment::OtherForm => return self.unreadable(ours, place, Obstacle::OtherForm),
        }
        self.skip_broken(place);
        let start = self.read_bytes;
        let theirs = self.next();
        let obstacles = obstacle::find_obstacles(self.inflated.get(start..).unwrap_or_default(), ours);
        match theirs {
            Ok(Some(theirs)) => {
                if theirs.block.len() != ours.block.len() {
                    self.alignment = Alignment::Lost;
                }
                self.both(ours, &theirs, place, obstacles);
            }
            Err(ReadRefusal::Panicked) => {
                self.alignment = Alignment::Lost;
                self.unreadable(ours, place, Obstacle::Panicked);
            }
            refused => {
                self.alignment = Alignment::Lost;
                let why = refused.err().map_or("no record", ReadRefusal::text);
                match obstacles
                    .iter()
                    .find(|obstacle| obstacle.explains(ComparedField::Record, field::FieldValue::Lost))
                {
                    Some(obstacle) => self.unreadable(ours, place, obstacle),
                    None => {
                        self.comparison.differing += 1;
                        let described = described(ours.record_type.name(), ours.block);
                        self.comparison.differ(place, ComparedField::Record, described, why.to_owned());
                        (self.each)(Reread::First(ours, place, None));
                    }
                }
            }
        }
    }

    /// Compares a record that both readers have read.
    fn both(&mut self, ours: &Record<'_>, theirs: &Raw, place: Place, obstacles: Obstacles) {
        match compare::compare(ours, theirs, obstacles) {
            Fields::Same => self.comparison.agreed += 1,
            Fields::Explained(obstacle) => return self.unreadable(ours, place, obstacle),
            Fields::Different(differing) => {
                self.comparison.differing += 1;
                for (field, ours, theirs) in differing {
                    self.comparison.differ(place, field, ours, theirs);
                }
            }
        }
        (self.each)(Reread::Record(theirs.seen(place)));
    }

    fn unreadable(&mut self, ours: &Record<'_>, place: Place, obstacle: Obstacle) {
        self.comparison.unreadable.entry(obstacle).or_insert(CountAndFirst { count: 0, first: place }).count += 1;
        (self.each)(Reread::First(ours, place, Some(obstacle)));
    }

    /// Counts a record that only the second reader found.
    fn surplus(&mut self, place: Place, theirs: &Raw) {
        self.comparison.surplus += 1;
        let described = described(&theirs.record_type, &theirs.block);
        self.comparison.differ(place, ComparedField::Record, "no record".to_owned(), described);
        (self.each)(Reread::Record(theirs.seen(place)));
        self.last = place;
    }

    /// Checks that bytes without a record for the first reader have none for the second.
    fn damage(&mut self, damage: Damage) -> io::Result<()> {
        let Damage { offset, length, cause } = damage;
        let place = Place { offset, length, index: 0 };
        let form = match cause {
            // No member and no record starts there, so there is nothing to give to the second reader.
            Cause::Garbage | Cause::Stray => None,
            Cause::TooLarge | Cause::EntryCompressed | Cause::EntryDiffers | Cause::ArchiveEmpty => {
                Some(ArchiveForm::Other)
            }
            _ => Some(self.load(offset, length)?),
        };
        match form {
            None => {}
            Some(ArchiveForm::Other) => {
                self.comparison.uncompared(cause, place);
                return Ok(());
            }
            Some(_) if cause == Cause::MemberDamaged => {
                if let Inflated::Whole { rest } = member::inflate(&self.archived, &mut self.inflated) {
                    let theirs = format!("a whole member of {} bytes", self.archived.len() - rest);
                    self.comparison.surplus += 1;
                    self.comparison.differ(place, ComparedField::Member, cause.name().to_owned(), theirs);
                    return Ok(());
                }
            }
            Some(form) => {
                if matches!(self.inflate(form), Inflated::Whole { .. }) {
                    let has_broken = self.skip_broken(place);
                    let start = self.read_bytes;
                    match self.next() {
                        Ok(Some(theirs)) if cause != Cause::RecordCut || !self.has_lost_length(start, &theirs) => {
                            self.surplus(place, &theirs);
                            return Ok(());
                        }
                        _ if has_broken => return Ok(()),
                        _ => {}
                    }
                }
            }
        }
        self.comparison.damaged += 1;
        Ok(())
    }

    /// Whether the second reader lost the length of the record that starts there, and so did not notice that its block
    /// is cut.
    fn has_lost_length(&self, start: usize, theirs: &Raw) -> bool {
        let bytes = self.inflated.get(start..).unwrap_or_default();
        let (field, value) = (ComparedField::BlockLength, theirs.value(ComparedField::BlockLength));
        Record::read(bytes).is_some_and(|(ours, _)| {
            let mut obstacles = obstacle::find_obstacles(bytes, &ours).iter();
            obstacles.any(|obstacle| obstacle != Obstacle::BlockShort && obstacle.explains(field, value))
        })
    }
}

fn described(record_type: &str, block: &[u8]) -> String {
    format!("a record of type {record_type:?} and {} bytes", block.len())
}
