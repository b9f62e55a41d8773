//! Seals a file: a digest of its text is the last field of its first line, so that a reader notices any change.
//!
//! A seal is not a signature. Anyone who can write the file can seal it.

use crate::durable;
use crate::failure::Failure;
use crate::regular;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::Path;
use twox_hash::XxHash3_128;

/// Why a text that has changed is not read.
const CHANGED: &str = "it is not as robocensus wrote it";
/// The text between the last field of the first line and the digest.
const FIELD: &str = ",\"seal\":\"";
/// The text after the digest.
const END: &str = "\"}";
/// The hexadecimal digits of a digest.
const LETTERS: usize = 32;

/// Seals a text: adds its digest as the last field of its first line, which must be a JSON object with at least one
/// field.
#[must_use]
pub fn seal(text: &str) -> String {
    let (first, rest) = split(text);
    let open = first.strip_suffix('}').unwrap_or(first);
    format!("{open}{FIELD}{}{END}{rest}", digest(text))
}

/// The sealed text, without its seal. Fails if it has changed.
pub fn unseal(sealed: Vec<u8>) -> Result<String, &'static str> {
    let sealed = String::from_utf8(sealed).map_err(|_| CHANGED)?;
    let (first, rest) = split(&sealed);
    let inner = first.strip_suffix(END).ok_or(CHANGED)?;
    let (open, found) = inner.len().checked_sub(LETTERS).and_then(|at| inner.split_at_checked(at)).ok_or(CHANGED)?;
    let open = open.strip_suffix(FIELD).ok_or(CHANGED)?;
    let text = format!("{open}}}{rest}");
    if digest(&text) == found { Ok(text) } else { Err(CHANGED) }
}

/// What a reader says about a sealed file that it cannot read.
#[derive(Debug, Clone, Copy)]
pub struct Unread<'u> {
    /// The failure.
    pub what: &'static str,
    /// What the user can do if the file is damaged.
    pub remedy: &'u str,
}

impl Unread<'_> {
    /// The failure for a file that is damaged or missing.
    pub(crate) fn damaged(self, path: &Path, cause: impl fmt::Display) -> Failure {
        Failure::new(self.what, path, format_args!("{cause}; {}", self.remedy))
    }
}

/// Whether a file can be read, but is not as it was written.
pub(crate) fn is_changed(path: &Path) -> bool {
    regular::read_below(path).is_ok_and(|sealed| unseal(sealed).is_err())
}

/// The sealed text in a file. `None` if there is no such file.
pub fn read_text(unread: Unread<'_>, path: &Path) -> Result<Option<String>, Failure> {
    match regular::read_below(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        // Errors of the system have other kinds: this is no regular file.
        Err(error) if error.kind() == ErrorKind::Other => Err(unread.damaged(path, error)),
        Err(error) => Err(Failure::new(unread.what, path, error)),
        Ok(sealed) => unseal(sealed).map(Some).map_err(|cause| unread.damaged(path, cause)),
    }
}

/// The record in a sealed file of one line, as [`read_text`] reads it.
pub fn read<T: DeserializeOwned>(unread: Unread<'_>, path: &Path) -> Result<Option<T>, Failure> {
    let text = read_text(unread, path)?;
    text.map(|text| serde_json::from_str(&text).map_err(Failure::at(unread.what, path))).transpose()
}

/// Writes a record as a sealed file of one line, as [`durable::write`] does.
pub fn write(draft: &Path, path: &Path, record: &impl Serialize) -> io::Result<()> {
    durable::write(draft, path, line(record)?.as_bytes())
}

/// The text of the sealed file of a record.
pub fn line(record: &impl Serialize) -> io::Result<String> {
    Ok(seal(&(serde_json::to_string(record)? + "\n")))
}

fn split(text: &str) -> (&str, &str) {
    text.split_at(text.find('\n').unwrap_or(text.len()))
}

/// The digest in the seal of a text.
#[must_use]
pub fn digest(text: &str) -> String {
    format!("{:032x}", XxHash3_128::oneshot(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [&str; 3] = ["{\"a\":1}\n", "{\"a\":\"}\"}", "{\"a\":1,\"b\":{}}\n{\"c\":2}\n{\"c\":3}\n"];

    #[test]
    fn what_was_sealed_is_read() {
        for text in TEXTS {
            assert_eq!(unseal(seal(text).into_bytes()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_found() {
        for text in TEXTS {
            let sealed = seal(text).into_bytes();
            for bit in 0..sealed.len() * 8 {
                let mut flipped = sealed.clone();
                flipped[bit / 8] ^= 1 << (bit % 8);
                assert!(unseal(flipped).is_err(), "bit {bit} of {text:?}");
            }
            for end in 0..sealed.len() {
                assert!(unseal(sealed[..end].to_vec()).is_err(), "{end} bytes of {text:?}");
            }
        }
    }
}
