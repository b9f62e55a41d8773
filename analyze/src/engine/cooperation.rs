//! Joins that can be stopped.
//!
//! A task ends at Ctrl-C when it next pauses. In DataFusion 55.2 only nodes that read rows and nodes that send them to
//! other threads pause. A join may make millions of rows of one batch that it reads, and a grouping above it asks for
//! more until it has all. Measured: such a statement, stopped after 2 seconds, blocked the prompt for minutes. So a
//! `CooperativeExec` is added above each join, which lets the task pause after some batches of joined rows. A join whose
//! condition refuses nearly all rows still makes no batch for long.

use super::stated::PlannedRows;
use datafusion::common::Result;
use datafusion::physical_plan::coop::CooperativeExec;
use std::sync::Arc;

/// A join that pauses.
pub(super) fn pausing(node: &PlannedRows) -> Result<Option<PlannedRows>> {
    let is_join = node.name().ends_with("JoinExec");
    Ok(is_join.then(|| Arc::new(CooperativeExec::new(Arc::clone(node))) as PlannedRows))
}

/// The node itself, without what lets it pause.
pub(super) fn unpaused(node: &PlannedRows) -> &PlannedRows {
    node.downcast_ref().map_or(node, CooperativeExec::input)
}

#[cfg(test)]
mod tests {
    use crate::engine::batches::AnswerBatches;
    use crate::engine::fixture::context_with;
    use crate::engine::physical_rules::physical_rules;
    use crate::runtime;
    use datafusion::prelude::SessionConfig;
    use std::num::NonZeroUsize;
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    /// Each statement would take hours.
    #[test]
    fn a_join_of_many_rows_ends_when_it_is_stopped() {
        let side = "(SELECT value AS n, value % 2 AS k FROM range(0, 10000000))";
        for (condition, prefer_hash_join) in
            [("a.k = b.k", true), ("a.k = b.k", false), ("a.n < b.n", true), ("true", true)]
        {
            let sql = format!("SELECT sum(a.n + b.n) FROM {side} AS a JOIN {side} AS b ON {condition}");
            let mut config = SessionConfig::new().with_target_partitions(1);
            config.options_mut().optimizer.prefer_hash_join = prefer_hash_join;
            config.options_mut().optimizer.hash_join_single_partition_threshold_rows = 0;
            let context = context_with(physical_rules(), config);
            let runtime = runtime(NonZeroUsize::MIN).unwrap();
            let frame = runtime.block_on(context.sql(&sql)).unwrap();
            let batches = AnswerBatches::start(runtime.handle(), async move { frame.execute_stream().await });
            sleep(Duration::from_secs(1));
            drop(batches);
            let start = Instant::now();
            while runtime.metrics().num_alive_tasks() > 0 && start.elapsed() < Duration::from_secs(60) {
                sleep(Duration::from_millis(10));
            }
            let left = runtime.metrics().num_alive_tasks();
            runtime.shutdown_background();
            assert_eq!(left, 0, "{condition}, {prefer_hash_join}");
        }
    }
}
