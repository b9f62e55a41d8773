//! The order and the constants of rows of `ROLLUP`, `CUBE` and `GROUPING SETS`.
//!
//! In some of these rows a key is null. DataFusion 55.2 still states of the keys what it knows of the input: their
//! order, which are the same in all rows, and which are equal. Then needed sorts were left out, and groups came twice.
//! Measured: `GROUP BY CUBE (tier, byte_offset)` of violations of one tier gave 104,216 rows with two threads, and
//! 79,424 with one. So a node is added above such a grouping that states none of this.

use super::join_order::with_known;
use super::stated::{PlannedRows, StatedFact, StatedRows};
use datafusion::common::Result;
use datafusion::physical_expr::EquivalenceProperties;
use datafusion::physical_plan::PlanProperties;
use datafusion::physical_plan::aggregates::AggregateExec;
use std::sync::Arc;

/// The same grouping below a node that states nothing about the values of its rows.
pub(super) fn hide_for_grouping_sets(groups: &AggregateExec) -> Result<Option<PlannedRows>> {
    if !groups.group_expr().has_grouping_set() {
        return Ok(None);
    }
    Ok(Some(Arc::new(StatedRows::new(Arc::new(groups.clone()), NoValues))))
}

/// States nothing about the values of rows.
#[derive(Clone, Debug)]
struct NoValues;

impl StatedFact for NoValues {
    const NAME: &'static str = "HiddenKeys";
    const HOLDS_FOR_COLUMNS: bool = true;

    fn properties(&self, rows: &PlannedRows) -> PlanProperties {
        with_known(rows, EquivalenceProperties::new(rows.schema()))
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::fixture::answer_with;
    use crate::engine::physical_rules::physical_rules;
    use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
    use datafusion::prelude::SessionConfig;

    /// The key `k` is the same in all rows of the input.
    const STATEMENTS: [&str; 3] = [
        "SELECT k, x, count(*) AS n FROM (SELECT 'a' AS k, value % 9 AS x FROM range(0, 40)) GROUP BY CUBE (x, k) \
         ORDER BY k NULLS FIRST, x",
        "SELECT k, x, count(*) AS groups FROM (SELECT k, x, count(*) AS n FROM \
         (SELECT 'a' AS k, value % 9 AS x FROM range(0, 40)) GROUP BY GROUPING SETS ((k, x), (x), ())) \
         GROUP BY k, x ORDER BY k NULLS LAST, x",
        "SELECT x, y, count(*) AS n FROM (SELECT value % 9 AS x, value % 9 AS y FROM range(0, 40) ORDER BY x LIMIT 99) \
         WHERE x = y GROUP BY ROLLUP (x, y) ORDER BY x, y",
    ];

    async fn answer(sql: &str, optimizer: PhysicalOptimizer, partitions: usize) -> String {
        let config = SessionConfig::new().with_target_partitions(partitions).with_batch_size(2);
        answer_with(optimizer.rules, config, sql).await
    }

    /// The same statement over columns without an order or a constant that DataFusion sees.
    fn over_unknown(sql: &str) -> String {
        sql.replace("'a' AS k", "substr('abc', 1, 1 + CAST(0 * random() AS int)) AS k")
            .replace(" ORDER BY x LIMIT 99", "")
    }

    #[tokio::test]
    async fn keys_that_may_be_null_have_no_order_and_no_constant() {
        for sql in STATEMENTS {
            let expected = answer(&over_unknown(sql), PhysicalOptimizer::with_rules(physical_rules()), 1).await;
            for partitions in [1, 2] {
                assert_eq!(
                    answer(sql, PhysicalOptimizer::with_rules(physical_rules()), partitions).await,
                    expected,
                    "{sql}"
                );
            }
        }
    }

    /// When this fails, DataFusion has been fixed.
    #[tokio::test]
    async fn datafusion_still_needs_this() {
        let sql = STATEMENTS[0];
        let expected = answer(&over_unknown(sql), PhysicalOptimizer::with_rules(physical_rules()), 1).await;
        assert_ne!(answer(sql, PhysicalOptimizer::new(), 1).await, expected);
    }
}
