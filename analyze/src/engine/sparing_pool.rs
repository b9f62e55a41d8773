//! Divides the memory of a statement whose joins and rankings spill.
//!
//! DataFusion's `FairSpillPool` lets operators that can spill take all memory, in equal shares. An operator that cannot
//! spill, such as one that merges sorted runs, then finds none, and the statement fails although the others could spill
//! more. Here a third is left for such operators. They may take more if there is more.
//!
//! A merge takes as many sorted runs as it finds memory for, and then other merges find none. So it leaves a third, too.
//! Measured over 9.96 million captures with 341 MiB: without this, 9 of 93 questions need one thread.

use datafusion::common::Result;
use datafusion::common::resources_datafusion_err;
use datafusion::execution::memory_pool::{
    MemoryConsumer, MemoryLimit, MemoryPool, MemoryReservation, human_readable_size,
};
use parking_lot::{Mutex, MutexGuard};
use std::fmt;

/// So many operators that can spill are expected. Otherwise the first of a statement, such as those of its steps, would
/// take the memory of those that start later.
const FEWEST_SPILLING: usize = 8;

/// What an operator needs for a batch or two, or to merge two sorted runs. It may always have so much, if it is free.
const LEAST_BYTES: usize = 8 << 20;

/// With little memory, it is this part of it.
const LEAST_PART: usize = 16;

/// The name of DataFusion's sorts for what merges sorted runs. It takes runs until there is no memory for another.
const MERGE_NAME: &str = "ExternalSorterMerge";

/// Memory of so many bytes.
#[derive(Debug)]
pub(super) struct SparingPool {
    bytes: usize,
    /// What an operator may always have, if it is free.
    least: usize,
    used: Mutex<UsedMemory>,
}

#[derive(Debug, Default)]
struct UsedMemory {
    /// How many operators can spill.
    spilling: usize,
    /// The bytes of operators that can spill.
    spillable: usize,
    /// The bytes of the others.
    unspillable: usize,
}

impl UsedMemory {
    fn bytes_of(&mut self, reservation: &MemoryReservation) -> &mut usize {
        if reservation.consumer().can_spill() { &mut self.spillable } else { &mut self.unspillable }
    }
}

impl SparingPool {
    pub(super) fn new(bytes: usize) -> Self {
        SparingPool { bytes, least: LEAST_BYTES.min(bytes / LEAST_PART), used: Mutex::default() }
    }

    fn used(&self) -> MutexGuard<'_, UsedMemory> {
        self.used.lock()
    }
}

impl MemoryPool for SparingPool {
    fn name(&self) -> &'static str {
        "sparing"
    }

    fn register(&self, consumer: &MemoryConsumer) {
        self.used().spilling += usize::from(consumer.can_spill());
    }

    fn unregister(&self, consumer: &MemoryConsumer) {
        self.used().spilling -= usize::from(consumer.can_spill());
    }

    fn grow(&self, reservation: &MemoryReservation, additional: usize) {
        *self.used().bytes_of(reservation) += additional;
    }

    fn shrink(&self, reservation: &MemoryReservation, shrink: usize) {
        *self.used().bytes_of(reservation) -= shrink;
    }

    fn try_grow(&self, reservation: &MemoryReservation, additional: usize) -> Result<()> {
        let mut used = self.used();
        let free = self.bytes.saturating_sub(used.spillable + used.unspillable);
        let is_small = reservation.size() + additional <= self.least;
        let may_grow = if is_small {
            free
        } else if reservation.consumer().can_spill() {
            let shared = self.bytes - used.unspillable.clamp(self.bytes / 3, self.bytes);
            let share = shared / used.spilling.max(FEWEST_SPILLING);
            share.saturating_sub(reservation.size()).min(free)
        } else if reservation.consumer().name().starts_with(MERGE_NAME) {
            free.saturating_sub(self.bytes / 3)
        } else {
            free
        };
        if additional > may_grow {
            let (name, additional) = (reservation.consumer().name(), human_readable_size(additional));
            return Err(resources_datafusion_err!("Failed to allocate additional {additional} for {name}"));
        }
        *used.bytes_of(reservation) += additional;
        Ok(())
    }

    fn reserved(&self) -> usize {
        let used = self.used();
        used.spillable + used.unspillable
    }

    fn memory_limit(&self) -> MemoryLimit {
        MemoryLimit::Finite(self.bytes)
    }
}

impl fmt::Display for SparingPool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_third_is_left_for_what_cannot_spill() {
        let pool: Arc<dyn MemoryPool> = Arc::new(SparingPool::new(2400));
        let register = |name: &str, can_spill| MemoryConsumer::new(name).with_can_spill(can_spill).register(&pool);
        let (one, merge) = (register("one", true), register("merge", false));
        one.try_grow(200).unwrap();
        assert_eq!(
            one.try_grow(1).unwrap_err().strip_backtrace(),
            "Resources exhausted: Failed to allocate additional 1.0 B for one"
        );
        let others: Vec<_> = (0..8).map(|_| register("other", true)).collect();
        for other in &others {
            other.try_grow(177).unwrap();
            other.try_grow(1).unwrap_err();
        }
        // What they left.
        merge.try_grow(784).unwrap();
        merge.try_grow(1).unwrap_err();
        assert_eq!(pool.reserved(), 2400);
        // What it leaves is theirs.
        one.shrink(200);
        merge.try_grow(200).unwrap();
        one.try_grow(1).unwrap_err();
        merge.shrink(300);
        one.try_grow(100).unwrap();
        drop((one, others, merge));
        assert_eq!(pool.reserved(), 0);
    }

    #[test]
    fn a_merge_leaves_memory_for_others() {
        let pool: Arc<dyn MemoryPool> = Arc::new(SparingPool::new(3200));
        let register = |name: &str| MemoryConsumer::new(name).register(&pool);
        let merge = register("ExternalSorterMerge[0]");
        merge.try_grow(2100).unwrap();
        merge.try_grow(100).unwrap_err();
        let others: Vec<_> = (1..=5).map(|nth| register(&format!("ExternalSorterMerge[{nth}]"))).collect();
        for other in &others {
            other.try_grow(200).unwrap();
            other.try_grow(1).unwrap_err();
        }
        // It cannot do with less.
        register("join").try_grow(100).unwrap();
    }

    #[test]
    fn there_are_a_few_bytes_for_each_of_many() {
        let pool: Arc<dyn MemoryPool> = Arc::new(SparingPool::new(3200));
        let register = |nth| MemoryConsumer::new(format!("{nth}")).with_can_spill(true).register(&pool);
        let many: Vec<_> = (0..100).map(register).collect();
        for one in &many[..16] {
            one.try_grow(200).unwrap();
            one.try_grow(1).unwrap_err();
        }
        many[16].try_grow(1).unwrap_err();
    }
}
