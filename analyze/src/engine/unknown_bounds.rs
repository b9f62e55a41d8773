//! The least and greatest values of columns for which a file states none.
//!
//! DataFusion 55.2 states null for them. A union takes that for less than any value, so beside a part with the values 0
//! to 2, the greatest value would be 2 instead of unknown. A condition such as `> 1` then makes the column the same in
//! all rows, and an `ORDER BY` of it is dropped.

use super::stated::{PlannedRows, restated};
use datafusion::common::Result;
use datafusion::common::stats::Precision;
use datafusion::datasource::source::DataSourceExec;

/// The same scan, if it stated such bounds.
pub(super) fn leave_out_bounds(scan: &DataSourceExec) -> Result<Option<PlannedRows>> {
    restated(scan, |_, statistics| {
        let mut is_any = false;
        for column in &mut statistics.column_statistics {
            for bound in [&mut column.min_value, &mut column.max_value] {
                if matches!(bound, Precision::Inexact(value) if value.is_null()) {
                    *bound = Precision::Absent;
                    is_any = true;
                }
            }
        }
        is_any
    })
}

#[cfg(test)]
mod tests {
    use crate::engine::fixture::{answer_in, context_with};
    use crate::engine::physical_rules::physical_rules;
    use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
    use datafusion::prelude::SessionConfig;

    /// The statuses from the greatest to the least, of a file without their statistics.
    async fn answer(by_ours: bool) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("statuses.parquet").display().to_string();
        let rules = if by_ours { physical_rules() } else { PhysicalOptimizer::new().rules };
        let context = context_with(rules, SessionConfig::new().with_target_partitions(1));
        let copied = format!(
            "COPY (SELECT 1 AS id, 404 AS status UNION ALL SELECT 2, 503) TO '{path}'
            OPTIONS ('format.statistics_enabled::status' 'none')"
        );
        answer_in(&context, &copied).await;
        answer_in(&context, &format!("CREATE EXTERNAL TABLE statuses STORED AS PARQUET LOCATION '{path}'")).await;
        let all = "SELECT id, status FROM statuses UNION ALL SELECT 0, 0 ORDER BY id, status LIMIT 50";
        answer_in(&context, &format!("SELECT * FROM ({all}) WHERE status >= 0 ORDER BY status DESC LIMIT 1")).await
    }

    #[tokio::test]
    async fn a_union_with_them_has_unknown_bounds() {
        assert!(answer(true).await.contains("| 2  | 503 "));
    }

    /// When this fails, DataFusion has been fixed.
    #[tokio::test]
    async fn datafusion_still_needs_this() {
        assert!(!answer(false).await.contains("| 2  | 503 "));
    }
}
