//! Encodes bodies with other crates.

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use std::io::Write;

/// A form of a body: its name in the tests, its headers, and its encoder.
pub(crate) type EncodedForm = (&'static str, &'static str, fn(&[u8]) -> Vec<u8>);

/// All forms.
pub(crate) const FORMS: [EncodedForm; 9] = [
    ("gzip", "Content-Encoding: gzip", gzip),
    ("two members", "Content-Encoding: X-GZIP", gzip_in_two),
    ("zlib", "Content-Encoding: deflate", zlib),
    ("deflate", "Content-Encoding: deflate", deflate),
    ("br", "Content-Encoding: br", brotli),
    ("zstd", "Content-Encoding: zstd", zstd),
    ("chunks", "Transfer-Encoding: chunked", chunks),
    ("gzip in chunks", "Transfer-Encoding: chunked\r\nContent-Encoding: gzip", |body| chunks(&gzip(body))),
    ("gzip in br", "Content-Encoding: gzip\r\nContent-Encoding: br", |body| brotli(&gzip(body))),
];

/// A response with these headers and this body.
pub(crate) fn answer(headers: &str, body: &[u8]) -> Vec<u8> {
    [format!("HTTP/1.1 200 OK\r\n{headers}\r\n\r\n").as_bytes(), body].concat()
}

pub(crate) fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

fn gzip_in_two(body: &[u8]) -> Vec<u8> {
    let (front, back) = body.split_at(body.len() / 2);
    [gzip(front), gzip(back)].concat()
}

pub(crate) fn zlib(body: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn deflate(body: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn brotli(body: &[u8]) -> Vec<u8> {
    let mut coded = Vec::new();
    brotli::CompressorWriter::new(&mut coded, 4_096, 4, 20).write_all(body).unwrap();
    coded
}

pub(crate) fn zstd(body: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

/// Chunks of growing size.
pub(crate) fn chunks(body: &[u8]) -> Vec<u8> {
    let (mut coded, mut rest, mut size) = (Vec::new(), body, 1);
    while !rest.is_empty() {
        let (data, later) = rest.split_at(size.min(rest.len()));
        write!(coded, "{:x}\r\n", data.len()).unwrap();
        coded.extend_from_slice(data);
        coded.extend_from_slice(b"\r\n");
        (rest, size) = (later, size * 2);
    }
    coded.extend_from_slice(b"0\r\n\r\n");
    coded
}
