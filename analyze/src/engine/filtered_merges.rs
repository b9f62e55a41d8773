//! An optimizer rule that joins by a hash where a merge would fail.
//!
//! If all joins are merges (`--sort-joins`), and an outer join has a condition besides its keys, DataFusion 55.2 checks
//! the condition for rows without a match, too. If it reads a column that is never null, the statement fails: "column is
//! declared as non-nullable but contains null values". apache/datafusion#21197 fixed it for one kind of join only.

use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode as _};
use datafusion::common::{JoinType, Result};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::joins::{HashJoinExec, PartitionMode, SortMergeJoinExec};
use std::sync::Arc;

#[derive(Debug)]
pub(super) struct HashIfFiltered;

impl PhysicalOptimizerRule for HashIfFiltered {
    fn optimize(&self, plan: Arc<dyn ExecutionPlan>, _config: &ConfigOptions) -> Result<Arc<dyn ExecutionPlan>> {
        let replace = |node: Arc<dyn ExecutionPlan>| {
            Ok(match node.downcast_ref::<SortMergeJoinExec>().map(hashed).transpose()?.flatten() {
                Some(join) => Transformed::yes(join),
                None => Transformed::no(node),
            })
        };
        Ok(plan.transform_up(replace)?.data)
    }

    fn name(&self) -> &'static str {
        "hash_if_filtered"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

fn hashed(merge: &SortMergeJoinExec) -> Result<Option<Arc<dyn ExecutionPlan>>> {
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

#[cfg(test)]
mod tests {
    use crate::engine::body_joins;
    use datafusion::arrow::util::pretty::pretty_format_batches;
    use datafusion::execution::session_state::SessionStateBuilder;
    use datafusion::prelude::{SessionConfig, SessionContext};

    async fn answer(sql: &str, prefer_hash_join: bool) -> String {
        let mut config = SessionConfig::new().with_target_partitions(2);
        config.options_mut().optimizer.prefer_hash_join = prefer_hash_join;
        let state = SessionStateBuilder::new().with_default_features().with_config(config);
        let context = SessionContext::new_with_state(state.with_physical_optimizer_rules(body_joins::rules()).build());
        pretty_format_batches(&context.sql(sql).await.unwrap().collect().await.unwrap()).unwrap().to_string()
    }

    #[tokio::test]
    async fn outer_joins_with_conditions_are_answered_without_hash_joins_too() {
        for kind in ["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "LEFT SEMI JOIN", "LEFT ANTI JOIN"] {
            // Numbers of a range are never null. Half of them have no match.
            let sql = format!(
                "SELECT * FROM (SELECT value AS n, value % 7 AS m FROM range(0, 40)) AS a {kind} \
                 (SELECT value AS n, value % 5 AS m FROM range(20, 60)) AS b ON a.n = b.n AND a.m < b.m ORDER BY 1, 2"
            );
            assert_eq!(answer(&sql, false).await, answer(&sql, true).await, "{kind}");
        }
    }
}
