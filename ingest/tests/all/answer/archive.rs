//! The archives below the folder that `ROBOCENSUS_CORPUS` names, read by the reader that this project did not write.
//! Another test compares whole archives with their manifests. Here, each response is compared with a simple reading of
//! the same record.

use crate::real_part::each_response;
use committed::full::is_full;
use ingest::answer::{AnswerRemark, Decoder, Field};
use std::collections::BTreeMap;

/// Bodies are stored decoded, so nothing needs decoding. Remarks are counted again in the simplest way: one crawl has
/// an extra line end, heads in the crawl of 2017 say chunked although the bodies are not, and some header lines are
/// invalid or folded. Some bodies are gzip as their servers stored them, also in the manifests.
#[test]
fn every_answer_of_the_corpus() {
    let mut decoder = Decoder::default();
    let (mut found, mut expected) = (BTreeMap::<AnswerRemark, u32>::new(), BTreeMap::<AnswerRemark, u32>::new());
    let answers = each_response(|path, record| {
        let is_xcrlf = path.to_string_lossy().contains("XCRLF");
        let answer = decoder.answer(record.block);
        let simple = Simple::read(record.block);
        assert_eq!(answer.head.status, Some(simple.status), "{}", path.display());
        assert_eq!(answer.head.first(Field::Location).as_deref(), simple.location.as_deref());
        assert_eq!(answer.head.first(Field::Server).as_deref(), simple.server.as_deref());
        let body = if is_xcrlf { simple.body.strip_prefix(b"\r\n").unwrap() } else { simple.body };
        assert_eq!(answer.body.bytes, body, "{}", path.display());
        let said_chunked = answer.head.first(Field::TransferEncoding).is_some();
        assert_eq!(answer.head.content_length(), (!said_chunked).then_some(body.len() as u64));
        for remark in answer.remarks().iter() {
            *found.entry(remark).or_default() += 1;
        }
        for (remark, is_there) in [
            (AnswerRemark::ExtraEolRemoved, is_xcrlf),
            (AnswerRemark::ChunkedAbsent, said_chunked),
            (AnswerRemark::GzipUnnamed, body.starts_with(b"\x1f\x8b\x08")),
            (AnswerRemark::HeaderFolded, simple.head.contains("\r\n ")),
            (
                AnswerRemark::HeaderWithoutColon,
                simple.head.split("\r\n").skip(1).any(|line| !line.contains(':') && !line.starts_with(' ')),
            ),
        ] {
            *expected.entry(remark).or_default() += u32::from(is_there);
        }
    });
    let Some(answers) = answers else { return };
    eprintln!("{answers} answers, {found:?}");
    assert!(answers > if is_full() { 20_000 } else { 2_000 }, "the corpus is cut short: {answers} answers");
    assert_eq!(found, expected);
}

/// A response that follows the standard, read in the simplest way.
struct Simple<'a> {
    head: String,
    status: u16,
    location: Option<Vec<u8>>,
    server: Option<Vec<u8>>,
    body: &'a [u8],
}

impl<'a> Simple<'a> {
    fn read(block: &'a [u8]) -> Simple<'a> {
        let end = block.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = String::from_utf8_lossy(&block[..end]).into_owned();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers: Vec<(String, Vec<u8>)> = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().as_bytes().to_vec()))
            .collect();
        let first = |wanted: &str| headers.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
        Simple { status, location: first("location"), server: first("server"), body: &block[end + 4..], head }
    }
}
