//! Joins by a hash where a merge would fail.
//!
//! If all joins are merges (`--sort-joins`), and an outer join has a condition besides its keys, DataFusion 55.2 checks
//! the condition for rows without a match, too. If it reads a column that is never null, the statement fails: "column is
//! declared as non-nullable but contains null values". apache/datafusion#21197 fixed it for one kind of join only.
//!
//! The condition of an inner join is right because `join_order` adds a node above each merge. Without it, DataFusion
//! moves a projection below the merge, and the condition then reads other columns
//! ([apache/datafusion#24414](https://github.com/apache/datafusion/issues/24414)).

use datafusion::common::{JoinType, Result};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::joins::{HashJoinExec, PartitionMode, SortMergeJoinExec};
use std::sync::Arc;

/// The same join by a hash, if it is an outer, semi or anti join with a condition besides its keys.
pub(super) fn hashed(merge: &SortMergeJoinExec) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    if merge.join_type() == JoinType::Inner || merge.filter().is_none() {
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
