//! Questions with lists of hosts, with stored texts, and with values other than the defaults. The sources of the sample
//! explain why each answer is right.

#![expect(clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "called by tests, which fail by them")]

use crate::full::{is_full, step};
use crate::questions::sample_tables;
use crate::run::{Run, TestFolder};
use crate::sample;
use crate::signals::tables;

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

fn ask(folder: &TestFolder, tables: &str, question: &str, more: &[&str]) -> Run {
    folder.run(&[&["query", question, "--tables", tables, "--format", "csv", "--exact"], more].concat())
}

/// Some columns of the rows that contain a text, one row per line.
#[track_caller]
pub(crate) fn rows(run: &Run, holding: &str, columns: &[&str]) -> String {
    run.exits_with(0).complains("");
    let mut reader = csv::Reader::from_reader(run.stdout.as_bytes());
    let header = reader.headers().expect("it is CSV").clone();
    let place = |column: &&str| header.iter().position(|name| name == *column).unwrap_or_else(|| panic!("{run}"));
    let places: Vec<usize> = columns.iter().map(place).collect();
    let rows = reader.records().map(|row| row.expect("it is CSV"));
    let wanted = rows.filter(|row| row.iter().any(|cell| cell.contains(holding)));
    wanted.map(|row| places.iter().map(|at| &row[*at]).collect::<Vec<_>>().join(",") + "\n").collect()
}

/// Asks a question about the sample, and compares the answer.
#[track_caller]
fn check(folder: &TestFolder, question: &str, more: &[&str], holding: &str, columns: &[&str], expected: &str) {
    let run = ask(folder, sample_tables(), question, more);
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

#[test]
fn questions_read_stored_texts() {
    let folder = sample::folder("given_texts");
    folder.run(&["ingest", "crawl-data", "--out", sample::OUT, "--keep-text", "--models", "latest"]).exits_with(1);
    let run = ask(&folder, sample::OUT, "legal_comments", &["--another", "By Hand"]);
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
    let run = ask(&folder, sample::OUT, "dialect_disagreement", &["--texts", "true"]);
    let expected = "\
googlebot,draft-00,22,22,1,1,170
googlebot,draft-12,22,22,0,0,170
googlebot,google,22,24,0,2,170
googlebot,original-1996,22,28,1,7,170
*,draft-00,24,25,0,1,170
*,draft-12,24,24,0,0,170
*,google,24,26,0,2,170
*,original-1996,24,30,1,7,170
";
    assert_eq!(rows(&run, "2024", &columns), expected, "{run}");
    // A question about * alone has one row for it.
    let run = ask(&folder, sample::OUT, "dialect_disagreement", &["--agent", "*", "--crawl", "SAMPLE-2025-10"]);
    assert_eq!(rows(&run, "2025", &columns), "*,draft-00,2,2,0,0,46\n*,draft-12,2,2,0,0,46\n", "{run}");
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
    // The sample has eight unreachable sites; nine are unknown: eight redirects and a 304.
    let all = ["--denominator", "all", "--crawl", "SAMPLE-2024-10"];
    check(&folder, "noblock_rate", &all, "2024", &["sites_unreachable", "sites_unknown"], "8,9\n");
    check(&folder, "blocked_by_agent", &all, "omgilibot", &["sites_unknown"], "9\n");
    check(&folder, "explicit_vs_wildcard", &all, "omgilibot", &["sites_by_name", "sites_without_file"], "1,8\n");
    let pairs = ["training_agent", "other_agent", "sites_training_only_by_name"];
    check(&folder, "ai_agent_pairs", &["--tokens", "ChatGPT-User"], "SAMPLE", &pairs, "gptbot,chatgpt-user,6\n");
    let columns = ["domains_mixed", "domains_blocking", "domains_counted"];
    let first = |more: &[&str], expected: &str| {
        let run = ask(&folder, sample_tables(), "domain_mixed_policy", more);
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
        let run = ask(&folder, sample_tables(), "event_change", &["--event", event]);
        run.exits_with(0).complains_among_others(&format!("answer is empty: event_change: {cause}"));
        assert_eq!(run.stdout.lines().count(), 1, "{run}");
    }
}

/// Questions about two crawls have the strata of the last crawl. The sites of all domains add up to all sites.
#[test]
fn comparisons_of_crawls_have_strata() {
    let folder = given("given_panel_strata");
    let sums = |question: &str, more: &[&str], column: &str| {
        let run = ask(&folder, sample_tables(), question, more);
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
        let run = ask(&folder, sample_tables(), question, &[&top, more].concat());
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

/// Rules are lost by an agent whose user-agent line another one replaces, but not if the group has no rules, or if a
/// later line of the group names the agent again. An agent has a row even if all files that name it are without rules.
#[test]
fn agents_lose_rules_only_where_there_are_some() {
    let without_rules = "User-agent: *\nDisallow: /x\n\nUser-agent: GPTBot\nUser-agent: CCBot\n";
    let named_twice =
        "User-agent: *\nDisallow: /x\n\nUser-agent: GPTBot\nUser-agent: CCBot\nUser-agent: GPTBot\nDisallow: /\n";
    let only_agents = "User-agent: Amazonbot\nUser-agent: CCBot\n";
    let captures: &[(&str, u16, &str)] =
        &[("a.example", 200, without_rules), ("b.example", 200, named_twice), ("c.example", 200, only_agents)];
    let folder = tables("given_lost_rules", &[("TEST-2026-46", "2026-11-10", captures)]);
    let answer = ask(&folder, "tables", "parsing_defects", &["--tokens", "gptbot,ccbot,amazonbot"]);
    let lost = rows(&answer, "TEST", &["agent", "sites_named", "sites_lost"]);
    assert_eq!(lost, "ccbot,3,1\n*,2,0\ngptbot,2,0\namazonbot,1,0\n".repeat(2), "{answer}");
}

/// The code of robotstxt-experiments applies the wildcard group to an agent without rules, whether it never had rules or
/// lost them, and whether its user-agent line is alone or the last of a group.
#[test]
fn the_wildcard_group_applies_to_agents_without_rules_in_one_study() {
    let stacked_last = "User-agent: *\nDisallow: /\n\nUser-agent: GPTBot\nUser-agent: CCBot\n";
    let alone_last = "User-agent: *\nDisallow: /\n\nUser-agent: ClaudeBot\nUser-agent: Bytespider\nAllow: /\n\nUser-agent: Amazonbot\n";
    let captures: &[(&str, u16, &str)] = &[("a.example", 200, stacked_last), ("b.example", 200, alone_last)];
    let folder = tables("given_without_rules", &[("TEST-2026-46", "2026-11-10", captures)]);
    let answer =
        ask(&folder, "tables", "parsing_defects", &["--tokens", "gptbot,ccbot,claudebot,bytespider,amazonbot"]);
    let found =
        rows(&answer, "experiments", &["agent", "sites_lost", "sites_wrongly_blocked", "sites_blocked_misread"]);
    let expected = "claudebot,1,1,2\namazonbot,0,1,2\nccbot,0,1,2\ngptbot,0,1,2\n*,0,0,2\nbytespider,0,0,1\n";
    assert_eq!(found, expected, "{answer}");
    // In consent-in-crisis, such an agent may fetch all paths.
    let found = rows(&answer, "consent", &["sites_wrongly_blocked"]);
    assert_eq!(found, "0\n".repeat(6), "{answer}");
}

/// An agent that several groups name is one agent, and the agents of one group are several.
#[test]
fn paths_for_one_agent_are_told_by_its_name() {
    let in_two_groups =
        "User-agent: GPTBot\nDisallow: /x\n\nUser-agent: CCBot\nDisallow: /y\n\nUser-agent: gptbot/1.0\nDisallow: /x\n";
    let for_two = "User-agent: GPTBot\nDisallow: /x\n\nUser-agent: CCBot\nDisallow: /x\nDisallow: /z\n";
    let in_one_group = "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /x\n";
    let for_all = "User-agent: *\nDisallow: /x\n";
    let captures: &[(&str, u16, &str)] = &[
        ("a.example", 200, in_two_groups),
        ("b.example", 200, for_two),
        ("c.example", 200, in_one_group),
        ("d.example", 200, for_all),
    ];
    let folder = tables("given_one_agent", &[("TEST-2026-46", "2026-11-10", captures)]);
    let answer = ask(&folder, "tables", "path_exposure", &[]);
    let columns = ["path", "sites", "sites_to_wildcard", "sites_to_one_agent"];
    assert_eq!(rows(&answer, "TEST", &columns), "/x,4,1,1\n/y,1,0,1\n/z,1,0,1\n", "{answer}");
}
