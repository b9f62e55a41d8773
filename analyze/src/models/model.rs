//! How each derived table is made, and from which tables.

use super::capture_preference::CapturePreference;
use super::earlier::OWN_LIST;
use super::sites;
use crate::queries::{self, Query};
use folder::Failure;
use folder::ledger::LedgerEntry;
use std::collections::BTreeMap;
use std::path::Path;
use tables::Table;

/// How a derived table is made.
#[derive(Debug)]
pub(crate) enum Model {
    /// By Rust code, since it follows redirects.
    Sites,
    /// By a statement.
    Statement(Box<Query>),
}

impl Model {
    /// How this derived table is made.
    pub(crate) fn find(table: &Table) -> Result<Self, Failure> {
        if table.name == tables::sites::table().name {
            return Ok(Model::Sites);
        }
        let missing = || {
            Failure::new(
                "statement of a derived table is missing",
                Path::new(table.name),
                "there is no such file in queries/models",
            )
        };
        let query = queries::find(queries::QueryKind::Model, table.name)?.ok_or_else(missing)?;
        Ok(Model::Statement(Box::new(query)))
    }

    /// The tables that it reads.
    pub(crate) fn reads(&self) -> Vec<&str> {
        match self {
            Model::Sites => sites::READS.to_vec(),
            Model::Statement(query) => query.header.reads.iter().map(String::as_str).collect(),
        }
    }

    /// The source text that makes it. If it changes, the table is out of date.
    pub(crate) fn text(&self) -> &str {
        match self {
            Model::Sites => sites::TEXT,
            Model::Statement(query) => &query.text,
        }
    }

    /// How many rows of ingest's tables it reads for a crawl. Its running time grows with them.
    pub(super) fn rows(&self, entries: &BTreeMap<u32, LedgerEntry>, crawl: &str) -> u64 {
        let files = entries.values().filter(|entry| entry.crawl == crawl).flat_map(|entry| &entry.files);
        let times = |table: &str| match self {
            Model::Sites if table == sites::READS[0] => sites::READINGS,
            // The rows of `body_classes` are not known yet. It has at most one for each body.
            Model::Sites if table == sites::READS[1] => 2,
            _ => self.reads().iter().filter(|read| **read == table).count() as u64,
        };
        files.map(|file| file.rows * times(&file.table)).sum()
    }

    /// The options that it was made with.
    pub(super) fn parameters(&self, preference: CapturePreference, has_own_list: bool) -> BTreeMap<String, String> {
        match self {
            Model::Sites => BTreeMap::from([("capture".to_owned(), preference.name().to_owned())]),
            Model::Statement(_) if has_own_list && self.reads().contains(&"agents") => {
                BTreeMap::from([(OWN_LIST.to_owned(), "own".to_owned())])
            }
            Model::Statement(_) => BTreeMap::new(),
        }
    }
}
