//! Features that all commands share: version, invalid arguments, a closed pipe.

use crate::questions::sample_tables;
use crate::run::TestFolder;
use std::fs::File;
use std::io::Write as _;

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
#[test]
fn a_full_disk_is_reported_by_every_command() {
    let folder = TestFolder::new("a_full_disk").with("robots.txt", "User-agent: *\n");
    let lint = ["lint", "robots.txt"];
    for arguments in [&["--help"][..], &["--version"], &["query", "status_codes", "--help"], &["man"], &lint] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("it exists");
        let mut command = folder.command(arguments);
        command.stdout(full);
        let expected = "output cannot be written: standard output: no space left on device (os error 28)\n";
        folder.run_by(command).exits_with(2).complains(expected);
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
    let mine = name("mine.csv").display().to_string();
    let encoded = mine.replace("mine", "min%65");
    for path in ["mine.csv", &format!("file:{mine}"), &format!("file://localhost{mine}"), &format!("file://{encoded}")]
    {
        let copy = format!("COPY (SELECT 1 AS x) TO '{path}' STORED AS CSV");
        let run = folder.run(&["sql", &copy, "--read-write", "--table", "mine=mine.csv", "-t", sample_tables()]);
        run.exits_with(2).complains_among_others("the same command reads");
        assert_eq!(folder.read("mine.csv"), "host\na.example\n");
    }
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
