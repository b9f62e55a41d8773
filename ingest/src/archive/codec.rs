//! Compressions of members. Each member is a stream of its own.

mod gzip;
mod zstd;

pub(crate) use gzip::GZIP_SIGNATURE;
pub(super) use gzip::Gzip;
pub(super) use zstd::Zstd;

use super::found::Cause;
use super::window::{Window, WindowSource};
use std::io;

/// How many bytes of a member say what it needs: the longest head of a zstd frame, with its signature.
pub(super) const MOST_HEAD_BYTES: usize = 18;

/// A compression whose streams follow each other as members.
pub(super) trait MemberCodec {
    /// Its name in messages.
    const NAME: &'static str;

    /// The bytes that members start with.
    const SIGNATURE: &'static [u8];

    /// Whether a member may start here, by the signature and one byte after it.
    fn is_start(bytes: &[u8]) -> bool;

    /// Why the member at the start of the bytes, which have its head, cannot be inflated.
    fn cause_of_damage(_: &[u8]) -> Cause {
        Cause::MemberDamaged
    }

    /// Inflates the member at the start of `input` in one call. Returns its length in `input`; [`Self::held`] returns the
    /// content. `None` if the member is damaged or cut short, or its content is longer than `most` bytes.
    fn inflate_whole(&mut self, input: &[u8], most: usize) -> Option<usize>;

    /// The same for the member at a window. Reads on, up to a step, while the member may only be incomplete in memory.
    fn inflate_at<S: WindowSource>(&mut self, window: &mut Window<'_, S>, most: usize) -> io::Result<Option<usize>> {
        loop {
            let taken = self.inflate_whole(window.bytes(), most);
            if taken.is_some() || !window.fill_a_step()? {
                return Ok(taken);
            }
        }
    }

    /// The content of the last member that was inflated in one call.
    fn held(&self) -> &[u8];

    /// Frees memory that small members do not need.
    fn shrink(&mut self);

    /// Starts a member that is inflated in steps.
    fn start(&mut self);

    /// Inflates a part of the started member into `buffer`, which must not be empty. The window is where the last step
    /// ended, or at the start of the member.
    fn step<S: WindowSource>(&mut self, window: &mut Window<'_, S>, buffer: &mut [u8]) -> io::Result<MemberStep>;
}

/// The result of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MemberStep {
    /// This many bytes of the content.
    Bytes(usize),
    /// The end of the member; its length and checksum are right.
    End,
    /// The member is cut short, or its data, length or checksum is wrong.
    Damaged,
}
