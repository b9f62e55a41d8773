//! The facts of bodies that decide the outcome and the policy class of a site.

use super::keys::{AddressHash, HashKeys};
use crate::models::parquet_files::{FileBatch, ParquetFiles};
use crate::models::watch::{Halt, Watch};
use datafusion::arrow::array::{BooleanArray, Int32Array, Int64Array, StringArray};
use robots::SiteOutcome;
use std::collections::{HashMap, HashSet};
use tables::{bodies, body_classes};

/// The outcomes and policy classes of the bodies of a crawl.
#[derive(Default)]
pub(super) struct Bodies {
    /// In ascending order.
    ids: Vec<i64>,
    outcomes: Vec<SiteOutcome>,
    /// Bodies and their classes, by body.
    classes: Vec<(i64, i64)>,
    by_digest: HashMap<AddressHash, i64>,
}

impl Bodies {
    /// Reads all bodies, and finds the first with each of these digests.
    pub(super) fn read(
        files: &ParquetFiles,
        classes: &ParquetFiles,
        digests: &HashSet<AddressHash>,
        keys: &HashKeys,
        watch: &Watch<'_>,
    ) -> Result<Self, Halt> {
        const NAMES: bodies::Names = bodies::NAMES;
        let read = |found: &mut Bodies, batch: &FileBatch<'_>| {
            let ids: &Int64Array = batch.column(NAMES.body_id)?;
            let content_digests: &StringArray = batch.column(NAMES.content_digest)?;
            let may_be_robots: &BooleanArray = batch.column(NAMES.may_be_robots)?;
            let rule_counts: &Int32Array = batch.column(NAMES.rule_count)?;
            let columns = ids.values().iter().zip(rule_counts.values());
            for (row, (&body_id, &rule_count)) in columns.enumerate() {
                found.ids.push(body_id);
                found.outcomes.push(if !may_be_robots.value(row) {
                    SiteOutcome::NotRobots
                } else if rule_count > 0 {
                    SiteOutcome::Rules
                } else {
                    SiteOutcome::NoRules
                });
                if !digests.is_empty() {
                    let key = keys.key(content_digests.value(row));
                    if digests.contains(&key) {
                        found.by_digest.entry(key).or_insert(body_id);
                    }
                }
            }
            Ok(())
        };
        let mut bodies = Bodies::default();
        files.each(
            &[NAMES.body_id, NAMES.content_digest, NAMES.may_be_robots, NAMES.rule_count],
            watch,
            read,
            |found| {
                bodies.ids.extend(found.ids);
                bodies.outcomes.extend(found.outcomes);
                for (digest, body_id) in found.by_digest {
                    bodies.by_digest.entry(digest).or_insert(body_id);
                }
                Ok(())
            },
        )?;
        const CLASS_NAMES: body_classes::Names = body_classes::NAMES;
        let read = |found: &mut Vec<(i64, i64)>, batch: &FileBatch<'_>| {
            let body_ids: &Int64Array = batch.column(CLASS_NAMES.body_id)?;
            let class_ids: &Int64Array = batch.column(CLASS_NAMES.class_id)?;
            found.extend(body_ids.values().iter().copied().zip(class_ids.values().iter().copied()));
            Ok(())
        };
        classes.each(&[CLASS_NAMES.body_id, CLASS_NAMES.class_id], watch, read, |found| {
            bodies.classes.extend(found);
            Ok(())
        })?;
        Ok(bodies)
    }

    /// The outcome of a site with this body.
    pub(super) fn outcome(&self, body_id: i64) -> SiteOutcome {
        let found = self.ids.binary_search(&body_id).ok().and_then(|row| self.outcomes.get(row));
        found.copied().unwrap_or(SiteOutcome::NoRules)
    }

    /// The policy class of a body; `None` if it names no tracked agent.
    pub(super) fn class(&self, body_id: i64) -> Option<i64> {
        let row = self.classes.binary_search_by_key(&body_id, |(body_id, _)| *body_id).ok()?;
        self.classes.get(row).map(|(_, class_id)| *class_id)
    }

    pub(super) fn with_digest(&self, digest: AddressHash) -> Option<i64> {
        self.by_digest.get(&digest).copied()
    }
}
