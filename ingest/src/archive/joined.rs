//! What members hold that stand one behind another without a gap, as one stream.
//!
//! A record may go on in the next member: `bgzip` begins one every 64 KiB, wherever a record stands. And a member may be
//! too large to be inflated at once. No byte is handed out before the checksum of its member was compared, for which such
//! a member is inflated twice.
//!
//! The stream ends before a member that begins with a record, since nothing goes on there. (That a text in a body looks
//! like one, and a member begins just there, is not to be told apart.)

use super::codec::{MemberCodec, MemberStep};
use super::form::RecordForm;
use super::found::Place;
use super::window::{Window, WindowSource};
use std::io::{self, ErrorKind, Read};

/// The largest member that is inflated at once, since what is read of the stream takes memory beside it.
const AT_ONCE_BYTES: usize = 2 << 20;

/// How much is inflated at once of a larger one, to see whether it is whole.
const STEP_BYTES: usize = 64 << 10;

/// How far to look at least for the beginning of a record.
const LOOK_BYTES: usize = 64;

/// How many members to remember. A record has to go on over more of them before its place becomes that of an earlier one.
const REMEMBERED: usize = 1 << 16;

/// Where a stream begins: within a member.
#[derive(Debug, Clone, Copy)]
pub(super) struct Start {
    /// The offset of the member in the file.
    pub(super) offset: u64,
    /// How many bytes of the member to leave out.
    pub(super) skip: u64,
    /// How many records stand in them.
    pub(super) index: u32,
}

/// Members as one stream, from a window that stands at the first of them.
pub(super) struct Joined<'w, 'b, S, C> {
    window: &'w mut Window<'b, S>,
    codec: &'w mut C,
    form: RecordForm,
    start: Start,
    /// Whether to try members at once.
    is_fast: bool,
    /// How much is read of the stream.
    at: u64,
    current: Current,
    begun: Vec<BegunMember>,
    /// Where the last of them ends in the file.
    end: u64,
    sums: MemberSums,
    /// The largest part of a member that is inflated at once.
    most: usize,
}

/// The member that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Current {
    None,
    /// It was inflated at once; so much of it is handed out.
    AtOnce(usize),
    Stepwise,
    /// None follows.
    End,
}

/// A member that was found whole.
#[derive(Debug, Clone, Copy)]
struct BegunMember {
    /// Where it begins in the stream.
    at: u64,
    /// Where it begins in the file.
    offset: u64,
    /// The sums of those before it.
    before: MemberSums,
}

/// How many members a stream has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct MemberSums {
    pub(super) members: u64,
    pub(super) empty_members: u64,
}

/// A border between members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Border {
    /// Its offset in the file.
    pub(super) offset: u64,
    /// The sums of the members before it.
    pub(super) sums: MemberSums,
}

/// A first member that is damaged, with what it cost to see that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DamagedFirst {
    pub(super) bytes: u64,
}

impl<'w, 'b, S: WindowSource, C: MemberCodec> Joined<'w, 'b, S, C> {
    /// The stream from a start, where the window stands. The window stands there again if the first member is damaged.
    /// `is_fast` tells whether to inflate members at once that are small enough.
    pub(super) fn new(
        window: &'w mut Window<'b, S>,
        codec: &'w mut C,
        form: RecordForm,
        start: Start,
        most: usize,
        is_fast: bool,
    ) -> io::Result<Result<Self, DamagedFirst>> {
        let most = most.min(AT_ONCE_BYTES);
        codec.shrink();
        let (end, sums) = (start.offset, MemberSums::default());
        let mut joined = Joined {
            window,
            codec,
            form,
            start,
            is_fast,
            at: 0,
            current: Current::None,
            begun: Vec::new(),
            end,
            sums,
            most,
        };
        let cost = joined.next_member()?;
        if joined.current == Current::End {
            return Ok(Err(DamagedFirst { bytes: cost }));
        }
        joined.leave_out()?;
        Ok(Ok(joined))
    }

    /// Begins the next member, if there is one that is whole. Returns what a damaged one cost.
    fn next_member(&mut self) -> io::Result<u64> {
        self.current = Current::End;
        self.window.fill(C::SIGNATURE.len() + 1)?;
        if !C::begins(self.window.bytes()) {
            return Ok(0);
        }
        let offset = self.window.offset();
        let mut inflated = 0;
        let mut at_once = None;
        while self.is_fast && at_once.is_none() {
            at_once = self.codec.at_once(self.window.bytes(), self.most).ok();
            if at_once.is_none() && !self.window.fill_a_step()? {
                break;
            }
        }
        let is_first = offset == self.start.offset;
        let (is_empty, begins) = match at_once {
            Some(taken) => {
                self.window.skip(taken);
                (self.codec.held().is_empty(), self.form.begins(self.codec.held()))
            }
            None => {
                let mut room = vec![0; self.most.clamp(1, STEP_BYTES)];
                let mut first = Vec::new();
                self.codec.begin();
                let is_whole = loop {
                    match self.codec.step(self.window, &mut room)? {
                        MemberStep::Bytes(bytes) => {
                            let wanted = self.form.line_bytes().max(LOOK_BYTES).saturating_sub(first.len());
                            first.extend(room.iter().take(bytes.min(wanted)));
                            inflated += bytes as u64;
                        }
                        MemberStep::End => break true,
                        MemberStep::Damaged => break false,
                    }
                };
                if !is_whole {
                    let cost = self.window.offset() - offset + inflated;
                    self.window.back_to(offset)?;
                    return Ok(cost);
                }
                (inflated == 0, self.form.begins(&first))
            }
        };
        if begins && !is_first {
            return Ok(0);
        }
        self.end = self.window.offset();
        self.current = match at_once {
            Some(_) => Current::AtOnce(0),
            None => {
                self.window.back_to(offset)?;
                self.codec.begin();
                Current::Stepwise
            }
        };
        self.begun.push(BegunMember { at: self.at, offset, before: self.sums });
        self.sums.members += 1;
        self.sums.empty_members += u64::from(is_empty);
        if self.begun.len() > REMEMBERED {
            let mut number = 0;
            self.begun.retain(|_| {
                number += 1;
                number > REMEMBERED / 2 || number % 2 == 1
            });
        }
        Ok(0)
    }

    /// Leaves out what stands before the start.
    fn leave_out(&mut self) -> io::Result<()> {
        let skip = self.start.skip;
        io::copy(&mut self.by_ref().take(skip), &mut io::sink())?;
        self.at = 0;
        Ok(())
    }

    /// Where a record stands: from the member in which it begins to that in which it ends.
    pub(super) fn place(&self, at: u64, length: u64) -> Place {
        let end = at + length.max(1) - 1;
        let after = |at: u64| self.begun.partition_point(|member| member.at <= at);
        let offset = self.begun.get(after(at).saturating_sub(1)).map_or(self.start.offset, |member| member.offset);
        let end = self.begun.get(after(end)).map_or(self.end, |member| member.offset);
        Place { offset, length: end - offset, index: 0 }
    }

    /// The border behind so many bytes of the stream, if there is one and a member follows.
    pub(super) fn border(&self, at: u64) -> Option<Border> {
        let number = self.begun.partition_point(|member| member.at < at);
        let member = self.begun.get(number).filter(|member| member.at == at && number > 0)?;
        Some(Border { offset: member.offset, sums: member.before })
    }

    /// The end of all members that were read.
    pub(super) fn end(&self) -> Border {
        Border { offset: self.end, sums: self.sums }
    }
}

impl<S: WindowSource, C: MemberCodec> Read for Joined<'_, '_, S, C> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if room.is_empty() {
            return Ok(0);
        }
        let read = loop {
            match self.current {
                Current::End => return Ok(0),
                Current::None => _ = self.next_member()?,
                Current::AtOnce(passed) => {
                    let left = self.codec.held().get(passed..).unwrap_or_default();
                    let read = left.len().min(room.len());
                    if let (Some(room), Some(left), true) = (room.get_mut(..read), left.get(..read), read > 0) {
                        room.copy_from_slice(left);
                        self.current = Current::AtOnce(passed + read);
                        break read;
                    }
                    self.current = Current::None;
                }
                Current::Stepwise => match self.codec.step(self.window, room)? {
                    MemberStep::Bytes(bytes) => break bytes,
                    MemberStep::End => self.current = Current::None,
                    // It was whole when it was read first.
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

/// Compressed bytes know no way back: members are inflated once more, from the last that begins before.
impl<S: WindowSource, C: MemberCodec> WindowSource for Joined<'_, '_, S, C> {
    fn back(&mut self, bytes: u64) -> io::Result<u64> {
        let target = self.at.saturating_sub(bytes);
        let number = self.begun.partition_point(|member| member.at <= target).saturating_sub(1);
        let Some(BegunMember { at, offset, before }) = self.begun.get(number).copied() else { return Ok(0) };
        let read = self.window.offset().saturating_sub(offset);
        self.begun.truncate(number);
        self.window.back_to(offset)?;
        (self.at, self.sums) = (at, before);
        self.next_member()?;
        if offset == self.start.offset {
            self.leave_out()?;
        }
        io::copy(&mut self.by_ref().take(target.saturating_sub(at)), &mut io::sink())?;
        Ok(read + target.saturating_sub(at))
    }

    fn passed(&self, _: u64) -> u64 {
        self.window.passed()
    }
}
