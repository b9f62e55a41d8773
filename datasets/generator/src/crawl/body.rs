//! The body of a 200 response: its kind, its line ends, and its damaged bytes.

use super::page::page;
use super::random::Random;
use super::rules::rules;
use super::shape::{self, CrawlContent, CrawlLineEnds};
use super::template::template;

/// A body, and the media type that a server would name.
#[derive(Debug, Clone, Default)]
pub(super) struct CrawlBody {
    pub(super) bytes: Vec<u8>,
    pub(super) media_type: &'static str,
}

/// A body for a new host.
pub(super) fn body(random: &mut Random, content: CrawlContent, host: &str, year: u32) -> CrawlBody {
    let mut text = String::new();
    let mut media_type = "text/plain";
    match content {
        CrawlContent::Empty | CrawlContent::Again => {}
        CrawlContent::Template => template(random, &mut text),
        CrawlContent::Page => {
            media_type = "text/html";
            let wanted = random.quantile(&shape::PAGE_BYTES) as usize;
            page(random, host, wanted, &mut text);
        }
        CrawlContent::Own => {
            let wanted = random.quantile(&shape::OWN_BYTES) as usize;
            rules(random, host, wanted, year, &mut text);
        }
    }
    let mut bytes = match content {
        // Templates keep their line ends.
        CrawlContent::Page | CrawlContent::Own => ended(random, &text),
        _ => text.into_bytes(),
    };
    if content != CrawlContent::Page && random.happens(shape::NO_LAST_END) {
        let last_end = bytes.iter().rev().take_while(|byte| b"\r\n".contains(byte)).count();
        bytes.truncate(bytes.len() - last_end);
    }
    if content == CrawlContent::Own {
        spoil(random, &mut bytes);
    }
    CrawlBody { bytes, media_type }
}

/// The text with randomly chosen line ends.
fn ended(random: &mut Random, text: &str) -> Vec<u8> {
    let ends = random.weighted(&shape::LINE_ENDS).copied().unwrap_or(CrawlLineEnds::Lf);
    match ends {
        CrawlLineEnds::Lf => text.as_bytes().to_vec(),
        CrawlLineEnds::Crlf => text.replace('\n', "\r\n").into_bytes(),
        CrawlLineEnds::Cr => text.replace('\n', "\r").into_bytes(),
        // The first lines look as if pasted from another file.
        CrawlLineEnds::Mixed => text.replacen('\n', "\r\n", 1 + text.len() / 200).into_bytes(),
        CrawlLineEnds::None => text.trim_end().replace('\n', " ").into_bytes(),
    }
}

/// Damages the bytes of a few bodies.
fn spoil(random: &mut Random, bytes: &mut Vec<u8>) {
    if random.happens(shape::UTF16) {
        let units = bytes.iter().flat_map(|byte| [*byte, 0]);
        *bytes = [0xff, 0xfe].into_iter().chain(units).collect();
        return;
    }
    if random.happens(shape::NOT_UTF8) {
        bytes.extend_from_slice(b"# caf\xe9\n");
    }
    if random.happens(shape::NUL) {
        bytes.extend_from_slice(b"\0\0\n");
    }
    if random.happens(shape::BOM) {
        bytes.splice(..0, *b"\xef\xbb\xbf");
    }
}
