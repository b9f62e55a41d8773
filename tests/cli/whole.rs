//! Checks that a folder of tables has exactly the files that it should have.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A folder of tables in any state.
pub(crate) struct Tables(PathBuf);

/// The files of a finished run: the bytes of tables and plan, and the ledger without times.
#[derive(PartialEq, Eq)]
pub(crate) struct FinishedTables(BTreeMap<String, Vec<u8>>);

const RECORDS: &str = "_robocensus";
const CAPTURES: &str = "captures";

impl Tables {
    pub(crate) fn at(path: impl Into<PathBuf>) -> Self {
        Tables(path.into())
    }

    /// The files of a finished run. Fails if files of the plan are missing or there are others.
    #[track_caller]
    pub(crate) fn finished(&self) -> FinishedTables {
        let parts = self.parts();
        self.assert_only_parts(&parts);
        let numbers: BTreeSet<u64> = parts.iter().map(|(number, _)| *number).collect();
        assert_eq!(self.done(), numbers, "parts of the plan are not in the ledger: {}", self.0.display());
        let mut files = BTreeMap::new();
        for (name, path) in self.files() {
            let bytes = fs::read(&path).expect("a file can be read");
            match name {
                // The lock names the last process, which differs.
                name if name == lock() => {}
                name if name.ends_with(".json") => _ = files.insert(name, without_times(&bytes)),
                name => _ = files.insert(name, bytes),
            }
        }
        FinishedTables(files)
    }

    /// Checks the folder of a run that was stopped cleanly: it has the files of finished parts and no others. Returns
    /// the number of finished parts.
    #[track_caller]
    pub(crate) fn assert_stopped(&self, whole: &FinishedTables) -> usize {
        self.assert_sound(whole);
        let done = self.done();
        let parts: Vec<_> = self.parts().into_iter().filter(|(number, _)| done.contains(number)).collect();
        self.assert_only_parts(&parts);
        done.len()
    }

    /// Checks the folder of a killed run against `whole`, the files of an undisturbed run. Each visible file must be
    /// final. Captures may be visible only with everything that they refer to. A part may be in the ledger only with
    /// all its files.
    #[track_caller]
    pub(crate) fn assert_sound(&self, whole: &FinishedTables) {
        let files = self.files();
        for (name, path) in files.iter().filter(|(name, _)| !name.starts_with(RECORDS)) {
            let expected = whole.0.get(name).unwrap_or_else(|| panic!("{name} is not a file of a table"));
            assert!(fs::read(path).is_ok_and(|bytes| bytes == *expected), "{name} is visible but incomplete");
        }
        let has = |name: &String| files.contains_key(name);
        for (number, crawl) in self.parts() {
            let all = files_of(number, &crawl);
            let captures = all.iter().find(|name| name.starts_with(CAPTURES)).expect("captures are a table");
            let is_done = has(&entry_of(number));
            if is_done || has(captures) {
                let missing: Vec<&String> = all.iter().filter(|name| !has(name)).collect();
                assert!(missing.is_empty(), "part {number} is visible without {missing:?}");
            }
        }
    }

    /// The files of the parts in the ledger, with inode and time, which change if a file is written again.
    pub(crate) fn done_files(&self) -> BTreeMap<String, (u64, SystemTime)> {
        let done = self.done();
        let parts = self.parts().into_iter().filter(|(number, _)| done.contains(number));
        let names = parts.flat_map(|(number, crawl)| [files_of(number, &crawl), vec![entry_of(number)]].concat());
        let stamp = |found: &Metadata| (found.ino(), found.modified().expect("files have times"));
        names
            .map(|name| {
                let found = fs::metadata(self.0.join(&name)).expect("a file of a finished part exists");
                let stamp = stamp(&found);
                (name, stamp)
            })
            .collect()
    }

    /// Runs the command again. The tables must then be `whole`, and finished parts must not have been made again.
    #[track_caller]
    pub(crate) fn assert_finished_by(&self, run: impl FnOnce(), whole: &FinishedTables) {
        let done = self.done_files();
        run();
        self.finished().assert_same(whole);
        let now = self.done_files();
        assert!(done.iter().all(|(name, stamp)| now.get(name) == Some(stamp)), "a finished part was made again");
    }

    /// The number of files and folders, which grows during a run.
    pub(crate) fn names(&self) -> usize {
        below(&self.0, "").len()
    }

    /// Whether parts were started: there are files in `work` or in a table.
    pub(crate) fn has_started_parts(&self) -> bool {
        let listed = fs::read_dir(&self.0).into_iter().flatten().flatten();
        self.0.join(RECORDS).join("work").exists() || listed.into_iter().any(|entry| entry.file_name() != RECORDS)
    }

    /// Copies the plan, so that the other folder is like this one before its first part.
    pub(crate) fn copy_plan_to(&self, other: &Path) {
        fs::create_dir_all(other.join(RECORDS).join("ledger")).expect("a folder can be made");
        fs::copy(self.0.join(plan()), other.join(plan())).expect("a plan can be copied");
    }

    /// The number and crawl of each part of the plan; empty if there is no plan yet.
    fn parts(&self) -> Vec<(u64, String)> {
        let plan = fs::read_to_string(self.0.join(plan())).unwrap_or_default();
        let part = |line| {
            let part: Value = serde_json::from_str(line).expect("a line of the plan is JSON");
            let crawl = part["crawl"].as_str().expect("a part has a crawl").to_owned();
            (part["part"].as_u64().expect("a part has a number"), crawl)
        };
        plan.lines().skip(1).map(part).collect()
    }

    /// The parts that are in the ledger.
    fn done(&self) -> BTreeSet<u64> {
        let parts = self.parts().into_iter().map(|(number, _)| number);
        parts.filter(|number| self.0.join(entry_of(*number)).exists()).collect()
    }

    #[track_caller]
    fn assert_only_parts(&self, parts: &[(u64, String)]) {
        let of_parts = parts.iter().flat_map(|(number, crawl)| [files_of(*number, crawl), vec![entry_of(*number)]]);
        let mut expected: BTreeSet<String> = of_parts.flatten().chain([plan(), lock()]).collect();
        expected.insert(format!("{RECORDS}/ledger"));
        for name in expected.clone() {
            let above = Path::new(&name).ancestors().skip(1).filter(|above| !above.as_os_str().is_empty());
            expected.extend(above.map(|above| above.to_str().expect("names are UTF-8").to_owned()));
        }
        let found = below(&self.0, "");
        let found: BTreeSet<String> = found.into_keys().collect();
        let over: Vec<&String> = found.difference(&expected).collect();
        let missing: Vec<&String> = expected.difference(&found).collect();
        assert!(
            over.is_empty() && missing.is_empty(),
            "{}: left over: {over:?}, missing: {missing:?}",
            self.0.display()
        );
    }

    fn files(&self) -> BTreeMap<String, PathBuf> {
        below(&self.0, "").into_iter().filter(|(_, path)| path.is_file()).collect()
    }
}

impl FinishedTables {
    /// The sizes of the tables of each part, in bytes.
    pub(crate) fn part_bytes(&self) -> BTreeMap<String, Vec<u64>> {
        let mut parts = BTreeMap::<String, Vec<u64>>::new();
        for (name, bytes) in self.0.iter().filter(|(name, _)| !name.starts_with(RECORDS)) {
            let part = name.rsplit('/').next().unwrap_or_default();
            parts.entry(part.to_owned()).or_default().push(bytes.len() as u64);
        }
        parts
    }

    #[track_caller]
    pub(crate) fn assert_same(&self, other: &FinishedTables) {
        let names: BTreeSet<&String> = self.0.keys().chain(other.0.keys()).collect();
        let other_names: Vec<_> = names.into_iter().filter(|name| self.0.get(*name) != other.0.get(*name)).collect();
        assert!(other_names.is_empty(), "these files differ from the undisturbed run: {other_names:?}");
    }
}

/// The script for DuckDB, which contains the path of its folder, and the entry with its digest.
const VIEWS: [&str; 2] = [folder::VIEWS_FILE, "_robocensus/views.json"];

/// All files and folders below a folder, by name, without those that depend on its path.
fn below(folder: &Path, name: &str) -> BTreeMap<String, PathBuf> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("a folder can be listed").path();
        let own = path.file_name().and_then(|own| own.to_str()).expect("names are UTF-8");
        let name = if name.is_empty() { own.to_owned() } else { format!("{name}/{own}") };
        if VIEWS.contains(&name.as_str()) {
            continue;
        }
        if path.is_dir() {
            found.extend(below(&path, &name));
        }
        found.insert(name, path);
    }
    found
}

fn plan() -> String {
    format!("{RECORDS}/plan.ndjson")
}

fn lock() -> String {
    format!("{RECORDS}/lock")
}

fn entry_of(part: u64) -> String {
    format!("{RECORDS}/ledger/part-{part:05}.json")
}

fn files_of(part: u64, crawl: &str) -> Vec<String> {
    let file = |table: tables::Table| format!("{}/crawl={crawl}/part-{part:05}.parquet", table.name);
    tables::tables().into_iter().map(file).collect()
}

/// An entry of the ledger without its times.
fn without_times(entry: &[u8]) -> Vec<u8> {
    let mut entry: Value = serde_json::from_slice(entry).expect("an entry of the ledger is JSON");
    let fields = entry.as_object_mut().expect("an entry is an object");
    fields.remove("seconds").expect("an entry says how long it took");
    fields.remove("seal").expect("an entry is sealed");
    serde_json::to_vec(&entry).expect("JSON can be written")
}
