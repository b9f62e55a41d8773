//! Inflates one gzip member in one call, and compares its checksum.
//!
//! Reading cannot be faster than inflating, and libdeflate inflates fastest: zlib-rs takes 1.3 times as long, zlib twice.
//! Its safe wrapper does not return how many bytes a member took, which a walk over members needs. So its function is called
//! here, in the only file of this project with `unsafe` code.
#![expect(unsafe_code, reason = "libdeflate tells where a member ends through its C interface alone")]

use libdeflate_sys as ffi;
use std::ffi::c_void;
use std::ptr::NonNull;

/// The first size of an inflater's buffer, in bytes: crawlers cut bodies at 1 to 5 MiB.
const ROOM_BYTES: usize = 2 << 20;

/// How many times larger the buffer gets where it is too small.
const GROWTH: usize = 4;

/// An inflater with its output buffer.
#[derive(Debug)]
pub(super) struct Inflater {
    decompressor: NonNull<ffi::libdeflate_decompressor>,
    room: Vec<u8>,
    most: usize,
}

// The decompressor is memory that no one else points to, and libdeflate keeps nothing in threads.
unsafe impl Send for Inflater {}

/// Why a member cannot be inflated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InflateError {
    /// It is cut short, its data is not deflate, or its length or checksum is wrong.
    Damaged,
    /// It holds more than the inflater's limit.
    TooLarge,
}

impl Inflater {
    /// An inflater for members of up to `most` inflated bytes.
    pub(super) fn new(most: usize) -> Self {
        // SAFETY: has no precondition; null is memory that ran out.
        let decompressor = unsafe { ffi::libdeflate_alloc_decompressor() };
        let Some(decompressor) = NonNull::new(decompressor) else {
            std::alloc::handle_alloc_error(std::alloc::Layout::new::<[u8; 30 << 10]>());
        };
        Inflater { decompressor, room: Vec::new(), most }
    }

    /// Inflates the member at the start of `input`. Returns its content, and how many bytes of `input` it takes.
    pub(super) fn member(&mut self, input: &[u8]) -> Result<(&[u8], usize), InflateError> {
        self.room();
        loop {
            let (mut taken, mut held) = (0, 0);
            // SAFETY: the decompressor is alive, both buffers are as long as said, and they do not overlap, since one
            // is borrowed shared and the other is this inflater's own.
            let result = unsafe {
                ffi::libdeflate_gzip_decompress_ex(
                    self.decompressor.as_ptr(),
                    input.as_ptr().cast::<c_void>(),
                    input.len(),
                    self.room.as_mut_ptr().cast::<c_void>(),
                    self.room.len(),
                    &raw mut taken,
                    &raw mut held,
                )
            };
            return match result {
                ffi::libdeflate_result_LIBDEFLATE_SUCCESS => Ok((self.room.get(..held).unwrap_or_default(), taken)),
                ffi::libdeflate_result_LIBDEFLATE_INSUFFICIENT_SPACE if self.room.len() < self.most => {
                    let more = (self.room.len() * GROWTH).min(self.most);
                    self.room.resize(more, 0);
                    continue;
                }
                ffi::libdeflate_result_LIBDEFLATE_INSUFFICIENT_SPACE => Err(InflateError::TooLarge),
                _ => Err(InflateError::Damaged),
            };
        }
    }
}

/// The buffer, which others may use while no member is in it.
impl Inflater {
    /// The buffer as a slice, which is not empty.
    pub(super) fn room(&mut self) -> &mut [u8] {
        if self.room.is_empty() {
            self.room.resize(ROOM_BYTES.min(self.most), 0);
        }
        &mut self.room
    }

    /// Lends the buffer as a vector, which may grow.
    pub(super) fn lend_room<T>(&mut self, borrower: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        let result = borrower(&mut self.room);
        self.room.clear();
        self.shrink_room(ROOM_BYTES);
        result
    }

    /// Frees memory, down to so many bytes.
    pub(super) fn shrink_room(&mut self, bytes: usize) {
        self.room.truncate(bytes);
        self.room.shrink_to(bytes);
    }
}

impl Drop for Inflater {
    fn drop(&mut self) {
        // SAFETY: allocated by libdeflate, freed once, and not used again.
        unsafe { ffi::libdeflate_free_decompressor(self.decompressor.as_ptr()) };
    }
}

/// A member that holds a text.
#[cfg(test)]
pub(super) fn gzip(text: &[u8]) -> Vec<u8> {
    let mut member = Vec::new();
    let mut encoder = flate2::bufread::GzEncoder::new(text, flate2::Compression::default());
    let _ = std::io::Read::read_to_end(&mut encoder, &mut member);
    member
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_says_where_it_ends() {
        let (one, two) = (gzip(b"one"), gzip(b"two"));
        let both = [one.clone(), two.clone()].concat();
        let mut inflater = Inflater::new(1 << 20);
        assert_eq!(inflater.member(&both), Ok((&b"one"[..], one.len())));
        assert_eq!(inflater.member(&both[one.len()..]), Ok((&b"two"[..], two.len())));
        assert_eq!(inflater.member(&gzip(b"")), Ok((&b""[..], 20)));
    }

    #[test]
    fn damage_anywhere_is_seen() {
        let text = &b"User-agent: *\nDisallow: /\n"[..];
        let member = gzip(text);
        let mut inflater = Inflater::new(1 << 20);
        for length in 0..member.len() {
            assert_eq!(inflater.member(&member[..length]), Err(InflateError::Damaged), "cut at {length}");
        }
        // The first ten bytes are the head, of which the checksum knows nothing; the last bits of the data fill a byte.
        for bit in 80..member.len() * 8 {
            let mut damaged = member.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            let held = inflater.member(&damaged);
            assert!(held.is_err() || held == Ok((text, member.len())), "bit {bit} flipped");
        }
    }

    #[test]
    fn room_grows_up_to_its_limit() {
        let member = gzip(&vec![b'a'; 5 << 20]);
        assert_eq!(Inflater::new(16 << 20).member(&member).map(|(held, _)| held.len()), Ok(5 << 20));
        assert_eq!(Inflater::new(4 << 20).member(&member), Err(InflateError::TooLarge));
    }
}
