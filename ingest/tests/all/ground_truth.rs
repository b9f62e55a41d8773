//! Compares real archives, from the folder that `ROBOCENSUS_CORPUS` names, with manifests of an independent writer. The
//! rows of a crawl's `manifest.parquet` and those of `captures` correspond one to one.

mod manifest;
mod written;

use crate::tables_of;
use committed::full::is_full;
use manifest::ManifestResponse;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::thread::available_parallelism;
use written::WrittenAccount;

#[test]
fn every_capture_is_a_row_and_no_other() {
    let Some(corpus) = std::env::var_os("ROBOCENSUS_CORPUS") else {
        committed::skipped("ROBOCENSUS_CORPUS is not set");
        return;
    };
    let sets = manifest::sets(Path::new(&corpus));
    assert!(sets.len() >= 3, "the corpus is cut short: {} sets", sets.len());
    // This set has a crawl of each kind. The others have more archives of such crawls.
    let compared = sets.iter().filter(|set| is_full() || set.ends_with("small"));
    let captures: usize = compared.map(|set| check(set)).sum();
    eprintln!("{captures} captures");
    assert!(captures > if is_full() { 50_000 } else { 4_000 }, "the corpus is cut short: {captures} captures");
}

/// Ingests a set and compares it. Sets are ingested separately, since archives of two sets may have the same name.
/// Returns how many captures the set has.
fn check(set: &Path) -> usize {
    let out = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let out = out.path();
    let inputs = tables_of::inputs(set);
    let sizes: BTreeMap<String, u64> =
        inputs.iter().map(|input| (input.warc_filename.clone(), input.stamp.unwrap().bytes)).collect();
    let report = tables_of::make(inputs, out, available_parallelism().unwrap_or(NonZeroUsize::MIN));
    assert!(report.flawed.is_empty(), "{:?}", report.flawed);
    let mut captures = 0;
    let mut files = BTreeMap::new();
    for crawl in manifest::crawls(set) {
        let name = crawl.file_name().unwrap().to_str().unwrap();
        let expected = manifest::by_file(&crawl);
        let found = written::by_file(out, name);
        for (file, expected) in &expected {
            let found = &found[file];
            for (offset, ManifestResponse { truth, payload_digest }) in expected {
                let row = found.get(offset).unwrap_or_else(|| unreachable!("{file} at {offset}: not found"));
                assert_eq!(&row.truth, truth, "{file} at {offset}");
                // Compares the digest in the archive, and the computed one if there is a body to read. This includes
                // LAB-XCRLF-2018-34, whose responses have an extra line end between head and body: its digests are
                // wrong only if that counts as part of the body.
                assert_eq!(row.archived_digest.as_ref(), Some(payload_digest), "{file} at {offset}");
                assert_eq!(
                    row.computed_digest.as_ref().unwrap_or(payload_digest),
                    payload_digest,
                    "{file} at {offset}"
                );
            }
            assert_eq!(found.len(), expected.len(), "{file}: captures that the manifest does not have");
            captures += found.len();
            files.insert(file.clone(), found.len() as u64);
        }
        assert_eq!(found.len(), expected.len(), "{name}: archives that the manifest does not have");
    }
    accounts(out, &sizes, &files);
    captures
}

/// Every byte and every record of every archive is counted: records = captures + skipped.
fn accounts(out: &Path, sizes: &BTreeMap<String, u64>, captures: &BTreeMap<String, u64>) {
    let accounts = written::accounts(out);
    assert_eq!(accounts.keys().collect::<Vec<_>>(), sizes.keys().collect::<Vec<_>>());
    for (file, account) in accounts {
        let WrittenAccount { bytes, good_bytes, damaged_bytes, records, captures: kept, skipped, damages, error } =
            account;
        assert_eq!((bytes, good_bytes, damaged_bytes), (sizes[&file], sizes[&file], 0), "{file}");
        assert_eq!((damages, error), (0, None), "{file}");
        assert_eq!(records, kept + skipped, "{file}");
        assert_eq!(Some(&kept), captures.get(&file), "{file}");
    }
}
