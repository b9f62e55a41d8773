//! Responses that are built to take much time or memory, and responses that were cut.

use super::encode::{FORMS, answer, brotli, chunks, deflate, gzip, zlib, zstd};
use ingest::answer::body::{KEPT_BYTES, WORK_BYTES, most_work};
use ingest::answer::{AnswerRemark, Decoder, Head};

const MIB: usize = 1 << 20;

/// The remarks on an incomplete body.
const CUT: [AnswerRemark; 8] = [
    AnswerRemark::StatusLineMissing,
    AnswerRemark::CodingCutShort,
    AnswerRemark::CodingDamaged,
    AnswerRemark::CodingAbsent,
    AnswerRemark::ChunkedCutShort,
    AnswerRemark::ChunkedDamaged,
    AnswerRemark::ChunkedAbsent,
    AnswerRemark::HeadUnended,
];

#[test]
fn every_form_cut_at_every_byte_is_a_prefix_or_left() {
    let text: Vec<u8> = (0..2_000_u32).flat_map(|n| format!("Disallow: /{}\n", n * n % 977).into_bytes()).collect();
    let (mut decoder, inner) = (Decoder::default(), gzip(&text));
    for (name, headers, encode) in FORMS {
        let block = answer(headers, &encode(&text));
        for end in 0..block.len() {
            let answer = decoder.answer(&block[..end]);
            let body = answer.body;
            // The first of two members looks like a complete body: nothing shows that another followed.
            let is_whole = body.bytes == text || body.archived.is_empty();
            let is_one_of_two = name == "two members" && body.bytes.len() == text.len() / 2;
            let says_so = answer.remarks().iter().any(|remark| CUT.contains(&remark));
            assert!(is_whole || is_one_of_two || says_so, "{name} cut at {end}");
            // If nothing could be decoded, the bytes are still encoded.
            let is_left = body.bytes == body.archived || inner.starts_with(body.bytes);
            assert!(text.starts_with(body.bytes) || is_left, "{name} cut at {end}");
        }
    }
}

#[test]
fn every_form_with_any_bit_flipped_ends() {
    let text = b"User-agent: *\nDisallow: /\n".repeat(8);
    let mut decoder = Decoder::default();
    for (_, headers, encode) in FORMS {
        let block = answer(headers, &encode(&text));
        for bit in 0..block.len() * 8 {
            let mut block = block.clone();
            block[bit / 8] ^= 1 << (bit % 8);
            let body = decoder.answer(&block).body;
            assert!(body.bytes.len() as u64 <= body.total_bytes);
        }
    }
}

#[track_caller]
fn check_bomb(headers: &str, body: &[u8], total_bytes: u64, remarks: &[AnswerRemark]) {
    let block = answer(headers, body);
    let mut decoder = Decoder::default();
    let answer = decoder.answer(&block);
    assert_eq!(answer.body.bytes.len(), KEPT_BYTES.min(usize::try_from(answer.body.total_bytes).unwrap()));
    // Decoding stops within one call after the limit on work.
    assert!((total_bytes..total_bytes + 64 * 1024).contains(&answer.body.total_bytes), "{}", answer.body.total_bytes);
    assert_eq!(answer.remarks().iter().collect::<Vec<_>>(), remarks, "{headers}");
}

#[test]
fn bombs() {
    let over_cap = vec![b'#'; KEPT_BYTES + 5];
    let over_work = vec![b'#'; WORK_BYTES as usize + MIB];
    let (cap, work) = (over_cap.len() as u64, WORK_BYTES);
    check_bomb("A: b", &over_cap, cap, &[AnswerRemark::BodyOverCap]);
    check_bomb("A: b", &over_work, over_work.len() as u64, &[AnswerRemark::BodyOverCap]);
    check_bomb("Transfer-Encoding: chunked", &chunks(&over_cap), cap, &[AnswerRemark::BodyOverCap]);
    for (name, encode) in [("gzip", gzip as fn(&[u8]) -> Vec<u8>), ("deflate", zlib), ("br", brotli), ("zstd", zstd)] {
        let headers = format!("Content-Encoding: {name}");
        if ["gzip", "deflate"].contains(&name) {
            check_bomb(&headers, &encode(&over_cap), cap, &[AnswerRemark::BodyOverCap]);
            check_bomb(&headers, &encode(&over_work), work, &[AnswerRemark::BodyOverCap, AnswerRemark::BodyOverWork]);
        } else {
            // Few bytes stop earlier. What a crawler must read is always decoded.
            let coded = encode(&over_cap);
            check_bomb(&headers, &coded, most_work(coded.len()), &[AnswerRemark::BodyOverWork]);
            check_bomb(&headers, &encode(&over_cap[..MIB]), MIB as u64, &[]);
        }
    }
    let raw = [AnswerRemark::DeflateRaw, AnswerRemark::BodyOverCap, AnswerRemark::BodyOverWork];
    check_bomb("Content-Encoding: deflate", &deflate(&over_work), work, &raw);
    // One bomb inside another: both count towards the same limit.
    let members = [&gzip(&over_work)[..], &gzip(&over_work)].concat();
    check_bomb("Content-Encoding: gzip", &members, work, &[AnswerRemark::BodyOverCap, AnswerRemark::BodyOverWork]);
    let coded = gzip(&over_work);
    let inner = coded.len() as u64;
    let twice = gzip(&coded);
    let left = most_work(twice.len()) - inner;
    check_bomb("Content-Encoding: gzip, gzip", &twice, left, &[AnswerRemark::BodyOverWork]);
}

/// Half a rule would be another rule: `Disallow: /` instead of `Disallow: /abc`.
#[test]
fn a_body_that_stops_early_has_whole_lines() {
    let text = format!("User-agent: *\n{}", "Disallow: /abc\n".repeat(400_000));
    for (name, encode) in [("br", brotli as fn(&[u8]) -> Vec<u8>), ("zstd", zstd)] {
        let block = answer(&format!("Content-Encoding: {name}"), &encode(text.as_bytes()));
        let mut decoder = Decoder::default();
        let answer = decoder.answer(&block);
        assert!(answer.remarks().has(AnswerRemark::BodyOverWork), "{name}");
        assert!(answer.body.bytes.len() > MIB && answer.body.bytes.ends_with(b"\nDisallow: /abc\n"), "{name}");
        assert_eq!(answer.body.bytes.len() as u64, answer.body.total_bytes, "{name}");
    }
}

#[test]
fn an_oversized_window_is_rejected() {
    // RFC 8878 § 3.1.1.1: a frame with a window of 2^31 bytes, and a block of one byte.
    let frame = b"\x28\xb5\x2f\xfd\x00\xa8\x0b\x00\x00\x00a";
    let block = answer("Content-Encoding: zstd", frame);
    let mut decoder = Decoder::default();
    let answer = decoder.answer(&block);
    assert_eq!(answer.body.bytes, frame);
    assert_eq!(answer.remarks().iter().collect::<Vec<_>>(), [AnswerRemark::CodingDamaged]);
}

#[test]
fn heads_and_chunks_without_end() {
    let mut decoder = Decoder::default();
    let empty_member = gzip(b"");
    for piece in [
        "a",
        "\r",
        "\n",
        "\r\n",
        ":\n",
        "a:\n",
        " \n",
        "\0",
        "a: b\n c\n",
        "HTTP/1.1 100\n\n",
        "Cache-Control: max-age\n",
    ] {
        let block = format!("HTTP/1.1 200 OK\r\n{}", piece.repeat(4 * MIB / piece.len()));
        let _ = decoder.answer(block.as_bytes());
        let (head, _) = Head::read(block.as_bytes());
        let _ = (head.cache_max_age_s(), head.server(), head.headers().count());
        let _ = decoder.answer(&block.as_bytes()["HTTP/1.1 200 OK\r\n".len()..]);
    }
    for (headers, piece) in [
        ("Transfer-Encoding: chunked", &b"1\r\na\r\n"[..]),
        ("Transfer-Encoding: chunked", b"0"),
        ("Transfer-Encoding: chunked", b"1;"),
        ("Transfer-Encoding: chunked", b"0\r\na"),
        ("Content-Encoding: gzip", &empty_member),
        ("Content-Encoding: zstd", b"\x50\x2a\x4d\x18\0\0\0\0"),
        ("Content-Encoding: br", b"\x06\x06\x0c"),
    ] {
        let block = answer(headers, &piece.repeat(4 * MIB / piece.len()));
        let _ = decoder.answer(&block);
    }
    let many = answer(&"Content-Encoding: gzip\r\n".repeat(100_000), b"x");
    assert!(decoder.answer(&many).remarks().has(AnswerRemark::CodingsTooMany));
}
