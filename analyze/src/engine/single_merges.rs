//! Joins by merges on one thread.
//!
//! With one partition, DataFusion 55.2 joins by hash tables even if it should not prefer them (`--sort-joins`). They
//! cannot spill. As with more partitions, `filtered_merges` then replaces merges that would fail.

use datafusion::arrow::compute::SortOptions;
use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode as _};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::joins::{HashJoinExec, SortMergeJoinExec};
use std::sync::Arc;

/// Replaces hash joins by merges if there is one partition and hash joins are not preferred. The sorts come later.
#[derive(Debug)]
pub(super) struct MergeOnOneThread;

impl PhysicalOptimizerRule for MergeOnOneThread {
    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, config: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        if config.optimizer.prefer_hash_join || config.execution.target_partitions > 1 {
            return Ok(plan);
        }
        let merged = plan.transform_up(|node| {
            Ok(match node.downcast_ref().map_or(Ok(None), merge)? {
                Some(merge) => Transformed::yes(merge),
                None => Transformed::no(node),
            })
        });
        Ok(merged?.data)
    }

    fn name(&self) -> &'static str {
        "merge_on_one_thread"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

fn merge(join: &HashJoinExec) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    // A merge has no NOT IN, in which a null of the other side matters.
    if join.null_aware || join.projection.is_some() {
        return Ok(None);
    }
    let merge = SortMergeJoinExec::try_new(
        Arc::clone(join.left()),
        Arc::clone(join.right()),
        join.on().to_vec(),
        join.filter().cloned(),
        *join.join_type(),
        vec![SortOptions::default(); join.on().len()],
        join.null_equality(),
    )?;
    Ok(Some(Arc::new(merge)))
}
