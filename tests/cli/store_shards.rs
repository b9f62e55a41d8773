//! Shards that share tables in a bucket: `plan`, `ingest --shard` and `commit`. Whatever interrupts them, the tables
//! have the same bytes as those of one run on disk.

use crate::archives;
use crate::random::Random;
use crate::run::{Run, TestFolder};
use crate::server::{Fault, Server, files};
use crate::store_tables::{TABLES, run, signed_command};
use crate::stores::{KEY, SECRET};
use committed::full::{is_full, step};
use std::collections::BTreeMap;
use std::time::Duration;

const SHARDS: u64 = 3;

/// How often shards are killed at random instants: in the full run, and in other runs.
const ROUNDS: [u64; 2] = [20, 2];

/// Processes are killed after up to this time.
const LONGEST_INSTANT: Duration = Duration::from_millis(500);

/// The seed of the random instants.
const SEED: u64 = 18;

/// Archives, a bucket, and the tables that one run makes on disk.
struct Shared {
    folder: TestFolder,
    server: Server,
    expected: BTreeMap<String, Vec<u8>>,
}

impl Shared {
    fn new(test: &str, files_per_crawl: u32, captures: u32) -> Self {
        let folder = TestFolder::new(test);
        archives::write(&folder, "SYNTH-2024-10", files_per_crawl, captures);
        archives::write(&folder, "SYNTH-2024-18", files_per_crawl, captures);
        folder.run(&["ingest", "crawl-data", "--out", "alone", "--jobs", "1", "--quiet"]).exits_with(0);
        let mut expected = files(&folder.path().join("alone"));
        expected.retain(|path, _| is_table(path));
        Shared { folder, server: Server::start(), expected }
    }

    fn run(&self, arguments: &[&str]) -> Run {
        run(&self.folder, &self.server, arguments)
    }

    fn plan(&self, shards: u64) -> Run {
        self.run(&["plan", "crawl-data", "--shards", &shards.to_string(), "--out", TABLES])
    }

    fn shard(&self, index: u64) -> Run {
        self.run(&["ingest", &shard(index), "--start-delay=0", "--out", TABLES])
    }

    /// The objects of tables, without staged ones.
    fn tables(&self) -> BTreeMap<String, Vec<u8>> {
        let mut tables = self.server.objects("bucket/of/tables");
        tables.retain(|path, _| is_table(path));
        tables
    }

    /// The line that says how many requests the last command made.
    fn requests_since(&self, before: usize) -> String {
        format!("{TABLES}: {} requests\n", self.server.seen().len() - before)
    }

    /// The names of the objects that shards have made.
    fn staged(&self) -> Vec<String> {
        self.server.objects("bucket/of/tables/_robocensus/shards").into_keys().collect()
    }

    #[track_caller]
    fn assert_complete(&self) {
        assert!(self.tables() == self.expected, "the tables differ from those of one run");
        assert_eq!(self.staged(), Vec::<String>::new());
        self.run(&["check", TABLES, "--quick", "--quiet"]).exits_with(0).complains("");
    }
}

fn is_table(path: &str) -> bool {
    path.ends_with(".parquet") && !path.starts_with("_robocensus/")
}

fn shard(index: u64) -> String {
    format!("--shard={index}/{SHARDS}")
}

#[test]
fn shards_in_a_bucket_make_the_tables_of_one_run() {
    let shared = Shared::new("store_shards", 20, 3);
    let none = format!(
        "no shards are planned: {TABLES}: robocensus plan INPUT --shards N --out DIR plans them; robocensus ingest INPUT --out DIR needs none\n"
    );
    shared.shard(0).exits_with(2).complains(&none);
    let before = shared.server.seen().len();
    let plan = shared.plan(SHARDS);
    plan.exits_with(0)
        .complains(&shared.requests_since(before))
        .prints_among_others(&format!("{TABLES}: 40 archives, "));
    // The same plan again changes nothing. Another one is refused.
    assert_eq!(shared.plan(SHARDS).stdout, plan.stdout);
    let planned =
        format!("folder is already planned: {TABLES}: with --shards 3, not 4; robocensus commit publishes them\n");
    shared.plan(4).exits_with(2).complains(&planned);
    let planned =
        format!("folder is planned for shards: {TABLES}: shards make its parts; robocensus commit publishes them\n");
    shared.run(&["ingest", "crawl-data", "--out", TABLES]).exits_with(2).complains(&planned);
    shared.run(&["commit", TABLES, "--missing"]).exits_with(3).prints("0-2\n").complains("");

    let named = format!("{TABLES}: shard 1 of 3, from --shard\n");
    shared.shard(1).exits_with(0).prints("").complains_among_others(&named);
    shared.run(&["commit", TABLES, "--missing"]).exits_with(3).prints("0,2\n").complains("");
    shared
        .run(&["commit", TABLES])
        .exits_with(3)
        .prints("")
        .complains(&format!("shards are not done: {TABLES}: numbers 0,2\n"));
    let nothing = format!("{TABLES}: nothing to do: all inputs were read before\n");
    shared.shard(1).exits_with(0).complains_among_others(&nothing);
    shared.shard(0).exits_with(0);
    shared.shard(2).exits_with(0);
    shared.run(&["commit", TABLES, "--missing"]).exits_with(0).prints("").complains("");
    assert!(shared.tables().is_empty(), "a part is visible before the commit");

    let before = shared.server.seen().len();
    shared.run(&["commit", TABLES, "--models", "latest"]).exits_with(0).prints_among_others("archives  40, of which 0");
    let seen = shared.server.seen().split_off(before);
    let name = |path: &str| path.replace("%3D", "=").split_once("/tables/").map(|(_, name)| name.to_owned());
    let puts: Vec<_> = seen.iter().filter(|seen| seen.method == "PUT").collect();
    let copies = puts.iter().filter(|seen| seen.header("x-amz-copy-source").is_some()).count();
    assert_eq!(copies, shared.expected.len(), "the store copies the files, which are not fetched");
    let puts: Vec<_> = puts.iter().filter_map(|seen| Some((name(&seen.path)?, seen.header("if-none-match")))).collect();
    let at = |path: &str| puts.iter().position(|(name, _)| name == path).expect("it is put");
    let part = "crawl=SYNTH-2024-10/part-00001.parquet";
    let entry = at("_robocensus/ledger/part-00001.json");
    assert_eq!(at(&format!("captures/{part}")) + 1, entry, "captures are last, and then the entry");
    assert!(at(&format!("rules/{part}")) < entry && puts[entry].1 == Some("*"));
    shared.run(&["query", "status_codes", "--tables", TABLES]).exits_with(0);
    let derived = |path: &String| tables::derived().iter().any(|table| path.starts_with(table.name));
    assert_eq!(shared.tables().keys().filter(|path| derived(path)).count(), 8);
    for path in shared.server.objects("bucket/of/tables").keys().filter(|path| derived(path)) {
        shared.server.remove(&format!("bucket/of/tables/{path}"));
    }
    for path in shared.server.objects("bucket/of/tables/_robocensus/models").keys() {
        shared.server.remove(&format!("bucket/of/tables/_robocensus/models/{path}"));
    }
    shared.assert_complete();
    let again = format!("{TABLES}: nothing to do: all parts were published before\n");
    let before = shared.server.seen().len();
    let run = shared.run(&["commit", TABLES]);
    run.exits_with(0).complains(&(again + &shared.requests_since(before)));
    shared.assert_complete();
}

/// New archives become new parts. What a late task of the first plan left does not matter.
#[test]
fn shards_add_to_tables_in_a_bucket() {
    let shared = Shared::new("store_shards_add", 20, 2);
    shared.run(&["ingest", "crawl-data/SYNTH-2024-10", "--out", TABLES, "--quiet"]).exits_with(0);
    let before = shared.tables();
    shared.server.put("bucket/of/tables/_robocensus/shards/done/shard-00000.json", b"late".to_vec());
    shared.run(&["plan", "crawl-data", "--shards", "3", "--out", TABLES, "--quiet"]).exits_with(0);
    let puts = shared.server.seen().len();
    (0..SHARDS).for_each(|index| _ = shared.shard(index).exits_with(0));
    let waiting = format!("shards are not published: {TABLES}/_robocensus/shards: ");
    shared.run(&["check", TABLES]).exits_with(1).complains_among_others(&waiting);
    shared.run(&["commit", TABLES, "--quiet"]).exits_with(0).complains("");
    shared.assert_complete();
    let seen = shared.server.seen().split_off(puts);
    let is_again = |path: &String| seen.iter().any(|seen| seen.method == "PUT" && seen.path.ends_with(path.as_str()));
    assert!(!before.keys().any(is_again), "a part was made again");
}

/// Responses are lost after a put or a copy, and requests fail. No secret is printed or stored.
#[test]
fn shards_in_a_bucket_survive_faults() {
    let shared = Shared::new("store_shards_faults", 2, 2);
    let at = |name: &str| format!("bucket/of/tables/{name}");
    let run = |arguments: &[&str]| {
        let run = shared.folder.run_by(signed_command(&shared.folder, &shared.server, arguments));
        for secret in [KEY, SECRET, "Signature"] {
            assert!(!run.stdout.contains(secret) && !run.stderr.contains(secret), "{secret}: {run}");
        }
        run
    };
    for (name, faults) in [
        ("_robocensus/plan.ndjson", vec![Fault::Short(0)]),
        ("_robocensus/shards/plan.json", vec![Fault::Reset, Fault::Short(0)]),
        ("_robocensus/shards/parts/part-00001/entry.json", vec![Fault::Short(0), Fault::No, Fault::Status(503, &[])]),
        ("_robocensus/shards/done/shard-00000.json", vec![Fault::Short(0)]),
        ("rules/crawl=SYNTH-2024-10/part-00000.parquet", vec![Fault::Short(0), Fault::Status(500, &[])]),
        ("captures/crawl=SYNTH-2024-10/part-00000.parquet", vec![Fault::Reset]),
        ("_robocensus/ledger/part-00000.json", vec![Fault::Short(0)]),
    ] {
        shared.server.fail(&at(name), &faults);
    }
    run(&["plan", "crawl-data", "--shards", "1", "--out", TABLES]).exits_with(0);
    shared.server.fail("bucket", &[Fault::Short(10)]);
    run(&["ingest", "--shard", "0/1", "--start-delay=0", "--out", TABLES]).exits_with(0);
    shared.server.fail("bucket", &[Fault::Status(503, &[])]);
    run(&["commit", TABLES]).exits_with(0);
    shared.assert_complete();
    for (name, bytes) in shared.server.objects("bucket") {
        assert!(!String::from_utf8_lossy(&bytes).contains(KEY), "{name}");
    }
    let denied = Fault::Status(403, &[]);
    shared.server.fail_always(denied);
    run(&["commit", TABLES]).exits_with(2).complains_among_others("access is denied (403 Told)");
}

/// The second of two plans, and a shard whose input has changed meanwhile, do not mix with the first.
#[test]
fn a_bucket_has_one_plan_and_one_version_of_a_part() {
    let shared = Shared::new("store_shards_races", 1, 2);
    // Another plan is written after this one has read the bucket.
    let plan = "bucket/of/tables/_robocensus/plan.ndjson";
    shared.server.put_before("PUT", plan, b"of another process".to_vec());
    shared.plan(1).exits_with(2).complains_among_others("plan cannot be written: s3://bucket/of/tables/_robocensus/plan.ndjson: another process has written it meanwhile");
    shared.server.remove(plan);
    shared.plan(1).exits_with(0);
    // A task that was lost had read other bytes.
    let other = "bucket/of/tables/_robocensus/shards/parts/part-00000/rules.0123.parquet";
    shared.server.put(other, b"PAR1".to_vec());
    shared.run(&["ingest", "--shard=0/1", "--start-delay=0", "--out", TABLES, "--quiet"]).exits_with(0);
    // A lost file is noticed before anything is published.
    let lost =
        shared.staged().into_iter().find(|name| name.starts_with("parts/part-00001/rules.")).expect("it is staged");
    let lost = format!("bucket/of/tables/_robocensus/shards/{lost}");
    let bytes = shared.server.objects("bucket")[lost.strip_prefix("bucket/").expect("it is")].clone();
    shared.server.remove(&lost);
    shared.run(&["commit", TABLES]).exits_with(2).complains_among_others(
        "staged file is missing: s3://bucket/of/tables/_robocensus/shards/parts/part-00001/rules.",
    );
    assert!(shared.tables().is_empty(), "a part is visible, but the shard of another must start again");
    shared.server.put(&lost, bytes);
    shared.run(&["commit", TABLES, "--quiet"]).exits_with(0).complains("");
    shared.assert_complete();
}

/// A put or copy is refused at every step of a commit. The same command continues.
#[test]
fn a_failed_commit_is_continued_in_the_bucket() {
    let shared = Shared::new("store_shards_commit", 1, 2);
    let mut failed = 0;
    for after in (0..).step_by(step(8)) {
        shared.plan(1).exits_with(0);
        shared.run(&["ingest", "--shard=0/1", "--start-delay=0", "--out", TABLES, "--quiet"]).exits_with(0);
        shared.server.refuse_puts_after(after);
        let run = shared.run(&["commit", TABLES, "--quiet"]);
        shared.server.refuse_puts_after(usize::MAX);
        let is_whole = run.status.success();
        if !is_whole {
            run.exits_with(2).complains_among_others("access is denied");
            let entries = shared.server.objects("bucket/of/tables/_robocensus/ledger");
            assert!(entries.len() * 10 <= shared.tables().len(), "a part is in the ledger without its files");
            failed += 1;
            shared.run(&["commit", TABLES, "--quiet"]).exits_with(0).complains("");
        }
        shared.assert_complete();
        for path in shared.server.objects("bucket").keys() {
            shared.server.remove(&format!("bucket/{path}"));
        }
        if is_whole {
            break;
        }
    }
    assert!(failed > 2, "{failed} commits failed");
}

/// Machines are lost at random instants, also during the commit. Each shard runs twice at the same time.
#[test]
fn shards_killed_at_random_instants_can_be_resumed_in_a_bucket() {
    let shared = Shared::new("store_shards_killed", 20, 20);
    let mut random = Random::new(SEED);
    let mut instant = |longest: Duration| longest.mul_f64((random.next() % 1_000) as f64 / 1_000.0);
    let temporary = shared.folder.path().join("temporary");
    let start = |arguments: &[&str]| {
        signed_command(&shared.folder, &shared.server, arguments).spawn().expect("the binary starts")
    };
    let (mut killed, mut killed_commits, rounds) = (0, 0, if is_full() { ROUNDS[0] } else { ROUNDS[1] });
    let mut round = 0;
    while round < rounds || killed <= 2 * rounds || killed_commits == 0 {
        assert!(round < 20 * rounds, "killed {killed} shards, {killed_commits} commits in {round} rounds");
        shared.plan(SHARDS).exits_with(0);
        // A shard makes 20 requests and a commit more, so most of them are still running when they are killed. If the
        // machine was too busy, another round follows.
        shared.server.delay(Duration::from_millis(20));
        let mut running: Vec<_> = (0..SHARDS * 2)
            .map(|index| start(&["ingest", "--quiet", &shard(index % SHARDS), "--start-delay=0", "--out", TABLES]))
            .collect();
        for child in &mut running {
            std::thread::sleep(instant(LONGEST_INSTANT / 4));
            if child.try_wait().expect("a process can be waited for").is_none() {
                child.kill().expect("a child can be killed");
                killed += 1;
            }
            child.wait().expect("it ends");
        }
        assert!(shared.tables().is_empty(), "a part is visible before the commit");
        shared.server.delay(Duration::ZERO);
        let again: Vec<_> = (0..SHARDS * 2)
            .map(|index| start(&["ingest", "--quiet", &shard(index % SHARDS), "--start-delay=0", "--out", TABLES]))
            .collect();
        for child in again {
            let output = child.wait_with_output().expect("it ends");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        shared.server.delay(Duration::from_millis(20));
        let mut commit = start(&["commit", TABLES, "--models", "none", "--quiet"]);
        std::thread::sleep(instant(LONGEST_INSTANT));
        killed_commits += u32::from(commit.try_wait().expect("it can be waited for").is_none());
        commit.kill().expect("a child can be killed");
        commit.wait().expect("it ends");
        shared.server.delay(Duration::ZERO);
        for (path, bytes) in shared.tables() {
            assert!(shared.expected[&path] == bytes, "{path} is visible but incomplete");
        }
        // Killed processes leave their temporary files.
        std::fs::remove_dir_all(&temporary).expect("it can be removed");
        shared.run(&["commit", TABLES, "--quiet"]).exits_with(0);
        shared.assert_complete();
        for path in shared.server.objects("bucket").keys() {
            shared.server.remove(&format!("bucket/{path}"));
        }
        round += 1;
    }
    println!("killed {killed} shards, {killed_commits} commits in {round} rounds");
}
