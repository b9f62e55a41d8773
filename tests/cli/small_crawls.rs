//! Questions about crawls of a few files, with answers that can be counted by hand.

use crate::crawls::{ask, crawl, record, rows, tables, tables_of};
use crate::questions::{all, answer, sample_tables, wait};
use crate::rendering;
use analyze::queries::QueryKind;
use analyze::{Session, SessionOptions};
use committed::full::step;
use std::collections::BTreeSet;

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

/// The unit of weights changes no order and no boundary.
#[test]
fn weights_may_be_small() {
    let rules = "User-agent: GPTBot\nDisallow: /\n";
    let captures =
        [("a.example", 200, rules), ("b.example", 404, ""), ("c.example", 200, "User-agent: *\nDisallow: /x\n")];
    let weights = "host,weight\na.example,2e-90\nb.example,1e-97\nc.example,2e-90\n";
    let folder = crawl("small_units", &captures).with("weights.csv", weights);
    let own = ["--table", "weights=weights.csv", "--weight", "own"];
    let run = ask(&folder, "explicit_vs_wildcard", &[&own, &["--top", "1"] as &[&str]].concat());
    assert_eq!(rows(&run, "TEST", &["agent"]), "gptbot\n", "{run}");
}

/// A host that outweighs all others moves no boundary between them.
#[test]
fn a_weight_may_be_large() {
    let file = |paths: usize| "User-agent: *\n".to_owned() + &"Disallow: /\n".repeat(paths);
    let (a, b, c, d) = (file(1), file(2), file(3), file(4));
    let captures =
        [("a.com", 200, &*a), ("b.com", 200, &b), ("c.com", 200, &c), ("d.com", 200, &d), ("e.org", 200, &a)];
    let weights = "host,weight\na.com,1\nb.com,1\nc.com,1\nd.com,1\ne.org,1e14\n";
    let folder = crawl("small_heavy", &captures).with("weights.csv", weights);
    let run = ask(&folder, "size_quantiles", &["--by", "tld", "--table", "weights=weights.csv", "--weight", "own"]);
    let found = rows(&run, "com", &["quantile", "body_bytes"]);
    assert!(found.contains(&format!("\n0.5,{}\n", b.len())), "{run}");
}

/// A threshold in sites compares sites, whatever they weigh.
#[test]
fn thresholds_count_sites_and_not_weights() {
    let captures = [("a.example", 200, "User-agent: GPTBot\nDisallow: /\n"), ("b.example", 404, "")];
    let folder =
        crawl("small_thresholds", &captures).with("weights.csv", "host,weight\na.example,0.25\nb.example,0.5\n");
    let own = ["--table", "weights=weights.csv", "--weight", "own"];
    let run = ask(&folder, "agent_bias", &own);
    assert_eq!(rows(&run, "TEST", &["agent", "sites", "sites_counted"]), "gptbot,0.25,0.75\n", "{run}");
    let run = ask(&folder, "access_by_tld_country", &[&own, &["--minimum", "2"] as &[&str]].concat());
    let columns = ["outcome", "sites", "sites_counted"];
    assert_eq!(rows(&run, "TEST", &columns), "unavailable,0.5,0.75\nrules,0.25,0.75\n", "{run}");
}

/// A host with a site that answered is counted, even if a site before it did not answer.
#[test]
fn a_site_that_answered_represents_its_host() {
    let captures =
        [("a.example", 503, ""), ("a.example:8443", 404, ""), ("b.example", 200, "User-agent: *\nDisallow:\n")];
    let crawls = [("TEST-2026-42", "2026-10-10"), ("TEST-2026-46", "2026-11-10")];
    let folder = tables("small_represented", &crawls.map(|(crawl, day)| (crawl, day, captures.as_slice())));
    let run = ask(&folder, "policy_flips", &["--same", "host", "--tokens", "*"]);
    assert_eq!(rows(&run, "TEST", &["sites_counted"]), "2\n", "{run}");
}

/// Of the agents that sites treat differently from others, those with the greatest difference come first, whether sites
/// block them more often or less often.
#[test]
fn agents_that_are_favoured_are_not_cut_off() {
    let captures = [
        ("a.example", 200, "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n"),
        ("b.example", 200, "User-agent: GPTBot\nDisallow: /\n"),
        ("c.example", 200, "User-agent: *\nDisallow: /\n\nUser-agent: Bingbot\nAllow: /\n"),
        ("d.example", 200, "User-agent: *\nDisallow: /\n\nUser-agent: Bingbot\nAllow: /\n"),
    ];
    let folder = crawl("small_bias", &captures);
    let run = ask(&folder, "agent_bias", &["--top", "2"]);
    let columns = ["agent", "sites_penalising", "sites_favouring"];
    assert_eq!(rows(&run, "TEST", &columns), "gptbot,2,0\nbingbot,0,2\n", "{run}");
}

/// `User-agent: GPTBot Foo` names `gptbot`, and so does `User-agent: GPTBot`.
#[test]
fn groups_are_found_by_product_tokens() {
    let body = "User-agent: GPTBot\nDisallow: /\n\nUser-agent: GPTBot Foo\nAllow: /\n";
    let folder = crawl("small_duplicates", &[("a.example", 200, body)]);
    let columns = ["agent", "sites", "sites_contradictory", "sites_split"];
    for tokens in ["", "gptbot"] {
        let run = ask(&folder, "duplicate_groups", &["--tokens", tokens]);
        assert_eq!(rows(&run, "TEST", &columns), ",1,1,1\ngptbot,1,1,1\n", "{run}");
    }
    // No line has the token gptbot, so it is counted, but listed only on request.
    let body = "User-agent: GPTBot Foo\nDisallow: /\n\nUser-agent: GPTBot Bar\nAllow: /x\n";
    let folder = crawl("small_unwritten", &[("a.example", 200, body)]);
    for (tokens, expected) in [("", ",1,0,1\n"), ("gptbot", ",1,0,1\ngptbot,1,0,1\n")] {
        let run = ask(&folder, "duplicate_groups", &["--tokens", tokens]);
        assert_eq!(rows(&run, "TEST", &columns), expected, "{run}");
    }

    let body = "User-agent: GPTBot Foo\nDisallow: /\n\nUser-agent: *\nDisallow: /x\n";
    let folder = crawl("small_levels", &[("a.example", 200, body)]);
    let run = ask(&folder, "longpre_levels", &["--tokens", "gptbot"]);
    assert_eq!(rows(&run, "TEST", &["agent", "level", "sites"]), "*,4,1\ngptbot,7,1\n", "{run}");

    let folder = crawl("small_classes", &[("a.example", 200, "User-agent: GPTBot Foo\nDisallow: /x\n")]);
    let run = ask(&folder, "common_crawl_classes", &["--tokens", "gptbot"]);
    let columns = ["agent", "sites_disallow_all", "sites_allow_part", "sites_allow_all"];
    assert_eq!(rows(&run, "TEST", &columns), "*,0,0,0\ngptbot,0,1,0\n", "{run}");

    // Both studies read the second group as one for CCBot only.
    let body = "User-agent: *\nDisallow: /x\n\nUser-agent: GPTBot Foo\nUser-agent: CCBot\nDisallow: /\n";
    let folder = crawl("small_defects", &[("a.example", 200, body)]);
    let run = ask(&folder, "parsing_defects", &["--tokens", "gptbot"]);
    let columns = ["agent", "sites_named", "sites_lost", "sites_wrongly_allowed"];
    assert_eq!(rows(&run, "TEST", &columns), "gptbot,1,1,1\n*,1,0,0\n".repeat(2), "{run}");
}

/// A user-agent line has the name in it if the list has that name, otherwise its product token.
#[test]
fn a_line_counts_once_in_questions_about_lists() {
    let body =
        "User-agent: GPTBot Foo\nUser-agent: QuillBot.com\nUser-agent: CCBot 5\nUser-agent: GPTBot\nDisallow: /\n";
    let folder = crawl("small_lines", &[("a.example", 200, body)]);
    let run = ask(&folder, "list_fingerprint", &[]);
    assert_eq!(rows(&run, "TEST", &["agents", "agent_set"]), "3,ccbot, gptbot, quillbot.com\n", "{run}");
    let run = ask(&folder, "legacy_blocklists", &[]);
    assert_eq!(rows(&run, "TEST", &["kind", "mentions"]), "crawler,3\n", "{run}");
}

/// The study counts each pattern, without those with a question mark.
#[test]
fn patterns_that_are_allowed_as_often_as_disallowed_restrict_nothing() {
    let sites = [
        ("Allow: /x\nDisallow: /x\n", 1),
        ("Allow: /x\nDisallow: /x\nDisallow: /a?b\n", 1),
        ("Disallow: /x\nAllow: /y\nDisallow: /y\nAllow: /x\n", 1),
        ("Allow: /x\nDisallow: /y\n", 4),
        ("Allow: /x\nDisallow: /X\n", 4),
        ("Allow: /x\nAllow: /x\nDisallow: /x\nDisallow: /y\n", 4),
        ("Allow: /x\nDisallow: /x\nDisallow: /y\n", 4),
        ("Allow: /x?\nDisallow: /y?\nDisallow: /y\n", 6),
    ];
    let name = |at: usize| format!("{at}.example");
    let (hosts, bodies): (Vec<String>, Vec<String>) =
        sites.iter().enumerate().map(|(at, (rules, _))| (name(at), format!("User-agent: *\n{rules}"))).unzip();
    let answers: Vec<_> = hosts.iter().zip(&bodies).map(|(host, body)| (host.as_str(), 200, body.as_str())).collect();
    let folder = crawl("small_level_pairs", &answers);
    let run = ask(&folder, "longpre_levels", &["--tokens", "gptbot"]);
    let count = |level| sites.iter().filter(|(_, of_site)| *of_site == level).count();
    let expected: String = [1, 4, 6].iter().map(|level| format!("*,{level},{}\n", count(*level))).collect();
    let found = rows(&run, "TEST", &["agent", "level", "sites"]);
    assert!(found.starts_with(&expected), "{found}");
}

/// The agents of `groups` are those of `policies`.
#[test]
fn the_agents_of_groups_are_those_of_policies() {
    let names = [
        "MJ12bot",
        "-x1",
        "A_B.c",
        "* x",
        "x*y",
        "\u{c9}tat",
        "a\u{2028}b c",
        "a\u{b}b",
        "a\0b",
        "\u{212a}bot",
        "/x",
        "a b/c",
        "",
    ];
    let body: String = names.iter().map(|name| format!("User-agent: {name}\nDisallow: /\n")).collect();
    let folder = crawl("small_names", &[("a.example", 200, &body)]);
    let of_groups = "(SELECT crawl, body_id, token FROM groups WHERE token <> '' UNION ALL \
                     SELECT crawl, body_id, product_token FROM groups WHERE product_token IS NOT NULL)";
    let of_policies = "SELECT crawl, body_id, token FROM policies";
    for tables in ["tables", sample_tables()] {
        for (some, others) in [(of_groups, of_policies), (of_policies, of_groups)] {
            let sql = format!("{some} EXCEPT {others}");
            let run = folder.run(&["sql", "--tables", tables, "--format", "csv", &sql]);
            run.exits_with(0).prints("crawl,body_id,token\n");
        }
    }
}

/// Questions whose `sites_counted` is the number of other sites than those of the denominator, with their words for it.
const OF_OTHER_SITES: &[(&str, &str)] = &[
    ("compliance_list", "of the domain"),
    ("dead_rules", "sites without a rule have nothing to count"),
    ("dialect_disagreement", "with a known verdict"),
    ("licence_targets", "with a licence"),
    ("liu_classes", "with 200 or 404"),
    ("managed_block_plus_own", "with the block"),
    ("rules_per_file", "sites without a file have nothing to count"),
    ("signal_conflicts", "that state a preference on the use"),
    ("signal_invalid", "with the record"),
    ("signal_values", "with the record"),
    ("sitemap_hosts", "that name a sitemap"),
    ("size_distribution", "sites without a file are in no bin"),
    ("size_quantiles", "sites without a file have no length"),
];

/// Questions that have no row about the captures of this test.
const WITHOUT_ROWS: [&str; 5] =
    ["ai_agent_pairs", "ai_by_rank_tld", "html_masquerade", "inheritance_mistake", "train_no_search_yes"];

/// Sites with rules, without rules, without a file (4xx), unreachable (5xx), and with a redirect to nowhere.
#[test]
fn questions_count_the_sites_of_the_denominator() {
    let rules = "Disallow: /early\nUser-agent: GPTBot 1\nUser-agent: *\nDisallow: /\nDisallow: x\nSitemap: x\nCrawl-delay: 1\nNoindex: /\n\
                 Content-Signal: ai-train=no\nDisalow: /x\nDisallow /y\nX: y\n\nUser-agent: *\nDisallow: /\n\n\
                 User-agent: CCBot\nAllow: /\nLicense: https://a.example/l\n\n\
                 User-agent: ClaudeBot\nDisallow: /admin\nContent-Signal: search=yes, ai-train=no\nContent-Signal: a\n";
    let captures = [
        ("a.example", 200, rules),
        ("b.example", 200, "# nothing\n"),
        ("c.example", 404, ""),
        ("d.example", 503, ""),
        ("e.example", 301, ""),
    ];
    let folder = crawl("small_denominators", &captures);
    let views = all(QueryKind::View);
    let mut wrong = Vec::new();
    wait(async {
        let session = Session::open(&folder.path().join("tables"), &SessionOptions::default()).await.expect("it opens");
        for question in all(QueryKind::Question) {
            let has_it = question.parameters(&views).iter().any(|parameter| parameter.name == "denominator");
            if !has_it || OF_OTHER_SITES.iter().any(|(name, _)| *name == question.name) {
                continue;
            }
            let denominators = [("answered", "3"), ("rules", "1"), ("read", "2"), ("decided", "4"), ("all", "5")];
            for (denominator, sites) in denominators.into_iter().step_by(step(5)) {
                let (schema, batches) = answer(&session, &question, &[("denominator", denominator)])
                    .await
                    .unwrap_or_else(|error| panic!("{}: {error}", question.name));
                let Some((place, _)) = schema.column_with_name("sites_counted") else { continue };
                let text = batches.iter().flat_map(rendering::lines).collect::<Vec<_>>().join("\n");
                let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
                let found: BTreeSet<String> =
                    reader.records().map(|row| row.expect("it is CSV")[place].to_owned()).collect();
                let counted = (!WITHOUT_ROWS.contains(&question.name.as_str())).then(|| sites.to_owned());
                if found != BTreeSet::from_iter(counted) {
                    wrong.push(format!("{}: {denominator}: {found:?}", question.name));
                }
            }
        }
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
    // An unreachable site blocks everything; a redirect to nowhere says nothing. Neither has a file.
    let in_all = ["--tokens", "gptbot", "--denominator", "all"];
    let run = ask(&folder, "longpre_levels", &in_all);
    assert_eq!(rows(&run, "no_robots", &["agent", "sites", "sites_counted"]), "*,1,5\ngptbot,1,5\n", "{run}");
    let run = ask(&folder, "parsing_defects", &in_all);
    let columns = ["agent", "sites_blocked", "sites_blocked_misread", "sites_counted"];
    assert_eq!(rows(&run, "consent", &columns), "gptbot,2,1,5\n*,2,2,5\n", "{run}");
}

/// Blocking sites and counted sites count with their weights.
#[test]
fn lists_of_domains_count_weights() {
    let blocking = "User-agent: *\nDisallow: /\n";
    let captures = [("a.example", 200, blocking), ("a.example:8443", 404, ""), ("b.example", 200, blocking)];
    let folder = crawl("small_list", &captures).with("weights.csv", "host,weight\na.example,10\n");
    let columns = ["name", "sites", "sites_by_name", "sites_counted", "share"];
    let check = |more: &[&str], expected: &str| {
        let run = ask(&folder, "compliance_list", &[&["--tokens", "*"], more].concat());
        assert_eq!(rows(&run, "TEST", &columns), expected, "{run}");
    };
    check(&[], "a.example,1,0,2,0.5\nb.example,1,0,1,1\n");
    check(&["--weight", "own", "--table", "weights=weights.csv"], "a.example,5,0,10,0.5\nb.example,0,0,0,\n");
}

/// A revisit repeats a body. If that body was not captured, it may be another one.
#[test]
fn a_body_that_is_not_known_is_not_the_same() {
    let at = |host: &str, hour: u8, body: &str| {
        record(&format!("https://{host}/robots.txt"), &format!("2026-11-10T{hour:02}:00:00Z"), 200, "", body)
    };
    let profile = "WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest\r\n";
    let digest = "WARC-Payload-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\n";
    let revisit = |host: &str, hour: u8| {
        let revisit = format!("WARC-Type: revisit\r\n{profile}{digest}");
        at(host, hour, "").replacen("WARC-Type: response\r\n", &revisit, 1)
    };
    let body = "User-agent: *\nDisallow: /x\n";
    let archive = [
        at("a.example", 1, body),
        revisit("a.example", 2),
        at("b.example", 1, body),
        at("b.example", 2, body),
        revisit("c.example", 1),
        revisit("c.example", 2),
    ];
    let folder = tables_of("small_refetched", &[("TEST-2026-46", archive.concat())]);
    let run = ask(&folder, "refetch_duplicates", &[]);
    let columns = ["captures_of_site", "sites", "sites_same_answer", "sites_other_body"];
    assert_eq!(rows(&run, "TEST", &columns), "2,3,2,0\n", "{run}");
    let columns = ["sites_none", "sites_wildcard_partial", "sites_unrestricted", "sites_counted"];
    for (denominator, expected) in [("answered", "2,2,0,2\n"), ("all", "2,2,0,3\n")] {
        let run = ask(&folder, "liu_classes", &["--tokens", "gptbot", "--denominator", denominator]);
        assert_eq!(rows(&run, "TEST", &columns), expected, "{run}");
    }
    let columns = ["captures_of_site", "sites", "sites_same_answer", "sites_other_body"];
    let run = ask(&folder, "refetch_duplicates", &["--most", "1"]);
    assert_eq!(rows(&run, "TEST", &columns), "1,3,2,0\n", "{run}");
}

/// wget and Heritrix write `WARC-Truncated: length` on revisits.
#[test]
fn revisits_are_not_cut() {
    let robots = |host: &str| record(&format!("https://{host}/robots.txt"), "2026-11-10T01:00:00Z", 200, "", "# a\n");
    let with = |record: String, fields: &str| record.replacen("WARC-Date", &format!("{fields}\r\nWARC-Date"), 1);
    let head = "HTTP/1.1 200 X\r\nContent-Type: text/plain\r\n";
    let unended = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://e.example/robots.txt\r\n\
         WARC-Date: 2026-11-10T01:00:00Z\r\nContent-Length: {}\r\n\r\n{head}\r\n\r\n",
        head.len()
    );
    let archive = [
        robots("a.example"),
        with(robots("b.example"), "WARC-Truncated: length"),
        with(robots("c.example"), "WARC-Truncated: length").replacen(": response", ": revisit", 1),
        with(robots("d.example"), "WARC-Segment-Number: 1"),
        unended,
    ];
    let folder = tables_of("small_truncated", &[("TEST-2026-46", archive.concat())]);
    let run = ask(&folder, "truncated_captures", &[]);
    let columns = ["cut_by", "reason", "captures", "captures_counted"];
    let expected = "archive,length,1,4\nanswer,first-segment,1,4\nanswer,head-unended,1,4\n";
    assert_eq!(rows(&run, "TEST-2026-46", &columns), expected, "{run}");
}

/// Rules before the first user-agent line apply to no agent.
#[test]
fn rules_before_groups_are_not_compared() {
    let captures = [
        ("a.com", 200, "Disallow: /x\n"),
        ("www.a.com", 200, "# nothing\n"),
        ("b.com", 200, "Disallow: /x\n\nUser-agent: a\n"),
        ("www.b.com", 200, "Disallow: /y\n"),
        ("c.com", 200, "Disallow: /x\n\nUser-agent: a\nDisallow: /z\n"),
        ("www.c.com", 200, "User-agent: a\nDisallow: /z\n"),
        ("d.com", 200, "User-agent: a\nDisallow: /z\n"),
        ("www.d.com", 200, "Disallow: /z\n"),
    ];
    let folder = crawl("small_pairs", &captures);
    let run = ask(&folder, "www_vs_apex", &[]);
    let found = rows(&run, "TEST", &["difference", "pairs"]);
    assert_eq!(found, "no rules,2\nother rules,1\nsame rules,1\n", "{run}");
}

/// A URL with the port of its protocol is the URL without it.
#[test]
fn urls_with_and_without_the_port_of_their_protocol_are_one() {
    let at = |url: &str, hour: u32, status: u16, body: &str| {
        record(url, &format!("2026-11-10T{hour:02}:00:00Z"), status, "", body)
    };
    let archive = [
        at("http://a.example/robots.txt", 1, 403, ""),
        at("http://a.example:80/robots.txt", 2, 200, "User-agent: *\nDisallow: /a\n"),
        at("HTTP://A.example/robots.txt", 3, 200, "User-agent: *\nDisallow: /b\n"),
        at("https://a.example:80/robots.txt", 3, 200, "User-agent: *\nDisallow: /b\n"),
        at("https://b.example/robots.txt", 1, 403, ""),
        at("https://b.example:8443/robots.txt", 2, 200, ""),
    ];
    let folder = tables_of("small_ports", &[("TEST-2026-46", archive.concat())]);
    let run = ask(&folder, "status_vs_rules", &[]);
    assert_eq!(rows(&run, "403", &["hosts_refusing", "hosts", "hosts_at_one_url"]), "2,2,1\n", "{run}");
    let run = ask(&folder, "within_crawl_change", &[]);
    assert_eq!(rows(&run, "any", &["urls", "pairs", "pairs_changed"]), "1,1,1\n", "{run}");
}
