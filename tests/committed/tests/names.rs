//! Each type of the workspace has a name of its own, so that a search for it finds one thing.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The Rust files below a folder, without those of tests.
fn files(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_test = |path: &Path| {
        path.file_stem().is_some_and(|stem| ["tests", "benches", "fuzz", "target"].iter().any(|name| stem == *name))
    };
    paths
        .filter(|path| !is_test(path))
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
        .collect()
}

/// The name of the type that a line declares.
fn declared(line: &str) -> Option<&str> {
    let line = line
        .strip_prefix("pub(crate) ")
        .or(line.strip_prefix("pub(super) "))
        .or(line.strip_prefix("pub "))
        .or(line.strip_prefix("pub(in ").and_then(|rest| Some(rest.split_once(") ")?.1)))
        .unwrap_or(line);
    let rest = ["struct ", "enum ", "trait ", "type "].iter().find_map(|word| line.strip_prefix(word))?;
    rest.split(|character: char| !character.is_alphanumeric()).next()
}

#[test]
fn each_type_has_a_name_of_its_own() {
    let mut declared_in: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for top in ["src", "ingest", "analyze", "datasets/generator/src"] {
        for path in files(&committed::path(top)) {
            let text = fs::read_to_string(&path).unwrap();
            for name in text.lines().filter_map(declared) {
                declared_in.entry(name.to_owned()).or_default().push(path.display().to_string());
            }
        }
    }
    assert!(declared_in.len() > 500, "{} types", declared_in.len());
    declared_in.retain(|_, places| places.len() > 1);
    assert!(declared_in.is_empty(), "{declared_in:#?}");
}
