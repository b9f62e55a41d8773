//! Stops a run at a known point: an archive is a named pipe, and the test decides when to write to it.
//!
//! In undisturbed runs the archive is an empty file of the same time, so that the plan is the same.

use std::fs::{self, File};
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime};

/// Far longer than any step takes, so that a test fails instead of hanging.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);

/// A time that every file system stores exactly.
const TIME: SystemTime = SystemTime::UNIX_EPOCH;

/// O_NONBLOCK on Linux: a write to a full pipe fails instead of waiting.
const O_NONBLOCK: i32 = 0o4000;

/// With this variable, the binary accepts pipes as archives.
pub(crate) const READS_PIPES: (&str, &str) = ("ROBOCENSUS_TEST_PIPES", "1");

/// A named pipe in place of an archive. Its reader waits until the pipe is released or fed.
pub(crate) struct Hold {
    path: PathBuf,
    /// Open for reading and writing, so that the other reader neither waits for a writer nor sees the end.
    pipe: Option<File>,
}

/// The message of a run about an empty archive.
pub(crate) fn empty_archive_message(archive: &str) -> String {
    format!("input is damaged: {archive} at offset 0: archive-empty\n")
}

/// Writes an empty archive, for runs that are not held.
pub(crate) fn empty_archive(path: &Path) {
    let _ = fs::remove_file(path);
    File::create(path).and_then(|file| file.set_modified(TIME)).expect("an empty file can be made");
}

impl Hold {
    /// Puts a pipe in place of an empty archive.
    pub(crate) fn at(path: &Path) -> Self {
        fs::remove_file(path).expect("an archive can be removed");
        let made = Command::new("mkfifo").arg(path).status().expect("mkfifo starts");
        assert!(made.success(), "mkfifo: {made}");
        let pipe = File::options().read(true).write(true).open(path).expect("a pipe can be opened");
        pipe.set_modified(TIME).expect("its time can be set");
        Hold { path: path.to_path_buf(), pipe: Some(pipe) }
    }

    /// Puts a full pipe in place of an empty archive. It accepts more bytes only when the run reads it; an earlier
    /// write would change its time.
    pub(crate) fn full_at(path: &Path) -> Self {
        let hold = Hold::at(path);
        let mut pipe = File::options().write(true).custom_flags(O_NONBLOCK).open(path).expect("a pipe can be opened");
        loop {
            match pipe.write(&[0; 4096]) {
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => panic!("a pipe cannot be filled: {error}"),
            }
        }
        pipe.set_modified(TIME).expect("its time can be set");
        hold
    }

    /// Waits until a process has opened the pipe.
    pub(crate) fn wait_for(&self, process: &mut Child) {
        self.wait_until("the pipe is opened", process, |_| true);
    }

    /// Waits until a thread of a process reads the pipe and waits for its bytes. It cannot look for a signal then.
    pub(crate) fn wait_for_reader(&self, process: &mut Child) {
        let threads = PathBuf::from(format!("/proc/{}/task", process.id()));
        let text = |path: PathBuf| fs::read_to_string(path).unwrap_or_default();
        self.wait_until("the pipe is read", process, |file| {
            let argument = file.parse().map(|file: u64| format!("{file:#x}"));
            entries(&threads).any(|thread| {
                let call = text(thread.join("syscall"));
                let reads_file = argument.as_ref().is_ok_and(|file| call.split(' ').nth(1) == Some(file));
                reads_file && text(thread.join("wchan")).ends_with("pipe_read")
            })
        });
    }

    /// Waits until the condition holds for a number by which a process has opened the pipe.
    fn wait_until(&self, what: &str, process: &mut Child, condition: impl Fn(&str) -> bool) {
        let files = PathBuf::from(format!("/proc/{}/fd", process.id()));
        let path = self.path.canonicalize().expect("the pipe exists");
        wait_until(what, || {
            if let Some(status) = process.try_wait().expect("a process can be waited for") {
                panic!("the run ended instead of waiting for the pipe: {status}");
            }
            let is_pipe = |file: &PathBuf| fs::read_link(file).is_ok_and(|to| to == path);
            let name = |file: PathBuf| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            entries(&files).filter(is_pipe).map(name).any(|file| condition(&file))
        });
    }

    /// Changes the time of the archive.
    pub(crate) fn touch(&self) {
        let pipe = self.pipe.as_ref().expect("it is not released");
        pipe.set_modified(TIME + Duration::from_secs(1)).expect("its time can be set");
    }

    /// Lets the reader see the end of an empty archive.
    pub(crate) fn release(&mut self) {
        self.pipe = None;
    }

    /// Writes the bytes again and again until nobody reads. Returns after the first bytes were read.
    pub(crate) fn feed(&mut self, bytes: Vec<u8>) -> JoinHandle<()> {
        let mut pipe = File::options().write(true).open(&self.path).expect("a pipe can be opened");
        let (read, is_read) = mpsc::channel();
        let feeder = thread::spawn(move || {
            while pipe.write_all(&bytes).is_ok() {
                let _ = read.send(());
            }
        });
        self.release();
        is_read.recv_timeout(TIMEOUT).expect("the run reads the pipe");
        feeder
    }
}

impl Drop for Hold {
    /// Puts the empty archive back.
    fn drop(&mut self) {
        if !thread::panicking() {
            empty_archive(&self.path);
        }
    }
}

/// Sends a signal.
pub(crate) fn signal(process: &Child, name: &str) {
    let sent = Command::new("kill").args(["-s", name, &process.id().to_string()]).status().expect("kill starts");
    assert!(sent.success(), "kill -s {name}: {sent}");
}

/// Waits until a process ends.
pub(crate) fn wait_for_end(process: &mut Child) -> ExitStatus {
    let mut status = None;
    wait_until("the run ends", || {
        status = process.try_wait().expect("a process can be waited for");
        status.is_some()
    });
    status.expect("it has ended")
}

/// What a process has printed on standard error, up to its end.
pub(crate) fn stderr_of(process: &mut Child) -> String {
    let mut stderr = String::new();
    process.stderr.take().expect("standard error is a pipe").read_to_string(&mut stderr).expect("it can be read");
    stderr
}

/// The paths in a folder; none if it is gone.
fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

pub(crate) fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < TIMEOUT, "timed out before {what}");
        thread::sleep(Duration::from_millis(2));
    }
}
