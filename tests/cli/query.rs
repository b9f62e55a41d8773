//! `robocensus query`: answers, their parameters and their formats.

use crate::crawls::{crawl, rows};
use crate::questions::sample_tables;
use crate::run::TestFolder;
use crate::sample;
use committed::full::step;
use std::collections::BTreeMap;
use std::fs;

/// A question with each kind of parameter.
pub(crate) const OWN: &str = "\
-- title: Captures of a status
-- grain: one row per crawl
-- reads: captures
-- parameter: status integer = 200, status: which one
-- parameter: share number = 0.5, share: of nothing
-- parameter: manner one of plain fancy = plain, name: how
-- parameter: is_wanted boolean = true, flag: whether
-- caveat: None.
SELECT crawl, count(*) AS captures, CAST($share AS DOUBLE) AS share, $manner AS manner
FROM captures WHERE fetch_status = $status AND $is_wanted GROUP BY crawl ORDER BY crawl
";

pub(crate) fn with_own(test: &str) -> TestFolder {
    sample::ingested(test).with("own.sql", OWN)
}

#[test]
fn questions_are_listed_by_group() {
    let folder = TestFolder::new("query_list");
    let run = folder.run(&["query"]);
    run.exits_with(0).prints_among_others("A  Coverage and access\n").prints_among_others("status_codes").complains("");
}

#[test]
fn a_question_shows_its_header() {
    let folder = TestFolder::new("query_header").with("own.sql", OWN);
    let run = folder.run(&["query", "status_codes", "--help"]);
    run.exits_with(0).prints_among_others("A02  Status codes").prints_among_others("--crawl <CRAWL>");
    run.prints_among_others("Question: With which status").prints_among_others("Caveat:");
    let run = folder.run(&["query", "own.sql", "--help"]);
    run.exits_with(0).prints_among_others("which one [integer; unit: status; default: 200]");
    run.prints_among_others("--is-wanted").prints_among_others("one of plain, fancy");
}

#[test]
fn a_question_is_answered() {
    let folder = TestFolder::new("query_answer");
    let tables = sample_tables();
    let run = folder.run(&["query", "status_codes", "--tables", tables, "--format", "csv"]);
    run.exits_with(0).complains("");
    assert_eq!(run.stdout.lines().next(), Some("crawl,stratum,status,sites,sites_counted,share"));
    let rows = run.csv_rows();
    let number = |row: &csv::StringRecord, at: usize| row[at].parse::<f64>().expect("it is a number");
    assert_eq!(rows.iter().map(|row| number(row, 3)).sum::<f64>(), 224.0, "sites of the sample\n{run}");
    for row in &rows {
        assert!((number(row, 3) / number(row, 4) - number(row, 5)).abs() < 1e-12, "{row:?}");
    }
    let crawl = rows[0][0].to_owned();
    let one = folder.run(&["query", "status_codes", "--tables", tables, "--format", "csv", "--crawl", &crawl]);
    one.exits_with(0);
    assert!(one.stdout.lines().skip(1).all(|line| line.starts_with(&crawl)), "{one}");
    assert!(one.stdout.lines().count() < run.stdout.lines().count(), "{one}");
}

#[test]
fn options_may_stand_before_and_after_the_name() {
    let folder = with_own("query_options");
    let before = folder.run(&["query", "-t", "tables", "--format", "ndjson", "own.sql"]);
    let after = folder.run(&["query", "own.sql", "--format", "ndjson", "--tables", "tables"]);
    assert_eq!(before.exits_with(0).stdout, after.exits_with(0).stdout);
    let typed = ["query", "own.sql", "--format=ndjson", "--share", "-0.25", "--manner", "fancy", "--status", "404"];
    let run = folder.run(&typed);
    let first = &run.exits_with(0).objects()[0];
    assert_eq!((&first["share"], &first["manner"]), (&(-0.25).into(), &"fancy".into()), "{run}");
    let run = folder.run(&["query", "own.sql", "--is-wanted", "false", "--format", "ndjson"]);
    run.exits_with(0).prints("");
}

#[test]
fn the_file_extension_of_out_chooses_the_format() {
    let folder = TestFolder::new("query_out");
    let tables = sample_tables();
    for (name, start) in
        [("a.csv", "crawl,"), ("a.json", "[{"), ("a.md", "| crawl"), ("a.tsv", "crawl\t"), ("a.parquet", "PAR1")]
    {
        folder
            .run(&["query", "status_codes", "--tables", tables, "--out", name])
            .exits_with(0)
            .prints("")
            .complains("");
        let bytes = fs::read(folder.path().join(name)).expect("the file is there");
        assert!(bytes.starts_with(start.as_bytes()), "{name}: {}", String::from_utf8_lossy(&bytes));
    }
    let left = fs::read_dir(folder.path()).expect("a folder can be listed").flatten();
    assert!(left.into_iter().all(|file| !file.file_name().to_string_lossy().starts_with('.')), "a draft is left");
    // Nothing says what a file with another extension should contain.
    let refused = "answer has no format: a.xyz: its extension is none of txt, csv, tsv, json, ndjson, jsonl, md, parquet; \
        --format names a format for any file\n";
    for asked in [&["query", "status_codes"], &["sql", "SELECT 1"]] {
        let asked = [&asked[..], &["--tables", tables, "--out", "a.xyz"]].concat();
        folder.run(&asked).exits_with(2).prints("").complains(refused);
        folder.run(&[&asked[..], &["--format", "csv"]].concat()).exits_with(0);
        fs::remove_file(folder.path().join("a.xyz")).expect("the file is there");
    }
    folder.run(&["sql", "SELECT 1 AS one", "--tables", tables, "--out", "one"]).exits_with(0);
    assert_eq!(folder.read("one"), "one\n---\n  1\n1 row\n");
    let run = folder.run(&["query", "status_codes", "--tables", tables, "--out", "nowhere/a.csv"]);
    run.exits_with(2).complains_among_others("answer cannot be written: nowhere/a.csv: no such file");
}

/// The verdicts for an untracked agent are those of `robots_access`, which calls the judge.
#[test]
fn any_agent_that_a_file_names_can_be_asked_about() {
    let folder = TestFolder::new("query_untracked");
    let ask = |arguments: &[&str]| {
        let run = folder.run(&[arguments, &["--tables", sample_tables(), "--format", "csv"]].concat());
        run.exits_with(0).complains("");
        run
    };
    let untracked = "SELECT token FROM policies WHERE is_written AND access = 'none' AND token <> '*' AND crawl = 'SAMPLE-2024-10' \
                     AND token NOT IN (SELECT agent FROM tracked_agents) ORDER BY token LIMIT 3";
    let tokens: Vec<String> = ask(&["sql", untracked]).csv_rows().iter().map(|row| row[0].to_owned()).collect();
    assert!(!tokens.is_empty(), "the sample names agents that nobody tracks");
    for token in tokens.iter().step_by(step(3)) {
        let answer = ask(&[
            "query",
            "blocked_by_agent",
            "--tokens",
            token,
            "--crawl",
            "SAMPLE-2024-10",
            "--denominator",
            "decided",
        ]);
        let header = answer.stdout.lines().next().unwrap_or_default().to_owned();
        let row = answer.csv_rows().into_iter().find(|row| row[2] == **token).unwrap_or_else(|| panic!("{answer}"));
        let number = |column: &str| {
            let place = header.split(',').position(|name| name == column).unwrap_or_else(|| panic!("{answer}"));
            row[place].parse::<u32>().unwrap()
        };
        let (sites, counted) = (number("sites"), number("sites_counted"));
        let judged = format!(
            "SELECT sum(CASE WHEN NOT allowed THEN 1 ELSE 0 END), count(allowed) FROM robots_access('{token}', '/') \
             WHERE crawl = 'SAMPLE-2024-10'"
        );
        let judged = ask(&["sql", &judged]);
        // Blocked means access = none: a site may disallow / and allow a path.
        let judged: Vec<u32> = judged.csv_rows()[0].iter().map(|cell| cell.parse().unwrap()).collect();
        assert!(
            sites > 0 && sites <= judged[0] && counted == judged[1],
            "{token}: {sites} of {counted}, judged {judged:?}"
        );
        let named = ask(&["query", "explicit_vs_wildcard", "--tokens", token]);
        assert!(named.csv_rows().iter().any(|row| row[2] == **token), "{named}");
    }
    // An untracked agent in the list does not change the answers for tracked agents.
    let both = ["query", "blocked_by_agent", "--tokens", &format!("gptbot,{}", tokens[0])].map(str::to_owned);
    let both = ask(&both.iter().map(String::as_str).collect::<Vec<_>>());
    let alone = ask(&["query", "blocked_by_agent", "--tokens", "gptbot"]);
    let of_gptbot = |run: &crate::run::Run| -> Vec<csv::StringRecord> {
        run.csv_rows().into_iter().filter(|row| &row[2] == "gptbot").collect()
    };
    assert_eq!(of_gptbot(&both), of_gptbot(&alone));
}

/// A blank separates two names, unless the whole is a known name.
#[test]
fn names_of_agents_may_have_blanks() {
    let robots = "User-agent: Yahoo! Slurp\nUser-agent: slurp\nUser-agent: Own Bot\nUser-agent: bot\nUser-agent: \u{c4}\u{d6} Bot\nDisallow: /\n";
    let folder = crawl("query_blanks", &[("a.example", 200, robots)]).with(
        "list.csv",
        "token,tracked,fallback_tokens,replaced_by\n\u{c4}\u{d6} Bot/2,true,,\nOwn Bot,true,A \u{d6}B,\u{c4}\u{d6} BOT\n",
    );
    let tables = ["--tables", "tables"];
    let agents = |typed: &str| {
        let run =
            folder.run(&[&["query", "blocked_by_agent", "--tokens", typed, "--format", "csv"], &tables[..]].concat());
        let rows: Vec<String> = run.csv_rows().iter().map(|row| row[2].to_owned()).collect();
        if rows.is_empty() { run.stderr } else { rows.join(",") }
    };
    assert_eq!(agents("Yahoo! Slurp"), "*,yahoo! slurp");
    assert_eq!(agents("Own bot"), "*,own bot");
    assert_eq!(agents("slurp bot,Own Bot"), "*,bot,own bot,slurp");
    // Only ASCII letters have another case, as for the judge.
    assert_eq!(agents("\u{c4}\u{d6} BOT"), "*,\u{c4}\u{d6} bot");
    let of_list = ["--agents", "list.csv", "--tables", "tables"];
    folder.run(&["models", "tables", "--again", "--agents", "list.csv"]).exits_with(0);
    let run = folder.run(&[&["query", "blocked_by_agent", "--format", "csv"], &of_list[..]].concat());
    assert_eq!(rows(&run, "\u{d6} bot", &["agent", "sites_by_name"]), "\u{c4}\u{d6} bot,1\n", "{run}");
    // A default names eleven agents. The list tracks none of them, and no file names one.
    let run = folder.run(&[&["query", "ai_agents_named", "--format", "csv"], &of_list[..]].concat());
    assert_eq!(rows(&run, "all", &["majors"]), "11\n", "{run}");
    let listed = "SELECT token, fallback_tokens, replaced_by FROM agents WHERE fallback_tokens IS NOT NULL";
    let run = folder.run(&[&["sql", listed, "--format", "csv"], &of_list[..]].concat());
    run.prints("token,fallback_tokens,replaced_by\nown bot,a \u{d6}b,\u{c4}\u{d6} bot\n");
    folder.run(&["models", "tables", "--again"]).exits_with(0);
    let unknown = agents("Other Crawler");
    assert!(unknown.starts_with("agent is unknown: other crawler in blocked_by_agent"), "{unknown}");
    let unknown = agents("bot other");
    assert!(unknown.starts_with("agent is unknown: other in blocked_by_agent"), "{unknown}");
}

#[test]
fn answers_are_split_in_two_ways_and_by_server() {
    let folder = TestFolder::new("query_splits").with("ranks.csv", crate::given::RANKS);
    let strata = |more: &[&str]| {
        let run = folder
            .run(&[&["query", "violation_overview", "--tables", sample_tables(), "--format", "csv"], more].concat());
        run.exits_with(0).complains("");
        let strata: std::collections::BTreeSet<String> = run.csv_rows().iter().map(|row| row[1].to_owned()).collect();
        (strata, run)
    };
    let (tlds, run) = strata(&["--by", "tld"]);
    assert!(tlds.contains("com") && tlds.contains("de") && tlds.len() > 3, "{run}");
    let (both, run) = strata(&["--by", "tld,rank", "--table", "ranks=ranks.csv"]);
    assert!(both.contains("1 to 1,000 / com") && both.contains("unranked / com"), "{run}");
    let (servers, run) = strata(&["--by", "server"]);
    assert!(servers.iter().all(|server| !server.contains('/')) && servers.len() > 1, "{run}");
    // The sites of the strata add up to all sites.
    let (large, run) = strata(&["--by", "tld", "--min-sites", "20"]);
    assert!(large.contains("com") && large.len() < tlds.len(), "{run}");
}

/// The sites of a host or domain share the weight 1, and sums of shares are exact: whole domains add up to whole numbers.
#[test]
fn sums_of_shared_weights_are_exact() {
    let folder = TestFolder::new("query_weights");
    let number = |text: &str| text.parse::<f64>().unwrap_or_else(|error| panic!("{text}: {error}"));
    for weight in ["domain", "host"] {
        let ask = |question: &str| {
            let typed = ["--weight", weight, "--tables", sample_tables(), "--format", "csv"];
            let run = folder.run(&[&["query", question], &typed[..]].concat());
            run.exits_with(0).csv_rows()
        };
        let mut sums = BTreeMap::new();
        for row in ask("status_codes") {
            let (sites, sites_counted) = (number(&row[3]), number(&row[4]));
            assert!(sites_counted.fract() == 0.0, "{weight}: {row:?}");
            let sum = sums.entry((row[0].to_owned(), sites_counted.to_bits())).or_insert(0.0);
            *sum += sites;
        }
        assert!(sums.iter().all(|((_, counted), sum)| f64::from_bits(*counted) == *sum), "{weight}: {sums:?}");
    }
}

/// A question that ranks its rows, and one that does not, agree on sums of fractions.
#[test]
fn sums_of_shared_weights_are_fractions_in_every_question() {
    let folder = TestFolder::new("query_fractions");
    let ask = |question: &str, more: &[&str]| {
        let typed = ["query", question, "--weight", "domain", "--tables", sample_tables(), "--format", "csv"];
        folder.run(&[&typed[..], more].concat()).exits_with(0).csv_rows()
    };
    let sites = |rows: Vec<csv::StringRecord>, [tier, code, sites]: [usize; 3]| -> BTreeMap<String, String> {
        let key = |row: &csv::StringRecord| format!("{} {} {}", &row[0], &row[tier], &row[code]);
        rows.iter().map(|row| (key(row), row[sites].to_owned())).collect()
    };
    let examples = sites(ask("violation_examples", &["--tiers", "A"]), [3, 4, 5]);
    assert!(examples.values().any(|sites| sites.contains('.')), "{examples:?}");
    let overview = sites(ask("violation_overview", &[]), [2, 3, 9]);
    for (code, sites) in examples {
        assert_eq!(overview.get(&code), Some(&sites), "{code}");
    }
}

/// A stratum whose sites all have no weight has sums of zero, and shares that are null.
#[test]
fn no_share_is_nan_without_a_weight() {
    let folder = TestFolder::new("query_no_weight").with("w.csv", "host,weight\nwww.example.com,1\n");
    for question in ["encoding", "violation_overview", "unknown_keys", "sitemaps", "dead_rules"] {
        let typed = ["--by", "server", "--weight", "own", "--table", "weights=w.csv", "--tables", sample_tables()];
        let run = folder.run(&[&["query", question, "--format", "csv"], &typed[..]].concat());
        run.exits_with(0);
        assert!(!run.stdout.contains("NaN") && run.csv_rows().len() > 2, "{question}: {run}");
    }
}
