//! `robocensus explain`.

use crate::crawls::{TIME, record, tables_of};
use crate::questions::sample_tables;
use crate::run::TestFolder;

fn explain(test: &str, url: &str, agent: &str) -> crate::run::Run {
    let tables = sample_tables();
    TestFolder::new(test).run(&["explain", url, "--agent", agent, "--tables", tables])
}

#[test]
fn the_answer_goes_to_a_file_or_nowhere() {
    let folder = TestFolder::new("explain_out");
    let ask = |url: &str, more: &[&str]| {
        folder.run(&[&["explain", url, "--agent", "GPTBot", "--tables", sample_tables()], more].concat())
    };
    let known = "https://www.example.com/press/drafts/1";
    let printed = ask(known, &[]);
    ask(known, &["-o", "why.txt"]).exits_with(0).prints("").complains("");
    assert_eq!(folder.read("why.txt"), printed.stdout);
    ask(known, &["-q"]).exits_with(0).prints("").complains("");
    // A run that fails keeps the earlier file.
    ask("nowhere", &["-o", "why.txt"]).exits_with(2).prints("");
    assert_eq!(folder.read("why.txt"), printed.stdout);
    let below = format!("{}/why.txt", sample_tables());
    ask(known, &["-o", &below]).exits_with(2).prints("").complains_among_others("file cannot be written: ");
    ask(known, &["-o", "nowhere/why.txt"])
        .exits_with(2)
        .complains_among_others("output cannot be written: nowhere/why.txt: ");
}

#[test]
fn a_rule_is_shown_with_its_line() {
    explain("explain_rule", "https://www.example.com/press/drafts/1", "GPTBot").exits_with(0).prints(
        "https://www.example.com/press/drafts/1 for GPTBot

SAMPLE-2024-10: disallowed
  robots.txt  https://www.example.com/robots.txt, fetched 2024-03-01T12:00:02Z, status 200
  group       line 5: User-agent: GPTBot
  rule        line 6: Disallow: /
  why         it is the only rule of these groups that matches the path

SAMPLE-2025-10: disallowed
  robots.txt  https://www.example.com/robots.txt, fetched 2025-03-01T12:00:00Z, status 200
  group       line 5: User-agent: GPTBot
  group       line 6: User-agent: CCBot
  group       line 7: User-agent: ClaudeBot
  group       line 8: User-agent: Google-Extended
  rule        line 9: Disallow: /
  why         it is the only rule of these groups that matches the path
",
    );
}

/// RFC 9309 § 2.2.2: "The /robots.txt URI is implicitly allowed."
#[test]
fn the_robots_txt_itself_is_allowed_whatever_its_rules() {
    let run = explain("explain_itself", "https://www.example.com/robots.txt", "GPTBot");
    run.exits_with(0).prints_among_others("robots.txt for GPTBot\n\nSAMPLE-2024-10: allowed\n");
    assert_eq!(run.stdout.matches("rule ").count(), 0, "{run}");
    let why = "  why         /robots.txt itself is always allowed (RFC 9309 section 2.2.2)\n";
    assert_eq!(run.stdout.matches(why).count(), 2, "{run}");
}

/// Whatever the status is, too. Other paths get the reason that the standards give for the status.
#[test]
fn a_status_decides_on_all_paths_but_robots_txt() {
    let location = "Location: https://elsewhere.example/robots.txt\r\n";
    let sites = [
        record("https://down.example/robots.txt", TIME, 503, "", ""),
        record("https://moved.example/robots.txt", TIME, 301, location, ""),
        record("https://closed.example/robots.txt", TIME, 403, "", ""),
        record("https://odd.example/robots.txt", TIME, 999, "", ""),
    ];
    let folder = tables_of("explain_itself_unreachable", &[("A", sites.concat())]);
    let explain = |url: &str| folder.run(&["explain", url, "--agent", "x", "--tables", "tables"]);
    for site in ["https://down.example", "https://moved.example"] {
        let run = explain(&format!("{site}/robots.txt"));
        run.exits_with(0).prints_among_others("A: allowed\n");
        run.prints_among_others("  why         /robots.txt itself is always allowed (RFC 9309 section 2.2.2)\n");
    }
    for (site, verdict, why) in [
        ("down", "disallowed", "robots.txt is unreachable, so nothing may be fetched (RFC 9309 section 2.3.1.4)"),
        ("closed", "allowed", "robots.txt is unavailable, so everything may be fetched (RFC 9309 section 2.3.1.3)"),
        (
            "odd",
            "disallowed",
            "by draft-koster-rep-00 section 2.3.1.4, nothing may be fetched; RFC 9309 does not mention this status",
        ),
    ] {
        let run = explain(&format!("https://{site}.example/x"));
        run.exits_with(0).prints_among_others(&format!("A: {verdict}\n"));
        run.prints_among_others(&format!("  why         {why}\n"));
    }
    let select = "SELECT url_host_name, allowed FROM robots_access('x', 'https://down.example/robots.txt') ORDER BY 1";
    let run = folder.run(&["sql", select, "--tables", "tables", "--format", "csv"]);
    run.exits_with(0).prints(
        "url_host_name,allowed\nclosed.example,true\ndown.example,true\nmoved.example,true\nodd.example,true\n",
    );
}

#[test]
fn redirects_are_followed_and_loops_are_explained() {
    explain("explain_chain", "http://chain.example.com/x", "GPTBot").exits_with(0).prints_among_others(
        "SAMPLE-2024-10: allowed
  robots.txt  http://chain.example.com/robots.txt, fetched 2024-03-01T12:00:05Z, status 302
  leads to    http://chain.example.org/policy/robots, fetched 2024-03-01T12:00:07Z, status 200
  group       line 1: User-agent: *
",
    );
    explain("explain_loop", "http://loop.example.com/", "GPTBot").exits_with(0).prints_among_others(
        "SAMPLE-2024-10: not known
  robots.txt  http://loop.example.com/robots.txt, fetched 2024-03-01T12:00:08Z, status 308
  leads to    http://loop.example.net/robots.txt, which leads back to an earlier URL
  why         the redirects lead to no robots.txt that was captured, so its rules are not known
",
    );
}

#[test]
fn unknown_sites_and_invalid_urls_are_reported() {
    explain("explain_unknown", "https://nowhere.example/", "GPTBot").exits_with(1).complains(
        "site is unknown: https://nowhere.example/: no crawl has a robots.txt of this protocol, host and port\n",
    );
    explain("explain_scheme", "https://www.chain.example.com/a", "GPTBot").exits_with(1).complains(
        "site is unknown: https://www.chain.example.com/a: no crawl has a robots.txt of this protocol, host and port; the \
         folder has http://chain.example.com\n",
    );
    explain("explain_no_url", "nowhere", "GPTBot")
        .exits_with(2)
        .complains("URL cannot be read: nowhere: relative URL without a base; did you mean https://nowhere/?\n");
    explain("explain_no_host", "mailto:a@b.example", "GPTBot").exits_with(2).complains(
        "URL cannot be read: mailto:a@b.example: it is not a web URL; a URL starts with https:// or http://\n",
    );
    explain("explain_host", "example.com/a?b", "GPTBot").exits_with(2).complains(
        "URL cannot be read: example.com/a?b: relative URL without a base; did you mean https://example.com/a?b?\n",
    );
    explain("explain_port", "example.com:8080", "GPTBot")
        .exits_with(2)
        .complains_among_others("did you mean https://example.com:8080/?\n");
}

/// The verdict was that of the site in the parsed URL and of the path in the typed one.
#[test]
fn a_url_whose_path_changes_when_it_is_parsed_is_refused() {
    for typed in [
        " https://www.example.com/press/",
        "https://www.example.com/press/ ",
        "https://www.example.com/pr\tess/",
        "https://www.example.com/a/%2e./press/",
        "https://www.example.com\\press\\",
        "https:/www.example.com/press/",
        "https:///www.example.com/press/",
        "https:\\\\www.example.com\\press/",
    ] {
        explain("explain_parsed", typed, "GPTBot").exits_with(2).prints("").complains_among_others(
            ": crawlers fetch another path than this; did you mean https://www.example.com/press/?\n",
        );
    }
    explain("explain_encoded", "https://www.example.com/\u{e9} {x}%2f..?'#/..", "GPTBot").exits_with(0).complains("");
}

/// `http` on port 443 and `https` on port 80 are sites of their own.
#[test]
fn similar_sites_are_named_with_their_ports() {
    let sites = ["http://a.example", "http://a.example:443", "https://a.example:80"];
    let records = sites.map(|site| record(&format!("{site}/robots.txt"), TIME, 200, "", ""));
    let folder = tables_of("explain_ports", &[("A", records.concat())]);
    folder.run(&["explain", "https://a.example/", "--agent", "GPTBot", "--tables", "tables"]).exits_with(1).complains(
        &format!(
            "site is unknown: https://a.example/: no crawl has a robots.txt of this protocol, host and port; the folder has \
             {}\n",
            sites.join(", ")
        ),
    );
}

#[test]
fn json_has_one_object_per_crawl_and_is_escaped() {
    let tables = sample_tables();
    let url = "https://www.example.com/press/drafts/1";
    let run =
        TestFolder::new("explain_json").run(&["explain", url, "--agent", "GPTBot", "-t", tables, "--format", "json"]);
    let objects = run.exits_with(0).objects();
    assert_eq!(objects.len(), 2, "{run}");
    for object in objects {
        assert_eq!(object.pointer("/site/allowed"), Some(&serde_json::Value::Bool(false)), "{run}");
        assert_eq!(object.pointer("/site/match_kind"), Some(&"explicit".into()), "{run}");
    }
}
