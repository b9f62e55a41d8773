//! Whether the derived tables of a crawl are out of date.

use crate::catalog::dimension::agents_text;
use crate::engine::options::SessionOptions;
use crate::models::model::Model;
use folder::digest::{self, Digest};
use folder::ledger::LedgerEntry;
use folder::models::{Made, PART};
use folder::{Failure, Folder};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use tables::MADE_BY;

/// What derived tables of a folder are made from.
pub(crate) struct Sources<'f> {
    folder: &'f Folder,
    /// The parts of each crawl.
    parts: BTreeMap<&'f str, Vec<&'f LedgerEntry>>,
    /// The digest of the list of agents.
    agents: String,
}

impl<'f> Sources<'f> {
    /// Hashes the list of agents.
    pub(crate) fn new(
        folder: &'f Folder,
        entries: &'f BTreeMap<u32, LedgerEntry>,
        session: &SessionOptions,
    ) -> Result<Self, Failure> {
        let mut parts: BTreeMap<&str, Vec<&LedgerEntry>> = BTreeMap::new();
        for entry in entries.values() {
            parts.entry(&entry.crawl).or_default().push(entry);
        }
        let agents = digest::sha256(agents_text(session.agents.as_deref())?.as_bytes());
        Ok(Sources { folder, parts, agents })
    }

    /// One digest over all files of a table for a crawl.
    fn digest_of_parts(&self, table: &str, crawl: &str) -> String {
        let mut digest = Digest::default();
        for entry in self.parts.get(crawl).into_iter().flatten() {
            for file in entry.files.iter().filter(|file| file.table == table) {
                digest.update(format!("{} {}\n", entry.part, file.sha256));
            }
        }
        digest.letters()
    }
}

/// The sources of a derived table of a crawl.
#[derive(Debug)]
pub(crate) struct Recipe {
    /// The digest of each source, by name: the statement and the tables that it reads.
    pub(crate) sources: BTreeMap<String, String>,
}

impl Recipe {
    pub(crate) fn read(model: &Model, crawl: &str, of: &Sources<'_>) -> Result<Self, Failure> {
        let mut sources = BTreeMap::from([("statement".to_owned(), digest::sha256(model.text()))]);
        for table in model.reads() {
            let digest = if table == "agents" {
                of.agents.clone()
            } else if is_derived(table) {
                folder::models::read(of.folder, table, crawl)?.map_or_else(String::new, |made| made.file.sha256)
            } else {
                of.digest_of_parts(table, crawl)
            };
            sources.insert(table.to_owned(), digest);
        }
        Ok(Recipe { sources })
    }

    /// Whether a derived table was made from these sources, and its file still has its size.
    pub(crate) fn is_that_of(&self, made: &Made, folder: &Folder) -> bool {
        let path = folder.file(&made.file.table, &made.crawl, PART);
        self.differences(made).next().is_none() && fs::metadata(path).is_ok_and(|found| found.len() == made.file.bytes)
    }

    /// The sources that have changed since the table was made.
    fn differences(&self, made: &Made) -> impl Iterator<Item = &str> {
        let program = (made.made_by != MADE_BY).then_some("robocensus");
        let differs = |(name, digest): &(&String, &String)| made.of.get(*name) != Some(*digest);
        program.into_iter().chain(self.sources.iter().filter(differs).map(|(name, _)| name.as_str()))
    }
}

/// Fails if a derived table, or a derived table that it is made from, is missing or out of date for a crawl that matters.
/// Without a ledger, as in a copy of the tables, nothing is checked.
pub(crate) fn compare(
    table: &str,
    folder: &Folder,
    entries: &BTreeMap<u32, LedgerEntry>,
    session: &SessionOptions,
) -> Result<(), Failure> {
    let mut sources = Sources::new(folder, entries, session)?;
    sources
        .parts
        .retain(|crawl, _| session.asked_crawls.is_empty() || session.asked_crawls.iter().any(|asked| asked == crawl));
    compare_by(table, &sources, true, &mut BTreeSet::new())
}

/// Another list of agents changes only `class_id` in `sites`, which has a meaning only together with other derived
/// tables. So it does not matter for the sources of `sites`.
fn compare_by(
    table: &str,
    of: &Sources<'_>,
    agents_matter: bool,
    compared: &mut BTreeSet<(&'static str, bool)>,
) -> Result<(), Failure> {
    let Some(derived) = tables::derived().into_iter().find(|derived| derived.name == table) else { return Ok(()) };
    if !compared.insert((derived.name, agents_matter)) {
        return Ok(());
    }
    let model = Model::find(&derived)?;
    let mut found = Vec::new();
    for crawl in of.parts.keys() {
        let path = of.folder.file(table, crawl, PART);
        let made = folder::models::read(of.folder, table, crawl)?;
        let Some(made) = made.filter(|_| path.is_file()) else {
            return Err(Failure::new(
                "table is missing",
                &path,
                "it was not made for that crawl; run robocensus models, unless an ingest is running, which makes it at its end; \
                 questions with --crawl, or with --crawl-from and --crawl-to, can answer about other crawls",
            ));
        };
        found.push((crawl, path, made));
    }
    // Sources first: the message should name the table that went out of date first.
    let agents_matter_before = agents_matter && !matches!(model, Model::Sites);
    for before in model.reads().into_iter().filter(|name| is_derived(name)) {
        compare_by(before, of, agents_matter_before, compared)?;
    }
    for (crawl, path, made) in found {
        let recipe = Recipe::read(&model, crawl, of)?;
        if let Some(name) = recipe.differences(&made).find(|name| agents_matter || *name != "agents") {
            let advice = if name == "agents" {
                "it was made with another list of agents; use that list with --agents, or run robocensus models --again \
                 with this one"
            } else {
                "its sources or the program have changed since it was made; run robocensus models"
            };
            return Err(Failure::new("table is out of date", Path::new(&path), advice));
        }
    }
    Ok(())
}

pub(crate) fn is_derived(table: &str) -> bool {
    tables::derived().iter().any(|derived| derived.name == table)
}
