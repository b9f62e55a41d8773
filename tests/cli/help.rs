//! What tells a user how to use the commands: help and its examples, completions, manual pages.

use crate::questions::modelled;
use crate::run::TestFolder;
use crate::sample;
use crate::strace;
use committed::full::{is_full, step};
use std::process::{Command, Stdio};

#[test]
fn without_arguments_help_is_printed_with_exit_code_2() {
    let folder = TestFolder::new("without_a_command");
    folder.run(&[]).exits_with(2).prints("").complains_among_others("Usage: robocensus");
    folder.run(&["lint"]).exits_with(2).prints("").complains_among_others("Examples:");
    folder.run(&["judge"]).exits_with(2).prints("").complains_among_others("Examples:");
}

#[test]
fn help_takes_its_own_option() {
    let folder = TestFolder::new("help_of_help");
    for command in ["", "lint "] {
        let printed = |line: String| {
            folder.run(&line.split_whitespace().collect::<Vec<_>>()).exits_with(0).complains("").stdout.clone()
        };
        for option in ["", "--help", "-h"] {
            assert_eq!(printed(format!("help {command}{option}")), printed(format!("{command}--help")));
        }
    }
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
