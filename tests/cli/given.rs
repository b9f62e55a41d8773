//! Questions with lists of hosts, with stored texts, and with values other than the defaults. The sources of the sample
//! explain why each answer is right.

use crate::crawls::{TIME, ask, ask_about, record, rows};
use crate::questions::sample_tables;
use crate::run::TestFolder;
use crate::sample;
use committed::full::{is_full, step};

/// Ranks without a header, as such lists are published. They have a domain with captures of its subdomains only, a
/// captured host, a captured domain, an unknown domain, ranks on both sides of a limit, and a high rank.
pub(crate) const RANKS: &str = "\
1,example.com
2,www.example.net
999,sample_one.de
1000,nowhere.example
1001,sample_six.es
2000000,sample_eight.se
";

/// The sites of a domain share its weight, except sites whose host has its own weight.
pub(crate) const WEIGHTS: &str = "\
host,weight
sample_one.de,30
sample_three.co.uk,10
www.sample_three.co.uk,50
sample_six.es,60
sample_user.github.io,5
";

const CATEGORIES: &str = "\
host,category
sample_one.de,closed
www.sample_eight.se,refusing
";

fn given(test: &str) -> TestFolder {
    TestFolder::new(test).with("ranks.csv", RANKS).with("weights.csv", WEIGHTS).with("categories.csv", CATEGORIES)
}

/// Asks a question about the sample, and compares the answer.
#[track_caller]
fn check(folder: &TestFolder, question: &str, more: &[&str], holding: &str, columns: &[&str], expected: &str) {
    let run = ask_about(sample_tables(), folder, question, more);
    let found = rows(&run, holding, columns);
    assert_eq!(found, expected, "{run}");
}

#[test]
fn listed_hosts_without_a_capture_are_counted() {
    let folder = given("given_missing");
    let columns =
        ["stratum", "hosts_listed", "hosts_captured", "hosts_captured_below", "hosts_missing", "share_missing"];
    let check = |more: &[&str], crawl: &str, expected: &str| {
        let more = [&["--table", "ranks=ranks.csv"], more].concat();
        check(&folder, "missing_capture", &more, crawl, &columns, expected);
    };
    check(&[], "2024", "1 to 1,000,4,2,1,1,0.25\n1,001 to 10,000,1,1,0,0,0\nbeyond 1,000,000,1,1,0,0,0\n");
    check(&[], "2025", "1 to 1,000,4,0,1,3,0.75\n1,001 to 10,000,1,0,0,1,1\nbeyond 1,000,000,1,0,0,1,1\n");
    check(
        &["--by", "rank-cumulative", "--crawl", "SAMPLE-2024-10"],
        "2024",
        "top 1,000,4,2,1,1,0.25\ntop 1,000,000,5,3,1,1,0.2\ntop 10,000,5,3,1,1,0.2\ntop 100,000,5,3,1,1,0.2\n",
    );
}

#[test]
fn lists_define_strata() {
    let folder = given("given_strata");
    let columns = ["stratum", "outcome", "sites", "sites_counted"];
    let check = |more: &[&str], stratum: &str, expected: &str| {
        let more = [&["--table", "ranks=ranks.csv", "--table", "categories=categories.csv"], more].concat();
        check(
            &folder,
            "access_by_rank",
            &[&more[..], &["--crawl", "SAMPLE-2024-10"]].concat(),
            stratum,
            &columns,
            expected,
        );
    };
    let outcomes = |stratum: &str, rules: &str, unavailable: &str, all: &str| {
        let sites = |outcome| match outcome {
            "rules" => rules.to_owned(),
            "unavailable" => unavailable.to_owned(),
            _ => "0".to_owned(),
        };
        robots::SiteOutcome::WORDS.map(|outcome| format!("{stratum},{outcome},{},{all}\n", sites(outcome))).concat()
    };
    // A host that is not listed has the rank and the category of its domain.
    check(&[], "1,001 to 10,000", &outcomes("1,001 to 10,000", "3", "0", "3"));
    check(&[], "beyond 1,000,000", &outcomes("beyond 1,000,000", "1", "1", "2"));
    check(&["--by", "category"], "closed", &outcomes("closed", "3", "0", "3"));
    check(&["--by", "category"], "refusing", &outcomes("refusing", "0", "1", "1"));
    // Without a header, the hosts may be in the second column, and values may have quotes.
    let folder = TestFolder::new("given_headless")
        .with("ranks.csv", "\"7\",\"sample_one.de\"\n")
        .with("categories.tsv", "closed\tsample_one.de\n");
    let tables = ["--table", "ranks=ranks.csv", "--table", "categories=categories.tsv", "--crawl", "SAMPLE-2024-10"];
    let expected = outcomes("1 to 1,000 / closed", "3", "0", "3");
    let asked = [&tables[..], &["--by", "rank,category"]].concat();
    self::check(&folder, "access_by_rank", &asked, "closed", &columns, &expected);
}

#[test]
fn a_list_defines_weights() {
    let folder = given("given_weights");
    let more = ["--table", "weights=weights.csv", "--crawl", "SAMPLE-2024-10"];
    // The weights are 30 + 10 + 50 + 60 + 5. The wildcard group blocks the first, half of the second, and the last.
    check(
        &folder,
        "ai_block_weighted",
        &more,
        "*",
        &["weight_blocked", "weight_blocked_by_name", "weight_counted", "share", "sites_weighed"],
        "40,0,155,0.25806451612903225,10\n",
    );
    // Ten sites have a weight, and five of them block everyone. One of these five is the only site with less than ten.
    check(
        &folder,
        "blanket_block",
        &more,
        "SAMPLE",
        &[
            "sites_blocking_with_few_pages",
            "sites_blocking_weighed",
            "share_with_few_pages_of_blocking",
            "share_with_few_pages_of_all",
        ],
        "1,5,0.2,0.1\n",
    );
    // A table before the question and one after it are both read.
    let before = ["query", "--tables", sample_tables(), "--table", "ranks=ranks.csv", "status_codes", "--by", "rank"];
    let run = folder.run(&[&before[..], &more, &["--weight", "own"]].concat());
    run.exits_with(0).prints_among_others("1,001 to 10,000");
}

/// Each run makes a part, which has bodies of its own.
#[test]
fn a_body_counts_once_in_all_parts() {
    let folder = TestFolder::new("given_parts");
    let file = "# TDM reserved\nUser-agent: *\nContent-Signal: odd=yes\n";
    for host in ["b.example", "a.example"] {
        let archive = record(&format!("https://{host}/robots.txt"), TIME, 200, "", file);
        std::fs::write(folder.path().join(format!("{host}.warc")), archive).expect("an archive can be written");
        let archive = format!("{host}.warc");
        let more = ["--crawl", "TEST-2026-46", "--keep-text", "--quiet", "--models", "latest"];
        folder.run(&[&["ingest", &archive, "--out", "tables"][..], &more].concat()).exits_with(0);
    }
    let run = ask(&folder, "legal_comments", &[]);
    assert!(rows(&run, "TEST", &["phrase", "bodies", "bodies_in_all"]).starts_with("any,1,1\n"), "{run}");
    let run = ask(&folder, "signal_invalid", &[]);
    assert_eq!(rows(&run, "TEST", &["problem", "lines", "sites"]), "unknown_label,1,2\n");
    // The file of the example is that of the first part, and its first host that of the second.
    let run = ask(&folder, "violation_examples", &["--tiers", "B"]);
    assert_eq!(rows(&run, "TEST", &["sites", "bodies", "host"]), "2,1,a.example\n");
}

#[test]
fn questions_read_stored_texts() {
    let folder = sample::folder("given_texts");
    folder.run(&["ingest", "crawl-data", "--out", sample::OUT, "--keep-text", "--models", "latest"]).exits_with(1);
    let run = ask(&folder, "legal_comments", &["--another", "By Hand"]);
    let expected = "\
any,4
2019/790,1
text and data mining,1
text- und data-mining,1
text- und data mining,0
fouille de textes,0
tdm,2
rights reserved,1
reserves all rights,1
urhg,1
by hand,1
";
    assert_eq!(rows(&run, "2024", &["phrase", "bodies"]), expected, "{run}");
    assert!(rows(&run, "2025", &["phrase", "bodies"]).starts_with("any,1\n"), "{run}");

    // Google accepts a key by its prefix and treats 429 as a server error. In the dialect of 1996, the first rule that
    // matches wins, and 401 and 403, which five sites have, block everything.
    let columns = [
        "agent",
        "dialect",
        "sites_blocked_by_rfc9309",
        "sites_blocked",
        "sites_only_allowed_here",
        "sites_only_blocked_here",
        "sites_counted",
    ];
    let run = ask(&folder, "dialect_disagreement", &["--texts", "true"]);
    let expected = "\
googlebot,draft-00,22,22,1,1,169
googlebot,draft-12,22,22,0,0,169
googlebot,google,22,24,0,2,169
googlebot,original-1996,22,28,1,7,169
*,draft-00,24,25,0,1,169
*,draft-12,24,24,0,0,169
*,google,24,26,0,2,169
*,original-1996,24,30,1,7,169
";
    assert_eq!(rows(&run, "2024", &columns), expected, "{run}");
    // A question about * alone has one row for it.
    let run = ask(&folder, "dialect_disagreement", &["--agent", "*", "--crawl", "SAMPLE-2025-10"]);
    assert_eq!(rows(&run, "2025", &columns), "*,draft-00,2,2,0,0,45\n*,draft-12,2,2,0,0,45\n", "{run}");
    let run = folder.run(&["query", "--tables", sample_tables(), "dialect_disagreement", "--texts", "true"]);
    // Which body and dialect are named first depends on the threads.
    run.exits_with(2)
        .complains_among_others("statement failed: dialect_disagreement: text is missing: SAMPLE-20")
        .complains_among_others("reads the texts of files, which only `ingest --keep-text` stores");
}

#[test]
fn values_other_than_the_defaults_change_answers() {
    let folder = TestFolder::new("given_values");
    check(&folder, "churn_rate", &["--compared", "120"], "too many", &["sites", "rules_gained", "rules_lost"], "1,,\n");
    check(&folder, "churn_rate", &["--compared", "120"], "over 100", &["sites"], "0\n");
    // The sample has eight unreachable sites; ten are unknown: eight redirects, a 304 and a missing body.
    let all = ["--denominator", "all", "--crawl", "SAMPLE-2024-10"];
    check(&folder, "noblock_rate", &all, "2024", &["sites_unreachable", "sites_unknown"], "8,10\n");
    check(&folder, "blocked_by_agent", &all, "omgilibot", &["sites_unknown"], "10\n");
    check(&folder, "explicit_vs_wildcard", &all, "omgilibot", &["sites_by_name", "sites_without_file"], "1,8\n");
    let pairs = ["training_agent", "other_agent", "sites_training_only_by_name"];
    check(&folder, "ai_agent_pairs", &["--tokens", "ChatGPT-User"], "SAMPLE", &pairs, "gptbot,chatgpt-user,6\n");
    let columns = ["domains_mixed", "domains_blocking", "domains_counted"];
    let first = |more: &[&str], expected: &str| {
        let run = ask_about(sample_tables(), &folder, "domain_mixed_policy", more);
        let rows = rows(&run, "2024", &columns);
        assert_eq!(rows.lines().next(), Some(expected), "{run}");
    };
    first(&[], "2,1,7");
    first(&["--domain", "registered"], "3,1,8");
    check(
        &folder,
        "compliance_list",
        &["--level", "private-domain", "--tokens", "*"],
        "sample_",
        &["name", "sites", "sites_by_name", "sites_counted"],
        "sample_nine.ch,1,0,1\nsample_one.de,3,0,3\nsample_three.co.uk,1,0,3\nsample_user.github.io,1,0,1\n",
    );
    check(
        &folder,
        "compliance_list",
        &["--level", "site", "--tokens", "GPTBot"],
        "sample_",
        &["name", "blocked_agents"],
        "http://sample_nine.ch:80,gptbot\nhttp://sample_one.de:80,gptbot\nhttp://sample_three.co.uk:80,gptbot\n\
         http://sample_user.github.io:80,gptbot\nhttp://www.sample_one.de:80,gptbot\nhttps://sample_one.de:443,gptbot\n",
    );
}

/// The crawls of the sample are a year apart, with one event between them.
#[test]
fn an_event_between_two_crawls_is_found() {
    let folder = given("given_event");
    let columns = [
        "crawl_before",
        "crawl_after",
        "sites_before",
        "sites_after",
        "sites_started",
        "sites_stopped",
        "sites_counted",
    ];
    let between = ["--event", "cloudflare-block"];
    let gptbot = "SAMPLE-2024-10,SAMPLE-2025-10,3,4,2,1,13\n";
    check(&folder, "event_change", &between, "names gptbot", &columns, gptbot);
    check(
        &folder,
        "event_change",
        &between,
        "has Content-Signal or Content-Usage",
        &columns,
        "SAMPLE-2024-10,SAMPLE-2025-10,1,2,1,0,13\n",
    );
    for (event, cause) in [
        ("rfc-9309", "no crawl ended before 2022-09-09, the day of the event; "),
        ("content-use", "no crawl started on 2026-07-01, the day of the event, or later; "),
    ] {
        let run = ask_about(sample_tables(), &folder, "event_change", &["--event", event]);
        run.exits_with(0).complains_among_others(&format!("answer is empty: event_change: {cause}"));
        assert_eq!(run.stdout.lines().count(), 1, "{run}");
    }
}

/// Questions about two crawls have the strata of the last crawl. The sites of all domains add up to all sites.
#[test]
fn comparisons_of_crawls_have_strata() {
    let folder = given("given_panel_strata");
    let sums = |question: &str, more: &[&str], column: &str| {
        let run = ask_about(sample_tables(), &folder, question, more);
        let rows = rows(&run, "", &["stratum", column]);
        let mut strata = std::collections::BTreeSet::new();
        let mut sum = 0;
        let known = rows.lines().filter_map(|row| row.rsplit_once(',')).filter(|(_, number)| !number.is_empty());
        for (stratum, number) in known {
            strata.insert(stratum.to_owned());
            sum += number.parse::<i64>().unwrap_or_else(|error| panic!("{error}\n{run}"));
        }
        (strata, sum)
    };
    let comparisons = [
        ("panel_change", [].as_slice(), "sites"),
        ("panel_change", &["--same", "host"], "sites"),
        ("churn_rate", &[], "rules_gained"),
        ("policy_flips", &[], "sites_blocked_last"),
        ("event_change", &["--event", "cloudflare-block"], "sites_after"),
        ("refetch_duplicates", &[], "captures"),
        ("redirect_foreign_domains", &[], "sites"),
        ("longpre_levels", &[], "sites"),
    ];
    for (nth, (question, more, column)) in comparisons.into_iter().enumerate().step_by(step(3)) {
        let (all, sites) = sums(question, more, column);
        assert!(all.len() == 1 && all.contains("all") && sites > 0, "{question}: {all:?}");
        // Without `ROBOCENSUS_FULL`, every third question is split in one of these ways.
        for by in ["tld", "rank", "server"].into_iter().skip(if is_full() { 0 } else { nth % 3 }).step_by(step(3)) {
            let split = [more, &["--by", by, "--table", "ranks=ranks.csv"]].concat();
            let (strata, in_strata) = sums(question, &split, column);
            assert!(!strata.contains("all") && !strata.is_empty(), "{question} by {by}: {strata:?}");
            assert_eq!(in_strata, sites, "{question} by {by}: {strata:?}");
        }
    }
    let large = ["--by", "tld", "--min-sites", "4"];
    for (question, more) in [("panel_change", [].as_slice()), ("event_change", &["--event", "cloudflare-block"])] {
        let (strata, _) = sums(question, &[more, &large].concat(), "sites_counted");
        assert!(strata.contains("com") && strata.len() < 4, "{question}: {strata:?}");
    }
    // A list of domains has a row for each stratum in which one of its sites blocks.
    let listed = ["--tokens", "*", "--level", "domain", "--by", "tld"];
    check(&folder, "compliance_list", &listed, "sample_nine", &["stratum", "name"], "ch,sample_nine.ch\n");
}

/// A site without a rank still shares the weight of its domain.
#[test]
fn unranked_sites_have_weights_but_no_top() {
    let folder = given("given_top");
    let top = ["--by", "rank-cumulative", "--table", "ranks=ranks.csv", "--crawl", "SAMPLE-2024-10"];
    let strata = |question: &str, more: &[&str]| {
        let run = ask_about(sample_tables(), &folder, question, &[&top, more].concat());
        let rows = rows(&run, "", &["stratum"]);
        rows.lines().map(str::to_owned).collect::<std::collections::BTreeSet<_>>()
    };
    let tops = ["top 1,000", "top 1,000,000", "top 10,000", "top 100,000"].map(str::to_owned).into();
    for more in [[].as_slice(), &["--weight", "domain"], &["--weight", "host"]] {
        assert_eq!(strata("access_overview", more), tops, "{more:?}");
    }
    assert_eq!(strata("refetch_duplicates", &[]), tops);
}

/// Seven sites name GPTBot.
#[test]
fn major_agents_can_be_chosen() {
    let folder = given("given_majors");
    let columns = ["majors", "sites_all_majors", "median"];
    let one = ["--tokens", "gptbot", "--crawl", "SAMPLE-2025-10"];
    check(&folder, "ai_agents_named", &one, "2025", &columns, "1,7,8\n");
}
