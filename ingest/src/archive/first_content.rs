//! The first content of the members of a file, which shows its format.

use super::arc;
use super::codec::{MemberCodec, MemberStep};
use super::form::{RecordForm, fillers};
use super::members::up_to_signature;
use super::other_format::{DAMAGED_START_BYTES, FIRST_BYTES};
use super::window::{Window, WindowSource};
use std::io;

/// The first content.
pub(super) struct FirstContent {
    /// As many bytes as decide on the format.
    pub(super) bytes: Vec<u8>,
    /// The file does not start with these members, or the members before them are damaged.
    pub(super) is_after_damage: bool,
}

/// Reads the first content of members. Leaves the window where it was.
pub(super) fn first_content<S: WindowSource, C: MemberCodec>(
    window: &mut Window<'_, S>,
    codec: &mut C,
) -> io::Result<FirstContent> {
    let offset = window.offset();
    const MOST_MEMBERS: usize = 64;
    let (mut first, mut filled, mut start) = (vec![0; FIRST_BYTES], 0, offset);
    let mut left = MOST_MEMBERS;
    let mut is_after_damage = false;
    codec.start();
    while let Some(buffer) = first.get_mut(filled..).filter(|buffer| !buffer.is_empty()) {
        let has_next = match codec.step(window, buffer)? {
            MemberStep::Bytes(bytes) => {
                filled += bytes;
                continue;
            }
            // The first record may continue in the next member, or follow a zstd dictionary or empty members.
            MemberStep::End => true,
            // The first members may be damaged.
            MemberStep::Damaged if filled == 0 => {
                is_after_damage = true;
                window.back_to(start)?;
                skip_to_member::<S, C>(window, offset + DAMAGED_START_BYTES as u64)?
            }
            MemberStep::Damaged => false,
        };
        if !has_next || left == 0 {
            break;
        }
        left -= 1;
        start = window.offset();
        codec.start();
    }
    window.back_to(offset)?;
    first.truncate(filled);
    Ok(FirstContent { bytes: first, is_after_damage })
}

/// Skips to the next possible start of a member, if there is one before `end`.
fn skip_to_member<S: WindowSource, C: MemberCodec>(window: &mut Window<'_, S>, end: u64) -> io::Result<bool> {
    while window.offset() < end && !window.bytes().is_empty() {
        window.skip(up_to_signature::<C>(window.bytes(), window.is_at_end()));
        window.fill(C::SIGNATURE.len() + 1)?;
        if C::is_start(window.bytes()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The format of the records in members, by their first content. `None` if that does not start with a record.
pub(super) fn form_of(first_content: &[u8]) -> Option<RecordForm> {
    if first_content.starts_with(arc::FIRST_URL) || RecordForm::Arc.is_start(first_content) {
        Some(RecordForm::Arc)
    } else {
        RecordForm::Warc.is_start(first_content.get(fillers(first_content)..)?).then_some(RecordForm::Warc)
    }
}
