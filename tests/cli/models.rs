//! Derived tables: when they are made and replaced. A missing table or one that is out of date is not read.

use crate::archives;
use crate::crawls::{TIME, record, tables_of};
use crate::questions::copied;
use crate::run::TestFolder;
use crate::{sample, tables};
use std::fs;

const COUNT: &str = "SELECT count(*) AS sites FROM sites";

#[test]
fn models_keeps_tables_that_are_up_to_date() {
    let folder = copied("models_again");
    let before = sample::files(&folder.path().join(sample::OUT));
    let again = folder.run(&["models", sample::OUT]);
    again.exits_with(0).prints_among_others("was up to date");
    assert!(!again.stdout.lines().skip(1).any(|line| !line.ends_with("was up to date")), "{again}");
    folder.run(&["models", sample::OUT, "--again", "--quiet"]).exits_with(0).prints("");
    assert_eq!(sample::files(&folder.path().join(sample::OUT)), before, "made again, they have the same bytes");
    folder.run(&["check", sample::OUT, "--quiet"]).exits_with(0).complains("");
}

#[test]
fn a_missing_derived_table_is_reported() {
    let folder = tables::copied("models_missing");
    folder
        .run(&["sql", "--tables", "tables", COUNT])
        .exits_with(2)
        .complains_among_others("tables/sites")
        .complains_among_others("it was not made for that crawl; run robocensus models, unless an ingest is running, which makes it at its end");
}

/// Removes the derived tables of a crawl.
fn remove_derived(folder: &TestFolder, crawl: &str) {
    for table in ["tracked_agents", "body_classes", "sites", "class_verdicts"] {
        let path = folder.path().join(format!("tables/{table}/crawl={crawl}"));
        fs::remove_dir_all(path).expect("the partition can be removed");
        let entry = folder.path().join(format!("tables/_robocensus/models/{table}/{crawl}.json"));
        fs::remove_file(entry).expect("its entry can be removed");
    }
}

#[test]
fn questions_about_two_crawls_need_no_derived_tables_of_others() {
    let captures: &[(&str, u16, &str)] = &[("a.com", 200, "User-agent: GPTBot\nDisallow: /\n")];
    let crawls = ["2024", "2025", "2026"].map(|year| (format!("TEST-{year}-46"), format!("{year}-11-10")));
    let crawls = crawls.each_ref().map(|(crawl, day)| (crawl.as_str(), day.as_str(), captures));
    let folder = crate::crawls::tables("models_of_two", &crawls);
    let ask = |crawls: &[&str]| folder.run(&[&["query", "policy_flips", "--format", "csv"], crawls].concat());
    let both = ["--crawl-from", "TEST-2024-46", "--crawl-to", "TEST-2026-46"];
    let whole = ask(&both);
    whole.exits_with(0);
    remove_derived(&folder, "TEST-2025-46");
    assert_eq!(ask(&both).stdout, whole.stdout);
    ask(&both[2..]).exits_with(2).complains_among_others("it was not made for that crawl; run robocensus models");
}

#[test]
fn questions_about_one_crawl_need_no_derived_tables_of_others() {
    let folder = copied("models_of_one");
    let ask = |crawl: &[&str]| folder.run(&[&["query", "blocked_by_agent", "--format", "csv"], crawl].concat());
    let whole = ask(&["--crawl", "SAMPLE-2024-10"]);
    whole.exits_with(0);
    remove_derived(&folder, "SAMPLE-2025-10");
    assert_eq!(ask(&["--crawl", "SAMPLE-2024-10"]).stdout, whole.stdout);
    for crawl in [&[] as &[&str], &["--crawl", "SAMPLE-2025-10"]] {
        let run = ask(crawl);
        run.exits_with(2).complains_among_others("it was not made for that crawl; run robocensus models");
        run.complains_among_others("questions with --crawl, or with --crawl-from and --crawl-to, can answer");
    }
    // They would count fewer AI agents, or the sites of fewer crawls.
    for question in [&["ai_overview"] as &[&str], &["forbidden_trend", "--panel", "true"]] {
        let run = folder.run(&[&["query"], question, &["--crawl", "SAMPLE-2024-10"]].concat());
        run.exits_with(2).prints("").complains_among_others("it was not made for that crawl; run robocensus models");
    }
}

#[test]
fn a_table_that_is_out_of_date_is_not_read() {
    let folder = tables::copied("models_stale");
    folder.run(&["models", "tables", "--quiet"]).exits_with(0);
    folder.run(&["sql", "--tables", "tables", "--format", "csv", COUNT]).exits_with(0);
    let entry = folder.path().join("tables/_robocensus/ledger/part-00000.json");
    tables::edit_json(&entry, |entry| entry["files"][0]["sha256"] = "0".repeat(64).into());
    folder
        .run(&["sql", "--tables", "tables", COUNT])
        .exits_with(2)
        .complains_among_others("table is out of date")
        .complains_among_others("run robocensus models");
}

#[test]
fn a_table_made_with_another_list_of_agents_is_not_read() {
    let all = include_str!("../../datasets/agents.csv");
    let few: Vec<&str> = all.lines().take(20).collect();
    let folder = copied("models_agents").with("mine.csv", few.join("\n"));
    for table in ["tracked_agents", "body_classes", "class_verdicts", "site_access"] {
        let count = format!("SELECT count(*) FROM {table}");
        folder.run(&["sql", "--tables", sample::OUT, &count]).exits_with(0);
        folder
            .run(&["sql", "--tables", sample::OUT, "--agents", "mine.csv", &count])
            .exits_with(2)
            .complains_among_others("table is out of date: tables/tracked_agents")
            .complains_among_others("it was made with another list of agents");
    }
    folder.run(&["models", "-q", "--agents", "mine.csv"]).exits_with(0);
    folder.run(&["check", "-q"]).exits_with(1).complains_among_others("use that list with --agents");
    folder.run(&["check", "-q", "--agents", "mine.csv"]).exits_with(0).complains("");
    // Sites are the same for any list.
    folder.run(&["sql", "--tables", sample::OUT, "--agents", "mine.csv", COUNT]).exits_with(0);
}

#[test]
fn the_number_of_jobs_changes_no_byte() {
    let folder = TestFolder::new("models_jobs");
    archives::write(&folder, "SYNTH-2024-10", 40, 20);
    folder.run(&["ingest", "crawl-data", "--out", "tables", "--quiet"]).exits_with(0);
    let files = ["1", "2", "7"].map(|jobs| {
        folder.run(&["models", "tables", "--again", "--jobs", jobs, "--quiet"]).exits_with(0);
        sample::files(&folder.path().join("tables"))
    });
    assert!(files.iter().all(|others| *others == files[0]), "the files differ");
}

/// Captures of one second are in the order of the archive.
#[test]
fn the_option_capture_chooses_the_capture() {
    let site = |host: &str, captures: &[(&str, u16)]| -> String {
        let url = format!("https://{host}/robots.txt");
        captures
            .iter()
            .map(|(second, status)| record(&url, &format!("2026-01-01T00:00:{second}Z"), *status, "", ""))
            .collect()
    };
    let archive = site("a.example", &[("02", 404), ("01", 200), ("01", 200), ("02", 503)])
        + &site("b.example", &[("01", 200), ("01", 200), ("02", 404), ("02", 404)]);
    let folder = tables_of("models_choice", &[("TEST", archive)]);
    let chosen = "SELECT string_agg(CAST(capture_id AS varchar), ' ' ORDER BY site_id) AS chosen FROM sites";
    for (capture, ids) in [("latest", "3 7"), ("first", "1 4"), ("best", "2 5")] {
        folder.run(&["models", "tables", "--capture", capture, "--quiet"]).exits_with(0);
        let run = folder.run(&["sql", "--tables", "tables", "--format", "csv", chosen]);
        run.exits_with(0).prints(&format!("chosen\n{ids}\n"));
    }
}

/// Numbers of earlier crawls must not change because a command does not name a choice again.
#[test]
fn earlier_choices_stay() {
    let few: Vec<&str> = include_str!("../../datasets/agents.csv").lines().take(20).collect();
    let folder = copied("models_earlier")
        .with("mine.csv", few.join("\n"))
        .with("a.warc", record("https://a.example/robots.txt", "2026-01-01T00:00:00Z", 200, "", "User-agent: *\n"));
    let models = |more: &[&str]| folder.run(&[&["models"], more].concat());
    let entry = folder.path().join("tables/_robocensus/models/sites/SAMPLE-2025-10.json");
    let made = || fs::read_to_string(&entry).expect("the entry can be read");
    models(&["--capture", "first", "--agents", "mine.csv"]).exits_with(0);
    let (first, files) = (made(), sample::files(&folder.path().join(sample::OUT)));
    let again = models(&[]);
    again.exits_with(0);
    assert!(!again.stdout.lines().skip(1).any(|line| !line.ends_with("was up to date")), "{again}");
    assert_eq!(sample::files(&folder.path().join(sample::OUT)), files, "views and tables stay, too");
    // The views have the list, but not the place, from the file that is there.
    let place = |place: &str| folder.path().join(place);
    fs::rename(place("tables"), place("moved")).expect("a folder can be moved");
    folder.run(&["models", "moved", "--quiet"]).exits_with(0);
    let views = |place_of: &str| fs::read_to_string(place(place_of).join("views.duckdb.sql")).expect("views are there");
    assert!(views("moved").contains(&format!("'{}'", place("moved").display())));
    let check = ["check", "moved", "--agents", "mine.csv", "-q"];
    folder.run(&check).exits_with(0).complains("");
    fs::rename(place("moved/views.duckdb.sql"), place("aside.sql")).expect("a file can be moved");
    folder.run(&["models", "moved"]).exits_with(2).complains_among_others(
        "views cannot be made: moved/views.duckdb.sql: they have your own list of agents; run robocensus models with \
         --agents and that list",
    );
    folder.run(&["models", "moved", "--agents", "mine.csv", "--quiet"]).exits_with(0);
    assert_eq!(views("moved"), fs::read_to_string(place("aside.sql")).expect("it is there"));
    fs::rename(place("moved"), place("tables")).expect("a folder can be moved");
    fs::remove_file(&entry).expect("it can be removed");
    let cause = "derived tables cannot be made: tables: those of SAMPLE-2024-10 were made with your own list of \
                 agents; run robocensus models with --agents and that list, or with --again for the built-in list";
    models(&[]).exits_with(2).complains_among_others(cause);
    models(&["--agents", "mine.csv", "--quiet"]).exits_with(0);
    let capture = |text: &str| text.split_once("\"capture\":").map(|(_, rest)| rest.get(..8).map(str::to_owned));
    assert_eq!(capture(&made()), capture(&first), "like the other crawl");
    models(&["--again", "--quiet"]).exits_with(0);
    assert_eq!(capture(&made()), capture(&first), "the list is the built-in one again, and the capture is the same");
    models(&["--capture", "best", "--crawl", "SAMPLE-2024-10", "--quiet"]).exits_with(0);
    models(&["--quiet"]).exits_with(0);
    assert_eq!(capture(&made()), capture(&first), "each crawl keeps its own");
    folder.run(&["ingest", "a.warc", "--crawl", "NEW", "--out", "tables", "--quiet"]).exits_with(1);
    models(&[])
        .exits_with(2)
        .complains_among_others("capture is not chosen: NEW: derived tables use the capture best for");
    models(&["--capture", "latest", "--crawl", "NEW", "--quiet"]).exits_with(0);
    models(&["--quiet"]).exits_with(0);
    folder.run(&["check", "-q"]).exits_with(0).complains("");
}

/// The name of another folder may be a typing error, so nothing is written there.
#[test]
fn a_folder_without_tables_is_refused_and_stays_as_it_is() {
    let folder = crate::run::TestFolder::new("models_elsewhere").with("notes.txt", "mine");
    let expected =
        "folder has no tables: .: it has none of the folders of tables; name one that robocensus ingest wrote\n";
    folder.run(&["models", "."]).exits_with(2).prints("").complains(expected);
    assert_eq!(sample::files(folder.path()).len(), 1);
}

/// A revisit has the body that it repeats, by the digest that its archive gives: WARC 1.1 § 6.7.2.
#[test]
fn a_revisit_has_the_body_that_it_repeats() {
    let rules = "User-agent: *\nDisallow: /\n";
    let with = |host: &str, kind: &str, digest: &str, status: u16, body: &str| {
        let field = format!("WARC-Type: {kind}\r\nWARC-Payload-Digest: {digest}\r\n");
        record(&format!("https://{host}.example/robots.txt"), "2026-11-10T01:00:00Z", status, "", body).replacen(
            "WARC-Type: response\r\n",
            &field,
            1,
        )
    };
    let without_block = |host: &str, digest: &str| {
        format!(
            "WARC/1.1\r\nWARC-Type: revisit\r\nWARC-Target-URI: https://{host}.example/robots.txt\r\n\
             WARC-Payload-Digest: {digest}\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
        )
    };
    let (sha1, hex, sha256) = ("sha1:MNSXZO35OCDMK2YM2TS4NGM3W2BWMSDI", "sha1:0c11", "sha256:9f86d081");
    let sha1_in_hex = "sha1:63657cbb7d7086c56b0cd4e5c6999bb683664868";
    // An archive states the digest of a body as it was sent, which may be coded.
    let coded = "sha1:CJ3UKHECKZ2L5BTRGS3QWH62SWEVJUTN";
    // Two bodies cannot have the same digest.
    let constant = "sha1:CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC";
    let (nothing, unknown) = ("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    let archive = [
        with("a-repeats-coded", "revisit", coded, 200, ""),
        with("coded", "response", coded, 200, "User-agent: c\nDisallow: /\n"),
        with("coded", "revisit", coded, 200, ""),
        with("constant", "response", constant, 200, "User-agent: d\nDisallow: /\n"),
        with("constant-too", "response", constant, 200, "User-agent: e\nDisallow: /\n"),
        with("empty", "response", nothing, 200, ""),
        with("repeats-constant", "revisit", constant, 200, ""),
        with("hex", "response", hex, 200, "User-agent: b\nDisallow: /\n"),
        with("sha1", "response", sha1, 200, rules),
        with("sha256", "response", sha256, 200, "<html></html>"),
        with("repeats-empty", "revisit", nothing, 200, ""),
        with("repeats-hex", "revisit", "SHA1:0C11", 200, ""),
        with("repeats-sha1", "revisit", sha1, 200, ""),
        with("repeats-sha256", "revisit", sha256, 200, ""),
        with("repeats-unknown", "revisit", unknown, 200, ""),
        with("unchanged", "revisit", sha1, 304, ""),
        with("unchanged-hex", "revisit", sha1_in_hex, 304, ""),
        with("unchanged-without-digest", "revisit", nothing, 304, ""),
        without_block("without-block", sha1),
        without_block("without-block-unknown", unknown),
    ];
    let folder = tables_of("models_revisits", &[("TEST-2026-46", archive.concat())]);
    let outcomes = "SELECT url_host_name AS host, outcome FROM sites ORDER BY host";
    folder.run(&["sql", "--tables", "tables", "--format", "csv", outcomes]).exits_with(0).prints(
        "host,outcome\n\
         a-repeats-coded.example,rules\n\
         coded.example,rules\n\
         constant-too.example,rules\n\
         constant.example,rules\n\
         empty.example,no_rules\n\
         hex.example,rules\n\
         repeats-constant.example,no_capture\n\
         repeats-empty.example,no_rules\n\
         repeats-hex.example,rules\n\
         repeats-sha1.example,rules\n\
         repeats-sha256.example,not_robots\n\
         repeats-unknown.example,no_capture\n\
         sha1.example,rules\n\
         sha256.example,not_robots\n\
         unchanged-hex.example,rules\n\
         unchanged-without-digest.example,no_capture\n\
         unchanged.example,rules\n\
         without-block-unknown.example,no_capture\n\
         without-block.example,rules\n",
    );
    folder.run(&["check", "tables", "--quiet"]).exits_with(0).complains("");
}

/// RFC 9112 § 8: a response that breaks off before its body is incomplete, and not an empty file. A recorder stores a
/// response to HEAD in the same way.
#[test]
fn a_capture_without_the_file_counts_only_if_there_is_no_other() {
    let rules = "User-agent: *\nDisallow: /\n";
    let at = |host: &str, second: u32, from: &str, to: &str, body: &str| {
        let url = format!("https://{host}.example/robots.txt");
        let record = record(&url, &format!("2026-11-10T01:00:0{second}Z"), 200, "", body);
        assert!(from.is_empty() || record.contains(from), "{record}");
        // Lengths that a change spoils are made right.
        let (head, rest) = record.split_once("\r\n\r\n").expect("a record has a head");
        let block = rest.strip_suffix("\r\n\r\n").expect("a record has an end").replacen(from, to, 1);
        let head = head.lines().filter(|line| !line.starts_with("Content-Length")).collect::<Vec<_>>().join("\r\n");
        format!("{head}\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n", block.len())
    };
    let whole = |host: &str, second| at(host, second, "", "", rules);
    let of_head = |host: &str, second| at(host, second, "Content-Length: 0", "Content-Length: 26", "");
    let unended = |host: &str, second| at(host, second, "Content-Length: 0\r\n\r\n", "Content-Le", "");
    let cut = |host: &str, second| {
        let cut = at(host, second, "Content-Length: 0", "Transfer-Encoding: chunked", "");
        cut.replacen("WARC-Date", "WARC-Truncated: disconnect\r\nWARC-Date", 1)
    };
    let not_modified = |host: &str, second| at(host, second, "200 X", "304 X", "");
    let coded = |host: &str, second, length: u32| {
        let fields = format!("Content-Encoding: gzip\r\nContent-Length: {length}");
        at(host, second, "Content-Length: 0", &fields, "")
    };
    let archive = [
        at("after-503", 1, "200 X", "503 X", "") + &of_head("after-503", 2),
        whole("and-304", 1) + &not_modified("and-304", 2),
        whole("and-coded-head", 1) + &coded("and-coded-head", 2, 5000),
        whole("and-cut", 1) + &cut("and-cut", 2),
        whole("and-head", 1) + &of_head("and-head", 2),
        whole("and-unended", 1) + &unended("and-unended", 2),
        coded("coded", 1, 20),
        cut("cut", 1),
        at("empty", 1, "", "", ""),
        whole("empty-later", 1) + &at("empty-later", 2, "", "", ""),
        of_head("head", 1),
        unended("unended", 1),
    ];
    let folder = tables_of("models_without_the_file", &[("TEST-2026-46", archive.concat())]);
    let outcomes = "SELECT split_part(s.url_host_name, '.', 1) AS host, outcome, date_part('second', s.fetch_time) AS second, \
        c.remarks LIKE '%body-missing%' AS is_missing FROM sites s JOIN captures c ON c.capture_id = s.capture_id ORDER BY host";
    for capture in ["latest", "best"] {
        folder.run(&["models", "tables", "--capture", capture, "--quiet"]).exits_with(0);
        folder.run(&["sql", "--tables", "tables", "--format", "csv", outcomes]).exits_with(0).prints(
            "host,outcome,second,is_missing\n\
             after-503,unreachable,1,false\n\
             and-304,rules,1,false\n\
             and-coded-head,rules,1,false\n\
             and-cut,rules,1,false\n\
             and-head,rules,1,false\n\
             and-unended,rules,1,false\n\
             coded,no_rules,1,false\n\
             cut,no_capture,1,true\n\
             empty,no_rules,1,false\n\
             empty-later,no_rules,2,false\n\
             head,no_capture,1,true\n\
             unended,no_capture,1,true\n",
        );
    }
    folder.run(&["check", "tables", "--archives", "--quiet"]).exits_with(0).complains("");
}

/// RFC 9309 § 2.3.1.2: the rules are at the end of the redirects, wherever that is. A recorder stores it after them.
#[test]
fn targets_of_redirects_are_read_in_any_archive() {
    let to = |from: &str, to: &str| record(from, TIME, 301, &format!("Location: {to}\r\n"), "");
    let rules = |url: &str| record(url, TIME, 200, "", "User-agent: *\nDisallow: /\n");
    let archive = [
        rules("https://a.example/"),
        to("https://a.example/robots.txt", "/rules?v=1"),
        to("https://a.example/rules?v=1", "//b.example/en/robots.txt"),
        rules("https://a.example/page"),
        rules("https://b.example/en/robots.txt"),
        to("https://c.example/robots.txt", "https://a.example/"),
    ];
    let folder = TestFolder::new("models_redirects_anywhere");
    std::fs::write(folder.path().join("mine.warc"), archive.concat()).expect("an archive can be written");
    let ingest = ["ingest", "mine.warc", "--crawl", "TEST-2026-46", "--out", "tables", "--models", "latest"];
    let run = folder.run(&ingest);
    run.exits_with(0);
    assert!(run.stdout.contains("records   6 = 4 captures + 2 skipped\nskipped   2 elsewhere\n"), "{}", run.stdout);
    let outcomes = "SELECT url_host_name, hops, outcome, redirect_end FROM sites ORDER BY url_host_name";
    folder.run(&["sql", "--tables", "tables", "--format", "csv", outcomes]).exits_with(0).prints(
        "url_host_name,hops,outcome,redirect_end\n\
         a.example,2,rules,\n\
         c.example,0,redirect_unresolved,not-captured\n",
    );
    folder.run(&["check", "tables", "--archives", "--quiet"]).exits_with(0).complains("");
    // A run that finds nothing says what it looked for.
    std::fs::write(folder.path().join("other.warc"), rules("https://a.example/")).expect("an archive can be written");
    let run = folder.run(&["ingest", "other.warc", "--crawl", "TEST-2026-46", "--out", "others", "--models", "none"]);
    let advice = "\nNo record is a response for /robots.txt. With --all-responses and another --out, every response is \
        read as one.\n";
    assert!(run.stdout.contains(advice), "{}", run.stdout);
    std::fs::create_dir(folder.path().join("robotstxt")).expect("a folder can be made");
    let metadata = rules("http://a.example/robots.txt").replacen("WARC-Type: response", "WARC-Type: metadata", 1);
    std::fs::write(folder.path().join("robotstxt/metadata.warc"), metadata).expect("an archive can be written");
    let none = ["ingest", "robotstxt", "--crawl", "TEST-2026-46", "--out", "none", "--models", "none"];
    let run = folder.run(&none);
    assert!(run.stdout.contains("skipped   1 metadata\n") && !run.stdout.contains("No record"), "{}", run.stdout);
    // A resource was not fetched over HTTP.
    let resource = rules("https://a.example/page").replacen("WARC-Type: response", "WARC-Type: resource", 1);
    folder.write("resource.warc", resource);
    let all = ["ingest", "resource.warc", "--crawl", "C", "--all-responses", "--out", "all", "--models", "none"];
    let run = folder.run(&all);
    assert!(run.stdout.contains("skipped   1 elsewhere\n") && !run.stdout.contains("No record"), "{}", run.stdout);
}

/// Answers of a part of the archives look like those of all.
#[test]
fn commands_say_that_an_ingest_is_unfinished() {
    let folder = sample::modelled("models_unfinished");
    let out = sample::OUT;
    let plan = folder.path().join(out).join("_robocensus/plan.ndjson");
    let text = fs::read_to_string(&plan).expect("a run leaves it");
    let last = text.lines().last().expect("a part").to_owned();
    let url = "https://plain.example/";
    let commands: [&[&str]; 4] = [
        &["query", "ai_overview", "--tables", out, "--format", "csv"],
        &["sql", "SELECT count(*) FROM captures", "--tables", out, "--format", "csv"],
        &["explain", url, "--agent", "GPTBot", "--tables", out],
        &["models", out],
    ];
    for (parts, said) in [(0, ""), (1, "1 part of the archives is"), (2, "2 parts of the archives are")] {
        // Parts with other numbers.
        let more = (0..parts).map(|part| last.replacen("\"part\":", &format!("\"part\":9{part}"), 1) + "\n");
        fs::write(&plan, text.clone() + &more.collect::<String>()).expect("it can be written");
        for command in commands {
            let run = folder.run(command);
            let expected =
                format!("tables are unfinished: {out}: {said} not read yet; run the same robocensus ingest again\n");
            assert!(run.stderr.contains(&expected) == (parts > 0), "{run}");
            let run = folder.run(&[command, &["--quiet"]].concat());
            assert!(!run.stderr.contains("unfinished"), "{run}");
        }
    }
    folder.run(&["report", "--tables", out, "--out", "page", "--only", "access"]).exits_with(0);
    let page = fs::read_to_string(folder.path().join("page/index.html")).expect("it is there");
    assert!(page.contains("The tables are not finished: 2 parts of the archives are not read yet."));
}
