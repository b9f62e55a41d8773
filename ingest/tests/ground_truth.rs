//! Real archives, from the folder that `ROBOCENSUS_CORPUS` names, beside what an independent writer says is in them:
//! each row of a crawl's `manifest.parquet` is a response that is found, and each response that is found is a row.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test")]

#[path = "ground_truth/manifest.rs"]
mod manifest;

use ingest::answer::Decoder;
use ingest::archive::{Found, Record, RecordType, Workshop, milliseconds, read};
use ingest::rows::Sha1Base32;
use ingest::site::Parts;
use manifest::Truth;
use std::collections::BTreeMap;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

#[test]
fn every_response_is_found_and_no_other() {
    let Some(corpus) = std::env::var_os("ROBOCENSUS_CORPUS") else {
        eprintln!("skipped: ROBOCENSUS_CORPUS is not set");
        return;
    };
    let crawls = manifest::crawls(Path::new(&corpus));
    assert!(crawls.len() >= 5, "the corpus is cut short: {} crawls", crawls.len());
    let mut workshop = Workshop::default();
    let mut decoder = Decoder::default();
    let mut responses = 0;
    for crawl in crawls {
        for (file, mut expected) in manifest::by_file(&crawl) {
            let source = File::open(crawl.parent().unwrap().parent().unwrap().join(&file)).unwrap();
            let length = source.metadata().unwrap().len();
            let account = read(source, &mut workshop, |found| {
                let (record, place) = match found {
                    Found::Record(record, place) => (record, place),
                    Found::Damage(damage) => unreachable!("{file}: {damage:?}"),
                };
                assert_eq!(place.index, 0, "{file} at {}", place.offset);
                if record.record_type == RecordType::Response {
                    let truth = expected.remove(&place.offset);
                    assert_eq!(
                        Some(found_truth(&record, place.length, &mut decoder)),
                        truth,
                        "{file} at {}",
                        place.offset
                    );
                    responses += 1;
                }
                ControlFlow::Continue(())
            })
            .unwrap();
            assert_eq!(expected, BTreeMap::new(), "{file}: not found");
            assert_eq!((account.good_bytes, account.damaged_bytes, account.stray_bytes), (length, 0, 0), "{file}");
        }
    }
    eprintln!("{responses} responses");
    assert!(responses > 30_000, "the corpus is cut short: {responses} responses");
}

fn found_truth(record: &Record<'_>, length: u64, decoder: &mut Decoder) -> Truth {
    let text = |bytes: Option<&[u8]>| String::from_utf8(bytes.unwrap_or_default().to_vec()).unwrap();
    assert!(record.oddities.is_empty(), "{record:?}");
    let answer = decoder.answer(record.block);
    let target = Parts::of(record.target_uri.unwrap_or_default());
    Truth {
        length,
        url: text(record.target_uri),
        host: target.host_name.clone().unwrap_or_default().into_owned(),
        fetch_time: milliseconds(record.date.unwrap_or_default()),
        status: answer.head.status.map(i64::from),
        location: answer.head.location().unwrap_or_default().into_owned(),
        payload_bytes: answer.body.bytes.len() as u64,
        payload_digest: Sha1Base32::of(answer.body.bytes).as_str().to_owned(),
        identified_type: text(record.identified_payload_type),
        is_truncated: record.truncated.is_some(),
    }
}
