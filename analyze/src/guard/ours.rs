//! Which texts are ours: words of lists that nobody outside adds to, names of crawls, what a statement says itself.
//!
//! Nobody can aim at how they are hashed, so that they need no key. Where it is not plain where a text comes from, it is not
//! ours.

use std::sync::LazyLock;

use datafusion::common::Column;
use datafusion::common::tree_node::TreeNode as _;
use datafusion::logical_expr::logical_plan::{Aggregate, Join, TableScan};
use datafusion::logical_expr::{Distinct, Expr, LogicalPlan};

use crate::catalog::is_shipped;
use crate::once::column_of_step;

/// Whether the values of an expression over the rows of a plan are made of texts of ours alone.
///
/// Of such texts a file can choose one; of what a row makes of several of them it can choose as many as there are
/// combinations, which is few. A list of all texts of a group would be another matter.
pub(super) fn is_ours(expression: &Expr, input: &LogicalPlan) -> bool {
    let is_plain = expression.exists(|part| Ok(is_opaque(part))).is_ok_and(|is_opaque| !is_opaque);
    is_plain && !expression.is_volatile() && expression.column_refs().iter().all(|column| has_ours(input, column))
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

fn has_ours(plan: &LogicalPlan, column: &Column) -> bool {
    plan.schema().index_of_column(column).is_ok_and(|place| is_ours_at(plan, place))
}

/// Whether a column of a plan is made of texts of ours, by its place.
fn is_ours_at(plan: &LogicalPlan, place: usize) -> bool {
    match plan {
        LogicalPlan::TableScan(scan) => is_read_of_ours(scan, place),
        LogicalPlan::Projection(plan) => plan.expr.get(place).is_some_and(|made| is_ours(made, &plan.input)),
        LogicalPlan::Filter(plan) => is_ours_at(&plan.input, place),
        LogicalPlan::Sort(plan) => is_ours_at(&plan.input, place),
        LogicalPlan::Limit(plan) => is_ours_at(&plan.input, place),
        LogicalPlan::Repartition(plan) => is_ours_at(&plan.input, place),
        LogicalPlan::SubqueryAlias(plan) => is_ours_at(&plan.input, place),
        LogicalPlan::Distinct(Distinct::All(input)) => is_ours_at(input, place),
        // The columns of windows stand behind those of the input.
        LogicalPlan::Window(plan) => place < plan.input.schema().fields().len() && is_ours_at(&plan.input, place),
        LogicalPlan::Aggregate(plan) => is_group_of_ours(plan, place),
        LogicalPlan::Join(plan) => is_ours_of_side(plan, place),
        LogicalPlan::Union(plan) => plan.inputs.iter().all(|input| is_ours_at(input, place)),
        // Without a row there is no text of anybody's.
        LogicalPlan::EmptyRelation(plan) => !plan.produce_one_row,
        LogicalPlan::Values(plan) => {
            let mut rows = plan.values.iter();
            rows.all(|row| row.get(place).is_some_and(|value| matches!(value, Expr::Literal(..))))
        }
        _ => false,
    }
}

/// What is called with the rows of a group may gather them.
fn is_group_of_ours(plan: &Aggregate, place: usize) -> bool {
    plan.group_expr.get(place).is_some_and(|group| is_ours(group, &plan.input))
}

fn is_ours_of_side(plan: &Join, place: usize) -> bool {
    let (qualifier, field) = plan.schema.qualified_field(place);
    let column = Column::new(qualifier.cloned(), field.name());
    let is_of = |side: &LogicalPlan| side.schema().index_of_column(&column).is_ok();
    match (is_of(&plan.left), is_of(&plan.right)) {
        (true, false) => has_ours(&plan.left, &column),
        (false, true) => has_ours(&plan.right, &column),
        // The mark of a semi-join is of neither.
        _ => false,
    }
}

fn is_read_of_ours(scan: &TableScan, place: usize) -> bool {
    let place = scan.projection.as_ref().map_or(Some(place), |projection| projection.get(place).copied());
    let Some(place) = place else { return false };
    // A step has the name that the statement gives it, which may be that of a table.
    if let Some(column) = column_of_step(scan, place) {
        return column.is_some_and(|(plan, place)| is_ours_at(plan, place));
    }
    let (table, schema) = (scan.table_name.table(), scan.source.schema());
    let Some(column) = schema.fields().get(place).map(|field| field.name().as_str()) else { return false };
    is_shipped(table) || DECLARED.contains(&(table, column))
}

/// The columns of ours, with their tables, whose names nobody else can take.
static DECLARED: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let tables = tables::tables().into_iter().chain(tables::derived());
    let of_table = |table: tables::Table| {
        let ours = table.columns.into_iter().filter(|column| column.is_ours).map(|column| column.name);
        ours.chain([tables::PARTITION.name]).map(|column| (table.name, column)).collect::<Vec<_>>()
    };
    tables.flat_map(of_table).collect()
});
