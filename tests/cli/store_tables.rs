//! Tables in a bucket are read as those on disk are.

#![expect(clippy::expect_used, reason = "called by tests, which fail by it")]

use crate::questions::copied;
use crate::run::{Run, TestFolder};
use crate::sample;
use crate::server::{Fault, Server};
use crate::stores::{files, with_environment};
use std::path::Path;

const TABLES: &str = "s3://bucket/of/tables";

/// The tables of the sample on disk, and in a bucket.
fn tables(name: &str) -> (TestFolder, Server) {
    let (folder, server) = (copied(name), Server::start());
    for (path, bytes) in files(&folder.path().join(sample::OUT)) {
        server.put(&format!("bucket/of/tables/{}", path.display()), bytes);
    }
    (folder, server)
}

fn run(folder: &TestFolder, server: &Server, arguments: &[&str]) -> Run {
    let mut command = with_environment(folder, server, arguments);
    let temporary = folder.path().join("temporary");
    std::fs::create_dir_all(&temporary).expect("it can be made");
    command.env("AWS_SKIP_SIGNATURE", "true").env("TMPDIR", &temporary);
    let run = folder.run_by(command);
    let left = std::fs::read_dir(&temporary).expect("it can be listed").count();
    assert_eq!(left, 0, "temporary files are left\n{run}");
    run
}

#[test]
fn answers_are_those_of_tables_on_disk() {
    let (folder, server) = tables("store_tables_answers");
    let cases: [&[&str]; 6] = [
        &["query", "status_codes"],
        &["query", "definition_sensitivity", "--format", "csv"],
        &["sql", "SELECT agent, count(*) FROM groups GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 5", "--format", "json"],
        &["sql", "SELECT count(*) FROM robots_access('GPTBot', '/') WHERE NOT allowed"],
        &["explain", "https://example.com/", "--agent", "GPTBot"],
        &["report", "--list-questions"],
    ];
    for arguments in cases {
        let here = folder.run(&[arguments, &["--tables", sample::OUT]].concat());
        let there = run(&folder, &server, &[arguments, &["--tables", TABLES]].concat());
        assert_eq!((there.status, &there.stdout), (here.status, &here.stdout), "{there}");
        if arguments.first() != Some(&"explain") {
            there
                .complains_among_others("s3://bucket/of/tables: ")
                .complains_among_others(" bytes of tables were read, in ");
        }
    }
    // A question that needs one column reads a part of the tables.
    let there = run(&folder, &server, &["sql", "SELECT sum(body_id) FROM bodies", "--tables", TABLES]);
    let account = there.stderr.lines().last().unwrap_or_default().replace(',', "");
    let numbers: Vec<u64> = account.split(' ').filter_map(|word| word.parse().ok()).collect();
    assert!(matches!(numbers[..], [read, all, requests] if read > 0 && read * 3 < all && requests > 10), "{there}");
    run(&folder, &server, &["query", "status_codes", "--tables", TABLES, "--quiet"]).complains("");
}

#[test]
fn a_report_and_a_check_are_those_of_tables_on_disk() {
    let (folder, server) = tables("store_tables_report");
    folder.run(&["report", sample::OUT, "--out", "here", "--only", "size"]).exits_with(0);
    run(&folder, &server, &["report", TABLES, "--out", "there", "--only", "size"]).exits_with(0);
    let is_same = files(&folder.path().join("here")) == files(&folder.path().join("there"));
    assert!(is_same, "the reports differ");
    let here = folder.run(&["check", sample::OUT]);
    let there = run(&folder, &server, &["check", TABLES]);
    there.exits_with(0);
    assert_eq!(there.stdout, here.stdout.replace(sample::OUT, TABLES), "{there}");
}

#[test]
fn damage_in_a_bucket_is_named() {
    let (folder, server) = tables("store_tables_damage");
    let part = "captures/crawl=SAMPLE-2024-10/part-00000.parquet";
    let object = format!("bucket/of/tables/{part}");
    let whole = std::fs::read(folder.path().join(sample::OUT).join(part)).expect("it is there");
    let sum = ["sql", "SELECT sum(warc_record_offset) FROM captures", "--tables", TABLES];

    let mut flipped = whole.clone();
    if let Some(byte) = flipped.get_mut(60) {
        *byte ^= 1;
    }
    server.put(&object, flipped);
    let named = format!("file has changed: {TABLES}/{part} at offset 0: it is not as it was written; ");
    run(&folder, &server, &sum).exits_with(2).complains_among_others(&named);
    let check = run(&folder, &server, &["check", TABLES]);
    check.exits_with(1).complains_among_others(&format!("file has changed: {TABLES}/{part}: its SHA-256 is "));

    server.put(&object, whole.get(..whole.len() / 2).unwrap_or_default().to_vec());
    run(&folder, &server, &sum)
        .exits_with(2)
        .complains_among_others(&format!("file has another length: {TABLES}/{part}: "));

    // Requests that fail on the way are made again.
    server.put(&object, whole);
    server.fail(&object, &[Fault::Status(503, &[]), Fault::Reset, Fault::Short(100)]);
    run(&folder, &server, &sum).exits_with(0);

    let (_, bare) = (0, Server::start());
    bare.put(&object, b"PAR1".to_vec());
    let cause = "folder has no tables: s3://bucket/of/tables: it has tables and no _robocensus/ledger, ";
    run(&folder, &bare, &sum).exits_with(2).complains_among_others(cause);
    let cause = "folder has no tables: s3://bucket/elsewhere: it has none of the folders of tables";
    run(&folder, &server, &["query", "status_codes", "--tables", "s3://bucket/elsewhere"])
        .exits_with(2)
        .complains_among_others(cause);
    let by_http = server.url("bucket/of/tables");
    run(&folder, &server, &["query", "status_codes", "--tables", &by_http])
        .exits_with(2)
        .complains_among_others("a server behind HTTP has no list of its files; name the folder as s3://");
    assert!(!Path::new(&folder.path().join("s3:")).exists());
}
