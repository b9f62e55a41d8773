//! Shards that were killed, changed or damaged: the same commands finish them.

use crate::archives;
use crate::random::Random;
use crate::shards::{Crawls, SHARDS};
use crate::strace::{self, MAKE_FOLDER, REMOVE, RENAME, SYNC};
use committed::full::{is_full, step};
use std::fs;
use std::time::Duration;

/// How often shards are killed at random instants: in the full run, and in other runs.
const ROUNDS: [u64; 2] = [20, 2];

/// The seed of the random instants.
const SEED: u64 = 9309;

/// Machines are lost at random instants, and their tasks start again, some of them twice at the same time.
#[test]
fn shards_killed_at_random_instants_can_be_resumed() {
    let crawls = Crawls::new("shards_killed", 32, 20);
    let mut random = Random::new(SEED);
    let (mut killed, rounds) = (0, if is_full() { ROUNDS[0] } else { ROUNDS[1] });
    let (mut round, mut longest) = (0, crawls.took / 4);
    // Of 16 processes in a round, some end before their turn. More than two of them are killed on the average.
    while round < rounds || killed <= 2 * rounds {
        assert!(round < 20 * rounds, "killed {killed} times in {round} rounds");
        let out = format!("round-{round}");
        let killed_before = killed;
        crawls.plan(&out, SHARDS).exits_with(0);
        for _ in 0..2 {
            // Two processes make each shard.
            let mut running: Vec<_> = (0..SHARDS * 2)
                .map(|index| crawls.shard(index % SHARDS, &out).spawn().expect("the binary starts"))
                .collect();
            while let Some(mut child) =
                (!running.is_empty()).then(|| running.remove(random.next() as usize % running.len()))
            {
                std::thread::sleep(longest.mul_f64((random.next() % 1_000) as f64 / 1_000.0));
                if child.try_wait().expect("a process can be waited for").is_none() {
                    child.kill().expect("a child can be killed");
                    killed += 1;
                }
                child.wait().expect("it ends");
            }
        }
        assert!(!crawls.path(&out).join("captures").exists(), "a part is published before all are done");
        for index in 0..SHARDS {
            crawls.make_shard(index, &out);
        }
        let mut commit =
            crawls.folder.command(&["commit", &out, "--models", "none", "--quiet"]).spawn().expect("it starts");
        std::thread::sleep(Duration::from_micros(random.next() % 40_000));
        commit.kill().expect("a child can be killed");
        commit.wait().expect("it ends");
        crawls.tables(&out).assert_sound(&crawls.whole);
        crawls.folder.run(&["commit", &out, "--quiet"]).exits_with(0);
        crawls.assert_complete(&out);
        fs::remove_dir_all(crawls.path(&out)).expect("a round can be removed");
        // The undisturbed run may have been slow because the machine was busy.
        if killed - killed_before <= 2 {
            longest /= 2;
        }
        round += 1;
    }
    println!("killed {killed} times in {round} rounds");
}

#[test]
fn shards_and_commit_killed_before_any_call_can_be_resumed() {
    if !strace::works() {
        return;
    }
    let crawls = Crawls::new("shards_killed_at_calls", 2, 1);
    let shard = ["ingest", "--shard", "0/1", "--out", "out", "--jobs", "1", "--quiet"];
    let commit = ["commit", "out", "--quiet"];
    let mut kills = 0;
    for calls in [RENAME, SYNC, MAKE_FOLDER, REMOVE] {
        for killed in [&shard[..], &commit] {
            for number in (1..).step_by(step(25)) {
                crawls.plan("out", 1).exits_with(0);
                if killed == &commit[..] {
                    crawls.folder.run(&shard).exits_with(0);
                }
                let run = strace::run(&crawls.folder, calls, number, "signal=KILL", killed);
                crawls.tables("out").assert_sound(&crawls.whole);
                if killed == &shard[..] {
                    assert!(!crawls.path("out/captures").exists(), "a part is published before all are done");
                }
                // A scheduler may start a shard again, also while parts of it are published.
                if crawls.path("out/_robocensus/shards").exists() {
                    crawls.folder.run(&shard).exits_with(0).complains("");
                }
                crawls.folder.run(&["commit", "out"]).exits_with(0);
                crawls.assert_complete("out");
                fs::remove_dir_all(crawls.path("out")).expect("a folder can be removed");
                if run.status.success() {
                    break;
                }
                kills += 1;
            }
        }
    }
    println!("killed {kills} times");
    assert!(kills > 80 / step(25), "killed {kills} times");
}

/// A shard whose staged files differ from its marker is not published.
#[test]
fn changed_shards_are_not_published() {
    let crawls = Crawls::new("shards_changed", 2, 1);
    let folder = &crawls.folder;
    let staged = |out: &str| {
        crawls.plan(out, 1).exits_with(0);
        folder.run(&["ingest", "--shard", "0/1", "--out", out, "--quiet"]).exits_with(0).complains("");
        crawls.path(out).join("_robocensus/shards")
    };
    let shards = staged("entry");
    fs::copy(shards.join("parts/part-00000/entry.json"), shards.join("parts/part-00001/entry.json"))
        .expect("it can be copied");
    folder.run(&["commit", "entry"]).exits_with(2).complains(
        "staged part belongs to another plan: entry/_robocensus/shards/parts/part-00001/entry.json: it is part 0 of SYNTH-2024-10\n",
    );
    let shards = staged("marker");
    let marker = fs::read_to_string(shards.join("done/shard-00000.json")).expect("the marker is there");
    fs::write(shards.join("done/shard-00000.json"), marker.replace("\"rows\":", "\"rows\":1"))
        .expect("it can be written");
    folder.run(&["commit", "marker"]).exits_with(2).complains(
        "record of shards cannot be read: marker/_robocensus/shards/done/shard-00000.json: it is not as robocensus wrote it; remove it and start shard 0 again\n",
    );
    let shards = staged("cut");
    let path = shards.join("parts/part-00001/rules.parquet");
    fs::OpenOptions::new().write(true).open(&path).and_then(|file| file.set_len(100)).expect("a file can be cut");
    folder.run(&["commit", "cut"]).exits_with(2).complains_among_others(
        "staged file has changed: cut/_robocensus/shards/parts/part-00001/rules.parquet: it has 100 bytes, and had ",
    );
    assert!(!crawls.path("cut/captures").exists(), "nothing is published");
}

/// The advice of each message leads back to complete tables.
#[test]
fn damaged_shards_can_be_made_again() {
    let crawls = Crawls::new("shards_repaired", 2, 1);
    let folder = &crawls.folder;
    let shards = crawls.path("out/_robocensus/shards");
    let part = shards.join("parts/part-00001");
    let check = |damage: &dyn Fn(), expected: &str, repair: &dyn Fn()| {
        crawls.plan("out", 2).exits_with(0);
        for shard in ["0/2", "1/2"] {
            folder.run(&["ingest", "--shard", shard, "--out", "out", "--quiet"]).exits_with(0).complains("");
        }
        damage();
        let expected = expected.replace("SHARDS", "out/_robocensus/shards");
        for arguments in [&["commit", "out"][..], &["commit", "out", "--missing"]] {
            folder.run(arguments).exits_with(2).complains(&expected);
        }
        assert!(!crawls.path("out/bodies").exists(), "a part is published");
        repair();
        folder.run(&["commit", "out", "--missing"]).exits_with(3).prints("1\n").complains("");
        folder.run(&["ingest", "--shard", "1/2", "--out", "out", "--quiet"]).exits_with(0).complains("");
        folder.run(&["commit", "out", "--quiet"]).exits_with(0).complains("");
        crawls.assert_complete("out");
        fs::remove_dir_all(crawls.path("out")).expect("a folder can be removed");
    };
    let remove_part = || fs::remove_dir_all(&part).expect("a folder can be removed");
    let again = "remove the folder part-00001 and start shard 1 again\n";
    check(
        &|| fs::write(part.join("entry.json"), "{}").expect("it can be written"),
        &format!(
            "ledger cannot be read: SHARDS/parts/part-00001/entry.json: it is not as robocensus wrote it; {again}"
        ),
        &remove_part,
    );
    check(
        &|| fs::remove_file(part.join("entry.json")).expect("it can be removed"),
        &format!("ledger cannot be read: SHARDS/parts/part-00001/entry.json: it is missing; {again}"),
        &remove_part,
    );
    check(
        &|| fs::remove_file(part.join("rules.parquet")).expect("it can be removed"),
        &format!("staged file is missing: SHARDS/parts/part-00001/rules.parquet: {again}"),
        &remove_part,
    );
    let marker = shards.join("done/shard-00001.json");
    check(
        &|| fs::write(&marker, "{}").expect("it can be written"),
        "record of shards cannot be read: SHARDS/done/shard-00001.json: it is not as robocensus wrote it; remove it and start shard 1 again\n",
        &|| fs::remove_file(&marker).expect("it can be removed"),
    );
}

/// A commit that is killed while it removes the folder of a part may leave it empty.
#[test]
fn an_empty_folder_of_a_staged_part_stops_no_commit() {
    let crawls = Crawls::new("shards_empty", 2, 1);
    let folder = &crawls.folder;
    crawls.plan("out", 1).exits_with(0);
    let shard = ["ingest", "--shard", "0/1", "--out", "out", "--quiet"];
    fs::create_dir_all(crawls.path("out/_robocensus/shards/parts/part-00000")).expect("a folder can be made");
    folder.run(&["commit", "out", "--missing"]).exits_with(3).prints("0\n").complains("");
    folder.run(&shard).exits_with(0).complains("");
    folder.run(&["commit", "out", "--quiet"]).exits_with(0).complains("");
    crawls.assert_complete("out");
}

/// A task that was thought lost continues after the next plan, when an archive is gone.
#[test]
fn a_part_of_an_earlier_plan_takes_no_rows_away() {
    let crawls = Crawls::new("shards_late", 2, 1);
    let folder = &crawls.folder;
    let run = |out: &str| folder.run(&["ingest", "--shard", "0/1", "--out", out, "--quiet"]);
    let part = |out: &str| crawls.path(out).join("_robocensus/shards/parts/part-00000");
    crawls.plan("out", 1).exits_with(0);
    run("out").exits_with(0).complains("");
    folder.run(&["commit", "out", "--quiet"]).exits_with(0).complains("");
    crawls.plan("late", 1).exits_with(0);
    let (archive, away) = (archives::path("SYNTH-2024-10", 0), crawls.path("away"));
    fs::rename(crawls.path(&archive), &away).expect("a file can be renamed");
    run("late").exits_with(0);
    fs::rename(&away, crawls.path(&archive)).expect("a file can be renamed");
    crawls.plan("out", 1).exits_with(0);
    fs::create_dir_all(part("out")).expect("a folder can be made");
    fs::remove_dir(part("out")).expect("a folder can be removed");
    fs::rename(part("late"), part("out")).expect("a folder can be moved");
    let lacks = format!(
        "staged part belongs to another plan: out/_robocensus/shards/parts/part-00000/entry.json: it lacks rows of \
         {archive}, which the tables have; remove the folder part-00000 and start shard 0 again\n"
    );
    run("out").exits_with(2).complains(&lacks);
    folder.run(&["commit", "out"]).exits_with(2).complains(&lacks);
    fs::remove_dir_all(part("out")).expect("a folder can be removed");
    run("out").exits_with(0).complains("");
    folder.run(&["commit", "out", "--quiet"]).exits_with(0).complains("");
    crawls.assert_complete("out");
}
