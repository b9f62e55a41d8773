//! Compares committed files with those that the code makes, and collects the tests that are skipped. Only tests use it.
//!
//! The crate `expect-test` does the same for one file, with an environment variable of its own. Other tests rewrite
//! whole folders, and one variable rewrites everything.
#![allow(clippy::panic, clippy::print_stderr, reason = "only tests use it")]

pub mod full;

use std::ffi::OsString;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Whether committed files are rewritten: `ROBOCENSUS_BLESS` is 1.
#[must_use]
pub fn is_blessed() -> bool {
    std::env::var_os("ROBOCENSUS_BLESS").is_some_and(|value| value == "1")
}

/// The path of a file of the repository.
#[must_use]
pub fn path(file: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    root.unwrap_or(Path::new("")).join(file)
}

/// Panics if a file differs from what the code makes, and shows the first line that differs. Rewrites the file instead
/// if `ROBOCENSUS_BLESS` is 1. `bless` is the command that does so.
#[track_caller]
pub fn check(file: &str, made: &str, bless: &str) {
    let path = path(file);
    if is_blessed()
        && let Err(error) = std::fs::write(&path, made)
    {
        panic!("file cannot be written: {}: {error}", path.display());
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    if committed == made {
        return;
    }
    let same = committed.lines().zip(made.lines()).take_while(|(old, new)| old == new).count();
    let line = |text: &str| text.lines().nth(same).unwrap_or("(end)").to_owned();
    panic!(
        "file differs from the code: {file}: line {}\n  in the file: {}\n  by the code: {}\nto write it anew: {bless}",
        same + 1,
        line(&committed),
        line(made)
    );
}

/// The value of an environment variable. Without it, the running test, or a part of it, is skipped.
#[must_use]
pub fn variable(name: &str) -> Option<OsString> {
    let value = std::env::var_os(name);
    if value.is_none() {
        skipped(&format!("{name} is not set"));
    }
    value
}

/// Whether a program works here. Without it, the running test, or a part of it, is skipped; it panics instead if the
/// variable `demanded_by` is set.
#[track_caller]
pub fn works(program: &mut Command, demanded_by: Option<&str>) -> bool {
    let tried = program.output();
    let works = tried.as_ref().is_ok_and(|tried| tried.status.success());
    if !works {
        if let Some(name) = demanded_by.filter(|name| std::env::var_os(name).is_some()) {
            panic!("{name} is set, but {program:?} does not work: {tried:?}");
        }
        skipped(&format!("{program:?} does not work here: {tried:?}"));
    }
    works
}

/// Says that the running test, or a part of it, is skipped. Appends a line to the file that `ROBOCENSUS_SKIPPED` names,
/// which `.ci/run` prints. Without that variable, prints the line, which `cargo test` shows with `--nocapture`.
pub fn skipped(reason: &str) {
    let thread = std::thread::current();
    let line = format!("{}: {reason}\n", thread.name().unwrap_or("a test"));
    let Some(path) = std::env::var_os("ROBOCENSUS_SKIPPED") else {
        eprint!("skipped: {line}");
        return;
    };
    let appended =
        File::options().create(true).append(true).open(&path).and_then(|mut file| file.write_all(line.as_bytes()));
    if let Err(error) = appended {
        panic!("file cannot be written: {}: {error}", path.display());
    }
}
