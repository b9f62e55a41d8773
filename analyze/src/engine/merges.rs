//! Which joins are merges, if joins should need little memory (`--sort-joins`), and which of their sides stays in memory.
//!
//! DataFusion 55.2 then joins everything by merges if there are several partitions, and nothing if there is one. A hash
//! join has one side in memory, and only some can spill (`spilling_joins`), so all joins should be merges, with two
//! exceptions:
//!
//! - One side has few rows. A merge would sort the other side for nothing. Measured: to compare the names in the paths of
//!   9.96 million captures with a list of 74, `sensitive_paths` takes 350 CPU seconds with merges, and 127 without, both
//!   with 341 MiB and after a first attempt with hash joins.
//! - A left or full join has a condition besides its keys. DataFusion checks it for rows without a match, too. If it
//!   reads a column that is never null, the statement fails: "column is declared as non-nullable but contains null
//!   values". apache/datafusion#21197 fixed it for other joins. Their condition is right because `join_order` adds a node
//!   above each merge. Without it, DataFusion moves a projection below the merge, and the condition then reads other
//!   columns ([apache/datafusion#24414](https://github.com/apache/datafusion/issues/24414)).
//!
//! A merge reads one side row by row, and keeps the rows of the other side with the same keys. DataFusion keeps those of
//! the second side, however many they are: of sites and their stratum, all sites. So a side with one row for each key
//! becomes the second. Otherwise `path_problems` of those captures fails with 341 MiB.

use super::once::StepExec;
use super::stated::PlannedRows;
use datafusion::arrow::compute::SortOptions;
use datafusion::common::config::ConfigOptions;
use datafusion::common::stats::Precision;
use datafusion::common::tree_node::{Transformed, TreeNode as _};
use datafusion::common::{JoinType, Result};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::aggregates::{AggregateExec, AggregateMode};
use datafusion::physical_plan::execution_plan::CardinalityEffect;
use datafusion::physical_plan::filter::FilterExec;
use datafusion::physical_plan::joins::{HashJoinExec, PartitionMode, SortMergeJoinExec};
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::statistics::{StatisticsArgs, StatisticsContext};
use datafusion::physical_plan::union::UnionExec;
use std::sync::Arc;

/// Chooses between hash joins and merges if hash joins are not preferred.
#[derive(Debug)]
pub(super) struct ChooseMerges;

impl PhysicalOptimizerRule for ChooseMerges {
    fn optimize(&self, plan: PlannedRows, config: &ConfigOptions) -> Result<PlannedRows> {
        if config.optimizer.prefer_hash_join {
            return Ok(plan);
        }
        let few = config.optimizer.hash_join_single_partition_threshold_rows;
        let chosen = plan.transform_up(|node| {
            let chosen = match (node.downcast_ref::<HashJoinExec>(), node.downcast_ref::<SortMergeJoinExec>()) {
                (Some(join), _) => choose_for_hash_join(join, few)?,
                (_, Some(merge)) => choose_for_merge(merge, few)?,
                _ => None,
            };
            Ok(chosen.map_or(Transformed::no(node), Transformed::yes))
        });
        Ok(chosen?.data)
    }

    fn name(&self) -> &'static str {
        "choose_merges"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

fn choose_for_hash_join(join: &HashJoinExec, few: usize) -> Result<Option<PlannedRows>> {
    // A merge has no NOT IN, in which a null of the other side matters.
    if join.null_aware || join.projection.is_some() || fails_as_merge(*join.join_type(), join.filter().is_some()) {
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
    Ok(choose_for_merge(&merge, few)?.or(Some(Arc::new(merge))))
}

/// The join that takes the place of a merge; `None` keeps the merge.
fn choose_for_merge(merge: &SortMergeJoinExec, few: usize) -> Result<Option<PlannedRows>> {
    let hashed = |mode| {
        HashJoinExec::try_new(
            Arc::clone(merge.left()),
            Arc::clone(merge.right()),
            merge.on().to_vec(),
            merge.filter().clone(),
            &merge.join_type(),
            None,
            mode,
            merge.null_equality(),
            false,
        )
    };
    if fails_as_merge(merge.join_type(), merge.filter().is_some()) {
        return Ok(Some(Arc::new(hashed(PartitionMode::Partitioned)?)));
    }
    let has_few = |side| most_rows(side).is_some_and(|most| most <= few);
    if has_few(merge.left()) {
        return Ok(Some(Arc::new(hashed(PartitionMode::CollectLeft)?)));
    }
    if has_few(merge.right()) {
        return hashed(PartitionMode::Auto)?.swap_inputs(PartitionMode::CollectLeft).map(Some);
    }
    // DataFusion 55.2 mistakes the columns of a condition if the sides are exchanged (apache/datafusion#25489).
    if merge.join_type() != JoinType::Inner || merge.filter().is_some() {
        return Ok(None);
    }
    let (left, right) =
        merge.on().iter().map(|(left, right)| (place(left), place(right))).unzip::<_, _, Vec<_>, Vec<_>>();
    let is_better = is_unique(merge.left(), left) && !is_unique(merge.right(), right);
    if is_better { merge.swap_inputs().map(Some) } else { Ok(None) }
}

/// Whether a join must not be a merge.
fn fails_as_merge(join_type: JoinType, has_condition: bool) -> bool {
    matches!(join_type, JoinType::Left | JoinType::Full) && has_condition
}

/// How many rows a node has at most; `None` if that is not known before they are computed.
fn most_rows(node: &PlannedRows) -> Option<usize> {
    if let Some(step) = node.downcast_ref::<StepExec>() {
        return most_rows(step.plan());
    }
    let children = node.children();
    match children.as_slice() {
        [] => match StatisticsContext::new().compute(node.as_ref(), &StatisticsArgs::new()).ok()?.num_rows {
            Precision::Exact(rows) => Some(rows),
            Precision::Inexact(_) | Precision::Absent => None,
        },
        [child] => match node.cardinality_effect() {
            // Without rows to group, there may be one group.
            CardinalityEffect::Equal | CardinalityEffect::LowerEqual => Some(most_rows(child)?.max(1)),
            CardinalityEffect::GreaterEqual | CardinalityEffect::Unknown => None,
        },
        inputs if node.is::<UnionExec>() => inputs.iter().map(|input| most_rows(input)).sum(),
        _ => None,
    }
}

/// The place of a column; `None` for another expression.
fn place(key: &Arc<dyn PhysicalExpr>) -> Option<usize> {
    key.downcast_ref::<Column>().map(Column::index)
}

/// Whether no two rows are equal in these columns. `false` may mean that it is not known.
fn is_unique(node: &PlannedRows, columns: Vec<Option<usize>>) -> bool {
    if let Some(step) = node.downcast_ref::<StepExec>() {
        let below = columns.into_iter().map(|column| step.columns().get(column?).copied());
        return is_unique(step.plan(), below.collect());
    }
    if let Some(groups) = node.downcast_ref::<AggregateExec>() {
        let is_whole = !matches!(groups.mode(), AggregateMode::Partial | AggregateMode::PartialReduce);
        let keys = groups.group_expr();
        return is_whole && keys.is_single() && (0..keys.expr().len()).all(|key| columns.contains(&Some(key)));
    }
    let below = |place: usize| -> Option<usize> {
        if let Some(projection) = node.downcast_ref::<ProjectionExec>() {
            return projection.expr().get(place).and_then(|named| self::place(&named.expr));
        }
        match node.downcast_ref::<FilterExec>().and_then(|filter| filter.projection().as_ref()) {
            Some(kept) => kept.get(place).copied(),
            None => Some(place),
        }
    };
    let adds_none = matches!(node.cardinality_effect(), CardinalityEffect::Equal | CardinalityEffect::LowerEqual);
    match node.children().as_slice() {
        [input]
            if adds_none
                && (node.is::<ProjectionExec>() || node.is::<FilterExec>() || node.schema() == input.schema()) =>
        {
            is_unique(input, columns.into_iter().map(|column| below(column?)).collect())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::fixture::{answer_in, context_with};
    use crate::engine::physical_rules::physical_rules;
    use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
    use datafusion::prelude::{SessionConfig, SessionContext};

    /// A session without a preference for hash joins, in which sides may have so many rows to be shared.
    fn context(few: usize, partitions: usize) -> SessionContext {
        let mut config = SessionConfig::new().with_target_partitions(partitions);
        config.options_mut().optimizer.prefer_hash_join = false;
        config.options_mut().optimizer.hash_join_single_partition_threshold_rows = few;
        context_with(physical_rules(), config)
    }

    /// The lines of a plan with joins and what they read.
    async fn plan(sql: &str, few: usize, partitions: usize) -> String {
        answer_in(&context(few, partitions), &format!("EXPLAIN FORMAT INDENT {sql}")).await
    }

    const MANY: &str = "(SELECT value AS n, value % 7 AS k FROM range(0, 1000)) AS many";
    const FEW: &str = "(VALUES (1, 'a'), (2, 'b'), (3, NULL)) AS few (k, name)";

    #[tokio::test]
    async fn a_side_with_few_rows_is_not_sorted() {
        for kind in ["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "LEFT SEMI JOIN", "LEFT ANTI JOIN"] {
            for (left, right) in [(FEW, MANY), (MANY, FEW)] {
                let columns = if kind.ends_with("I JOIN") { "count(*)" } else { "count(*), sum(n), count(name)" };
                let sql = format!("SELECT {columns} FROM {left} {kind} {right} ON many.k = few.k");
                for partitions in [1, 2] {
                    let (hashed, merged) = (plan(&sql, 3, partitions).await, plan(&sql, 2, partitions).await);
                    assert!(hashed.contains("HashJoinExec: mode=CollectLeft"), "{hashed}");
                    assert!(!hashed.contains("SortMergeJoinExec") && !hashed.contains("SortExec"), "{hashed}");
                    assert!(merged.contains("SortMergeJoinExec") && !merged.contains("HashJoinExec"), "{merged}");
                    let hashed = answer_in(&context(3, partitions), &sql).await;
                    assert_eq!(hashed, answer_in(&context(2, partitions), &sql).await, "{partitions}: {sql}");
                }
            }
        }
    }

    /// Otherwise all rows of the first join would be in memory.
    #[tokio::test]
    async fn a_side_with_one_row_for_each_key_is_kept_in_memory() {
        let totals =
            "(SELECT k, sum(n) AS total FROM (SELECT value AS n, value % 3 AS k FROM range(0, 99)) GROUP BY k)";
        let tables = [
            (format!("{totals} AS few"), true),
            (format!("(SELECT * FROM {totals} WHERE total > 9) AS few"), true),
            (format!("(SELECT total, k FROM {totals} ORDER BY total LIMIT 2) AS few"), true),
            ("(SELECT k, n AS total FROM (SELECT value AS n, value % 3 AS k FROM range(0, 99)) GROUP BY k, n) AS few".to_owned(), false),
        ];
        for (few, is_kept) in tables {
            for (partitions, condition) in [(1, ""), (2, ""), (1, " AND total < 9 * n"), (2, " AND total < 9 * n")] {
                let sql = format!("SELECT few.k, total, n FROM {few} JOIN {MANY} ON few.k = many.k{condition}");
                let rows = |sql: &str| format!("SELECT count(*), sum(total), sum(n), sum(k) FROM ({sql})");
                let other = format!("SELECT few.k, total, n FROM {MANY} JOIN {few} ON few.k = many.k{condition}");
                let context = context(0, partitions);
                assert_eq!(answer_in(&context, &rows(&sql)).await, answer_in(&context, &rows(&other)).await);
                let plan = plan(&sql, 0, partitions).await;
                let (_, below) = plan.split_once("SortMergeJoinExec").expect("a merge");
                // The nodes of the first side come first.
                let reads_many_first = below.find("% 7") < below.find("AggregateExec");
                assert_eq!(reads_many_first, is_kept && condition.is_empty(), "{partitions}: {few}: {plan}");
            }
        }
    }

    #[tokio::test]
    async fn datafusion_still_fails_with_conditions() {
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
