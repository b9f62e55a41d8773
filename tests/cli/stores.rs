//! `ingest` of archives by URL: from a server, and from a bucket with signed and with anonymous requests.

use crate::run::{Run, TestFolder};
use crate::sample;
use crate::server::{Seen, Server, files};
use std::collections::BTreeMap;
use std::process::Command;

pub(crate) const KEY: &str = "AKIAOFTHETEST";
pub(crate) const SECRET: &str = "the+secret/of+the+test";
const LIST: &str = "crawl-data/SAMPLE-2024-10/robotstxt.paths.gz";

/// A server with the sample in a bucket.
fn bucket() -> Server {
    let server = Server::start();
    server.put_folder("bucket/crawl-data/", &sample::root().join("crawl-data"));
    server
}

pub(crate) fn with_environment(folder: &TestFolder, server: &Server, arguments: &[&str]) -> Command {
    let mut command = folder.command(arguments);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("AWS_")) {
        command.env_remove(name);
    }
    command.env("AWS_ENDPOINT_URL", server.url("").trim_end_matches('/'));
    command
}

/// Checks that the tables are those of the archives on disk, and that no secret is printed or stored.
#[track_caller]
fn assert_whole(folder: &TestFolder, run: &Run) {
    let list = sample::root().join(LIST);
    folder.run(&["ingest", &list.to_string_lossy(), "--out", "local", "--quiet"]).exits_with(0);
    let is_record = |path: &str| path.starts_with("_robocensus/");
    let (found, expected) = (files(&folder.path().join("tables")), files(&folder.path().join("local")));
    let tables = |files: &BTreeMap<String, Vec<u8>>| -> BTreeMap<String, Vec<u8>> {
        files.clone().into_iter().filter(|(path, _)| path.ends_with(".parquet")).collect()
    };
    assert!(tables(&found).len() == 10 && tables(&found) == tables(&expected), "the tables differ\n{run}");
    let records = found.iter().filter(|(path, _)| is_record(path)).map(|(_, bytes)| String::from_utf8_lossy(bytes));
    let texts = [run.stdout.clone(), run.stderr.clone()].into_iter().chain(records.map(|text| text.into_owned()));
    for text in texts {
        for secret in [KEY, SECRET, "Signature"] {
            assert!(!text.contains(secret), "{secret} is in {text}");
        }
    }
}

/// Checks that a request is signed with the key, for the region and the service. The crate `object_store` signs.
fn assert_signed(seen: &Seen) {
    let signed = seen.header("authorization").unwrap_or_default();
    let start = format!("AWS4-HMAC-SHA256 Credential={KEY}/");
    assert!(signed.starts_with(&start) && signed.contains("/eu-west-1/s3/aws4_request"), "{signed}");
}

const FAST: [&str; 4] = ["--out", "tables", "--requests-per-second", "100000"];

/// The crates below panic for such settings. Readers waited for ever.
#[test]
fn invalid_settings_of_a_store_are_reported() {
    let folder = TestFolder::new("stores_settings");
    for (name, value) in [("AWS_ENDPOINT_URL", "127.0.0.1:9"), ("AWS_ACCESS_KEY_ID", "key\n"), ("AWS_REGION", "a\nb")] {
        for arguments in [
            ["ingest", "-q", "s3://b/x.warc.gz", "--crawl=C-1", "--out=tables"],
            ["query", "status_codes", "--tables", "s3://b/t", "-q"],
        ] {
            let keys = [("AWS_ACCESS_KEY_ID", "key"), ("AWS_SECRET_ACCESS_KEY", "secret")];
            let server = ("AWS_ENDPOINT_URL", "http://127.0.0.1:9");
            let run = folder.run_with(&[&keys[..], &[server, (name, value)]].concat(), &arguments);
            assert!(matches!(run.status.code(), Some(1 | 2)), "{name}: {run}");
            assert!(!run.stderr.contains("closed channel") && !run.stderr.contains("secret"), "{name}: {run}");
        }
    }
}

#[test]
fn a_bucket_is_read_with_signed_requests() {
    let (server, folder) = (bucket(), TestFolder::new("stores_signed"));
    let list = format!("s3://bucket/{LIST}");
    let mut command = with_environment(&folder, &server, &[&["ingest", list.as_str()], &FAST[..]].concat());
    command.envs([("AWS_ACCESS_KEY_ID", KEY), ("AWS_SECRET_ACCESS_KEY", SECRET), ("AWS_REGION", "eu-west-1")]);
    let run = folder.run_by(command);
    run.exits_with(0);
    assert_whole(&folder, &run);
    let seen = server.seen();
    assert!(seen.len() >= 7, "{seen:?}");
    seen.iter().for_each(assert_signed);
}

#[test]
fn a_public_bucket_is_read_without_signatures() {
    let (server, folder) = (bucket(), TestFolder::new("stores_anonymous"));
    let list = sample::root().join(LIST).to_string_lossy().into_owned();
    let arguments = [&["ingest", list.as_str(), "--base", "s3://bucket/"], &FAST[..]].concat();
    let mut command = with_environment(&folder, &server, &arguments);
    command.env("AWS_SKIP_SIGNATURE", "true");
    let run = folder.run_by(command);
    run.exits_with(0);
    assert_whole(&folder, &run);
    assert!(server.seen().iter().all(|seen| seen.header("authorization").is_none()));
}

#[test]
fn a_crawl_is_read_from_a_copy_by_its_name() {
    let (server, folder) = (bucket(), TestFolder::new("stores_crawl"));
    let copy = server.url("bucket");
    let arguments =
        [&["ingest", "--crawl", "SAMPLE-2024-10", "--from", copy.as_str(), "--models", "none"], &FAST[..]].concat();
    let run = folder.run(&arguments);
    run.exits_with(0);
    assert_whole(&folder, &run);
    let agents =
        server.seen().iter().filter_map(|seen| seen.header("user-agent").map(str::to_owned)).collect::<Vec<_>>();
    assert!(agents.iter().all(|agent| agent.starts_with("robocensus/")), "{agents:?}");
}

#[test]
fn secrets_in_urls_are_rejected_and_not_shown() {
    let folder = TestFolder::new("stores_secrets");
    let check = |arguments: &[&str], expected: &str| {
        let run = folder.run(arguments);
        run.exits_with(2).complains_among_others(expected);
        assert!(!run.stderr.contains("hush"), "{run}");
    };
    let named = "https://host/crawl-data/C-1/a.warc.gz: it has a";
    check(&["ingest", "https://me:hush@host/crawl-data/C-1/a.warc.gz", "--out", "tables"], named);
    check(&["ingest", "https://host/crawl-data/C-1/a.warc.gz?X-Amz-Signature=hush", "--out", "tables"], named);
    let base = "base is not supported: https://host/: it has a user name";
    check(&["ingest", "-", "--base", "https://me:hush@host/", "--out", "tables"], base);
    check(
        &["ingest", "--crawl", "C-1", "--from", "https://me:hush@host/", "--out", "tables"],
        "https://host/crawl-data/C-1",
    );
}
