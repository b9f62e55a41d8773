//! Joins by a hash where a merge would fail.
//!
//! If all joins are merges (`--sort-joins`), and a left or full join has a condition besides its keys, DataFusion 55.2
//! checks the condition for rows without a match, too. If it reads a column that is never null, the statement fails:
//! "column is declared as non-nullable but contains null values". apache/datafusion#21197 fixed it for other joins.
//!
//! The condition of another join is right because `join_order` adds a node above each merge. Without it, DataFusion
//! moves a projection below the merge, and the condition then reads other columns
//! ([apache/datafusion#24414](https://github.com/apache/datafusion/issues/24414)).

use datafusion::common::{JoinType, Result};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::joins::{HashJoinExec, PartitionMode, SortMergeJoinExec};
use std::sync::Arc;

/// The same join by a hash, if it is a left or full join with a condition besides its keys.
pub(super) fn hashed(merge: &SortMergeJoinExec) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    if !matches!(merge.join_type(), JoinType::Left | JoinType::Full) || merge.filter().is_none() {
        return Ok(None);
    }
    let join = HashJoinExec::try_new(
        Arc::clone(merge.left()),
        Arc::clone(merge.right()),
        merge.on().to_vec(),
        merge.filter().clone(),
        &merge.join_type(),
        None,
        PartitionMode::Partitioned,
        merge.null_equality(),
        false,
    )?;
    Ok(Some(Arc::new(join)))
}

#[cfg(test)]
mod tests {
    use crate::engine::fixture::context_with;
    use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
    use datafusion::prelude::SessionConfig;

    #[tokio::test]
    async fn datafusion_still_needs_this() {
        for kind in ["FULL", "LEFT"] {
            let mut config = SessionConfig::new().with_target_partitions(2);
            config.options_mut().optimizer.prefer_hash_join = false;
            let context = context_with(PhysicalOptimizer::new().rules, config);
            let sql = format!(
                "SELECT * FROM (SELECT value AS n, value % 7 AS m FROM range(0, 40)) AS a {kind} JOIN \
                 (SELECT value AS n, value % 5 AS m FROM range(20, 60)) AS b ON a.n = b.n AND a.m < b.m"
            );
            let error = context.sql(&sql).await.unwrap().collect().await.unwrap_err().to_string();
            assert!(error.contains("non-nullable"), "{kind}: {error}");
        }
    }
}
