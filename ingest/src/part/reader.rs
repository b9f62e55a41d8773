//! Reads the inputs of a part: makes the rows of captures, and passes on bodies.

use super::ahead::{Ahead, Source, Unopened};
use super::bodies::PartBodies;
use super::permits::{Sender, WaitingReader};
use super::{FilesMessage, PartJob, RowSender, RowsMessage, row_sender};
use crate::answer::{Body, Decoder, Head};
use crate::archive::{
    self, Account, Cause, Damage, Place, Record, RecordOrDamage, RecordRemark, RecordType, Unfinished, Workshop,
    milliseconds,
};
use crate::capture::{Capture, Skip, skip_of};
use crate::number::large;
use crate::plan::{self, Planned};
use crate::progress::Progress;
use crate::reasons::{Reason, Reasons};
use crate::site::{Redirect, redirect_target};
use crate::source::WatchedFile;
use crate::tally::{Counts, InputEnd, Tally};
use folder::Failure;
use folder::failure::lower;
use folder::ledger::{self, ReadInput, ReadObject, Sums};
use robots::AccessResult;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::time::Instant;
use stores::{FetchError, FetchErrorKind, Location, ObjectUrl};
use tables::{ParquetError, RowWriter, captures, inputs, skips};

/// The first thread of a line: reads parts until there are no more, or the run is stopped.
pub(super) fn read_parts<'p, 'j>(
    next: impl FnMut() -> Option<&'p plan::Part>,
    job: PartJob<'j>,
    rows: Sender<'j, RowsMessage<'p, 'j>>,
) -> Result<(), ReadFailure> {
    let mut workshop = Workshop::default();
    let mut reader = PartReader::new(job, rows);
    let mut ahead = Ahead::new(next, job.stores);
    while let Some(part) = ahead.part() {
        let mut before = Before::default();
        loop {
            match reader.part(part, &before, &mut ahead, &mut workshop) {
                Ok(()) => break,
                Err(Interruption::Stopped) => return Ok(()),
                Err(Interruption::Unwritten(error)) => return Err(ReadFailure::Unwritten(error)),
                Err(Interruption::GivenUp(failure)) => return Err(ReadFailure::GivenUp(failure)),
                // After a panic, nobody knows in what state it left all this.
                Err(Interruption::Anew { input, why }) => {
                    before.add(input, why);
                    workshop = Workshop::default();
                    reader = PartReader::new(job, reader.rows);
                    ahead.begin_anew();
                }
            }
        }
    }
    Ok(())
}

/// Why the first thread of a line ends early.
#[derive(Debug)]
pub(super) enum ReadFailure {
    /// Rows cannot be made.
    Unwritten(ParquetError),
    /// A host refuses requests.
    GivenUp(Failure),
}

/// What was found when a part was read before and had to begin anew.
#[derive(Debug, Default)]
struct Before {
    /// Inputs that are left out, by their places in the part, with the reason.
    left_out: BTreeMap<usize, String>,
    /// Objects that were damaged on the way.
    misread: BTreeSet<usize>,
}

impl Before {
    fn add(&mut self, input: usize, why: Why) {
        match why {
            Why::LeaveOut(reason) => _ = self.left_out.insert(input, reason),
            Why::Misread if self.misread.insert(input) => {}
            Why::Misread => _ = self.left_out.insert(input, "its bytes differ each time it is fetched".to_owned()),
        }
    }
}

/// Why a part begins anew.
#[derive(Debug)]
enum Why {
    /// To leave out an input, of which records may have been passed on.
    LeaveOut(String),
    /// To read an object again that was damaged on the way.
    Misread,
}

/// Reads the inputs of parts.
struct PartReader<'p, 'j> {
    decoder: Decoder,
    bodies: PartBodies<'p, 'j>,
    job: PartJob<'j>,
    rows: Sender<'j, RowsMessage<'p, 'j>>,
    captures: RowWriter<captures::Batch, RowSender<'p, 'j, RowsMessage<'p, 'j>>>,
    skips: RowWriter<skips::Batch, RowSender<'p, 'j, RowsMessage<'p, 'j>>>,
    inputs: RowWriter<inputs::Batch, RowSender<'p, 'j, RowsMessage<'p, 'j>>>,
    /// The number of the next capture.
    next: i64,
    /// The remarks on the current capture.
    remarks: String,
}

/// Why reading a part ends early.
enum Interruption {
    Stopped,
    /// The part has to begin anew, by an input that has this place in it.
    Anew {
        input: usize,
        why: Why,
    },
    GivenUp(Failure),
    Unwritten(ParquetError),
}

impl<E: Into<ParquetError>> From<E> for Interruption {
    fn from(error: E) -> Self {
        Interruption::Unwritten(error.into())
    }
}

impl<'p, 'j> PartReader<'p, 'j> {
    fn new(job: PartJob<'j>, rows: Sender<'j, RowsMessage<'p, 'j>>) -> Self {
        PartReader {
            decoder: Decoder::default(),
            bodies: PartBodies::new(job, rows.clone()),
            job,
            captures: RowWriter::new(row_sender(&captures::table(), &rows)),
            skips: RowWriter::new(row_sender(&skips::table(), &rows)),
            inputs: RowWriter::new(row_sender(&inputs::table(), &rows)),
            rows,
            next: 0,
            remarks: String::new(),
        }
    }

    /// Reads all inputs of a part but those that are left out.
    fn part(
        &mut self,
        part: &'p plan::Part,
        before: &Before,
        ahead: &mut Ahead<'p, 'j, impl FnMut() -> Option<&'p plan::Part>>,
        workshop: &mut Workshop,
    ) -> Result<(), Interruption> {
        self.rows.send(FilesMessage::Begin(part, Instant::now()).into())?;
        let base = i64::from(part.part) << 32;
        self.next = base;
        self.bodies.begin(base);
        let mut sums = Sums::default();
        let mut inputs = Vec::new();
        for (at, planned) in part.inputs.iter().enumerate() {
            let (tally, end) = if let Some(error) = before.left_out.get(&at) {
                (Tally::default(), InputEnd::failed(error))
            } else {
                let PartJob { permits, stop, .. } = self.job;
                let mut open = || ahead.open(part.part, at, planned, stop);
                // A file need not be waited for.
                let opened = if planned.path.file().is_some() { open() } else { permits.wait(open) };
                match opened {
                    Ok(source) => {
                        let read = catch_unwind(AssertUnwindSafe(|| {
                            panic_for_tests(planned);
                            self.input(planned, source, workshop, &mut sums)
                        }));
                        let panicked = "it makes this version of robocensus panic, which is a defect; please report it";
                        let leave_out = |_| Interruption::anew(at, Why::LeaveOut(panicked.to_owned()));
                        let (tally, end) = read.map_err(leave_out)?.map_err(|left| left.at(at, planned))?;
                        self.compare_with_store(at, planned, &tally, &end)?;
                        (tally, end)
                    }
                    Err(Unopened::Changed) => {
                        (Tally::default(), InputEnd::failed("it has changed since it was listed"))
                    }
                    Err(Unopened::Failed(error)) => match FetchError::kind_of(&error) {
                        Some(FetchErrorKind::Stopped) => return Err(Interruption::Stopped),
                        Some(FetchErrorKind::GivenUp) => return Err(given_up(planned, &error)),
                        Some(FetchErrorKind::Changed | FetchErrorKind::Unread) => {
                            (Tally::default(), InputEnd::failed(lower(error.to_string())))
                        }
                        None => {
                            let error = lower(error.to_string());
                            (Tally::default(), InputEnd::failed(format_args!("it cannot be opened: {error}")))
                        }
                    },
                }
            };
            tally.push_to(&planned.warc_filename, &end, &mut self.skips, &mut self.inputs)?;
            add_up(&mut sums, &tally, &end);
            let damage = damage(&tally, &end);
            let is_damaged = end.error.is_some() || damage.is_some();
            Progress::add(&self.job.progress.inputs, 1);
            Progress::add(&self.job.progress.damaged_inputs, u64::from(is_damaged));
            inputs.push(ReadInput { stamp: planned.stamp, object: end.object, error: end.error, damage });
        }
        self.captures.flush()?;
        self.skips.flush()?;
        self.inputs.flush()?;
        self.bodies.pass_on()?;
        Ok(self.rows.send(FilesMessage::End(inputs, sums).into())?)
    }

    /// Reads an input.
    fn input(
        &mut self,
        planned: &Planned,
        source: Source<'j>,
        workshop: &mut Workshop,
        sums: &mut Sums,
    ) -> Result<(Tally, InputEnd), Left> {
        let mut tally = Tally::default();
        let object = source.object().map(|object| ReadObject { bytes: object.bytes, etag: object.etag });
        let mut source = WatchedFile::new(source, self.job.progress, self.job.stop);
        let mut broken = None;
        let waiting = WaitingReader { file: &mut source, permits: self.job.permits };
        let walked = archive::read(waiting, workshop, |found| {
            if self.job.stop.load(Ordering::Relaxed) {
                broken = Some(Left::Stopped);
                return ControlFlow::Break(());
            }
            match found {
                // An undamaged member has no damaged bytes: a record in it that is too large is skipped.
                RecordOrDamage::Damage(Damage { length: 0, offset, .. }) => tally.skip(Skip::RecordTooLarge, offset),
                RecordOrDamage::Damage(damage) => tally.damaged.add(damage.cause, damage.offset),
                RecordOrDamage::Record(record, place) => {
                    if let Err(error) = self.record(&record, place, planned, &mut tally, sums) {
                        broken = Some(Left::Unwritten(error));
                        return ControlFlow::Break(());
                    }
                }
            }
            ControlFlow::Continue(())
        });
        match (broken, walked) {
            (Some(broken), _) => Err(broken),
            (None, Err(_)) if self.job.stop.load(Ordering::Relaxed) => Err(Left::Stopped),
            (None, Err(Unfinished { account, error })) => match FetchError::kind_of(&error) {
                // None of its records may stay, since they may be of two versions.
                Some(FetchErrorKind::Changed) => Err(Left::Changed(error)),
                Some(FetchErrorKind::GivenUp) => Err(Left::GivenUp(error)),
                _ => {
                    let error = Some(format!("it cannot be read to its end: {}", lower(error.to_string())));
                    Ok((tally, InputEnd { account, digest: None, object, error }))
                }
            },
            (None, Ok(account)) if planned.stamp.is_some_and(|stamp| stamp.bytes != account.bytes) => {
                let error = Some("it has changed while it was read".to_owned());
                Ok((tally, InputEnd { account, digest: None, object, error }))
            }
            (None, Ok(account)) => {
                if holds_nothing(&account) {
                    tally.damaged.add(Cause::NothingHeld, 0);
                }
                Ok((tally, InputEnd { account, digest: Some(source.digest()), object, error: None }))
            }
        }
    }

    /// Reads an object again that is damaged, to see whether it was damaged on the way. Few are damaged, and a bit that is
    /// flipped on the way, which TLS notices and plain HTTP does not, must not cost a record.
    fn compare_with_store(
        &self,
        at: usize,
        planned: &Planned,
        tally: &Tally,
        end: &InputEnd,
    ) -> Result<(), Interruption> {
        let (Location::Object(url), Some(digest), false) = (&planned.path, &end.digest, tally.damaged.is_empty())
        else {
            return Ok(());
        };
        match self.digest_again(url) {
            Ok(again) if again != *digest => Err(Interruption::anew(at, Why::Misread)),
            Err(_) if self.job.stop.load(Ordering::Relaxed) => Err(Interruption::Stopped),
            // What was read may be all that can be had.
            Ok(_) | Err(_) => Ok(()),
        }
    }

    fn digest_again(&self, url: &ObjectUrl) -> io::Result<String> {
        let PartJob { permits, stores, stop, .. } = self.job;
        // It was counted when it was read first.
        let progress = Progress::default();
        permits.wait(|| {
            let mut object = WatchedFile::new(stores.start(url).open(stop)?, &progress, stop);
            io::copy(&mut object, &mut io::sink())?;
            Ok(object.digest())
        })
    }

    /// Adds a record: as a capture, or to the skipped ones.
    fn record(
        &mut self,
        record: &Record<'_>,
        place: Place,
        planned: &Planned,
        tally: &mut Tally,
        sums: &mut Sums,
    ) -> Result<(), ParquetError> {
        tally.records += 1;
        tally.block_bytes += record.block.len() as u64;
        tally.record_remarks.add_all(record.remarks, place.offset);
        let target = match skip_of(record.record_type, record.target_uri, planned.takes()) {
            Ok(target) => target,
            Err(skip) => {
                tally.skipped.add(skip, place.offset);
                return Ok(());
            }
        };
        self.remarks.clear();
        note(target.remarks, place, &mut tally.targets, &mut self.remarks);
        let (head, body) = match record.record_type {
            RecordType::Resource => (None, Body::as_it_is(record.block)),
            _ => {
                let (head, behind) = Head::read(record.block);
                let body = self.decoder.decode(&head, behind);
                note(head.remarks, place, &mut tally.answers, &mut self.remarks);
                (Some(head), body)
            }
        };
        note(body.remarks, place, &mut tally.answers, &mut self.remarks);
        let access_result = Capture::access_result(record.record_type, head.as_ref());
        let location = Capture::location(access_result, head.as_ref());
        let redirect = match location.as_deref().map(|location| redirect_target(&target.url, location)) {
            Some(Redirect::To(url)) => Some(url),
            Some(Redirect::Nowhere(reason)) => {
                note(Reasons::only(reason), place, &mut tally.locations, &mut self.remarks);
                None
            }
            None => None,
        };
        name(record.remarks, &mut self.remarks);
        let body_id = match access_result {
            // Crawlers ignore the body of any other response, a revisit has no body of its own, and rules of another site
            // may stand in a block that is doubtful.
            AccessResult::Successful
                if record.record_type != RecordType::Revisit && !record.remarks.has(RecordRemark::BlockDoubtful) =>
            {
                Some(self.bodies.id(&body)?)
            }
            _ => None,
        };
        sums.body_bytes += body.total_bytes;
        let capture = Capture {
            id: self.next,
            record,
            place,
            warc_filename: &planned.warc_filename,
            target: &target,
            fetch_time: record.date.and_then(milliseconds),
            head: head.as_ref(),
            access_result,
            redirect: redirect.as_deref(),
            body_bytes: large(body.total_bytes),
            body_id,
            remarks: Some(self.remarks.as_str()).filter(|remarks| !remarks.is_empty()),
        };
        capture.push_to(&mut self.captures)?;
        self.next += 1;
        tally.captures += 1;
        Progress::add(&self.job.progress.captures, 1);
        Ok(())
    }
}

/// Why reading an input ends, and its part with it.
#[derive(Debug)]
enum Left {
    Stopped,
    Changed(io::Error),
    GivenUp(io::Error),
    Unwritten(ParquetError),
}

impl Left {
    /// The same for the part, in which the input has a place.
    fn at(self, input: usize, planned: &Planned) -> Interruption {
        match self {
            Left::Stopped => Interruption::Stopped,
            Left::Changed(error) => Interruption::anew(input, Why::LeaveOut(error.to_string())),
            Left::GivenUp(error) => given_up(planned, &error),
            Left::Unwritten(error) => Interruption::Unwritten(error),
        }
    }
}

impl Interruption {
    fn anew(input: usize, why: Why) -> Self {
        Interruption::Anew { input, why }
    }
}

fn given_up(planned: &Planned, error: &io::Error) -> Interruption {
    Interruption::GivenUp(Failure::new("store cannot be read", planned.path.shown(), error))
}

/// Tests name an input that is to panic. No release build has this.
#[expect(clippy::panic, reason = "that is what it is for")]
fn panic_for_tests(planned: &Planned) {
    let is_meant = |name: String| planned.warc_filename.ends_with(&name);
    if cfg!(debug_assertions) && std::env::var("ROBOCENSUS_TEST_PANIC").is_ok_and(is_meant) {
        panic!("a test asked for it");
    }
}

/// Counts remarks on a capture, and adds their names to `remarks`.
fn note<M: Reason + PartialEq>(reasons: Reasons<M>, place: Place, counts: &mut Counts<M>, remarks: &mut String) {
    counts.add_all(reasons, place.offset);
    name(reasons, remarks);
}

fn name<M: Reason>(reasons: Reasons<M>, remarks: &mut String) {
    if reasons.is_empty() {
        return;
    }
    for reason in reasons.iter() {
        if !remarks.is_empty() {
            remarks.push(' ');
        }
        remarks.push_str(reason.name());
    }
}

/// Whether an archive is empty in a way that is no other damage.
fn holds_nothing(account: &Account) -> bool {
    matches!(account, Account { records: 0, large_records: 0, damaged_bytes: 0, .. })
}

fn add_up(sums: &mut Sums, tally: &Tally, end: &InputEnd) {
    let Account { bytes, good_bytes, damaged_bytes, .. } = end.account;
    sums.inputs += 1;
    sums.damaged_inputs += u64::from(!tally.damaged.is_empty());
    sums.failed_inputs += u64::from(end.error.is_some());
    sums.bytes += bytes;
    sums.good_bytes += good_bytes;
    sums.damaged_bytes += damaged_bytes;
    sums.records += tally.records;
    sums.captures += tally.captures;
    for (reason, count, _) in tally.skipped.by_name() {
        *sums.skipped.entry(reason.to_owned()).or_default() += count;
    }
}

/// The damage of an input, with the cause of the first damaged bytes; none where it has none.
fn damage(tally: &Tally, end: &InputEnd) -> Option<ledger::InputDamage> {
    let (cause, _, offset) = tally.damaged.by_name().min_by_key(|(.., offset)| *offset)?;
    Some(ledger::InputDamage { bytes: end.account.damaged_bytes, offset, cause: cause.to_owned() })
}

impl InputEnd {
    fn failed(error: impl std::fmt::Display) -> Self {
        InputEnd { error: Some(error.to_string()), ..InputEnd::default() }
    }
}
