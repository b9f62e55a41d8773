//! Which texts no crawled file can choose: words of fixed lists, names of crawls, what a statement says itself.
//!
//! Nobody can aim at how they are hashed, so they need no key. Where it is not plain where a text comes from, it needs
//! one.

use datafusion::common::Column;
use datafusion::common::tree_node::TreeNode as _;
use datafusion::logical_expr::logical_plan::{Aggregate, Join, TableScan};
use datafusion::logical_expr::{Distinct, Expr, LogicalPlan};

/// Where the texts of a column of a table come from.
#[derive(Debug)]
pub enum Origin<'p> {
    /// A list that no crawled file adds to.
    Trusted,
    /// Perhaps a crawled file.
    Untrusted,
    /// The column at this place of another plan, which the table stands for.
    Plan(&'p LogicalPlan, usize),
}

/// Tells the origin of a column, by its place among all columns of the table.
pub type OriginOf = fn(&TableScan, usize) -> Origin<'_>;

/// Whether the values of an expression over the rows of a plan are made of trusted texts alone.
///
/// Of such texts a file can choose one; of what a row makes of several of them it can choose as many as there are
/// combinations, which is few. A list of all texts of a group would be another matter.
pub(super) fn is_trusted(expression: &Expr, input: &LogicalPlan, origin_of: OriginOf) -> bool {
    let is_plain = expression.exists(|part| Ok(is_opaque(part))).is_ok_and(|is_opaque| !is_opaque);
    is_plain
        && !expression.is_volatile()
        && expression.column_refs().iter().all(|column| has_trusted(input, column, origin_of))
}

/// Whether columns do not tell what it is made of.
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

/// Whether a column of a plan is made of trusted texts, by its place.
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
        // The columns of windows stand behind those of the input.
        LogicalPlan::Window(plan) => {
            place < plan.input.schema().fields().len() && is_trusted_at(&plan.input, place, origin_of)
        }
        LogicalPlan::Aggregate(plan) => is_trusted_group(plan, place, origin_of),
        LogicalPlan::Join(plan) => is_trusted_side(plan, place, origin_of),
        LogicalPlan::Union(plan) => plan.inputs.iter().all(|input| is_trusted_at(input, place, origin_of)),
        // Without a row there is no text of anybody's.
        LogicalPlan::EmptyRelation(plan) => !plan.produce_one_row,
        LogicalPlan::Values(plan) => {
            let mut rows = plan.values.iter();
            rows.all(|row| row.get(place).is_some_and(|value| matches!(value, Expr::Literal(..))))
        }
        _ => false,
    }
}

/// Only what rows are grouped by. An aggregate may gather the texts of all rows of a group.
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
        // The mark of a semi-join is of neither.
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
