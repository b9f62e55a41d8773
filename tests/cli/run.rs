//! Runs the binary in a separate folder. A failing test prints the whole run.

use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};
use std::thread;

/// A fresh folder for one test. It has the name of the test and is kept, so that its files can be inspected after a
/// failure.
pub(crate) struct TestFolder(PathBuf);

/// The names of folders, and the thread that each test runs in.
static USED: Mutex<BTreeMap<String, Option<String>>> = Mutex::new(BTreeMap::new());

impl TestFolder {
    /// Panics if another test has a folder of this name: both can run at the same time.
    pub(crate) fn new(test: &str) -> Self {
        let thread = thread::current().name().map(str::to_owned);
        let mut used = USED.lock();
        let first = used.entry(test.to_owned()).or_insert_with(|| thread.clone()).clone();
        drop(used);
        assert_eq!(first, thread, "two tests have a folder named {test}");
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
        if path.exists() {
            fs::remove_dir_all(&path).expect("the folder of an earlier run can be removed");
        }
        fs::create_dir_all(&path).expect("a folder can be made");
        TestFolder(path)
    }

    /// The folder with a file in it.
    pub(crate) fn with(self, name: &str, body: impl AsRef<[u8]>) -> Self {
        self.write(name, body);
        self
    }

    /// Writes a file, and makes the folders above it. Returns its path.
    #[track_caller]
    pub(crate) fn write(&self, name: &str, body: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| fs::write(&path, body)).unwrap_or_else(|error| panic!("{name} can be written: {error}"));
        path
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// The text of a file in the folder.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name} can be read: {error}"))
    }

    /// Runs the binary here, with nothing on standard input.
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.run_with_stdin(arguments, b"")
    }

    /// Runs the binary here.
    pub(crate) fn run_with_stdin(&self, arguments: &[&str], stdin: &[u8]) -> Run {
        let mut child = self.command(arguments).spawn().expect("the binary starts");
        let mut pipe = child.stdin.take().expect("standard input is a pipe");
        let stdin = stdin.to_vec();
        // From another thread, because the binary may wait until its output is read.
        let writer = thread::spawn(move || _ = pipe.write_all(&stdin));
        let output = child.wait_with_output().expect("the binary ends");
        writer.join().expect("the writer ends");
        self.ended(arguments.join(" "), output)
    }

    fn ended(&self, arguments: String, output: Output) -> Run {
        Run {
            folder: self.0.clone(),
            arguments,
            status: output.status,
            stdout: String::from_utf8(output.stdout).expect("standard output is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("standard error is UTF-8"),
        }
    }

    /// Runs the binary, reads one line of its output and closes the pipe. The run must then succeed without a message.
    #[track_caller]
    pub(crate) fn close_pipe_after_a_line(&self, arguments: &[&str]) {
        let mut child = self.command(arguments).spawn().expect("the binary starts");
        let mut first = String::new();
        let mut stdout = BufReader::new(child.stdout.take().expect("standard output is a pipe"));
        stdout.read_line(&mut first).expect("a line is printed");
        drop(stdout);
        let output = child.wait_with_output().expect("the binary ends");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success() && stderr.is_empty(),
            "{arguments:?}: {}, after {first:?}: {stderr}",
            output.status
        );
    }

    /// Runs the binary here with these variables of the environment, and with nothing on standard input.
    pub(crate) fn run_with(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Run {
        let mut command = self.command(arguments);
        command.envs(variables.iter().copied());
        self.run_by(command)
    }

    /// Runs a script of bash here, in which `robocensus` is the binary.
    pub(crate) fn bash(&self, script: &str) -> Run {
        let mut bash = Command::new("bash");
        bash.args(["-c", &script.replace("robocensus ", concat!(env!("CARGO_BIN_EXE_robocensus"), " "))]);
        self.run_by(bash)
    }

    /// Runs a command that itself runs the binary, with nothing on standard input: here, or in the folder that it names.
    pub(crate) fn run_by(&self, mut command: Command) -> Run {
        if command.get_current_dir().is_none() {
            command.current_dir(&self.0);
        }
        let output = command.stdin(Stdio::null()).output().expect("the command starts");
        let arguments: Vec<_> = command.get_args().map(|argument| argument.to_string_lossy()).collect();
        self.ended(arguments.join(" "), output)
    }

    /// The binary, with pipes for its streams and without variables that a developer may have set.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_robocensus"));
        command.args(arguments).args(extra_arguments(arguments));
        command.current_dir(&self.0).env_remove("NO_COLOR");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

/// A command that is started as in a terminal: a hangup ends it, even if `nohup` started these tests.
pub(crate) fn in_terminal(command: &Command) -> Command {
    let mut started = Command::new("env");
    started.arg("--default-signal=HUP").arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => started.env(name, value),
            None => started.env_remove(name),
        };
    }
    started.current_dir(command.get_current_dir().unwrap_or(Path::new(".")));
    started.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    started
}

/// The arguments to add: to save time, `ingest` and `commit` make no derived tables unless the test asks for them.
pub(crate) fn extra_arguments(arguments: &[&str]) -> &'static [&'static str] {
    let has = |option: &&str| arguments.iter().any(|argument| argument.starts_with(option));
    let makes_models = match arguments.first() {
        // A shard makes no derived tables and does not accept the option.
        Some(&"ingest") => {
            let flags = ["-q", "--quiet", "--refresh", "--keep-text", "--all-responses"];
            let first = arguments.iter().skip(1).find(|argument| !flags.contains(argument));
            first.is_some_and(|first| !first.starts_with('-') || *first == "-")
        }
        Some(&"commit") => arguments.len() > 1,
        _ => false,
    };
    if makes_models && !["--models", "--missing", "--help"].iter().any(has) { &["--models", "none"] } else { &[] }
}

/// A finished run.
pub(crate) struct Run {
    folder: PathBuf,
    arguments: String,
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    #[track_caller]
    pub(crate) fn exits_with(&self, code: i32) -> &Self {
        assert_eq!(self.status.code(), Some(code), "wrong exit code\n{self}");
        self
    }

    #[track_caller]
    pub(crate) fn prints(&self, expected: &str) -> &Self {
        assert!(self.stdout == expected, "standard output is not\n{expected}\n{self}");
        self
    }

    #[track_caller]
    pub(crate) fn prints_among_others(&self, expected: &str) -> &Self {
        assert!(self.stdout.contains(expected), "standard output lacks\n{expected}\n{self}");
        self
    }

    #[track_caller]
    pub(crate) fn complains(&self, expected: &str) -> &Self {
        assert!(self.stderr == expected, "standard error is not\n{expected}\n{self}");
        self
    }

    #[track_caller]
    pub(crate) fn complains_among_others(&self, expected: &str) -> &Self {
        assert!(self.stderr.contains(expected), "standard error lacks\n{expected}\n{self}");
        self
    }

    /// Compares the lines of standard error, with paths shortened. An expected line that ends in an ellipsis matches by
    /// its start.
    #[track_caller]
    pub(crate) fn complains_in_lines(&self, shorten: &[(&str, &str)], expected: &[&str]) {
        let text = shorten.iter().fold(self.stderr.clone(), |text, (long, short)| text.replace(long, short));
        let is_expected = |line: &str, expected: &str| match expected.strip_suffix('\u{2026}') {
            Some(start) => line.starts_with(start),
            None => line == expected,
        };
        let are_expected = text.lines().zip(expected).all(|(line, expected)| is_expected(line, expected));
        assert!(text.lines().count() == expected.len() && are_expected, "standard error is not {expected:#?}\n{self}");
    }

    /// The rows of standard output as CSV, without the header.
    pub(crate) fn csv_rows(&self) -> Vec<csv::StringRecord> {
        let mut reader = csv::Reader::from_reader(self.stdout.as_bytes());
        reader.records().collect::<Result<_, _>>().expect("it is CSV")
    }

    /// Standard output as JSON, one object per line.
    #[track_caller]
    pub(crate) fn objects(&self) -> Vec<serde_json::Value> {
        let parse = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line}\n{self}"));
        self.stdout.lines().map(parse).collect()
    }
}

impl fmt::Display for Run {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "  command: robocensus {}", self.arguments)?;
        writeln!(formatter, "  folder:  {}", self.folder.display())?;
        writeln!(formatter, "  ended:   {}", self.status)?;
        writeln!(formatter, "---- standard output ----\n{}", self.stdout)?;
        writeln!(formatter, "---- standard error ----\n{}", self.stderr)
    }
}
