//! Rankings whose first rows must not be computed without the others.
//!
//! If a condition keeps the first rows of each stratum of a ranking, such as `row_number() OVER (…) <= 3`, a rule of
//! DataFusion 55.2 drops the others before they are ranked. That is wrong in four cases, and a node keeps the rule from
//! finding the ranking:
//!
//! - Another function reads the rows that are dropped: `lead` in the same window, or a sum with the rows of the same
//!   place.
//! - No key orders the rows within a stratum, or a key occurs twice. Then the statement panics.
//! - The ranking has another place among the columns of the condition than among those of the window.
//! - The condition is `< 1`, which keeps no row. Then the statement panics.

use super::stated::{PlannedRows, StatedFact, StatedRows};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{HashSet, Result, ScalarValue};
use datafusion::logical_expr::Operator;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::{BinaryExpr, Column, Literal};
use datafusion::physical_expr::utils::collect_columns;
use datafusion::physical_plan::filter::{FilterExec, FilterExecBuilder};
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::repartition::RepartitionExec;
use datafusion::physical_plan::windows::BoundedWindowAggExec;
use std::sync::Arc;

/// The same condition on a node above the window, if the rule would be wrong for it.
pub(super) fn keep_all_rows(filter: &FilterExec) -> Result<Option<PlannedRows>> {
    let Some(FoundWindow { window, column, is_same_column }) = window_below(filter) else { return Ok(None) };
    let ranking = column.checked_sub(window.input().schema().fields().len());
    let ranking = ranking.and_then(|place| window.window_expr().get(place));
    let is_found = ranking.is_some_and(|ranking| !ranking.partition_by().is_empty());
    if !is_found || (is_same_column && has_one_ranking(window) && !is_below_one(filter.predicate())) {
        return Ok(None);
    }
    let rows: PlannedRows = Arc::new(StatedRows::new(Arc::clone(filter.input()), AllRows));
    let filter = FilterExecBuilder::from(filter).with_input(rows).build()?;
    Ok(Some(Arc::new(filter)))
}

/// The window that the rule finds below a condition, and the column that it takes for one of the window.
struct FoundWindow<'p> {
    window: &'p BoundedWindowAggExec,
    column: usize,
    /// Whether the condition reads that column of the window.
    is_same_column: bool,
}

fn window_below(filter: &FilterExec) -> Option<FoundWindow<'_>> {
    let columns: Vec<Column> = collect_columns(filter.predicate()).into_iter().collect();
    let [column] = columns.as_slice() else { return None };
    let column = column.index();
    let mut is_same_column = true;
    let mut below = filter.input();
    loop {
        if let Some(window) = below.downcast_ref::<BoundedWindowAggExec>() {
            return Some(FoundWindow { window, column, is_same_column });
        }
        if let Some(projection) = below.downcast_ref::<ProjectionExec>() {
            let read = projection.expr().get(column).and_then(|read| read.expr.downcast_ref::<Column>());
            is_same_column &= read.is_some_and(|read| read.index() == column);
        } else if !below.is::<RepartitionExec>() {
            return None;
        }
        below = below.children().first()?;
    }
}

/// Whether a condition is `n < 1` or `1 > n`. It may also be their opposite, which the rule does not look at.
fn is_below_one(condition: &Arc<dyn PhysicalExpr>) -> bool {
    let Some(comparison) = condition.downcast_ref::<BinaryExpr>() else { return false };
    let one = ScalarValue::UInt64(Some(1));
    let is_one = |side: &Arc<dyn PhysicalExpr>| {
        side.downcast_ref::<Literal>()
            .is_some_and(|side| side.value().cast_to(&DataType::UInt64).is_ok_and(|n| n == one))
    };
    matches!(comparison.op(), Operator::Lt | Operator::Gt) && (is_one(comparison.left()) || is_one(comparison.right()))
}

/// Whether a window has a single function, with an order and without repeated keys.
fn has_one_ranking(window: &BoundedWindowAggExec) -> bool {
    let [only] = window.window_expr() else { return false };
    let ordered = only.order_by().iter().map(|key| &key.expr);
    let keys: Vec<&Arc<dyn PhysicalExpr>> = only.partition_by().iter().chain(ordered).collect();
    let distinct: HashSet<_> = keys.iter().collect();
    !only.order_by().is_empty() && distinct.len() == keys.len()
}

/// States what its rows state. The rule does not look below it.
#[derive(Clone, Debug)]
struct AllRows;

impl StatedFact for AllRows {
    const NAME: &'static str = "AllRows";
    const HOLDS_FOR_COLUMNS: bool = true;
}

#[cfg(test)]
mod tests {
    use crate::engine::fixture::answer_with;
    use crate::engine::physical_rules::physical_rules;
    use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
    use datafusion::prelude::SessionConfig;

    /// Rankings of rows with two keys. Each stratum has several rows.
    const RANKINGS: [&str; 6] = [
        "row_number() OVER (PARTITION BY p ORDER BY o, n) AS place, \
         lead(o) OVER (PARTITION BY p ORDER BY o, n) AS other",
        "rank() OVER (PARTITION BY p ORDER BY o) AS place, sum(o) OVER (PARTITION BY p ORDER BY o \
         ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING) AS other",
        "row_number() OVER (PARTITION BY p ORDER BY o) AS place, count(*) OVER (PARTITION BY p ORDER BY o) AS other",
        "row_number() OVER (PARTITION BY p) AS place, 0 AS other",
        "rank() OVER (PARTITION BY p ORDER BY p) AS place, 0 AS other",
        "row_number() OVER (PARTITION BY p, p ORDER BY o, n) AS place, o AS other",
    ];

    async fn answer(sql: &str, optimizer: PhysicalOptimizer, keeps_first_rows: bool) -> String {
        let mut config = SessionConfig::new().with_target_partitions(2);
        config.options_mut().optimizer.enable_window_topn = keeps_first_rows;
        answer_with(optimizer.rules, config, sql).await
    }

    fn statement(ranking: &str) -> String {
        format!(
            "SELECT p, place, other, count(o) AS o, count(n) AS n FROM (SELECT p, o, n, {ranking} FROM \
             (SELECT value % 3 AS p, value / 3 % 4 AS o, value AS n FROM range(0, 40))) \
             WHERE place <= 2 GROUP BY p, place, other ORDER BY p, place, other"
        )
    }

    #[tokio::test]
    async fn first_rows_of_rankings_are_computed_with_all_rows() {
        for ranking in RANKINGS {
            let sql = statement(ranking);
            let expected = answer(&sql, PhysicalOptimizer::new(), false).await;
            assert_eq!(
                answer(&sql, PhysicalOptimizer::with_rules(physical_rules()), true).await,
                expected,
                "{ranking}"
            );
        }
    }

    #[tokio::test]
    async fn a_condition_may_keep_no_row() {
        for condition in ["place < 1", "1 > place"] {
            let sql = statement("row_number() OVER (PARTITION BY p ORDER BY o, n) AS place, o AS other");
            let sql = sql.replace("place <= 2", condition);
            let rows = answer(&sql, PhysicalOptimizer::with_rules(physical_rules()), true).await;
            assert_eq!(rows, answer(&sql, PhysicalOptimizer::new(), false).await, "{condition}");
        }
    }

    /// Otherwise a ranking would sort all rows.
    #[tokio::test]
    async fn a_single_ranking_keeps_only_first_rows() {
        let sql = statement("row_number() OVER (PARTITION BY p ORDER BY o, n) AS place, o AS other");
        let plan = answer(&format!("EXPLAIN {sql}"), PhysicalOptimizer::with_rules(physical_rules()), true).await;
        assert!(plan.contains("PartitionedTopK"), "{plan}");
    }

    /// When this fails, DataFusion has been fixed.
    #[tokio::test]
    async fn datafusion_still_needs_this() {
        for ranking in &RANKINGS[..3] {
            let sql = statement(ranking);
            let expected = answer(&sql, PhysicalOptimizer::new(), false).await;
            assert_ne!(answer(&sql, PhysicalOptimizer::new(), true).await, expected, "{ranking}");
        }
    }
}
