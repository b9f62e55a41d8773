//! Reads texts that the user names, such as statements and lists of agents.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The most bytes of such a text: far above what people write, so that an endless file does not fill the memory.
pub const MOST_TEXT_BYTES: u64 = 64 << 20;

/// The text of a file or pipe. Fails if it has more than [`MOST_TEXT_BYTES`].
pub fn read_file(path: &Path) -> io::Result<String> {
    read(File::open(path)?)
}

/// The text that a reader returns. Fails if it has more than [`MOST_TEXT_BYTES`].
pub fn read(source: impl Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    source.take(MOST_TEXT_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_TEXT_BYTES {
        return Err(io::Error::other(format!("it is longer than {MOST_TEXT_BYTES} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8"))?;
    // Some editors start a file with a byte order mark.
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_up_to_the_limit() {
        assert_eq!(read(&b"text"[..]).unwrap(), "text");
        assert_eq!(read("\u{feff}text".as_bytes()).unwrap(), "text");
        assert_eq!(read(&b"\xff"[..]).unwrap_err().to_string(), "it is not UTF-8");
        let error = read(io::repeat(b' ')).unwrap_err().to_string();
        assert_eq!(error, "it is longer than 67108864 bytes");
    }
}
