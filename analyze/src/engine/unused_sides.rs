//! Leaves out the second side of a left join if nothing reads it and it has at most one row for each row of the first.
//!
//! The view `site_access` takes three of its columns from `policies`. DataFusion 55.2 joins them also for a statement that
//! reads only the others, although the rows stay the same. Measured over 9.96 million captures: `SELECT agent, count(*)
//! FROM site_access WHERE access = 'none' GROUP BY agent` takes 10 CPU seconds instead of 35.

use crate::catalog::folder_table::FolderTable;
use crate::catalog::provider::provider_of;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{JoinType, Result};
use datafusion::logical_expr::{Expr, Join, LogicalPlan};
use datafusion::optimizer::optimizer::ApplyOrder;
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};

/// Columns that differ in all rows of a table, also of several crawls, since a body has the number of its part.
const KEYS: [(&str, &[&str]); 2] = [("policies", &["body_id", "token"]), ("bodies", &["body_id"])];

/// The optimizer rule.
#[derive(Debug)]
pub(super) struct LeaveOutUnusedSides;

impl OptimizerRule for LeaveOutUnusedSides {
    fn name(&self) -> &'static str {
        "leave_out_unused_sides"
    }

    fn apply_order(&self) -> Option<ApplyOrder> {
        Some(ApplyOrder::BottomUp)
    }

    fn rewrite(&self, plan: LogicalPlan, _config: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        if let LogicalPlan::Projection(_) | LogicalPlan::Aggregate(_) = &plan
            && let [LogicalPlan::Join(join)] = plan.inputs().as_slice()
            && join.join_type == JoinType::Left
            && has_one_match(join)
        {
            let expressions = plan.expressions();
            let mut read = expressions.iter().flat_map(Expr::column_refs);
            if read.all(|column| join.left.schema().has_column(column)) {
                let left = vec![join.left.as_ref().clone()];
                return Ok(Transformed::yes(plan.with_new_exprs(expressions, left)?));
            }
        }
        Ok(Transformed::no(plan))
    }
}

/// Whether no row of the first side of a join has two matches.
fn has_one_match(join: &Join) -> bool {
    let compared = join.on.iter().filter_map(|(_, right)| right.try_as_col()).map(|column| column.name.as_str());
    let compared: Vec<&str> = compared.collect();
    has_different(&join.right, &compared)
}

/// Whether some columns differ in all rows of a plan.
fn has_different(plan: &LogicalPlan, columns: &[&str]) -> bool {
    match plan {
        LogicalPlan::TableScan(scan) => {
            let is_key_of_table = |(table, key): &(&str, &[&str])| {
                *table == scan.table_name.table() && key.iter().all(|name| columns.contains(name))
            };
            provider_of::<FolderTable>(scan).is_some() && KEYS.iter().any(is_key_of_table)
        }
        LogicalPlan::Filter(filter) => has_different(&filter.input, columns),
        LogicalPlan::SubqueryAlias(alias) => has_different(&alias.input, columns),
        LogicalPlan::Projection(projection) => {
            // Without those that have other names or values there.
            let is_same = |name: &&str| {
                projection.expr.iter().any(|expr| expr.try_as_col().is_some_and(|column| column.name == *name))
            };
            has_different(&projection.input, &columns.iter().copied().filter(is_same).collect::<Vec<_>>())
        }
        _ => false,
    }
}
