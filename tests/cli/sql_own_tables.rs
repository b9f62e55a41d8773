//! Tables of the user (`--table`), and tables whose columns are not the declared ones.

use crate::questions::sample_tables;
use crate::run::TestFolder;
use crate::sql::ask;
use crate::{sample, tables};
use std::fs;

/// Questions count with these values, and engines read wrong ones in different ways.
#[test]
fn values_of_user_tables_are_checked() {
    let folder = TestFolder::new("sql_own_values")
        .with("categories.csv", "domain,category\na.example,007\nb.example,1e3\n3,04\n")
        .with("unnamed.csv", "a.example,007\nb.example,1e3\n")
        .with("good.csv", "1,a.example\n2,b.example\n")
        .with("late.csv", format!("1,a.example\n{}many,z.example\n", "2,b.example\n".repeat(100_000)))
        .with("late.json", format!("{}{{\"n\":1,\"late\":7}}\n", "{\"n\":1}\n".repeat(100_000)))
        .with("mark.json", "\u{feff}{\"host\": \"a.example\", \"rank\": 1}\n")
        .with("blanks.csv", "host,rank\nA.example , 5\n")
        .with("blank.csv", "host,category\n a.example, news \n")
        .with("array.json", " [{\"host\": \"a.example\", \"rank\": 1}]\n")
        .with("mixed.json", "{\"a\": 1}\n{\"a\": \"x\"}\n")
        .with("open.csv", "host\n\"a")
        .with("rank.json", "{\"host\": \"a.example\", \"rank\": 1.5}\n");
    let ask = |statement: &str, table: &str| {
        let options = ["--tables", sample_tables(), "--format", "csv", "--table", table];
        folder.run(&[&["sql", statement][..], &options].concat())
    };
    let marked = "\u{feff}1,a.example\r\n";
    fs::write(folder.path().join("marked.csv"), marked).unwrap();
    ask("SELECT host, rank FROM ranks", "ranks=marked.csv").prints("host,rank\na.example,1\n");
    let categories = "SELECT host, category FROM categories ORDER BY host";
    ask(categories, "categories=categories.csv").prints("host,category\n3,04\na.example,007\nb.example,1e3\n");
    ask(categories, "categories=unnamed.csv").prints("host,category\na.example,007\nb.example,1e3\n");
    ask("SELECT host, rank FROM ranks", "ranks=blanks.csv").prints("host,rank\na.example,5\n");
    ask(categories, "categories=blank.csv").prints("host,category\na.example,news\n");
    ask("SELECT sum(rank) AS sum FROM ranks", "ranks=good.csv").prints("sum\n3\n");
    ask("SELECT count(late) AS late FROM mine", "mine=late.json").prints("late\n1\n");
    ask("SELECT count(*) AS texts FROM mine WHERE \"1\" = 'many'", "mine=late.csv").prints("texts\n1\n");
    let whole = "rank is not a whole number from 1";
    let weight = "weight is not 0 or a number from 1e-100 to 1e100";
    for (name, table, text, cause) in [
        ("zero.csv", "ranks", "0,a.example\n", format!("{whole}: 0, for the host a.example")),
        ("minus.csv", "ranks", "-1,a.example\n", format!("{whole}: -1, for the host a.example")),
        ("half.csv", "ranks", "host,rank\na,1\nb,1.5\n", format!("{whole}: 1.5, for the host b")),
        ("text.csv", "ranks", "host,rank\na,1\nb,many\n", format!("{whole}: many, for the host b")),
        ("none.csv", "ranks", "1,a.example\n,c.example\n", "rank is missing, for the host c.example".into()),
        (
            "none.json",
            "ranks",
            "{\"host\":\"a\",\"rank\":1}\n{\"host\":\"b\"}",
            "rank is missing, for the host b".into(),
        ),
        ("without.csv", "weights", "a.example,1\nb.example,\n", "weight is missing, for the host b.example".into()),
        ("minus.tsv", "weights", "host\tweight\na\t-1\n", format!("{weight}: -1, for the host a")),
        ("nan.csv", "weights", "host,weight\na,NaN\n", format!("{weight}: NaN, for the host a")),
        ("inf.csv", "weights", "host,weight\na,inf\n", format!("{weight}: inf, for the host a")),
        ("large.csv", "weights", "a.example,0\nb.example,1e308\n", format!("{weight}: 1e308, for the host b.example")),
        ("small.csv", "weights", "host,weight\na,1e-320\n", format!("{weight}: 1e-320, for the host a")),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
        let run = ask("SELECT 1", &format!("{table}={name}"));
        run.exits_with(2).prints("").complains(&format!("table cannot be read: {name}: {cause}\n"));
    }
    let late = format!("table cannot be read: late.csv: {whole}: many, for the host z.example\n");
    ask("SELECT 1", "ranks=late.csv").exits_with(2).complains(&late);
    let half = format!("table cannot be read: rank.json: {whole}: 1.5, for the host a.example\n");
    ask("SELECT 1", "ranks=rank.json").exits_with(2).complains(&half);
    let mark = "table cannot be read: mark.json: it starts with a byte order mark, which JSON must not have (RFC 8259 \
                section 8.1); remove it\n";
    ask("SELECT 1", "ranks=mark.json").exits_with(2).complains(mark);
    let array = "table cannot be read: array.json: it is a JSON array; write one object per line\n";
    for table in ["ranks=array.json", "mine=array.json"] {
        ask("SELECT 1", table).exits_with(2).complains(array);
    }
    let open = "table cannot be read: open.csv: a quotation mark is not closed\n";
    ask("SELECT 1", "mine=open.csv").exits_with(2).complains(open);
    let mixed =
        "a table in JSON has values of several types in one field; write all as texts: whilst decoding field 'a'";
    ask("SELECT * FROM mine", "mine=mixed.json").exits_with(2).complains_among_others(mixed);
    let two =
        ["sql", "SELECT 1", "--tables", sample_tables(), "--table", "ranks=good.csv", "--table", "ranks=late.csv"];
    folder
        .run(&two)
        .exits_with(2)
        .complains("table cannot be added: late.csv: the file good.csv has the name ranks already; give one file\n");
}

#[test]
fn files_of_the_user_are_tables() {
    let folder = sample::ingested("sql_own")
        .with("a.csv", "n,name\n1,x\n2,y\n")
        .with("a.tsv", "n\tname\n1\tx\n2\ty\n")
        .with("a.json", "{\"n\":1,\"name\":\"x\"}\n{\"n\":2,\"name\":\"y\"}\n")
        .with("a.md", "")
        .with("weights.tsv", "host\tweight\nexample.com\t0.5\n");
    ask(&folder, "SELECT 1 AS n, 'x' AS name UNION ALL SELECT 2, 'y'", &["--out", "a.parquet"]).exits_with(0);
    for name in ["a.csv", "a.tsv", "a.json", "a.parquet"] {
        let table = format!("mine={name}");
        let run = ask(&folder, "SELECT n, name FROM mine ORDER BY n", &["--table", &table, "--format", "csv"]);
        run.exits_with(0).prints("n,name\n1,x\n2,y\n");
    }
    let run = ask(&folder, "SELECT * FROM weights", &["--table", "weights=weights.tsv", "--format", "csv"]);
    run.exits_with(0).prints("host,weight\nexample.com,0.5\n");
    let check = |table: &str, expected: &str| {
        ask(&folder, "SELECT 1", &["--table", table]).exits_with(2).prints("").complains_among_others(expected);
    };
    check("captures=a.csv", "table cannot be added: a.csv: there is a table captures already; give it another name");
    check("agents=a.csv", "there is a table agents already");
    check("mine=a.md", "its name must end in .csv");
    check("mine=nowhere.csv", "table cannot be read: nowhere.csv: no such file");
    check("ranks=a.csv", "it needs a host (or domain, or origin) and a rank");
    check("mine", "a table is NAME=FILE");
    check("Mine=a.csv", "lower-case letters");
}

/// The first part of a `UNION` may have a column without a type.
#[test]
fn a_parquet_file_has_the_types_of_the_rows() {
    let folder = sample::ingested("sql_parquet_types");
    ask(&folder, "SELECT NULL AS n, 1 AS x UNION ALL SELECT 'a', 2.5", &["--out", "a.parquet"]).exits_with(0);
    let options = &["--table", "mine=a.parquet", "--format", "csv"];
    ask(&folder, "SELECT n, x FROM mine ORDER BY x", options).exits_with(0).prints("n,x\n,1\na,2.5\n");
}

/// A column that is missing, changed or unknown makes the statement fail. It is never read as nulls.
#[test]
fn a_column_that_differs_from_its_declaration_is_reported() {
    for (columns, expected) in [
        ("* EXCEPT (first_offset, crawl)", "column is missing: "),
        ("* EXCEPT (first_offset, crawl), CAST(first_offset AS TEXT) AS first_offset", "column has changed: "),
        ("* EXCEPT (crawl), 1 AS more", "column is unknown: "),
    ] {
        let folder = tables::copied("sql_column");
        // With its ledger entry, `sql` would report a changed file instead.
        fs::remove_dir_all(folder.path().join("tables/_robocensus/ledger")).expect("it exists");
        let crawl = folder.path().join("tables/skips/crawl=TEST-1");
        let found = fs::read_dir(&crawl).expect("it exists").next().expect("it has a file");
        let path = found.expect("it can be listed").path();
        let statement = format!("SELECT {columns} FROM skips");
        let unlisted = "tables are not verified: tables: there is no ledger, so nothing says whether files are missing or \
                        have changed\n";
        ask(&folder, &statement, &["--out", "edited.parquet"]).exits_with(0).complains(unlisted);
        fs::rename(folder.path().join("edited.parquet"), &path).expect("a file can be put in place of another");
        let run = ask(&folder, "SELECT count(*) FROM skips", &[]);
        run.exits_with(2).prints("").complains_among_others(expected);
        run.complains_among_others("tables/skips/crawl=TEST-1/part-00000.parquet: ");
        // Other tables and the list of tables can still be read.
        ask(&folder, "SELECT count(*) FROM captures", &[]).exits_with(0);
        ask(&folder, "SHOW TABLES", &[]).exits_with(0);
    }
}
