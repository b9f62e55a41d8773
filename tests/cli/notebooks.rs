//! Each notebook runs over the tables of the sample and draws the figures that its lines `# figure: NAME: …` declare.
//! `ROBOCENSUS_PYTHON` must name a Python with the packages of `notebooks/requirements.txt`. Without `ROBOCENSUS_FULL=1`,
//! only the tour runs, which reads the tables with DuckDB and Polars.

use crate::questions::modelled;
use crate::run::{Run, TestFolder};
use committed::full::is_full_or_skipped;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn tour() {
    check("tour");
}

#[test]
fn common_crawl_poster() {
    check_in_full("common_crawl_poster");
}

#[test]
fn over_time() {
    check_in_full("over_time");
}

#[test]
fn each_notebook_has_a_test() {
    let tests = include_str!("notebooks.rs");
    let modules = ["census", "drawing"];
    for found in fs::read_dir(root()).expect("the folder can be listed") {
        let path = found.expect("the folder can be listed").path();
        let name = path.file_stem().expect("it has a name").to_string_lossy().into_owned();
        if path.extension().is_some_and(|ending| ending == "py") && !modules.contains(&name.as_str()) {
            assert!(
                tests.contains(&format!("check(\"{name}\")")) || tests.contains(&format!("check_in_full(\"{name}\")")),
                "no test runs {}",
                path.display()
            );
        }
    }
}

/// Names of crawls need not be in the order of the crawls, as those of the sample are.
#[test]
fn notebooks_take_the_order_of_crawls_from_census() {
    for found in fs::read_dir(root()).expect("the folder can be listed") {
        let path = found.expect("the folder can be listed").path();
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for by_name in [r#"["crawl"].max()"#, r#"["crawl"].unique().sort()"#, r#"sort("crawl"#] {
            assert!(!text.contains(by_name), "{}: {by_name}; see census.crawls", path.display());
        }
    }
}

/// Tests the checks: they must find a failing notebook and a blank figure.
#[test]
fn a_failing_notebook_and_a_blank_figure_are_found() {
    let Some(python) = committed::variable("ROBOCENSUS_PYTHON") else { return };
    let folder = TestFolder::new("notebook_fails");
    let failed = run(&python, &folder, "over_time", Path::new("no-tables"));
    assert!(!failed.status.success(), "a notebook without tables succeeded: {failed}");

    let blank = "import drawing\ndrawn, _ = drawing.figure('Title', 'subtitle', 'note', height=3)\ndrawing.save(drawn, 'blank')";
    let mut draws = program(&python, &folder, Path::new("no-tables"));
    draws.args(["-c", blank]);
    folder.run_by(draws).exits_with(0);
    // Ticks of 2.5 % need a decimal.
    let ticks = "import drawing\ndrawn, _ = drawing.figure('Title', 'subtitle', 'note', height=3)\naxes = drawn.subplots()\n\
                 axes.set_ylim(0, 0.19)\ndrawing.in_percent_as_needed(axes.yaxis)\ndrawn.canvas.draw()\n\
                 print(*[label.get_text() for label in axes.get_yticklabels()], sep=', ')";
    let mut prints = program(&python, &folder, Path::new("no-tables"));
    prints.args(["-c", ticks]);
    folder.run_by(prints).exits_with(0).prints_among_others("0.0 %, 2.5 %, 5.0 %, 7.5 %");
    let check = |name: &str, expected: &str| {
        look(&python, &folder, &[name.to_owned()]).exits_with(1).prints_among_others(expected);
    };
    check("blank", "blank.png is blank");
    check("absent", "absent.png and absent.svg not written");
}

/// Runs a notebook in a fresh folder, and compares its figures with the declared ones.
#[track_caller]
fn check(notebook: &str) {
    let Some(python) = committed::variable("ROBOCENSUS_PYTHON") else { return };
    let folder = TestFolder::new(&format!("notebook_{notebook}"));
    run(&python, &folder, notebook, modelled()).exits_with(0);

    let source = fs::read_to_string(root().join(format!("{notebook}.py"))).expect("the notebook can be read");
    let promises = source.lines().filter_map(|line| line.strip_prefix("# figure: ")?.split_once(": "));
    let mut promised: Vec<String> = promises.map(|(name, _)| name.to_owned()).collect();
    promised.sort_unstable();
    assert!(!promised.is_empty(), "{notebook}.py promises no figure");
    let listed = fs::read_dir(folder.path().join("figures")).expect("the folder can be listed");
    let paths = listed.map(|found| found.expect("the folder can be listed").path());
    let drawings = paths.filter(|path| path.extension().is_some_and(|ending| ending == "svg"));
    let mut drawn: Vec<String> =
        drawings.map(|path| path.file_stem().expect("it has a name").to_string_lossy().into_owned()).collect();
    drawn.sort_unstable();
    assert_eq!(drawn, promised, "{notebook}.py draws other figures than it promises");

    look(&python, &folder, &promised).exits_with(0);
}

/// The same, but only in the full run.
#[track_caller]
fn check_in_full(notebook: &str) {
    if is_full_or_skipped() {
        check(notebook);
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("notebooks")
}

fn run(python: &OsString, folder: &TestFolder, notebook: &str, tables: &Path) -> Run {
    let mut command = program(python, folder, tables);
    command.arg(root().join(format!("{notebook}.py")));
    folder.run_by(command)
}

/// Python without variables that a developer may have set.
fn program(python: &OsString, folder: &TestFolder, tables: &Path) -> Command {
    let mut command = Command::new(python);
    command
        .env("PYTHONPATH", root())
        // Python must not write a cache beside the notebooks.
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("MPLCONFIGDIR", folder.path().join("matplotlib"))
        .env("ROBOCENSUS", env!("CARGO_BIN_EXE_robocensus"))
        .env("ROBOCENSUS_TABLES", tables)
        .env("ROBOCENSUS_FIGURES", folder.path().join("figures"))
        .env_remove("ROBOCENSUS_RANKS")
        .env_remove("ROBOCENSUS_CC_INDEX");
    command
}

/// Runs the script that checks figures.
fn look(python: &OsString, folder: &TestFolder, names: &[String]) -> Run {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers/figures.py");
    let mut command = Command::new(python);
    command.arg(script).arg("figures").args(names);
    folder.run_by(command)
}
