//! Divides the memory of a statement.
//!
//! DataFusion's `FairSpillPool` divides it among all operators that can spill, also those that need none now: a question
//! has 20 to 70, so each may have some 50 MB of 2 GiB, and a large grouping spills although the memory is free. Here only
//! operators count that use more than a little. Each may have half of an equal share, so that those that start later
//! find memory, too.
//!
//! Measured: over 59.8 million captures with 12 GiB, `top_agents` takes 84 CPU seconds, 99 with an eighth of a share, and
//! 105 with `FairSpillPool`; they take 3.2, 2.6 and 2.6 GB. With 2 GiB, the report over 9.96 million captures takes
//! 1.5 GB.
//!
//! The same pool lets operators that can spill take all memory. An operator that cannot spill, such as one that merges
//! sorted runs, then finds none, and the statement fails although the others could spill more. Here a third is left for
//! such operators. They may take more if there is more.
//!
//! A merge takes as many sorted runs as it finds memory for, and then other merges find none. So it leaves a third, too,
//! and so does a join that can spill, because it takes all rows of a side that find room.
//! Measured over 9.96 million captures with 341 MiB: without this, 9 of 93 questions need one thread.

use datafusion::common::resources_datafusion_err;
use datafusion::common::{HashMap, Result};
use datafusion::execution::memory_pool::{
    MemoryConsumer, MemoryLimit, MemoryPool, MemoryReservation, human_readable_size,
};
use parking_lot::Mutex;
use std::fmt;

/// What an operator needs for a batch or two, or to merge two sorted runs. It may always have so much, if it is free.
const LEAST_BYTES: usize = 8 << 20;

/// With little memory, it is this part of it.
const LEAST_PART: usize = 16;

/// An operator that can spill may have one part of so many of an equal share.
const SHARE_PARTS: usize = 2;

/// With less than `LITTLE_BYTES`, or for a statement that found too little memory, so many: merges need the rest. With
/// 8 MiB, a join of two sorts failed with half a share. So did `class_verdicts` of 59.8 million captures with 2 GiB, where
/// the sorted rows came from a join with 0.4 GB.
const SHARE_PARTS_OF_LITTLE: usize = 8;
const LITTLE_BYTES: usize = 1 << 30;

/// The name of DataFusion's sorts for what merges sorted runs. It takes runs until there is no memory for another.
const MERGE_NAME: &str = "ExternalSorterMerge";

/// The name of our joins for the side that they keep in memory. They spill if there is no memory for it.
pub(super) const SPILLING_JOIN_NAME: &str = "SpillingJoin";

/// Memory of so many bytes.
#[derive(Debug)]
pub(super) struct SharedPool {
    bytes: usize,
    /// What an operator may always have, if it is free.
    least: usize,
    /// So many operators that can spill are expected at least: each step of a plan has one on each thread.
    threads: usize,
    share_parts: usize,
    used: Mutex<UsedMemory>,
}

#[derive(Debug, Default)]
struct UsedMemory {
    /// The bytes of each operator that can spill, by the id of its `MemoryConsumer`.
    spillable: HashMap<usize, usize>,
    /// The bytes of the others.
    unspillable: usize,
}

impl UsedMemory {
    fn bytes_of(&mut self, reservation: &MemoryReservation) -> &mut usize {
        let consumer = reservation.consumer();
        if consumer.can_spill() { self.spillable.entry(consumer.id()).or_default() } else { &mut self.unspillable }
    }

    fn all_spillable(&self) -> usize {
        self.spillable.values().sum()
    }
}

impl SharedPool {
    pub(super) fn new(bytes: usize, threads: usize) -> Self {
        let share_parts = if bytes < LITTLE_BYTES { SHARE_PARTS_OF_LITTLE } else { SHARE_PARTS };
        SharedPool { bytes, least: LEAST_BYTES.min(bytes / LEAST_PART), threads, share_parts, used: Mutex::default() }
    }

    /// The same memory for a statement that found too little.
    pub(super) fn with_small_shares(self) -> Self {
        SharedPool { share_parts: SHARE_PARTS_OF_LITTLE, ..self }
    }
}

impl MemoryPool for SharedPool {
    fn name(&self) -> &'static str {
        "shared"
    }

    fn register(&self, consumer: &MemoryConsumer) {
        if consumer.can_spill() {
            self.used.lock().spillable.insert(consumer.id(), 0);
        }
    }

    fn unregister(&self, consumer: &MemoryConsumer) {
        self.used.lock().spillable.remove(&consumer.id());
    }

    fn grow(&self, reservation: &MemoryReservation, additional: usize) {
        *self.used.lock().bytes_of(reservation) += additional;
    }

    fn shrink(&self, reservation: &MemoryReservation, shrink: usize) {
        *self.used.lock().bytes_of(reservation) -= shrink;
    }

    fn try_grow(&self, reservation: &MemoryReservation, additional: usize) -> Result<()> {
        let mut used = self.used.lock();
        let own = *used.bytes_of(reservation);
        let spillable = used.all_spillable();
        let free = self.bytes.saturating_sub(spillable + used.unspillable);
        let is_small = reservation.size() + additional <= self.least;
        let may_grow = if is_small {
            free
        } else if reservation.consumer().can_spill() {
            let shared = self.bytes - used.unspillable.clamp(self.bytes / 3, self.bytes);
            let others =
                used.spillable.values().filter(|bytes| **bytes > self.least).count() - usize::from(own > self.least);
            // In a plan of few operators, an equal share is larger.
            let equal = used.spillable.len().max(self.share_parts);
            let share = shared / (self.share_parts * (others + 1).max(self.threads)).min(equal);
            share.saturating_sub(own).min(shared.saturating_sub(spillable))
        } else if [MERGE_NAME, SPILLING_JOIN_NAME].iter().any(|name| reservation.consumer().name().starts_with(name)) {
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
        let used = self.used.lock();
        used.all_spillable() + used.unspillable
    }

    fn memory_limit(&self) -> MemoryLimit {
        MemoryLimit::Finite(self.bytes)
    }
}

impl fmt::Display for SharedPool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn only_operators_that_use_memory_count() {
        let pool: Arc<dyn MemoryPool> = Arc::new(SharedPool::new(2304 << 20, 2));
        let register = |nth| MemoryConsumer::new(format!("{nth}")).with_can_spill(true).register(&pool);
        let all: Vec<_> = (0..50).map(register).collect();
        for one in &all[..2] {
            one.try_grow(384 << 20).unwrap();
            one.try_grow(1).unwrap_err();
        }
        // Three use memory, so each may have less.
        all[2].try_grow(256 << 20).unwrap();
        all[2].try_grow(1).unwrap_err();
        all[0].free();
        all[2].try_grow(128 << 20).unwrap();
        all[2].try_grow(1).unwrap_err();
        drop(all);
        assert_eq!(pool.reserved(), 0);
    }

    #[test]
    fn a_third_is_left_for_what_cannot_spill() {
        let pool: Arc<dyn MemoryPool> = Arc::new(SharedPool::new(2400, 1));
        let register = |name: &str, can_spill| MemoryConsumer::new(name).with_can_spill(can_spill).register(&pool);
        let (one, merge) = (register("one", true), register("merge", false));
        one.try_grow(200).unwrap();
        assert_eq!(
            one.try_grow(1).unwrap_err().strip_backtrace(),
            "Resources exhausted: Failed to allocate additional 1.0 B for one"
        );
        let others: Vec<_> = (0..8).map(|_| register("other", true)).collect();
        for other in &others {
            other.try_grow(175).unwrap();
        }
        // All that is shared is used.
        for other in &others {
            other.try_grow(1).unwrap_err();
        }
        // What they left.
        merge.try_grow(800).unwrap();
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
        let pool: Arc<dyn MemoryPool> = Arc::new(SharedPool::new(3200, 1));
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
        let pool: Arc<dyn MemoryPool> = Arc::new(SharedPool::new(3200, 1));
        let register = |nth| MemoryConsumer::new(format!("{nth}")).with_can_spill(true).register(&pool);
        let many: Vec<_> = (0..100).map(register).collect();
        many[0].try_grow(266).unwrap();
        for one in &many[1..15] {
            one.try_grow(200).unwrap();
            one.try_grow(1).unwrap_err();
        }
        many[15].try_grow(134).unwrap();
        many[16].try_grow(1).unwrap_err();
    }
}
