//! Shards under real batch schedulers: Slurm with its daemons on loopback, and GNU parallel. The commands and job files
//! are the ones in docs/clusters.

use crate::archives;
use crate::documented::{blocks, reduced};
use crate::run::TestFolder;
use crate::whole::Tables;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const CLUSTERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/clusters");

/// Long enough for the daemons to answer on any machine.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Whether a program works. Fails if it does not and `ROBOCENSUS_SCHEDULERS` is set.
fn works(program: &str) -> bool {
    // The daemons of Slurm print it on `-V`.
    let version = if program.starts_with("slurm") { "-V" } else { "--version" };
    committed::works(Command::new(program).arg(version), Some("ROBOCENSUS_SCHEDULERS"))
}

/// A folder with archives, and the tables of one run.
fn prepared(test: &str) -> TestFolder {
    let folder = TestFolder::new(test);
    archives::write(&folder, "SYNTH-2024-10", 64, 3);
    folder.run(&["ingest", "crawl-data", "--out", "alone", "--quiet"]).exits_with(0).complains("");
    folder
}

/// The commands of a block in a page, for four shards, and for archives and tables in the folder of the test.
fn commands(page: &str, block: usize) -> Vec<String> {
    let page = fs::read_to_string(format!("{CLUSTERS}/{page}")).expect("the page can be read");
    let script = reduced(blocks(&page).get(block).expect("the page has the block"), 4);
    let script = script.replace("robotstxt.paths.gz --base /data ", "crawl-data ").replace("/data/tables", "out");
    let script = script.replace("docs/clusters", CLUSTERS).replace("parallel.sh 16", "parallel.sh 4");
    script.replace("--array=0-15", "--array=0-3").lines().map(str::to_owned).collect()
}

#[track_caller]
fn assert_complete(folder: &TestFolder) {
    folder.run(&["check", "out", "--quiet"]).exits_with(0).complains("");
    for derived in tables::derived() {
        fs::remove_dir_all(folder.path().join("out").join(derived.name)).expect("commit has made derived tables");
    }
    fs::remove_dir_all(folder.path().join("out/_robocensus/models")).expect("and their entries");
    let [out, alone] = ["out", "alone"].map(|name| Tables::at(folder.path().join(name)).finished());
    out.assert_same(&alone);
}

/// Makes a program `robocensus` that runs the binary, and returns a PATH that finds it first. Task I waits while the
/// file `hold-I` exists.
fn with_held_program(folder: &TestFolder) -> String {
    let bin = folder.path().join("bin");
    fs::create_dir(&bin).expect("a folder can be made");
    let held = folder.path().join("hold-").to_string_lossy().into_owned();
    let script = format!(
        "#!/bin/bash\nwhile [ -e '{held}'\"${{SLURM_ARRAY_TASK_ID:-}}\" ]; do sleep 0.05; done\nexec '{}' \"$@\"\n",
        env!("CARGO_BIN_EXE_robocensus")
    );
    fs::write(bin.join("robocensus"), script).expect("a file can be written");
    fs::set_permissions(bin.join("robocensus"), fs::Permissions::from_mode(0o755)).expect("it may be run");
    format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default())
}

#[test]
fn gnu_parallel_makes_the_tables() {
    if !works("parallel") {
        return;
    }
    let folder = prepared("scheduled_parallel");
    let mut command = Command::new("sh");
    command
        .args(["-e", "-c", &commands("parallel.md", 0).join("\n")])
        .env("PATH", with_held_program(&folder))
        .env("HOME", folder.path());
    folder.run_by(command).exits_with(0).prints_among_others("archives  64, of which 0 damaged");
    assert!(folder.path().join("report/index.html").exists());
    assert_complete(&folder);
}

/// Kills one task and requeues another. The missing shards run again, and then the commit that depends on them.
#[test]
fn slurm_makes_the_tables() {
    if !["slurmctld", "slurmd", "munged"].into_iter().all(works) {
        return;
    }
    let folder = prepared("scheduled_slurm");
    let cluster = Cluster::start(&folder);
    for held in ["hold-1", "hold-2"] {
        fs::write(folder.path().join(held), "").expect("a file can be written");
    }
    let page = commands("slurm.md", 0);
    let [plan, shards, commit, check, report] = &page[..] else { panic!("the page has other commands: {page:?}") };
    let commit = commit.replace("--wait", "--parsable");
    let jobs = cluster.shell(&[plan, " --quiet\n", shards, "\necho $job; ", &commit].concat());
    let (array, stuck) = jobs.split_once('\n').expect("two jobs are submitted");
    let state = |task: u32| {
        cluster.ask("squeue", &["--noheader", "--array", "--format=%T", "--job", &format!("{array}_{task}")])
    };
    cluster.wait("two tasks run", || state(1) == "RUNNING" && state(2) == "RUNNING");
    let requeued = format!("{array}_1");
    cluster.ask("scontrol", &["requeue", &requeued]);
    cluster.ask("scancel", &["--signal=KILL", "--full", &format!("{array}_2")]);
    let release = |held: &str| fs::remove_file(folder.path().join(held)).expect("a file can be removed");
    release("hold-1");
    // Slurm kills some time after it was asked to. A task that is no longer held could end before.
    cluster.wait("the task is killed", || state(2) != "RUNNING");
    release("hold-2");
    // Slurm waits two minutes before it starts a requeued task.
    cluster.wait("the task waits", || state(1) == "PENDING");
    cluster.ask("scontrol", &["update", &format!("JobId={requeued}"), "StartTime=now"]);
    let shown = || cluster.ask("scontrol", &["show", "job", &requeued]);
    cluster.wait("the requeued task is done", || shown().contains("JobState=COMPLETED"));
    cluster.wait("the array ends", || cluster.ask("squeue", &["--noheader", "--job", array]).is_empty());
    let reason = || cluster.ask("squeue", &["--noheader", "--format=%r", "--job", stuck]);
    cluster.wait("the commit is given up", || reason() == "DependencyNeverSatisfied");
    cluster.ask("scancel", &[stuck]);
    let missing = folder.run(&["commit", "out", "--missing"]).exits_with(3).complains("").stdout.trim().to_owned();
    assert_eq!(missing, "2", "the log of the other tasks: {}", folder.read(&format!("robocensus-{array}-1.log")));
    let submitted = cluster.shell(&commands("slurm.md", 1).join("\n"));
    let job = submitted.rsplit(' ').next().expect("sbatch names the job");
    let log = folder.read(&format!("robocensus-{job}.log"));
    assert!(log.contains("archives  64, of which 0 damaged"), "{log}");
    cluster.shell(&[check, "\n", report].concat());
    drop(cluster);
    assert_complete(&folder);
}

/// A cluster of one node, whose daemons listen on loopback and end with it.
struct Cluster {
    folder: PathBuf,
    path: String,
    daemons: Vec<Child>,
}

impl Cluster {
    fn start(folder: &TestFolder) -> Self {
        let path = with_held_program(folder);
        let folder = folder.path().canonicalize().expect("the folder exists");
        let mut cluster = Cluster { path, daemons: Vec::new(), folder };
        cluster.configure();
        let at = |name: &str| cluster.folder.join(name).to_string_lossy().into_owned();
        let munge = [
            "--foreground".to_owned(),
            "--force".to_owned(),
            format!("--key-file={}", at("munge.key")),
            format!("--socket={}", at("munge.socket")),
            format!("--pid-file={}", at("munge.pid")),
            format!("--log-file={}", at("munge.log")),
            format!("--seed-file={}", at("munge.seed")),
        ];
        let conf = at("slurm.conf");
        let socket = cluster.folder.join("munge.socket");
        cluster.daemon("munged", &munge.each_ref().map(String::as_str));
        cluster.wait("munge listens", || socket.exists());
        cluster.daemon("slurmctld", &["-D", "-f", &conf]);
        cluster.daemon("slurmd", &["-D", "-f", &conf, "-N", "node"]);
        cluster.wait("the node is idle", || {
            cluster.try_ask("sinfo", &["--noheader", "--format=%T"]) == Some("idle".to_owned())
        });
        cluster
    }

    fn configure(&self) {
        let key: Vec<u8> = (0..=255).cycle().take(1_024).collect();
        fs::write(self.folder.join("munge.key"), key).expect("a file can be written");
        let only_mine = fs::Permissions::from_mode(0o600);
        fs::set_permissions(self.folder.join("munge.key"), only_mine).expect("permissions can be set");
        for made in ["state", "spool"] {
            fs::create_dir(self.folder.join(made)).expect("a folder can be made");
        }
        let [controller, node] = free_ports();
        let host = fs::read_to_string("/proc/sys/kernel/hostname").expect("a machine has a name");
        let folder = self.folder.display();
        let conf = format!(
            "ClusterName=robocensus\nSlurmctldHost={}(127.0.0.1)\nSlurmctldPort={controller}\nSlurmdPort={node}\n\
             AuthType=auth/munge\nAuthInfo=socket={folder}/munge.socket\nSlurmUser=root\nSlurmdUser=root\n\
             ProctrackType=proctrack/pgid\nTaskPlugin=task/none\nMpiDefault=none\nReturnToService=2\nSchedulerType=sched/builtin\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nJobAcctGatherType=jobacct_gather/none\n\
             AccountingStorageType=accounting_storage/none\nSlurmdParameters=config_overrides\nJobCompType=jobcomp/none\nJobRequeue=1\nMinJobAge=300\n\
             StateSaveLocation={folder}/state\nSlurmdSpoolDir={folder}/spool\nSlurmctldPidFile={folder}/slurmctld.pid\n\
             SlurmdPidFile={folder}/slurmd.pid\nSlurmctldLogFile={folder}/slurmctld.log\nSlurmdLogFile={folder}/slurmd.log\n\
             NodeName=node NodeHostname={} NodeAddr=127.0.0.1 CPUs=8 RealMemory=65536 State=UNKNOWN\n\
             PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO\n",
            host.trim(),
            host.trim()
        );
        fs::write(self.folder.join("slurm.conf"), conf).expect("a file can be written");
    }

    fn daemon(&mut self, program: &str, arguments: &[&str]) {
        let log = fs::File::create(self.folder.join(format!("{program}.out"))).expect("a file can be made");
        let mut command = self.command(program, arguments);
        command.stdin(Stdio::null()).stdout(log.try_clone().expect("a file can be used twice")).stderr(log);
        self.daemons.push(command.spawn().unwrap_or_else(|error| panic!("{program} starts: {error}")));
    }

    fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.folder).env("PATH", &self.path);
        command.env("SLURM_CONF", self.folder.join("slurm.conf"));
        command
    }

    /// The output of a Slurm command; `None` if it fails.
    fn try_ask(&self, program: &str, arguments: &[&str]) -> Option<String> {
        let output = self.command(program, arguments).output().expect("the command starts");
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    #[track_caller]
    fn ask(&self, program: &str, arguments: &[&str]) -> String {
        self.try_ask(program, arguments).unwrap_or_else(|| panic!("{program} {arguments:?} fails:\n{}", self.logs()))
    }

    /// The output of commands in a shell.
    #[track_caller]
    fn shell(&self, script: &str) -> String {
        self.ask("sh", &["-e", "-c", script])
    }

    #[track_caller]
    fn wait(&self, what: &str, condition: impl Fn() -> bool) {
        let start = Instant::now();
        while !condition() {
            assert!(start.elapsed() < TIMEOUT, "timed out before {what}:\n{}", self.logs());
            sleep(Duration::from_millis(100));
        }
    }

    fn logs(&self) -> String {
        let log = |name: &str| fs::read_to_string(self.folder.join(name)).unwrap_or_default();
        ["munge.log", "munged.out", "slurmctld.log", "slurmctld.out", "slurmd.log", "slurmd.out"].map(log).concat()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // Stops the node before its controller, and munge last.
        for daemon in self.daemons.iter_mut().rev() {
            let _ = Command::new("kill").arg(daemon.id().to_string()).status();
            let _ = daemon.wait();
        }
        let _ = fs::remove_file(Path::new(&self.folder).join("munge.key"));
    }
}

/// Two free ports.
fn free_ports() -> [u16; 2] {
    let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").expect("loopback has free ports"));
    listeners.each_ref().map(|listener| listener.local_addr().expect("it listens").port())
}
