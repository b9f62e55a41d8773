//! Passes on the records and damage that a walk finds, and sums them up.

use super::found::{Account, Cause, Damage, Place, RecordOrDamage};
use super::record::Record;
use super::remark::RecordRemark;
use std::ops::ControlFlow;

/// Passes on records and damage to `each`, and sums them up.
pub(super) struct WalkReport<'e> {
    each: &'e mut dyn FnMut(RecordOrDamage<'_>) -> ControlFlow<()>,
    pub(super) account: Account,
    /// The current stretch of damage, which may grow.
    damage: Option<Damage>,
    /// The offset in the file at which the current archive starts: 0, or that of an entry in a WACZ.
    base: u64,
    /// Members before this offset may be part of a damaged member.
    doubted: u64,
    /// Whether the current archive is an entry of a WACZ that is not as listed there.
    differs: bool,
}

impl<'e> WalkReport<'e> {
    pub(super) fn new(each: &'e mut dyn FnMut(RecordOrDamage<'_>) -> ControlFlow<()>) -> Self {
        WalkReport { each, account: Account::default(), damage: None, base: 0, doubted: 0, differs: false }
    }

    /// Passes on a record of an undamaged member, or of a file without members.
    pub(super) fn record(&mut self, mut record: Record<'_>, mut place: Place) -> ControlFlow<()> {
        self.account.records += 1;
        record.remarks.add_if(place.offset < self.doubted, RecordRemark::AfterDamage);
        record.remarks.add_if(self.differs, RecordRemark::EntryDoubtful);
        place.offset += self.base;
        (self.each)(RecordOrDamage::Record(record, place))
    }

    /// The next archive starts at this offset in the file. `differs` says whether it is an entry of a WACZ that is not
    /// as listed there.
    pub(super) fn set_base(&mut self, base: u64, differs: bool) {
        (self.base, self.doubted, self.differs) = (base, 0, differs);
    }

    /// Passes on that the current archive is not as the WACZ lists it. Its bytes are counted as they are read.
    pub(super) fn entry_differs(&mut self) -> ControlFlow<()> {
        self.own_stretch(0, 0, Cause::EntryDiffers)
    }

    /// Marks members before this offset as possibly part of a damaged member.
    pub(super) fn doubt_until(&mut self, offset: u64) {
        self.doubted = offset;
    }

    /// Passes on that an undamaged member has bytes that belong to no record.
    pub(super) fn stray(&mut self, offset: u64) -> ControlFlow<()> {
        self.own_stretch(offset, 0, Cause::Stray)
    }

    /// Adds bytes to the current stretch of damage. The stretch keeps the cause of its first bytes.
    pub(super) fn damage(&mut self, offset: u64, length: u64, cause: Cause) {
        let damage = self.damage.get_or_insert(Damage { offset: self.base + offset, length: 0, cause });
        damage.length += length;
        self.account.damaged_bytes += length;
    }

    /// Counts a record that is too large. `length` is its length in the file, or 0 in an undamaged member.
    pub(super) fn too_large(&mut self, offset: u64, length: u64) -> ControlFlow<()> {
        self.account.large_records += 1;
        self.own_stretch(offset, length, Cause::TooLarge)
    }

    /// Passes on damage that is a stretch of its own, whatever stands beside it.
    pub(super) fn own_stretch(&mut self, offset: u64, length: u64, cause: Cause) -> ControlFlow<()> {
        self.end_damage()?;
        self.damage(offset, length, cause);
        self.end_damage()
    }

    /// Passes on the current stretch of damage, if there is one.
    pub(super) fn end_damage(&mut self) -> ControlFlow<()> {
        match self.damage.take() {
            Some(damage) => (self.each)(RecordOrDamage::Damage(damage)),
            None => ControlFlow::Continue(()),
        }
    }
}
