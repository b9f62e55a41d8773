//! How many rows a file of the user has, nearly.
//!
//! Files of CSV and JSON do not state it. DataFusion 55.2 then keeps the order of a join, in which a list of a few hosts
//! is often the second side, and so keeps all sites in memory: 1.1 GB for each of two joins of 8.8 million sites with a
//! list of 26,000 hosts.

use super::stated::{PlannedRows, restated};
use datafusion::common::Result;
use datafusion::common::stats::Precision;
use datafusion::datasource::listing::PartitionedFile;
use datafusion::datasource::source::DataSourceExec;

/// The bytes of a row such as `1,example.com`. Few files have less.
const BYTES_OF_ROW: u64 = 16;

/// The same scan with an estimate, if it states no number of rows.
pub(super) fn estimate_rows(scan: &DataSourceExec) -> Result<Option<PlannedRows>> {
    restated(scan, |config, statistics| {
        let is_unknown = statistics.num_rows == Precision::Absent;
        if is_unknown {
            let bytes = |file: &PartitionedFile| {
                file.range.as_ref().map_or(file.object_meta.size, |range| range.end.abs_diff(range.start))
            };
            let bytes: u64 = config.file_groups.iter().flat_map(|group| group.files()).map(bytes).sum();
            statistics.num_rows = Precision::Inexact(usize::try_from(bytes / BYTES_OF_ROW).unwrap_or(usize::MAX));
        }
        is_unknown
    })
}

#[cfg(test)]
mod tests {
    use crate::engine::fixture::{answer_in, context_with};
    use crate::engine::physical_rules::physical_rules;
    use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
    use datafusion::prelude::SessionConfig;

    /// The plan of a join of many sites with a short list.
    async fn plan(by_ours: bool, ending: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let (sites, list) = (path("sites.parquet"), path(&format!("list.{ending}")));
        let rules = if by_ours { physical_rules() } else { PhysicalOptimizer::new().rules };
        let context = context_with(rules, SessionConfig::new().with_target_partitions(1));
        for statement in [
            format!("COPY (SELECT CAST(value AS varchar) AS host FROM generate_series(1, 9999)) TO '{sites}'"),
            format!("COPY (SELECT '7' AS host, 1 AS rank UNION ALL SELECT '8', 2) TO '{list}'"),
            format!("CREATE EXTERNAL TABLE sites STORED AS parquet LOCATION '{sites}'"),
            format!("CREATE EXTERNAL TABLE list STORED AS {ending} LOCATION '{list}'"),
        ] {
            answer_in(&context, &statement).await;
        }
        let ranks = "SELECT host, min(rank) AS rank FROM list GROUP BY host";
        let sql = format!("EXPLAIN SELECT s.host, h.rank FROM sites AS s LEFT JOIN ({ranks}) AS h ON h.host = s.host");
        answer_in(&context, &sql).await
    }

    #[tokio::test]
    async fn a_short_list_is_kept_in_memory() {
        for ending in ["csv", "json"] {
            let plan = plan(true, ending).await;
            assert!(plan.contains("join_type=Right"), "{plan}");
        }
    }

    /// When this fails, DataFusion knows the sizes of such files.
    #[tokio::test]
    async fn datafusion_still_needs_this() {
        let plan = plan(false, "csv").await;
        assert!(plan.contains("join_type=Left"), "{plan}");
    }
}
