//! Questions about the other records of a few files.

use crate::given::rows;
use crate::small_crawls::{ask, crawl};

/// One file has a value three times, and two files have another value.
#[test]
fn the_commonest_value_is_on_the_most_sites() {
    let once = "Request-rate: 1/10\n";
    let captures = [
        ("a.example", 200, "Request-rate: 1/5\n".repeat(3)),
        ("b.example", 200, once.to_owned()),
        ("c.example", 200, format!("{once}# c\n")),
    ];
    let captures = captures.each_ref().map(|(host, status, body)| (*host, *status, body.as_str()));
    let run = ask(&crawl("records_values", &captures), "other_records", &[]);
    let columns = ["code", "lines", "sites", "distinct_values", "commonest_value"];
    assert_eq!(rows(&run, "TEST", &columns), "ext-request-rate,5,3,2,1/10\n", "{run}");
}
