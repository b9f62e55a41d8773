//! Checks reports in a browser. `ROBOCENSUS_BROWSER` must name a Chromium, and `ROBOCENSUS_PYTHON` a Python with the
//! packages of `tests/browser/requirements.txt`.

use crate::given::RANKS;
use crate::python::run_script;
use crate::questions::modelled;
use crate::report_escaping::{HOSTILE, hostile};
use crate::run::TestFolder;
use committed::full::is_full;
use std::ffi::OsString;
use std::path::Path;

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
    if browser().is_none() {
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

/// The Chromium. `None` if it or the Python is missing.
fn browser() -> Option<OsString> {
    committed::variable("ROBOCENSUS_BROWSER").filter(|_| committed::variable("ROBOCENSUS_PYTHON").is_some())
}

/// Writes a report and checks it with a script, by these checks or by all.
#[track_caller]
fn check(script: &str, checks: &[&str], folder: &TestFolder, tables: &Path, options: &[&str]) {
    let Some(browser) = browser() else { return };
    let tables = tables.to_str().expect("the path is UTF-8");
    folder.run(&[&["report", tables, "--out", "report"], options].concat()).exits_with(0);
    let page = folder.path().join("report/index.html");
    let arguments: Vec<&Path> = [Path::new(&browser), &page].into_iter().chain(checks.iter().map(Path::new)).collect();
    run_script("ROBOCENSUS_PYTHON", &format!("tests/browser/{script}"), &arguments);
}
