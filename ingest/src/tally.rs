//! Counts of an input while it is read: skipped records, damaged bytes, and remarks.

use crate::answer::AnswerRemark;
use crate::archive::{Account, Cause, RecordRemark};
use crate::capture::Skip;
use crate::number::large;
use crate::reasons::{Reason, Reasons};
use crate::site;
use folder::ledger::ReadObject;
use tables::skips::{DAMAGED, REMARK, SKIPPED};
use tables::{BatchSink, ParquetError, RowWriter, inputs, skips};

/// The counts of an input.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// All records: captures and skipped ones.
    pub(crate) records: u64,
    /// Records that became captures.
    pub(crate) captures: u64,
    /// Bytes of the blocks of all records.
    pub(crate) block_bytes: u64,
    pub(crate) skipped: Counts<Skip>,
    pub(crate) damaged: Counts<Cause>,
    pub(crate) record_remarks: Counts<RecordRemark>,
    pub(crate) answers: Counts<AnswerRemark>,
    pub(crate) targets: Counts<site::TargetRemark>,
    pub(crate) locations: Counts<site::Unresolved>,
}

/// How often each reason occurred, and the offset of the first.
#[derive(Debug)]
pub(crate) struct Counts<M>(Vec<(M, u64, u64)>);

impl<M> Default for Counts<M> {
    fn default() -> Self {
        Counts(Vec::new())
    }
}

impl<M: Reason + PartialEq> Counts<M> {
    pub(crate) fn add(&mut self, reason: M, offset: u64) {
        match self.0.iter_mut().find(|(counted, ..)| *counted == reason) {
            Some((_, count, _)) => *count += 1,
            None => self.0.push((reason, 1, offset)),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn add_all(&mut self, reasons: Reasons<M>, offset: u64) {
        if !reasons.is_empty() {
            reasons.iter().for_each(|reason| self.add(reason, offset));
        }
    }

    /// Name, count and first offset of each reason, in the order of the catalogue.
    pub(crate) fn by_name(&self) -> impl Iterator<Item = (&'static str, u64, u64)> {
        M::ALL.iter().filter_map(|reason| {
            let (_, count, first) = self.0.iter().find(|(counted, ..)| counted == reason)?;
            Some((reason.name(), *count, *first))
        })
    }

    fn push_to<S: BatchSink>(
        &self,
        kind: &str,
        warc_filename: &str,
        file: &mut RowWriter<skips::Batch, S>,
    ) -> Result<(), ParquetError> {
        for (reason, count, first) in self.by_name() {
            let (occurrences, first_offset) = (large(count), large(first));
            file.push(skips::Row { warc_filename, kind, reason, occurrences, first_offset })?;
        }
        Ok(())
    }
}

/// How reading an input ended.
#[derive(Debug, Default)]
pub(crate) struct InputEnd {
    /// The sums of its bytes.
    pub(crate) account: Account,
    /// The digest of its bytes; `None` if there is an error.
    pub(crate) digest: Option<String>,
    /// The object, if it came from a store or server.
    pub(crate) object: Option<ReadObject>,
    /// Why it could not be read to its end.
    pub(crate) error: Option<String>,
}

impl Tally {
    /// Counts a record that was too large to be read.
    pub(crate) fn skip(&mut self, skip: Skip, offset: u64) {
        self.records += 1;
        self.skipped.add(skip, offset);
    }

    /// Adds the rows of `skips` and of `inputs`.
    pub(crate) fn push_to<S: BatchSink>(
        &self,
        warc_filename: &str,
        end: &InputEnd,
        skips: &mut RowWriter<skips::Batch, S>,
        inputs: &mut RowWriter<inputs::Batch, S>,
    ) -> Result<(), ParquetError> {
        self.skipped.push_to(SKIPPED, warc_filename, skips)?;
        self.damaged.push_to(DAMAGED, warc_filename, skips)?;
        self.record_remarks.push_to(REMARK, warc_filename, skips)?;
        self.answers.push_to(REMARK, warc_filename, skips)?;
        self.targets.push_to(REMARK, warc_filename, skips)?;
        self.locations.push_to(REMARK, warc_filename, skips)?;
        let Account { bytes, good_bytes, damaged_bytes, members, .. } = end.account;
        inputs.push(inputs::Row {
            warc_filename,
            bytes: large(bytes),
            digest: end.digest.as_deref(),
            members: large(members),
            records: large(self.records),
            captures: large(self.captures),
            good_bytes: large(good_bytes),
            damaged_bytes: large(damaged_bytes),
            block_bytes: large(self.block_bytes),
            error: end.error.as_deref(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_reasons_have_one_name() {
        fn names<M: Reason>() -> Vec<&'static str> {
            M::ALL.iter().map(|reason| reason.name()).collect()
        }
        let catalogues = [
            names::<Skip>(),
            names::<Cause>(),
            names::<RecordRemark>(),
            names::<AnswerRemark>(),
            names::<site::TargetRemark>(),
            names::<site::Unresolved>(),
        ];
        let mut seen = BTreeSet::new();
        for name in catalogues.concat() {
            assert!(seen.insert(name), "two reasons are called {name}");
        }
    }

    #[test]
    fn counts_are_in_the_order_of_the_catalogue() {
        let mut counts = Counts::default();
        for (skip, offset) in [(Skip::Warcinfo, 0), (Skip::Request, 100), (Skip::Request, 200)] {
            counts.add(skip, offset);
        }
        assert_eq!(counts.by_name().collect::<Vec<_>>(), [("request", 2, 100), ("warcinfo", 1, 0)]);
    }
}
