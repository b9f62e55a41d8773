//! Messages of `robocensus query`: what is refused, and why an answer is empty.

use crate::query::{OWN, with_own};
use crate::questions::sample_tables;
use crate::run::TestFolder;
use crate::sample;
use arrow_array::{ArrayRef, Int64Array, RecordBatch};
use parquet::arrow::ArrowWriter;
use std::fs::File;
use std::sync::Arc;

#[test]
fn invalid_names_values_and_files_are_reported() {
    let folder = with_own("query_wrong").with("headless.sql", "SELECT 1");
    let check = |arguments: &[&str], expected: &str| {
        folder.run(&[&["query"], arguments].concat()).exits_with(2).prints("").complains_among_others(expected);
    };
    check(
        &["status_code"],
        "question is unknown: status_code: robocensus query lists all questions; a question file must end in .sql; did you mean status_codes?",
    );
    check(&["d09"], "a question file must end in .sql; d09 is the topic of agent_cooccurrence\n");
    check(&["blocked_by_agent", "--agent", "GPTBot", "--tables", "nowhere"], "folder cannot be read: nowhere: ");
    check(
        &["blocked_by_agent", "--agents", "GPTBot", "--tables", sample_tables()],
        "agents cannot be read: GPTBot: no such file or directory (os error 2); --agents takes a file, and --tokens of a \
         question takes names\n",
    );
    check(&["nowhere.sql"], "question cannot be read: nowhere.sql: no such file");
    check(&["headless.sql", "--a", "b"], "header cannot be read: headless.sql: title is missing");
    check(&["own.sql", "--statu", "5"], "--status");
    check(&["own.sql", "--status", "many"], "many is not a whole number");
    check(&["own.sql", "--status", "10000000000000000000"], "10000000000000000000 is more than 9223372036854775807");
    check(&["own.sql", "--manner", "fanci"], "fancy");
    check(
        &["status_codes", "--tables", "nowhere"],
        "folder cannot be read: nowhere: no such file or directory (os error 2); --tables names the folder that ingest wrote",
    );
    check(
        &["status_codes", "--tables", "."],
        "folder has no tables: .: it has none of the folders of tables; name one that robocensus ingest wrote",
    );
    check(&["top_agents", "--top", "0"], "0 is less than 1");
    check(&["top_agents", "--by", "rank,tdl"], "tdl is not one of none, rank-cumulative, rank, tld, category, server");
    check(
        &["status_codes", "--table", "rank=foo.csv"],
        "table is unknown: rank: no question reads it; questions can read these tables of yours: ranks, weights, categories; did you mean ranks?\n\
         table cannot be read: foo.csv: no such file or directory (os error 2)\n",
    );
    check(
        &["status_codes", "--format", "parquet"],
        "format needs a file: parquet: name a file for the answer, such as --out answer.parquet",
    );
    check(&["status_codes", "--memory", "2G"], "512MiB");
    check(&["status_codes", "--table", "captures=own.sql"], "there is a table captures already");
}

#[test]
fn question_files_with_a_mistake_are_refused() {
    let head = "-- title: T\n-- grain: g\n-- reads: captures\n";
    let folder = TestFolder::new("query_mistakes");
    let check = |text: &str, expected: &str| {
        std::fs::write(folder.path().join("own.sql"), text).expect("a file can be written");
        let run = folder.run(&["query", "own.sql", "--tables", sample_tables(), "--format", "csv"]);
        run.exits_with(2).prints("").complains(expected);
    };
    check(
        &(head.replace("captures", "captures, nope") + "SELECT fetch_status FROM captures ORDER BY 1"),
        "question cannot be read: own.sql: its line -- reads names nope, which its statement does not read\n",
    );
    check(
        &format!("{head}SELECT fetch_status FROM captures WHERE fetch_status = $a"),
        "question cannot be read: own.sql: $a is not declared; add a line -- parameter: a TYPE = DEFAULT, UNIT: MEANING, \
         with a type of text, integer, count, number, boolean, crawl, template, purpose, agent, agents, texts, path, one of \
         WORDS, some of WORDS\n",
    );
    check(
        &format!("{head}SELECT 1 AS a; SELECT 2 AS b"),
        "query cannot be read: own.sql: it has 2 statements, but a question is one\n",
    );
    check(&format!("{head}SELECT FROM"), "query cannot be read: own.sql: expected: identifier, found: EOF\n");
    std::fs::write(
        folder.path().join("own.sql"),
        format!("\u{feff}{head}SELECT count(*) AS captures FROM captures WHERE fetch_status = 503"),
    )
    .expect("a file can be written");
    let run = folder.run(&["query", "own.sql", "--tables", sample_tables(), "--format", "csv"]);
    run.exits_with(0).prints_among_others("captures\n");
}

#[test]
fn options_without_an_effect_are_refused() {
    let folder = TestFolder::new("query_without_effect");
    for (arguments, expected) in [
        (&["--engine", "duckdb"][..], "--engine: it prints the statement of a question; name one"),
        (&["--print-sql", "--engine", "duckdb"], "--print-sql: it prints the statement of a question; name one"),
        (&["--format", "json"], "--format: it is for an answer; name a question"),
        (&["--exact"], "--exact: it is for an answer; name a question"),
        (&["--table", "ranks=r.csv"], "--table: it is for an answer; name a question"),
        (&["--jobs", "1"], "--jobs: it is for an answer; name a question"),
        (
            &["status_codes", "--engine", "duckdb", "--format", "csv"],
            "--format: it is for an answer, and --print-sql and --engine print a statement",
        ),
        (&["status_codes", "--exact", "--format", "json"], "--exact: it is for csv and tsv, and the answer is json"),
        (&["status_codes", "--exact", "--out", "a.md"], "--exact: it is for csv and tsv, and the answer is markdown"),
    ] {
        let run = folder.run(&[&["query", "--tables", sample_tables()], arguments].concat());
        run.exits_with(2).prints("").complains(&format!("option does not fit: {expected}\n"));
    }
}

#[test]
fn a_parameter_with_the_name_of_an_option_is_an_error() {
    let text = OWN.replace("parameter: status ", "parameter: format ").replace("$status", "$format");
    let folder = TestFolder::new("query_taken").with("own.sql", text);
    let run = folder.run(&["query", "own.sql"]);
    run.exits_with(2).complains(
        "question cannot be read: own.sql: parameter format has the name of an option of robocensus query; rename it\n",
    );
}

#[test]
fn a_question_without_its_user_table_fails() {
    let text = "-- title: Ranks\n-- grain: one row\n-- reads: ranks\nSELECT host, rank FROM ranks ORDER BY rank";
    let folder = sample::ingested("query_needs")
        .with("ranks.sql", text)
        .with("top.csv", "1,Example.com\n2,example.org\n3,example.com\n")
        .with("named.csv", "rank,domain\n7,a.example\n");
    let run = folder.run(&["query", "ranks.sql"]);
    run.exits_with(2).complains_among_others("the question reads the table ranks; provide it with --table ranks=FILE");
    let run = folder.run(&["query", "ranks.sql", "--table", "ranks=top.csv", "--format", "csv"]);
    run.exits_with(0).prints("host,rank\nexample.com,1\nexample.org,2\n");
    let run = folder.run(&["query", "ranks.sql", "--table", "ranks=named.csv", "--format", "csv"]);
    run.exits_with(0).prints("host,rank\na.example,7\n");
}

#[test]
fn unknown_names_are_reported() {
    let folder = TestFolder::new("query_unknown");
    let check = |arguments: &[&str], expected: &str| {
        let run = folder.run(&[&["query", "--tables", sample_tables()], arguments].concat());
        run.exits_with(2).prints("").complains(expected);
    };
    check(
        &["status_codes", "--crawl", "SAMPLE-2024-1"],
        "crawl is unknown: SAMPLE-2024-1: the folder has SAMPLE-2024-10, SAMPLE-2025-10; did you mean SAMPLE-2024-10?\n",
    );
    // A script may have lost the value of a variable.
    check(&["status_codes", "--crawl", ""], "crawl is unknown: '': the folder has SAMPLE-2024-10, SAMPLE-2025-10\n");
    check(
        &["panel_change", "--crawl-to", "2025"],
        "crawl is unknown: 2025: the folder has SAMPLE-2024-10, SAMPLE-2025-10\n",
    );
    check(
        &["only_search_allowed", "--purpose", "serch"],
        "purpose is unknown: serch: tracked agents have ads, agent, archive, commerce, data-provider, dataset, feed, \
         monitoring, platform, research, search, seo, social-preview, training, user-fetch; did you mean search?\n",
    );
    let templates =
        folder.run(&["query", "--tables", sample_tables(), "managed_block_plus_own", "--template", "drupl"]);
    templates
        .exits_with(2)
        .prints("")
        .complains_among_others("template is unknown: drupl: templates are all-in-one-event-calendar, ")
        .complains_among_others("; did you mean drupal?\n");
    check(
        &["blocked_by_agent", "--tokens", "gptbot, ccbott"],
        "agent is unknown: ccbott in blocked_by_agent: it is not tracked, and no file in the folder names it; * stands for \
         every crawler that a file does not name, and robocensus query top_agents lists the names in files; did you mean ccbot?\n",
    );
    check(
        &["domain_mixed_policy", "--agent", "zzzz"],
        "agent is unknown: zzzz in domain_mixed_policy: it is not tracked, and no file in the folder names it; * stands for \
         every crawler that a file does not name, and robocensus query top_agents lists the names in files\n",
    );
}

#[test]
fn an_empty_answer_says_why() {
    let folder = sample::ingested("query_empty").with(
        "nothing.sql",
        "-- title: Nothing\n-- grain: one row per odd thing\n-- reads: captures\n\
         -- parameter: status integer = 598, status: which\nSELECT url FROM captures WHERE fetch_status = $status ORDER BY url",
    );
    folder
        .run(&["query", "nothing.sql", "--format", "csv"])
        .exits_with(0)
        .prints("url\n")
        .complains("answer is empty: nothing.sql: nothing in the tables fits the question; robocensus query nothing.sql --help says what it counts\n");
    folder.run(&["query", "nothing.sql", "--status", "597"]).exits_with(0).complains(
        "answer is empty: nothing.sql: no row fits --status 597, and there is none without; robocensus query nothing.sql --help \
         says what it counts\n",
    );
    folder.run(&["query", "nothing.sql", "--quiet"]).exits_with(0).complains("");
    for empty in ["", " -- nothing\n"] {
        folder.run_with_stdin(&["sql"], empty.as_bytes()).exits_with(2).prints("").complains(
            "statement is empty: standard input: there is nothing to run; on a terminal, robocensus sql without a statement \
             opens a prompt\n",
        );
    }
    folder.run(&["sql", ";"]).exits_with(2).complains_among_others("statement is empty: command line: ");
    let event = |event: &str, expected: &str| {
        let crawls = "the crawls of the folder were fetched from 2024-03-01 to 2025-03-01";
        let run = folder.run(&["query", "event_change", "--tables", sample_tables(), "--event", event]);
        run.exits_with(0).complains(&format!("answer is empty: event_change: {expected}; {crawls}\n"));
    };
    event("content-use", "no crawl started on 2026-07-01, the day of the event, or later");
    event("gptbot", "no crawl ended before 2023-08-07, the day of the event");
}

/// The question is asked again without each condition, to name those that left nothing.
#[test]
fn an_empty_answer_names_the_conditions_that_left_nothing() {
    let folder = TestFolder::new("query_empty_conditions");
    let rows = |arguments: &[&str]| {
        let run = folder.run(&[&["query", "--tables", sample_tables(), "--format", "csv"], arguments].concat());
        run.exits_with(0).complains("").csv_rows().len()
    };
    let check = |arguments: &[&str], expected: &str| {
        let run = folder.run(&[&["query", "--tables", sample_tables(), "--format", "csv"], arguments].concat());
        run.exits_with(0).complains(&format!("answer is empty: {}: {expected}\n", arguments[0]));
        assert_eq!(run.stdout.lines().count(), 1, "{run}");
    };
    let all = rows(&["status_codes"]);
    check(
        &["status_codes", "--min-sites", "5000"],
        &format!("no row fits --min-sites 5000; with --min-sites 1 there are {all} rows"),
    );
    let of_crawl = rows(&["status_codes", "--crawl", "SAMPLE-2025-10"]);
    check(
        &["status_codes", "--crawl", "SAMPLE-2025-10", "--min-sites", "100"],
        &format!(
            "no row fits --crawl SAMPLE-2025-10 --min-sites 100; without --crawl there are {} rows; with --min-sites 1 there are \
             {of_crawl} rows",
            rows(&["status_codes", "--min-sites", "100"])
        ),
    );
    // A default that leaves out strata counts as well.
    let strata = rows(&["ai_by_rank_tld", "--min-sites", "1", "--by", "server"]);
    check(
        &["ai_by_rank_tld", "--by", "server", "--min-sites", "5000"],
        &format!("no row fits --by server --min-sites 5000; with --min-sites 1 there are {strata} rows"),
    );
    check(
        &["stale_tokens", "--tokens", "gptbot"],
        &format!("no row fits --tokens gptbot; without --tokens there are {} rows", rows(&["stale_tokens"])),
    );
}

/// A question that compares crawls cannot be restricted to one: its counts for the other crawl would be 0.
#[test]
fn a_question_about_several_crawls_reports_why_it_has_no_crawl() {
    let folder = TestFolder::new("query_no_crawl");
    for question in ["policy_flips", "event_change", "churn_rate", "panel_change", "lists_in_use"] {
        let run = folder.run(&["query", question, "--tables", sample_tables(), "--crawl", "SAMPLE-2025-10"]);
        run.exits_with(2).prints("").complains_among_others("the answer is not about one crawl: it co");
    }
}

/// A question that does not count sites reports why it has no strata.
#[test]
fn a_question_without_strata_reports_why() {
    let folder = TestFolder::new("query_no_strata");
    let run = folder.run(&["query", "within_crawl_change", "--tables", sample_tables(), "--by", "tld"]);
    run.exits_with(2).prints("").complains_among_others(
        "error: invalid value 'tld' for '--by <by>': the answer has no strata: it counts captures, and only sites are in strata\n",
    );
    let run = folder.run(&["query", "access_overview", "--tables", sample_tables(), "--by", "none,tld"]);
    run.exits_with(2).prints("").complains_among_others("none cannot be combined");
    // docs/asking.md lists all of them.
    let questions = analyze::queries::all(analyze::queries::QueryKind::Question).expect("they can be read");
    let page = include_str!("../../docs/asking.md");
    let (_, listed) = page.split_once("no strata: ").expect("it lists them");
    let listed = listed.split_once('\n').expect("it has lines").0;
    let names: Vec<String> = (questions.iter().filter(|question| question.header.no_strata.is_some()))
        .map(|question| format!("`{}`", question.name))
        .collect();
    assert_eq!(listed, format!("{}.", names.join(", ")));
}

#[test]
fn absurd_numbers_of_threads_and_shards_are_refused() {
    let folder = TestFolder::new("query_jobs");
    folder
        .run(&["sql", "--tables", sample_tables(), "--jobs", "1000000", "SELECT 1"])
        .exits_with(2)
        .complains_among_others("invalid value '1000000' for '--jobs <N>': it is not a whole number from 1 to 1024");
    folder.run(&["plan", "a.warc.gz", "--shards", "4294967295", "--out", "t"]).exits_with(2).complains_among_others(
        "invalid value '4294967295' for '--shards <N>': it is not a whole number from 1 to 100000",
    );
}

/// A download that failed leaves an empty file. A table without columns would have no row that fits.
#[test]
fn empty_tables_of_the_user_are_reported() {
    for ending in ["parquet", "csv", "ndjson"] {
        let folder = TestFolder::new("query_empty_tables").with(&format!("none.{ending}"), "");
        for name in ["mine", "ranks"] {
            let table = format!("{name}=none.{ending}");
            let expected = format!("table cannot be read: none.{ending}: it is empty or has no columns\n");
            folder
                .run(&["sql", "SELECT 1", "--tables", sample_tables(), "--table", &table])
                .exits_with(2)
                .prints("")
                .complains(&expected);
        }
    }
}

#[test]
fn a_line_with_too_many_values_is_reported() {
    let folder = TestFolder::new("query_unequal_lines").with("mine.csv", "a,b\n1,2\n1,2,3\n");
    let run = folder.run(&["sql", "SELECT 1", "--tables", sample_tables(), "--table", "mine=mine.csv"]);
    let expected = "table cannot be read: mine.csv: line 3 has 3 values, and those before have 2\n";
    run.exits_with(2).prints("").complains(expected);
}

#[test]
fn a_name_that_two_columns_have_is_reported() {
    let folder =
        TestFolder::new("query_columns_twice").with("twice.csv", "a,b,a\n1,2,3\n").with("twice.tsv", "\t\n1\t2\n");
    let folder = folder.with("twice.json", "{\"a\":1}\n{\"b\":{\"c\":1,\"c\":2},\"a\":1,\"a\":2}\n");
    let column = || Arc::new(Int64Array::from(vec![1])) as ArrayRef;
    let batch = RecordBatch::try_from_iter([("a", column()), ("a", column())]).unwrap();
    let mut writer =
        ArrowWriter::try_new(File::create(folder.path().join("twice.parquet")).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    for (file, name) in [("twice.csv", "a"), ("twice.tsv", ""), ("twice.json", "a"), ("twice.parquet", "a")] {
        let expected = format!("table cannot be read: {file}: two columns have the name '{name}'\n");
        let table = format!("mine={file}");
        let run = folder.run(&["sql", "SELECT 1", "--tables", sample_tables(), "--table", &table]);
        run.exits_with(2).prints("").complains(&expected);
    }
}
