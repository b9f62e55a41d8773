//! Questions about crawls of a few sites, by stratum and with weights.

use crate::given::rows;
use crate::signals::tables;
use crate::small_crawls::ask;

const SOME: &str = "User-agent: *\nDisallow: /x\n";

/// A site that a question leaves out has no part of the weight of its host, and is not in a stratum.
#[test]
fn sites_are_chosen_before_they_share_weights() {
    let first: &[(&str, u16, &str)] = &[("a.com", 200, SOME), ("b.com", 403, "")];
    let last: &[(&str, u16, &str)] = &[
        ("a.com", 200, SOME),
        ("b.com", 403, ""),
        ("a.com:8443", 200, SOME),
        ("b.com:8443", 200, SOME),
        ("c.com", 200, SOME),
    ];
    let folder = tables("strata_panel", &[("TEST-2025-46", "2025-11-10", first), ("TEST-2026-46", "2026-11-10", last)]);
    let columns = ["crawl", "sites", "sites_counted", "change"];
    for weight in ["site", "host", "domain"] {
        let run = ask(&folder, "forbidden_trend", &["--panel", "true", "--weight", weight]);
        assert_eq!(rows(&run, "403", &columns), "TEST-2025-46,1,2,\nTEST-2026-46,1,2,0\n", "{run}");
    }
    let run = ask(&folder, "forbidden_trend", &["--panel", "true", "--by", "tld", "--min-sites", "3"]);
    assert_eq!(run.stdout.lines().count(), 1, "{run}");
    // Only a question that declares the panel has it.
    ask(&folder, "status_codes", &["--panel", "true"]).exits_with(2);

    let columns = ["agent", "sites_wildcard_partial", "sites_counted"];
    let of_gptbot = ["--tokens", "gptbot", "--crawl", "TEST-2026-46", "--weight", "host"];
    let run = ask(&folder, "liu_classes", &of_gptbot);
    assert_eq!(rows(&run, "TEST", &columns), "gptbot,3,3\n", "{run}");
    ask(&folder, "liu_classes", &["--statuses", "403"]).exits_with(2);
}

/// Place 0 is for any agent. Strata have it without a delay that is a number, and without an agent with several groups.
#[test]
fn strata_have_a_row_for_any_agent() {
    let captures: &[(&str, u16, &str)] = &[
        (
            "a.com",
            200,
            "User-agent: *\nDisallow: /x\nCrawl-delay: 5\n\nUser-agent: a\nDisallow: /\n\nUser-agent: *\nDisallow: /y\n",
        ),
        ("b.de", 200, "User-agent: *\nCrawl-delay: soon\n"),
        ("c.fr", 200, SOME),
    ];
    let folder = tables("strata_any_agent", &[("TEST-2026-46", "2026-11-10", captures)]);
    let run = ask(&folder, "crawl_delay", &["--by", "tld"]);
    let columns = ["stratum", "place", "agent", "sites", "least_s", "sites_not_a_number", "sites_counted"];
    let expected = "com,0,,1,5,0,1\ncom,1,*,1,5,,1\nde,0,,0,,1,1\nfr,0,,0,,0,1\n";
    assert_eq!(rows(&run, "TEST", &columns), expected, "{run}");
    let run = ask(&folder, "duplicate_groups", &["--by", "tld"]);
    let found = rows(&run, "TEST", &["stratum", "place", "agent", "sites", "sites_counted"]);
    assert_eq!(found, "com,0,,1,1\ncom,1,*,1,1\nde,0,,0,1\nfr,0,,0,1\n", "{run}");
}
