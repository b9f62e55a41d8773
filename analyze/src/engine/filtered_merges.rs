//! Merges with a condition besides their keys.
//!
//! If all joins are merges (`--sort-joins`), DataFusion 55.2 makes two mistakes:
//!
//! - The condition of an inner join reads other columns than it should
//!   ([apache/datafusion#24414](https://github.com/apache/datafusion/issues/24414)). So it is checked after the merge.
//! - The condition of an outer join is also checked for rows without a match. If it reads a column that is never null,
//!   the statement fails: "column is declared as non-nullable but contains null values". So these joins use a hash.
//!   apache/datafusion#21197 fixed it for one kind of join only.

use datafusion::common::tree_node::{Transformed, TreeNode as _};
use datafusion::common::{JoinSide, JoinType, Result, internal_err};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::filter::FilterExec;
use datafusion::physical_plan::joins::utils::JoinFilter;
use datafusion::physical_plan::joins::{HashJoinExec, PartitionMode, SortMergeJoinExec};
use std::sync::Arc;

/// The same join by a merge without a condition or by a hash; `None` if it has no condition.
pub(super) fn without_condition(merge: &SortMergeJoinExec) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    let Some(filter) = merge.filter() else { return Ok(None) };
    let (left, right) = (Arc::clone(merge.left()), Arc::clone(merge.right()));
    let on = merge.on().to_vec();
    if merge.join_type() == JoinType::Inner {
        let condition = over_output(filter, left.schema().fields().len())?;
        let options = merge.sort_options().to_vec();
        let merge = SortMergeJoinExec::try_new(left, right, on, None, JoinType::Inner, options, merge.null_equality())?;
        return Ok(Some(Arc::new(FilterExec::try_new(condition, Arc::new(merge))?)));
    }
    let join = HashJoinExec::try_new(
        left,
        right,
        on,
        merge.filter().clone(),
        &merge.join_type(),
        None,
        PartitionMode::Partitioned,
        merge.null_equality(),
        false,
    )?;
    Ok(Some(Arc::new(join)))
}

/// The condition of a join over its output: the columns of the left side, and then those of the right side.
fn over_output(filter: &JoinFilter, left_columns: usize) -> Result<Arc<dyn PhysicalExpr>> {
    let moved = Arc::clone(filter.expression()).transform(|expression| {
        let Some(column) = expression.downcast_ref::<Column>() else { return Ok(Transformed::no(expression)) };
        let place = match filter.column_indices().get(column.index()) {
            Some(of) if of.side == JoinSide::Left => of.index,
            Some(of) if of.side == JoinSide::Right => left_columns + of.index,
            _ => return internal_err!("a condition of a join reads a column of neither side"),
        };
        Ok(Transformed::yes(Arc::new(Column::new(column.name(), place)) as Arc<dyn PhysicalExpr>))
    })?;
    Ok(moved.data)
}
