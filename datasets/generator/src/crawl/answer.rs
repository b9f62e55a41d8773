//! A response: its status, its headers as Common Crawl's crawler stores them, and its body.

use super::body::CrawlBody;
use super::moment::Moment;
use super::page::write_status_page;
use super::random::Random;
use super::shape;
use std::fmt::Write;

/// Server software, most frequent first.
const SERVERS: [&str; 12] = [
    "nginx",
    "Apache",
    "cloudflare",
    "LiteSpeed",
    "Apache/2.4.41 (Ubuntu)",
    "Microsoft-IIS/10.0",
    "openresty",
    "nginx/1.18.0",
    "Apache/2",
    "AmazonS3",
    "Pepyaka",
    "Caddy",
];

/// A response.
#[derive(Debug, Clone)]
pub(super) struct CrawlAnswer {
    pub(super) status: u16,
    pub(super) location: Option<String>,
    pub(super) body: CrawlBody,
}

impl CrawlAnswer {
    /// A redirect.
    pub(super) fn redirect(random: &mut Random, location: String) -> Self {
        let status = random.weighted(&shape::REDIRECTS).copied().unwrap_or(301);
        let mut body = CrawlBody::default();
        if random.happens(6_800) {
            body = page_of(random, status);
        }
        CrawlAnswer { status, location: Some(location), body }
    }

    /// An error.
    pub(super) fn error(random: &mut Random) -> Self {
        let status = random.weighted(&shape::ERRORS).copied().unwrap_or(404);
        CrawlAnswer { status, location: None, body: page_of(random, status) }
    }

    /// The block of its record, the offset of the body in it, and whether the body was cut.
    pub(super) fn block(&self, random: &mut Random, moment: Moment) -> (Vec<u8>, usize, bool) {
        let CrawlBody { bytes, media_type } = &self.body;
        let body = bytes.get(..shape::MOST_BYTES).unwrap_or(bytes);
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        let mut header = |name: &str, value: &dyn std::fmt::Display| {
            // Writing to a `String` cannot fail.
            let _ = write!(head, "{name}: {value}\r\n");
        };
        header("Date", &moment.http());
        if !media_type.is_empty() {
            let charset = random.one_of(&["", "", "; charset=utf-8", "; charset=UTF-8", ";charset=utf-8"]);
            header("Content-Type", &format_args!("{media_type}{charset}"));
        }
        header("Connection", &random.one_of(&["keep-alive", "keep-alive", "close"]));
        header("Server", &random.zipf(&SERVERS).copied().unwrap_or_default());
        if random.happens(4_000) {
            header("X-Crawler-Content-Encoding", &random.one_of(&["gzip", "gzip", "br"]));
            header("Vary", &"Accept-Encoding");
        }
        if random.happens(4_500) {
            header("X-Crawler-Transfer-Encoding", &"chunked");
        }
        if random.happens(2_500) {
            header(
                "Cache-Control",
                &random.one_of(&["max-age=0", "public, max-age=3600", "max-age=86400", "no-cache"]),
            );
        }
        if random.happens(2_500) {
            header("ETag", &format_args!("\"{:x}\"", random.next() >> 16));
            header("Accept-Ranges", &"bytes");
        }
        if random.happens(2_000) {
            header("Strict-Transport-Security", &"max-age=31536000; includeSubDomains");
        }
        if random.happens(1_500) {
            header("Set-Cookie", &format_args!("session={:016x}; path=/; HttpOnly", random.next()));
        }
        if let Some(location) = &self.location {
            header("Location", location);
        }
        if matches!(self.status, 429 | 503) && random.happens(3_000) {
            header("Retry-After", &random.one_of(&["60", "120", "3600", "86400"]));
        }
        header("Content-Length", &body.len());
        head.push_str("\r\n");
        let start = head.len();
        let mut block = head.into_bytes();
        block.extend_from_slice(body);
        (block, start, body.len() < bytes.len())
    }
}

fn page_of(random: &mut Random, status: u16) -> CrawlBody {
    let mut text = String::new();
    let server = random.zipf(&SERVERS).copied().unwrap_or_default();
    write_status_page(random, status, reason(status), server, &mut text);
    CrawlBody { bytes: text.into_bytes(), media_type: "text/html" }
}

/// Reason phrases of statuses: those of RFC 9110 § 15, and what servers send with other numbers.
fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        202 => "Accepted",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        406 => "Not Acceptable",
        409 => "Conflict",
        410 => "Gone",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "",
    }
}
