//! Compares archives by URL with the same archives on disk.
//!
//! `ROBOCENSUS_CORPUS=… cargo bench -p ingest --bench stores` ingests the archives below the folder `bench` there: from
//! disk, from a loopback server, from one that answers 50 ms late, and from the latter with a single connection.
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs, reason = "a benchmark")]

#[path = "../stores/tests/loopback/server.rs"]
mod server;

use divan::Bencher;
use ingest::inputs::{InputNaming, expand};
use ingest::plan::PlanOptions;
use ingest::progress::Progress;
use ingest::run::{self, RunOptions};
use server::Server;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use stores::{StoreOptions, Stores};

const LATE: Duration = Duration::from_millis(50);

fn main() {
    match std::env::var_os("ROBOCENSUS_CORPUS") {
        Some(_) => divan::main(),
        None => eprintln!("skipped: ROBOCENSUS_CORPUS is not set"),
    }
}

fn archives() -> PathBuf {
    Path::new(&std::env::var_os("ROBOCENSUS_CORPUS").unwrap()).join("bench")
}

fn ingest(arguments: &[PathBuf], stores: Stores) {
    let naming = InputNaming { stores: stores.clone(), ..InputNaming::default() };
    let inputs = expand(arguments, &naming, &mut std::io::empty()).unwrap().inputs;
    let jobs = NonZeroUsize::new(2).unwrap();
    let options = RunOptions { jobs, plan: PlanOptions::default(), stores };
    let out = std::env::temp_dir().join(format!("robocensus-bench-stores-{}", std::process::id()));
    run::run(inputs, &out, &options, &Progress::default(), &AtomicBool::new(false)).unwrap();
    std::fs::remove_dir_all(out).unwrap();
}

fn by_url(bencher: Bencher<'_, '_>, late: Duration, connections: Option<NonZeroUsize>) {
    let server = Server::of_folder(&archives());
    let inputs = expand(&[archives()], &InputNaming::default(), &mut std::io::empty()).unwrap().inputs;
    let urls: Vec<PathBuf> = inputs.iter().map(|input| PathBuf::from(server.url(&input.warc_filename))).collect();
    server.delay(late);
    bencher.bench(|| {
        let options = StoreOptions { requests_per_second: Some(1e6), connections, ..StoreOptions::default() };
        ingest(&urls, Stores::new(options));
    });
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn from_disk(bencher: Bencher<'_, '_>) {
    bencher.bench(|| ingest(&[archives()], Stores::default()));
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn from_a_server(bencher: Bencher<'_, '_>) {
    by_url(bencher, Duration::ZERO, None);
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn from_a_late_server(bencher: Bencher<'_, '_>) {
    by_url(bencher, LATE, None);
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn from_a_late_server_one_by_one(bencher: Bencher<'_, '_>) {
    by_url(bencher, LATE, Some(NonZeroUsize::MIN));
}
