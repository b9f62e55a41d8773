//! Writes a record as its source describes it.
//!
//! The crate `warc` is not used, for two reasons: it keeps the fields of a head in a hash map, whose order differs in
//! each run, and it cannot write the invalid heads that half of the sample needs.

use super::coding;
use super::escape;
use super::source::{BodyPiece, BodySource, EntryEncoding, SampleEntry};
use crate::digest::{sha1_base32, uuid};

/// The place of a record. It determines its time and its id.
pub(super) struct EntryPlace<'s> {
    pub(super) archive: &'s str,
    pub(super) hour: &'s str,
    pub(super) number: usize,
}

/// The record, with the bytes after it.
pub(super) fn record(entry: &SampleEntry, place: &EntryPlace<'_>) -> Result<Vec<u8>, String> {
    let decoded = body(entry)?;
    let digest = sha1_base32(&decoded);
    let block = block(entry, decoded, &digest)?;
    let text = match &entry.head {
        Some(head) => head.clone(),
        None => head(entry),
    };
    let (minute, second) = (place.number / 60, place.number % 60);
    let text = text
        .replace("{length}", &block.len().to_string())
        .replace("{digest}", &digest)
        .replace("{date}", &format!("{}:{minute:02}:{second:02}Z", place.hour))
        .replace("{id}", &uuid(&format!("{}#{}", place.archive, place.number)))
        .replace("{target}", entry.target.as_deref().unwrap_or_default());
    let eol = entry.line_ends.warc;
    let mut record = escape::bytes(&text, eol)?;
    record.extend_from_slice(eol.bytes());
    record.extend_from_slice(&block);
    record.extend_from_slice(&escape::bytes(&entry.end, eol)?);
    Ok(record)
}

/// The WARC head that a crawler writes.
fn head(entry: &SampleEntry) -> String {
    let content_type = entry.content_type.as_deref().unwrap_or(match entry.record_type.as_str() {
        "response" | "revisit" => "application/http; msgtype=response",
        "request" => "application/http; msgtype=request",
        "warcinfo" | "metadata" => "application/warc-fields",
        _ => "text/plain",
    });
    let record_type = &entry.record_type;
    let mut head = format!(
        "WARC/1.0\nWARC-Type: {record_type}\nWARC-Date: {{date}}\nWARC-Record-ID: <urn:uuid:{{id}}>\n\
         Content-Length: {{length}}\nContent-Type: {content_type}\n"
    );
    if entry.target.is_some() {
        head.push_str("WARC-Target-URI: {target}\n");
    }
    if record_type == "response" {
        head.push_str("WARC-Payload-Digest: sha1:{digest}\n");
    }
    head.push_str(&entry.fields);
    head
}

/// The HTTP head and the body.
fn block(entry: &SampleEntry, decoded: Vec<u8>, digest: &str) -> Result<Vec<u8>, String> {
    let mut body = decoded;
    for coding in &entry.codings {
        body = coding::apply(*coding, body).map_err(|error| format!("body cannot be coded: {error}"))?;
    }
    let Some(http) = &entry.http else { return Ok(body) };
    let eol = entry.line_ends.http;
    let http = http.replace("{length}", &body.len().to_string()).replace("{digest}", digest);
    let mut block = escape::bytes(&http, eol)?;
    block.extend_from_slice(eol.bytes());
    block.append(&mut body);
    Ok(block)
}

/// The body before it is encoded or damaged.
pub(super) fn body(entry: &SampleEntry) -> Result<Vec<u8>, String> {
    let text = match &entry.body {
        BodySource::Text(text) => text.clone(),
        BodySource::Pieces(pieces) => pieces.iter().map(BodyPiece::text).collect(),
    };
    let bytes = escape::bytes(&text, entry.line_ends.body)?;
    let units = |unit: fn(u16) -> [u8; 2]| {
        let text = str::from_utf8(&bytes).map_err(|error| format!("body is not UTF-8: {error}"))?;
        Ok("\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(unit).collect())
    };
    match entry.encoding {
        EntryEncoding::Utf8 => Ok(bytes),
        EntryEncoding::Utf16Le => units(u16::to_le_bytes),
        EntryEncoding::Utf16Be => units(u16::to_be_bytes),
    }
}

impl BodyPiece {
    fn text(&self) -> String {
        match self {
            BodyPiece::Text(text) => text.clone(),
            BodyPiece::Repeated { text, times } => {
                (0..*times).map(|n| text.replace("{n}", &format!("{n:05}"))).collect()
            }
        }
    }
}
