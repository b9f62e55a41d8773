//! The order of the rows of joins, and the columns that are the same in all of their rows.
//!
//! DataFusion 55.2 states too much:
//!
//! - The rows of a join have the order of the side that is read row by row, and then that of the other side. The latter
//!   is false if several rows of the first side have the same place in its order: each of them repeats the rows of the
//!   other side ([apache/datafusion#25052](https://github.com/apache/datafusion/issues/25052)).
//! - A column that is the same in all rows of a side is the same in all rows of the join. That is false if the join
//!   adds rows without a match, in which the column is null.
//!
//! Then needed sorts were left out, and groups that were taken for sorted came twice. So nodes are added that hide what
//! is false: above a side of a join, and above a merge, whose sides have to be sorted.

use super::cooperation::unpaused;
use super::stated::{PlannedRows, StatedFact, StatedRows};
use datafusion::common::{JoinType, Result};
use datafusion::physical_expr::equivalence::{EquivalenceClass, EquivalenceGroup};
use datafusion::physical_expr::expressions::{Column, Literal};
use datafusion::physical_expr::{AcrossPartitions, EquivalenceProperties, PhysicalExpr, PhysicalSortExpr};
use datafusion::physical_plan::joins::{
    HashJoinExec, NestedLoopJoinExec, NestedLoopJoinExecBuilder, SortMergeJoinExec,
};
use datafusion::physical_plan::union::UnionExec;
use datafusion::physical_plan::{ExecutionPlan as _, ExecutionPlanProperties as _, PlanProperties};
use std::sync::Arc;

/// The same join of sides that state less.
pub(super) fn hide_for_hash_join(join: &HashJoinExec) -> Result<Option<PlannedRows>> {
    // For these, DataFusion adds the order of the first side to that of the second.
    let adds_order = matches!(join.join_type(), JoinType::Inner | JoinType::Right);
    let Some((left, right)) = hidden_sides(*join.join_type(), adds_order, join.left(), join.right()) else {
        return Ok(None);
    };
    Ok(Some(join.builder().with_new_children(vec![left, right])?.recompute_properties().build_exec()?))
}

/// The same join of sides that state less.
pub(super) fn hide_for_nested_loops(join: &NestedLoopJoinExec) -> Result<Option<PlannedRows>> {
    let Some((left, right)) = hidden_sides(*join.join_type(), false, join.left(), join.right()) else {
        return Ok(None);
    };
    let builder = NestedLoopJoinExecBuilder::new(left, right, *join.join_type()).with_filter(join.filter().cloned());
    Ok(Some(Arc::new(builder.with_projection_ref(join.projection().clone()).build()?)))
}

/// A node that hides the order of rows, so that nothing above needs it.
pub(super) fn hide_order(rows: PlannedRows) -> PlannedRows {
    Arc::new(StatedRows::new(rows, HIDDEN_ORDER))
}

/// The properties that a node which hides the order of rows would state.
pub(super) fn without_order(rows: &PlannedRows) -> PlanProperties {
    HIDDEN_ORDER.properties(rows)
}

/// The same union of inputs that state less. Each input is sorted without columns that are the same in all of its rows or
/// equal to another one. If two inputs leave out different ones, DataFusion 55.2 finds no order that all rows have.
pub(super) fn hide_for_union(union: &UnionExec) -> Result<Option<PlannedRows>> {
    let of_union = union.properties().equivalence_properties();
    let schema = union.schema();
    let constants = (0..schema.fields().len()).filter(|index| {
        let column: Arc<dyn PhysicalExpr> = Arc::new(Column::new(schema.field(*index).name(), *index));
        matches!(of_union.is_expr_constant(&column), Some(AcrossPartitions::Uniform(_)))
    });
    let of_union = OnlyConstants(constants.collect());
    let states_more = |input: &PlannedRows| {
        let mut classes = input.equivalence_properties().eq_group().iter();
        classes.any(|class| class.iter().any(|equal| !of_union.holds_for(equal)))
    };
    if !union.inputs().iter().any(states_more) {
        return Ok(None);
    }
    let inputs = union.inputs().iter().map(|input| -> PlannedRows {
        match states_more(input) {
            true => Arc::new(StatedRows::new(Arc::clone(input), of_union.clone())),
            false => Arc::clone(input),
        }
    });
    UnionExec::try_new(inputs.collect()).map(Some)
}

/// The sides of a join, with nodes that hide what is false for its rows; `None` if all is true.
fn hidden_sides(
    join_type: JoinType,
    adds_order: bool,
    left: &PlannedRows,
    right: &PlannedRows,
) -> Option<(PlannedRows, PlannedRows)> {
    let (of_left, of_right) = gets_nulls(join_type);
    if !adds_order && !of_left && !of_right {
        return None;
    }
    let hide = |rows: &PlannedRows, order, constants| -> PlannedRows {
        match order || constants {
            true => Arc::new(StatedRows::new(Arc::clone(rows), Hidden { order, constants })),
            false => Arc::clone(rows),
        }
    };
    Some((hide(left, adds_order, of_left), hide(right, false, of_right)))
}

/// For each side of a join, whether its columns are null in rows without a match.
fn gets_nulls(join_type: JoinType) -> (bool, bool) {
    match join_type {
        JoinType::Left => (false, true),
        JoinType::Right => (true, false),
        JoinType::Full => (true, true),
        _ => (false, false),
    }
}

/// The merge below a node that states what is known of its rows.
pub(super) fn state_order(merge: &SortMergeJoinExec) -> Result<Option<PlannedRows>> {
    Ok(Some(Arc::new(StatedRows::new(Arc::new(merge.clone()), KnownOrder))))
}

/// Hides the order of rows, or columns that are the same in all rows.
#[derive(Clone, Debug)]
struct Hidden {
    order: bool,
    constants: bool,
}

const HIDDEN_ORDER: Hidden = Hidden { order: true, constants: false };

impl StatedFact for Hidden {
    const NAME: &'static str = "HiddenOrder";
    const HOLDS_FOR_COLUMNS: bool = true;

    fn properties(&self, rows: &PlannedRows) -> PlanProperties {
        let known = rows.equivalence_properties();
        let orders: Vec<_> = if self.order { Vec::new() } else { known.oeq_class().iter().cloned().collect() };
        with_known(rows, reduced(known, orders, |_| !self.constants))
    }
}

/// Hides which columns are equal or the same in all rows, except that these are the same in all rows.
#[derive(Clone, Debug)]
struct OnlyConstants(Vec<usize>);

impl OnlyConstants {
    fn holds_for(&self, equal: &Arc<dyn PhysicalExpr>) -> bool {
        equal.is::<Literal>() || equal.downcast_ref::<Column>().is_some_and(|column| self.0.contains(&column.index()))
    }
}

impl StatedFact for OnlyConstants {
    const NAME: &'static str = "OnlyConstants";
    const HOLDS_FOR_COLUMNS: bool = false;

    fn properties(&self, rows: &PlannedRows) -> PlanProperties {
        let known = rows.equivalence_properties();
        let class = |class: &EquivalenceClass| {
            EquivalenceClass::new(class.iter().filter(|equal| self.holds_for(equal)).cloned())
        };
        with_known(rows, with_classes(known, known.oeq_class().iter().cloned(), class))
    }
}

/// States what is known of the rows of a merge.
#[derive(Clone, Debug)]
struct KnownOrder;

impl StatedFact for KnownOrder {
    const NAME: &'static str = "KnownOrder";
    const HOLDS_FOR_COLUMNS: bool = false;

    fn properties(&self, rows: &PlannedRows) -> PlanProperties {
        with_known(rows, known_order(rows))
    }
}

/// The properties of rows with other knowledge of their values.
pub(super) fn with_known(rows: &PlannedRows, known: EquivalenceProperties) -> PlanProperties {
    let partitioning = rows.output_partitioning().clone();
    PlanProperties::new(known, partitioning, rows.pipeline_behavior(), rows.boundedness())
}

/// Which columns are equal or the same in all rows, and the order of the rows. Rows of a merge have the order of the
/// side that it reads row by row.
pub(super) fn known_order(rows: &PlannedRows) -> EquivalenceProperties {
    let known = rows.equivalence_properties();
    let Some(merge) = unpaused(rows).downcast_ref::<SortMergeJoinExec>() else { return known.clone() };
    let left_columns = merge.left().schema().fields().len();
    let orders = match merge.join_type() {
        JoinType::Inner | JoinType::Left => merge.left().equivalence_properties().oeq_class().clone(),
        JoinType::Right => {
            let mut orders = merge.right().equivalence_properties().oeq_class().clone();
            if orders.add_offset(left_columns as isize).is_err() {
                orders.clear();
            }
            orders
        }
        _ => known.oeq_class().clone(),
    };
    let (left, right) = gets_nulls(merge.join_type());
    reduced(known, orders, |column| if column < left_columns { !left } else { !right })
}

/// The same properties with these orders. Columns are only the same in all rows if `is_constant` for one that is equal.
fn reduced(
    known: &EquivalenceProperties,
    orders: impl IntoIterator<Item = impl IntoIterator<Item = PhysicalSortExpr>>,
    is_constant: impl Fn(usize) -> bool,
) -> EquivalenceProperties {
    let class = |class: &EquivalenceClass| {
        let mut columns = class.iter().filter_map(|equal| equal.downcast_ref::<Column>());
        match columns.any(|column| is_constant(column.index())) {
            true => class.clone(),
            false => EquivalenceClass::new(class.iter().filter(|equal| !equal.is::<Literal>()).cloned()),
        }
    };
    with_classes(known, orders, class)
}

/// The same properties with these orders and with a part of each class of equal values.
fn with_classes(
    known: &EquivalenceProperties,
    orders: impl IntoIterator<Item = impl IntoIterator<Item = PhysicalSortExpr>>,
    part: impl FnMut(&EquivalenceClass) -> EquivalenceClass,
) -> EquivalenceProperties {
    let mut reduced = EquivalenceProperties::new(Arc::clone(known.schema()));
    let classes = EquivalenceGroup::new(known.eq_group().iter().map(part));
    // The classes were known before, so adding them cannot fail. Without them, less is known.
    let _ = reduced.add_equivalence_group(classes);
    reduced.add_orderings(orders);
    reduced
}
