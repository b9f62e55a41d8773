//! Inflates one gzip member in one call, and compares its checksum.
//!
//! Reading cannot be faster than inflating, and libdeflate inflates fastest: zlib-rs takes 1.3 times as long, zlib
//! twice. Its safe wrapper does not return the compressed length of a member, which a walk over members needs. So this
//! file, the only one of this project with `unsafe` code, calls the C function.
#![expect(unsafe_code, reason = "only libdeflate's C interface returns where a member ends")]

use libdeflate_sys as ffi;
use std::ffi::c_void;
use std::ptr::NonNull;

/// The first size of an inflater's buffer, in bytes: crawlers cut bodies at 1 to 5 MiB.
pub(super) const BUFFER_BYTES: usize = 2 << 20;

/// The factor by which a buffer that is too small grows.
pub(super) const GROWTH: usize = 4;

/// An inflater with its output buffer.
#[derive(Debug)]
pub(super) struct Inflater {
    decompressor: NonNull<ffi::libdeflate_decompressor>,
    buffer: Vec<u8>,
}

// SAFETY: nothing else points to the decompressor, and libdeflate has no thread-local state.
unsafe impl Send for Inflater {}

impl Default for Inflater {
    fn default() -> Self {
        // SAFETY: the function has no precondition. It returns null when out of memory.
        let decompressor = unsafe { ffi::libdeflate_alloc_decompressor() };
        let Some(decompressor) = NonNull::new(decompressor) else {
            std::alloc::handle_alloc_error(std::alloc::Layout::new::<[u8; 30 << 10]>());
        };
        Inflater { decompressor, buffer: Vec::new() }
    }
}

impl Inflater {
    /// Inflates the member at the start of `input`. Returns its length in `input` and the length of its content, which is
    /// at the start of [`Self::buffer`]. `None` if the member is cut short, its data is not deflate, its length or
    /// checksum is wrong, or its content is longer than `most` bytes.
    pub(super) fn member(&mut self, input: &[u8], most: usize) -> Option<(usize, usize)> {
        if self.buffer.is_empty() {
            self.buffer = vec![0; BUFFER_BYTES];
        }
        loop {
            let (mut taken, mut held) = (0, 0);
            // SAFETY: the decompressor is alive, and both buffers have the given lengths. They do not overlap: one is a
            // shared borrow, the other belongs to this inflater.
            let result = unsafe {
                ffi::libdeflate_gzip_decompress_ex(
                    self.decompressor.as_ptr(),
                    input.as_ptr().cast::<c_void>(),
                    input.len(),
                    self.buffer.as_mut_ptr().cast::<c_void>(),
                    self.buffer.len().min(most),
                    &raw mut taken,
                    &raw mut held,
                )
            };
            return match result {
                ffi::libdeflate_result_LIBDEFLATE_SUCCESS => Some((taken, held)),
                ffi::libdeflate_result_LIBDEFLATE_INSUFFICIENT_SPACE if self.buffer.len() < most => {
                    let more = (self.buffer.len() * GROWTH).min(most);
                    // The member is inflated again from its start.
                    self.buffer = vec![0; more];
                    continue;
                }
                _ => None,
            };
        }
    }

    /// The buffer, which starts with the content of the last member.
    pub(super) fn buffer(&self) -> &[u8] {
        &self.buffer
    }

    /// Shrinks the buffer to its first size.
    pub(super) fn shrink_buffer(&mut self) {
        self.buffer.truncate(BUFFER_BYTES);
        self.buffer.shrink_to(BUFFER_BYTES);
    }
}

impl Drop for Inflater {
    fn drop(&mut self) {
        // SAFETY: allocated by libdeflate, freed once, and not used again.
        unsafe { ffi::libdeflate_free_decompressor(self.decompressor.as_ptr()) };
    }
}

/// A member that contains a text.
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

    const MOST: usize = 16 << 20;

    fn inflate<'i>(inflater: &'i mut Inflater, input: &[u8], most: usize) -> Option<(&'i [u8], usize)> {
        let (taken, held) = inflater.member(input, most)?;
        Some((&inflater.buffer()[..held], taken))
    }

    #[test]
    fn a_member_says_where_it_ends() {
        let (one, two) = (gzip(b"one"), gzip(b"two"));
        let both = [one.clone(), two.clone()].concat();
        let mut inflater = Inflater::default();
        assert_eq!(inflate(&mut inflater, &both, MOST), Some((&b"one"[..], one.len())));
        assert_eq!(inflate(&mut inflater, &both[one.len()..], MOST), Some((&b"two"[..], two.len())));
        assert_eq!(inflate(&mut inflater, &gzip(b""), MOST), Some((&b""[..], 20)));
    }

    #[test]
    fn damage_anywhere_is_seen() {
        let text = &b"User-agent: *\nDisallow: /\n"[..];
        let member = gzip(text);
        let mut inflater = Inflater::default();
        for length in 0..member.len() {
            assert_eq!(inflate(&mut inflater, &member[..length], MOST), None, "cut at {length}");
        }
        // The checksum does not cover the ten bytes of the header, and the last bits of the data are padding.
        for bit in 80..member.len() * 8 {
            let mut damaged = member.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            let held = inflate(&mut inflater, &damaged, MOST);
            assert!(held.is_none() || held == Some((text, member.len())), "bit {bit} flipped");
        }
    }

    #[test]
    fn the_buffer_grows_up_to_its_limit() {
        let member = gzip(&vec![b'a'; 5 << 20]);
        for (most, expected) in [(16 << 20, Some(5 << 20)), (4 << 20, None), (9, None)] {
            assert_eq!(inflate(&mut Inflater::default(), &member, most).map(|(held, _)| held.len()), expected);
        }
    }
}
