//! Turns the arguments of a user into a list of archives.
//!
//! An argument is a file, a folder, a pattern, the URL of an object, the path or URL of a list of paths as Common Crawl
//! publishes it, or `-` for a list on standard input. The result has no duplicates and is sorted by crawl and name, so
//! neither the order of the arguments nor that of a folder changes the tables.

mod list;
mod name;
#[cfg(test)]
mod tests;

pub(crate) use name::CRAWL_DATA;
pub use name::{NamedInput, name};

use folder::{Failure, Stamp, regular};
use std::fmt;
use std::fs::Metadata;
use std::io::{self, BufRead, ErrorKind};
use std::path::{Path, PathBuf};
use stores::{Location, ObjectUrl, Stores, UrlRefusal};

/// An archive to read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Input {
    /// The crawl that it belongs to.
    pub crawl: String,
    /// Its name in the tables. For Common Crawl's archives, this is the name in its index.
    pub warc_filename: String,
    /// Its path or URL.
    pub path: Location,
    /// Its size and modification time. `None` for a URL, and for a missing file that a list names.
    pub stamp: Option<Stamp>,
}

/// The options for reading arguments.
#[derive(Debug, Clone, Default)]
pub struct InputNaming {
    /// The base of relative entries of lists, a folder or URL. The default is the folder that contains the `crawl-data`
    /// of the list, or else the folder of the list.
    pub base: Option<PathBuf>,
    /// The crawl of archives whose path does not name one.
    pub crawl: Option<String>,
    /// Where lists with URLs come from.
    pub stores: Stores,
}

/// The archives of the arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedInputs {
    /// The archives, by crawl and name.
    pub inputs: Vec<Input>,
    /// Paths that exist but cannot be read, such as a pipe, a broken link, or a folder without permission.
    pub left_out: Vec<Failure>,
}

/// Lists the archives of the arguments. `-` is a list of paths on `stdin`, one in each line.
///
/// Returns all failures together, so that the user can fix them in one go. A file that a folder, pattern or list leads
/// to and that cannot be read is left out, so that it does not stop the others. A missing entry of a list becomes an
/// input without a stamp, since it may not have been downloaded yet. A list whose entries are all missing is a failure.
pub fn expand(
    arguments: &[PathBuf],
    naming: &InputNaming,
    stdin: &mut dyn BufRead,
) -> Result<ListedInputs, Vec<Failure>> {
    let base = naming.base.as_deref().map(Location::parse).transpose();
    let base = base.map_err(|UrlRefusal { shown, cause }| Failure::new("base is not supported", &shown, cause))?;
    let is_list = |argument: &PathBuf| argument.as_os_str() == "-" || list::is_list(argument);
    if let (Some(base), false) = (&naming.base, arguments.iter().any(is_list)) {
        return Err(
            Failure::new("base has no use", base, "no INPUT is a list, which ends in .paths or .paths.gz").into()
        );
    }
    if arguments.iter().filter(|argument| argument.as_os_str() == "-").count() > 1 {
        return Err(Failure::new("input is named twice", Path::new("-"), READ_ONCE).into());
    }
    let mut listing = Listing { naming, base, inputs: Vec::new(), left_out: Vec::new(), refused: Vec::new() };
    for argument in arguments {
        if argument.as_os_str() == "-" {
            let base = listing.base.clone().unwrap_or(Location::File(PathBuf::new()));
            listing.list(argument, list::lines(stdin), &base);
        } else {
            listing.argument(argument);
        }
    }
    let Listing { mut inputs, mut left_out, mut refused, .. } = listing;
    left_out.sort_by(|one, other| one.path.cmp(&other.path));
    if inputs.is_empty() {
        refused.extend(left_out.iter().cloned());
    }
    if !refused.is_empty() {
        return Err(refused);
    }
    let of_argument = |argument: &PathBuf| name(argument.to_str()?).crawl;
    if let (Some(crawl), Some(Input { crawl: named, .. })) = (&naming.crawl, inputs.first())
        && inputs.iter().all(|input| input.crawl != *crawl)
        && arguments.iter().all(|argument| of_argument(argument).as_ref() != Some(crawl))
    {
        let cause = format_args!("the path of each archive names its crawl after crawl-data/, such as {named}");
        return Err(Failure::new("crawl has no use", Path::new(crawl), cause).into());
    }
    inputs.sort_unstable();
    inputs.dedup();
    Ok(ListedInputs { inputs: without_duplicates(inputs)?, left_out })
}

/// Why `-` cannot be named twice.
pub const READ_ONCE: &str = "standard input can be read only once";

/// The list of a crawl's archives of robots.txt files: at Common Crawl by `https` or `s3`, or in a copy, given by the
/// folder or URL that contains `crawl-data`.
#[must_use]
pub fn list_of_crawl(from: &str, crawl: &str) -> PathBuf {
    let base = match from {
        "https" => "https://data.commoncrawl.org/",
        "s3" => "s3://commoncrawl/",
        copy => copy,
    };
    let slash = if base.ends_with('/') { "" } else { "/" };
    PathBuf::from(format!("{base}{slash}crawl-data/{crawl}/robotstxt.paths.gz"))
}

/// Removes archives that are named twice. Fails if two archives have the same name in the tables.
fn without_duplicates(inputs: Vec<Input>) -> Result<Vec<Input>, Vec<Failure>> {
    let mut unique: Vec<Input> = Vec::with_capacity(inputs.len());
    let mut refused = Vec::new();
    for input in inputs {
        match unique.last_mut().filter(|last| last.crawl == input.crawl && last.warc_filename == input.warc_filename) {
            None => unique.push(input),
            Some(last) if is_same_archive(&last.path, &input.path) => {}
            // An archive that exists replaces a missing one of the same name.
            Some(last) if last.stamp.is_none() => *last = input,
            Some(_) if input.stamp.is_none() => {}
            Some(last) => {
                let cause = format!("the name {} is also that of {}", input.warc_filename, last.path.shown().display());
                refused.push(Failure::new("two inputs have the same name", input.path.shown(), cause));
            }
        }
    }
    if refused.is_empty() { Ok(unique) } else { Err(refused) }
}

fn is_same_archive(one: &Location, other: &Location) -> bool {
    let (Some(one), Some(other)) = (one.file(), other.file()) else { return one == other };
    regular::is_same_file(one, other)
}

struct Listing<'n> {
    naming: &'n InputNaming,
    base: Option<Location>,
    inputs: Vec<Input>,
    left_out: Vec<Failure>,
    refused: Vec<Failure>,
}

impl Listing<'_> {
    fn argument(&mut self, argument: &Path) {
        match Location::parse(argument) {
            Ok(Location::File(path)) => self.path(&path),
            Ok(Location::Object(url)) => self.object(url),
            Err(UrlRefusal { shown, cause }) => self.refuse("input is not supported", &shown, &cause),
        }
    }

    fn object(&mut self, url: ObjectUrl) {
        self.naming.stores.allow(&Location::Object(url.clone()));
        let shown = Path::new(url.as_str());
        if url.as_str().ends_with('/') {
            return self.refuse("folder is not supported", shown, &"name archives in it, or a list of them");
        }
        if list::is_list(shown) {
            let base = self.base.clone().unwrap_or_else(|| Location::Object(url.base()));
            let entries = list::read_object(&self.naming.stores, &url);
            let entries = entries.map(|entries| self.within(entries, &url.base()));
            return self.list(shown, entries, &base);
        }
        if url.key().is_empty() {
            return self.refuse("input is not an archive", shown, &"the URL names no object");
        }
        let listed = self.archive(Location::Object(url), None, None);
        self.refused.extend(listed.err());
    }

    fn path(&mut self, argument: &Path) {
        match std::fs::metadata(argument) {
            Ok(found) if found.is_dir() => self.folder(argument),
            Ok(found) if !regular::is_file(found.file_type()) => {
                self.refuse("input is not a file", argument, &regular::not_a_file(found.file_type()));
            }
            Ok(_) if list::is_list(argument) => {
                let base = self.base.clone().unwrap_or_else(|| Location::File(list::base_of(argument)));
                self.list(argument, list::read(argument), &base);
            }
            Ok(found) => {
                let listed = self.archive(Location::File(argument.to_path_buf()), None, Some(&found));
                self.refused.extend(listed.err());
            }
            Err(error) => match argument.to_str().filter(|text| text.contains(['*', '?', '['])) {
                Some(pattern) => self.pattern(pattern),
                None => self.refuse("input is missing", argument, &error),
            },
        }
    }

    /// How many inputs and failures were found so far.
    fn found(&self) -> usize {
        self.inputs.len() + self.left_out.len() + self.refused.len()
    }

    /// All archives below a folder. Links to folders are not followed, since they may form a loop.
    fn folder(&mut self, folder: &Path) {
        let before = self.found();
        let (mut folders, mut files) = (vec![folder.to_path_buf()], Vec::new());
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
                    Ok((path, _)) if is_archive(&path) => files.push(path),
                    Ok(_) => {}
                    Err(error) => self.leave_out("folder cannot be listed", &below, &error),
                }
            }
        }
        // Messages must not stand in the order in which the system lists a folder.
        files.sort_unstable();
        files.into_iter().for_each(|path| self.file(path, None));
        if self.found() == before {
            self.refuse("folder has no archive", folder, &format_args!("no file ends in {}", ENDINGS.join(", ")));
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
    fn list(&mut self, list: &Path, entries: io::Result<Vec<String>>, base: &Location) {
        match entries {
            Ok(entries) if entries.is_empty() => self.refuse("list has no archive", list, &"it is empty"),
            Ok(entries) => {
                let before = self.inputs.len();
                entries.iter().for_each(|entry| self.entry(entry, base));
                let new = self.inputs.get(before..).unwrap_or_default();
                // Entries that are not supported were reported one by one. Whether objects exist is not known yet.
                if !new.is_empty() && new.iter().all(|input| input.stamp.is_none() && input.path.file().is_some()) {
                    let first = new.first().map(|input| input.path.shown().display().to_string()).unwrap_or_default();
                    self.refuse(
                        "no entry of the list exists",
                        list,
                        &format_args!("the first is {first}; use --base to say where its entries are"),
                    );
                }
            }
            Err(error) => self.refuse("list cannot be read", list, &error),
        }
    }

    /// The entries of a list from a server or store, without those that lead out of its base.
    fn within(&mut self, entries: Vec<String>, base: &ObjectUrl) -> Vec<String> {
        let mut kept = Vec::with_capacity(entries.len());
        for entry in entries {
            match base.below(&entry) {
                Ok(_) => kept.push(entry),
                Err(UrlRefusal { shown, cause }) => self.leave_out("input is not supported", &shown, &cause),
            }
        }
        kept
    }

    /// An archive that a list names.
    fn entry(&mut self, entry: &str, base: &Location) {
        let (location, written) = match base {
            Location::Object(base) => (base.below(entry).map(Location::Object), Some(entry)),
            Location::File(_) => (Location::parse(Path::new(entry)), None),
        };
        match location {
            Ok(object @ Location::Object(_)) => {
                self.naming.stores.allow(&object);
                let listed = self.archive(object, written, None);
                self.left_out.extend(listed.err());
            }
            Ok(Location::File(path)) => self.file(base.shown().join(path), Some(entry)),
            Err(UrlRefusal { shown, cause }) => self.leave_out("input is not supported", &shown, &cause),
        }
    }

    /// A file that a folder, a pattern or a list leads to.
    fn file(&mut self, path: PathBuf, entry: Option<&str>) {
        let listed = match std::fs::metadata(&path) {
            Ok(found) if regular::is_file(found.file_type()) => self.archive(Location::File(path), entry, Some(&found)),
            Ok(found) => Err(Failure::new("input is not a file", &path, regular::not_a_file(found.file_type()))),
            Err(error) if entry.is_some() && error.kind() == ErrorKind::NotFound => {
                self.archive(Location::File(path), entry, None)
            }
            Err(error) => Err(Failure::new("input is missing", &path, error)),
        };
        self.left_out.extend(listed.err());
    }

    fn archive(&mut self, path: Location, entry: Option<&str>, found: Option<&Metadata>) -> Result<(), Failure> {
        let Some(written) = entry.or(path.shown().to_str()) else {
            return Err(Failure::new(
                "input has no name",
                path.shown(),
                "its path is not UTF-8, but names in tables must be",
            ));
        };
        let NamedInput { crawl, warc_filename } = name(written);
        match crawl.or_else(|| self.naming.crawl.clone()) {
            Some(crawl) => self.inputs.push(Input { crawl, warc_filename, path, stamp: found.map(Stamp::read) }),
            None => {
                let list = if is_archive(path.shown()) {
                    ""
                } else {
                    "; if it is a list, its name must end in .paths or .paths.gz"
                };
                let cause = format_args!("its path does not name one; set it with --crawl{list}");
                self.refuse("crawl is unknown", path.shown(), &cause);
            }
        }
        Ok(())
    }

    fn refuse(&mut self, what: &'static str, path: &Path, cause: &dyn fmt::Display) {
        self.refused.push(Failure::new(what, path, cause));
    }

    fn leave_out(&mut self, what: &'static str, path: &Path, cause: &dyn fmt::Display) {
        self.left_out.push(Failure::new(what, path, cause));
    }
}

/// Whether a file below a folder counts as an archive, by its name. Its bytes decide how it is read.
fn is_archive(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// The file name endings of archives.
const ENDINGS: [&str; 6] = [".warc.gz", ".warc", ".warc.zst", ".arc.gz", ".arc", ".wacz"];
