//! Questions about crawls of a few files, with answers that can be counted by hand.

use crate::given::rows;
use crate::questions::sample_tables;
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

/// The view finds product tokens by an expression that other engines have, too. It finds the agents that `policies` has,
/// for which the crate `robots` found the product tokens.
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
    let of_groups = "SELECT crawl, body_id, token FROM agent_groups WHERE token <> ''";
    let of_policies = "SELECT crawl, body_id, token FROM policies";
    for tables in ["tables", sample_tables()] {
        for (some, others) in [(of_groups, of_policies), (of_policies, of_groups)] {
            let sql = format!("{some} EXCEPT {others}");
            let run = folder.run(&["sql", "--tables", tables, "--format", "csv", &sql]);
            run.exits_with(0).prints("crawl,body_id,token\n");
        }
    }
}
