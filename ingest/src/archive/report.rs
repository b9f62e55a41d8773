//! Passes on what a walk finds, and sums it up.

use super::found::{Account, Cause, Damage, Place, RecordOrDamage};
use super::record::{Record, RecordRemark};
use std::ops::ControlFlow;

/// Passes on records and damage to `each`, and sums them up.
pub(super) struct WalkReport<E> {
    each: E,
    pub(super) account: Account,
    /// The current stretch of damage, which may grow.
    damage: Option<Damage>,
    /// Where what is walked over begins in the file.
    base: u64,
    /// The offset up to which members may be a part of a damaged one.
    doubted: u64,
}

impl<E: FnMut(RecordOrDamage<'_>) -> ControlFlow<()>> WalkReport<E> {
    pub(super) fn new(each: E) -> Self {
        WalkReport { each, account: Account::default(), damage: None, base: 0, doubted: 0 }
    }

    /// Passes on a record of an undamaged member, or of a file without members.
    pub(super) fn record(&mut self, mut record: Record<'_>, mut place: Place) -> ControlFlow<()> {
        self.account.records += 1;
        record.remarks.add_if(place.offset < self.doubted, RecordRemark::BehindDamage);
        place.offset += self.base;
        (self.each)(RecordOrDamage::Record(record, place))
    }

    /// What is walked over next begins at this offset of the file.
    pub(super) fn begin_at(&mut self, base: u64) {
        (self.base, self.doubted) = (base, 0);
    }

    /// Members before this offset may be a part of a damaged one.
    pub(super) fn doubt_until(&mut self, offset: u64) {
        self.doubted = offset;
    }

    /// Adds to the current stretch of damage. Its first cause names it.
    pub(super) fn damage(&mut self, offset: u64, length: u64, cause: Cause) {
        let damage = self.damage.get_or_insert(Damage { offset: self.base + offset, length: 0, cause });
        damage.length += length;
        self.account.damaged_bytes += length;
    }

    /// Counts a record that is too large. `length` is its bytes in the file, or 0 in an undamaged member.
    pub(super) fn too_large(&mut self, offset: u64, length: u64) -> ControlFlow<()> {
        self.end_damage()?;
        self.account.large_records += 1;
        self.damage(offset, length, Cause::TooLarge);
        self.end_damage()
    }

    pub(super) fn end_damage(&mut self) -> ControlFlow<()> {
        match self.damage.take() {
            Some(damage) => (self.each)(RecordOrDamage::Damage(damage)),
            None => ControlFlow::Continue(()),
        }
    }
}
