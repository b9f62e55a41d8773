//! Reading requests: their heads, queries and ranges.

use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::ops::Range;
use std::thread;
use std::time::{Duration, Instant};

/// A request that the server received.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) at: Instant,
}

impl Seen {
    /// The path without its query.
    pub(super) fn object(&self) -> String {
        decoded(self.path.split('?').next().unwrap())
    }

    /// The value of a query parameter.
    pub(super) fn parameter(&self, name: &str) -> Option<String> {
        let parts = self.path.split_once('?')?.1.split('&');
        let value = parts.filter_map(|part| part.strip_prefix(name)?.strip_prefix('=')).next()?;
        Some(decoded(value))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

/// The head of the next request, without consuming it.
pub(super) fn peek(stream: &TcpStream) -> Option<Seen> {
    let mut buffer = vec![0; 64 << 10];
    loop {
        let length = stream.peek(&mut buffer).ok().filter(|length| *length > 0)?;
        let text = String::from_utf8_lossy(&buffer[..length]).into_owned();
        let Some((head, _)) = text.split_once("\r\n\r\n") else {
            thread::sleep(Duration::from_millis(1));
            continue;
        };
        let mut lines = head.lines();
        let (method, rest) = lines.next()?.split_once(' ')?;
        let (method, path) = (method.to_owned(), rest.split(' ').next()?.to_owned());
        let header = |line: &str| line.split_once(": ").map(|(name, value)| (name.to_owned(), value.to_owned()));
        return Some(Seen { method, path, headers: lines.filter_map(header).collect(), at: Instant::now() });
    }
}

/// Reads the head of a request, and nothing after it.
pub(super) fn read_head(stream: &TcpStream) -> Option<()> {
    let mut reader = BufReader::with_capacity(1, stream);
    let mut line = Vec::new();
    loop {
        line.clear();
        reader.read_until(b'\n', &mut line).ok().filter(|length| *length > 0)?;
        if line == b"\r\n" {
            return Some(());
        }
    }
}

/// RFC 9110 § 14.1.2: `bytes=0-99` or `bytes=100-`.
pub(super) fn parse_range(range: &str, length: usize) -> Range<usize> {
    let (start, end) = range.strip_prefix("bytes=").unwrap().split_once('-').unwrap();
    let end = end.parse().map_or(length, |end: usize| (end + 1).min(length));
    start.parse().unwrap()..end
}

/// Decodes the characters of paths and keys that clients encode.
pub(super) fn decoded(text: &str) -> String {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).unwrap()
}
