//! Checks reports in a browser. `ROBOCENSUS_BROWSER` must name a Chromium, and `ROBOCENSUS_PYTHON` a Python with the
//! packages of `tests/browser/requirements.txt`.

use crate::full::is_full;
use crate::given::RANKS;
use crate::questions::modelled;
use crate::report_escaping::{HOSTILE, hostile};
use crate::run::TestFolder;
use std::path::Path;
use std::process::Command;

#[test]
fn the_report_of_the_sample_is_readable() {
    let folder = TestFolder::new("browser_sample").with("ranks.csv", RANKS);
    let all: &[&str] = &["--table", "ranks=ranks.csv"];
    // These sections have one chart of each kind, and hosts in a table.
    let options = if is_full() { all.to_vec() } else { [all, &["--only", "ranks,agents,size,grammar"]].concat() };
    check("look.py", &[], &folder, modelled(), &options);
}

#[test]
fn the_report_of_hostile_text_is_readable() {
    if is_skipped() {
        return;
    }
    let folder = hostile("browser_hostile");
    let options = if is_full() { HOSTILE } else { &["--only", "agents"] };
    // Controls and downloads are those of any report.
    let checks: &[&str] =
        if is_full() { &[] } else { &["figures", "fits", "labels", "without_script", "quiet", "alone"] };
    check("look.py", checks, &folder, &folder.path().join("tables"), options);
}

/// Tests the checks of the scripts: each must find its planted fault.
#[test]
fn planted_faults_are_found() {
    let folder = TestFolder::new("browser_faults");
    check("faults.py", &[], &folder, modelled(), &["--only", if is_full() { "access,grammar" } else { "access" }]);
}

fn is_skipped() -> bool {
    let missing = ["ROBOCENSUS_BROWSER", "ROBOCENSUS_PYTHON"].into_iter().find(|name| std::env::var_os(name).is_none());
    if let Some(variable) = missing {
        committed::skipped(&format!("{variable} is not set"));
    }
    missing.is_some()
}

/// Writes a report and checks it with a script, by these checks or by all.
#[track_caller]
fn check(script: &str, checks: &[&str], folder: &TestFolder, tables: &Path, options: &[&str]) {
    if is_skipped() {
        return;
    }
    let tables = tables.to_str().expect("the path is UTF-8");
    folder.run(&[&["report", tables, "--out", "report"], options].concat()).exits_with(0);
    let variable = |name: &str| std::env::var_os(name).expect("it is set");
    let output = Command::new(variable("ROBOCENSUS_PYTHON"))
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser").join(script))
        .arg(variable("ROBOCENSUS_BROWSER"))
        .arg(folder.path().join("report/index.html"))
        .args(checks)
        // Python must not write a cache beside the scripts.
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("ROBOCENSUS_PYTHON starts");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{stdout}{}", String::from_utf8_lossy(&output.stderr));
}
