//! The facts of bodies that decide the outcome of a site.

use super::keys::{AddressHash, HashKeys};
use crate::models::ParquetFiles;
use crate::models::watch::{Halt, Watch};
use datafusion::arrow::array::{BooleanArray, Int32Array, Int64Array, StringArray};
use robots::SiteOutcome;
use std::collections::{HashMap, HashSet};
use tables::bodies::NAMES;

/// The outcomes of the bodies of a crawl.
pub(super) struct Bodies {
    /// In ascending order.
    ids: Vec<i64>,
    outcomes: Vec<SiteOutcome>,
    by_digest: HashMap<AddressHash, i64>,
}

impl Bodies {
    /// Reads all bodies, and finds the first with each of these digests.
    pub(super) fn read(
        files: &ParquetFiles,
        digests: &HashSet<AddressHash>,
        keys: &HashKeys,
        watch: &Watch<'_>,
    ) -> Result<Self, Halt> {
        let mut bodies = Bodies { ids: Vec::new(), outcomes: Vec::new(), by_digest: HashMap::new() };
        files.each(&[NAMES.body_id, NAMES.content_digest, NAMES.may_be_robots, NAMES.rule_count], watch, |batch| {
            let ids: &Int64Array = batch.column(NAMES.body_id)?;
            let content_digests: &StringArray = batch.column(NAMES.content_digest)?;
            let may_be_robots: &BooleanArray = batch.column(NAMES.may_be_robots)?;
            let rule_counts: &Int32Array = batch.column(NAMES.rule_count)?;
            let columns = ids.values().iter().zip(rule_counts.values());
            for (row, (&body_id, &rule_count)) in columns.enumerate() {
                bodies.ids.push(body_id);
                bodies.outcomes.push(if !may_be_robots.value(row) {
                    SiteOutcome::NotRobots
                } else if rule_count > 0 {
                    SiteOutcome::Rules
                } else {
                    SiteOutcome::NoRules
                });
                if !digests.is_empty() {
                    let key = keys.key(content_digests.value(row));
                    if digests.contains(&key) {
                        bodies.by_digest.entry(key).or_insert(body_id);
                    }
                }
            }
            Ok(())
        })?;
        Ok(bodies)
    }

    /// The outcome of a site with this body.
    pub(super) fn outcome(&self, body_id: i64) -> SiteOutcome {
        let found = self.ids.binary_search(&body_id).ok().and_then(|row| self.outcomes.get(row));
        found.copied().unwrap_or(SiteOutcome::NoRules)
    }

    pub(super) fn with_digest(&self, digest: AddressHash) -> Option<i64> {
        self.by_digest.get(&digest).copied()
    }
}
