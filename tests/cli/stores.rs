//! `ingest` of archives by URL: from a server, and from a bucket with signed and with anonymous requests.

#![expect(clippy::expect_used, reason = "called by tests, which fail by it")]

use crate::hold::{signal, wait_for_end, wait_until};
use crate::run::{Run, TestFolder};
use crate::sample;
use crate::server::{Fault, Seen, Server, files};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::process::Command;
use std::time::{Duration, Instant};

/// A run must stop within this time.
const SECONDS: Duration = Duration::from_secs(10);
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

/// Checks a signature as S3 does (docs.aws.amazon.com, "Signature Calculations for the Authorization Header").
fn assert_signed(seen: &Seen) {
    let header = |name: &str| seen.header(name).unwrap_or_default();
    let signed = header("authorization").strip_prefix("AWS4-HMAC-SHA256 ").expect("it is signed").to_owned();
    let field = |name: &str| {
        let fields = signed.split(',').map(str::trim);
        fields
            .filter_map(|field| field.strip_prefix(name)?.strip_prefix('='))
            .next()
            .expect("it has the field")
            .to_owned()
    };
    let (key, scope) =
        field("Credential").split_once('/').map(|(key, scope)| (key.to_owned(), scope.to_owned())).expect("a scope");
    assert_eq!(key, KEY);
    let names = field("SignedHeaders");
    let headers: String = names.split(';').map(|name| format!("{name}:{}\n", header(name))).collect();
    let payload = header("x-amz-content-sha256");
    let request = format!("GET\n{}\n\n{headers}\n{names}\n{payload}", seen.path);
    let text = format!("AWS4-HMAC-SHA256\n{}\n{scope}\n{}", header("x-amz-date"), hex(&Sha256::digest(&request)));
    let key = scope.split('/').fold(format!("AWS4{SECRET}").into_bytes(), |key, part| hmac(&key, part.as_bytes()));
    assert_eq!(field("Signature"), hex(&hmac(&key, text.as_bytes())), "{request}");
}

/// RFC 2104, for keys of up to 64 bytes.
fn hmac(key: &[u8], text: &[u8]) -> Vec<u8> {
    let pad = |with: u8| (0..64).map(|at| key.get(at).copied().unwrap_or(0) ^ with).collect::<Vec<u8>>();
    let inner = Sha256::digest([pad(0x36), text.to_vec()].concat());
    Sha256::digest([pad(0x5c), inner.to_vec()].concat()).to_vec()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
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
            let mut command = folder.command(&arguments);
            command
                .env("AWS_ACCESS_KEY_ID", "key")
                .env("AWS_SECRET_ACCESS_KEY", "secret")
                .env("AWS_ENDPOINT_URL", "http://127.0.0.1:9");
            let output = command.env(name, value).output().expect("the binary starts");
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(matches!(output.status.code(), Some(1 | 2)), "{name}: {stderr}");
            assert!(!stderr.contains("closed channel") && !stderr.contains("secret"), "{name}: {stderr}");
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

#[test]
fn ctrl_c_ends_a_run_whose_server_stalls() {
    let (server, folder) = (bucket(), TestFolder::new("stores_interrupt"));
    server.fail_always(Fault::Stall(10));
    let list = sample::root().join(LIST).to_string_lossy().into_owned();
    let copy = server.url("bucket");
    let child = folder.command(&[&["ingest", list.as_str(), "--base", copy.as_str()], &FAST[..]].concat()).spawn();
    let mut child = child.expect("the binary starts");
    wait_until("the run asks", || !server.seen().is_empty());
    let start = Instant::now();
    signal(&child, "INT");
    wait_for_end(&mut child);
    assert!(start.elapsed() < SECONDS, "it took {:?}", start.elapsed());
}
