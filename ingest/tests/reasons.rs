//! `docs/reasons.md`, made from the catalogues, and what stands in `skips` beside it.
#![allow(clippy::unwrap_used, reason = "a test")]

#[path = "reasons/page.rs"]
mod page;

use arrow_array::cast::AsArray;
use ingest::inputs::{Naming, expand};
use ingest::plan::Changed;
use ingest::progress::Progress;
use ingest::rows::KeepText;
use ingest::run::{Options, run};
use page::{KINDS, page};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::collections::BTreeSet;
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use tables::skips::NAMES;

const BLESS: &str = "ROBOCENSUS_BLESS=1 cargo test -p ingest --test reasons";

#[test]
fn the_page_of_reasons() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reasons.md");
    if std::env::var_os("ROBOCENSUS_BLESS").is_some_and(|value| value == "1") {
        fs::write(path, page()).unwrap();
    }
    let committed = fs::read_to_string(path).unwrap_or_default();
    assert!(committed == page(), "page differs from the code: docs/reasons.md\nto write it anew: {BLESS}");
}

/// The sample has nearly every oddity that there is, so that a kind or a catalogue that the page forgot shows here.
#[test]
fn what_the_sample_is_counted_under_stands_on_the_page() {
    let of_page: BTreeSet<(&str, &str)> = KINDS
        .iter()
        .flat_map(|kind| kind.catalogues.iter().map(move |catalogue| (kind.name, catalogue)))
        .flat_map(|(kind, catalogue)| (catalogue.reasons)().into_iter().map(move |(reason, _)| (kind, reason)))
        .collect();
    let folder = std::env::temp_dir().join(format!("robocensus-reasons-{}", std::process::id()));
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../datasets/sample/crawl-data");
    let inputs = expand(&[sample], &Naming::default(), &mut &b""[..]).unwrap();
    let options = Options { jobs: NonZeroUsize::MIN, keep_text: KeepText::No, changed: Changed::Refuse, takes: None };
    run(inputs, &folder, &options, &Progress::default(), &AtomicBool::new(false)).unwrap();

    let mut counted = BTreeSet::new();
    for crawl in fs::read_dir(folder.join("skips")).unwrap() {
        for part in fs::read_dir(crawl.unwrap().path()).unwrap() {
            let file = fs::File::open(part.unwrap().path()).unwrap();
            for batch in ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap() {
                let batch = batch.unwrap();
                let (kinds, reasons) = (batch[NAMES.kind].as_string::<i32>(), batch[NAMES.reason].as_string::<i32>());
                for row in 0..batch.num_rows() {
                    counted.insert((kinds.value(row).to_owned(), reasons.value(row).to_owned()));
                }
            }
        }
    }
    fs::remove_dir_all(&folder).unwrap();
    for (kind, reason) in &counted {
        assert!(of_page.contains(&(kind.as_str(), reason.as_str())), "{kind} {reason} is not on the page");
    }
    let catalogues = KINDS.iter().flat_map(|kind| kind.catalogues.iter().map(move |catalogue| (kind.name, catalogue)));
    for (kind, catalogue) in catalogues {
        let is_counted = |reason: &str| counted.contains(&(kind.to_owned(), reason.to_owned()));
        assert!((catalogue.reasons)().iter().any(|(reason, _)| is_counted(reason)), "none {} is counted", catalogue.of);
    }
}
