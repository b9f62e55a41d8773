//! Features that all commands share: help, version, invalid arguments, a closed pipe.

#![expect(clippy::expect_used, clippy::panic, reason = "called by tests, which fail by them")]

use crate::full::{is_full, step};
use crate::questions::{modelled, sample_tables};
use crate::run::TestFolder;
use crate::sample;
use crate::strace;
use std::fs::File;
use std::io::Write as _;
use std::process::{Command, Stdio};

#[test]
fn without_arguments_help_is_printed_with_exit_code_2() {
    let folder = TestFolder::new("without_a_command");
    folder.run(&[]).exits_with(2).prints("").complains_among_others("Usage: robocensus");
    folder.run(&["lint"]).exits_with(2).prints("").complains_among_others("Examples:");
    folder.run(&["judge"]).exits_with(2).prints("").complains_among_others("Examples:");
}

/// The commands that `--help` lists.
fn commands(folder: &TestFolder) -> Vec<String> {
    let help = folder.run(&["--help"]).exits_with(0).stdout.clone();
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    names.map(str::to_owned).collect()
}

#[test]
fn help_ends_with_examples_that_work() {
    let folder = sample::folder("help")
        .with("robots.txt", "User-agent: *\nDisallow: /a\n")
        .with("robots.json", "{\"GPTBot\": {}}")
        .with("questions.ndjson", "{\"robots_base64\":\"\",\"agent\":\"GPTBot\",\"url\":\"/\"}\n")
        .with("my-agents.csv", include_str!("../../datasets/agents.csv").lines().take(3).collect::<Vec<_>>().join("\n"))
        .with(
            "my_question.sql",
            "-- title: One\n-- grain: one row\n-- reads: captures\nSELECT count(*) AS n FROM captures\n",
        )
        .with("report.sql", "SELECT count(*) AS n FROM captures")
        .with("sites.csv", "host,note\nwww.example.com,known\n")
        .with("tranco.csv", "1,example.com\n")
        .with("one.warc.gz", "")
        .with("robotstxt.paths.gz", "");
    sample::copy(modelled(), &folder.path().join("data/tables"));
    std::fs::create_dir_all(folder.path().join("sites")).expect("a folder can be made");
    std::fs::write(folder.path().join("sites/a.txt"), "User-agent: *\nDisallow: /a\n").expect("a file can be written");

    let commands = commands(&folder);
    assert!(commands.len() >= 10, "{commands:?}");
    for command in [""].into_iter().chain(commands.iter().map(String::as_str)) {
        // Examples of other commands change the tables.
        let _ = std::fs::remove_dir_all(folder.path().join("tables"));
        sample::copy(modelled(), &folder.path().join("tables"));
        let arguments: Vec<&str> = [command, "--help"].into_iter().filter(|argument| !argument.is_empty()).collect();
        let help = folder.run(&arguments).exits_with(0).complains("").stdout.clone();
        let after_heading = help.split("\nExamples:\n").nth(1).unwrap_or_default();
        let examples: Vec<&str> =
            after_heading.lines().take_while(|line| line.starts_with("  ")).map(str::trim).collect();
        let own = format!("robocensus {command}");
        assert!(examples.iter().any(|example| example.contains(own.trim())), "{own}: no example of it in\n{help}");
        for example in examples.into_iter().step_by(step(5)) {
            follow(&folder, &shortened(&example.replace("CC-MAIN-2024-22", "SAMPLE-2024-10")));
        }
    }
}

/// The example with one section of a report instead of the whole page, which takes ten seconds and has its own tests.
/// In the full run, the example is unchanged.
fn shortened(example: &str) -> String {
    // Nothing is fetched from the network.
    let is_reader = ["robocensus ingest", "robocensus plan"].iter().any(|reader| example.starts_with(reader));
    if is_reader && (example.contains("--from") || example.contains("://")) {
        return format!("{example} --help");
    }
    // Standard input is empty.
    if example == "robocensus sql" {
        return format!("{example} < report.sql");
    }
    if is_full() || example.contains("--only") {
        return example.to_owned();
    }
    match example.strip_prefix("robocensus demo") {
        Some(rest) => format!("robocensus demo --help{rest}"),
        None => example.replace("robocensus report ", "robocensus report --only read "),
    }
}

/// Parts of examples that exit with 2 here: a list of archives is empty, or no shards are planned.
const FAILING: [&str; 3] = ["robotstxt.paths.gz", "ingest - ", "--shard "];

/// Runs an example without the other commands of its pipe, so that the test needs no `jq` and no network.
#[track_caller]
fn follow(folder: &TestFolder, example: &str) {
    // A command inside another one: `sbatch --array=$(robocensus …)`.
    let inner = example.split_once("$(").and_then(|(_, rest)| rest.split_once(')')).map(|(inner, _)| inner);
    let command = inner.filter(|inner| inner.starts_with("robocensus")).unwrap_or(example);
    let piece = command.split(" && ").flat_map(|part| part.split(" | ")).find(|part| part.starts_with("robocensus"));
    let piece = piece.unwrap_or_else(|| panic!("{example}: no robocensus in it"));
    // `~` and `/data` become paths in the folder of the test.
    let piece = piece.replace("> ~/", "> ").replace("~/", "").replace(" /data", " data");
    let (piece, _written) = piece.split_once(" > ").unwrap_or((piece.as_str(), ""));
    let script = piece.replacen("robocensus", concat!("\"", env!("CARGO_BIN_EXE_robocensus"), "\""), 1);
    let script = if script.contains(" < ") { script } else { format!("{script} < /dev/null") };
    let output = Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output().expect("a shell starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    let is_parsed = !stderr.contains("Usage: ") && !stderr.starts_with("error: ");
    let fails = FAILING.iter().any(|part| example.contains(part)) && !example.contains("--help");
    let is_expected = if fails { Some(2) == output.status.code() } else { matches!(output.status.code(), Some(0 | 1)) };
    assert!(is_parsed && is_expected, "{example}: {}\n{stderr}", output.status);
}

#[test]
fn completions_have_every_command_in_every_shell() {
    let folder = TestFolder::new("completions");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = folder.run(&["completions", shell]);
        run.exits_with(0).complains("");
        for command in commands(&folder).iter().map(String::as_str).chain(["status_codes", "denominator", "tables"]) {
            assert!(run.stdout.contains(command), "{shell}: {command} is missing");
        }
    }
    folder.run(&["completions", "tcsh"]).exits_with(2).complains_among_others("invalid value 'tcsh'");
}

#[test]
fn bash_completes_commands_and_questions() {
    if Command::new("bash").arg("--version").output().is_err() {
        committed::skipped("bash is not installed");
        return;
    }
    let folder = TestFolder::new("completions_bash");
    let script = folder.run(&["completions", "bash"]).exits_with(0).stdout.clone();
    let folder = folder.with("robocensus.bash", script);
    let bash = |arguments: &[&str]| {
        let output = Command::new("bash").args(arguments).current_dir(folder.path()).output().expect("bash starts");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    bash(&["-n", "robocensus.bash"]);
    let check = |words: &str, last: &str, before: &str, expected: &str| {
        let typed = format!(
            ". ./robocensus.bash; COMP_WORDS=({words} '{last}'); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _robocensus robocensus '{last}' '{before}'; echo \"${{COMPREPLY[@]}}\""
        );
        assert_eq!(bash(&["--norc", "-c", &typed]).trim(), expected, "{words} {last}");
    };
    check("robocensus", "ing", "robocensus", "ingest");
    check("robocensus query", "status_c", "query", "status_codes");
    check("robocensus query status_codes", "--denom", "status_codes", "--denominator");
    check("robocensus query status_codes --denominator", "dec", "--denominator", "decided");
    check("robocensus query access_by_rank --by", "cat", "--by", "category");
    check("robocensus query top_agents --by", "rob", "--by", "");
    check("robocensus lint --explain", "ua-ver", "--explain", "ua-version");
    check("robocensus man", "inge", "man", "ingest");
}

/// Whichever write `man` is killed before, each page is complete.
#[test]
fn a_killed_man_leaves_whole_pages() {
    if !strace::works() {
        return;
    }
    let folder = TestFolder::new("man_killed");
    let pages = |name: &str| sample::files(&folder.path().join(name));
    folder.run(&["man", "--out", "whole"]).exits_with(0);
    folder.run(&["man", "--out", "pages"]).exits_with(0);
    for number in [1, 2, 9] {
        let killed = strace::run(&folder, strace::WRITE, number, "signal=KILL", &["man", "--out", "pages"]);
        assert_eq!(killed.status.code(), None, "{killed}");
        let mut found = pages("pages");
        found.retain(|path, _| path.extension().is_some_and(|extension| extension == "1"));
        assert!(found == pages("whole"), "a page is cut: {number}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = TestFolder::new("man");
    let program = folder.run(&["man"]).exits_with(0).complains("").stdout.clone();
    assert!(program.contains(".TH robocensus 1"), "{program}");
    folder.run(&["man", "--out", "man/man1"]).exits_with(0).prints("").complains("");
    let commands = commands(&folder);
    for command in &commands {
        let name = format!("robocensus-{command}.1");
        assert!(program.contains(&format!("robocensus\\-{command}(1)")), "{command} is not in\n{program}");
        let page = std::fs::read_to_string(folder.path().join("man/man1").join(&name)).expect("the page is written");
        folder.run(&["man", command]).exits_with(0).prints(&page).complains("");
        for section in [".SH NAME", ".SH SYNOPSIS", ".SH OPTIONS", ".SH EXAMPLES", ".SH \"EXIT STATUS\""] {
            assert!(page.contains(section), "{name} has no {section}\n{page}");
        }
    }
    let written = std::fs::read_dir(folder.path().join("man/man1")).expect("the folder can be listed").count();
    assert_eq!(written, commands.len() + 1, "a page for each command and one for the program");
    folder.run(&["man", "query"]).exits_with(0).prints_among_others("status_codes");
    folder.run(&["man", "qurey"]).exits_with(2).complains_among_others("did you mean query");
    // If `man` is installed, it shows the pages without a warning.
    for name in ["robocensus.1", "robocensus-query.1", "robocensus-judge.1"] {
        let mut man = Command::new("man");
        man.args(["--warnings", "-l", name]).env("MANPAGER", "cat").env("MANWIDTH", "80").env("LC_ALL", "C.UTF-8");
        let Ok(output) = man.current_dir(folder.path().join("man/man1")).stdin(Stdio::null()).output() else {
            return committed::skipped("man is not installed");
        };
        let (shown, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        if stderr.contains("minimized") || shown.contains("minimized") {
            return committed::skipped("man is a script that says that the system is minimized");
        }
        assert!(output.status.success() && stderr.is_empty(), "{name}: {}: {stderr}", output.status);
        assert!(shown.contains("robocensus"), "{name}: {shown}");
    }
}

#[test]
fn version() {
    let expected = concat!("robocensus ", env!("CARGO_PKG_VERSION"), "\n");
    TestFolder::new("version").run(&["--version"]).exits_with(0).prints(expected).complains("");
}

#[test]
fn invalid_arguments_are_rejected() {
    let folder = TestFolder::new("invalid_arguments");
    let check = |arguments: &[&str], expected: &str| {
        folder.run(arguments).exits_with(2).prints("").complains_among_others(expected);
    };
    check(&["lnt"], "unrecognized subcommand 'lnt'");
    check(&["lint", "--format", "xml", "a"], "invalid value 'xml'");
    check(&["lint", "--explain", "ua-empty", "a"], "cannot be used with");
    check(&["judge", "--robots", "a"], "required arguments were not provided");
    check(&["judge", "--ndjson", "/a"], "cannot be used with");
    check(&["judge", "--robots", "a", "--agent", "", "/a"], "a value is required for '--agent <NAME>'");
    check(&["explain", "https://a/", "--agent", ""], "a value is required for '--agent <NAME>'");
    check(&["check", "--connections", "0"], "it is not a whole number from 1 to 1024");
    check(&["report", "--engine", "duckdb"], "not provided:\n  --list-questions\n");
    check(&["report", "--engine", "duckdb", "--out", "a"], "cannot be used with");
    check(&["report", "--list-questions", "--title", "a"], "cannot be used with");
    check(&["report", "--list-questions", "--format", "html"], "cannot be used with");
    check(&["check", "--quick", "--agents", "a"], "cannot be used with");
    check(&["ingest", "--shard", "0/2", "--out", "a", "b"], "'--shard <I/N>' cannot be used with '[INPUT]...'\n");
    check(
        &["ingest", "--start-delay", "1", "--out", "a", "b"],
        "'--start-delay <SECONDS>' cannot be used with '[INPUT]...'",
    );
    for delay in ["x", "86401", "18446744073709551615"] {
        check(&["ingest", "--start-delay", delay, "--out", "a"], "it is not a whole number of seconds from 0 to 86400");
    }
    for command in
        [&["lint", "a", "--out", "-"][..], &["query", "status_codes", "--out", "-"], &["sql", "SELECT 1", "-o-"]]
    {
        check(command, "without --out, it goes to standard output; write ./- for a file named -");
    }
    for command in [
        &["report", "a", "--out", "s3://b/r"][..],
        &["man", "--out", "file:///m"],
        &["demo", "--out", "gs://b/d"],
        &["lint", "a", "--out", "s3://b/l"],
        &["query", "status_codes", "--out", "s3://b/q.csv"],
    ] {
        check(
            command,
            "it is a URL, and this command writes only to disk; name a path, and copy the result from there",
        );
    }
    check(&["report", "a", "--out", "b", "--title", ""], "a value is required for '--title <TEXT>'");
    let catalog = ["catalog", "a", "--for", "croissant"];
    for (option, expected) in [
        ("--license=MIT", "it is not the URL of a page"),
        ("--url=here", "it is not the URL of a page"),
        ("--person=", "a value is required"),
        ("--published=2026-02-31", "a date is YYYY-MM-DD, a day of the calendar"),
        ("--location=s3://user:word@bucket/t", "a location has no user name, password, query or fragment"),
    ] {
        check(&[&catalog[..], &[option]].concat(), expected);
    }
    for option in ["--keep-text", "--all-responses", "--refresh", "--crawl=A", "--base=a"] {
        let expected = "the argument '--shard <I/N>' cannot be used with";
        check(&["ingest", "--shard", "0/2", option, "--out", "a"], expected);
    }
    // An empty value is visible.
    check(&["query", ""], "question is unknown: '': ");
    check(&["query", "status_codes", "--by", ""], "'' is not one of none, ");
    check(&["lint", "--explain", ""], "code is unknown: '': ");
    check(&["query", "status_codes", "--table", "ranks="], "table cannot be read: '': ");
    check(&["judge", "--ndjson", "--dialect", "rfc9308"], "invalid value 'rfc9308'");
}

/// The help is as much output as an answer.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_by_every_command() {
    let folder = TestFolder::new("a_full_disk").with("robots.txt", "User-agent: *\n");
    let lint = ["lint", "robots.txt"];
    for arguments in [&["--help"][..], &["--version"], &["query", "status_codes", "--help"], &["man"], &lint] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("it exists");
        let mut command = folder.command(arguments);
        let output = command.stdout(full).output().expect("the binary starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        let expected = "output cannot be written: standard output: no space left on device (os error 28)\n";
        assert_eq!((output.status.code(), &*stderr), (Some(2), expected), "{arguments:?}");
    }
}

/// A reader of tables reads each file below a table, and `check` would call such a file foreign.
#[test]
fn no_command_writes_into_a_folder_of_tables() {
    let folder = crate::tables::ingested("writes_into_tables").with("robots.txt", "User-agent: *\nDisallow:\n");
    let archive = "crawl-data/TEST-1/robotstxt/a.warc.gz";
    for arguments in [
        &["lint", "robots.txt", "--out", "tables/l.txt"][..],
        &["man", "--out", "tables/man"],
        &["demo", "--out", "tables/demo"],
        &["ingest", archive, "--out", "tables/sub"],
        &["plan", archive, "--shards", "2", "--out", "tables/captures/sub"],
        &["report", sample_tables(), "--out", "tables/report"],
    ] {
        let run = folder.run(arguments);
        run.exits_with(2).prints("").complains_among_others(": it is below the folder of tables ");
        assert!(run.stderr.ends_with("; name a path outside of it\n"), "{run}");
    }
    folder.run(&["check", "tables", "--quiet"]).exits_with(0).complains("");
}

/// Also by a link, by a second name, and by standard input.
#[test]
fn no_command_writes_over_its_input() {
    let agents = "token,operator,kind,tracked\nMyBot,Me,ai,true\n";
    let files = [
        ("robots.txt", "User-agent: *\nDisallow: /a b\n"),
        ("list.json", "[\"GPTBot\"]"),
        ("mine.csv", "host\na.example\n"),
        ("agents.csv", agents),
        (
            "q.sql",
            "-- title: Crawls\n-- grain: one row\n-- reads: captures\nSELECT min(crawl) AS crawl FROM captures\n",
        ),
        ("questions.ndjson", "{\"robots_base64\":\"\",\"agent\":\"a\",\"url\":\"/\"}\n"),
    ];
    let folder = files.iter().fold(TestFolder::new("over_input"), |folder, (name, text)| folder.with(name, text));
    let name = |made: &str| folder.path().join(made);
    std::os::unix::fs::symlink("robots.txt", name("link.txt")).expect("a link can be made");
    std::fs::hard_link(name("robots.txt"), name("second.txt")).expect("a second name can be made");
    let check = |arguments: &[&str], stdin: Option<&str>, cause: &str| {
        let mut command = folder.command(&[arguments, &["-t", sample_tables()]].concat());
        if !["models", "query", "sql", "catalog", "check"].contains(arguments.first().expect("a command")) {
            command = folder.command(arguments);
        }
        if let Some(stdin) = stdin {
            command.stdin(File::open(name(stdin)).expect("it is there"));
        }
        let output = command.output().expect("the binary starts");
        let stderr = String::from_utf8_lossy(&output.stderr);
        let out = arguments.last().expect("the file to write");
        let expected = format!("file cannot be written: {out}: {cause}; name another file\n");
        assert_eq!((output.status.code(), &*stderr), (Some(2), &*expected), "{arguments:?}");
        for (name, text) in files {
            assert_eq!(folder.read(name), text, "{arguments:?} changed {name}");
        }
    };
    let reads = "the same command reads it";
    let is_robots = "it is robots.txt, which the same command reads";
    let is_stdin = "it is /dev/stdin, which the same command reads";
    check(&["lint", "robots.txt", "-o", "robots.txt"], None, reads);
    check(&["lint", "list.json", "robots.txt", "-o", "./link.txt"], None, is_robots);
    check(&["lint", "robots.txt", "-o", "second.txt"], None, is_robots);
    check(&["lint", "-", "-o", "robots.txt"], Some("robots.txt"), is_stdin);
    check(&["judge", "--robots", "robots.txt", "--agent", "a", "/", "-o", "robots.txt"], None, reads);
    check(&["judge", "--ndjson", "-o", "questions.ndjson"], Some("questions.ndjson"), is_stdin);
    check(&["agents", "list.json", "-o", "list.json"], None, reads);
    check(&["agents", "list.json", "--agents", "agents.csv", "-o", "agents.csv"], None, reads);
    check(&["check", "--agents", "agents.csv", "-o", "agents.csv"], None, reads);
    check(&["models", "--agents", "agents.csv", "-o", "agents.csv"], None, reads);
    check(&["catalog", "--for", "duckdb", "--agents", "agents.csv", "-o", "agents.csv"], None, reads);
    check(&["query", "status_codes", "--agents", "agents.csv", "-o", "agents.csv"], None, reads);
    check(&["query", "q.sql", "-f", "csv", "-o", "q.sql"], None, reads);
    check(&["sql", "SELECT 1 AS x", "--table", "mine=mine.csv", "-o", "mine.csv"], None, reads);
    check(&["sql", "--file", "q.sql", "-f", "csv", "-o", "q.sql"], None, reads);
    check(&["sql", "-f", "csv", "-o", "q.sql"], Some("q.sql"), is_stdin);
    let copy = "COPY (SELECT 1 AS x) TO 'mine.csv' STORED AS CSV";
    let run = folder.run(&["sql", copy, "--read-write", "--table", "mine=mine.csv", "-t", sample_tables()]);
    run.exits_with(2).complains("file cannot be written: mine.csv: the same command reads it; name another file\n");
    assert_eq!(folder.read("mine.csv"), "host\na.example\n");
    folder.run(&["ingest", "robots.txt", "--crawl", "A", "--all-responses", "--out", "read"]).exits_with(1);
    let run = folder.run(&["check", "--archives", "read", "--out", "second.txt"]);
    run.exits_with(2).complains(&format!("file cannot be written: second.txt: {is_robots}; name another file\n"));
    assert_eq!(folder.read("robots.txt"), files[0].1);
    // A link that leads nowhere is kept.
    std::os::unix::fs::symlink("nowhere", name("dangling")).expect("a link can be made");
    for arguments in [&["lint", "robots.txt"][..], &["report", sample_tables()]] {
        let run = folder.run(&[arguments, &["--out", "dangling"]].concat());
        run.exits_with(2).complains_among_others("dangling: it is a link that cannot be followed: no such file");
    }
    assert!(name("dangling").is_symlink() && !name("nowhere").exists());
    // Another file is replaced, as before.
    folder.run(&["lint", "robots.txt", "-o", "list.json"]).exits_with(1).complains("");
}

#[test]
fn a_closed_pipe_ends_the_run_without_a_message() {
    let body = "Disallow: /a b\n".repeat(50_000);
    let folder = TestFolder::new("a_closed_pipe").with("robots.txt", body);
    for format in ["text", "json"] {
        folder.close_pipe_after_a_line(&["lint", "--format", format, "robots.txt"]);
    }
}

#[test]
fn a_closed_pipe_ends_a_run_with_endless_input() {
    let folder = TestFolder::new("a_closed_pipe_endless");
    let mut child = folder.command(&["judge", "--ndjson"]).spawn().expect("the binary starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let question = b"{\"robots_base64\":\"\",\"agent\":\"a\",\"url\":\"/\"}\n".repeat(1_000);
    // Writing fails once the binary has exited.
    while stdin.write_all(&question).is_ok() {}
    let output = child.wait_with_output().expect("the binary ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stderr.is_empty(), "{}: {stderr}", output.status);
}

/// The work matters more than its summary: it is finished, and the exit code is that of the work.
#[test]
fn a_closed_pipe_does_not_change_the_exit_code_of_work() {
    let folder = crate::sample::folder("a_closed_pipe_work").with("robots.txt", "Disallow: /a b\n");
    let check = |arguments: &[&str], code: i32| {
        let mut child = folder.command(arguments).spawn().expect("the binary starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the binary ends");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
        assert!(!stderr.contains("cannot be written"), "{arguments:?}: {stderr}");
        stderr.into_owned()
    };
    check(&["ingest", "crawl-data", "--out", "tables"], 1);
    check(&["models", "--again"], 0);
    check(&["check"], 0);
    // A failure after the pipe was closed is printed.
    assert!(check(&["lint", "robots.txt", "missing.txt"], 2).contains(": missing.txt: "));
    assert!(check(&["sql", "SELECT 1; SELECT nope"], 2).contains("there is no column nope"));
    assert!(check(&["explain", "https://no.example/", "--agent", "a"], 1).contains("site is unknown: "));
    std::fs::remove_file(folder.path().join("tables/rules/crawl=SAMPLE-2024-10/part-00000.parquet"))
        .expect("it exists");
    check(&["check"], 1);
    check(&["plan", "crawl-data", "--shards", "2", "--out", "planned"], 0);
    check(&["commit", "planned", "--missing"], 3);
    check(&["lint", "robots.txt"], 1);
}

/// The folder of tables has a default in every command, so no command needs an argument for it.
#[test]
fn the_folder_of_tables_has_a_default() {
    let folder = crate::sample::ingested("command_default");
    for command in ["check", "models"] {
        folder.run(&[command]).exits_with(0).prints_among_others(if command == "check" {
            "tables: complete"
        } else {
            "derived table "
        });
    }
    folder.run(&["commit"]).exits_with(1).complains_among_others("tables: nothing to do: all parts were published");
    let none = crate::run::TestFolder::new("command_no_default");
    for command in ["check", "models", "commit"] {
        none.run(&[command]).exits_with(2).prints("").complains_among_others(": tables");
        assert!(!none.path().join("tables").exists(), "{command}");
    }
}

#[test]
fn all_commands_accept_the_same_option_for_the_folder() {
    let folder = crate::sample::ingested("command_tables");
    for arguments in [
        &["check", "--quick", "--tables", "tables"][..],
        &["check", "--quick", "-t", "tables"],
        &["check", "--quick", "tables"],
        // The default folder is the same for all commands.
        &["check", "--quick"],
        &["catalog", "--for", "trino"],
        &["models", "--tables", "tables"],
        &["explain", "https://www.example.com/", "--agent", "GPTBot", "--tables", "tables"],
        &["report", "--tables", "tables", "-o", "report", "--only", "read", "-q"],
        &["query", "what_was_read", "--tables", "tables"],
        &["sql", "SELECT 1", "--tables", "tables"],
    ] {
        folder.run(arguments).exits_with(0);
    }
    folder.run(&["check", "tables", "--tables", "tables"]).exits_with(2).complains_among_others("cannot be used with");
    let run = folder.run(&["report", "--tables", "tables", "--out", "/proc/nowhere/report"]);
    run.exits_with(2).prints("").complains_among_others("report cannot be written: /proc/nowhere/report: ");
    let run = folder.run(&["report", "--tables", "tables", "--out", "new", "--table", "rank=no.csv"]);
    run.exits_with(2)
        .complains_among_others("table is unknown: rank: ")
        .complains_among_others("table cannot be read: no.csv: ");
    // Questions read it, but no figure.
    let run = folder.run(&["report", "--tables", "tables", "--out", "new", "--table", "weights=weights.csv"]);
    run.exits_with(2).complains_among_others(
        "table is unknown: weights: no figure reads it; figures read these tables of yours: ranks\n",
    );
}

#[test]
fn the_file_of_out_is_the_same_with_quiet() {
    let folder =
        crate::questions::copied("command_quiet").with("a.txt", "User-agent: *\n").with("list.json", "[\"A\"]");
    folder.run(&["plan", "a.txt", "--crawl", "A", "--all-responses", "--shards", "1", "--out", "shared"]).exits_with(0);
    folder.run(&["ingest", "--shard", "0/1", "--out", "shared"]).exits_with(0);
    folder.run(&["commit", "shared"]).exits_with(1);
    for (arguments, code) in [
        (&["check", "--quick"][..], 0),
        (&["models"], 0),
        (&["commit", "shared"], 1),
        (&["explain", "https://www.example.com/", "--agent", "GPTBot"], 0),
        (&["lint", "a.txt"], 0),
        (&["agents", "list.json"], 1),
    ] {
        folder.run(&[arguments, &["--out", "loud.txt"]].concat()).exits_with(code).prints("");
        folder.run(&[arguments, &["--out", "quiet.txt", "-q"]].concat()).exits_with(code).prints("");
        folder.run(&[arguments, &["-q"]].concat()).exits_with(code).prints("");
        let written = folder.read("quiet.txt");
        assert!(!written.is_empty() && written == folder.read("loud.txt"), "{arguments:?}: {written}");
    }
}
