//! `robocensus sql --format`: how each format writes hostile text, numbers, times, lists and structs.

use crate::run::TestFolder;
use crate::sample;
use crate::sql::ask;
use arrow_array::cast::AsArray as _;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fs::File;

/// Rows with text that attacks a spreadsheet or terminal, and with values that formats write differently.
const HOSTILE: &str = r#"SELECT * FROM (VALUES
    (1, '=HYPERLINK("http://evil.example","x")', U&'\001B[31mred\202Eturned', 'a|b`c<d>&[e](f)', 9007199254740993, CAST('NaN' AS DOUBLE), CAST(NULL AS TEXT)),
    (2, '@SUM(1)', 'tab	here', E'two\nlines "quoted", and a comma', -9223372036854775808, 0.1, ''),
    (3, '-1', '\', 'https://evil.example www.evil.example', 0, 1e300, 'plain')
) AS t(n, formula, control, markup, big, real, maybe) ORDER BY n"#;

fn hostile(test: &str) -> (TestFolder, String) {
    // SQL engines differ in these escapes, so Rust resolves them.
    let statement =
        HOSTILE.replace(r"U&'\001B[31mred\202Eturned'", "'\u{1b}[31mred\u{202e}turned'").replace(r"E'two\n", "'two\n");
    (sample::ingested(test), statement)
}

#[test]
fn csv_is_harmless_and_exact_on_demand() {
    let (folder, statement) = hostile("sql_csv");
    let run = ask(&folder, &statement, &["--format", "csv"]);
    run.exits_with(0).complains("");
    assert!(!run.stdout.contains(['\u{1b}', '\u{202e}']), "{run}");
    let rows = run.csv_rows();
    assert_eq!(&rows[0][1], "'=HYPERLINK(\"http://evil.example\",\"x\")");
    assert_eq!(&rows[0][2], r"\u{1b}[31mred\u{202e}turned");
    assert_eq!((&rows[0][4], &rows[0][5]), ("9007199254740993", "NaN"));
    assert_eq!((&rows[1][1], &rows[1][3]), ("'@SUM(1)", r#"two\nlines "quoted", and a comma"#));
    assert_eq!((&rows[1][4], &rows[1][5]), ("-9223372036854775808", "0.1"), "numbers get no apostrophe");
    assert_eq!((&rows[2][1], &rows[2][5]), ("'-1", "1e300"));
    // Null and an empty text differ, although few readers of CSV distinguish them.
    assert!(
        run.stdout.lines().any(|line| line.ends_with(",NaN,"))
            && run.stdout.lines().any(|line| line.ends_with(",0.1,\"\"")),
        "{run}"
    );

    let exact = ask(&folder, &statement, &["--format", "csv", "--exact"]);
    let rows = exact.csv_rows();
    assert_eq!(&rows[0][2], "\u{1b}[31mred\u{202e}turned");
    assert_eq!((&rows[1][1], &rows[1][3]), ("@SUM(1)", "two\nlines \"quoted\", and a comma"));
}

#[test]
fn whole_numbers_have_no_fraction_in_csv() {
    let folder = sample::ingested("sql_whole");
    let statement = "SELECT CAST(12 AS double) AS sites, 0.5 AS share, CAST(1 AS double) / 3 AS third, 1e300 AS large";
    ask(&folder, statement, &["--format", "csv"])
        .exits_with(0)
        .prints("sites,share,third,large\n12,0.5,0.3333333333333333,1e300\n");
}

/// A share just below 1 must not look like 1.
#[test]
fn only_a_column_of_whole_numbers_has_no_fraction_in_a_table() {
    let folder = sample::ingested("sql_whole_column");
    let statement = "SELECT * FROM (VALUES (12.0, 0.99999, 1.0), (NULL, 2.00004, 0.5)) AS v(sites, near, other)";
    ask(&folder, statement, &["--format", "table"])
        .exits_with(0)
        .prints("sites    near   other\n-----  ------  ------\n   12  1.0000  1.0000\n    -  2.0000  0.5000\n2 rows\n");
}

/// A reader of CSV that accepts tabs reads TSV. Our own `--table` is one.
#[test]
fn tsv_is_csv_with_tabs() {
    let (folder, statement) = hostile("sql_tsv");
    let rows = |more: &[&str], separator: u8| -> Vec<csv::StringRecord> {
        let run = ask(&folder, &statement, more);
        run.exits_with(0);
        let mut reader =
            csv::ReaderBuilder::new().delimiter(separator).has_headers(false).from_reader(run.stdout.as_bytes());
        reader.records().map(|row| row.expect("it is separated")).collect()
    };
    for more in [&[][..], &["--exact"]] {
        let [csv, tsv] = ["csv", "tsv"].map(|format| [&["--format", format][..], more].concat());
        assert_eq!(rows(&tsv, b'\t'), rows(&csv, b','));
    }
    let texts = r#"SELECT 1 AS n, '"=cmd|calc!a1"' AS text UNION ALL SELECT 2, '"open' UNION ALL SELECT 3, '\t'
                   UNION ALL SELECT 4, NULL ORDER BY n"#;
    let ask_table = |more: &[&str]| ask(&folder, texts, &[more, &["--out", "a.tsv"]].concat());
    ask_table(&[]).exits_with(0);
    assert!(folder.read("a.tsv").contains("1\t\"\"\"=cmd|calc!a1\"\"\"\n"), "the quotation marks are part of the text");
    ask_table(&["--exact"]).exits_with(0);
    let again = ask(&folder, "SELECT * FROM mine ORDER BY n", &["--table", "mine=a.tsv", "--format", "tsv", "--exact"]);
    again.exits_with(0).prints(&folder.read("a.tsv"));
}

/// A reader of JSON or Parquet would find only one of the columns.
#[test]
fn columns_of_one_name_need_another_format() {
    let folder = sample::ingested("sql_columns_of_one_name");
    let statement = "SELECT a.n, b.n FROM (VALUES (1)) a(n) CROSS JOIN (VALUES (2)) b(n)";
    for (format, out) in [("json", "-"), ("ndjson", "-"), ("parquet", "a.parquet")] {
        let out = if out == "-" { vec!["--format", format] } else { vec!["--out", out] };
        let cause = format!(
            "answer cannot be written: statement: two columns have the name 'n', and {format} needs two names; rename one with AS\n"
        );
        ask(&folder, statement, &out).exits_with(2).prints("").complains(&cause);
    }
    assert!(!folder.path().join("a.parquet").exists());
    ask(&folder, statement, &["--format", "csv"]).exits_with(0).prints("n,n\n1,2\n");
}

#[test]
fn json_has_values_as_they_are() {
    let (folder, statement) = hostile("sql_json");
    let run = ask(&folder, &statement, &["--format", "json"]);
    run.exits_with(0);
    assert!(!run.stdout.contains(['\u{1b}', '\u{202e}']), "what acts on a terminal is escaped\n{run}");
    let rows: serde_json::Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    assert_eq!(rows[0]["control"], "\u{1b}[31mred\u{202e}turned");
    assert_eq!(rows[0]["big"], 9_007_199_254_740_993_i64);
    assert_eq!((&rows[0]["real"], &rows[0]["maybe"]), (&"NaN".into(), &serde_json::Value::Null));
    assert_eq!((&rows[1]["big"], &rows[1]["real"]), (&i64::MIN.into(), &0.1.into()));
    assert_eq!((&rows[1]["formula"], &rows[1]["maybe"]), (&"@SUM(1)".into(), &"".into()));
    assert_eq!(rows[2]["real"], 1e300);
    let lines = ask(&folder, &statement, &["--format", "ndjson"]);
    assert_eq!(serde_json::Value::from(lines.objects()), rows);
    let none = ask(&folder, "SELECT 1 AS a WHERE false", &["--format", "json"]);
    none.prints("[]\n");
}

#[test]
fn parquet_has_values_as_they_are() {
    let (folder, statement) = hostile("sql_parquet");
    ask(&folder, &statement, &["--out", "a.parquet"]).exits_with(0).prints("").complains("");
    let file = File::open(folder.path().join("a.parquet")).expect("it exists");
    let mut batches =
        ParquetRecordBatchReaderBuilder::try_new(file).expect("it is Parquet").build().expect("it can be read");
    let batch = batches.next().expect("it has rows").expect("they can be read");
    let control = batch.column_by_name("control").expect("it has the column");
    assert_eq!(control.as_string::<i32>().value(0), "\u{1b}[31mred\u{202e}turned");
    let real =
        batch.column_by_name("real").expect("it has the column").as_primitive::<arrow_array::types::Float64Type>();
    assert!(real.value(0).is_nan() && real.value(2) == 1e300);
}

#[test]
fn tables_and_markdown_are_escaped() {
    let (folder, statement) = hostile("sql_table");
    let table = ask(&folder, &statement, &[]);
    table.exits_with(0).prints_among_others(r"\u{1b}[31mred\u{202e}turned").prints_among_others("\n3 rows\n");
    assert_eq!(table.stdout.lines().count(), 6, "{table}");
    let markdown = ask(&folder, &statement, &["--format", "markdown"]);
    markdown
        .prints_among_others(r"a\|b\`c&lt;d&gt;&amp;\[e\](f)")
        .prints_among_others(r"https\://evil.example www\.evil.example");
    assert_eq!(markdown.stdout.lines().count(), 5, "{markdown}");
    for run in [&table, &markdown] {
        assert!(!run.stdout.contains(['\u{1b}', '\u{202e}']), "{run}");
    }
}

/// A crawled file chooses how long its values are.
#[test]
fn a_long_value_does_not_widen_the_other_rows() {
    let folder = sample::ingested("sql_long_value");
    let statement =
        "SELECT * FROM (VALUES (repeat('x', 65536), 1, ''), ('short', 2, '')) AS t(text, n, none) ORDER BY n";
    let (long, rule) = ("x".repeat(65_536), "-".repeat(120));
    let expected = format!("{:<120}  n  none\n{rule}  -  ----\n{long}  1\n{:<120}  2\n2 rows\n", "text", "short");
    ask(&folder, statement, &[]).exits_with(0).prints(&expected);
}

#[test]
fn times_lists_and_structs() {
    let folder = sample::ingested("sql_types");
    let statement = "SELECT to_timestamp_millis(1716199872000) AS whole, \
                     arrow_cast(to_timestamp_millis(1716199872120), 'Timestamp(Millisecond, Some(\"+02:00\"))') AS zoned, \
                     DATE '2024-05-20' AS day, [1, 2, NULL] AS several, named_struct('a', 'x', 'b', 1.5) AS fields, true AS flag";
    let run = ask(&folder, statement, &["--format", "ndjson"]);
    run.exits_with(0).prints(
        "{\"whole\":\"2024-05-20T10:11:12\",\"zoned\":\"2024-05-20T08:11:12.120Z\",\"day\":\"2024-05-20\",\
         \"several\":[1,2,null],\"fields\":{\"a\":\"x\",\"b\":1.5},\"flag\":true}\n",
    );
    let run = ask(
        &folder,
        "SELECT fetch_time FROM captures WHERE fetch_time IS NOT NULL ORDER BY 1 LIMIT 1",
        &["--format", "csv"],
    );
    assert!(run.exits_with(0).stdout.ends_with("Z\n"), "{run}");
}
