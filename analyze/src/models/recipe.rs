//! What a model of a crawl is made of.

use super::{Options, digest_of_parts, hex};
use crate::catalog::agents_text;
use crate::queries::Query;
use folder::ledger::Entry;
use folder::models::{self, Made, PART};
use folder::{Failure, Folder};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fs;
use tables::MADE_BY;

/// What a model of a crawl is made of.
#[derive(Debug)]
pub(super) struct Recipe {
    pub(super) crawl: String,
    /// Digests, by what is read.
    pub(super) of: BTreeMap<String, String>,
    /// What was chosen.
    pub(super) parameters: BTreeMap<String, String>,
}

impl Recipe {
    pub(super) fn of(
        model: &Query,
        crawl: &str,
        folder: &Folder,
        entries: &BTreeMap<u32, Entry>,
        options: &Options,
    ) -> Result<Self, Failure> {
        let mut of = BTreeMap::from([("statement".to_owned(), hex(&Sha256::digest(&model.text)))]);
        for table in &model.header.reads {
            let digest = if table == "agents" {
                hex(&Sha256::digest(agents_text(&options.session)?.as_bytes()))
            } else if tables::derived().iter().any(|derived| derived.name == table) {
                models::read(folder, table, crawl)?.map_or_else(String::new, |made| made.file.sha256)
            } else {
                digest_of_parts(crawl, entries, table)
            };
            of.insert(table.clone(), digest);
        }
        let has_choice = model.header.parameters.iter().any(|parameter| parameter.name == "capture");
        let choice = has_choice.then(|| ("capture".to_owned(), options.choice.name().to_owned()));
        Ok(Recipe { crawl: crawl.to_owned(), of, parameters: choice.into_iter().collect() })
    }

    /// Whether a model is what this would make.
    pub(super) fn is_that_of(&self, made: &Made, folder: &Folder) -> bool {
        let path = folder.file(&made.file.table, &made.crawl, PART);
        made.of == self.of
            && made.parameters == self.parameters
            && made.made_by == MADE_BY
            && fs::metadata(path).is_ok_and(|found| found.len() == made.file.bytes)
    }
}
