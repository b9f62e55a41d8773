//! Questions about the groups and rules of a few files.

use crate::crawls::{ask, crawl, rows};
use std::collections::BTreeSet;

/// An empty user-agent line matches no crawler, so its rules apply to no agent.
#[test]
fn an_empty_user_agent_line_names_no_agent() {
    let captures = [
        ("a.example", 200, "User-agent:\nDisallow: /x\n"),
        ("b.example", 200, "User-agent: GPTBot\nUser-agent:\nDisallow: /y\n"),
    ];
    let folder = crawl("groups_empty", &captures);
    let run = ask(&folder, "path_exposure", &[]);
    assert_eq!(rows(&run, "TEST", &["path", "sites", "sites_to_one_agent"]), "/y,1,1\n", "{run}");
    for name in ["token", "written"] {
        let run = ask(&folder, "top_agents", &["--name", name]);
        assert_eq!(rows(&run, "TEST", &["sites", "sites_counted"]), "1,2\n", "{run}");
    }
}

/// Only a pattern that starts with a slash has a first part. A query of the root directory is not the whole site,
/// and neither is an empty directory.
#[test]
fn patterns_without_a_directory_are_kept() {
    let patterns = ["*.pdf$", "*/feed/", "nothing", "/a/b?c", "/?s=a/b", "//c"];
    let rules = patterns.map(|pattern| format!("Disallow: {pattern}\n")).concat();
    let rules = format!("User-agent: *\n{rules}");
    let folder = crawl("groups_directories", &[("a.example", 200, &rules)]);
    let run = ask(&folder, "path_exposure", &["--paths", "directory"]);
    assert_eq!(rows(&run, "TEST", &["path"]), "*.pdf$\n*/feed/\n//\n/?\n/a\nnothing\n", "{run}");
}

/// `User-agent: GPTBot Foo` names GPTBot, and MJ12bot also names MJ, which stands alone nowhere. Which names are typed
/// changes no count.
#[test]
fn a_name_counts_alike_whether_it_is_typed_or_not() {
    let rules = "Crawl-delay: 1\nDisallow: /\n";
    let files = ["GPTBot", "GPTBot Foo", "MJ12bot"].map(|name| format!("User-agent: {name}\n{rules}"));
    let hosts = ["a.example", "b.example", "c.example"];
    let captures: Vec<_> = hosts.into_iter().zip(&files).map(|(host, file)| (host, 200, file.as_str())).collect();
    let folder = crawl("groups_names", &captures);
    let check = |question: &str, sites: &str, more: &[&str]| {
        for (tokens, expected) in [("", "gptbot foo,1\ngptbot,2\nmj12bot,1\n"), ("mj,gptbot", "gptbot,2\nmj,1\n")] {
            let run = ask(&folder, question, &[&["--tokens", tokens], more].concat());
            let mut found = rows(&run, "TEST", &["agent", sites]);
            // The row for any agent.
            found = found.replace(",3\n", "");
            let distinct: BTreeSet<&str> = found.split_inclusive('\n').collect();
            assert_eq!(String::from_iter(distinct), expected, "{question}: {run}");
        }
    };
    check("agent_adoption_curve", "sites", &[]);
    check("agents_by_rank", "sites", &["--by", "none"]);
    check("template_adjusted_agents", "sites_naming", &[]);
    check("crawl_delay", "sites", &[]);
    check("crawl_delay_quantiles", "sites_with_delay", &[]);
    let run = ask(&folder, "template_adjusted_agents", &[]);
    assert_eq!(rows(&run, "gptbot", &["sites_blocking"]), "2\n\n", "{run}");
    let run = ask(&folder, "agent_adoption_curve", &["--only", "ai"]);
    assert_eq!(rows(&run, "TEST", &["agent", "sites"]), "gptbot,2\n", "{run}");
}

/// The three sites of a.com share its weight, and their parts differ by a unit of rounding.
#[test]
fn a_name_on_exactly_half_of_the_sites_has_a_row() {
    let file =
        |name: &str| format!("User-agent: {name}\nCrawl-delay: 1\nDisallow: /\n\nUser-agent: Foo\nDisallow: /x\n");
    let files = [file("Foo"), file("Foo Bar").replace("Foo\n", "Foo Baz\n"), "User-agent: *\nDisallow: /\n".to_owned()];
    let hosts = ["a.com", "b.a.com", "c.a.com"];
    let captures: Vec<_> = hosts.into_iter().zip(&files).map(|(host, file)| (host, 200, file.as_str())).collect();
    let folder = crawl("groups_halves", &captures);
    for question in [
        "agent_adoption_curve",
        "agents_by_rank",
        "template_adjusted_agents",
        "crawl_delay",
        "crawl_delay_quantiles",
        "duplicate_groups",
    ] {
        let run = ask(&folder, question, &["--by", "none", "--weight", "domain"]);
        assert!(rows(&run, "TEST", &["agent"]).lines().any(|agent| agent == "foo"), "{question}: {run}");
    }
}

const MANAGED_AGENTS: [&str; 8] = [
    "Amazonbot",
    "Applebot-Extended",
    "Bytespider",
    "CCBot",
    "ClaudeBot",
    "Google-Extended",
    "GPTBot",
    "meta-externalagent",
];

/// `User-agent: GPTBot Foo` names GPTBot, and an empty user-agent line names no agent.
#[test]
fn additions_to_a_managed_block_are_for_the_agents_that_they_name() {
    let mut block = "User-agent: *\nContent-Signal: search=yes,ai-train=no\nAllow: /\n\n".to_owned();
    block.extend(MANAGED_AGENTS.map(|agent| format!("User-agent: {agent}\nDisallow: /\n\n")));
    let with = |more: &str| format!("{block}{more}");
    let files = [
        with(""),
        with("User-agent: GPTBot Foo\nAllow: /public\n"),
        with("User-agent: GPTBot Foo\nDisallow: /\n"),
        with("User-agent:\nDisallow: /x\n"),
        with("User-agent: FooBot\nDisallow: /x\n"),
    ];
    let hosts = ["a.example", "b.example", "c.example", "d.example", "e.example"];
    let captures: Vec<_> = hosts.into_iter().zip(&files).map(|(host, file)| (host, 200, file.as_str())).collect();
    let folder = crawl("groups_managed", &captures);
    let run = ask(&folder, "managed_block_plus_own", &[]);
    let expected = "\
with_block,5
nothing_added,3
rules_for_all_added,0
rules_for_other_agents_added,1
rules_for_agents_of_block_added,1
agents_of_block_allowed,1
all_others_blocked_too,0
another_template,0
";
    assert_eq!(rows(&run, "TEST", &["what", "sites"]), expected, "{run}");
}

/// An agent gains each pattern of the wildcard group once, and only if it matches a path.
#[test]
fn gained_paths_are_distinct_patterns() {
    let wildcard = "User-agent: *\nDisallow: /a\nDisallow: /a\nDisallow:\nDisallow: b\nDisallow: /c\nAllow: /c\n\n";
    let files = [
        format!("{wildcard}User-agent: GPTBot\nDisallow:\n"),
        format!("{wildcard}User-agent: CCBot\nCrawl-delay: 1\n"),
        format!("{wildcard}User-agent: Amazonbot\nDisallow: /z\n"),
    ];
    let hosts = ["a.example", "b.example", "c.example"];
    let captures: Vec<_> = hosts.into_iter().zip(&files).map(|(host, file)| (host, 200, file.as_str())).collect();
    let folder = crawl("groups_gains", &captures);
    let run = ask(&folder, "inheritance_mistake", &["--tokens", "gptbot,ccbot,amazonbot"]);
    let expected = "amazonbot,other-rules,1\nccbot,no-rules,1\ngptbot,disallows-nothing,1\n";
    assert_eq!(rows(&run, "TEST", &["agent", "way", "paths"]), expected, "{run}");
}

/// Rules are lost by an agent whose user-agent line another one replaces, but not if the group has no rules, or if a
/// later line of the group names the agent again. An agent has a row even if all files that name it are without rules.
#[test]
fn agents_lose_rules_only_where_there_are_some() {
    let without_rules = "User-agent: *\nDisallow: /x\n\nUser-agent: GPTBot\nUser-agent: CCBot\n";
    let named_twice =
        "User-agent: *\nDisallow: /x\n\nUser-agent: GPTBot\nUser-agent: CCBot\nUser-agent: GPTBot\nDisallow: /\n";
    let only_agents = "User-agent: Amazonbot\nUser-agent: CCBot\n";
    let captures =
        [("a.example", 200, without_rules), ("b.example", 200, named_twice), ("c.example", 200, only_agents)];
    let folder = crawl("given_lost_rules", &captures);
    let answer = ask(&folder, "parsing_defects", &["--tokens", "gptbot,ccbot,amazonbot"]);
    let lost = rows(&answer, "TEST", &["agent", "sites_named", "sites_lost"]);
    assert_eq!(lost, "ccbot,3,1\n*,2,0\ngptbot,2,0\namazonbot,1,0\n".repeat(2), "{answer}");
}

/// The code of robotstxt-experiments applies the wildcard group to an agent without rules, whether it never had rules or
/// lost them, and whether its user-agent line is alone or the last of a group.
#[test]
fn the_wildcard_group_applies_to_agents_without_rules_in_one_study() {
    let stacked_last = "User-agent: *\nDisallow: /\n\nUser-agent: GPTBot\nUser-agent: CCBot\n";
    let alone_last = "User-agent: *\nDisallow: /\n\nUser-agent: ClaudeBot\nUser-agent: Bytespider\nAllow: /\n\nUser-agent: Amazonbot\n";
    let captures = [("a.example", 200, stacked_last), ("b.example", 200, alone_last)];
    let folder = crawl("given_without_rules", &captures);
    let answer = ask(&folder, "parsing_defects", &["--tokens", "gptbot,ccbot,claudebot,bytespider,amazonbot"]);
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
    let captures = [
        ("a.example", 200, in_two_groups),
        ("b.example", 200, for_two),
        ("c.example", 200, in_one_group),
        ("d.example", 200, for_all),
    ];
    let folder = crawl("given_one_agent", &captures);
    let answer = ask(&folder, "path_exposure", &[]);
    let columns = ["path", "sites", "sites_to_wildcard", "sites_to_one_agent"];
    assert_eq!(rows(&answer, "TEST", &columns), "/x,4,1,1\n/y,1,0,1\n/z,1,0,1\n", "{answer}");
}
