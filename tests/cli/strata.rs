//! Questions about crawls of a few sites, by stratum and with weights.

use crate::crawls::{ask, crawl, record, rows, tables, tables_of};

const SOME: &str = "User-agent: *\nDisallow: /x\n";

const ALL_BY_NAME: &str = "User-agent: GPTBot\nDisallow: /\n";

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

/// A stratum has its rows even if nothing in it is blocked, or nothing is known of its sites.
#[test]
fn strata_without_a_block_have_rows() {
    let captures: &[(&str, u16, &str)] = &[("a.com", 200, ALL_BY_NAME), ("b.de", 404, ""), ("c.fr", 301, "")];
    let folder = crawl("strata_rows", captures);
    let check = |question: &str, columns: &[&str], more: &[&str], expected: &str| {
        let asked = ["--by", "tld", "--denominator", "all", "--tokens", "gptbot"];
        let run = ask(&folder, question, &[&asked, more].concat());
        assert_eq!(rows(&run, "TEST", columns), expected, "{run}");
    };
    let all = ["--top", "9223372036854775807"];
    let columns = ["stratum", "agent", "sites", "sites_counted", "sites_unknown"];
    let expected = "com,*,0,1,0\ncom,gptbot,1,1,0\nde,*,0,1,0\nde,gptbot,0,1,0\nfr,*,0,1,1\nfr,gptbot,0,1,1\n";
    check("blocked_by_agent", &columns, &all, expected);
    check("blocked_by_agent", &columns, &["--definition", "d9-any-subdomain"], expected);
    check(
        "definition_sensitivity",
        &["stratum", "agent", "sites_exact", "sites_d9_any_subdomain", "sites_counted"],
        &all,
        "com,gptbot,1,1,1\ncom,*,0,0,1\nde,*,0,0,1\nde,gptbot,0,0,1\nfr,*,0,0,1\nfr,gptbot,0,0,1\n",
    );
    let columns = ["stratum", "agent", "sites_named", "sites", "sites_counted"];
    check("explicit_vs_wildcard", &columns, &[], "com,gptbot,1,1,1\nde,gptbot,0,0,1\nfr,gptbot,0,0,1\n");
}

/// A listed site counts even if its weight is 0, and without a list no site does.
#[test]
fn listed_sites_are_counted_in_each_stratum() {
    let captures: &[(&str, u16, &str)] = &[("a.com", 200, ALL_BY_NAME), ("b.de", 404, ""), ("c.fr", 301, "")];
    let folder = crawl("strata_weights", captures).with("weights.csv", "host,weight\na.com,10\nb.de,0\n");
    let columns = ["stratum", "agent", "weight_blocked", "sites", "sites_counted", "sites_weighed"];
    let check = |more: &[&str], expected: &str| {
        let asked = ["--by", "tld", "--denominator", "all", "--tokens", "gptbot"];
        let run = ask(&folder, "ai_block_weighted", &[&asked, more].concat());
        assert_eq!(rows(&run, "TEST", &columns), expected, "{run}");
    };
    check(
        &["--table", "weights=weights.csv"],
        "com,*,10,1,1,1\ncom,gptbot,10,1,1,1\nde,*,0,0,1,1\nde,gptbot,0,0,1,1\nfr,*,0,0,1,0\nfr,gptbot,0,0,1,0\n",
    );
    check(
        &["--weight", "site"],
        "com,*,1,1,1,0\ncom,gptbot,1,1,1,0\nde,*,0,0,1,0\nde,gptbot,0,0,1,0\nfr,*,0,0,1,0\nfr,gptbot,0,0,1,0\n",
    );
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
    let folder = crawl("strata_any_agent", captures);
    let run = ask(&folder, "crawl_delay", &["--by", "tld"]);
    let columns = ["stratum", "place", "agent", "sites", "least_s", "sites_not_a_number", "sites_counted"];
    let expected = "com,0,,1,5,0,1\ncom,1,*,1,5,,1\nde,0,,0,,1,1\nfr,0,,0,,0,1\n";
    assert_eq!(rows(&run, "TEST", &columns), expected, "{run}");
    let run = ask(&folder, "duplicate_groups", &["--by", "tld"]);
    let found = rows(&run, "TEST", &["stratum", "place", "agent", "sites", "sites_counted"]);
    assert_eq!(found, "com,0,,1,1\ncom,1,*,1,1\nde,0,,0,1\nfr,0,,0,1\n", "{run}");
}

/// Two strata share a file. Each has an example of its own.
#[test]
fn an_example_has_a_host_of_its_stratum() {
    let misspelt = "User-agent: *\nDissallow: /x\n";
    let folder = crawl("strata_examples", &[("a.com", 200, misspelt), ("b.de", 200, misspelt)]);
    let run = ask(&folder, "violation_examples", &["--by", "tld", "--tiers", "A"]);
    assert_eq!(rows(&run, "TEST", &["stratum", "sites", "host"]), "com,1,a.com\nde,1,b.de\n", "{run}");
}

/// The strata, targets and origins of redirects: to another server, to nowhere, and to an IPv6 address.
#[test]
fn redirects_have_a_server_a_host_and_an_origin() {
    let time = "2026-11-10T12:00:00Z";
    let redirect = |url: &str, to: &str| record(url, time, 301, &format!("Server: varnish\r\nLocation: {to}\r\n"), "");
    let archive = [
        redirect("http://a.com/robots.txt", "https://a.com/robots.txt"),
        record("https://a.com/robots.txt", time, 200, "Server: nginx/1.18.0\r\n", SOME),
        redirect("http://b.com/robots.txt", "https://c.com/robots.txt"),
        // A public suffix has no registered domain.
        redirect("http://gov.uk/robots.txt", "https://www.gov.uk/robots.txt"),
        redirect("http://[2001:db8::1]/robots.txt", "https://[2001:db8::1]:8443/robots.txt"),
    ];
    let folder = tables_of("strata_redirects", &[("TEST-2026-46", archive.concat())]);
    let run = ask(&folder, "status_codes", &["--by", "server", "--denominator", "all"]);
    let found = rows(&run, "TEST", &["stratum", "status", "sites"]);
    assert_eq!(found, "nginx,200,1\nnginx,301,1\nvarnish,301,3\n", "{run}");

    let run = ask(&folder, "unresolved_redirects", &[]);
    let columns = ["redirect_end", "sites", "sites_to_own_host", "sites_to_other_domain"];
    assert_eq!(rows(&run, "TEST", &columns), "answered,1,1,0\nnot-captured,3,1,2\n", "{run}");

    let columns = ["governed_by", "sites", "sites_counted"];
    let run = ask(&folder, "redirect_foreign_rules", &["--denominator", "all"]);
    let expected = "itself,1,5\nown host,1,5\nown domain,0,5\nother domain,0,5\nunresolved,3,5\n";
    assert_eq!(rows(&run, "TEST", &columns), expected, "{run}");
    let run = ask(&folder, "redirect_foreign_rules", &[]);
    assert_eq!(rows(&run, "TEST", &columns), "itself,1,2\nown host,1,2\nown domain,0,2\nother domain,0,2\n", "{run}");
}

/// A crawl has its bins if no domain has several hosts, and a stratum if no file names an agent or if it has no file.
#[test]
fn empty_bins_have_rows() {
    let captures: &[(&str, u16, &str)] = &[("a.com", 200, SOME), ("b.de", 404, "")];
    let folder = crawl("strata_bins", captures);
    let run = ask(&folder, "domain_mixed_policy", &[]);
    assert_eq!(rows(&run, "TEST", &["domains_counted", "share_mixed"]), "0,\n".repeat(6), "{run}");
    let run = ask(&folder, "ruleset_length_histogram", &[]);
    let columns = ["rulesets", "rulesets_counted", "share"];
    assert_eq!(rows(&run, "agent", &columns), "0,0,\n".repeat(12), "{run}");
    let run = ask(&folder, "size_distribution", &["--denominator", "answered", "--by", "tld"]);
    let columns = ["sites", "sites_counted", "share_so_far"];
    assert_eq!(rows(&run, "de", &columns), "0,0,\n".repeat(19), "{run}");
    assert!(rows(&run, "com", &columns).ends_with("0,1,1\n"), "{run}");
}

/// Sites without a weight have no quantiles.
#[test]
fn quantiles_need_a_weight() {
    let file = "User-agent: *\nDisallow: /x\nCrawl-delay: 5\n\nUser-agent: GPTBot\nDisallow: /\n";
    let captures: &[(&str, u16, &str)] = &[("a.com", 200, file), ("b.de", 200, file)];
    let folder = crawl("strata_quantiles", captures);
    let folder = folder.with("weights.csv", "host,weight\na.com,3\n");
    let own = ["--by", "tld", "--weight", "own", "--table", "weights=weights.csv"];
    for (question, column) in
        [("size_quantiles", "body_bytes"), ("crawl_delay_quantiles", "crawl_delay_s"), ("ai_agents_named", "median")]
    {
        let run = ask(&folder, question, &own);
        let of = |tld: &str| rows(&run, tld, &["stratum", column]);
        assert!(of("de").lines().all(|row| row == "de,"), "{run}");
        assert!(of("com").lines().all(|row| row != "com,"), "{run}");
    }
}

/// The parts of a weight are rounded, to units that depend on the weight of the whole crawl.
#[test]
fn quantiles_at_a_boundary_are_exact() {
    let short = "User-agent: GPTBot\nDisallow: /\nCrawl-delay: 1\n";
    let long = "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\nCrawl-delay: 3\n";
    let hosts = ["a.a.com", "b.a.com", "c.a.com", "d.a.com", "e.a.com", "b.com", "c.de"];
    // A fifth of the weight of a.com, and so a tenth of that of com.
    let captures = hosts.map(|host| (host, 200, if host == "c.a.com" { short } else { long }));
    let folder = crawl("strata_boundary", &captures).with("weights.csv", "host,weight\na.com,1\nb.com,1\nc.de,1e6\n");
    let check = |question: &str, columns: &[&str], expected: &[&str]| {
        let own = ["--by", "tld", "--weight", "own", "--table", "weights=weights.csv"];
        let found = rows(&ask(&folder, question, &own), "com", columns);
        let found: Vec<&str> = found.lines().filter(|row| expected.contains(row)).collect();
        assert_eq!(found, expected, "{question}");
    };
    check("crawl_delay_quantiles", &["agent", "quantile", "crawl_delay_s"], &[",0,1", ",0.1,1", ",0.25,3", ",1,3"]);
    check("size_quantiles", &["quantile", "body_bytes"], &["0,46", "0.05,46", "0.1,46", "0.25,64", "1,64"]);
    check("rules_per_file", &["counted", "p10", "p25"], &["lines,3,4", "agents,1,2"]);
    check("ai_agents_named", &["quantile_25", "quantile_99"], &["2,2"]);

    // The short files have 0.49999975 of the weight.
    let middle = "User-agent: GPTBot\nDisallow: /\nCrawl-delay: 10\n";
    let captures = [("a.com", 200, short), ("b.com", 200, middle), ("c.com", 200, long)];
    let weights = "host,weight\na.com,1000000\nb.com,1\nc.com,1000000\n";
    let folder = crawl("strata_almost", &captures).with("weights.csv", weights);
    let run = ask(&folder, "size_quantiles", &["--weight", "own", "--table", "weights=weights.csv"]);
    let found = rows(&run, "TEST", &["quantile", "body_bytes"]);
    assert!(found.contains("0.25,46\n0.5,47\n0.75,64\n"), "{run}");
}

/// Only the columns about pages need the table weights.
#[test]
fn blanket_blocks_need_no_weights() {
    let captures: &[(&str, u16, &str)] = &[("a.com", 200, "User-agent: *\nDisallow: /\n"), ("b.de", 404, "")];
    let folder = crawl("strata_blanket", captures);
    let run = ask(&folder, "blanket_block", &[]);
    let columns = ["sites", "sites_counted", "share_with_few_pages_of_all"];
    assert_eq!(rows(&run, "TEST", &columns), "1,2,\n", "{run}");
}
