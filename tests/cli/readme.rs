//! Each command of the README prints exactly the output that follows it there.

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
