//! The fast path. Nearly every target of a crawl is `http(s)://host/robots.txt` in lower-case ASCII, so all parts are
//! slices of it. This module splits a target as the crate `url` does, or returns `None`.

/// The parts of a plain target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Plain<'a> {
    pub(super) url: &'a str,
    pub(super) protocol: &'static str,
    pub(super) host: &'a str,
    pub(super) port: Option<u16>,
    pub(super) path: &'a str,
    pub(super) query: Option<&'a str>,
}

impl Plain<'_> {
    /// Whether the crate `url` would write the target unchanged. It omits default ports.
    pub(super) fn is_canonical(&self) -> bool {
        match self.port {
            None => true,
            // The crate `url` removes leading zeros.
            Some(port) => port != hosts::default_port(self.protocol) && !self.url.contains(":0"),
        }
    }
}

pub(super) fn split(target: &[u8]) -> Option<Plain<'_>> {
    let url = std::str::from_utf8(target).ok()?;
    let (protocol, authority) = match url.strip_prefix("https://") {
        Some(authority) => ("https", authority),
        None => ("http", url.strip_prefix("http://")?),
    };
    let (host, after_host) = authority.split_at_checked(host_length(authority.as_bytes())?)?;
    let (port, after_port) = match after_host.strip_prefix(':') {
        Some(rest) => {
            let (digits, after_port) = rest.split_at_checked(rest.bytes().take_while(u8::is_ascii_digit).count())?;
            (Some(digits.parse().ok()?), after_port)
        }
        None => (None, after_host),
    };
    let (path, after_path) = after_port.split_at_checked(path_length(after_port.as_bytes())?)?;
    let query = match after_path {
        "" => None,
        query => Some(query.strip_prefix('?').filter(|query| query.bytes().all(|byte| is(byte, QUERY)))?),
    };
    Some(Plain { url, protocol, host, port, path, query })
}

/// The length of a plain host: letters, digits, hyphens, underscores and single dots. Its last label starts with a
/// letter, so it is not an address (`1.2.3.4`, `0x7f.1`). A host with two hyphens in a row is not plain, since it may
/// be IDN.
fn host_length(authority: &[u8]) -> Option<usize> {
    let mut before = b'.';
    let mut last_label = b'.';
    for (at, &byte) in authority.iter().enumerate() {
        if !is(byte, HOST) {
            let is_host = before != b'.' && last_label.is_ascii_lowercase();
            return is_host.then_some(at);
        }
        match (before, byte) {
            (b'.', b'.') | (b'-', b'-') => return None,
            (b'.', first) => last_label = first,
            _ => {}
        }
        before = byte;
    }
    // Without a path, the path is `/`, which is not a slice of the target.
    None
}

/// The length of a plain path. No segment starts with a dot, since the URL Standard removes `.` and `..`.
fn path_length(after_authority: &[u8]) -> Option<usize> {
    if after_authority.first() != Some(&b'/') {
        return None;
    }
    let mut before = b'/';
    for (at, &byte) in after_authority.iter().enumerate() {
        if !is(byte, PATH) {
            return Some(at);
        }
        if before == b'/' && byte == b'.' {
            return None;
        }
        before = byte;
    }
    Some(after_authority.len())
}

const HOST: u8 = 1;
const PATH: u8 = 2;
const QUERY: u8 = 4;

/// RFC 3986 § 2.2 and § 2.3, without characters that the URL Standard treats differently: the percent sign in a path
/// (`%2e` is a dot there) and the apostrophe in a query (which it encodes).
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        #[expect(clippy::cast_possible_truncation, clippy::indexing_slicing, reason = "below 128")]
        {
            classes[byte] = match byte as u8 {
                b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' => HOST | PATH | QUERY,
                b'A'..=b'Z' | b'~' | b'!' | b'$' | b'&' | b'(' | b')' | b'*' => PATH | QUERY,
                b'+' | b',' | b';' | b'=' | b':' | b'@' | b'/' => PATH | QUERY,
                b'%' | b'?' => QUERY,
                _ => 0,
            };
        }
        byte += 1;
    }
    classes
};

fn is(byte: u8, class: u8) -> bool {
    CLASSES.get(usize::from(byte)).is_some_and(|classes| classes & class != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_targets() {
        let check = |target: &str, host: &str, port: Option<u16>, path: &str, query: Option<&str>| {
            let plain = split(target.as_bytes()).unwrap_or_else(|| panic!("{target} is plain"));
            assert_eq!((plain.host, plain.port, plain.path, plain.query), (host, port, path, query), "{target}");
            assert!(target.starts_with(&format!("{}://", plain.protocol)));
        };
        check("http://example.com/robots.txt", "example.com", None, "/robots.txt", None);
        check("https://a_b.example-1.com:8443/", "a_b.example-1.com", Some(8443), "/", None);
        check("http://localhost:80/a//b/c.d?e=%20/?f", "localhost", Some(80), "/a//b/c.d", Some("e=%20/?f"));
        check("http://1.2.3.com/?", "1.2.3.com", None, "/", Some(""));
    }

    #[test]
    fn other_targets() {
        for target in [
            "",
            "http",
            "http:",
            "http://",
            "https:///robots.txt",
            "HTTP://a/",
            "ftp://a/",
            "http://a",
            "http://a?b",
            "http://A/",
            "http://a./",
            "http://.a/",
            "http://a..b/",
            "http://xn--a/",
            "http://1.2.3.4/",
            "http://a.0x7/",
            "http://[::1]/",
            "http://u@a/",
            "http://a:/",
            "http://a:99999/",
            "http://a:+1/",
            "http://a:8x/",
            "http://a/./b",
            "http://a/..",
            "http://a/.well-known/",
            "http://a/%2e/",
            "http://a/b c",
            "http://a/b\\c",
            "http://a/#b",
            "http://a/?b#c",
            "http://a/?'",
            "http://a/é",
            "http://é/",
            " http://a/",
            "http://a/\n",
            "<http://a/>",
        ] {
            assert_eq!(split(target.as_bytes()), None, "{target}");
        }
    }
}
