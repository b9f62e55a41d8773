//! The facts of bodies that decide the outcome and the policy class of a site.

use super::capture::MaybeNumber;
use super::captures::Captures;
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
    /// In ascending order. The ids of the bodies of a part follow each other.
    runs: Vec<Run>,
    outcomes: Vec<SiteOutcome>,
    classes: Vec<MaybeNumber>,
    by_digest: HashMap<AddressHash, i64>,
}

/// Bodies whose ids follow each other.
struct Run {
    first_id: i64,
    /// The place of the first of them among all bodies.
    start: usize,
}

/// What was found in a file.
#[derive(Default)]
struct FileBodies {
    outcomes: Vec<(i64, SiteOutcome)>,
    by_digest: HashMap<AddressHash, i64>,
}

impl Bodies {
    /// Reads all bodies, and finds the first with each of these digests.
    ///
    /// The digest that an archive states may be of another algorithm than that of `bodies`, or of a body that is still
    /// coded: it is that of the entity-body (WARC 1.0 § 5.9), which has its content coding (RFC 2616 § 7.2).
    pub(super) fn read(
        files: &ParquetFiles,
        classes: &ParquetFiles,
        captures: &Captures<'_>,
        digests: &HashSet<AddressHash>,
        keys: &HashKeys,
        watch: &Watch<'_>,
    ) -> Result<Self, Halt> {
        const NAMES: bodies::Names = bodies::NAMES;
        let read = |found: &mut FileBodies, batch: &FileBatch<'_>| {
            let ids: &Int64Array = batch.column(NAMES.body_id)?;
            let content_digests: &StringArray = batch.column(NAMES.content_digest)?;
            let may_be_robots: &BooleanArray = batch.column(NAMES.may_be_robots)?;
            let rule_counts: &Int32Array = batch.column(NAMES.rule_count)?;
            let columns = ids.values().iter().zip(rule_counts.values());
            for (row, (&body_id, &rule_count)) in columns.enumerate() {
                let outcome = if !may_be_robots.value(row) {
                    SiteOutcome::NotRobots
                } else if rule_count > 0 {
                    SiteOutcome::Rules
                } else {
                    SiteOutcome::NoRules
                };
                found.outcomes.push((body_id, outcome));
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
                for (body_id, outcome) in found.outcomes {
                    bodies.push(body_id, outcome);
                }
                for (digest, body_id) in found.by_digest {
                    bodies.by_digest.entry(digest).or_insert(body_id);
                }
                Ok(())
            },
        )?;
        let is_unknown = |digest: &&AddressHash| !bodies.by_digest.contains_key(*digest);
        let unknown: HashSet<_> = digests.iter().filter(is_unknown).copied().collect();
        if !unknown.is_empty() {
            let mut stated: HashMap<_, Option<i64>> = HashMap::new();
            captures.stated_digests(&unknown, keys, watch, |found| {
                for (digest, body_id) in found {
                    let known = stated.entry(digest).or_insert(body_id);
                    *known = known.and(body_id).and(*known);
                }
                Ok(())
            })?;
            bodies.by_digest.extend(stated.into_iter().filter_map(|(digest, body_id)| Some((digest, body_id?))));
        }
        const CLASS_NAMES: body_classes::Names = body_classes::NAMES;
        let read = |found: &mut Vec<(i64, i64)>, batch: &FileBatch<'_>| {
            let body_ids: &Int64Array = batch.column(CLASS_NAMES.body_id)?;
            let class_ids: &Int64Array = batch.column(CLASS_NAMES.class_id)?;
            found.extend(body_ids.values().iter().copied().zip(class_ids.values().iter().copied()));
            Ok(())
        };
        bodies.classes = vec![MaybeNumber::NOTHING; bodies.outcomes.len()];
        classes.each(&[CLASS_NAMES.body_id, CLASS_NAMES.class_id], watch, read, |found| {
            for (body_id, class_id) in found {
                if let Some(class) = bodies.place(body_id).and_then(|place| bodies.classes.get_mut(place)) {
                    *class = MaybeNumber::from(Some(class_id));
                }
            }
            Ok(())
        })?;
        Ok(bodies)
    }

    /// Adds a body with a greater id than all before.
    fn push(&mut self, body_id: i64, outcome: SiteOutcome) {
        let start = self.outcomes.len();
        let follows = |run: &Run| body_id - run.first_id == (start - run.start) as i64;
        if !self.runs.last().is_some_and(follows) {
            self.runs.push(Run { first_id: body_id, start });
        }
        self.outcomes.push(outcome);
    }

    fn place(&self, body_id: i64) -> Option<usize> {
        let next = self.runs.partition_point(|run| run.first_id <= body_id);
        let run = self.runs.get(next.checked_sub(1)?)?;
        let end = self.runs.get(next).map_or(self.outcomes.len(), |next| next.start);
        let place = run.start + usize::try_from(body_id - run.first_id).ok()?;
        (place < end).then_some(place)
    }

    /// The outcome of a site with this body.
    pub(super) fn outcome(&self, body_id: i64) -> SiteOutcome {
        let found = self.place(body_id).and_then(|place| self.outcomes.get(place));
        found.copied().unwrap_or(SiteOutcome::NoRules)
    }

    /// The policy class of a body; `None` if it names no tracked agent.
    pub(super) fn class(&self, body_id: i64) -> Option<i64> {
        self.place(body_id).and_then(|place| self.classes.get(place)).and_then(|class| class.get())
    }

    pub(super) fn with_digest(&self, digest: AddressHash) -> Option<i64> {
        self.by_digest.get(&digest).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_found_in_and_outside_of_runs() {
        let mut bodies = Bodies::default();
        let ids = [0, 1, 2, 1 << 32, (1 << 32) + 1, 3 << 32, (3 << 32) + 7];
        for id in ids {
            bodies.push(id, SiteOutcome::Rules);
        }
        assert_eq!(bodies.runs.len(), 4);
        for (place, id) in ids.into_iter().enumerate() {
            assert_eq!(bodies.place(id), Some(place), "{id}");
        }
        for absent in [i64::MIN, -1, 3, (1 << 32) + 2, 2 << 32, (3 << 32) + 1, (3 << 32) + 8, i64::MAX] {
            assert_eq!(bodies.place(absent), None, "{absent}");
        }
    }
}
