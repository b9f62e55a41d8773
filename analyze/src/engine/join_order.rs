//! The order of the rows of joins.
//!
//! DataFusion 55.2 states that the rows of a join have the order of the side that is read row by row, and then that of
//! the other side. The latter is false if several rows of the first side have the same place in its order: each of them
//! repeats the rows of the other side. Then a needed sort was left out, and groups that were taken for sorted came
//! twice. So nodes are added that hide the order of the other side:
//!
//! - below a hash join, above the side that is kept in memory;
//! - above a merge, whose sides both have to be sorted.
//!
//! This waits for [apache/datafusion#25052](https://github.com/apache/datafusion/issues/25052).

use super::stated::{PlannedRows, Stated, Statement};
use datafusion::common::{JoinType, Result};
use datafusion::physical_expr::EquivalenceProperties;
use datafusion::physical_plan::joins::{HashJoinExec, SortMergeJoinExec};
use datafusion::physical_plan::{ExecutionPlanProperties as _, PlanProperties};
use std::sync::Arc;

/// The same join of a first side whose order is hidden.
pub(super) fn hide_order(join: &HashJoinExec) -> Result<Option<PlannedRows>> {
    // Only for these does DataFusion add the order of the first side to that of the second.
    if !matches!(join.join_type(), JoinType::Inner | JoinType::Right) {
        return Ok(None);
    }
    let left: PlannedRows = Arc::new(Stated::new(Arc::clone(join.left()), NoOrder));
    let join = join.builder().with_new_children(vec![left, Arc::clone(join.right())])?;
    Ok(Some(join.recompute_properties().build_exec()?))
}

/// The merge below a node that states its order.
pub(super) fn state_order(merge: &SortMergeJoinExec) -> Result<Option<PlannedRows>> {
    Ok(Some(Arc::new(Stated::new(Arc::new(merge.clone()), OrderOfMerge))))
}

/// States no order.
#[derive(Clone, Debug)]
struct NoOrder;

impl Statement for NoOrder {
    const NAME: &'static str = "NoOrder";
    const HOLDS_FOR_COLUMNS: bool = true;

    fn properties(&self, rows: &PlannedRows) -> PlanProperties {
        let mut equivalences = rows.equivalence_properties().clone();
        equivalences.clear_orderings();
        with_order(rows, equivalences)
    }
}

/// States the order of the rows of a merge.
#[derive(Clone, Debug)]
struct OrderOfMerge;

impl Statement for OrderOfMerge {
    const NAME: &'static str = "OrderOfMerge";
    const HOLDS_FOR_COLUMNS: bool = false;

    fn properties(&self, rows: &PlannedRows) -> PlanProperties {
        with_order(rows, known_order(rows))
    }
}

fn with_order(rows: &PlannedRows, equivalences: EquivalenceProperties) -> PlanProperties {
    let partitioning = rows.output_partitioning().clone();
    PlanProperties::new(equivalences, partitioning, rows.pipeline_behavior(), rows.boundedness())
}

/// What is known of equal columns and of the order of rows. If they come from a merge, they have the order of the side
/// that it reads row by row.
pub(super) fn known_order(rows: &PlannedRows) -> EquivalenceProperties {
    let mut equivalences = rows.equivalence_properties().clone();
    let Some(merge) = rows.downcast_ref::<SortMergeJoinExec>() else { return equivalences };
    let side = match merge.join_type() {
        JoinType::Inner | JoinType::Left => merge.left().equivalence_properties().oeq_class().clone(),
        JoinType::Right => {
            let mut orders = merge.right().equivalence_properties().oeq_class().clone();
            if orders.add_offset(merge.left().schema().fields().len() as isize).is_err() {
                orders.clear();
            }
            orders
        }
        _ => return equivalences,
    };
    equivalences.clear_orderings();
    equivalences.add_orderings(side.iter().cloned());
    equivalences
}
