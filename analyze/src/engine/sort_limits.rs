//! Limits of sorts.
//!
//! DataFusion 55.2 moves a sort down to where rows already have its order, and drops it there, with its limit. That
//! happens where a projection moves columns: the node below knows that groups are unique by their keys and need no
//! further key, and the projection has forgotten it. So `GROUP BY body_id, crawl HAVING count(*) > 2 ORDER BY crawl,
//! body_id, n LIMIT 3` gave all groups. No issue about it is known.

use super::stated::PlannedRows;
use datafusion::common::Result;
use datafusion::physical_plan::limit::{GlobalLimitExec, LocalLimitExec};
use datafusion::physical_plan::sorts::sort::SortExec;
use std::sync::Arc;

/// The same sort, with its limit also above it. Where the sort stays, a later rule of DataFusion takes it away again.
pub(super) fn keep_limit(node: &PlannedRows) -> Result<Option<PlannedRows>> {
    let Some((sort, limit)) = node.downcast_ref::<SortExec>().and_then(|sort| Some((sort, sort.fetch()?))) else {
        return Ok(None);
    };
    Ok(Some(limited(Arc::clone(node), sort.preserve_partitioning(), limit)))
}

/// So many rows of each thread can stay in memory, also if there is little.
const FEW_ROWS: usize = 1000;

/// The same sort of all rows, below its limit; `None` if it keeps few rows. DataFusion's sort has the first rows in memory
/// if it has a limit, and spills if it has none.
pub(super) fn sort_all(sort: &SortExec) -> Result<Option<PlannedRows>> {
    let Some(limit) = sort.fetch().filter(|limit| *limit > FEW_ROWS) else { return Ok(None) };
    let is_by_partition = sort.preserve_partitioning();
    let all = SortExec::new(sort.expr().clone(), Arc::clone(sort.input()));
    Ok(Some(limited(Arc::new(all.with_preserve_partitioning(is_by_partition)), is_by_partition, limit)))
}

/// The first rows of each partition, or of the only one.
fn limited(rows: PlannedRows, is_by_partition: bool, limit: usize) -> PlannedRows {
    match is_by_partition {
        true => Arc::new(LocalLimitExec::new(rows, limit)),
        false => Arc::new(GlobalLimitExec::new(rows, 0, Some(limit))),
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::dependencies::without_dependencies;
    use crate::engine::fixture::answer_in;
    use crate::engine::physical_rules::physical_rules;
    use datafusion::execution::session_state::SessionStateBuilder;
    use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
    use datafusion::prelude::{SessionConfig, SessionContext};

    const SQL: &str = "SELECT b, n, a FROM (
            SELECT b, count(*) AS n, a FROM (SELECT value / 10 AS a, value % 10 AS b FROM range(0, 40) ORDER BY a, b LIMIT 30)
            GROUP BY b, a HAVING count(*) > 0
        ) AS g ORDER BY a, b, n LIMIT 3";

    /// Without dependencies, as in a session: otherwise an earlier rule drops the third key.
    async fn answer(optimizer: PhysicalOptimizer, partitions: usize) -> String {
        let config = SessionConfig::new().with_target_partitions(partitions);
        let builder = without_dependencies(SessionStateBuilder::new().with_config(config).with_default_features());
        let state = builder.with_physical_optimizer_rules(optimizer.rules).build();
        answer_in(&SessionContext::new_with_state(state), SQL).await
    }

    #[tokio::test]
    async fn groups_in_order_have_a_limit() {
        for partitions in [1, 2] {
            let rows = answer(PhysicalOptimizer::with_rules(physical_rules()), partitions).await;
            assert!(rows.contains("| 2 | 1 | 0 |") && !rows.contains("| 3 | 1 | 0 |"), "{rows}");
        }
    }

    /// When this fails, DataFusion has been fixed.
    #[tokio::test]
    async fn datafusion_still_needs_this() {
        assert!(answer(PhysicalOptimizer::new(), 1).await.contains("| 3 | 1 | 0 |"));
    }
}
