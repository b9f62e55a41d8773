//! Crawls from a seed: the same bytes each time, readable without damage, and shaped as measured.
#![allow(clippy::unwrap_used, clippy::cast_precision_loss, reason = "a test")]

#[path = "crawl/measured.rs"]
mod measured;

use generator::crawl::{CrawlPlan, LEVEL, write};
use ingest::inputs::{InputNaming, expand};
use measured::{Measured, SHAPE};
use std::fmt::Write as _;
use std::io::Read as _;

const BLESS: &str = "ROBOCENSUS_BLESS=1 cargo test -p generator --test crawl";

fn plan(files: u32, captures_per_file: u32) -> CrawlPlan {
    CrawlPlan { crawl: "SYNTH-2024-10".to_owned(), seed: 1, year: 2024, files, captures_per_file, level: LEVEL }
}

#[test]
fn one_seed_gives_one_set_of_bytes_whatever_the_threads() {
    let plan = plan(5, 20);
    let files = |threads: usize| {
        let folder = tempfile::tempdir().unwrap();
        let bytes = write(&plan, folder.path(), threads).unwrap();
        let files: Vec<Vec<u8>> =
            (0..plan.files).map(|number| std::fs::read(folder.path().join(plan.path(number))).unwrap()).collect();
        assert_eq!(bytes, files.iter().map(|file| file.len() as u64).sum::<u64>());
        files
    };
    let written = files(1);
    assert!(written == files(3), "threads change what is written");
    assert!(
        written[4] == CrawlPlan { files: 5_000, ..plan.clone() }.archive(4),
        "the number of files changes one of them"
    );
    assert!(written[0] != written[1], "two files are one");
    assert!(written[0] != CrawlPlan { seed: 2, ..plan.clone() }.archive(0), "the seed changes nothing");
    // A fixed digest, so that the test fails if another machine or version of a dependency writes other bytes.
    assert_eq!(measured::digest(&written.concat()), "CLPPEV5S6YC5K6WLQCLJFPISXVLU6OHV");
}

/// The hosts of a crawl that answer with 200 are the same in each year, and more of them block crawlers that train
/// models.
#[test]
fn a_year_changes_what_sites_say_about_models() {
    let archive = |year: u32| CrawlPlan { year, ..plan(1, 1_660) }.archive(0);
    let targets_and_blocks = |year: u32| {
        let mut bytes = Vec::new();
        flate2::read::MultiGzDecoder::new(archive(year).as_slice()).read_to_end(&mut bytes).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let targets: Vec<String> =
            text.lines().filter(|line| line.starts_with("WARC-Target-URI: ")).map(str::to_owned).collect();
        let blocks = text.matches("User-agent: GPTBot").count();
        (targets, blocks, text.matches(&format!("WARC-Date: {year}-03-")).count())
    };
    let years = [2022, 2024, 2025].map(targets_and_blocks);
    assert!(years[0].0 == years[1].0 && years[1].0 == years[2].0, "the years have other sites");
    assert!(years[0].1 < years[1].1 && years[1].1 < years[2].1, "{:?}", years.each_ref().map(|year| year.1));
    assert!(years.iter().all(|year| year.2 == 1 + 2 * 1_660), "dates are of another year");
}

#[test]
fn a_list_names_all_archives() {
    let (plan, folder) = (plan(1_002, 1), tempfile::tempdir().unwrap());
    write(&plan, folder.path(), 2).unwrap();
    let list = folder.path().join("crawl-data/SYNTH-2024-10/robotstxt.paths.gz");
    let inputs = expand(&[list], &InputNaming::default(), &mut std::io::empty()).unwrap().inputs;
    assert_eq!(inputs.len(), 1_002);
    assert!(inputs.iter().all(|input| input.crawl == "SYNTH-2024-10"));
    assert_eq!(plan.path(1_001), "crawl-data/SYNTH-2024-10/segments/2/robotstxt/SYNTH-2024-10-01001.warc.gz");
}

/// Five files as large as those of Common Crawl. The README has the measures, beside those of real crawls.
#[test]
fn crawls_have_the_shape_of_real_ones() {
    let plan = plan(5, 1_660);
    let mut measured = Measured::default();
    (0..plan.files).for_each(|number| measured.read(&plan.archive(number)));
    let mut table = String::from("| | real | bounds | generated |\n|---|---|---|---|\n");
    let mut outside = Vec::new();
    for row in SHAPE {
        let value = (row.value)(&measured);
        let (least, most) = row.bounds;
        let digits = usize::from(most < 100.0) * 2;
        writeln!(table, "| {} | {} | {least} to {most} | {value:.digits$} |", row.name, row.real).unwrap();
        if !(least..=most).contains(&value) {
            outside.push(format!("{}: {value} is not within {least} to {most}", row.name));
        }
    }
    println!("{table}");
    assert!(outside.is_empty(), "{outside:#?}");

    const START: &str = "<!-- Measured. To write it anew: ";
    const PAGE: &str = "datasets/generator/README.md";
    let written = std::fs::read_to_string(committed::path(PAGE)).unwrap();
    let (above, _) = written.split_once(START).expect("the page says where its table begins");
    let made = format!("{above}{START}{BLESS} -->\n\n{table}");
    committed::check(PAGE, &made, BLESS);
}

/// Ingest makes the same tables of both, except for where records are.
#[test]
fn the_level_changes_the_compression_alone() {
    let inflated = |archive: &[u8]| {
        let mut bytes = Vec::new();
        flate2::read::MultiGzDecoder::new(archive).read_to_end(&mut bytes).unwrap();
        bytes
    };
    let (usual, less) = (plan(1, 60).archive(0), CrawlPlan { level: 1, ..plan(1, 60) }.archive(0));
    assert!(usual.len() < less.len() && inflated(&usual) == inflated(&less));
}
