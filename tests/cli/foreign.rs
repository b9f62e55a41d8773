//! Folders of tables from somebody else. No command reads or writes outside of them, or waits for a pipe in them.

use crate::run::{Run, TestFolder};
use crate::sample::{self, OUT};
use crate::tables::edit_sealed;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// A file of the user beside the folder of tables.
const PRECIOUS: &str = "precious.txt";

fn move_out(tables: &Path, path: &str) {
    let away = tables.parent().expect("it is in a folder").join("away");
    fs::rename(tables.join(path), &away).expect("it can be moved");
    symlink(&away, tables.join(path)).expect("a link can be made");
}

fn link_to_precious(tables: &Path, path: &str) {
    let path = tables.join(path);
    let _ = fs::remove_file(&path);
    symlink(tables.parent().expect("it is in a folder").join(PRECIOUS), path).expect("a link can be made");
}

fn pipe(tables: &Path, path: &str) {
    let path = tables.join(path);
    let _ = fs::remove_file(&path);
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo runs").success());
}

fn modelled(test: &str) -> TestFolder {
    sample::modelled(test).with(PRECIOUS, "precious")
}

#[track_caller]
fn assert_unchanged(folder: &TestFolder, run: &Run) {
    assert_eq!(fs::read_to_string(folder.path().join(PRECIOUS)).expect("it exists"), "precious", "{run}");
}

/// Plants a file in a folder of tables. Commands that write, and `check`, must report `expected`. Other commands may
/// ignore the planted file or report it too.
fn check(name: &str, plant: impl Fn(&Path), expected: &str) {
    let folder = modelled(&format!("foreign_{name}"));
    plant(&folder.path().join(OUT));
    for command in [
        &["ingest", "-q", "crawl-data", "--out", OUT, "--models", "none"][..],
        &["models", "-q", OUT],
        &["check", "-q", OUT],
    ] {
        let run = folder.run(command);
        assert!(!run.status.success() && run.stderr.contains(expected), "{name}: {run}");
        assert_unchanged(&folder, &run);
    }
    for statement in ["SELECT count(*) FROM captures", "SELECT count(*) FROM rules", "SELECT count(*) FROM sites"] {
        let run = folder.run(&["sql", statement, "--tables", OUT]);
        assert!(run.status.success() || run.stderr.contains(expected), "{name}: {run}");
    }
}

#[test]
fn links_and_pipes_in_a_folder_of_tables_are_rejected() {
    let link = |path: &str| format!("tables/{path}: it is a link, ");
    let part = "captures/crawl=SAMPLE-2024-10/part-00000.parquet";
    check("table", |tables| move_out(tables, "captures"), &link("captures"));
    check("records", |tables| move_out(tables, "_robocensus"), &link("_robocensus"));
    check("crawl", |tables| move_out(tables, "rules/crawl=SAMPLE-2024-10"), &link("rules/crawl=SAMPLE-2024-10"));
    check("file", |tables| link_to_precious(tables, part), &link(part));
    for path in ["lock", "plan.ndjson", "ledger/part-00000.json", "models/sites/SAMPLE-2024-10.json"] {
        let path = format!("_robocensus/{path}");
        let name = path.replace('/', "_");
        check(&name, |tables| link_to_precious(tables, &path), &link(&path));
        let expected = format!("tables/{path}: it is a named pipe, ");
        check(&format!("{name}_pipe"), |tables| pipe(tables, &path), &expected);
    }
}

#[test]
fn crawls_that_lead_out_of_the_folder_are_rejected() {
    for path in ["plan.ndjson", "ledger/part-00000.json", "models/sites/SAMPLE-2024-10.json"] {
        let folder = modelled("foreign_crawl_name");
        let edited = folder.path().join(OUT).join("_robocensus").join(path);
        edit_sealed(&edited, |text| text.replace("\"crawl\":\"SAMPLE-2024-10\"", "\"crawl\":\"../../escaped/X\""));
        let expected = "../../escaped/X cannot be the name of a crawl";
        for command in
            [&["ingest", "-q", "crawl-data", "--out", OUT][..], &["models", "-q", OUT], &["check", "-q", OUT]]
        {
            let run = folder.run(command);
            let is_read = match command.first() {
                Some(&"ingest") => !path.starts_with("models"),
                Some(&"models") => path != "plan.ndjson",
                _ => true,
            };
            if is_read {
                assert!(!run.status.success() && run.stderr.contains(expected), "{path}: {run}");
            }
        }
        assert!(!folder.path().join("escaped").exists(), "{path}");
    }
}

/// `ingest` took such an entry for a part that is done, and `models` read outside of the folder.
#[test]
fn entries_of_other_parts_and_tables_are_rejected() {
    for (from, to, expected) in [
        (
            "\"part\":0",
            "\"part\":7",
            "ledger entry is misnamed: tables/_robocensus/ledger/part-00000.json: it belongs to part 7",
        ),
        ("\"table\":\"captures\"", "\"table\":\"../../esc\"", "part-00000.json: it names a table that does not exist"),
    ] {
        let folder = modelled("foreign_entry");
        edit_sealed(&folder.path().join(OUT).join("_robocensus/ledger/part-00000.json"), |text| text.replace(from, to));
        for command in [&["ingest", "-q", "crawl-data", "--out", OUT][..], &["models", "-q", OUT]] {
            folder.run(command).exits_with(2).complains_among_others(expected);
        }
    }
}

/// The lock may be a hard link to a file of the user.
#[test]
fn a_lock_with_another_name_is_not_written() {
    let folder = sample::ingested("foreign_hard_link").with(PRECIOUS, "precious");
    let lock = folder.path().join(OUT).join("_robocensus/lock");
    fs::remove_file(&lock).expect("it can be removed");
    fs::hard_link(folder.path().join(PRECIOUS), &lock).expect("a file can have two names");
    let run = folder.run(&["models", OUT]);
    run.exits_with(2).complains(
        "folder cannot be locked: tables/_robocensus/lock: it also has another name and would change there\n",
    );
    assert_unchanged(&folder, &run);
}

/// Statements, answers and reports leave the folder unchanged.
#[test]
fn nothing_is_written_below_a_folder_of_tables() {
    let folder = sample::ingested("foreign_written");
    let before = sample::files(&folder.path().join(OUT));
    let link = |name: &str, to: &str| {
        symlink(folder.path().join(to), folder.path().join(name)).expect("a link can be made");
    };
    link("to-captures", "tables/captures");
    link("to-plan", "tables/_robocensus/plan.ndjson");
    fs::create_dir(folder.path().join("parts")).expect("a folder can be made");
    link("parts/crawl=x", "tables/captures/crawl=SAMPLE-2024-10");
    let refuses = |run: &Run| {
        run.exits_with(2).complains_among_others("file cannot be written: ");
        run.complains_among_others("it is below the folder of tables ");
        assert_eq!(run.stderr.lines().count(), 1, "{run}");
        assert_eq!(sample::files(&folder.path().join(OUT)), before, "{run}");
    };
    let part = "captures/crawl=SAMPLE-2024-10/part-00000.parquet";
    let absolute = folder.path().join(OUT).join(part).display().to_string();
    for statement in [
        &format!("COPY (SELECT 1 AS a) TO 'tables/{part}'"),
        &format!("COPY (SELECT 1 AS a) TO '{absolute}'"),
        &format!("COPY (SELECT 1 AS a) TO 'file://{absolute}'"),
        "COPY (SELECT 1 AS a) TO 'tables/../tables/new/a.csv'",
        "COPY (SELECT 1 AS a) TO 'to-captures/crawl=x/part-00000.parquet'",
        "COPY (SELECT 1 AS a) TO 'to-plan' STORED AS JSON",
        "COPY (SELECT 1 AS a, 'x' AS crawl) TO 'parts/' STORED AS PARQUET PARTITIONED BY (crawl)",
        "SET datafusion.runtime.temp_directory = 'to-captures/new'",
        "CREATE EXTERNAL TABLE e (a BIGINT) STORED AS PARQUET LOCATION 'parts/crawl=x/'; INSERT INTO e VALUES (1)",
    ] {
        refuses(&folder.run(&["sql", statement, "--tables", OUT, "--read-write"]));
    }
    for out in [format!("tables/{part}"), "to-captures/a.csv".to_owned(), "to-plan".to_owned()] {
        refuses(&folder.run(&["sql", "SELECT 1", "--tables", OUT, "--out", &out, "--format", "csv"]));
        refuses(&folder.run(&["query", "access_overview", "--tables", OUT, "--out", &out, "--format", "csv"]));
    }
    refuses(&folder.run(&["report", OUT, "--out", "tables/report"]));
    refuses(&folder.run(&["report", OUT, "--out", "to-captures/report"]));
}

/// A pipe with the name of the script for DuckDB once made the check wait forever.
#[test]
fn a_pipe_in_place_of_the_views_is_reported() {
    let folder = modelled("foreign_views");
    pipe(&folder.path().join(OUT), "views.duckdb.sql");
    let expected = "file cannot be read: tables/views.duckdb.sql: it is a named pipe, not a file\n";
    folder.run(&["check", "-q", OUT]).exits_with(1).complains(expected);
}

#[test]
fn an_own_table_is_a_file() {
    let folder = modelled("foreign_own");
    symlink("/dev/zero", folder.path().join("zero.csv")).expect("a link can be made");
    pipe(folder.path(), "pipe.csv");
    for (file, kind) in [("zero.csv", "a device"), ("pipe.csv", "a named pipe")] {
        let run = folder.run(&["sql", "SELECT 1", "--tables", OUT, "--table", &format!("x={file}")]);
        let expected = format!("table cannot be read: {file}: it is {kind}, not a file\n");
        run.exits_with(2).complains(&expected);
    }
}

/// While a process writes, a folder may have files that the ledger does not have yet. No statement reads them, and no
/// derived table is made from them.
#[test]
fn files_that_the_ledger_does_not_have_are_never_read() {
    let folder = modelled("foreign_unlisted");
    let tables = folder.path().join(OUT);
    let ask = |statement: &str| folder.run(&["sql", statement, "--tables", OUT, "--format", "csv"]);
    let statements = [
        "SELECT count(*) FROM captures",
        "SELECT count(body_id) FROM rules WHERE body_id > 0",
        "SELECT crawl, count(*) FROM groups GROUP BY crawl ORDER BY crawl",
        "SELECT capture_id FROM captures ORDER BY capture_id DESC LIMIT 300",
        "SELECT count(*) FROM (SELECT capture_id FROM captures LIMIT 230) AS some",
    ];
    let before: Vec<String> = statements.iter().map(|statement| ask(statement).exits_with(0).stdout.clone()).collect();
    let made = fs::read(tables.join("class_verdicts/crawl=SAMPLE-2024-10/part-00000.parquet")).expect("it is there");
    let doubles = ["captures", "rules", "groups", "policies", "tracked_agents"].map(|table| {
        let crawl = tables.join(table).join("crawl=SAMPLE-2024-10");
        let first =
            fs::read_dir(&crawl).expect("it is there").next().expect("a file").expect("it can be listed").path();
        let double = crawl.join("part-00099.parquet");
        fs::copy(&first, &double).expect("it can be copied");
        double
    });
    ask(statements[0]).exits_with(2).complains_among_others("file is foreign: ");
    let lock = fs::File::open(tables.join("_robocensus/lock")).expect("a run leaves it");
    lock.lock().expect("it can be locked");
    for (statement, expected) in statements.iter().zip(&before) {
        ask(statement).exits_with(0).prints(expected);
    }
    drop(lock);
    folder.run(&["models", "-q", "--again", OUT]).exits_with(0);
    let again = fs::read(tables.join("class_verdicts/crawl=SAMPLE-2024-10/part-00000.parquet")).expect("it is there");
    assert!(made == again, "the doubles were read");
    for double in doubles {
        fs::remove_file(double).expect("it can be removed");
    }
    folder.run(&["check", "-q", OUT]).exits_with(0);
}
