//! `robocensus demo` writes a report, and the commands that it suggests work.

use crate::run::{Run, TestFolder};
use std::fs;
use std::sync::OnceLock;

/// A demo over the rest of an earlier one, made once. Its report is the whole report of the sample.
pub(crate) fn demo() -> &'static (TestFolder, Run) {
    static MADE: OnceLock<(TestFolder, Run)> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = TestFolder::new("demo");
        fs::create_dir(folder.path().join("a demo")).expect("a folder can be made");
        let folder = folder.with("a demo/made-by-robocensus-demo", "").with("a demo/tables/stale", "");
        let run = folder.run(&["demo", "--out", "a demo"]);
        (folder, run)
    })
}

#[test]
fn the_demo_writes_a_report_and_suggests_commands_that_work() {
    let (folder, run) = demo();
    run.exits_with(0).complains_among_others("input is damaged: a demo/archives/");
    assert!(!folder.path().join("a demo/tables/stale").exists(), "something of the earlier one is left");

    let program = env!("CARGO_BIN_EXE_robocensus");
    let shown: Vec<&str> = run.stdout.lines().filter_map(|line| line.strip_prefix("$ ")).collect();
    let expected = [
        format!("{program} ingest 'a demo/archives' --out 'a demo/tables'"),
        format!("{program} report 'a demo/tables' --out 'a demo/report'"),
    ];
    assert_eq!(shown, expected, "{run}");
    let page = run.stdout.lines().last().expect("it prints something").trim();
    assert_eq!(page, format!("'{}'", folder.path().join("a demo/report/index.html").display()), "{run}");
    assert!(fs::read_to_string(page.trim_matches('\'')).expect("the page is there").contains("SAMPLE-2025-10"));

    let next: Vec<&str> =
        run.stdout.lines().filter_map(|line| line.strip_prefix("  ")?.strip_prefix(program)).collect();
    assert_eq!(next.len(), 3, "{run}");
    for command in next {
        let arguments: Vec<_> = command.trim().replace("'a demo/tables'", "a_demo/tables").leak().split(' ').collect();
        let arguments: Vec<_> = arguments.into_iter().map(|argument| argument.replace("a_demo", "a demo")).collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let answer = folder.run(&arguments);
        answer.exits_with(0).complains("");
        assert!(answer.stdout.lines().count() > 4, "{answer}");
    }
}

#[test]
fn a_folder_that_is_not_a_demo_is_left_alone() {
    let folder = TestFolder::new("demo_elsewhere");
    fs::create_dir(folder.path().join("mine")).expect("a folder can be made");
    let folder = folder.with("mine/thesis.txt", "the only copy");
    folder
        .run(&["demo", "--out", "mine"])
        .exits_with(2)
        .prints("")
        .complains("folder is not empty: mine: it is not a demo; name a new or empty folder with --out\n");
    assert_eq!(fs::read_dir(folder.path().join("mine")).expect("it exists").count(), 1);
    folder.run(&["demo", "--out", "mine/thesis.txt"]).exits_with(2).prints("");
}

/// Tables of the user's own archives, and notes, may be beside those of the demo.
#[test]
fn a_demo_with_files_of_the_user_is_left_alone() {
    let folder = TestFolder::new("demo_used").with("mine/made-by-robocensus-demo", "").with("mine/notes.txt", "a");
    let refused = |what: &str| {
        let cause = format!("it contains {what}, which a new demo would remove; name another folder with --out");
        folder
            .run(&["demo", "--out", "mine"])
            .exits_with(2)
            .prints("")
            .complains(&format!("demo cannot be replaced: mine: {cause}\n"));
    };
    refused("notes.txt");
    assert_eq!(folder.read("mine/notes.txt"), "a");
    fs::remove_file(folder.path().join("mine/notes.txt")).expect("it is there");
    folder.write("robots.txt", "User-agent: *\n");
    let ingest =
        ["ingest", "robots.txt", "--all-responses", "--crawl", "MINE", "--out", "mine/tables", "--models", "none"];
    folder.run(&ingest).exits_with(1);
    refused("tables of MINE");
    assert!(folder.path().join("mine/tables/inputs/crawl=MINE").is_dir());
}

#[test]
fn a_demo_in_the_current_folder_is_replaced() {
    let folder = TestFolder::new("demo_here").with("made-by-robocensus-demo", "").with("tables/stale", "");
    let mut command = folder.command(&["demo", "--out", "."]);
    std::os::unix::process::CommandExt::arg0(&mut command, "a folder/robocensus");
    // Without a folder for temporary files, it ends before it reads the archives. The rest would take long.
    command.env("TMPDIR", "/nowhere");
    let run = folder.run_by(command);
    assert!(run.stdout.starts_with("$ 'a folder/robocensus' ingest ./archives --out ./tables\n"), "{run}");
    run.complains_among_others("folder for temporary files cannot be read: /nowhere: ");
    let exists = ["made-by-robocensus-demo", "archives/crawl-data", "tables/stale"]
        .map(|name| folder.path().join(name).exists());
    assert_eq!(exists, [true, true, false]);
}
