//! Encodes a body, and damages it.

use super::source::EntryCoding;
use crate::member::member;
use flate2::Compression;
use flate2::write::{DeflateEncoder, ZlibEncoder};
use std::io::{self, Write};

/// The bytes in a chunk: few, so that a body has several chunks.
const CHUNK_BYTES: usize = 32;

/// How many bytes a cut removes: a whole gzip trailer and more, or the end of the last chunks.
const CUT_BYTES: usize = 12;

/// The body with a coding applied.
pub(super) fn apply(coding: EntryCoding, body: Vec<u8>) -> io::Result<Vec<u8>> {
    Ok(match coding {
        EntryCoding::Gzip => member(&body),
        EntryCoding::Deflate => {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(6));
            encoder.write_all(&body)?;
            encoder.finish()?
        }
        EntryCoding::DeflateRaw => {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(6));
            encoder.write_all(&body)?;
            encoder.finish()?
        }
        EntryCoding::Br => {
            let mut encoder = brotli::CompressorWriter::new(Vec::new(), 4_096, 5, 22);
            encoder.write_all(&body)?;
            encoder.into_inner()
        }
        EntryCoding::Zstd => zstd::encode_all(&body[..], 3)?,
        EntryCoding::Chunked => {
            let mut chunks = Vec::new();
            for chunk in body.chunks(CHUNK_BYTES) {
                write!(chunks, "{:x}\r\n", chunk.len())?;
                chunks.extend_from_slice(chunk);
                chunks.extend_from_slice(b"\r\n");
            }
            chunks.extend_from_slice(b"0\r\n\r\n");
            chunks
        }
        EntryCoding::Cut => body.get(..body.len().saturating_sub(CUT_BYTES)).unwrap_or_default().to_vec(),
        EntryCoding::Flip => {
            let mut body = body;
            // In gzip, this is the last byte of the checksum.
            if let Some(byte) = body.iter_mut().nth_back(4) {
                *byte ^= 0xff;
            }
            body
        }
        EntryCoding::Trail => [&body[..], b"trailing bytes"].concat(),
    })
}
