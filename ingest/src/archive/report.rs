//! What is handed out of a walk, and the sums of it.

use super::found::{Account, Cause, Damage, Place, RecordOrDamage};
use super::record::Record;
use std::ops::ControlFlow;

/// What is handed out, and the sums of it.
pub(super) struct WalkReport<E> {
    each: E,
    pub(super) account: Account,
    /// Damage that may go on.
    damage: Option<Damage>,
}

impl<E: FnMut(RecordOrDamage<'_>) -> ControlFlow<()>> WalkReport<E> {
    pub(super) fn new(each: E) -> Self {
        WalkReport { each, account: Account::default(), damage: None }
    }

    /// A record of a member that is whole, or of a file without members.
    pub(super) fn record(&mut self, record: Record<'_>, place: Place) -> ControlFlow<()> {
        self.account.records += 1;
        (self.each)(RecordOrDamage::Record(record, place))
    }

    /// Adds to the damage that goes on, which is named by what it began with.
    pub(super) fn damage(&mut self, offset: u64, length: u64, cause: Cause) {
        let damage = self.damage.get_or_insert(Damage { offset, length: 0, cause });
        damage.length += length;
        self.account.damaged_bytes += length;
    }

    /// A record that is not handed out, which takes so many bytes of the file, or none where they are those of a member.
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
