//! `robocensus query`: questions and their parameters.

use crate::questions::sample_tables;
use crate::run::TestFolder;
use crate::sample;
use std::fs;

/// A question with each kind of parameter.
const OWN: &str = "\
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

fn with_own(test: &str) -> TestFolder {
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
    assert_eq!(rows.iter().map(|row| number(row, 3)).sum::<f64>(), 225.0, "sites of the sample\n{run}");
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
    let behind = folder.run(&["query", "own.sql", "--format", "ndjson", "--tables", "tables"]);
    assert_eq!(before.exits_with(0).stdout, behind.exits_with(0).stdout);
    let typed = ["query", "own.sql", "--format=ndjson", "--share", "-0.25", "--manner", "fancy", "--status", "404"];
    let run = folder.run(&typed);
    let first = &run.exits_with(0).objects()[0];
    assert_eq!((&first["share"], &first["manner"]), (&(-0.25).into(), &"fancy".into()), "{run}");
    let run = folder.run(&["query", "own.sql", "--is-wanted", "false", "--format", "ndjson"]);
    run.exits_with(0).prints("");
}

#[test]
fn print_sql_prints_the_statement_and_does_not_run_it() {
    let folder = TestFolder::new("query_print_sql").with("own.sql", OWN);
    let run = folder.run(&["query", "--print-sql", "own.sql", "--status", "301"]);
    run.exits_with(0).prints_among_others("fetch_status = 301 AND true").complains("");
    let run = folder.run(&["query", "--print-sql", "status_codes", "--crawl", "a' OR 'b"]);
    run.exits_with(0).prints_among_others("'a'' OR ''b' = ''");
}

#[test]
fn wrong_names_values_and_files_are_reported() {
    let folder = with_own("query_wrong").with("headless.sql", "SELECT 1");
    let check = |arguments: &[&str], expected: &str| {
        folder.run(&[&["query"], arguments].concat()).exits_with(2).prints("").complains_among_others(expected);
    };
    check(
        &["status_code"],
        "question is unknown: status_code: robocensus query lists all questions; the name of a file of your own ends in .sql; did you mean status_codes?",
    );
    check(&["nowhere.sql"], "question cannot be read: nowhere.sql: no such file");
    check(&["headless.sql", "--a", "b"], "header cannot be read: headless.sql: title is missing");
    check(&["own.sql", "--statu", "5"], "--status");
    check(&["own.sql", "--status", "many"], "many is not a whole number");
    check(&["own.sql", "--manner", "fanci"], "fancy");
    check(
        &["status_codes", "--tables", "nowhere"],
        "folder cannot be read: nowhere: no such file or directory (os error 2); name the folder of tables that ingest wrote",
    );
    check(
        &["status_codes", "--format", "parquet"],
        "format needs a file: parquet: name a file for the answer, such as --out answer.parquet",
    );
    check(&["status_codes", "--memory", "2G"], "512MiB");
    check(&["status_codes", "--table", "captures=own.sql"], "there is a table captures already");
}

#[test]
fn a_parameter_with_the_name_of_an_option_is_refused() {
    let text = OWN.replace("parameter: status ", "parameter: format ").replace("$status", "$format");
    let folder = TestFolder::new("query_taken").with("own.sql", text);
    let run = folder.run(&["query", "own.sql"]);
    run.exits_with(2).complains(
        "question cannot be read: own.sql: parameter format has the name of an option of robocensus query; rename it\n",
    );
}

#[test]
fn the_ending_of_out_chooses_the_format() {
    let folder = TestFolder::new("query_out");
    let tables = sample_tables();
    for (name, begins) in
        [("a.csv", "crawl,"), ("a.json", "[{"), ("a.md", "| crawl"), ("a.tsv", "crawl\t"), ("a.parquet", "PAR1")]
    {
        folder
            .run(&["query", "status_codes", "--tables", tables, "--out", name])
            .exits_with(0)
            .prints("")
            .complains("");
        let bytes = fs::read(folder.path().join(name)).expect("the file is there");
        assert!(bytes.starts_with(begins.as_bytes()), "{name}: {}", String::from_utf8_lossy(&bytes));
    }
    let left = fs::read_dir(folder.path()).expect("a folder can be listed").flatten();
    assert!(left.into_iter().all(|file| !file.file_name().to_string_lossy().starts_with('.')), "a draft is left");
    let run = folder.run(&["query", "status_codes", "--tables", tables, "--out", "nowhere/a.csv"]);
    run.exits_with(2).complains_among_others("answer cannot be written: nowhere/a.csv: no such file");
}

#[test]
fn a_question_that_needs_a_table_of_the_user_says_so() {
    let text = "-- title: Ranks\n-- grain: one row\n-- reads: ranks\nSELECT host, rank FROM ranks ORDER BY rank";
    let folder = sample::ingested("query_needs")
        .with("ranks.sql", text)
        .with("top.csv", "1,Example.com\n2,example.org\n3,example.com\n")
        .with("named.csv", "rank,domain\n7,a.example\n");
    let run = folder.run(&["query", "ranks.sql"]);
    run.exits_with(2).complains_among_others("the question reads the table ranks; provide it by --table ranks=FILE");
    let run = folder.run(&["query", "ranks.sql", "--table", "ranks=top.csv", "--format", "csv"]);
    run.exits_with(0).prints("host,rank\nexample.com,1\nexample.org,2\n");
    let run = folder.run(&["query", "ranks.sql", "--table", "ranks=named.csv", "--format", "csv"]);
    run.exits_with(0).prints("host,rank\na.example,7\n");
}
