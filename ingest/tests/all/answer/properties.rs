//! Properties of any bytes. The seed is fixed, so all runs are equal.

use super::encode::{FORMS, answer};
use committed::full::step;
use ingest::answer::body::KEPT_BYTES;
use ingest::answer::{Decoder, Field, Head};
use ingest::archive::RecordType;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

fn config(cases: u32) -> ProptestConfig {
    let cases = cases / u32::try_from(step(4)).unwrap();
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(9110), failure_persistence: None, ..ProptestConfig::default() }
}

const PIECES: [&[u8]; 44] = [
    b"HTTP/1.1 ",
    b"HTTP",
    b"200",
    b" 404 x",
    b"100",
    b"\r\n",
    b"\r\n",
    b"\r\n",
    b"\n",
    b"\r",
    b" ",
    b"\t",
    b":",
    b": ",
    b"Location",
    b"Content-Type: ",
    b"text/plain; charset=",
    b"Content-Length: ",
    b"Content-Encoding: ",
    b"Transfer-Encoding: ",
    b"Cache-Control: max-age=",
    b"Retry-After: ",
    b"chunked",
    b"gzip",
    b"deflate",
    b"br",
    b"zstd",
    b",",
    b";",
    b"\"",
    b"\\",
    b"5",
    b"0",
    b"fff",
    b"99999999999999999999",
    b"\0",
    b"\xe9",
    b"\xff",
    b"\x1f\x8b\x08\0\0\0\0\0\0\0",
    b"\x78\x9c",
    b"\x28\xb5\x2f\xfd",
    b"\x4b\x04\0",
    b"User-agent: *",
    b"Tue, 14 Aug 2018 12:02:00 GMT",
];

/// Blocks made of pieces of responses in any order, and of any bytes.
fn block() -> impl Strategy<Value = Vec<u8>> {
    let pieces = proptest::collection::vec(select(&PIECES[..]), 0..60).prop_map(|pieces| pieces.concat());
    let begun = pieces.prop_map(|rest| [b"HTTP/1.1 200 OK\r\n", &rest[..]].concat());
    prop_oneof![begun, proptest::collection::vec(any::<u8>(), 0..300)]
}

fn is_within(part: &[u8], whole: &[u8]) -> bool {
    let (part, whole) = (part.as_ptr_range(), whole.as_ptr_range());
    part.start >= whole.start && part.end <= whole.end
}

proptest! {
    #![proptest_config(config(20_000))]

    #[test]
    fn any_block_can_be_read(block in block(), fetched in any::<Option<i64>>()) {
        let mut decoder = Decoder::default();
        let (head, rest) = Head::read(&block);
        prop_assert!(block.ends_with(rest));
        prop_assert!(head.status.is_none_or(|status| status <= 999));
        for field in Field::ALL {
            prop_assert_eq!(head.first(*field), head.all(*field).next());
            let count = head.headers().filter(|(name, _)| Field::named(name) == Some(*field)).count();
            prop_assert_eq!(head.all(*field).count(), count);
        }
        for (name, value) in head.headers() {
            prop_assert!(is_within(name, &block) && is_within(value, &block));
            prop_assert_eq!(value.trim_ascii(), value);
        }
        let _ = (head.server(), head.media_type(), head.charset(), head.content_encoding());
        prop_assert!(head.cache_max_age_s().is_none_or(|seconds| seconds >= 0));
        prop_assert!(head.retry_after_s(fetched).is_none_or(|seconds| seconds >= 0));
        let body = decoder.decode(RecordType::Response, false, &head, rest);
        prop_assert!(rest.ends_with(body.archived));
        prop_assert!(body.bytes.len() as u64 <= body.total_bytes && body.bytes.len() <= KEPT_BYTES);
    }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn encoded_bodies_are_decoded(text in proptest::collection::vec(any::<u8>(), 1..2_000), times in 1_usize..40) {
        let text = text.repeat(times);
        let mut decoder = Decoder::default();
        for (name, headers, encode) in FORMS {
            let coded = encode(&text);
            let block = answer(headers, &coded);
            let body = decoder.answer(&block).body;
            prop_assert!(body.bytes == text, "{} of {} bytes", name, text.len());
            prop_assert_eq!(body.total_bytes, text.len() as u64);
            prop_assert_eq!(body.archived, &coded[..]);
        }
    }

    #[test]
    fn any_bytes_under_any_header(body in proptest::collection::vec(any::<u8>(), 0..400), magic in select(&PIECES[31..])) {
        let mut decoder = Decoder::default();
        for (_, headers, encode) in FORMS {
            for body in [&body[..], &[magic, &body[..]].concat(), &encode(&body)[..body.len() / 2]] {
                let block = answer(headers, body);
                let body = decoder.answer(&block).body;
                prop_assert!(body.bytes.len() as u64 <= body.total_bytes && body.bytes.len() <= KEPT_BYTES);
            }
        }
    }
}
