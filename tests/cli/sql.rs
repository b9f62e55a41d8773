//! `robocensus sql`: rejected statements, and how answers are written.

use crate::questions::sample_tables;
use crate::run::{Run, TestFolder};
use crate::sample;
use std::fs;

pub(crate) fn ask(folder: &TestFolder, statement: &str, more: &[&str]) -> Run {
    folder.run(&[&["sql", statement], more].concat())
}

#[test]
fn endless_files_and_sizes_are_refused() {
    let folder = sample::ingested("sql_endless");
    let refused = |what: &str| format!("{what} cannot be read: /dev/zero: it is longer than 67108864 bytes\n");
    let tables = ["--tables", sample::OUT];
    let sql = folder.run(&[&["sql", "--file", "/dev/zero"][..], &tables].concat());
    sql.exits_with(2).prints("").complains(&refused("statements"));
    ask(&folder, "SELECT 1", &["--agents", "/dev/zero"]).exits_with(2).prints("").complains(&refused("agents"));
    for (call, name, size) in [
        ("approx_percentile_cont(body_bytes, 0.5, 10000000000)", "approx_percentile_cont", "10000000000 centroids"),
        (
            "approx_percentile_cont(0.5, 100000 * 100000) WITHIN GROUP (ORDER BY body_bytes)",
            "approx_percentile_cont",
            "10000000000 centroids",
        ),
        (
            "(SELECT approx_percentile_cont_with_weight(body_bytes, 1, 0.5, 10001) FROM captures)",
            "approx_percentile_cont_with_weight",
            "10001 centroids",
        ),
        ("max(lpad(url, 2000000000))", "lpad", "2000000000 characters"),
        ("max(rpad(url, 2000000000, '.'))", "rpad", "2000000000 characters"),
        ("max(repeat(url, 1000000000))", "repeat", "1000000000 repetitions"),
        ("array_repeat(1, 2000000000)", "array_repeat", "2000000000 values"),
        ("list_resize([1], 200000000, 2)", "array_resize", "200000000 values"),
        ("unnest(range(200000000))", "range", "200000000 values"),
        ("unnest(range(-200000000, 200000000, 2))", "range", "200000000 values"),
        ("range(TIMESTAMP '2000-01-01', TIMESTAMP '2010-01-01', INTERVAL '1 second')", "range", "315619200 values"),
        (
            "generate_series(DATE '0001-01-01', DATE '2000-01-01', INTERVAL '1 second')",
            "generate_series",
            "63082281600 values",
        ),
        (
            "range(TIMESTAMP '2000-01-01', TIMESTAMP '2000-01-01 00:00:00.1', INTERVAL '1 nanosecond')",
            "range",
            "100000000 values",
        ),
        (
            "range(TIMESTAMP '2000-01-01', TIMESTAMP '2000-01-01 00:00:30', INTERVAL '1999 nanoseconds')",
            "range",
            "15007503 values",
        ),
        ("generate_series(900000000, 0, -3)", "generate_series", "300000000 values"),
    ] {
        let limit = match size.rsplit_once(' ') {
            Some((_, "centroids")) => 10_000,
            Some((_, "values")) => 10_000_000,
            _ => 100_000,
        };
        let expected = format!("statement is refused: {name}: it is asked for {size}; the limit is {limit}\n");
        ask(&folder, &format!("SELECT {call} FROM captures"), &[]).exits_with(2).prints("").complains(&expected);
    }
    let usual = "SELECT approx_percentile_cont(1.5, 0.5, 1000) AS a, lpad('1', 5, '0') AS b, max(rpad('a', NULL)) AS c, \
                 array_length(range(100000000, 100000002)) AS d";
    ask(&folder, usual, &["--format", "csv"]).exits_with(0).prints("a,b,c,d\n1.5,00001,,2\n");
}

#[test]
fn statements_that_write_are_rejected() {
    let folder = sample::ingested("sql_refused");
    let before = sample::files(&folder.path().join(sample::OUT));
    for (statement, kind) in [
        ("CREATE TABLE a AS SELECT 1", "CREATE TABLE"),
        ("CREATE VIEW a AS SELECT 1", "CREATE VIEW"),
        ("DROP TABLE captures", "DROP TABLE"),
        ("INSERT INTO skips SELECT * FROM skips", "INSERT INTO"),
        ("COPY captures TO 'a.csv'", "COPY"),
        ("SET datafusion.execution.batch_size = 1", "SET"),
        ("CREATE EXTERNAL TABLE a STORED AS CSV LOCATION 'a.csv'", "CREATE EXTERNAL TABLE"),
        ("EXPLAIN ANALYZE COPY captures TO 'a.csv'", "EXPLAIN ANALYZE COPY"),
    ] {
        let allowed = "CREATE, DROP, INSERT, SET and COPY";
        let expected =
            format!("statement is refused: {kind}: statements may only read; --read-write allows {allowed}\n");
        ask(&folder, statement, &[]).exits_with(2).prints("").complains(&expected);
    }
    // Even with --read-write, the tables in the folder do not change.
    for (statement, expected) in [
        ("INSERT INTO skips SELECT * FROM skips", "skips is a table of the folder and cannot be changed"),
        (
            "DROP TABLE captures",
            "statement is refused: DROP TABLE: captures is a table of the folder and cannot be changed",
        ),
        (
            "DROP VIEW site_access",
            "statement is refused: DROP VIEW: site_access is a view of the program and cannot be changed",
        ),
        ("CREATE OR REPLACE TABLE captures AS SELECT 1", "captures is a table of the folder and cannot be changed"),
        ("CREATE OR REPLACE VIEW captures AS SELECT 1", "captures is a table of the folder and cannot be changed"),
        ("COMMIT", "statement is refused: COMMIT: there are no transactions; every statement takes effect at once"),
        (
            "EXPLAIN COMMIT",
            "statement is refused: COMMIT: there are no transactions; every statement takes effect at once",
        ),
        (
            "EXPLAIN ANALYZE COPY captures TO 'tables/a.csv'",
            "file cannot be written: tables/a.csv: it is below the folder of tables",
        ),
        ("CREATE INDEX a ON captures (crawl)", "statement is refused: CREATE INDEX: tables have no indexes"),
    ] {
        ask(&folder, statement, &["--read-write"]).exits_with(2).complains_among_others(expected);
    }
    assert!(!folder.path().join("a.csv").exists());
    assert_eq!(sample::files(&folder.path().join(sample::OUT)), before);
}

#[test]
fn read_write_allows_tables_views_settings_and_copies() {
    let folder = sample::ingested("sql_read_write");
    let statements = "CREATE TABLE mine AS SELECT fetch_status, count(*) AS n FROM captures GROUP BY 1; \
                      CREATE VIEW yours AS SELECT sum(n) AS n FROM mine; SET datafusion.execution.batch_size = 100; \
                      INSERT INTO mine VALUES (999, 1); COPY mine TO 'mine.csv'; SELECT n FROM yours";
    let run = ask(&folder, statements, &["--read-write", "--format", "csv"]);
    run.exits_with(0).complains("");
    assert!(run.stdout.ends_with("n\n237\n"), "{run}");
    assert!(folder.path().join("mine.csv").exists());
    // Groups by texts of crawled files are protected, even in a table with the name and columns of one of ours.
    for (statements, is_protected) in [
        ("EXPLAIN SELECT token, count(*) FROM agents GROUP BY token", false),
        (
            "DROP TABLE agents; CREATE TABLE agents AS SELECT url_host_name AS token FROM captures; \
             EXPLAIN SELECT token, count(*) FROM agents GROUP BY token",
            true,
        ),
        ("EXPLAIN SELECT kind, count(*) FROM bodies GROUP BY kind", false),
        (
            "CREATE SCHEMA x; CREATE TABLE x.bodies AS SELECT url_host_name AS kind FROM captures; \
             EXPLAIN SELECT kind, count(*) FROM x.bodies GROUP BY kind",
            true,
        ),
    ] {
        let run = ask(&folder, statements, &["--read-write"]);
        assert_eq!(run.exits_with(0).stdout.contains("text_key("), is_protected, "{run}");
    }
    ask(&folder, "INSERT INTO agents (token, tracked) VALUES ('A', true)", &["--read-write"]).exits_with(2);
}

/// Only the tables of the folder can be in a bucket.
#[test]
fn a_copy_to_a_url_is_refused() {
    let folder = TestFolder::new("sql_copy_url");
    let options = ["--read-write", "--tables", sample_tables()];
    ask(&folder, "COPY (SELECT 1) TO 's3://b/x.csv'", &options).exits_with(2).prints("").complains(
        "statement failed: statement: COPY and CREATE EXTERNAL TABLE take files of this machine only, not s3://b/\n",
    );
}

/// DataFusion says only that an error was encountered.
#[test]
fn a_copy_that_cannot_be_written_says_why() {
    let folder = sample::ingested("sql_copy").with("file", "");
    // A larger file is written in parts.
    for rows in [1, 3_000_000] {
        let statement = format!("COPY (SELECT value FROM generate_series(1, {rows})) TO 'file/numbers.csv'");
        let run = ask(&folder, &statement, &["--read-write"]);
        run.exits_with(2).prints("").complains_among_others("file cannot be written: ");
        run.complains_among_others("/file/numbers.csv: not a directory (os error 20)");
    }
}

#[test]
fn show_describe_and_explain_are_answered() {
    let folder = sample::ingested("sql_show");
    ask(&folder, "SHOW TABLES", &[]).exits_with(0).prints_among_others("captures");
    ask(&folder, "DESCRIBE captures", &[]).exits_with(0).prints_among_others("fetch_status");
    ask(&folder, "SHOW CREATE TABLE captures", &[]).exits_with(0).prints_among_others("captures");
    ask(&folder, "EXPLAIN SELECT count(*) FROM captures", &[]).exits_with(0).prints_among_others("physical_plan\n  ");
}

#[test]
fn an_invalid_statement_is_reported() {
    let folder = sample::ingested("sql_wrong");
    let check = |statement: &str, expected: &str| {
        let run = ask(&folder, statement, &[]);
        run.exits_with(2).prints("").complains_among_others(expected);
        assert!(run.stderr.lines().count() == 1 && !run.stderr.contains("rror:"), "{run}");
    };
    check("SELEC 1", "statement cannot be read: statement: ");
    check("SELECT 1 FROM", "statement cannot be read: statement: ");
    check(
        "SELECT 1 FROM capture",
        "statement cannot be planned: statement: there is no table capture; did you mean captures?",
    );
    check("SELECT fetch_statu FROM captures", "there is no column fetch_statu; did you mean fetch_status?");
    check("SELECT host FROM captures", "there is no column host; did you mean url_host_name?");
    check("SELECT coun(*) FROM captures", "there is no function coun; did you mean count?\n");
    check("SELECT robots_token('a', 'b')", "wrong number of arguments: robots_token(agent): 2 given\n");
    check("SELECT lpad(1)", "there is no lpad(Int64); there is lpad(");
    check(
        "SELECT lower(url) FILTER (WHERE false) FROM captures",
        "statement cannot be planned: statement: lower takes no",
    );
    check("SELECT nosuchfunction(1)", "statement cannot be planned: statement: there is no function nosuchfunction\n");
    check("SELECT nosuchcolumn FROM inputs", "there is no column nosuchcolumn; the columns are ");
    check(
        "SELECT robots_access('GPTBot', '/')",
        "robots_access returns a table: write it after FROM, as in SELECT * FROM robots_access(agent, path)",
    );
    check(
        "SELECT * FROM robots_matches('/a', '/')",
        "robots_matches returns a value, not a table: write it after SELECT",
    );
    check(
        "SELECT 1 FROM captures AS a JOIN bodies AS b ON a.body_id = bodies.body_id",
        "there is no column bodies.body_id; did you mean a.body_id or b.body_id?\n",
    );
    check("SELECT \"Host\" FROM (SELECT 1 AS \"hOST\")", "there is no column Host; did you mean \"hOST\"?\n");
    check("SELECT 1 FROM captures WHERE crawl = \"TEST-1\"", "there is no column TEST-1; a text is in single quotes\n");
    let both = "there is no column reasons; a text is in single quotes; did you mean reason?\n";
    check("SELECT 1 FROM skips WHERE kind = \"reasons\"", both);
    let columns = "warc_filename, kind, reason, occurrences, first_offset, crawl";
    check("SELECT * FROM skips ORDER BY al", &format!("there is no column al; the columns are {columns}\n"));
    check("SELECT * FROM skips ORDER BY ALL", "there is no column all; GROUP BY takes ALL, and ORDER BY does not\n");
    check("SELECT kind, count(*) FROM skips", "skips.kind must be in GROUP BY or in an aggregate function\n");
    check("SELECT url, url FROM captures", "there are two columns captures.url; rename one with AS\n");
    check(
        "SELECT kind AS n, reason AS n FROM skips",
        "skips.kind AS n and skips.reason AS n have one name; rename one",
    );
    check("SELECT 1 FROM skips AS a JOIN bodies AS a ON true", "rename one, or its table, with AS\n");
    check(
        "SELECT min(url) AS a, min(CAST(url AS bigint)) AS b FROM captures",
        "names leave out CAST; compute the CAST in a subquery",
    );
    check(
        "SELECT rank() OVER (PARTITION BY crawl ORDER BY sqrt(fetch_status)) FROM captures",
        "this ORDER BY is not supported; compute its expressions in a subquery, under names of their own, and sort by",
    );
    let lists = "string_agg(url, ' ' ORDER BY url), string_agg(crawl, ' ' ORDER BY fetch_time)";
    check(&format!("SELECT {lists} FROM captures GROUP BY crawl"), "string_agg and nth_value need the same ORDER BY; ");
    check("SELECT coalesce(fetch_time, '2000-01-01') FROM captures", "these values have no type in common; CAST them");
    check(
        "SELECT -rank() OVER (ORDER BY url) FROM captures",
        "a minus takes a signed number; write -CAST(x AS bigint)",
    );
    check("SELECT -(max(fetch_time) - min(fetch_time)) FROM captures", "for a difference, exchange the two times\n");
    check(
        "SELECT url FROM captures WHERE (crawl, body_id) IN (SELECT crawl, body_id FROM rules)",
        "a subquery after IN has one column; to compare several, write EXISTS ",
    );
    check("SELECT fetch_time + interval '1 day' * 2 FROM captures", "an interval cannot be multiplied or divided; ");
    let window = "(ORDER BY url ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)";
    let sliding = format!("SELECT bool_or(fetch_status > 200) OVER {window} FROM captures");
    check(&sliding, "one of these functions takes only windows that start with UNBOUNDED PRECEDING\n");
    check("SELECT $x", "$x has no value; robocensus query takes a file whose header declares parameters\n");
    check("SELECT 1 / 0", "divide by zero");
    check("SELECT CAST(url AS BIGINT) FROM captures", "statement failed: statement: ");
    check("SELECT count(*) FROM sites", "table is missing: ");
    let run = ask(&folder, "SELECT 1 AS a; SELECT nope", &["--format", "csv"]);
    run.exits_with(2).prints("a\n1\n").complains_among_others("statement, number 2: ");
    folder
        .run(&["sql", "--file", "nowhere.sql"])
        .exits_with(2)
        .complains_among_others("statements cannot be read: nowhere.sql: ");
}

/// Whatever the format, standard error says that there are no rows.
#[test]
fn an_answer_without_rows_is_reported() {
    let folder = sample::ingested("sql_empty");
    let statement = "SELECT url FROM captures WHERE fetch_status = 598";
    let expected = "answer is empty: statement: the statement returned no rows\n";
    for format in ["table", "csv", "tsv", "json", "ndjson", "markdown"] {
        ask(&folder, statement, &["--format", format]).exits_with(0).complains(expected);
    }
    ask(&folder, statement, &["--out", "empty.parquet"]).exits_with(0).complains(expected);
    ask(&folder, statement, &["--quiet"]).exits_with(0).complains("");
    let two = format!("SELECT 1 AS one; {statement}");
    ask(&folder, &two, &["--format", "csv"])
        .exits_with(0)
        .complains("answer is empty: statement, number 2: the statement returned no rows\n");
}

#[test]
fn statements_come_from_a_file_or_from_a_pipe() {
    let folder = sample::ingested("sql_sources").with("two.sql", "SELECT 1 AS a;\n-- between\nSELECT ';' AS b;\n");
    folder.run(&["sql", "--file", "two.sql", "--format", "csv"]).exits_with(0).prints("a\n1\nb\n\";\"\n");
    folder.run_with_stdin(&["sql", "--format", "csv"], b"SELECT 2 AS a").exits_with(0).prints("a\n2\n");
    let markdown = folder.run(&["sql", "--file", "two.sql", "--format", "markdown"]);
    markdown.exits_with(0).prints("| a |\n| ---: |\n| 1 |\n\n| b |\n| --- |\n| ; |\n");
    let run = folder.run(&["sql", "--file", "two.sql", "--out", "two.csv"]);
    run.exits_with(2)
        .complains_among_others("answer cannot be written: two.csv: an earlier statement wrote its answer there");
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let folder = sample::ingested("sql_closed_pipe");
    for format in ["csv", "ndjson", "json", "tsv"] {
        let statement = "SELECT a.value, b.value AS other FROM range(0, 3000) a CROSS JOIN range(0, 3000) b";
        folder.close_pipe_after_a_line(&["sql", statement, "--format", format]);
    }
}

/// The stream may lead to a file with text of other programs.
#[test]
fn an_answer_to_an_open_stream_is_appended() {
    let folder = TestFolder::new("sql_streams").with("log", "before\n");
    let log = || fs::File::options().append(true).open(folder.path().join("log")).expect("a file can be opened");
    for (out, text) in [("/dev/stdout", "n\n1\n"), ("/dev/stderr", "n\n2\n"), ("/proc/self/fd/1", "n\n3\n")] {
        let statement = format!("SELECT {} AS n", text.get(2..3).unwrap_or_default());
        let mut command =
            folder.command(&["sql", &statement, "--tables", sample_tables(), "--format", "csv", "--out", out]);
        let status = command.stdout(log()).stderr(log()).status().expect("the binary starts");
        assert_eq!(status.code(), Some(0), "{out}");
    }
    assert_eq!(folder.read("log"), "before\nn\n1\nn\n2\nn\n3\n");
}

/// The text that is parsed is the typed one, with its doubled quotes.
#[test]
fn doubled_quotes_stand_for_quotes() {
    let folder = sample::ingested("sql_quotes");
    let check = |statement: &str, expected: &str| {
        ask(&folder, statement, &["--format", "csv"]).exits_with(0).complains("").prints(expected);
    };
    check("SELECT 'it''s' AS \"a\"\"b\"", "\"a\"\"b\"\nit's\n");
    check("SELECT 'a''||''b' AS x", "x\na'||'b\n");
    check("SELECT count(*) AS n FROM captures WHERE url_host_tld = 'x'' or ''1''=''1'", "n\n0\n");
    check("FROM (SELECT 'a''b' AS x) AS t", "x\na'b\n");
}

#[test]
fn headings_are_the_typed_expressions_and_from_may_come_first() {
    let folder = sample::ingested("sql_headings");
    let run = ask(&folder, "SELECT 6 * 7, round(1.234, 2)", &["--format", "csv"]);
    run.exits_with(0).prints("6 * 7,\"round(1.234, 2)\"\n42,1.23\n");
    let run = ask(&folder, "FROM captures LIMIT 1", &["--format", "ndjson"]);
    assert!(run.exits_with(0).objects()[0].get("warc_filename").is_some(), "{run}");
}
