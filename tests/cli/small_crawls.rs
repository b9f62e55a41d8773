//! Questions about crawls of a few files, with answers that can be counted by hand.

use crate::given::rows;
use crate::run::{Run, TestFolder};
use crate::signals::tables;

/// A folder with the tables of a crawl of some hosts, each with a status and a body.
fn crawl(test: &str, captures: &[(&str, u16, &str)]) -> TestFolder {
    tables(test, &[("TEST-2026-46", "2026-11-10", captures)])
}

fn ask(folder: &TestFolder, question: &str, more: &[&str]) -> Run {
    folder.run(&[&["query", question, "--tables", "tables", "--format", "csv", "--exact"], more].concat())
}

/// The sites of a host share its weight, so the weight of the host is their sum.
#[test]
fn a_host_counts_with_its_whole_weight() {
    let captures =
        [("a.example", 200, "User-agent: *\nDisallow: /x\n"), ("a.example:8443", 404, ""), ("b.example", 404, "")];
    let folder = crawl("small_weights", &captures).with("weights.csv", "host,weight\na.example,10\nb.example,10\n");
    let run = ask(&folder, "access_classes", &["--table", "weights=weights.csv", "--weight", "own"]);
    let found = rows(&run, "TEST", &["class", "hosts", "hosts_counted"]);
    assert!(found.starts_with("success,10,20\nnotfound,10,20\n"), "{run}");
}
