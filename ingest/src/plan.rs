//! The plan: which part has which inputs. It is written before work starts.
//!
//! A list of inputs determines the plan, and a plan only grows: new inputs become new parts. So the numbers of parts
//! never change, nor do the numbers of captures and bodies, which depend on them.

mod cut;
mod files;

use crate::capture::Takes;
use crate::inputs::Input;
use crate::rows::KeepText;
use crate::site::PUBLIC_SUFFIX_LIST;
use files::ArchiveFiles;
use folder::ledger::LedgerEntry;
use folder::seal::Unread;
use folder::{Failure, Folder, Stamp, crawl, durable, seal};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};
use stores::Location;
use tables::MADE_BY;

/// The plan of a folder. The first line of its file is the header, and each other line is a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Settings of all parts.
    pub header: PlanHeader,
    /// The parts, by number.
    pub parts: Vec<Part>,
}

/// Why a folder with a ledger needs a plan.
pub(crate) const UNPLANNED: &str =
    "the ledger has parts, but there is no plan; run the same commands of ingest again, in their order";

/// What the user can do about a damaged plan. The same inputs in the same order give the same plan.
pub(crate) const REMEDY: &str = "remove it and run the same commands of ingest again, in their order";

/// Settings of all parts, so that they are made alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanHeader {
    /// The program that makes them, with its version.
    pub made_by: String,
    /// The public suffix list that decides their domains.
    pub public_suffix_list: String,
    /// Whether their bodies keep the text.
    pub keep_text: bool,
}

/// A part: inputs of one crawl that become one file of each table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Its number.
    pub part: u32,
    /// Its crawl.
    pub crawl: String,
    /// Its inputs, in the order in which they are read.
    pub inputs: Vec<Planned>,
}

/// An input of a part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planned {
    /// Its name in the tables.
    pub warc_filename: String,
    /// Its path or URL.
    pub path: Location,
    /// Its size and modification time when it was listed. `None` for a missing file, and for an object: asking a store
    /// for the sizes of 90,000 archives would delay the start.
    pub stamp: Option<Stamp>,
    /// Whether all its responses are captures, whatever their path.
    pub takes_everything: bool,
}

fn unwritten(folder: &Folder, error: impl std::fmt::Display) -> Failure {
    Failure::new("plan cannot be written", &folder.plan(), error)
}

impl Part {
    /// The size of its inputs in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.inputs.iter().filter_map(|input| input.stamp).map(|stamp| stamp.bytes).sum()
    }

    /// The positions of its inputs, by name.
    pub(crate) fn positions(&self) -> HashMap<&str, usize> {
        self.inputs.iter().zip(0..).map(|(input, at)| (input.warc_filename.as_str(), at)).collect()
    }

    /// The inputs that have changed since an entry was written.
    pub(crate) fn changed_since(&self, entry: &LedgerEntry) -> impl Iterator<Item = &Planned> {
        let inputs = self.inputs.iter().zip(&entry.inputs);
        inputs.filter(|(planned, read)| planned.stamp != read.stamp).map(|(planned, _)| planned)
    }

    /// Whether an entry is about these inputs, as they are planned.
    pub(crate) fn is_current(&self, entry: &LedgerEntry) -> bool {
        self.inputs.len() == entry.inputs.len() && self.changed_since(entry).next().is_none()
    }

    /// Whether some of its inputs are objects.
    pub(crate) fn has_objects(&self) -> bool {
        self.inputs.iter().any(|input| input.path.file().is_none())
    }
}

impl Planned {
    pub(crate) fn takes(&self) -> Takes {
        if self.takes_everything { Takes::Everything } else { Takes::RobotsTxt }
    }

    /// Takes the stamp and the path that this input has now. Fails if it has changed since it was read and [`Changed`]
    /// refuses that, or if it was planned to give other captures.
    fn renew(&mut self, input: Input, is_harmless: bool, options: PlanOptions) -> Result<(), Failure> {
        let wanted = options.takes_of(&input.warc_filename);
        if self.takes() != wanted {
            let words = |takes| match takes {
                Takes::Everything => "with --all-responses",
                Takes::RobotsTxt => "without --all-responses",
            };
            let cause = format!("{}, but this run is {}; use another folder", words(self.takes()), words(wanted));
            return Err(Failure::new("input was planned differently", input.path.shown(), cause));
        }
        match (self.stamp, input.stamp) {
            (Some(before), Some(now)) if before != now && !options.changed.allows(is_harmless) => {
                let change = now.change_since(before, "planned for these tables");
                let advice = match options.changed {
                    Changed::RefuseBeforeCommit => {
                        "after robocensus commit has published the shards, plan --refresh reads it as it is now"
                    }
                    _ => "--refresh reads it as it is now",
                };
                let cause = format!("{change}; {advice}");
                return Err(Failure::new("input has changed", input.path.shown(), cause));
            }
            (_, Some(now)) => (self.stamp, self.path) = (Some(now), input.path),
            // The same archive, now at another path.
            (None, None) => self.path = input.path,
            (Some(_), None) => {}
        }
        Ok(())
    }
}

/// How inputs are planned.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlanOptions {
    /// Whether to keep the text of bodies.
    pub keep_text: KeepText,
    /// How to treat inputs that have changed.
    pub changed: Changed,
    /// Which responses of new inputs are captures. `None` lets their names decide.
    pub takes: Option<Takes>,
}

impl PlanOptions {
    /// Which responses of an input are captures.
    fn takes_of(self, warc_filename: &str) -> Takes {
        self.takes.unwrap_or_else(|| Takes::by_name(warc_filename))
    }
}

/// How to treat inputs that have changed since they were planned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Changed {
    /// Report them and fail.
    #[default]
    Refuse,
    /// The same while shards are planned, when the plan must not change.
    RefuseBeforeCommit,
    /// Make their parts again.
    Refresh,
}

impl Changed {
    /// Whether an input may have changed since it was planned. `is_harmless` says that no row is of another version.
    fn allows(self, is_harmless: bool) -> bool {
        match self {
            Changed::Refuse => is_harmless,
            Changed::RefuseBeforeCommit => false,
            Changed::Refresh => true,
        }
    }
}

impl Plan {
    /// A plan without parts.
    #[must_use]
    pub fn new(keep_text: KeepText) -> Self {
        let header = PlanHeader {
            made_by: MADE_BY.to_owned(),
            public_suffix_list: PUBLIC_SUFFIX_LIST.to_owned(),
            keep_text: keep_text == KeepText::Yes,
        };
        Plan { header, parts: Vec::new() }
    }

    /// The plan of a folder, if it has one. Fails if it cannot be read.
    pub fn read(folder: &Folder) -> Result<Option<Self>, Failure> {
        let path = folder.plan();
        const WHAT: &str = "plan cannot be read";
        let cannot = |cause: &dyn std::fmt::Display| Failure::new(WHAT, &path, cause);
        let Some(text) = seal::read_text(Unread { what: WHAT, remedy: REMEDY }, &path)? else { return Ok(None) };
        let mut lines = text.lines();
        let header = lines.next().ok_or_else(|| cannot(&"it is empty"))?;
        let header = serde_json::from_str(header).map_err(|error| cannot(&error))?;
        let parts: Result<Vec<Part>, _> = lines.map(serde_json::from_str).collect();
        let parts = parts.map_err(|error| cannot(&error))?;
        parts.iter().try_for_each(|part| crawl::check(&part.crawl)).map_err(|cause| cannot(&cause))?;
        let mut names = HashSet::new();
        let inputs = parts.iter().flat_map(|part| part.inputs.iter().map(|input| (&part.crawl, &input.warc_filename)));
        if let Some((crawl, name)) = inputs.into_iter().find(|input| !names.insert(*input)) {
            return Err(cannot(&format_args!("{name} of {crawl} is planned twice")));
        }
        match parts.iter().zip(0..).all(|(part, number)| part.part == number) {
            true => Ok(Some(Plan { header, parts })),
            false => Err(cannot(&"its parts are not numbered one after the other")),
        }
    }

    pub(crate) fn write(&self, folder: &Folder) -> Result<(), Failure> {
        let path = folder.plan();
        durable::write(&folder.draft(&path), &path, seal::seal(&self.text(folder)?).as_bytes())
            .map_err(|error| unwritten(folder, error))
    }

    /// A digest of the whole plan: inputs, versions and options.
    pub(crate) fn digest(&self, folder: &Folder) -> Result<String, Failure> {
        self.text(folder).map(|text| seal::digest(&text))
    }

    fn text(&self, folder: &Folder) -> Result<String, Failure> {
        let line = |line: serde_json::Result<String>| line.map_err(|error| unwritten(folder, error));
        let mut text = line(serde_json::to_string(&self.header))?;
        for part in &self.parts {
            text.push('\n');
            text.push_str(&line(serde_json::to_string(part))?);
        }
        text.push('\n');
        Ok(text)
    }

    /// Adds inputs: new ones become new parts. With [`Changed::Refuse`], fails if planned ones have changed since they
    /// were read, by the entries of their parts. Fails in any case if they were planned to give other captures, or may
    /// be planned under another name.
    pub fn take(
        &mut self,
        inputs: Vec<Input>,
        entries: &BTreeMap<u32, LedgerEntry>,
        options: PlanOptions,
    ) -> Result<(), Vec<Failure>> {
        let places = self.places();
        let mut refused = Vec::new();
        let mut unknown = Vec::new();
        for input in inputs {
            let place = places.get(&(input.crawl.clone(), input.warc_filename.clone()));
            let part = place.and_then(|(part, at)| Some((self.parts.get_mut(*part)?, *at)));
            let planned = part.and_then(|(part, at)| {
                // It could not be read, or it was read before it changed, and is now as it was.
                let read = entries.get(&part.part).and_then(|entry| entry.inputs.get(at));
                let is_harmless = read.is_some_and(|read| read.error.is_some() || read.stamp == input.stamp);
                Some((part.inputs.get_mut(at)?, is_harmless))
            });
            match planned {
                Some((planned, is_harmless)) => refused.extend(planned.renew(input, is_harmless, options).err()),
                None => unknown.push(input),
            }
        }
        let new = self.without_known(&unknown, &mut refused);
        if !refused.is_empty() {
            return Err(refused);
        }
        let first = u32::try_from(self.parts.len()).unwrap_or(u32::MAX);
        self.parts.extend((first..).zip(cut::cut(new)).map(|(part, inputs)| {
            let crawl = inputs.first().map(|input| input.crawl.clone()).unwrap_or_default();
            let planned = |input: Input| Planned {
                takes_everything: options.takes_of(&input.warc_filename) == Takes::Everything,
                warc_filename: input.warc_filename,
                path: input.path,
                stamp: input.stamp,
            };
            Part { part, crawl, inputs: inputs.into_iter().map(planned).collect() }
        }));
        Ok(())
    }

    /// The inputs that are not, under another name, in the plan or among the inputs before them.
    fn without_known(&self, inputs: &[Input], refused: &mut Vec<Failure>) -> Vec<Input> {
        // The system is asked about each file of these crawls, but not about those of other crawls.
        let crawls: HashSet<&str> = inputs.iter().map(|input| input.crawl.as_str()).collect();
        let mut files = ArchiveFiles::default();
        for part in self.parts.iter().filter(|part| crawls.contains(part.crawl.as_str())) {
            for Planned { warc_filename, path, stamp, .. } in &part.inputs {
                files.add(&part.crawl, warc_filename, path, *stamp);
            }
        }
        let mut new = Vec::new();
        for input in inputs {
            match files.has(input) {
                Ok(true) => {}
                Ok(false) => {
                    files.add(&input.crawl, &input.warc_filename, &input.path, input.stamp);
                    new.push(input.clone());
                }
                Err(failure) => refused.push(failure),
            }
        }
        new
    }

    /// The index of the part and that of the input in it, by crawl and name.
    fn places(&self) -> HashMap<(String, String), (usize, usize)> {
        let mut places = HashMap::new();
        for (at, part) in self.parts.iter().enumerate() {
            for (place, input) in part.inputs.iter().enumerate() {
                places.insert((part.crawl.clone(), input.warc_filename.clone()), (at, place));
            }
        }
        places
    }
}
