//! How the derived tables of a folder were made before. What the user does not choose stays as it was.

use super::capture_preference::CapturePreference;
use folder::models::{self, Made};
use folder::{Failure, Folder};
use std::collections::BTreeMap;
use std::path::Path;

/// The parameter of tables that were made from a list of agents of the user. Only the digest of that list is known.
pub(super) const OWN_LIST: &str = "agents";

/// The choices that the folder records.
pub(super) struct EarlierChoices {
    /// The capture of a site that counts, by crawl.
    captures: BTreeMap<String, CapturePreference>,
    /// A crawl whose tables were made from a list of agents of the user.
    crawl_of_own_list: Option<String>,
}

/// Whether a table was made from a list of agents of the user.
pub(crate) fn has_own_list(folder: &Folder) -> Result<bool, Failure> {
    Ok(EarlierChoices::read(folder)?.crawl_of_own_list.is_some())
}

impl EarlierChoices {
    /// Entries that have changed do not count, as their tables are made again.
    pub(super) fn read(folder: &Folder) -> Result<Self, Failure> {
        let made = |table: tables::Table| -> Result<Vec<Made>, Failure> {
            Ok(models::each(folder, table.name)?.into_iter().filter_map(|(_, made)| made.ok()).collect())
        };
        let capture = |made: Made| Some((made.crawl, CapturePreference::find(made.parameters.get("capture")?)?));
        let captures = made(tables::sites::table())?.into_iter().filter_map(capture).collect();
        let of_own_list = |made: &Made| made.parameters.contains_key(OWN_LIST);
        let listed = made(tables::tracked_agents::table())?.into_iter().find(of_own_list);
        Ok(EarlierChoices { captures, crawl_of_own_list: listed.map(|made| made.crawl) })
    }

    /// The capture that counts in a crawl: as before, or else as in all other crawls, or else the latest.
    pub(super) fn capture(&self, crawl: &str) -> Result<CapturePreference, Failure> {
        if let Some(own) = self.captures.get(crawl) {
            return Ok(*own);
        }
        let Some((known, chosen)) = self.captures.first_key_value() else { return Ok(CapturePreference::default()) };
        match self.captures.iter().find(|(_, other)| *other != chosen) {
            None => Ok(*chosen),
            Some((other_crawl, other)) => {
                let cause = format_args!(
                    "derived tables use the capture {} for {known} and {} for {other_crawl}; choose one with ingest \
                     --models or models --capture",
                    chosen.name(),
                    other.name()
                );
                Err(Failure::new("capture is not chosen", Path::new(crawl), cause))
            }
        }
    }

    /// Why no table can be made without a list of agents, if one was made from a list of the user.
    pub(super) fn needs_list(&self, folder: &Folder) -> Option<Failure> {
        let crawl = self.crawl_of_own_list.as_ref()?;
        let cause = format_args!(
            "those of {crawl} were made with your own list of agents; run robocensus models with --agents and that list, \
             or with --again for the built-in list"
        );
        Some(Failure::new("derived tables cannot be made", folder.root(), cause))
    }
}
