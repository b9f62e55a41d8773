//! Runs on a full or read-only disk: a file system in memory, which only root can mount.

use crate::archives;
use crate::run::TestFolder;
use crate::server::Server;
use crate::store_tables::signed_command;
use crate::whole::Tables;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const INGEST: [&str; 7] = ["ingest", "crawl-data", "--out", "disk/tables", "--jobs", "1", "--quiet"];

/// A file system that is mounted at a folder, and unmounted on drop.
struct Disk(PathBuf);

impl Disk {
    fn mount(path: &Path, bytes: u64) -> Option<Self> {
        fs::create_dir(path).expect("a folder can be made");
        let size = format!("size={bytes}");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(path);
        committed::works(&mut mount, None).then(|| Disk(path.to_path_buf()))
    }

    fn remount(&self, options: &str) {
        let options = format!("remount,{options}");
        let status = Command::new("mount").args(["-o", &options]).arg(&self.0).status().expect("mount starts");
        assert!(status.success(), "mount -o {options}: {status}");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

/// Two parts, and the tables of an undisturbed run.
fn folder(test: &str) -> (TestFolder, Tables) {
    let folder = TestFolder::new(test);
    archives::write(&folder, "SYNTH-2024-10", 17, 50);
    folder.run(&["ingest", "crawl-data", "--out", "undisturbed", "--quiet"]).exits_with(0);
    let undisturbed = Tables::at(folder.path().join("undisturbed"));
    (folder, undisturbed)
}

#[test]
fn a_full_disk_is_reported_and_the_next_run_succeeds() {
    let (folder, undisturbed) = folder("a_full_disk_of_tables");
    let whole = undisturbed.finished();
    const PAGE: u64 = 4096;
    let of_part = |files: &Vec<u64>| files.iter().map(|bytes| bytes.div_ceil(PAGE) * PAGE).sum::<u64>();
    let parts: Vec<u64> = whole.part_bytes().values().map(of_part).collect();
    let (all, least) = (parts.iter().sum::<u64>(), parts.iter().min().copied().unwrap_or_default());
    // Space for one part, `_robocensus`, and half of the other part.
    let Some(disk) = Disk::mount(&folder.path().join("disk"), all - least / 2) else { return };
    let tables = Tables::at(folder.path().join("disk/tables"));
    for _ in 0..2 {
        let run = folder.run(&INGEST);
        run.exits_with(2).prints("").complains_among_others("no space left on device (os error 28)");
        assert!(run.stderr.starts_with("tables cannot be written: disk/tables/_robocensus/work/part-0000"), "{run}");
        assert_eq!(run.stderr.lines().count(), 1, "{run}");
        tables.assert_sound(&whole);
        assert_eq!(tables.done_files().len(), tables::tables().len() + 1, "exactly one part must be finished\n{run}");
    }
    disk.remount(&format!("size={}", 2 * all));
    tables.assert_finished_by(|| _ = folder.run(&INGEST).exits_with(0).complains(""), &whole);
}

/// Statements spill what does not fit into memory.
#[test]
fn a_full_folder_for_temporary_files_is_named() {
    let folder = TestFolder::new("a_full_spill_folder");
    let Some(disk) = Disk::mount(&folder.path().join("spill"), 300 << 10) else { return };
    let sorted = "SELECT a.capture_id, b.capture_id, a.url_host_name FROM captures a CROSS JOIN captures b \
        CROSS JOIN range(0, 400) c ORDER BY b.capture_id, a.url_host_name";
    let ask = ["sql", "--tables", crate::questions::sample_tables(), "--spill", "spill", "--memory", "64MB", sorted];
    folder.run(&ask).exits_with(2).prints("").complains(
        "folder for temporary files is full: spill: no space left on device (os error 28); TMPDIR names another, as does --spill of query, sql, report and models\n",
    );
    disk.remount("ro");
    folder.run(&ask).exits_with(2).prints("").complains(
        "folder for temporary files cannot be used: spill: read-only file system (os error 30); TMPDIR names another, \
         as does --spill of query, sql, report and models\n",
    );
}

/// The files of tables in a bucket are made there. The bucket is not full.
#[test]
fn a_full_folder_for_the_files_of_a_bucket_is_named() {
    let (folder, _) = folder("a_full_folder_for_a_bucket");
    let server = Server::start();
    let Some(disk) = Disk::mount(&folder.path().join("tiny"), 64 << 10) else { return };
    let ingest = || {
        let mut command =
            signed_command(&folder, &server, &["ingest", "crawl-data", "--out", "s3://bucket/of/tables", "--quiet"]);
        command.env("TMPDIR", &disk.0);
        folder.run_by(command)
    };
    let expected = format!(
        "folder for temporary files is full: {}: no space left on device (os error 28); TMPDIR names another\n",
        disk.0.display()
    );
    ingest().exits_with(2).prints("").complains(&expected);
    disk.remount("size=16m");
    ingest().exits_with(0);
}

#[test]
fn a_read_only_folder_is_reported() {
    let (folder, undisturbed) = folder("a_folder_that_cannot_be_written_to");
    let Some(disk) = Disk::mount(&folder.path().join("disk"), 16 << 20) else { return };
    disk.remount("ro");
    let cause = "read-only file system (os error 30)";
    folder.run(&INGEST).exits_with(2).prints("").complains(&format!("folder cannot be made: disk/tables: {cause}\n"));
    disk.remount("rw");
    folder.run(&INGEST).exits_with(0);
    disk.remount("ro");
    let expected = format!("folder cannot be written to: disk/tables: {cause}\n");
    folder.run(&INGEST).exits_with(2).prints("").complains(&expected);
    disk.remount("rw");
    folder.run(&INGEST).exits_with(0);
    Tables::at(folder.path().join("disk/tables")).finished().assert_same(&undisturbed.finished());
}

/// Under a limit of the address space, such as that of a batch job, tokio panics or waits forever.
#[test]
fn threads_that_cannot_be_started_are_reported() {
    let (folder, _) = folder("a_limit_of_threads");
    folder.run(&["ingest", "crawl-data", "--out", "tables", "--models", "none", "--quiet"]).exits_with(0);
    for command in ["query status_codes --tables tables", "check tables", "models tables"] {
        let limited = folder.bash(&format!("ulimit -v 4000000; timeout 60 robocensus {command} --jobs 64"));
        let expected = "threads cannot be started: 64: resource temporarily unavailable (os error 11)\n";
        limited.exits_with(2).complains(expected);
    }
}

/// The second thread, which waits for signals, is one too many. Root has no such limit, but may become a user who has.
/// That user may not see the folder of the program, so its file is opened before.
#[test]
fn a_limit_of_processes_is_reported() {
    let folder = TestFolder::new("a_limit_of_processes");
    let limited = |script: &str| {
        let user = "exec setpriv --reuid 64321 --regid 64321 --clear-groups bash -c \"$2\"";
        let mut limited = Command::new("bash");
        limited.args(["-c", &format!("exec 9<\"$1\"; {user}"), "bash", env!("CARGO_BIN_EXE_robocensus"), script]);
        limited
    };
    if committed::works(&mut limited("exec /proc/self/fd/9 --version"), None) {
        let expected = "thread cannot be started: interrupt: resource temporarily unavailable (os error 11)\n";
        folder
            .run_by(limited("ulimit -u 2; exec /proc/self/fd/9 check ."))
            .exits_with(2)
            .prints("")
            .complains(expected);
    }
}

/// The system signals a write beyond the user's file size limit with SIGXFSZ, which by default kills the process.
#[test]
fn a_file_size_limit_is_reported_and_the_next_run_succeeds() {
    let (folder, undisturbed) = folder("a_limit_of_files");
    let whole = undisturbed.finished();
    let limited = folder.bash("ulimit -f 8; exec robocensus ingest crawl-data --out tables --models none --quiet");
    limited.exits_with(2).complains_among_others("file too large (os error 27)");
    let tables = Tables::at(folder.path().join("tables"));
    tables.assert_sound(&whole);
    let ingest = ["ingest", "crawl-data", "--out", "tables", "--quiet"];
    tables.assert_finished_by(|| _ = folder.run(&ingest).exits_with(0).complains(""), &whole);
}
