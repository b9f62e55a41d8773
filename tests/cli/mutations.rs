//! Folders of tables with random changes. `check` must find each change, and every question must either return the rows
//! of the unchanged folder or fail with a message.
//!
//! With `ROBOCENSUS_FULL` a thousand changes are tried, otherwise a few.

use crate::random::Random;
use crate::run::{Run, TestFolder};
use crate::sample::{self, OUT};
use committed::full::is_full;
use parking_lot::Mutex;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// How many folders are changed: in the full run, and in other runs.
const CHANGES: [u64; 2] = [1_000, 12];

/// The full run makes a report of one in this many changed folders, because a report takes seconds.
const CHANGES_A_REPORT: u64 = 50;

/// Far longer than any command takes.
const TIMEOUT: Duration = Duration::from_secs(300);

const SEED: u64 = 1994;

/// The unchanged folder and its answers.
struct Original {
    folder: TestFolder,
    /// The paths of its files, sorted.
    files: Vec<PathBuf>,
    answers: Mutex<BTreeMap<Question, Vec<String>>>,
}

/// A command that answers, without the folder of tables.
type Question = Vec<String>;

impl Original {
    fn new() -> Self {
        let folder = sample::modelled("mutations_original");
        let files = crate::server::files(&folder.path().join(OUT)).into_keys();
        let files = files.filter(|name| !name.ends_with("/lock")).map(|name| Path::new(OUT).join(name)).collect();
        Original { folder, files, answers: Mutex::default() }
    }

    /// A copy of the folder.
    fn copied(&self, name: &str) -> TestFolder {
        let folder = TestFolder::new(name);
        sample::copy(&self.folder.path().join(OUT), &folder.path().join(OUT));
        folder
    }

    /// The answer of the unchanged folder.
    fn answer(&self, question: &Question) -> Vec<String> {
        let ask = || answer(&ask(&self.folder, question).unwrap_or_else(|run| panic!("{run}")));
        let mut answers = self.answers.lock();
        answers.entry(question.clone()).or_insert_with(ask).clone()
    }
}

/// The lines of an answer, sorted, because their order may depend on threads.
fn answer(run: &Run) -> Vec<String> {
    let mut lines: Vec<String> = run.stdout.lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

/// Asks a question. `Err` is a run that failed with a message.
fn ask(folder: &TestFolder, question: &Question) -> Result<Run, Run> {
    let arguments: Vec<&str> = question.iter().map(String::as_str).collect();
    let start = Instant::now();
    let run = folder.run(&arguments);
    assert!(start.elapsed() < TIMEOUT, "it took {:?}\n{run}", start.elapsed());
    assert!(!run.stderr.contains("panicked"), "{run}");
    match run.status.code() {
        Some(0) => Ok(run),
        Some(1 | 2) if !run.stderr.is_empty() => Err(run),
        _ => panic!("it neither answers nor prints a failure\n{run}"),
    }
}

/// The questions to ask after a change of this file.
fn questions(changed: &Path, random: &mut Random, number: u64) -> Vec<Question> {
    let ask = |arguments: &[&str]| arguments.iter().map(|argument| (*argument).to_owned()).collect::<Question>();
    let sql = |table: &str| ask(&["sql", "--tables", OUT, "--format", "csv", &format!("SELECT * FROM {table}")]);
    let all: Vec<&str> = tables::all().iter().map(|table| table.name).collect();
    let of = all.iter().find(|table| changed.iter().any(|part| part == **table)).copied();
    let mut questions = vec![sql(of.unwrap_or(all[random.below(all.len())]))];
    if number.is_multiple_of(3) || is_full() {
        questions.push(sql(["ledger_parts", "ledger_files"][random.below(2)]));
    }
    if number.is_multiple_of(4) || is_full() {
        let query = |name: &str| ask(&["query", name, "--tables", OUT, "--format", "csv"]);
        let names = ["access_overview", "definition_sensitivity", "violation_overview", "policy_flips"];
        questions.push(query(names[random.below(names.len())]));
        questions.push(ask(&["explain", "http://192.0.2.30/", "--agent", "GPTBot", "--tables", OUT]));
    }
    questions
}

/// By kind, the number of changes, and of those after which a question failed.
type Kinds = BTreeMap<&'static str, [u64; 2]>;

#[test]
fn changes_are_found_and_never_change_an_answer() {
    let original = Original::new();
    let count = if is_full() { CHANGES[0] } else { CHANGES[1] };
    let halves = [0, 1].map(|half| (half * count / 2..(half + 1) * count / 2, format!("mutations_changed_{half}")));
    let kinds = thread::scope(|scope| {
        let original = &original;
        let threads = halves.map(|(numbers, name)| scope.spawn(move || try_changes(original, numbers, &name)));
        let mut kinds = Kinds::new();
        for thread in threads {
            for (kind, [all, failed]) in thread.join().unwrap_or_else(|panic| resume_unwind(panic)) {
                let sums = kinds.entry(kind).or_default();
                *sums = [sums[0] + all, sums[1] + failed];
            }
        }
        kinds
    });
    println!("changes of each kind, and how many of them made a question fail: {kinds:?}");
    assert!(kinds.len() > 5, "{kinds:?}");
}

/// Makes the changes of these numbers, each in a fresh folder.
fn try_changes(original: &Original, numbers: Range<u64>, name: &str) -> Kinds {
    let mut kinds = Kinds::new();
    for number in numbers {
        let mut random = Random::new(SEED + number);
        let folder = original.copied(name);
        let change = change(original, &folder, number, &mut random);
        let what = format!("change {number}, {}: {}: {}", change.kind, change.path.display(), change.how);
        let checked = ask(&folder, &["check", "-q", OUT].map(str::to_owned).to_vec());
        assert!(checked.is_err(), "{what}: check does not find it");
        let mut failed = 0;
        for question in questions(&change.path, &mut random, number) {
            // Asked first, to be sure that the question has an answer on the unchanged folder.
            let expected = original.answer(&question);
            match ask(&folder, &question) {
                Err(_) => failed = 1,
                Ok(run) => assert_eq!(answer(&run), expected, "{what}\n{run}"),
            }
        }
        if is_full() && number % CHANGES_A_REPORT == 0 {
            report(original, &folder, &what);
        }
        let sums = kinds.entry(change.kind).or_default();
        *sums = [sums[0] + 1, sums[1] + failed];
    }
    kinds
}

/// Makes a report of the changed folder. If that succeeds, its data must be those of the unchanged folder.
fn report(original: &Original, folder: &TestFolder, what: &str) {
    let question = ["report", "-q", OUT, "--out", "report", "--only", "access,size"].map(str::to_owned).to_vec();
    if ask(folder, &question).is_err() {
        return;
    }
    let of = |folder: &TestFolder| sample::files(&folder.path().join("report/data"));
    original.answer(&question);
    let (found, expected) = (of(folder), of(&original.folder));
    let differ: BTreeSet<_> = expected.keys().filter(|name| found.get(*name) != expected.get(*name)).collect();
    assert!(differ.is_empty() && found.len() == expected.len(), "{what}: {differ:?}");
}

/// The change.
struct Change {
    kind: &'static str,
    path: PathBuf,
    how: String,
}

/// Changes a folder. Returns `None` if the change has no effect.
type TriedChange = fn(&Original, &TestFolder, &mut Random) -> Option<Change>;

/// Changes a folder, and tries again if the change has no effect.
fn change(original: &Original, folder: &TestFolder, number: u64, random: &mut Random) -> Change {
    const KINDS: [TriedChange; 10] = [flip, flip, edit, cut, swap, remove, append, duplicate, rename, zero];
    loop {
        // Each kind gets its turn.
        let kind = KINDS[(number as usize + random.below(2)) % KINDS.len()];
        if let Some(change) = kind(original, folder, random) {
            return change;
        }
    }
}

fn pick(original: &Original, random: &mut Random) -> PathBuf {
    original.files[random.below(original.files.len())].clone()
}

fn flip(original: &Original, folder: &TestFolder, random: &mut Random) -> Option<Change> {
    let path = pick(original, random);
    let mut bit = 0;
    rewrite(folder, &path, |bytes| {
        bit = random.below(bytes.len() * 8);
        bytes[bit / 8] ^= 1 << (bit % 8);
    });
    Some(Change { kind: "flipped bit", path, how: format!("bit {bit}") })
}

fn cut(original: &Original, folder: &TestFolder, random: &mut Random) -> Option<Change> {
    let path = pick(original, random);
    let mut left = 0;
    rewrite(folder, &path, |bytes| {
        left = random.below(bytes.len());
        bytes.truncate(left);
    });
    Some(Change { kind: "cut file", path, how: format!("{left} bytes are left") })
}

fn append(original: &Original, folder: &TestFolder, random: &mut Random) -> Option<Change> {
    let path = pick(original, random);
    let more = 1 + random.below(100);
    rewrite(folder, &path, |bytes| bytes.extend((0..more).map(|_| random.below(256) as u8)));
    Some(Change { kind: "appended bytes", path, how: format!("{more} bytes") })
}

/// Writes zeros, like a disk that lost a sector.
fn zero(original: &Original, folder: &TestFolder, random: &mut Random) -> Option<Change> {
    let path = pick(original, random);
    let mut how = None;
    rewrite(folder, &path, |bytes| {
        let start = random.below(bytes.len()) / 512 * 512;
        let end = (start + 512).min(bytes.len());
        let zeroed = &mut bytes[start..end];
        if zeroed.iter().any(|byte| *byte != 0) {
            zeroed.fill(0);
            how = Some(format!("from byte {start}"));
        }
    });
    Some(Change { kind: "zeroed sector", path, how: how? })
}

fn swap(original: &Original, folder: &TestFolder, random: &mut Random) -> Option<Change> {
    let (path, other) = (pick(original, random), pick(original, random));
    let read = |path: &Path| fs::read(folder.path().join(path)).expect("it can be read");
    let (one, two) = (read(&path), read(&other));
    if one == two {
        return None;
    }
    rewrite(folder, &path, |bytes| *bytes = two);
    rewrite(folder, &other, |bytes| *bytes = one);
    Some(Change { kind: "swapped files", path, how: format!("with {}", other.display()) })
}

fn remove(original: &Original, folder: &TestFolder, random: &mut Random) -> Option<Change> {
    let path = pick(original, random);
    fs::remove_file(folder.path().join(&path)).expect("it can be removed");
    Some(Change { kind: "removed file", path, how: String::new() })
}

fn duplicate(original: &Original, folder: &TestFolder, random: &mut Random) -> Option<Change> {
    // Users may keep their own files beside the tables.
    let path = Some(pick(original, random)).filter(|path| path.iter().count() > 2)?;
    let copy = other_name(&path);
    fs::copy(folder.path().join(&path), folder.path().join(&copy)).expect("it can be copied");
    Some(Change { kind: "duplicated file", path, how: format!("as {}", copy.display()) })
}

fn rename(original: &Original, folder: &TestFolder, random: &mut Random) -> Option<Change> {
    let path = pick(original, random);
    let name = other_name(&path);
    fs::rename(folder.path().join(&path), folder.path().join(&name)).expect("it can be renamed");
    Some(Change { kind: "renamed file", path, how: format!("to {}", name.display()) })
}

/// An unused name of the same kind.
fn other_name(path: &Path) -> PathBuf {
    let name = path.file_name().and_then(|name| name.to_str()).expect("names are UTF-8");
    let (stem, end) = name.split_once('.').expect("files have a kind");
    let other = if stem.starts_with("part-") { "part-00007".to_owned() } else { format!("{stem}-2") };
    path.with_file_name(format!("{other}.{end}"))
}

/// Changes a value of a record, as an editor would.
fn edit(original: &Original, folder: &TestFolder, random: &mut Random) -> Option<Change> {
    let is_record = |path: &&PathBuf| path.extension().is_some_and(|end| end == "json" || end == "ndjson");
    let records: Vec<&PathBuf> = original.files.iter().filter(is_record).collect();
    let path = records[random.below(records.len())].clone();
    let mut how = None;
    rewrite(folder, &path, |bytes| {
        let text = String::from_utf8(bytes.clone()).expect("it is text");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let line = &mut lines[random.below(text.lines().count())];
        let mut value: Value = serde_json::from_str(line).expect("it is JSON");
        let pointers = scalars(&value, String::new());
        let pointer = pointers[random.below(pointers.len())].clone();
        let scalar = value.pointer_mut(&pointer).expect("it was found");
        let before = scalar.clone();
        *scalar = match scalar {
            Value::Bool(is) => Value::Bool(!*is),
            Value::Number(number) => (number.as_f64().unwrap_or_default() + 1.0).to_string().parse().expect("a number"),
            Value::String(text) => Value::String(format!("{text}x")),
            _ => Value::Bool(true),
        };
        how = Some(format!("{pointer}: {before} is now {scalar}"));
        *line = value.to_string();
        *bytes = (lines.join("\n") + "\n").into_bytes();
    });
    Some(Change { kind: "edited record", path, how: how? })
}

/// The JSON pointers of all values that are neither objects nor arrays.
fn scalars(value: &Value, pointer: String) -> Vec<String> {
    match value {
        Value::Array(values) => {
            values.iter().enumerate().flat_map(|(at, value)| scalars(value, format!("{pointer}/{at}"))).collect()
        }
        Value::Object(fields) => {
            fields.iter().flat_map(|(name, value)| scalars(value, format!("{pointer}/{name}"))).collect()
        }
        _ => vec![pointer],
    }
}

fn rewrite(folder: &TestFolder, path: &Path, edit: impl FnOnce(&mut Vec<u8>)) {
    let path = folder.path().join(path);
    let mut bytes = fs::read(&path).expect("it can be read");
    edit(&mut bytes);
    fs::write(path, bytes).expect("it can be written");
}
