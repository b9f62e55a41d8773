//! How members are compressed: each is a stream of its own, and a file of them is read member by member.

mod gzip;
mod zstd;

pub(super) use gzip::Gzip;
pub(super) use zstd::Zstd;

use super::inflate::InflateError;
use super::window::{Window, WindowSource};
use std::io;

/// A compression whose streams stand one behind another as members.
pub(super) trait MemberCodec {
    /// What members begin with.
    const SIGNATURE: &'static [u8];

    /// Whether a member may begin here, which one byte behind the signature tells.
    fn begins(bytes: &[u8]) -> bool;

    /// Inflates the member at the start of `input`, if it holds no more than `most` bytes. Returns how many bytes of
    /// `input` it takes; what it holds is in [`Self::held`].
    fn at_once(&mut self, input: &[u8], most: usize) -> Result<usize, InflateError>;

    /// What the last member that was inflated at once holds.
    fn held(&self) -> &[u8];

    /// Frees memory, down to what small members take.
    fn shrink(&mut self);

    /// Begins a member that is inflated step by step, whatever it holds.
    fn begin(&mut self);

    /// Inflates some of the member that was begun into a room that is not empty, from a window that stands where the
    /// last step ended, or where the member begins.
    fn step<S: WindowSource>(&mut self, window: &mut Window<'_, S>, room: &mut [u8]) -> io::Result<MemberStep>;
}

/// What comes next of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MemberStep {
    /// So many bytes of what it holds.
    Bytes(usize),
    /// The end, with length and checksum as they should be.
    End,
    /// Nothing more: it is cut short, or its data, length or checksum are wrong.
    Damaged,
}
