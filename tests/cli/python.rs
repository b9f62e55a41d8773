//! Runs the Python scripts of this repository.

use std::path::Path;
use std::process::Command;

/// Runs a script with the Python that a variable names, and returns what it prints. The script must succeed. `None` if
/// the variable is not set.
#[track_caller]
pub(crate) fn run_script(variable: &str, script: &str, arguments: &[&Path]) -> Option<String> {
    let python = committed::variable(variable)?;
    let output = Command::new(python)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(script))
        .args(arguments)
        // Python must not write a cache beside the scripts.
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("the interpreter starts");
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{script}: {stdout}{}", String::from_utf8_lossy(&output.stderr));
    Some(stdout)
}
