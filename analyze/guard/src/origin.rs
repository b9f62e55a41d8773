//! Finds the texts that no crawled file can choose: words of fixed lists, names of crawls, literals of a statement.
//!
//! No file can make them collide, so they need no key. A text of unknown origin needs one.

use datafusion::common::Column;
use datafusion::common::tree_node::TreeNode as _;
use datafusion::logical_expr::logical_plan::{Aggregate, Join, TableScan};
use datafusion::logical_expr::{Distinct, Expr, LogicalPlan};

/// Where the texts of a column of a table come from.
#[derive(Debug)]
pub enum Origin<'p> {
    /// From a list that no crawled file adds to.
    Trusted,
    /// Perhaps from a crawled file.
    Untrusted,
    /// From the column with this index of another plan, whose rows the table has.
    Plan(&'p LogicalPlan, usize),
}

/// Returns the origin of a column, by its index among all columns of the table.
pub type OriginOf = fn(&TableScan, usize) -> Origin<'_>;

/// Whether an expression over the rows of a plan reads only trusted texts of its row.
///
/// The number of such values is limited by the number of combinations of trusted texts, which is small. An aggregate is
/// never trusted: a list of all texts of a group can have any number of values.
pub(super) fn is_trusted(expression: &Expr, input: &LogicalPlan, origin_of: OriginOf) -> bool {
    let is_plain = expression.exists(|part| Ok(is_opaque(part))).is_ok_and(|is_opaque| !is_opaque);
    is_plain
        && !expression.is_volatile()
        && expression.column_refs().iter().all(|column| has_trusted(input, column, origin_of))
}

/// Whether an expression has values that do not come from its columns.
fn is_opaque(part: &Expr) -> bool {
    matches!(
        part,
        Expr::ScalarSubquery(_)
            | Expr::OuterReferenceColumn(..)
            | Expr::Placeholder(_)
            | Expr::AggregateFunction(_)
            | Expr::WindowFunction(_)
            | Expr::GroupingSet(_)
    )
}

fn has_trusted(plan: &LogicalPlan, column: &Column, origin_of: OriginOf) -> bool {
    plan.schema().index_of_column(column).is_ok_and(|place| is_trusted_at(plan, place, origin_of))
}

/// Whether the column with this index of a plan has only trusted texts.
fn is_trusted_at(plan: &LogicalPlan, place: usize, origin_of: OriginOf) -> bool {
    match plan {
        LogicalPlan::TableScan(scan) => is_read_trusted(scan, place, origin_of),
        LogicalPlan::Projection(plan) => {
            plan.expr.get(place).is_some_and(|made| is_trusted(made, &plan.input, origin_of))
        }
        LogicalPlan::Filter(plan) => is_trusted_at(&plan.input, place, origin_of),
        LogicalPlan::Sort(plan) => is_trusted_at(&plan.input, place, origin_of),
        LogicalPlan::Limit(plan) => is_trusted_at(&plan.input, place, origin_of),
        LogicalPlan::Repartition(plan) => is_trusted_at(&plan.input, place, origin_of),
        LogicalPlan::SubqueryAlias(plan) => is_trusted_at(&plan.input, place, origin_of),
        LogicalPlan::Distinct(Distinct::All(input)) => is_trusted_at(input, place, origin_of),
        // The columns of windows follow those of the input.
        LogicalPlan::Window(plan) => {
            place < plan.input.schema().fields().len() && is_trusted_at(&plan.input, place, origin_of)
        }
        LogicalPlan::Aggregate(plan) => is_trusted_group(plan, place, origin_of),
        LogicalPlan::Join(plan) => is_trusted_side(plan, place, origin_of),
        LogicalPlan::Union(plan) => plan.inputs.iter().all(|input| is_trusted_at(input, place, origin_of)),
        // Without rows there are no texts.
        LogicalPlan::EmptyRelation(plan) => !plan.produce_one_row,
        LogicalPlan::Values(plan) => {
            let mut rows = plan.values.iter();
            rows.all(|row| row.get(place).is_some_and(|value| matches!(value, Expr::Literal(..))))
        }
        _ => false,
    }
}

/// Whether the column is a trusted key of the groups. An aggregate can collect the texts of all rows of a group.
fn is_trusted_group(plan: &Aggregate, place: usize, origin_of: OriginOf) -> bool {
    plan.group_expr.get(place).is_some_and(|group| is_trusted(group, &plan.input, origin_of))
}

fn is_trusted_side(plan: &Join, place: usize, origin_of: OriginOf) -> bool {
    let (qualifier, field) = plan.schema.qualified_field(place);
    let column = Column::new(qualifier.cloned(), field.name());
    let is_of = |side: &LogicalPlan| side.schema().index_of_column(&column).is_ok();
    match (is_of(&plan.left), is_of(&plan.right)) {
        (true, false) => has_trusted(&plan.left, &column, origin_of),
        (false, true) => has_trusted(&plan.right, &column, origin_of),
        // The mark column of a mark join belongs to neither side.
        _ => false,
    }
}

fn is_read_trusted(scan: &TableScan, place: usize, origin_of: OriginOf) -> bool {
    let place = scan.projection.as_ref().map_or(Some(place), |projection| projection.get(place).copied());
    match place.map(|place| origin_of(scan, place)) {
        Some(Origin::Trusted) => true,
        Some(Origin::Untrusted) | None => false,
        Some(Origin::Plan(plan, place)) => is_trusted_at(plan, place, origin_of),
    }
}
