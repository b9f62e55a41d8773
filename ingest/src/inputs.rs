//! Turns the arguments of a user into a list of archives.
//!
//! An argument is a file, a folder, a pattern, a list of paths as Common Crawl publishes it, or `-` for a list on standard
//! input. The result has no repetitions and is sorted by crawl and name, so that neither the order of the arguments nor
//! that of a folder changes the tables.

mod list;
mod name;

pub use name::{NamedInput, name};

use folder::{Failure, Stamp, regular};
use std::fmt;
use std::fs::Metadata;
use std::io::{self, BufRead, ErrorKind};
use std::path::{Path, PathBuf};

/// An archive to be read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Input {
    /// The crawl that it belongs to.
    pub crawl: String,
    /// Its name in the tables: for archives of Common Crawl the name in its index.
    pub warc_filename: String,
    /// Its path.
    pub path: PathBuf,
    /// Its size and modification time; none where a list names it and it is missing.
    pub stamp: Option<Stamp>,
}

/// The options for reading arguments.
#[derive(Debug, Clone, Default)]
pub struct InputNaming {
    /// The base of relative entries of lists. Without it, that is for a list on disk the folder that holds its
    /// `crawl-data`, or else the list's own folder.
    pub base: Option<PathBuf>,
    /// The crawl of archives whose path does not name one.
    pub crawl: Option<String>,
}

/// The archives of the arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedInputs {
    /// The archives, by crawl and name.
    pub inputs: Vec<Input>,
    /// What was found and cannot be read: a pipe among the archives, a link that leads nowhere, a closed folder.
    pub left_out: Vec<Failure>,
}

/// Lists the archives of the arguments. `-` is a list of paths on `stdin`, one in each line.
///
/// Fails with all failures at once, so that a long list needs fixing once. What a folder, a pattern or a list leads to and
/// cannot be read is left out, so that one bad file does not keep all others from being read. A missing entry of a list
/// becomes an input without a stamp, since it may not have been downloaded yet. A list whose entries are all missing is a
/// failure.
pub fn expand(
    arguments: &[PathBuf],
    naming: &InputNaming,
    stdin: &mut dyn BufRead,
) -> Result<ListedInputs, Vec<Failure>> {
    let mut listing = Listing { naming, inputs: Vec::new(), left_out: Vec::new(), unlisted: Vec::new() };
    for argument in arguments {
        if argument.as_os_str() == "-" {
            let base = naming.base.clone().unwrap_or_default();
            listing.list(argument, list::lines(stdin), &base);
        } else {
            listing.argument(argument);
        }
    }
    let Listing { mut inputs, mut left_out, mut unlisted, .. } = listing;
    left_out.sort_by(|one, other| one.path.cmp(&other.path));
    if inputs.is_empty() {
        unlisted.extend(left_out.iter().cloned());
    }
    if !unlisted.is_empty() {
        return Err(unlisted);
    }
    inputs.sort_unstable();
    inputs.dedup();
    Ok(ListedInputs { inputs: without_namesakes(inputs)?, left_out })
}

/// Removes archives that are named twice. Fails where two archives have one name in the tables.
fn without_namesakes(inputs: Vec<Input>) -> Result<Vec<Input>, Vec<Failure>> {
    let mut told: Vec<Input> = Vec::with_capacity(inputs.len());
    let mut refused = Vec::new();
    for input in inputs {
        match told.last_mut().filter(|last| last.crawl == input.crawl && last.warc_filename == input.warc_filename) {
            None => told.push(input),
            Some(last) if is_same_file(&last.path, &input.path) => {}
            // Sorted by name and path, whether it exists or not.
            Some(last) if last.stamp.is_none() => *last = input,
            Some(_) if input.stamp.is_none() => {}
            Some(last) => {
                let cause = format!("{} is {} as well", input.warc_filename, last.path.display());
                refused.push(Failure::new("two inputs have one name", &input.path, cause));
            }
        }
    }
    if refused.is_empty() { Ok(told) } else { Err(refused) }
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

struct Listing<'n> {
    naming: &'n InputNaming,
    inputs: Vec<Input>,
    left_out: Vec<Failure>,
    unlisted: Vec<Failure>,
}

impl Listing<'_> {
    fn argument(&mut self, argument: &Path) {
        if is_url(argument) {
            return self.refuse("input is not supported", argument, &NO_URL);
        }
        match std::fs::metadata(argument) {
            Ok(found) if found.is_dir() => self.folder(argument),
            Ok(found) if !regular::is_file(found.file_type()) => {
                self.refuse("input is no file", argument, &regular::not_a_file(found.file_type()));
            }
            Ok(_) if list::is_list(argument) => {
                let base = self.naming.base.clone().unwrap_or_else(|| list::base_of(argument));
                self.list(argument, list::read(argument), &base);
            }
            Ok(found) => {
                let listed = self.archive(argument.to_path_buf(), None, Some(&found));
                self.unlisted.extend(listed.err());
            }
            Err(error) => match argument.to_str().filter(|text| text.contains(['*', '?', '['])) {
                Some(pattern) => self.pattern(pattern),
                None => self.refuse("input is missing", argument, &error),
            },
        }
    }

    /// How much was found so far, of whatever kind.
    fn found(&self) -> usize {
        self.inputs.len() + self.left_out.len() + self.unlisted.len()
    }

    /// All archives below a folder. Links to folders are not followed, since they may form a circle.
    fn folder(&mut self, folder: &Path) {
        let before = self.found();
        let mut folders = vec![folder.to_path_buf()];
        while let Some(below) = folders.pop() {
            let entries = match std::fs::read_dir(&below) {
                Ok(entries) => entries,
                Err(error) if below == folder => {
                    self.refuse("folder cannot be listed", folder, &error);
                    continue;
                }
                Err(error) => {
                    self.leave_out("folder cannot be listed", &below, &error);
                    continue;
                }
            };
            for entry in entries {
                let found = entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)));
                match found {
                    Ok((path, kind)) if kind.is_dir() => folders.push(path),
                    Ok((path, _)) if is_archive(&path) => self.file(path, None),
                    Ok(_) => {}
                    Err(error) => self.leave_out("folder cannot be listed", &below, &error),
                }
            }
        }
        if self.found() == before {
            self.refuse("folder holds no archive", folder, &format_args!("no file ends in {}", ENDINGS.join(", ")));
        }
    }

    fn pattern(&mut self, pattern: &str) {
        let before = self.found();
        match glob::glob(pattern) {
            Ok(paths) => {
                for path in paths {
                    match path {
                        Ok(path) if path.is_dir() => {}
                        Ok(path) => self.file(path, None),
                        Err(error) => self.leave_out("folder cannot be listed", error.path(), error.error()),
                    }
                }
                if self.found() == before {
                    self.refuse("pattern matches nothing", Path::new(pattern), &"no such file");
                }
            }
            Err(error) => self.refuse("pattern cannot be read", Path::new(pattern), &error.msg),
        }
    }

    /// The entries of a list, joined to the base.
    fn list(&mut self, list: &Path, entries: io::Result<Vec<String>>, base: &Path) {
        match entries {
            Ok(entries) => {
                let before = self.inputs.len();
                entries.iter().for_each(|entry| self.file(base.join(entry), Some(entry)));
                let new = self.inputs.get(before..).unwrap_or_default();
                // Entries that are not supported have been told one by one.
                if !new.is_empty() && new.iter().all(|input| input.stamp.is_none()) {
                    let first = new.first().map(|input| input.path.display().to_string()).unwrap_or_default();
                    self.refuse(
                        "list names nothing that is there",
                        list,
                        &format_args!("no {first}; --base says where its entries are"),
                    );
                }
            }
            Err(error) => self.refuse("list cannot be read", list, &error),
        }
    }

    /// An archive that a folder, a pattern or a list leads to.
    fn file(&mut self, path: PathBuf, entry: Option<&str>) {
        let written = entry.map_or(path.as_path(), Path::new);
        if is_url(written) {
            return self.leave_out("input is not supported", written, &NO_URL);
        }
        let listed = match std::fs::metadata(&path) {
            Ok(found) if regular::is_file(found.file_type()) => self.archive(path, entry, Some(&found)),
            Ok(found) => Err(Failure::new("input is no file", &path, regular::not_a_file(found.file_type()))),
            Err(error) if entry.is_some() && error.kind() == ErrorKind::NotFound => self.archive(path, entry, None),
            Err(error) => Err(Failure::new("input is missing", &path, error)),
        };
        self.left_out.extend(listed.err());
    }

    fn archive(&mut self, path: PathBuf, entry: Option<&str>, found: Option<&Metadata>) -> Result<(), Failure> {
        let Some(written) = entry.or(path.to_str()) else {
            return Err(Failure::new("input has no name", &path, "its path is not UTF-8, and names in tables are"));
        };
        let NamedInput { crawl, warc_filename } = name(written);
        match crawl.or_else(|| self.naming.crawl.clone()) {
            Some(crawl) => self.inputs.push(Input { crawl, warc_filename, path, stamp: found.map(Stamp::read) }),
            None => self.refuse("crawl is unknown", &path, &"its path names none; name one with --crawl"),
        }
        Ok(())
    }

    fn refuse(&mut self, what: &'static str, path: &Path, cause: &dyn fmt::Display) {
        self.unlisted.push(Failure::new(what, path, cause));
    }

    fn leave_out(&mut self, what: &'static str, path: &Path, cause: &dyn fmt::Display) {
        self.left_out.push(Failure::new(what, path, cause));
    }
}

/// Whether a file below a folder counts as an archive, by its name. Its bytes decide how it is read.
fn is_archive(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// What names of archives end in.
const ENDINGS: [&str; 6] = [".warc.gz", ".warc", ".warc.zst", ".arc.gz", ".arc", ".wacz"];

const NO_URL: &str = "archives are read from disk; download it first";

/// Whether a path is a URL, as `https://…` or `s3://…`.
fn is_url(path: &Path) -> bool {
    path.to_string_lossy().split_once("://").is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write as _;
    use std::sync::atomic::{AtomicU32, Ordering};

    static FOLDERS: AtomicU32 = AtomicU32::new(0);

    /// A fresh folder with files of as many bytes as their number.
    fn folder(files: &[&str]) -> PathBuf {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("robocensus-inputs-{}-{number}", std::process::id()));
        for (file, bytes) in files.iter().zip(1..) {
            let path = folder.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, vec![b'x'; bytes]).unwrap();
        }
        folder
    }

    /// Crawl, name and size of each input, or the complaints, for arguments relative to a folder.
    fn listed(folder: &Path, arguments: &[&str], naming: &InputNaming, stdin: &str) -> Vec<String> {
        let arguments: Vec<PathBuf> = arguments
            .iter()
            .map(|argument| {
                let is_plain = *argument == "-" || argument.contains("://");
                if is_plain { PathBuf::from(argument) } else { folder.join(argument) }
            })
            .collect();
        let text = match expand(&arguments, naming, &mut stdin.as_bytes()) {
            Ok(ListedInputs { inputs, .. }) => inputs
                .iter()
                .map(|Input { crawl, warc_filename, stamp, .. }| {
                    let bytes = stamp.map_or("missing".to_owned(), |stamp| stamp.bytes.to_string());
                    format!("{crawl} {warc_filename} {bytes}")
                })
                .collect(),
            Err(unlisted) => unlisted.iter().map(ToString::to_string).collect::<Vec<String>>(),
        };
        text.iter().map(|line| line.replace(&format!("{}/", folder.display()), "")).collect()
    }

    const FILES: [&str; 4] = [
        "crawl-data/CC-MAIN-2024-22/segments/1/robotstxt/b.warc.gz",
        "crawl-data/CC-MAIN-2024-22/segments/1/robotstxt/a.warc.gz",
        "crawl-data/CC-MAIN-2017-35/segments/1/robotstxt/c.warc",
        "crawl-data/CC-MAIN-2017-35/notes.txt",
    ];
    const ALL: [&str; 3] = [
        "CC-MAIN-2017-35 crawl-data/CC-MAIN-2017-35/segments/1/robotstxt/c.warc 3",
        "CC-MAIN-2024-22 crawl-data/CC-MAIN-2024-22/segments/1/robotstxt/a.warc.gz 2",
        "CC-MAIN-2024-22 crawl-data/CC-MAIN-2024-22/segments/1/robotstxt/b.warc.gz 1",
    ];

    #[test]
    fn files_folders_and_patterns_mean_the_same_list() {
        let folder = folder(&FILES);
        let naming = InputNaming::default();
        assert_eq!(listed(&folder, &["crawl-data"], &naming, ""), ALL);
        assert_eq!(listed(&folder, &["crawl-data/**/*.warc*"], &naming, ""), ALL);
        assert_eq!(listed(&folder, &[FILES[2], FILES[0], FILES[1], FILES[0]], &naming, ""), ALL);
        assert_eq!(listed(&folder, &[FILES[1], "crawl-data"], &naming, ""), ALL);
    }

    #[test]
    fn lists_on_disk_and_on_standard_input() {
        let folder = folder(&FILES);
        let list = format!("{}\n\n{}\r\n{}", FILES[0], FILES[1], FILES[2]);
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(list.as_bytes()).unwrap();
        let crawl = folder.join("crawl-data/CC-MAIN-2024-22");
        std::fs::write(crawl.join("robotstxt.paths.gz"), encoder.finish().unwrap()).unwrap();
        std::fs::write(folder.join("some.paths"), &list).unwrap();
        let naming = InputNaming::default();
        assert_eq!(listed(&folder, &["crawl-data/CC-MAIN-2024-22/robotstxt.paths.gz"], &naming, ""), ALL);
        assert_eq!(listed(&folder, &["some.paths"], &naming, ""), ALL);
        let based = InputNaming { base: Some(folder.clone()), crawl: None };
        assert_eq!(listed(&folder, &["-"], &based, &list), ALL);
    }

    #[test]
    fn what_cannot_be_listed_is_told_at_once() {
        let folder = folder(&["x.warc.gz", "empty/notes.txt", "zipped/a.wacz", "old/b.arc.gz", "old/c.warc.zst"]);
        let naming = InputNaming::default();
        let check = |arguments: &[&str], expected: &[&str]| {
            assert_eq!(listed(&folder, arguments, &naming, ""), expected, "{arguments:?}");
        };
        check(&["x.warc.gz"], &["crawl is unknown: x.warc.gz: its path names none; name one with --crawl"]);
        check(
            &["none.warc.gz", "empty", "*.warc.xz"],
            &[
                "input is missing: none.warc.gz: no such file or directory (os error 2)",
                "folder holds no archive: empty: no file ends in .warc.gz, .warc, .warc.zst, .arc.gz, .arc, .wacz",
                "pattern matches nothing: *.warc.xz: no such file",
            ],
        );
        check(
            &["https://data.commoncrawl.org/x.warc.gz", "S3://commoncrawl/x.warc.gz"],
            &[
                "input is not supported: https://data.commoncrawl.org/x.warc.gz: archives are read from disk; download it first",
                "input is not supported: S3://commoncrawl/x.warc.gz: archives are read from disk; download it first",
            ],
        );
        check(
            &["empty"],
            &["folder holds no archive: empty: no file ends in .warc.gz, .warc, .warc.zst, .arc.gz, .arc, .wacz"],
        );
        let named = InputNaming { base: None, crawl: Some("MINE-1".to_owned()) };
        assert_eq!(listed(&folder, &["x.warc.gz"], &named, ""), ["MINE-1 x.warc.gz 1"]);
        let others = ["MINE-1 old/b.arc.gz 4", "MINE-1 old/c.warc.zst 5", "MINE-1 zipped/a.wacz 3"];
        assert_eq!(listed(&folder, &["zipped", "old"], &named, ""), others);
    }
}
