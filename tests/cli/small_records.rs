//! Questions about the other records of a few files.

use crate::crawls::{ask, crawl, record, rows, tables, tables_of};

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

/// The host of a URL is without user, password, port, query and fragment. An IPv6 address has brackets. A relative URL
/// may have another URL in its query.
#[test]
fn hosts_of_records_are_those_of_their_urls() {
    let captures = [
        ("a.com", 200, "Sitemap: https://user:p@ss@A.com:8443/s.xml\nLicense: https://user@a.com/license.xml\n"),
        ("b.com", 200, "Sitemap: https://b.com#s\nLicense: /license.xml?u=https://other.org/a\n"),
        ("c.com", 200, "Sitemap: HTTP://c.com?s=a://b\nLicense: see https://c.com/license.xml\n"),
        ("d.com", 200, "Sitemap: https://sub.d.com/s.xml\nLicense: ://d.com\n"),
        ("f.com", 200, "Sitemap: https://f.com./s.xml\nLicense: https://f.com.:443/l\n"),
        ("[2001:db8::1]", 200, "Sitemap: https://[2001:DB8::1]:443/s.xml\nLicense: HTTPS://[2001:db8::1]/\n"),
        ("e.com", 200, "Sitemap: https://\nLicense: https://user@:443/\n"),
        ("m\u{fc}nchen.de", 200, "Sitemap: https://m\u{fc}nchen.de/s.xml\nSitemap: ftp://xn--mnchen-3ya.de/s.xml\n"),
    ];
    let folder = crawl("records_hosts", &captures);
    let run = ask(&folder, "sitemap_hosts", &[]);
    let expected = "same host and scheme,4,4\nnot absolute,2,2\nother domain,1,1\nother host of the domain,1,1\nsame host, http from https,1,1\n";
    assert_eq!(rows(&run, "TEST", &["relation", "lines", "sites"]), expected, "{run}");
    let run = ask(&folder, "licence_targets", &[]);
    let columns = ["target_host", "sites", "sites_of_own"];
    assert_eq!(rows(&run, "TEST", &columns), ",4,0\n[2001:db8::1],1,1\na.com,1,1\nf.com,1,1\n", "{run}");
    let run = ask(&folder, "signal_adoption", &[]);
    assert_eq!(rows(&run, "license", &["sites", "sites_counted"]), "3,8\n", "{run}");
    let run = ask(&folder, "signal_invalid", &[]);
    assert_eq!(rows(&run, "no_url", &["lines", "sites", "sites_counted"]), "4,4,7\n", "{run}");
}

/// A record that has a row of its own, or is written in upper case, can be another one.
#[test]
fn another_record_may_be_any_record() {
    let captures =
        [("a.example", 200, "License: none\nX-Robots: a\n"), ("b.example", 200, "License: https://b.example/l\n")];
    let folder = crawl("records_another", &captures);
    for (another, sites) in [("license", "2"), ("License", "2"), ("x-robots", "1"), ("X-Robots", "1")] {
        let run = ask(&folder, "signal_adoption", &["--another", another]);
        assert_eq!(rows(&run, "another", &["sites"]), format!("{sites}\n"), "{another}: {run}");
    }
    let run = ask(&folder, "signal_adoption", &["--another", "license"]);
    assert_eq!(rows(&run, "any", &["record", "sites"]), "any,2\n", "{run}");
}

/// `User-agent: GPTBot Foo` names GPTBot, which another group blocks.
#[test]
fn a_signal_is_for_the_agents_that_its_group_names() {
    let body = "User-agent: GPTBot Foo\nContent-Signal: search=yes\nDisallow:\n\nUser-agent: GPTBot\nDisallow: /\n";
    let run = ask(&crawl("records_conflicts", &[("a.example", 200, body)]), "signal_conflicts", &[]);
    assert_eq!(rows(&run, "yes_where_all_is_blocked", &["sites", "sites_counted"]), "1,1\n", "{run}");
}

/// A page is not a robots.txt, although it may have rules and records.
#[test]
fn pages_have_no_records() {
    let page =
        "<html>\nUser-agent: *\nDisallow: /x\nContent-Signal: use=full\nCrawl-delay: 5\nCrawl-delay: x\n</html>\n";
    let captures: &[(&str, u16, &str)] = &[("a.example", 200, page)];
    let folder =
        tables("records_pages", &[("TEST-2026-20", "2026-05-10", captures), ("TEST-2026-46", "2026-11-10", captures)]);
    let run = ask(&folder, "event_change", &["--event", "content-use"]);
    let expected = "has a file,0,1\nhas Content-Signal or Content-Usage,0,1\nhas use in Content-Signal,0,1\n";
    assert_eq!(rows(&run, "has ", &["fact", "sites_after", "sites_counted"]), expected, "{run}");
    for question in ["other_records", "crawl_delay_values", "crawl_delay_quantiles"] {
        assert_eq!(ask(&folder, question, &[]).csv_rows().len(), 0, "{question}");
    }
    let run = ask(&folder, "crawl_delay", &["--crawl", "TEST-2026-46"]);
    assert_eq!(rows(&run, "TEST", &["place", "sites", "sites_not_a_number"]), "0,0,0\n", "{run}");
}

/// A page is not a file with rules, although it may have rules.
#[test]
fn pages_are_not_files() {
    let page = "<html>\nUser-agent: *\nDisallow: /x\n</html>\n";
    let file = "User-agent: *\nDisallow: /x\n";
    let folder = tables(
        "records_not_files",
        &[
            (
                "TEST-2026-20",
                "2026-05-10",
                &[("a.example", 200, page), ("b.example", 200, page), ("c.example", 200, file)],
            ),
            (
                "TEST-2026-46",
                "2026-11-10",
                &[("a.example", 200, file), ("b.example", 200, page), ("c.example", 200, page)],
            ),
        ],
    );
    let run = ask(&folder, "panel_change", &[]);
    let expected = "file_gained,1\nfile_lost,1\nno_file_in_either,1\n";
    assert_eq!(rows(&run, "file_", &["change", "sites"]).replace("same_file,0\n", ""), expected, "{run}");
    let last = ["--crawl", "TEST-2026-46"];
    let run = ask(&folder, "over_500kib", &[&last, &["--limit-bytes", "9"] as &[&str]].concat());
    assert_eq!(rows(&run, "TEST", &["sites_over", "sites_over_with_rules"]), "3,1\n", "{run}");
    let run = ask(&folder, "huge_lines", &[&last, &["--limit-bytes", "9"] as &[&str]].concat());
    assert_eq!(rows(&run, "TEST", &["sites", "sites_with_rules"]), "3,1\n0,0\n0,0\n0,0\n", "{run}");
    let run = ask(&folder, "noblock_rate", &last);
    let columns = ["share_of_files_with_rules", "sites_disallowing", "sites_not_robots"];
    assert_eq!(rows(&run, "TEST", &columns), "0,3,0\n", "{run}");
}

/// The last answer of a loop is that to which the fifth redirect leads. If a redirect leads nowhere, the last one is the
/// site's own.
#[test]
fn the_last_answer_after_redirects() {
    let at = |host: &str, status: u16, to: &str| {
        let location = format!("Location: https://{to}/robots.txt\r\n");
        record(&format!("https://{host}/robots.txt"), "2026-11-10T12:00:00Z", status, &location, "")
    };
    let archive = [
        at("a.example", 301, "b.example"),
        at("b.example", 302, "a.example"),
        at("c.example", 308, "a.example"),
        at("d.example", 307, "gone.example"),
    ];
    let folder = tables_of("records_last", &[("TEST-2026-46", archive.concat())]);
    let run = ask(&folder, "status_codes", &["--answer", "final"]);
    assert_eq!(rows(&run, "TEST", &["status", "sites"]), "301,2\n302,1\n307,1\n", "{run}");
}

/// The row for any agent is about the chosen agents alone. A name with its product token in it names both.
#[test]
fn delays_of_any_agent_are_of_the_chosen_ones() {
    let captures = [
        ("a.example", 200, "User-agent: GPTBot Foo\nCrawl-delay: soon\n"),
        ("b.example", 200, "User-agent: GPTBot\nUser-agent: CCBot\nCrawl-delay: 5\nCrawl-delay: x\n"),
        ("c.example", 200, "Crawl-delay: x\nUser-agent: *\nCrawl-delay: 3\n"),
    ];
    let folder = crawl("records_delays", &captures);
    for (tokens, expected) in [("", "0,2,3\n"), ("gptbot", "0,1,2\n"), ("ccbot", "0,1,1\n"), ("*", "0,1,0\n")] {
        let run = ask(&folder, "crawl_delay", &["--tokens", tokens]);
        let found = rows(&run, "TEST", &["place", "sites", "sites_not_a_number"]);
        assert!(found.starts_with(expected), "{tokens}: {run}");
    }
}

/// A record without a value is a record, too.
#[test]
fn records_without_a_preference_count_as_records() {
    let captures = [
        ("a.example", 200, "Content-Usage: train-ai=n\nContent-Usage: x\nContent-Signal: search\n"),
        ("b.example", 200, "Content-Usage:\n"),
        ("c.example", 200, "Content-Usage: /x\nContent-Signal: search=yes\n"),
    ];
    let folder = crawl("records_without_values", &captures);
    let run = ask(&folder, "signal_values", &[]);
    assert_eq!(rows(&run, "train-ai", &["what", "sites", "sites_counted"]), "value,1,3\n", "{run}");
    let run = ask(&folder, "signal_invalid", &[]);
    let counted = rows(&run, "TEST", &["signal", "sites_counted"]);
    assert!(counted.contains("content-signal,2\n"), "{run}");
    assert!(counted.lines().all(|row| ["content-signal,2", "content-usage,3"].contains(&row)), "{run}");
}
