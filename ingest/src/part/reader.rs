//! Reads the inputs of a part: makes the rows of captures, and passes on bodies.

use super::bodies::{PartBodies, panic_for_tests, rows_failed};
use super::input_end::{add_up, damage, end_unopened, has_changed, is_empty, unfinished};
use super::interruption::{EarlierAttempts, Interruption, RestartReason, given_up};
use super::job::PartJob;
use super::lanes::Pipeline;
use super::messages::{FilesMessage, ReaderSink, RowsMessage};
use super::permits::WaitingReader;
use super::prefetch::{Prefetch, Source};
use crate::answer::{AnswerRemark, Body, Decoder, Head};
use crate::archive::{
    self, Cause, Damage, Place, Record, RecordOrDamage, RecordRemark, RecordType, Unfinished, Workshop, milliseconds,
};
use crate::capture::{Capture, CaptureChoice, Skip};
use crate::number::large;
use crate::plan::{self, Planned};
use crate::progress::Progress;
use crate::reasons::{Reason, Reasons};
use crate::site::redirect_target;
use crate::source::WatchedFile;
use crate::tally::{Counts, InputEnd, Tally};
use folder::failure::{Failure, lower};
use folder::ledger::{ReadInput, ReadObject, Sums};
use robots::AccessResult;
use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::time::Instant;
use stores::{FetchError, FetchErrorKind, Location, ObjectUrl};
use tables::{ParquetError, RowWriter, captures, inputs, skips};

/// The reader of a pipeline: reads parts until there are no more, or the run is stopped.
pub(super) fn read_parts<'p, 'j>(
    next: impl FnMut() -> Option<&'p plan::Part>,
    job: PartJob<'j>,
    pipeline: Pipeline<'_, 'p, 'j>,
) -> Result<(), Failure> {
    let mut workshop = Workshop::default();
    let mut reader = PartReader::new(job, pipeline);
    let mut prefetch = Prefetch::new(next, job.stores);
    while let Some(part) = prefetch.part() {
        let mut earlier = EarlierAttempts::default();
        loop {
            match reader.part(part, &earlier, &mut prefetch, &mut workshop) {
                Ok(()) => break,
                Err(Interruption::Stopped) => return Ok(()),
                Err(Interruption::RowsFailed(error)) => return Err(rows_failed(&error, job)),
                Err(Interruption::GivenUp(failure)) => return Err(failure),
                // A panic may have left all of this in an invalid state.
                Err(Interruption::Restart { input, reason }) => {
                    earlier.add(input, reason);
                    job.progress.take_back(&reader.counted);
                    workshop = Workshop::default();
                    reader = PartReader::new(job, pipeline);
                    prefetch.restart();
                }
            }
        }
    }
    Ok(())
}

/// Reads the inputs of parts.
struct PartReader<'l, 'p, 'j> {
    decoder: Decoder,
    bodies: PartBodies<'l, 'p, 'j>,
    job: PartJob<'j>,
    pipeline: Pipeline<'l, 'p, 'j>,
    captures: RowWriter<captures::Batch, ReaderSink<'l, 'p, 'j>>,
    skips: RowWriter<skips::Batch, ReaderSink<'l, 'p, 'j>>,
    inputs: RowWriter<inputs::Batch, ReaderSink<'l, 'p, 'j>>,
    /// The number of the next capture.
    next: i64,
    /// The remarks on the current capture.
    remarks: String,
    /// What was counted for the current part.
    counted: Progress,
}

impl<'l, 'p, 'j> PartReader<'l, 'p, 'j> {
    fn new(job: PartJob<'j>, pipeline: Pipeline<'l, 'p, 'j>) -> Self {
        PartReader {
            decoder: Decoder::default(),
            bodies: PartBodies::new(job, pipeline),
            job,
            pipeline,
            captures: RowWriter::new(ReaderSink::new(&captures::table(), pipeline)),
            skips: RowWriter::new(ReaderSink::new(&skips::table(), pipeline)),
            inputs: RowWriter::new(ReaderSink::new(&inputs::table(), pipeline)),
            next: 0,
            remarks: String::new(),
            counted: Progress::default(),
        }
    }

    /// Reads all inputs of a part, except those that are left out.
    fn part(
        &mut self,
        part: &'p plan::Part,
        earlier: &EarlierAttempts,
        prefetch: &mut Prefetch<'p, 'j, impl FnMut() -> Option<&'p plan::Part>>,
        workshop: &mut Workshop,
    ) -> Result<(), Interruption> {
        self.pipeline.send(RowsMessage::Files(FilesMessage::Begin(part, Instant::now())))?;
        let base = tables::keys::first_id(part.part);
        self.next = base;
        self.counted = Progress::default();
        self.bodies.begin(base);
        let mut sums = Sums::default();
        let mut inputs = Vec::new();
        for (at, planned) in part.inputs.iter().enumerate() {
            let (tally, end) = if let Some(error) = earlier.left_out.get(&at) {
                (Tally::default(), InputEnd::failed(error))
            } else {
                let PartJob { permits, stop, .. } = self.job;
                let mut open = || prefetch.open(part.part, at, planned, stop);
                // Opening a file does not wait.
                match if planned.path.file().is_some() { open() } else { permits.wait(open) } {
                    Ok(source) => {
                        self.bodies.begin_input(at);
                        let read = catch_unwind(AssertUnwindSafe(|| {
                            panic_for_tests("READ", planned.warc_filename.as_bytes());
                            self.input(at, planned, source, workshop, &mut sums)
                        }));
                        let (tally, end) = read.map_err(|_| Interruption::panicked(at))??;
                        self.compare_with_store(at, planned, &tally, &end)?;
                        (tally, end)
                    }
                    Err(failure) => (Tally::default(), end_unopened(planned, failure)?),
                }
            };
            tally.push_to(&planned.warc_filename, &end, &mut self.skips, &mut self.inputs)?;
            add_up(&mut sums, &tally, &end);
            let damage = damage(&tally, &end);
            let is_damaged = end.error.is_some() || damage.is_some();
            for progress in [self.job.progress, &self.counted] {
                Progress::add(&progress.inputs, 1);
                Progress::add(&progress.damaged_inputs, u64::from(is_damaged));
            }
            inputs.push(ReadInput { stamp: planned.stamp, object: end.object, error: end.error, damage });
        }
        self.captures.flush()?;
        self.skips.flush()?;
        self.inputs.flush()?;
        if let Some(input) = self.bodies.finish()? {
            return Err(Interruption::panicked(input));
        }
        Ok(self.pipeline.send(RowsMessage::Files(FilesMessage::End(inputs, sums)))?)
    }

    /// Reads the input at a position in the part.
    fn input(
        &mut self,
        at: usize,
        planned: &Planned,
        source: Source<'j>,
        workshop: &mut Workshop,
        sums: &mut Sums,
    ) -> Result<(Tally, InputEnd), Interruption> {
        let mut tally = Tally::default();
        let mut choice = CaptureChoice::new(planned.takes());
        let object = source.object().map(|object| ReadObject { bytes: object.bytes, etag: object.etag });
        let mut source = WatchedFile::new(source, self.job.progress, self.job.stop);
        let mut broken = None;
        let waiting = WaitingReader { file: &mut source, permits: self.job.permits };
        let walked = archive::read(waiting, workshop, |found| {
            if self.job.stop.load(Ordering::Relaxed) {
                broken = Some(Interruption::Stopped);
                return ControlFlow::Break(());
            }
            match found {
                // An undamaged member has no damaged bytes: a record in it that is too large is skipped.
                RecordOrDamage::Damage(Damage { length: 0, offset, cause: Cause::TooLarge }) => {
                    tally.skip(Skip::RecordTooLarge, offset);
                }
                RecordOrDamage::Damage(damage) => tally.damaged.add(damage.cause, damage.offset),
                RecordOrDamage::Record(record, place) => {
                    if let Err(error) = self.record(&record, place, planned, &mut choice, &mut tally, sums) {
                        broken = Some(Interruption::RowsFailed(error));
                        return ControlFlow::Break(());
                    }
                }
            }
            ControlFlow::Continue(())
        });
        Progress::add(&self.counted.bytes, source.bytes());
        match (broken, walked) {
            (Some(broken), _) => Err(broken),
            (None, Err(_)) if self.job.stop.load(Ordering::Relaxed) => Err(Interruption::Stopped),
            (None, Err(Unfinished { account, error })) => {
                let error = Some(unfinished(at, planned, &error)?);
                Ok((tally, InputEnd { account, digest: None, object, error }))
            }
            (None, Ok(account)) if has_changed(planned, &account, source.file()) => {
                let reason = "it has changed while it was read".to_owned();
                Err(Interruption::restart(at, RestartReason::LeaveOut(reason)))
            }
            (None, Ok(account)) => {
                if is_empty(&account) {
                    tally.damaged.add(Cause::ArchiveEmpty, 0);
                }
                Ok((tally, InputEnd { account, digest: Some(source.digest()), object, error: None }))
            }
        }
    }

    /// Fetches a damaged object again, to see whether it was damaged in transit: a bit that is flipped there must not
    /// cost a record. TLS detects that and plain HTTP does not. Few objects are damaged, so this costs little.
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
            Ok(again) if again != *digest => Err(Interruption::restart(at, RestartReason::Misread)),
            // The object itself is damaged. What was read counts.
            Ok(_) => Ok(()),
            Err(_) if self.job.stop.load(Ordering::Relaxed) => Err(Interruption::Stopped),
            Err(error) if FetchError::kind_of(&error) == Some(FetchErrorKind::GivenUp) => {
                Err(given_up(planned, &error))
            }
            // Nobody knows whether it was damaged in transit, so none of it counts, and the next run tries it again.
            Err(error) => {
                let cause = format!("it is damaged and could not be fetched again: {}", lower(error.to_string()));
                Err(Interruption::restart(at, RestartReason::LeaveOut(cause)))
            }
        }
    }

    fn digest_again(&self, url: &ObjectUrl) -> io::Result<String> {
        let PartJob { permits, stores, stop, .. } = self.job;
        // Its bytes were counted when it was first read.
        let progress = Progress::default();
        permits.wait(|| {
            let mut object = WatchedFile::new(stores.start(url).open(stop)?, &progress, stop);
            io::copy(&mut object, &mut io::sink())?;
            Ok(object.digest())
        })
    }

    /// Adds a record: as a capture, or to the count of skipped records.
    fn record(
        &mut self,
        record: &Record<'_>,
        place: Place,
        planned: &Planned,
        choice: &mut CaptureChoice,
        tally: &mut Tally,
        sums: &mut Sums,
    ) -> Result<(), ParquetError> {
        tally.records += 1;
        tally.block_bytes += record.block.len() as u64;
        let fetch_time = record.date.and_then(milliseconds);
        let mut record_remarks = record.remarks;
        record_remarks.add_if(fetch_time.is_none(), RecordRemark::DateInvalid);
        tally.record_remarks.add_all(record_remarks, place.offset);
        let target = match choice.choose(record.record_type, record.target_uri) {
            Ok(target) => target,
            Err(skip) => {
                tally.skipped.add(skip, place.offset);
                return Ok(());
            }
        };
        self.remarks.clear();
        add_remarks(target.remarks, place, &mut tally.targets, &mut self.remarks);
        let is_truncated = record.truncated.is_some_and(|reason| !reason.is_empty());
        let (head, body) = if Capture::has_head(record.record_type, record.block) {
            let (head, rest) = Head::read(record.block);
            let body = self.decoder.decode(record.record_type, is_truncated, &head, rest);
            add_remarks(head.remarks, place, &mut tally.answers, &mut self.remarks);
            (Some(head), body)
        } else {
            (None, Body::unencoded(record.block, is_truncated))
        };
        add_remarks(body.remarks, place, &mut tally.answers, &mut self.remarks);
        let access_result = Capture::access_result(head.as_ref());
        let location = Capture::location(access_result, head.as_ref());
        let redirect = location.as_deref().map(|location| redirect_target(&target.url, location)).transpose();
        let redirect = redirect.unwrap_or_else(|reason| {
            add_remarks(Reasons::only(reason), place, &mut tally.locations, &mut self.remarks);
            None
        });
        if let Some(redirect) = &redirect {
            choice.redirected(redirect);
        }
        append_names(record_remarks, &mut self.remarks);
        // Crawlers ignore the body of any other response. A revisit has no body of its own. A doubtful block may contain
        // rules of another site.
        let is_read = access_result == AccessResult::Successful
            && record.record_type != RecordType::Revisit
            && !record.is_doubtful()
            && !body.remarks.has(AnswerRemark::BodyMissing);
        let body_id = is_read.then(|| self.bodies.id(&body)).transpose()?;
        sums.body_bytes += body.total_bytes;
        let capture = Capture {
            id: self.next,
            record,
            place,
            warc_filename: &planned.warc_filename,
            target: &target,
            fetch_time,
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
        [self.job.progress, &self.counted].iter().for_each(|progress| Progress::add(&progress.captures, 1));
        Ok(())
    }
}

/// Counts remarks on a capture, and adds their names to `remarks`.
fn add_remarks<M: Reason + PartialEq>(reasons: Reasons<M>, place: Place, counts: &mut Counts<M>, remarks: &mut String) {
    counts.add_all(reasons, place.offset);
    append_names(reasons, remarks);
}

fn append_names<M: Reason>(reasons: Reasons<M>, remarks: &mut String) {
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
