//! Each command of the README prints exactly the output that follows it there.

use crate::run::TestFolder;
use generator::crawl::{CrawlPlan, LEVEL};
use std::path::Path;
use std::process::Command;

/// The command of each `sh` block, with the text of the `text` block after it, if there is one before the next command.
fn commands_and_outputs(readme: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut command = None;
    let mut blocks = readme.split("\n```").skip(1);
    while let (Some(block), Some(_prose)) = (blocks.next(), blocks.next()) {
        let (language, text) = block.split_once('\n').unwrap_or((block, ""));
        match language {
            "sh" => command = Some(text.to_owned()),
            "text" => found.extend(command.take().map(|command| (command, format!("{text}\n")))),
            _ => {}
        }
    }
    found
}

#[test]
fn commands_print_what_the_readme_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).expect("README.md can be read");
    let pairs = commands_and_outputs(&readme);
    // The tables of an earlier run may be from another version.
    let _ = std::fs::remove_dir_all(root.join("target/sample-tables"));
    assert!(pairs.len() >= 3, "only {} commands with an output were found", pairs.len());
    for (command, expected) in pairs {
        // Runs the binary under test.
        let started = command.replace("cargo run -- ", "robocensus ");
        let script = started.replace("robocensus ", concat!(env!("CARGO_BIN_EXE_robocensus"), " "));
        let output = Command::new("sh").arg("-c").arg(&script).current_dir(root).output().expect("a shell starts");
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(printed, expected, "{command}{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// The figure of the README, and what the README says about it, are of the report that `datasets/example.sh` makes. If
/// this fails, take its picture again, too.
#[test]
fn the_figure_of_the_readme_has_the_shares_of_the_example() {
    let folder = TestFolder::new("figure_of_the_readme");
    let crawl = "SYNTH-2026-10".to_owned();
    let plan = CrawlPlan { crawl, seed: 1, year: 2026, files: 5, captures_per_file: 1660, level: LEVEL };
    generator::crawl::write(&plan, folder.path(), 2).expect("archives can be written");
    folder.run(&["ingest", "crawl-data", "--out", "tables", "--models", "latest", "--quiet"]).exits_with(0);
    let answer = folder.run(&["query", "definition_sensitivity", "--tokens", "gptbot,googlebot", "--format", "csv"]);
    let mut rows = answer.stdout.lines().map(|row| row.split(',').collect::<Vec<_>>());
    let header = rows.next().expect("it has a header");
    let places = ["agent", "least", "greatest"].map(|name| header.iter().position(|column| *column == name));
    let [agent, least, greatest] = places.map(|place| place.expect("the column exists"));
    let percent = |share: &str| {
        let share = 100.0 * share.parse::<f64>().expect("a number");
        if share < 10.0 { format!("{share:.1}") } else { format!("{share:.0}") }
    };
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"));
    let readme = readme.expect("README.md can be read");
    let mut agents = 0;
    for row in rows {
        let name = match row[agent] {
            "gptbot" => "GPTBot",
            "googlebot" => "Googlebot",
            _ => continue,
        };
        let range = format!("{} to {} %", percent(row[least]), percent(row[greatest]));
        let said =
            [format!("{name} is blocked by {range}"), format!("{name} by {range}"), format!("{name} on {range}")];
        let count: usize = said.iter().map(|said| readme.matches(said).count()).sum();
        assert_eq!(count, 2, "{name}: {range}");
        agents += 1;
    }
    assert_eq!(agents, 2, "{}", answer.stdout);
}
