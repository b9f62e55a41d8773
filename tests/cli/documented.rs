//! The commands and job files in the pages about machines work as they are written there. A server on loopback has the
//! sample in place of a crawl of Common Crawl, and two shards replace sixteen.

use crate::python::run_script;
use crate::run::{Run, TestFolder};
use crate::sample;
use crate::server::Server;
use crate::store_tables::signed_command;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// The blocks of shell commands in a page.
pub(crate) fn blocks(page: &str) -> Vec<&str> {
    page.split("\n```sh\n").skip(1).filter_map(|block| block.split("\n```").next()).collect()
}

/// Fewer shards, and a report with one section.
pub(crate) fn reduced(script: &str, shards: u32) -> String {
    let mut reduced = String::new();
    for line in script.lines() {
        reduced += &line.replace("--shards 16", &format!("--shards {shards}")).replace("/16", &format!("/{shards}"));
        reduced += if line.starts_with("robocensus report ") { " --only read\n" } else { "\n" };
    }
    reduced
}

/// Puts the binary into a folder for programs, and returns a PATH that finds it first.
pub(crate) fn with_program(folder: &TestFolder) -> String {
    let bin = folder.path().canonicalize().expect("the folder exists").join("bin");
    fs::create_dir(&bin).expect("a folder can be made");
    symlink(env!("CARGO_BIN_EXE_robocensus"), bin.join("robocensus")).expect("a link can be made");
    format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default())
}

/// A machine with the program, and buckets.
struct Machine {
    folder: TestFolder,
    server: Server,
    path: String,
}

impl Machine {
    fn new(test: &str) -> Self {
        let list = fs::read(sample::root().join("crawl-data/SAMPLE-2024-10/robotstxt.paths.gz"));
        let list = list.expect("the sample has a list");
        let folder = sample::folder(test).with("robotstxt.paths.gz", &list);
        let server = Server::start();
        server.put_folder("commoncrawl/crawl-data/", &sample::root().join("crawl-data"));
        server.put("commoncrawl/crawl-data/CC-MAIN-2024-22/robotstxt.paths.gz", list);
        let path = with_program(&folder);
        Machine { folder, server, path }
    }

    fn command(&self, words: &[&str]) -> Command {
        let settings = signed_command(&self.folder, &self.server, &[]);
        let (program, arguments) = words.split_first().expect("a command has a program");
        let mut command = Command::new(program);
        command.args(arguments).env("PATH", &self.path).env("AWS_SKIP_SIGNATURE", "true");
        for (name, value) in settings.get_envs() {
            match value {
                // Only to find secrets in logs.
                Some(_) if name == "RUST_LOG" => &mut command,
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }

    /// Runs commands in a shell, which ends at the first that fails.
    #[track_caller]
    fn runs(&self, script: &str) -> Run {
        let run = self.folder.run_by(self.command(&["sh", "-e", "-c", &reduced(script, 2)]));
        run.exits_with(0);
        run
    }

    /// Runs a task of a job file. Tasks wait a random time, which would make the test slow.
    fn task(&self, words: &[String], variables: &[(&str, &str)]) -> Run {
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        words.push("--start-delay=0");
        let mut command = self.command(&words);
        command.envs(variables.iter().copied());
        self.folder.run_by(command)
    }

    fn has_tables(&self) -> bool {
        self.server.objects("bucket/tables/captures").len() == 1
    }
}

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    fs::read_to_string(root.join(path)).expect("the page can be read")
}

/// The lines of a script that run our program.
fn of_program(script: &str) -> String {
    script.lines().filter(|line| line.starts_with("robocensus ")).flat_map(|line| [line, "\n"]).collect()
}

#[test]
fn the_page_about_one_machine_works() {
    let machine = Machine::new("documented_one_machine");
    let page = read("clusters/one-machine.md");
    let [whole, counted] = blocks(&page)[..] else { unreachable!("the page has two blocks") };
    machine.runs(whole).prints_among_others("report/index.html: ");
    machine.runs(counted).prints_among_others("SAMPLE-2024-10         6       0\n");
    // A killed run is continued by the same command.
    machine.runs(whole).complains_among_others("tables: nothing to do: all inputs were read before\n");
    machine.runs(&whole.replace(" tables", " s3://bucket/tables"));
    assert!(machine.has_tables());
}

#[test]
fn the_page_about_shards_works() {
    let machine = Machine::new("documented_shards");
    let page = read("clusters.md");
    let [on_disk, in_bucket, _] = blocks(&page)[..] else { unreachable!("the page has three blocks") };
    // /data is the folder of the test.
    let both = |script: &str| {
        let shard = script.lines().find(|line| line.contains("--shard 0/16")).expect("it makes a shard");
        let both = format!("{shard} --start-delay=0\n{shard} --start-delay=0").replacen("0/16", "1/16", 1);
        script.replace(shard, &both).replace("/data/tables", "tables").replace("/data", ".")
    };
    machine.runs(&both(on_disk));
    machine.runs("robocensus check tables --quick");
    machine.runs(&both(in_bucket));
    machine.runs("robocensus check s3://bucket/tables --quick");
    assert!(machine.has_tables());
}

#[test]
fn the_page_about_stores_works() {
    let machine = Machine::new("documented_stores");
    let script = of_program(&blocks(&read("stores.md")).join("\n"));
    assert_eq!(script.lines().count(), 3, "{script}");
    machine.runs(&script);
    assert!(machine.has_tables());
}

/// The commit waits for the shards.
#[test]
fn the_jobs_for_kubernetes_work() {
    let machine = Machine::new("documented_kubernetes");
    let page = read("clusters/kubernetes.md");
    let script = of_program(blocks(&page).first().expect("the page has commands"));
    let (plan, after) = script.split_once('\n').expect("it plans first");
    machine.runs(plan).prints_among_others("s3://bucket/tables: 6 archives, in 1 part for 2 shards\n");
    let file = read("clusters/kubernetes/jobs-bucket.yaml");
    let commands = file.lines().filter_map(|line| line.trim().strip_prefix("command: "));
    let mut commands = commands.map(|words| serde_json::from_str::<Vec<String>>(words).expect("it is a list of texts"));
    let (shard, commit) = (commands.next().expect("shards"), commands.next().expect("and a commit"));
    let commit: Vec<String> = commit.iter().map(|word| word.replace("sleep 60", "echo waits; sleep 0.1")).collect();
    let words: Vec<&str> = commit.iter().map(String::as_str).collect();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| machine.folder.run_by(machine.command(&words)));
        while !machine.server.seen().iter().any(|seen| seen.path.contains("_robocensus")) {
            std::thread::yield_now();
        }
        let none = "s3://bucket/tables: nothing to do: the plan has more shards than parts\n";
        machine.task(&shard, &[("JOB_COMPLETION_INDEX", "1")]).exits_with(0).complains_among_others(none);
        machine.task(&shard, &[("JOB_COMPLETION_INDEX", "0")]).exits_with(0);
        waiting.join().expect("it ends").exits_with(0).prints_among_others("archives  6, of which 0 damaged");
    });
    machine.runs(after);
    assert!(machine.has_tables());
    // The job ends with 0 if an input is damaged, and with the code of commit if work is left.
    let ends = |code: u32, expected: i32| {
        let fake = machine.folder.path().join("bin/robocensus");
        fs::remove_file(&fake).expect("a link can be removed");
        fs::write(&fake, format!("#!/bin/sh\nexit {code}\n")).expect("a file can be written");
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&fake, executable).expect("permissions can be set");
        machine.folder.run_by(machine.command(&words)).exits_with(expected);
    };
    ends(1, 0);
    ends(2, 2);
}

#[test]
fn the_jobs_for_aws_batch_work() {
    let machine = Machine::new("documented_aws_batch");
    let page = read("clusters/aws-batch.md");
    let scripts: Vec<String> = blocks(&page).iter().map(|block| of_program(block)).collect();
    let [plan, after] = &scripts[..] else { unreachable!("the page has two blocks") };
    machine.runs(plan);
    let json = |path: &str| -> serde_json::Value {
        serde_json::from_str(&read(&format!("clusters/aws-batch/{path}"))).expect("it is JSON")
    };
    let job = json("job-definition-bucket.json");
    let tables = job["parameters"]["tables"].as_str().expect("it names the tables");
    let words = |list: &serde_json::Value| -> Vec<String> {
        let words = list.as_array().expect("it is a list").iter().map(|word| word.as_str().expect("it is a text"));
        words.map(|word| if word == "Ref::tables" { tables.to_owned() } else { word.to_owned() }).collect()
    };
    let shard = words(&job["containerProperties"]["command"]);
    for index in ["0", "1"] {
        let variables = [("AWS_BATCH_JOB_ARRAY_INDEX", index), ("AWS_BATCH_JOB_ARRAY_SIZE", "2")];
        machine.task(&shard, &variables).exits_with(0);
    }
    let commit = words(&json("commit-bucket.json")["containerOverrides"]["command"]);
    let commit: Vec<&str> = commit.iter().map(String::as_str).collect();
    machine.folder.run_by(machine.command(&commit)).exits_with(0);
    machine.runs(after);
    assert!(machine.has_tables());
}

/// `benches/costs.py` computes the tables of the page.
#[test]
fn the_page_about_costs_has_the_computed_tables() {
    let Some(printed) = run_script("ROBOCENSUS_PYTHON", "benches/costs.py", &[]) else { return };
    let page = read("costs.md");
    assert!(printed.split("\n\n").count() >= 3, "{printed}");
    for table in printed.split("\n\n").map(str::trim) {
        assert!(page.contains(table), "docs/costs.md has another table:\n{table}");
    }
}
