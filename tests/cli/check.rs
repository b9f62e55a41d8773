//! `robocensus check`: a complete folder, a folder without tables, and an unfinished one.

use crate::crawls::crawl;
use crate::run::TestFolder;
use crate::tables::{copied, edit_sealed, ingested, write_archive};
use std::fs;

#[test]
fn a_complete_folder_passes() {
    let folder = copied("check_whole");
    // There are no derived tables, so only the queries about the tables of ingest run.
    const ASKED: &str = "queries: 7 checks, none found a contradiction\n";
    let check = |arguments: &[&str], expected: &str, asked: &str| {
        let run = folder.run(&[&["check", "tables"], arguments].concat());
        run.exits_with(0).complains("");
        let text = format!("tables: {expected}: 2 parts, 20 files, ");
        let end = format!(" bytes, 17 captures, 2 crawls without derived tables\n{asked}");
        assert!(run.stdout.starts_with(&text) && run.stdout.ends_with(&end), "{run}");
    };
    check(&[], "complete and undamaged", ASKED);
    check(&["--jobs", "1"], "complete and undamaged", ASKED);
    check(&["--quick"], "complete and undamaged, without digests and queries", "");
    folder.run(&["check", "--quiet", "tables"]).exits_with(0).complains("").prints("");
}

/// Their digests are equal, because what is beyond the limit is not read.
#[test]
fn bodies_that_differ_only_in_length_pass() {
    let [one, other] = [(16 << 20) + 1, (16 << 20) + 2].map(|length| "\0".repeat(length));
    let folder = crawl("check_lengths", &[("a.example", 200, &one), ("a.example", 200, &other)]);
    folder.run(&["check", "--quiet", "tables"]).exits_with(0).complains("");
}

/// The part within the limit is a whole number of lines, so nothing in it says that more follows.
#[test]
fn a_line_that_ends_at_the_limit_does_not_make_a_body_whole() {
    let (start, last) = ("User-agent: *\n", "Disallow: /b\n");
    let lines = "#\n".repeat(((16 << 20) - start.len() - last.len() - 1) / 2);
    let body = format!("{start}\n{lines}{last}Disallow: /c\n");
    assert_eq!(body.len(), (16 << 20) + last.len());
    let folder = crawl("check_at_the_limit", &[("a.example", 200, &body)]);
    let select = "SELECT b.conforms, b.body_bytes - b.parsed_bytes AS beyond, r.pattern, v.code FROM bodies AS b \
                  JOIN rules AS r ON r.body_id = b.body_id JOIN violations AS v ON v.body_id = b.body_id \
                  WHERE v.code = 'file-over-16-mib'";
    let run = folder.run(&["sql", select, "--tables", "tables", "--format", "csv"]);
    run.exits_with(0).prints("conforms,beyond,pattern,code\nfalse,13,/b,file-over-16-mib\n");
}

/// Each name is a row of `policies`, and the rows of a body have different tokens.
#[test]
fn names_that_are_not_utf_8_pass() {
    let body = b"User-agent: bot\xe9\nDisallow: /\n\nUser-agent: bot\xe8\nDisallow: /x\n";
    let head = b"HTTP/1.1 200 OK\r\n\r\n";
    let mut archive = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://a.example/robots.txt\r\n".to_vec();
    archive.extend_from_slice(format!("Content-Length: {}\r\n\r\n", head.len() + body.len()).as_bytes());
    archive.extend_from_slice(&[&head[..], body, b"\r\n\r\n"].concat());
    let folder = TestFolder::new("check_names").with("a.warc", &archive);
    folder.run(&["ingest", "a.warc", "--crawl", "C", "--out", "tables", "--quiet"]).exits_with(0);
    folder.run(&["check", "--quiet", "tables"]).exits_with(0).complains("");
    let select = "SELECT g.agent, p.access FROM groups AS g JOIN policies AS p ON p.token = robots_token(g.agent)";
    let run = folder.run(&["sql", select, "--tables", "tables", "--format", "csv"]);
    run.exits_with(0).prints("agent,access\nbot%E9,none\nbot%E8,part\n");
}

#[test]
fn a_folder_without_tables_is_reported() {
    let folder = TestFolder::new("check_no_folder").with("file", "");
    fs::create_dir(folder.path().join("empty")).expect("a folder can be made");
    let check = |name: &str, expected: &str| {
        folder.run(&["check", name]).exits_with(2).prints("").complains(expected);
    };
    check(
        "none",
        "folder cannot be read: none: no such file or directory (os error 2); --tables names the folder that ingest wrote\n",
    );
    check(
        "file",
        "folder cannot be read: file: not a directory (os error 20); --tables names the folder that ingest wrote\n",
    );
    check("empty", "folder has no tables: empty: it has no plan, _robocensus/plan.ndjson\n");
}

#[test]
fn damage_is_counted_and_names_are_safe_to_print() {
    let folder = copied("check_counted");
    let foreign = folder.path().join("tables/rules/crawl=TEST-1/\u{1b}[31m.parquet");
    fs::write(foreign, "").expect("a file can be written");
    folder
        .run(&["check", "tables"])
        .exits_with(1)
        .prints_among_others("tables: 1 fault: 2 parts, 20 files, ")
        .complains("file is foreign: tables/rules/crawl=TEST-1/\\u{1b}[31m.parquet: it belongs to no part\n");
    for nth in 0..30 {
        fs::write(folder.path().join(format!("tables/rules/crawl=TEST-1/{nth:02}")), "")
            .expect("a file can be written");
    }
    folder.run(&["check", "tables"]).exits_with(1).complains_among_others("\nand 11 more\n");
}

#[test]
fn an_unfinished_part_is_reported() {
    let folder = ingested("check_unfinished");
    let third = "crawl-data/TEST-3/robotstxt/d.warc.gz";
    write_archive(&folder, third, "d", None);
    folder.run(&["ingest", "crawl-data", "--out", "tables", "--quiet"]).exits_with(1);
    fs::remove_file(folder.path().join("tables/_robocensus/ledger/part-00002.json")).expect("it exists");
    let plan = folder.path().join("tables/_robocensus/plan.ndjson");
    edit_sealed(&plan, |text| text.replacen("\"modified_ns\":1", "\"modified_ns\":2", 1));
    for table in fs::read_dir(folder.path().join("tables")).expect("it exists").flatten() {
        // Nothing of TEST-3 is published.
        _ = fs::remove_dir_all(table.path().join("crawl=TEST-3"));
    }
    let expected = "\
part is not done: tables/_robocensus/ledger/part-00000.json: crawl-data/TEST-1/robotstxt/a.warc.gz has changed since it \
was read; ingest continues from here
part is not done: tables/_robocensus/ledger/part-00002.json: it has 0 files and no entry; ingest continues from here
";
    let run = folder.run(&["check", "tables"]);
    run.exits_with(1).prints_among_others("tables: 2 faults: 1 part, 10 files, ").complains(expected);
}

#[test]
fn the_file_for_duckdb_is_checked() {
    let folder = crate::questions::copied("check_views");
    let views = folder.path().join("tables").join(folder::VIEWS_FILE);
    let check = |expected: &str| {
        let run = folder.run(&["check", "--quick", "tables"]);
        run.complains(expected).exits_with(if expected.is_empty() { 0 } else { 1 });
    };
    check("");
    let text = std::fs::read_to_string(&views).expect("each folder has the file");
    std::fs::write(&views, text.replace("captures", "capture")).expect("it can be written");
    check("file has changed: tables/views.duckdb.sql: robocensus models writes it again\n");
    std::fs::remove_file(&views).expect("it exists");
    check("file is missing: tables/views.duckdb.sql: robocensus models writes it again\n");
    folder.run(&["models", "tables"]).exits_with(0);
    check("");
    std::fs::remove_file(folder.path().join("tables/_robocensus/views.json")).expect("it exists");
    check("file is foreign: tables/views.duckdb.sql: it was not made by robocensus models\n");
}
