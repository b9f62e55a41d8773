//! Tables in a bucket are read and written like those on disk.

use crate::questions::copied;
use crate::run::{Run, TestFolder};
use crate::sample;
use crate::server::{Fault, Server, files};
use crate::stores::{KEY, SECRET, with_environment};
use committed::full::is_full;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

pub(crate) const TABLES: &str = "s3://bucket/of/tables";

/// The tables of the sample on disk, and in a bucket.
fn tables(name: &str) -> (TestFolder, Server) {
    let (folder, server) = (copied(name), Server::start());
    server.put_folder("bucket/of/tables/", &folder.path().join(sample::OUT));
    (folder, server)
}

/// A command that signs its requests.
pub(crate) fn signed_command(folder: &TestFolder, server: &Server, arguments: &[&str]) -> Command {
    let mut command = with_environment(folder, server, arguments);
    let temporary = folder.path().join("temporary");
    std::fs::create_dir_all(&temporary).expect("it can be made");
    command.envs([("AWS_ACCESS_KEY_ID", KEY), ("AWS_SECRET_ACCESS_KEY", SECRET), ("RUST_LOG", "trace")]);
    command.env("TMPDIR", &temporary);
    command
}

pub(crate) fn run(folder: &TestFolder, server: &Server, arguments: &[&str]) -> Run {
    let mut command = signed_command(folder, server, arguments);
    command.env("AWS_SKIP_SIGNATURE", "true");
    let run = folder.run_by(command);
    let temporary = folder.path().join("temporary");
    let left = std::fs::read_dir(&temporary).expect("it can be listed").count();
    assert_eq!(left, 0, "temporary files are left\n{run}");
    run
}

#[test]
fn answers_are_those_of_tables_on_disk() {
    let (folder, server) = tables("store_tables_answers");
    // The consoles of stores make such objects for folders.
    server.put("bucket/of/tables/", Vec::new());
    server.put("bucket/of/tables/captures/", Vec::new());
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
    // A statement about one column reads only a part of the tables.
    let there = run(&folder, &server, &["sql", "SELECT sum(body_id) FROM bodies", "--tables", TABLES]);
    assert!(
        matches!(account(&there)[..], [read, all, requests] if read > 0 && read * 3 < all && requests > 10),
        "{there}"
    );
    run(&folder, &server, &["query", "status_codes", "--tables", TABLES, "--quiet"]).complains("");
    // The list of questions and a statement need no table.
    let before = server.seen().len();
    run(&folder, &server, &["query", "--tables", TABLES]).exits_with(0).complains("");
    run(&folder, &server, &["query", "status_codes", "--print-sql", "--tables", TABLES]).exits_with(0).complains("");
    assert_eq!(server.seen().len(), before);
    let untracked = ["query", "explicit_vs_wildcard", "--tokens", "mybot", "--print-sql", "--tables"];
    let here = folder.run(&[&untracked[..], &[sample::OUT]].concat());
    run(&folder, &server, &[&untracked[..], &[TABLES]].concat())
        .exits_with(here.status.code().unwrap_or(-1))
        .prints(&here.stdout);
}

#[test]
fn a_report_and_a_check_are_those_of_tables_on_disk() {
    let (folder, server) = tables("store_tables_report");
    folder.run(&["report", sample::OUT, "--out", "here", "--only", "read"]).exits_with(0);
    run(&folder, &server, &["report", TABLES, "--out", "there", "--only", "read"]).exits_with(0);
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
    let whole = std::fs::read(folder.path().join(sample::OUT).join(part)).expect("it exists");
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

    // Failed requests are retried.
    server.put(&object, whole);
    server.fail(&object, &[Fault::Status(503, &[]), Fault::Reset, Fault::Short(100)]);
    run(&folder, &server, &sum).exits_with(0);

    let bare = Server::start();
    bare.put(&object, b"PAR1".to_vec());
    let cause = "folder has no tables: s3://bucket/of/tables: it has tables but no _robocensus/ledger, ";
    run(&folder, &bare, &sum).exits_with(2).complains_among_others(cause);
    let cause = "folder has no tables: s3://bucket/elsewhere: it has none of the folders of tables";
    run(&folder, &server, &["query", "status_codes", "--tables", "s3://bucket/elsewhere"])
        .exits_with(2)
        .complains_among_others(cause);
    let by_http = server.url("bucket/of/tables");
    run(&folder, &server, &["query", "status_codes", "--tables", &by_http])
        .exits_with(2)
        .complains_among_others("an HTTP server cannot list its files; name the folder as s3://");
    assert!(!folder.path().join("s3:").exists());
}

/// The names of the objects that were put, in order, without those that a folder has once.
fn puts(server: &Server) -> Vec<String> {
    let seen = server.seen().into_iter().filter(|seen| seen.method == "PUT");
    let name = |path: String| path.replace("%3D", "=").split_once("/tables/").map(|(_, name)| name.to_owned());
    seen.filter_map(|seen| name(seen.path)).filter(|name| name.contains("part-")).collect()
}

const INTO: [&str; 5] = ["ingest", "crawl-data", "--quiet", "--out", TABLES];

#[test]
fn a_bucket_gets_the_tables_that_a_disk_would_get() {
    let (folder, server) = (sample::folder("store_tables_written"), Server::start());
    let ingest = [&INTO[..], &["--models", "latest"]].concat();
    // The sample has damaged archives.
    run(&folder, &server, &ingest).exits_with(1);
    folder.run(&["ingest", "crawl-data", "--quiet", "--out", "tables", "--models", "latest"]).exits_with(1);
    let mut here = files(&folder.path().join("tables"));
    here.remove("_robocensus/lock");
    let there = server.objects("bucket/of/tables");
    assert_eq!(there.keys().collect::<Vec<_>>(), here.keys().collect::<Vec<_>>());
    let is_table = |path: &str| path.ends_with(".parquet");
    assert!(here.iter().filter(|(path, _)| is_table(path)).all(|(path, bytes)| there[path] == *bytes));
    let views = String::from_utf8_lossy(&there["views.duckdb.sql"]);
    assert!(views.contains("SET VARIABLE tables = 's3://bucket/of/tables';"), "{views}");

    // The captures are the last file of a part. The ledger entry follows, and must not replace another one.
    let puts = puts(&server);
    let captures = puts.iter().position(|name| name == "captures/crawl=SAMPLE-2024-10/part-00000.parquet");
    let captures = captures.expect("it is put");
    assert_eq!(puts.get(captures + 1).map(String::as_str), Some("_robocensus/ledger/part-00000.json"));
    assert!(puts.iter().take(captures).any(|name| name == "rules/crawl=SAMPLE-2024-10/part-00000.parquet"));
    let entry =
        server.seen().into_iter().find(|seen| seen.path.ends_with("ledger/part-00000.json")).expect("it is put");
    assert_eq!(entry.header("if-none-match"), Some("*"));

    run(&folder, &server, &["check", TABLES]).exits_with(0);
    // A second run has nothing to do.
    let before = server.objects("bucket/of/tables");
    run(&folder, &server, &ingest).exits_with(1);
    assert_eq!(server.objects("bucket/of/tables"), before);
    // A lost derived table is made again from the tables in the bucket, also from another derived table.
    for lost in ["body_classes", "sites"] {
        let fewer = Server::start();
        for (path, bytes) in before.iter().filter(|(path, _)| !path.contains(lost)) {
            fewer.put(&format!("bucket/of/tables/{path}"), bytes.clone());
        }
        run(&folder, &fewer, &["models", TABLES, "--quiet"]).exits_with(0);
        run(&folder, &fewer, &["check", "--quick", TABLES]).exits_with(0);
        let made = fewer.objects("bucket/of/tables");
        assert_eq!(made.keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>(), "{lost}");
        // The record of a derived table has the seconds that it took.
        let is_same = |path: &&String| path.starts_with("_robocensus/models/") || before.get(*path) == made.get(*path);
        assert!(before.keys().all(|path| is_same(&path)), "{lost}");
    }
}

/// Makes a run fail at one of its puts. The next run continues.
#[test]
fn a_failed_run_is_continued_in_the_bucket() {
    let folder = sample::folder("store_tables_killed");
    let whole = Server::start();
    run(&folder, &whole, &INTO).exits_with(1);
    let tables = |server: &Server| {
        let mut tables = server.objects("bucket/of/tables");
        tables.retain(|path, _| path.ends_with(".parquet"));
        tables
    };
    let expected = tables(&whole);
    assert_eq!(expected.len(), 20);
    for after in [2, 12, 1, 7, 13, 20].into_iter().take(if is_full() { 6 } else { 2 }) {
        let server = Server::start();
        server.refuse_puts_after(after);
        let failed = run(&folder, &server, &INTO);
        failed.exits_with(2).complains_among_others("access is denied");
        assert!(tables(&server).len() < expected.len(), "{failed}");
        if after == 2 {
            let unfinished = "folder has no tables: s3://bucket/of/tables: no part is finished yet; run the same \
                              robocensus ingest or commit again\n";
            let asked = run(&folder, &server, &["query", "status_codes", "--tables", TABLES]);
            asked.exits_with(2).complains_among_others(unfinished);
        }
        // The bucket accepts puts again.
        server.refuse_puts_after(usize::MAX);
        run(&folder, &server, &INTO).exits_with(1);
        assert!(tables(&server) == expected, "the tables differ: {after}");
        run(&folder, &server, &["check", "--quick", TABLES]).exits_with(0);
    }
}

/// The numbers in the account of a run: bytes read, all bytes, requests.
fn account(run: &Run) -> Vec<u64> {
    let account = run.stderr.lines().last().unwrap_or_default().replace(',', "");
    account.split(' ').filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn a_check_reads_each_file_once() {
    let (folder, server) = tables("store_tables_once");
    let check = run(&folder, &server, &["check", TABLES]);
    check.exits_with(0);
    assert!(matches!(account(&check)[..], [read, all, _] if read == all), "{check}");
}

/// Only the records are copied at the start. A check names other files, without reading them.
#[test]
fn other_files_in_the_bucket_are_not_read() {
    let (folder, server) = tables("store_tables_others");
    for other in ["notes/large.bin", "large.bin"] {
        server.put(&format!("bucket/of/tables/{other}"), vec![0; 1 << 20]);
    }
    run(&folder, &server, &["query", "status_codes", "--tables", TABLES]).exits_with(0);
    let check = run(&folder, &server, &["check", TABLES]);
    check.exits_with(1).complains_among_others(&format!("folder is foreign: {TABLES}/notes: it is not a table\n"));
    let read = server.seen().into_iter().filter(|seen| seen.path.ends_with("large.bin")).count();
    assert_eq!(read, 0);
}

/// The copies that a killed command left are removed by the next one.
#[test]
fn temporary_files_of_a_killed_command_are_removed() {
    let (folder, server) = tables("store_tables_left");
    server.fail("bucket/of/tables/bodies/crawl=SAMPLE-2024-10/part-00000.parquet", &[Fault::Stall(1)]);
    let mut command = signed_command(&folder, &server, &["sql", "SELECT sum(body_id) FROM bodies", "--tables", TABLES]);
    let mut killed = command.env("AWS_SKIP_SIGNATURE", "true").spawn().expect("the binary starts");
    while !server.seen().iter().any(|seen| seen.path.contains("bodies") && seen.method == "GET") {
        std::thread::sleep(Duration::from_millis(5));
    }
    killed.kill().expect("a child can be killed");
    killed.wait().expect("it ends");
    let left = std::fs::read_dir(folder.path().join("temporary")).expect("it can be listed").count();
    assert!(left > 0, "nothing was left");
    // `run` asserts that nothing is left.
    run(&folder, &server, &["explain", "https://www.example.com/", "--agent", "GPTBot", "--tables", TABLES])
        .exits_with(0);
}

/// The limit on requests holds for all commands. Those that are not quiet print how many they sent. The rates are so low
/// that without a limit each command would end earlier, and most of the time is waiting.
#[test]
fn all_commands_keep_the_rate_of_requests() {
    let writes = || {
        let place = (sample::folder("store_tables_rate"), Server::start());
        keeps_rate(&place, &INTO, 20, 1);
        keeps_rate(&place, &["models", TABLES], 10, 0);
    };
    let reads = || {
        let place = tables("store_tables_rate_of_reads");
        keeps_rate(&place, &["query", "status_codes", "--tables", TABLES], 20, 0);
        keeps_rate(&place, &["sql", "SELECT count(body_id) FROM groups", "--tables", TABLES], 20, 0);
        keeps_rate(&place, &["explain", "https://www.example.com/", "--agent", "GPTBot", "--tables", TABLES], 20, 0);
        keeps_rate(&place, &["report", TABLES, "--list-questions"], 20, 0);
        keeps_rate(&place, &["check", TABLES, "--quick"], 20, 0);
        keeps_rate(&place, &["catalog", TABLES, "--for", "spark"], 20, 0);
    };
    let shards = || {
        let (place, shared) = ((sample::folder("store_tables_rate_of_shards"), Server::start()), "s3://bucket/shared");
        keeps_rate(&place, &["plan", "crawl-data", "--shards", "1", "--out", shared], 5, 0);
        keeps_rate(&place, &["ingest", "--shard=0/1", "--start-delay=0", "--out", shared], 20, 0);
        // Copies and deletions are requests, too.
        keeps_rate(&place, &["commit", shared, "--models", "none"], 20, 1);
    };
    thread::scope(|scope| {
        scope.spawn(writes);
        scope.spawn(reads);
        scope.spawn(shards);
    });
}

#[track_caller]
fn keeps_rate((folder, server): &(TestFolder, Server), arguments: &[&str], per_second: u64, status: i32) {
    let before = server.seen().len();
    let limit = format!("--requests-per-second={per_second}");
    // Not the time of the first request, which a busy server may note late.
    let start = Instant::now();
    let run = run(folder, server, &[arguments, &[limit.as_str()]].concat());
    run.exits_with(status);
    let seen = server.seen().split_off(before);
    let last = seen.last().expect("it asks");
    let shortest = Duration::from_micros(1_000_000 / per_second * (seen.len() as u64 - 1));
    let took = last.at - start;
    assert!(took >= shortest, "{arguments:?}: {} in {took:?}", seen.len());
    let printed = format!(" {} requests\n", seen.len());
    assert!(arguments.contains(&"--quiet") || run.stderr.ends_with(&printed), "{printed}{run}");
}

/// Keys and signatures appear neither in what is printed, nor in logs, reports and tables. The server repeats them in
/// errors, as S3 does.
#[test]
fn secrets_of_tables_in_a_bucket_appear_nowhere() {
    let (folder, server) = tables("store_tables_secrets");
    let archives = sample::root().join("crawl-data").to_string_lossy().into_owned();
    let object = "bucket/of/tables/bodies/crawl=SAMPLE-2024-10/part-00000.parquet";
    let signed = |arguments: &[&str], status: i32| {
        let run = folder.run_by(signed_command(&folder, &server, arguments));
        run.exits_with(status);
        for secret in [KEY, SECRET, "AWS4-HMAC", "Signature", "X-Amz-"] {
            assert!(!run.stdout.contains(secret) && !run.stderr.contains(secret), "{secret}: {run}");
        }
    };
    signed(&["query", "status_codes", "--tables", TABLES], 0);
    signed(&["report", TABLES, "--out", "page", "--only", "read"], 0);
    signed(&["catalog", TABLES, "--for", "spark"], 0);
    signed(&["check", TABLES], 0);
    signed(&["ingest", &archives, "--out", "s3://bucket/other", "--models", "latest"], 1);
    for status in [403, 301] {
        server.fail(object, &vec![Fault::Status(status, &[]); 99]);
        signed(&["sql", "SELECT sum(body_bytes) FROM bodies", "--tables", TABLES], 2);
        server.fail("bucket", &[Fault::Status(status, &[])]);
        signed(&["query", "status_codes", "--tables", TABLES], 2);
    }
    assert!(server.seen().iter().all(|seen| seen.header("authorization").is_some()));
    for (path, bytes) in files(folder.path()).into_iter().chain(server.objects("bucket")) {
        let has = |secret: &str| bytes.windows(secret.len()).any(|found| found == secret.as_bytes());
        assert!(!has(KEY) && !has(SECRET) && !has("AWS4-HMAC"), "{path}");
    }
}
