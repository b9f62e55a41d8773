//! Bodies, case by case: which are decoded, and with which remarks.

use super::encode::{FORMS, answer, brotli, chunks, deflate, gzip, zlib, zstd};
use ingest::answer::{AnswerRemark, Decoder, Head};
use ingest::archive::RecordType;

const TEXT: &[u8] = b"User-agent: *\nDisallow: /private\n";

#[track_caller]
fn check(headers: &str, body: &[u8], expected: &[u8], remarks: &[AnswerRemark]) {
    let block = answer(headers, body);
    let mut decoder = Decoder::default();
    let answer = decoder.answer(&block);
    let found = answer.body.bytes.escape_ascii().to_string();
    assert_eq!(found, expected.escape_ascii().to_string(), "{headers}");
    assert_eq!(answer.body.total_bytes, expected.len() as u64);
    assert_eq!(answer.remarks().iter().collect::<Vec<_>>(), remarks, "{headers}");
}

#[test]
fn every_form_is_undone() {
    for (_, headers, encode) in FORMS {
        let raw = if encode(TEXT) == deflate(TEXT) { vec![AnswerRemark::DeflateRaw] } else { vec![] };
        check(headers, &encode(TEXT), TEXT, &raw);
        let is_chunked = headers.contains("chunked");
        check(headers, b"", b"", if is_chunked { &[AnswerRemark::ChunkedAbsent] } else { &[] });
    }
    check("transfer-encoding: GZIP, Chunked", &chunks(&gzip(TEXT)), TEXT, &[]);
    check("Transfer-Encoding: chunked\r\nContent-Encoding: gzip, , br", &chunks(&brotli(&gzip(TEXT))), TEXT, &[]);
    check("Content-Encoding: br", b";", b"", &[]);
    let four = zlib(&zstd(&brotli(&gzip(TEXT))));
    check("Content-Encoding: gzip, br\r\nContent-Encoding: zstd, deflate", &four, TEXT, &[]);
    check("Content-Encoding: gzip", &gzip(b""), b"", &[]);
}

/// Bodies are stored decoded with the original headers, as in old crawls.
#[test]
fn missing_codings_are_not_undone() {
    for (name, headers, _) in FORMS {
        let absent = match name {
            "chunks" => vec![AnswerRemark::ChunkedAbsent],
            "gzip in chunks" => vec![AnswerRemark::ChunkedAbsent, AnswerRemark::CodingAbsent],
            _ => vec![AnswerRemark::CodingAbsent],
        };
        for text in [TEXT, b"#", b"404: not found\n", b"caf\xe9: x\nUser-agent: *\n", b"\xef\xbb\xbfUser-agent: *"] {
            check(headers, text, text, &absent);
        }
    }
    check("Content-Encoding: gzip, gzip", &gzip(TEXT), TEXT, &[AnswerRemark::CodingAbsent]);
    check("Content-Encoding: gzip, br", &gzip(TEXT), TEXT, &[AnswerRemark::CodingAbsent]);
    check("Content-Encoding: br, gzip", &gzip(TEXT), TEXT, &[AnswerRemark::CodingAbsent]);
    check("Transfer-Encoding: chunked\r\nContent-Encoding: gzip", &gzip(TEXT), TEXT, &[AnswerRemark::ChunkedAbsent]);
    check("Transfer-Encoding: chunked\r\nContent-Encoding: gzip", &chunks(TEXT), TEXT, &[AnswerRemark::CodingAbsent]);
    for name in ["identity", "none", "utf-8", "compress", "x"] {
        check(&format!("Content-Encoding: {name}"), TEXT, TEXT, &[AnswerRemark::CodingUnknown]);
    }
    for prefix in ["X-Crawler", "x-orig"] {
        let headers = format!("{prefix}-Content-Encoding: gzip\r\n{prefix}-Transfer-Encoding: chunked");
        check(&headers, TEXT, TEXT, &[]);
    }
    check("Content-Encoding: gzip, gzip, gzip, gzip, gzip", TEXT, TEXT, &[AnswerRemark::CodingsTooMany]);
}

/// Such text reads like the start of a stored block of br, and of a long one: it would become a part of itself.
#[test]
fn text_in_latin_1_is_not_cut() {
    for start in ["# \r\n", "!", "\t", "# ", "-", "//"] {
        let text = [start.as_bytes(), b"User-agent: *\nDisallow: /gr\xf6\xdfe\n"].concat();
        for coding in ["br", "deflate"] {
            check(&format!("Content-Encoding: {coding}"), &text, &text, &[AnswerRemark::CodingAbsent]);
        }
    }
}

/// WARC/1.1 § 6.7.2: a revisit that repeats a body may leave it out. Its head is that of the response.
#[test]
fn a_revisit_leaves_its_body_out() {
    let block = answer("Content-Length: 28", b"");
    let (head, after) = Head::read(&block);
    let remarks = |record_type, after| Decoder::default().decode(record_type, false, &head, after).remarks;
    assert!(remarks(RecordType::Revisit, after).is_empty());
    for (record_type, after) in [(RecordType::Response, after), (RecordType::Revisit, b"User-agent")] {
        assert!(remarks(record_type, after).has(AnswerRemark::LengthDiffers), "{record_type:?}");
    }
    let block = answer("Transfer-Encoding: chunked", b"");
    assert!(Decoder::default().decode(RecordType::Revisit, false, &Head::read(&block).0, b"").remarks.is_empty());
}

/// RFC 9112 § 6.3: "Any response to a HEAD request and any response with a 1xx (Informational), 204 (No Content), or 304
/// (Not Modified) status code is always terminated by the first empty line after the header fields".
#[test]
fn some_statuses_have_no_body() {
    for (status, has_body) in [(200, true), (404, true), (101, false), (204, false), (304, false)] {
        for (field, remark) in [
            ("Content-Length: 28", AnswerRemark::LengthDiffers),
            ("Transfer-Encoding: chunked", AnswerRemark::ChunkedAbsent),
        ] {
            let block = format!("HTTP/1.1 {status} X\r\n{field}\r\n\r\n");
            let (head, after) = Head::read(block.as_bytes());
            let remarks = Decoder::default().decode(RecordType::Response, false, &head, after).remarks;
            assert_eq!(remarks.has(remark), has_body, "{status} {field}");
        }
    }
}

#[test]
fn gzip_without_a_header_is_not_decoded() {
    let coded = gzip(TEXT);
    check("A: b", &coded, &coded, &[AnswerRemark::GzipUnnamed]);
    check("Content-Encoding: gzip", &gzip(&coded), &coded, &[AnswerRemark::GzipUnnamed]);
    check("Content-Encoding: br", &coded, &coded, &[AnswerRemark::CodingAbsent, AnswerRemark::GzipUnnamed]);
}

#[test]
fn bytes_after_the_end_are_skipped() {
    for (name, encode) in [("gzip", gzip as fn(&[u8]) -> Vec<u8>), ("deflate", zlib), ("zstd", zstd)] {
        let coded = [&encode(TEXT)[..], b"\r\nmore"].concat();
        check(&format!("Content-Encoding: {name}"), &coded, TEXT, &[AnswerRemark::CodingTrailed]);
    }
    // Other bytes after a coding without a magic number mean that the body does not have it.
    let raw: &[_] = &[AnswerRemark::CodingTrailed, AnswerRemark::DeflateRaw];
    for (name, coded, remarks) in [("br", brotli(TEXT), &raw[..1]), ("deflate", deflate(TEXT), raw)] {
        let headers = format!("Content-Encoding: {name}");
        check(&headers, &[&coded[..], b"\r\n \t\0"].concat(), TEXT, remarks);
        let trailed = [&coded[..], b"\r\nmore"].concat();
        check(&headers, &trailed, &trailed, &[AnswerRemark::CodingAbsent]);
    }
}

#[test]
fn checksums_are_checked() {
    for (name, encode, at) in [("gzip", gzip as fn(&[u8]) -> Vec<u8>, 8), ("deflate", zlib, 4), ("zstd", zstd, 4)] {
        let mut coded = encode(TEXT);
        let at = coded.len() - at;
        coded[at] ^= 1;
        check(&format!("Content-Encoding: {name}"), &coded, TEXT, &[AnswerRemark::CodingDamaged]);
    }
}

#[test]
fn gzip_headers_with_everything() {
    let plain = gzip(TEXT);
    let header = b"\x1f\x8b\x08\x1f\0\0\0\0\0\x03\x04\0abcdname\0comment\0\x12\x34";
    check("Content-Encoding: gzip", &[header, &plain[10..]].concat(), TEXT, &[]);
    let cut = &header[..20];
    check("Content-Encoding: gzip", cut, cut, &[AnswerRemark::CodingCutShort]);
}

#[test]
fn an_extra_line_end() {
    let with_eol = [b"\r\n", TEXT].concat();
    let length = TEXT.len();
    check(&format!("Content-Length: {length}"), &with_eol, TEXT, &[AnswerRemark::ExtraEolRemoved]);
    check("Content-Length: 0", b"\r\n", b"", &[AnswerRemark::ExtraEolRemoved]);
    // Without a length, the body may start with an empty line.
    check("A: b", &with_eol, &with_eol, &[]);
    check(&format!("X-Crawler-Content-Length: {length}"), &with_eol, &with_eol, &[]);
    check(&format!("Content-Length: {}", length + 2), &with_eol, &with_eol, &[]);
    check(&format!("Content-Length: {}", length + 1), &with_eol, &with_eol, &[AnswerRemark::LengthDiffers]);
    let lf = [b"\n", TEXT].concat();
    check(&format!("Content-Length: {length}"), &lf, &lf, &[AnswerRemark::LengthDiffers]);
    // It is removed once, before any decoding.
    let twice = [b"\r\n", &with_eol[..]].concat();
    check(&format!("Content-Length: {}", length + 2), &twice, &with_eol, &[AnswerRemark::ExtraEolRemoved]);
    let coded = gzip(TEXT);
    let headers = format!("Content-Encoding: gzip\r\nContent-Length: {}", coded.len());
    check(&headers, &[b"\r\n", &coded[..]].concat(), TEXT, &[AnswerRemark::ExtraEolRemoved]);
}

#[test]
fn bodies_that_need_no_decoding_are_not_copied() {
    let mut decoder = Decoder::default();
    for (headers, body) in
        [("A: b", TEXT), ("Content-Encoding: gzip", TEXT), ("Transfer-Encoding: chunked", b"4\r\nabcd\r\n0\r\n\r\n")]
    {
        let block = answer(headers, body);
        let answer = decoder.answer(&block);
        let range = block.as_ptr_range();
        assert!(range.contains(&answer.body.bytes.as_ptr()) && !answer.body.bytes.is_empty(), "{headers}");
    }
    assert_eq!(format!("{decoder:?}"), "Decoder { buffer_bytes: 0 }");
}

#[test]
fn a_reused_decoder_gives_the_same_result() {
    let mut decoder = Decoder::default();
    for _ in 0..2 {
        for (name, headers, encode) in FORMS {
            let coded = encode(TEXT);
            for length in [coded.len(), coded.len() / 2, coded.len()] {
                let block = answer(headers, &coded[..length]);
                let mut fresh = Decoder::default();
                let (found, expected) = (decoder.answer(&block), fresh.answer(&block));
                assert_eq!((found.body.bytes, found.remarks()), (expected.body.bytes, expected.remarks()), "{name}");
            }
        }
    }
}

/// RFC 9112 § 8: a message is incomplete if its head has no end, or if fewer octets than Content-Length arrived.
#[test]
fn a_missing_body_is_not_an_empty_file() {
    for (rest, is_truncated, is_missing) in [
        ("Content-Length: 28\r\n\r\n", false, true),
        ("Content-Length: 0\r\n\r\n", false, false),
        ("Content-Length: 28\r\n\r\nUser-agent", false, false),
        // An empty file in a coding that the recorder undid.
        ("Content-Length: 20\r\nContent-Encoding: gzip\r\n\r\n", false, false),
        ("Content-Length: 8\r\nContent-Encoding: deflate\r\n\r\n", false, false),
        ("Content-Length: 9\r\nContent-Encoding: zstd\r\n\r\n", false, false),
        ("Content-Length: 1\r\nContent-Encoding: br\r\n\r\n", false, false),
        // Nothing is coded by these.
        ("Content-Length: 26\r\nContent-Encoding: identity\r\n\r\n", false, true),
        ("Content-Length: 26\r\nContent-Encoding: utf-8\r\n\r\n", false, true),
        // No empty file is so long.
        ("Content-Length: 26\r\nContent-Encoding: deflate\r\n\r\n", false, true),
        ("Content-Length: 24\r\nContent-Encoding: br\r\n\r\n", false, true),
        ("Content-Length: 60\r\nContent-Encoding: gzip\r\n\r\n", false, true),
        ("Transfer-Encoding: chunked\r\n\r\n", false, false),
        ("Transfer-Encoding: chunked\r\n\r\n", true, true),
        ("Transfer-Encoding: chunked\r\n", false, true),
    ] {
        let block = format!("HTTP/1.1 200 OK\r\n{rest}");
        let (head, after) = Head::read(block.as_bytes());
        let remarks = |record_type| Decoder::default().decode(record_type, is_truncated, &head, after).remarks;
        assert_eq!(remarks(RecordType::Response).has(AnswerRemark::BodyMissing), is_missing, "{rest}");
        assert!(!remarks(RecordType::Revisit).has(AnswerRemark::BodyMissing), "{rest}");
    }
}
