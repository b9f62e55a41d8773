//! Conditions that are pushed towards the files by the names of columns.
//!
//! Most nodes of DataFusion 55.2 pass a condition on by the name of its column. If two columns of a join have the same
//! name, such as `crawl`, the condition can end up on the other one. Measured: a `LEFT JOIN` with the condition
//! `b.crawl IS DISTINCT FROM 'C'` gave no rows, and DuckDB 400. So nodes are added that only let conditions pass whose
//! columns have names that no other column has. After the rule they are removed.
//!
//! A second rule pushes what a node learns while it runs, such as the least row that a `LIMIT` still needs. It is left
//! out if a name occurs twice, since it runs on a finished plan, whose nodes must not be made anew.

use super::stated::{PlannedRows, StatedFact, StatedRows};
use datafusion::arrow::datatypes::Schema;
use datafusion::common::Result;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode as _};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::filter::FilterExec;
use std::collections::HashSet;
use std::sync::Arc;

/// The rule for finished plans, left out if a name occurs twice.
#[derive(Debug)]
pub(super) struct PushIfNamesAreUnique(pub(super) Arc<dyn PhysicalOptimizerRule + Send + Sync>);

impl PhysicalOptimizerRule for PushIfNamesAreUnique {
    fn optimize(&self, plan: PlannedRows, config: &ConfigOptions) -> Result<PlannedRows> {
        if plan.exists(|node| Ok(has_repeated_names(node)))? { Ok(plan) } else { self.0.optimize(plan, config) }
    }

    fn name(&self) -> &str {
        self.0.name()
    }

    fn schema_check(&self) -> bool {
        self.0.schema_check()
    }
}

/// A rule that pushes conditions, without its mistake.
#[derive(Debug)]
pub(super) struct PushByUniqueNames(pub(super) Arc<dyn PhysicalOptimizerRule + Send + Sync>);

impl PhysicalOptimizerRule for PushByUniqueNames {
    fn optimize(&self, plan: PlannedRows, config: &ConfigOptions) -> Result<PlannedRows> {
        let add = |node: PlannedRows| {
            Ok(match has_repeated_names(&node) {
                true => Transformed::yes(Arc::new(StatedRows::new(node, UniqueNames)) as PlannedRows),
                false => Transformed::no(node),
            })
        };
        let guarded = plan.transform_up(add)?;
        let pushed = self.0.optimize(guarded.data, config)?;
        if !guarded.transformed {
            return Ok(pushed);
        }
        let remove = |node: PlannedRows| {
            Ok(match node.downcast_ref::<StatedRows<UniqueNames>>() {
                Some(added) => Transformed::yes(Arc::clone(added.rows())),
                None => Transformed::no(node),
            })
        };
        Ok(pushed.transform_up(remove)?.data)
    }

    fn name(&self) -> &str {
        self.0.name()
    }

    fn schema_check(&self) -> bool {
        self.0.schema_check()
    }
}

fn has_repeated_names(node: &PlannedRows) -> bool {
    uniquely_named(node).len() < node.schema().fields().len()
}

/// The columns of a node whose name no other column has. A condition with a projection passes the conditions that it
/// takes over to its input by name, too.
pub(super) fn uniquely_named(node: &PlannedRows) -> HashSet<usize> {
    let schema = node.schema();
    let repeated_in = |schema: &Schema| {
        let mut seen = HashSet::new();
        schema.fields().iter().map(|field| field.name().clone()).filter(|name| !seen.insert(name.clone())).collect()
    };
    let mut repeated: HashSet<String> = repeated_in(&schema);
    if let Some(filter) = node.downcast_ref::<FilterExec>() {
        repeated.extend(repeated_in(&filter.input().schema()));
    }
    let fields = schema.fields().iter().enumerate();
    fields.filter(|(_, field)| !repeated.contains(field.name())).map(|(place, _)| place).collect()
}

/// States what its rows state.
#[derive(Clone, Debug)]
struct UniqueNames;

impl StatedFact for UniqueNames {
    const NAME: &'static str = "UniqueNames";
    const HOLDS_FOR_COLUMNS: bool = true;
}

#[cfg(test)]
mod tests {
    use crate::engine::fixture::answer_with;
    use crate::engine::physical_rules::physical_rules;
    use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
    use datafusion::prelude::SessionConfig;

    async fn answer(sql: &str, optimizer: PhysicalOptimizer) -> String {
        let config = SessionConfig::new().with_target_partitions(2);
        answer_with(optimizer.rules, config, sql).await
    }

    /// Both sides have a column `k`. Seven of the ten rows have no match, so their `a.k` is null.
    fn statement(kind: &str, (first, second): (&str, &str), columns: &str) -> String {
        let side = |name: &str| match name {
            "a" => "(SELECT value AS n, value % 1 AS k FROM range(0, 3) WHERE value < 3) AS a",
            _ => "(SELECT value AS n, value % 1 AS k FROM range(0, 10) WHERE value < 10) AS b",
        };
        let (first, second) = (side(first), side(second));
        format!(
            "SELECT count(n) AS rows, max(k) AS k, count(l) AS others FROM \
             (SELECT {columns} FROM {first} {kind} JOIN {second} ON a.n = b.n \
             WHERE a.k IS DISTINCT FROM 0)"
        )
    }

    #[tokio::test]
    async fn conditions_stay_on_their_column() {
        for columns in ["b.n, b.k, a.k AS l", "a.k AS l, b.k, b.n"] {
            for (kind, sides) in [("LEFT", ("b", "a")), ("RIGHT", ("a", "b")), ("FULL", ("a", "b"))] {
                let sql = statement(kind, sides, columns);
                let rows = answer(&sql, PhysicalOptimizer::with_rules(physical_rules())).await;
                assert!(rows.contains("| 7    | 0 | 0      |"), "{sql}: {rows}");
            }
        }
    }

    /// When this fails, DataFusion has been fixed.
    #[tokio::test]
    async fn datafusion_still_needs_this() {
        let sql = statement("RIGHT", ("a", "b"), "b.n, b.k, a.k AS l");
        assert!(!answer(&sql, PhysicalOptimizer::new()).await.contains("| 7    |"));
    }
}
