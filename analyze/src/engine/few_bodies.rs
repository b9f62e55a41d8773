//! Scans of the few bodies that a step has.
//!
//! A question may find some bodies first, in a step, and then read their rules. Files are sorted by body and state the
//! least and greatest body of each row group. So if the rows of the step are in memory and have few bodies, the scan
//! leaves out what has none of them. DataFusion's own filter from a join to its other side is off (see
//! `engine::session`), and would compare hashes, which files do not state.
//!
//! Measured: `violation_examples` finds 30 bodies and then reads their rules. Over 59.8 million captures with 12 GiB, it
//! takes 43 s and 78 CPU seconds, where it took 184 s and 212 before this and a step in its SQL. Over 9.96 million, this
//! alone cut 24 CPU seconds to 15.

use super::once::StepExec;
use super::stated::{PlannedRows, StatedFact, StatedRows};
use crate::catalog::folder_table::{KEY, config_of};
use datafusion::common::{JoinType, Result, ScalarValue};
use datafusion::datasource::physical_plan::{FileScanConfigBuilder, ParquetSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::Operator;
use datafusion::physical_expr::expressions::{BinaryExpr, Column, lit};
use datafusion::physical_expr::{Partitioning, PhysicalExpr, conjunction};
use datafusion::physical_plan::aggregates::AggregateExec;
use datafusion::physical_plan::execution_plan::{CardinalityEffect, replace_children_if_necessary};
use datafusion::physical_plan::filter::FilterExec;
use datafusion::physical_plan::joins::{HashJoinExec, SortMergeJoinExec};
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties as _};
use futures_util::TryStreamExt as _;
use std::sync::Arc;

/// So many bodies are few. A scan compares each of them with each row group.
const FEW_BODIES: usize = 100;

/// A step, and the place of its column with bodies.
#[derive(Clone, Debug)]
struct BodiesOfStep {
    step: PlannedRows,
    column: usize,
}

impl StatedFact for BodiesOfStep {
    const NAME: &'static str = "FewBodies";
    const HOLDS_FOR_COLUMNS: bool = false;

    fn execute(
        &self,
        scan: &PlannedRows,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let Some(step) = self.step.downcast_ref::<StepExec>() else { return scan.execute(partition, context) };
        let bodies = step.few_numbers(self.column, FEW_BODIES, Arc::clone(&context));
        let (schema, scan) = (scan.schema(), Arc::clone(scan));
        let rows = async move {
            let narrowed = bodies.await?.and_then(|bodies| scan_of(&scan, &bodies));
            narrowed.unwrap_or(scan).execute(partition, context)
        };
        let rows = futures_util::stream::once(rows).try_flatten();
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, rows)))
    }
}

/// The same scan without row groups that have none of these bodies.
fn scan_of(scan: &PlannedRows, bodies: &[i64]) -> Option<PlannedRows> {
    let config = config_of(scan)?;
    let source = config.file_source().downcast_ref::<ParquetSource>()?;
    let body = Column::new_with_schema(KEY, config.file_source().table_schema().table_schema()).ok()?;
    let body: Arc<dyn PhysicalExpr> = Arc::new(body);
    let binary = |left, operator, right| -> Arc<dyn PhysicalExpr> { Arc::new(BinaryExpr::new(left, operator, right)) };
    let is_one = bodies.iter().map(|id| binary(Arc::clone(&body), Operator::Eq, lit(ScalarValue::from(*id))));
    let is_any = is_one.reduce(|any, one| binary(any, Operator::Or, one)).unwrap_or_else(|| lit(false));
    let conditions = config.file_source().filter().into_iter().chain([is_any]);
    let source = Arc::new(source.with_predicate(conjunction(conditions)));
    let config = FileScanConfigBuilder::from(config.clone()).with_source(source).build();
    Some(DataSourceExec::from_data_source(config))
}

/// The same join with fewer rows to read; `None` if no side has the bodies of a step.
pub(super) fn read_few(node: &PlannedRows) -> Result<Option<PlannedRows>> {
    let (left, right, on, join_type) = if let Some(join) = node.downcast_ref::<HashJoinExec>() {
        // `NOT IN` must know whether there is any row.
        if join.null_aware {
            return Ok(None);
        }
        (join.left(), join.right(), join.on(), *join.join_type())
    } else if let Some(join) = node.downcast_ref::<SortMergeJoinExec>() {
        (join.left(), join.right(), join.on(), join.join_type())
    } else {
        return Ok(None);
    };
    // Rows without a match must stay.
    let (keeps_left, keeps_right) = match join_type {
        JoinType::Inner | JoinType::LeftSemi | JoinType::RightSemi => (false, false),
        JoinType::Left | JoinType::LeftAnti | JoinType::LeftMark => (true, false),
        JoinType::Right | JoinType::RightAnti | JoinType::RightMark => (false, true),
        JoinType::Full => (true, true),
    };
    for (left_key, right_key) in on {
        let place = |key: &Arc<dyn PhysicalExpr>| key.downcast_ref::<Column>().map(Column::index);
        let (Some(left_key), Some(right_key)) = (place(left_key), place(right_key)) else { continue };
        let sides = if let Some(right) = narrowed(left, left_key, right, right_key)?.filter(|_| !keeps_right) {
            vec![Arc::clone(left), right]
        } else if let Some(left) = narrowed(right, right_key, left, left_key)?.filter(|_| !keeps_left) {
            vec![left, Arc::clone(right)]
        } else {
            continue;
        };
        return replace_children_if_necessary(Arc::clone(node), sides).map(Some);
    }
    Ok(None)
}

/// The rows of a side without those that have none of the bodies of `few`.
fn narrowed(few: &PlannedRows, key: usize, rows: &PlannedRows, column: usize) -> Result<Option<PlannedRows>> {
    step_of(few, key).map_or(Ok(None), |step| narrow(rows, column, &step))
}

/// The step that has all values of a column.
fn step_of(rows: &PlannedRows, column: usize) -> Option<BodiesOfStep> {
    if let Some(step) = rows.downcast_ref::<StepExec>() {
        return (!step.is_kept()).then(|| BodiesOfStep { step: Arc::clone(rows), column });
    }
    if let Some(join) = rows.downcast_ref::<HashJoinExec>() {
        let column = join.projection.as_ref().map_or(Some(column), |columns| columns.get(column).copied())?;
        return step_of_side(join.left(), join.right(), *join.join_type(), column);
    }
    if let Some(join) = rows.downcast_ref::<SortMergeJoinExec>() {
        return step_of_side(join.left(), join.right(), join.join_type(), column);
    }
    if let Some(groups) = rows.downcast_ref::<AggregateExec>() {
        let (key, _) = groups.group_expr().expr().get(column)?;
        let key = key.downcast_ref::<Column>().filter(|_| groups.group_expr().is_single())?;
        return step_of(groups.input(), key.index());
    }
    let (input, column) = input_of(rows, column)?;
    step_of(input, column)
}

fn step_of_side(left: &PlannedRows, right: &PlannedRows, join_type: JoinType, column: usize) -> Option<BodiesOfStep> {
    let columns_of_left = left.schema().fields().len();
    match join_type {
        JoinType::Inner if column < columns_of_left => step_of(left, column),
        JoinType::Inner => step_of(right, column - columns_of_left),
        _ => None,
    }
}

/// The rows, with a scan of the bodies of a step; `None` if the column is not the bodies of a scan.
fn narrow(rows: &PlannedRows, column: usize, step: &BodiesOfStep) -> Result<Option<PlannedRows>> {
    if rows.is::<StatedRows<BodiesOfStep>>() {
        return Ok(None);
    }
    if let Some(config) = config_of(rows) {
        // Only tables of the folder have ranges. If threads shared the files of a scan, its partitions could not be
        // narrowed one by one. The first rows of a scan must stay the first of all.
        let is_by_body = matches!(rows.output_partitioning(), Partitioning::Range(_)) && config.preserve_order;
        let is_narrowed = is_by_body && config.limit.is_none() && rows.schema().field(column).name() == KEY;
        return Ok(is_narrowed.then(|| Arc::new(StatedRows::new(Arc::clone(rows), step.clone())) as _));
    }
    let Some((input, column)) = input_of(rows, column) else { return Ok(None) };
    let Some(narrowed) = narrow(input, column, step)? else { return Ok(None) };
    Ok(Some(replace_children_if_necessary(Arc::clone(rows), vec![narrowed])?))
}

/// The input of a node that passes rows through or leaves some out by what they are, and the place that a column has
/// there.
fn input_of(rows: &PlannedRows, column: usize) -> Option<(&PlannedRows, usize)> {
    if let Some(projection) = rows.downcast_ref::<ProjectionExec>() {
        let projected = projection.expr().get(column)?;
        return Some((projection.input(), projected.expr.downcast_ref::<Column>()?.index()));
    }
    if let Some(filter) = rows.downcast_ref::<FilterExec>() {
        let column = filter.projection().as_ref().map_or(Some(column), |columns| columns.get(column).copied())?;
        return filter.fetch().is_none().then(|| (filter.input(), column));
    }
    let passes_all = matches!(rows.cardinality_effect(), CardinalityEffect::Equal) && rows.fetch().is_none();
    match rows.children().as_slice() {
        [input] if passes_all && input.schema() == rows.schema() => Some((input, column)),
        _ => None,
    }
}
