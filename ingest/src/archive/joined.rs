//! The content of adjacent members, as one stream.
//!
//! A record may continue in the next member: `bgzip` starts a member every 64 KiB, wherever a record is. And a member
//! may be too large to be inflated in one call. No byte is passed on before the checksum of its member was compared, so
//! such a member is inflated twice.
//!
//! The stream ends before a member that starts with a record. But a body may contain the start of a record exactly there,
//! even a forged one. If the record before claims a later end, the stream is read up to there: if the record may end
//! there, the claim is right, and the stream goes on.

use super::codec::{MemberCodec, MemberStep};
use super::form::RecordForm;
use super::found::Place;
use super::retry_budget::RetryBudget;
use super::window::{Window, WindowSource};
use std::io::{self, ErrorKind, Read};

/// The largest member that is inflated in one call, in bytes inflated. The buffer of the stream takes memory too.
const FAST_BYTES: usize = 2 << 20;

/// How many bytes of a larger member are inflated in one step, to check that it is whole.
const STEP_BYTES: usize = 64 << 10;

/// The fewest bytes in which to look for the start of a record.
const LOOK_BYTES: usize = 64;

/// How many members to remember. Beyond that, every other one of the older half is forgotten. A record that spans more
/// members may then get the place of an earlier one.
const REMEMBERED: usize = 1 << 16;

/// Where a stream starts: within a member.
#[derive(Debug, Clone, Copy)]
pub(super) struct Start {
    /// The offset of the member in the file.
    pub(super) offset: u64,
    /// How many bytes of the member's content to skip.
    pub(super) skip: u64,
    /// How many records those bytes contain.
    pub(super) index: u32,
}

/// Members as one stream, from a window at the first of them.
pub(super) struct Joined<'w, 'b, S, C> {
    window: &'w mut Window<'b, S>,
    codec: &'w mut C,
    form: RecordForm,
    start: Start,
    /// Whether to try the fast inflater.
    is_fast: bool,
    /// How many bytes of the stream were read.
    at: u64,
    /// Members that start before this offset in the stream continue a record, whatever they start with.
    within: u64,
    current: CurrentMember,
    started: Vec<StartedMember>,
    /// Where the last started member ends in the file.
    end: u64,
    /// How many members were started.
    members: u64,
    /// The most bytes to inflate in one call or step.
    most: usize,
}

/// The current member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CurrentMember {
    /// None yet, or the last one was read to its end.
    None,
    /// A member that was inflated in one call, and how many bytes of its content were read.
    Whole(usize),
    /// A member that is inflated in steps.
    Stepwise,
    /// The next member starts with a record.
    EndBeforeRecord,
    /// No member follows that continues the stream.
    End,
}

/// A whole member that is being read.
#[derive(Debug, Clone, Copy)]
struct StartedMember {
    /// Where it starts in the stream.
    at: u64,
    /// Where it starts in the file.
    offset: u64,
    /// How many members are before it.
    before: u64,
}

/// A border between members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Border {
    /// Its offset in the file.
    pub(super) offset: u64,
    /// How many members of the stream are before it.
    pub(super) members: u64,
}

/// A member is damaged; finding that took reading and inflating this many bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DamagedMember {
    pub(super) bytes: u64,
}

impl<'w, 'b, S: WindowSource, C: MemberCodec> Joined<'w, 'b, S, C> {
    /// The stream from a start, with the window at its member. The window is there again if the first member is
    /// damaged. `is_fast` says whether to try the fast inflater on members that are small enough.
    pub(super) fn new(
        window: &'w mut Window<'b, S>,
        codec: &'w mut C,
        form: RecordForm,
        start: Start,
        most: usize,
        is_fast: bool,
    ) -> io::Result<Result<Self, DamagedMember>> {
        let most = most.min(FAST_BYTES);
        codec.shrink();
        let mut joined = Joined {
            window,
            codec,
            form,
            start,
            is_fast,
            at: 0,
            within: 0,
            current: CurrentMember::None,
            started: Vec::new(),
            end: start.offset,
            members: 0,
            most,
        };
        let cost = joined.next_member()?;
        if joined.current == CurrentMember::End {
            return Ok(Err(DamagedMember { bytes: cost }));
        }
        joined.skip_to_start()?;
        Ok(Ok(joined))
    }

    /// Starts the next member if it is whole. Returns how many bytes were read and inflated in vain if it is damaged.
    fn next_member(&mut self) -> io::Result<u64> {
        self.current = CurrentMember::End;
        self.window.fill(C::SIGNATURE.len() + 1)?;
        if !C::is_start(self.window.bytes()) {
            return Ok(0);
        }
        let offset = self.window.offset();
        let fast = if self.is_fast { self.codec.inflate_at(self.window, self.most)? } else { None };
        let is_first = offset == self.start.offset;
        let begins = match fast {
            Some(taken) => {
                self.window.skip(taken);
                self.form.is_whole_start(self.codec.held())
            }
            None => match self.pass_member()? {
                Ok(first) => self.form.is_whole_start(&first),
                Err(DamagedMember { bytes }) => {
                    self.window.back_to(offset)?;
                    return Ok(bytes);
                }
            },
        };
        if begins && !is_first && self.at >= self.within {
            (self.current, self.end) = (CurrentMember::EndBeforeRecord, offset);
            return Ok(0);
        }
        self.end = self.window.offset();
        self.current = match fast {
            Some(_) => CurrentMember::Whole(0),
            None => {
                self.window.back_to(offset)?;
                self.codec.start();
                CurrentMember::Stepwise
            }
        };
        self.started.push(StartedMember { at: self.at, offset, before: self.members });
        self.members += 1;
        if self.started.len() > REMEMBERED {
            let mut number = 0;
            self.started.retain(|_| {
                number += 1;
                number > REMEMBERED / 2 || number % 2 == 1
            });
        }
        Ok(0)
    }

    /// Inflates a member in steps, to check that it is whole. Returns the start of its content, or how many bytes were
    /// read and inflated in vain.
    fn pass_member(&mut self) -> io::Result<Result<Vec<u8>, DamagedMember>> {
        let (offset, mut inflated) = (self.window.offset(), 0);
        let mut buffer = vec![0; self.most.clamp(1, STEP_BYTES)];
        let mut first = Vec::new();
        self.codec.start();
        loop {
            match self.codec.step(self.window, &mut buffer)? {
                MemberStep::Bytes(bytes) => {
                    let wanted = self.form.line_bytes().max(LOOK_BYTES).saturating_sub(first.len());
                    first.extend(buffer.iter().take(bytes.min(wanted)));
                    inflated += bytes as u64;
                }
                MemberStep::End => return Ok(Ok(first)),
                MemberStep::Damaged => {
                    return Ok(Err(DamagedMember { bytes: self.window.offset() - offset + inflated }));
                }
            }
        }
    }

    /// Skips the content before the start.
    fn skip_to_start(&mut self) -> io::Result<()> {
        let skip = self.start.skip;
        io::copy(&mut self.by_ref().take(skip), &mut io::sink())?;
        self.at = 0;
        Ok(())
    }

    /// The place of a record: from the member in which it starts to that in which it ends.
    pub(super) fn place(&self, at: u64, length: u64) -> Place {
        let end = at + length.max(1) - 1;
        let after = |at: u64| self.started.partition_point(|member| member.at <= at);
        let offset = self.started.get(after(at).saturating_sub(1)).map_or(self.start.offset, |member| member.offset);
        let end = self.started.get(after(end)).map_or(self.end, |member| member.offset);
        Place { offset, length: end - offset, index: 0 }
    }

    /// The border between members at `at` bytes of the stream, if there is one.
    pub(super) fn border(&self, at: u64) -> Option<Border> {
        let number = self.started.partition_point(|member| member.at < at);
        let member = self.started.get(number).filter(|member| member.at == at && number > 0)?;
        Some(Border { offset: member.offset, members: member.before })
    }

    /// The end of all members that were read.
    pub(super) fn end(&self) -> Border {
        Border { offset: self.end, members: self.members }
    }
}

impl<S: WindowSource, C: MemberCodec> Read for Joined<'_, '_, S, C> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let read = loop {
            match self.current {
                CurrentMember::EndBeforeRecord | CurrentMember::End => return Ok(0),
                CurrentMember::None => _ = self.next_member()?,
                CurrentMember::Whole(passed) => {
                    let left = self.codec.held().get(passed..).unwrap_or_default();
                    let read = left.len().min(buffer.len());
                    if let (Some(buffer), Some(left), true) = (buffer.get_mut(..read), left.get(..read), read > 0) {
                        buffer.copy_from_slice(left);
                        self.current = CurrentMember::Whole(passed + read);
                        break read;
                    }
                    self.current = CurrentMember::None;
                }
                CurrentMember::Stepwise => match self.codec.step(self.window, buffer)? {
                    MemberStep::Bytes(bytes) => break bytes,
                    MemberStep::End => self.current = CurrentMember::None,
                    // The first pass found it whole.
                    MemberStep::Damaged => {
                        return Err(io::Error::new(ErrorKind::InvalidData, "it changes while it is read"));
                    }
                },
            }
        };
        self.at += read as u64;
        Ok(read)
    }
}

/// Inflating cannot go back, so members are inflated again, from the last that starts before the target.
impl<S: WindowSource, C: MemberCodec> WindowSource for Joined<'_, '_, S, C> {
    fn back(&mut self, bytes: u64) -> io::Result<u64> {
        let target = self.at.saturating_sub(bytes);
        let number = self.started.partition_point(|member| member.at <= target).saturating_sub(1);
        let Some(StartedMember { at, offset, before }) = self.started.get(number).copied() else { return Ok(0) };
        let read = self.window.offset().saturating_sub(offset);
        self.started.truncate(number);
        self.window.back_to(offset)?;
        (self.at, self.members) = (at, before);
        self.next_member()?;
        if offset == self.start.offset {
            self.skip_to_start()?;
        }
        io::copy(&mut self.by_ref().take(target.saturating_sub(at)), &mut io::sink())?;
        Ok(read + target.saturating_sub(at))
    }

    fn passed(&self, _: u64) -> u64 {
        self.window.passed()
    }

    fn go_on(&mut self, claimed: impl FnOnce() -> Option<u64>, budget: &mut RetryBudget) -> io::Result<bool> {
        if self.current != CurrentMember::EndBeforeRecord || !budget.is_half_left(self.window.offset()) {
            return Ok(false);
        }
        let Some(end) = claimed() else { return Ok(false) };
        let start = self.at;
        self.window.back_to(self.end)?;
        self.current = CurrentMember::None;
        self.within = u64::MAX;
        let passed = io::copy(&mut self.by_ref().take(end - start), &mut io::sink())?;
        let mut after = Vec::new();
        let wanted = LOOK_BYTES.max(self.form.line_bytes());
        self.by_ref().take(wanted as u64).read_to_end(&mut after)?;
        let is_right = passed == end - start && self.form.is_border(&after);
        self.within = if is_right { end } else { 0 };
        budget.spend(passed + self.back(self.at - start)?);
        Ok(is_right)
    }
}
